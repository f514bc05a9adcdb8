"""Answers as pandas frames: how they are made, declared and printed."""
