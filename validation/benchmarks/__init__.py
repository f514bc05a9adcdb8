"""Cost of the questions in units of a sort: ``python -m validation.benchmarks``."""
