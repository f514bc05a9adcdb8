"""Rates and measures at operating points, their limits and their comparison."""
