"""Cutpoints chosen by a criterion, with limits that allow for the choice."""
