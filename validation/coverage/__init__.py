"""Simulated coverage of the intervals of the package: ``python -m validation.coverage NAME``."""
