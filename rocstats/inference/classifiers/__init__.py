"""Classifiers between or from others."""
