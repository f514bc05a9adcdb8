"""Scores counted where the data lie: by an engine, in memory, or in SQL."""
