"""Averages of curves, and bands around them."""
