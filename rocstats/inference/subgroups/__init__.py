"""One measure in subgroups, with the test of interaction."""
