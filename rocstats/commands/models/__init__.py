"""Commands about prediction models, whose scores are risks."""
