"""Answers as tables of a paper, and their words."""
