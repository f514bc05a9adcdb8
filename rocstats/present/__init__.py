"""Frames in, things to look at out; beside the storeys."""
