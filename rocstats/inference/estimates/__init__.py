"""What every question shares: pairs, hypotheses, seeds and resamples, columns, adjustment."""
