"""The window: pages on this computer that fill in a command and show its answer."""
