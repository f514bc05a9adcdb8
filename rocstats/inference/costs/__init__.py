"""Net benefit, expected costs and the LC index, with intervals and bands."""
