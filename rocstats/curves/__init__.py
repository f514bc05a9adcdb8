"""Exact geometry of ROC space, without probability."""
