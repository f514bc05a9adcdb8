"""Numbers of other authorities, and the harness that asks the package for the same numbers."""
