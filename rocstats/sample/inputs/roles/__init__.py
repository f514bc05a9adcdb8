"""Roles of rows that only some questions read."""
