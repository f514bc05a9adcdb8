"""Scores counted by data engines, merged, and paired."""
