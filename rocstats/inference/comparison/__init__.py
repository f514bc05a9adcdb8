"""Questions that compare areas, curves or points."""
