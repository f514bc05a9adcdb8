"""Areas and bands of precision-recall curves."""
