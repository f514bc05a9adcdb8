"""Operating points: measures at thresholds or rates, and their comparison."""
