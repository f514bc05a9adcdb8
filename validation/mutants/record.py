"""The records of the runs, `results.csv` and `pages.csv`, and the reasons of their survivors."""

from __future__ import annotations

import csv
import random
import tomllib
from dataclasses import astuple, dataclass
from itertools import islice
from pathlib import Path

from validation.files import write_csv
from validation.mutants.making import Mutant
from validation.mutants.rooms import ROOT

HERE = Path(__file__).parent
TABLE, SURVIVORS = HERE / "results.csv", HERE / "survivors.toml"
PAGES, PAGES_SURVIVORS = HERE / "pages.csv", HERE / "pages_survivors.toml"
COLUMNS = ("room", "file", "operator", "before", "after", "outcome", "killer", "asked")


@dataclass(frozen=True, order=True)
class Row(Mutant):
    """A mutant with its outcome, the test that killed it, and the day on which it was asked."""

    outcome: str
    killer: str
    asked: str

    @property
    def mutant(self) -> Mutant:
        """What was changed."""
        return Mutant(self.room, self.file, self.operator, self.before, self.after)


@dataclass(frozen=True)
class Survivor:
    """What is known of a mutant that no test noticed: equivalent ones cannot be killed."""

    file: str
    before: str
    after: str
    equivalent: bool
    reason: str


def read_rows(table: Path = TABLE) -> list[Row]:
    """Return the rows of a record."""
    if not table.exists():
        return []
    with table.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def draw_killed(n: int, table: Path) -> list[Row]:
    """Return n killed mutants of a record, drawn at random; fewer if no more can be made."""
    rows = [row for row in read_rows(table) if row.outcome == "killed" and "::" in row.killer]
    random.Random(n).shuffle(rows)
    # A line that has changed since is no longer that mutant.
    fitting = (row for row in rows if row.mutant.fits((ROOT / row.file).read_text("utf-8")))
    return list(islice(fitting, n))


def write_rows(rows: list[Row], table: Path = TABLE) -> None:
    """Write a record in the order of rooms, files and operators."""
    write_csv(table, COLUMNS, map(astuple, sorted(rows)))


def read_survivors(reasons: Path = SURVIVORS) -> list[Survivor]:
    """Return what is said of survivors."""
    with reasons.open("rb") as file:
        return [Survivor(**entry) for entry in tomllib.load(file)["survivor"]]


def not_equivalent(rows: list[Row], survivors: list[Survivor]) -> list[Row]:
    """Return the rows of mutants that a test can notice."""
    same = {(one.file, one.before, one.after) for one in survivors if one.equivalent}
    return [row for row in rows if (row.file, row.before.strip(), row.after.strip()) not in same]


def share_killed(rows: list[Row], survivors: list[Survivor]) -> tuple[int, int]:
    """Return how many mutants were killed, and how many can be: all but the equivalent ones."""
    can = not_equivalent(rows, survivors)
    return sum(row.outcome != "survived" for row in can), len(can)
