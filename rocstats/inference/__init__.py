"""Questions with estimates and intervals, one topic a file (storey 4)."""
