"""Resampling by blocks against resampling of cases: bands, and cutpoints."""
