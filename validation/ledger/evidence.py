"""What is known about one row of the ledger, gathered number by number and setting by setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from validation.harness import Outcome

CELLS = ("all", "small", "unequal", "tied", "near 1")
"""Kinds of settings of a simulation; a setting is of several kinds."""


class Setting(NamedTuple):
    """One setting of a simulation, and what came out of it.

    ``share`` is held against ``level``; ``excess`` says by how much it is on the wrong side, in the
    same unit; ``error`` is its Monte-Carlo standard error, None of an exact sum.
    """

    share: float
    level: float
    excess: float
    error: float | None
    falls_short: bool
    cells: frozenset[str]

    def __str__(self) -> str:
        error = "exact" if self.error is None else f"± {self.error:.3f}"
        return f"{_short(self.share)} {error} of {self.level:.3g}"


def _short(share: float) -> str:
    return f"{share:.3f}" if share >= 0.001 or share == 0 else f"{share:.0e}"


@dataclass
class Evidence:
    """What is known about one row of the ledger."""

    authorities: dict[str, int] = field(default_factory=dict)
    cases: dict[str, None] = field(default_factory=dict)
    rows: int = 0
    compared: int = 0
    relative: float = 0.0
    share: float = 0.0
    settings: dict[str, list[Setting]] = field(default_factory=dict)
    tables: dict[str, None] = field(default_factory=dict)

    def add_number(self, authority: str, case: str, outcome: Outcome) -> None:
        """Count a number that was compared, and keep the worst difference."""
        self.authorities[authority] = self.authorities.get(authority, 0) + 1
        self.cases[case] = None
        self.rows += 1
        if outcome.row.origin == "computed":
            self.compared += 1
            self.relative = max(self.relative, outcome.relative)
        else:
            self.share = max(self.share, outcome.share)

    def add_setting(self, measure: str, table: str, setting: Setting) -> None:
        """Keep a setting of a simulation."""
        self.settings.setdefault(measure, []).append(setting)
        self.tables[table] = None

    @property
    def by_hand(self) -> int:
        """How many numbers are printed, or worked by hand."""
        return self.rows - self.compared

    @property
    def shortfalls(self) -> int:
        """How many settings fall short."""
        return sum(one.falls_short for several in self.settings.values() for one in several)

    @property
    def n_settings(self) -> int:
        """How many settings were simulated."""
        return sum(map(len, self.settings.values()))

    def worst(self, cell: str) -> Mapping[str, Setting]:
        """Return the setting farthest on the wrong side, by measure, among those of a kind."""
        found = {}
        for measure, settings in self.settings.items():
            if chosen := [one for one in settings if cell in one.cells]:
                found[measure] = max(chosen, key=lambda one: one.excess)
        return found
