"""Averages of curves of several test sets, with error bars."""
