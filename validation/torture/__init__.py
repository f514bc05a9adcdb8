"""The property machine: any study, any question, any option, and what must hold of the answer."""
