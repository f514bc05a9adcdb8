"""Resampled curves, and what is read from them."""
