"""Graphs of survival studies: curves at a time, areas over time, scores by status."""
