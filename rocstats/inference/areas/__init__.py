"""Questions about one area."""
