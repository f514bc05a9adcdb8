"""Operating points and cutpoints."""
