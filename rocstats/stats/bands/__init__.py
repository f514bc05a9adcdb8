"""Bands around curves, and around differences of curves and of costs."""
