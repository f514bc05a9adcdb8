"""The ledger: which evidence there is for each option of each question."""
