"""Curves of several classes."""
