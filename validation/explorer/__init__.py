"""Numbers of explorers, read in a browser, beside those of the frames."""
