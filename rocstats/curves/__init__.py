"""Exact geometry of ROC space, no probability (storey 2)."""
