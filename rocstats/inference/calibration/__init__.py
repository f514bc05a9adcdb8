"""Calibration of predicted risks, and probability scores."""
