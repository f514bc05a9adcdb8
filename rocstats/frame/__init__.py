"""Frame."""
