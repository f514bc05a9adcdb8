"""Questions with estimates and intervals, one topic a room (storey 4)."""
