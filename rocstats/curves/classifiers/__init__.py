"""Discrete classifiers as points: confusion tables, combinations, chains."""
