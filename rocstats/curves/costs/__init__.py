"""Expected costs along a curve: cost curves, convex hulls, superiority."""
