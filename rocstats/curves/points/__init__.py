"""Points of a curve: rates, measures, cutpoints, and the same points on other axes."""
