"""What other programs say about the data of the pages "Coming from", and what is said here."""
