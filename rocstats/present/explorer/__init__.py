"""The explorer of a report: what a reader sees when the cutoff or the prevalence moves."""
