"""Simulated size of the tests against chance: ``python -m validation.size``."""
