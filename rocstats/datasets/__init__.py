"""Small data that ships with the package, each with its source."""
