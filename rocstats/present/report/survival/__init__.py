"""The report of a survival study."""
