"""Areas, curves and rates of outcomes with several classes."""
