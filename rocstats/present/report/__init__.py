"""The self-contained report of a study."""
