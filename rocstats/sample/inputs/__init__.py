"""What users hand in, read and validated: one way of handing in a file."""
