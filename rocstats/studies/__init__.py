"""The studies: each gathers the questions of its kind and defines none (storey 5)."""
