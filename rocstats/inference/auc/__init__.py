"""Areas under the ROC curve: intervals, comparisons, strata, optimism."""
