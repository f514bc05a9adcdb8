"""Seeded mutation testing of the package, room by room: which small changes no test notices."""
