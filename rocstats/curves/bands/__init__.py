"""Averages of several curves, and the rotated coordinates in which bands are made."""
