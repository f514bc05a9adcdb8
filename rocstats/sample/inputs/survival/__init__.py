"""Inputs of survival studies."""
