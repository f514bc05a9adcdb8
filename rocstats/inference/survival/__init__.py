"""Discrimination of times to an event: areas at a time, bands over time and concordance."""
