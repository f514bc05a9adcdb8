"""The arguments of users, read and validated: a module for each kind of input."""
