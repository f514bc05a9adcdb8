"""Arrays behind every question: cases, and counts at each distinct score."""
