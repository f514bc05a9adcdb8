"""Simulated reader studies against the exact variances and the power of their plans."""
