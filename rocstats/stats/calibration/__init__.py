"""Agreement of predicted risks with outcomes, on arrays: lines, curves and scores."""
