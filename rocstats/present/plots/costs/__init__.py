"""Graphs of costs and benefits: cost curves, hulls, decision curves."""
