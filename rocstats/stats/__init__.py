"""Shared statistical tools on arrays (storey 3)."""
