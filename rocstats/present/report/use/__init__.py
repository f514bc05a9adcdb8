"""The section of a report on scores that are risks: net benefit and calibration."""
