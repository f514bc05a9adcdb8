"""Seeded mutation testing of the package, room by room: does a test notice a small change?"""
