"""Two answers compared: every number within a tolerance, all else equal."""

from __future__ import annotations

from typing import Any

TOLERANCE = 1e-12
"""Relative, absolute below 1: what another order of the same sums can change."""


class Difference:
    """Where two answers differ: the places, and the largest difference of numbers within bounds."""

    def __init__(self) -> None:
        self.largest = 0.0
        self.places: list[str] = []

    def look(self, old: Any, new: Any, place: str = "") -> None:
        """Compare two answers, entry by entry."""
        numbers = isinstance(old, float | int) and isinstance(new, float | int)
        if numbers and not isinstance(old, bool):
            gap = abs(old - new) / max(1.0, abs(old))
            self.largest = max(self.largest, gap)
            if gap > TOLERANCE:
                self.places.append(f"{place}: {old!r} -> {new!r}")
        elif isinstance(old, dict) and isinstance(new, dict):
            if list(old) != list(new):
                self.places.append(f"{place}: keys {list(old)} -> {list(new)}"[:300])
            for key in old.keys() & new.keys():
                self.look(old[key], new[key], f"{place}/{key}")
        elif isinstance(old, list) and isinstance(new, list):
            if len(old) != len(new):
                self.places.append(f"{place}: {len(old)} -> {len(new)} entries")
            for at, (one, other) in enumerate(zip(old, new, strict=False)):
                self.look(one, other, f"{place}/{at}")
        elif old != new or type(old) is not type(new):
            self.places.append(f"{place}: {str(old)[:120]!r} -> {str(new)[:120]!r}")
