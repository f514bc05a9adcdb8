"""Areas adjusted for covariates, from a regression of the scores of the negatives."""
