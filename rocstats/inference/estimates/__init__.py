"""What every question shares: pairs, hypotheses, columns, adjustment."""
