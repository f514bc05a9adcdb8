"""Studies in which only some of the tested cases were verified by the reference standard."""
