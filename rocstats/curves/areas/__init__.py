"""Areas under an empirical curve, whole and partial, and under precision and recall."""
