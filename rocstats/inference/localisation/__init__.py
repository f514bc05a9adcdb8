"""Marks of lesions: areas, operating points and curves of readers and algorithms that localise."""
