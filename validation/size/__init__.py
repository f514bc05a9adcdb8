"""Simulated size of the tests of the package: ``python -m validation.size NAME``."""
