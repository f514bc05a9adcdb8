"""Data of users as validated arrays: the studies without their questions."""
