"""Areas of several classes."""
