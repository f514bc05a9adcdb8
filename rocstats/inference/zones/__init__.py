"""Ranges of scores: likelihood ratios of bands, and the grey zone between two thresholds."""
