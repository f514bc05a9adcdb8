"""Questions with estimates and intervals, one topic a folder or a file."""
