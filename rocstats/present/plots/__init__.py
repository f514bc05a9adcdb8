"""One file a family of graphs."""
