"""The binormal model: its fit, what the fit says, limits around it."""
