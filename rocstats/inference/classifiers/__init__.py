"""Yes/no classifiers: interpolated, combined, repaired."""
