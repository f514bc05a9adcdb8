"""Figures of answers, one file a figure."""
