"""Differences of areas, curves and points: covariances, contrasts, tests."""
