"""What random scorers do: exact and asymptotic distributions."""
