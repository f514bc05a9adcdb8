"""The binormal curve."""
