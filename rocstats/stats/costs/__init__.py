"""Differences of expected costs."""
