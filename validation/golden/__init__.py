"""Golden answers: what every public question answers, kept to compare a later tree with."""
