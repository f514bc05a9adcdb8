"""Variance and inference of one area."""
