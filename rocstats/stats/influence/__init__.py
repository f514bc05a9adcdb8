"""Influence values of cases: the one variance engine."""
