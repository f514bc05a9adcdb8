"""Variances and power of studies that have not been made."""
