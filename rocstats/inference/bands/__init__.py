"""Bands around ROC curves, averages of curves, tests of equal curves."""
