"""The data of users as validated arrays and counts (storey 1)."""
