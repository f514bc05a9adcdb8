"""Questions about several classes."""
