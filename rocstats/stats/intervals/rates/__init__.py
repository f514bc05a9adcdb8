"""Limits of proportions, and of differences and ratios of them."""
