"""Questions about being better than chance."""
