"""Read the pages of ``docs/coming-from`` and the numbers of the programs they are about.

A page has a table of calls: what stands there as code is run, theirs by ``record.py`` and ours by
``tests/test_coming_from.py``. ``<page>.toml`` has the numbers that differ, ``recorded.csv``
what the programs said to both.
"""

from __future__ import annotations

import csv
import re
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation.reference import half_unit

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PAGES = ROOT / "docs" / "coming-from"
RECORDED = FOLDER / "recorded.csv"
COLUMNS = ("page", "kind", "theirs", "value")

CALLS = re.compile(r"^````\{container\} calls\n(.*?)^````$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Number:
    """One comparison: what they say to ``theirs``, and we to ``ours`` and, to agree, to ``same``.

    A column is that of the first row of our answer among those ``where`` says, or of the first row
    of a quantity: "tpr:ci_low".
    """

    what: str
    ours: str
    columns: Sequence[str]
    where: Mapping[str, Any] = field(default_factory=dict)
    theirs: str = ""
    same: str = ""
    same_columns: Sequence[str] = ()
    same_where: Mapping[str, Any] | None = None
    shown: str = ""
    printed: Sequence[str] = ()
    formula: str = ""
    source: str = ""
    program: str = ""
    differs: bool = True
    digits: int = 3
    relative: float = 1e-10
    """How near is equal, as a share of their number: 1e-6 of a program in single precision."""

    @property
    def kind(self) -> str:
        """Where their numbers come from: "recorded", "printed" or "formula"."""
        return "printed" if self.printed else "formula" if self.formula else "recorded"


@dataclass(frozen=True)
class Page:
    """One page: its program, the code that makes their data, the table of calls, the numbers."""

    name: str
    program: str
    numbers: Mapping[str, Number]
    runs: str = ""
    setup: str = ""
    formulas: str = ""

    @property
    def text(self) -> str:
        """The source of the page."""
        return (PAGES / f"{self.name}.md").read_text(encoding="utf-8")

    def calls(self) -> list[tuple[list[str], list[str]]]:
        """Return the code of each row of the tables of calls: theirs, ours."""
        rows = []
        for table in CALLS.findall(self.text):
            for line in table.splitlines()[2:]:
                theirs, ours, *_ = line.removeprefix("| ").removesuffix(" |").split(" | ")
                rows.append((CODE.findall(theirs), CODE.findall(ours)))
        return rows

    def commands(self) -> list[str]:
        """Return the commands of the tables of calls."""
        tables = "".join(CALLS.findall(self.text))
        return [code for code in CODE.findall(tables) if code.startswith("rocstats ")]

    def beside(self, key: str, names: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
        """Return heads and rows of a table: their number, ours, and how to get theirs here.

        ``names`` are those of the page, in which its data and studies are.
        """
        number = self.numbers[key]
        rows = [[self._who(number), f"`{number.shown or number.theirs}`", self._theirs(key)]]
        rows.append(["rocstats", f"`{number.ours}`", _told(ours(number, names), number)])
        if number.same:
            call = f"`{number.same}`{_place(number)}"
            rows.append(["the same", call, _told(same(number, names), number)])
        return ["", "Call", number.what], rows

    def _who(self, number: Number) -> str:
        program = number.program or self.program
        if number.kind == "recorded":
            return program
        told = {"printed": f"printed: {number.source}", "formula": f"formula: {number.source}"}
        return f"{program} ({told[number.kind]}; not run here)"

    def _theirs(self, key: str) -> str:
        number = self.numbers[key]
        if number.printed:
            return _joined(number.printed, number)
        return _told(theirs(self, key), number)


def read_page(name: str) -> Page:
    """Return a page by its name."""
    content = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    numbers = {key: Number(**entry) for key, entry in content.pop("number").items()}
    return Page(name=name, numbers=numbers, **content)


def page_names() -> list[str]:
    """Return the names of all pages with numbers."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_recorded() -> dict[tuple[str, str, str], list[str]]:
    """Return what the programs printed, by page, kind ("number" or "call") and their code."""
    found: dict[tuple[str, str, str], list[str]] = {}
    with RECORDED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["page"], row["kind"], row["theirs"]), []).append(row["value"])
    return found


def theirs(page: Page, key: str) -> list[float]:
    """Return their numbers: digits in print, the formula worked out, or as recorded."""
    number = page.numbers[key]
    if number.formula:
        names: dict[str, Any] = {"ROOT": ROOT}
        exec(page.formulas, names)
        return [float(value) for value in eval(number.formula, names)]
    return [float(text) for text in _digits_of(page, number)]


def tolerances(page: Page, key: str) -> list[float]:
    """Return how near to each of their numbers is equal: half a unit of the last digit printed.

    Numbers with all digits, recorded or of a formula, are held to ``relative`` of the number.
    """
    number = page.numbers[key]
    if number.printed or (page.runs == "pspp" and not number.formula):
        return [half_unit(text) for text in _digits_of(page, number)]
    return [number.relative * abs(value) for value in theirs(page, key)]


def _digits_of(page: Page, number: Number) -> Sequence[str]:
    if number.printed:
        return number.printed
    return read_recorded()[page.name, "number", number.theirs][: len(number.columns)]


def ours(number: Number, names: Mapping[str, Any]) -> list[float]:
    """Return our numbers to the same question."""
    return _asked(number.ours, names, number.where, number.columns)


def same(number: Number, names: Mapping[str, Any]) -> list[float]:
    """Return our numbers with the options that make them agree."""
    where = number.where if number.same_where is None else number.same_where
    return _asked(number.same, names, where, number.same_columns or number.columns)


def _asked(
    call: str, names: Mapping[str, Any], where: Mapping[str, Any], columns: Sequence[str]
) -> list[float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = eval(call, dict(names))
    for name, value in where.items():
        frame = frame[frame[name] == value]
    return [_cell(frame, column) for column in columns]


def _cell(frame: Any, column: str) -> float:
    quantity, _, name = column.rpartition(":")
    rows = frame[frame["quantity"] == quantity] if quantity else frame
    return float(rows.iloc[0][name])


def _place(number: Number) -> str:
    """Return where in the answer the same number is, if it is not where our own stands."""
    if not number.same_columns:
        return ""
    quantity, _, column = number.same_columns[0].rpartition(":")
    if number.columns[0].startswith(f"{quantity}:"):
        return f", column *{column}*"
    return f", row *{quantity}*"


def _told(values: Sequence[float], number: Number) -> str:
    return _joined([_digits(value, number.digits) for value in values], number)


def _joined(texts: Sequence[str], number: Number) -> str:
    limits = list(number.columns) == ["ci_low", "ci_high"]
    return (" to " if limits else ", ").join(texts)


def _digits(value: float, digits: int) -> str:
    if value and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    return f"{value:.{digits}f}"
