"""Precision_recall."""
