"""Tables of print in the formats of files."""
