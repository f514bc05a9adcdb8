"""Areas and curves beyond what covariates explain, and at given values of them."""
