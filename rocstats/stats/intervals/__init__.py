"""Confidence limits, one method a file."""
