"""Answers about binned scores against those about the scores themselves."""
