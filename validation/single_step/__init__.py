"""Accuracy of the distribution behind ``adjust="single-step"``."""
