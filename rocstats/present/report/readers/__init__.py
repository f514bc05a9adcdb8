"""The report of a reader study: what is asked, what it says."""
