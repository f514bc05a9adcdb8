"""What users hand in, turned into validated arrays and counts (storey 1)."""
