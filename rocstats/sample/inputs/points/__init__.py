"""What a question is asked at: thresholds, rates and prevalences."""
