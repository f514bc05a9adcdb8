"""Cutpoints."""
