"""The table of the ledger: a row for each value of each option of each question, by role."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pandas as pd

from validation.harness import Outcome
from validation.ledger.credit import ROLES, Key
from validation.ledger.evidence import CELLS, Evidence
from validation.ledger.numbers import evidence_of_numbers
from validation.ledger.options import HERE, questions
from validation.ledger.simulated import evidence_of_tables

LEDGER = HERE / "ledger.csv"
HONOURED = HERE / "honoured.csv"
REMADE = HERE / "remade.csv"
ALL_ROLES = (
    "", *ROLES, "prevalence given", "prevalence random", "partial area", "missing scores",
    "binned counts",
)  # fmt: skip
GAP = "no evidence yet"
WITH_ROLE = "asked with a role only"
REFUSED = "refused in every call that was tried"
KEYS = list(Key._fields)
MEASURED = ["worst_relative", "worst_share"]
"""Columns that differ between machines in their last digits."""


def make_ledger(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return the ledger as texts and numbers, gaps included."""
    numbers, tables = evidence_of_numbers(outcomes), evidence_of_tables()
    found = {*numbers, *tables}
    keys = sorted({*declared_keys(), *honoured(), *found}, key=place)
    nothing = Evidence()
    return pd.DataFrame(
        _line(key, numbers.get(key, nothing), tables.get(key, nothing)) for key in keys
    )


def read_ledger(path: Path = LEDGER) -> pd.DataFrame:
    """Return a ledger as it was written: texts, and numbers in their columns."""
    return pd.read_csv(path, dtype=object, keep_default_na=False)


def declared_keys() -> set[Key]:
    """Return the rows that the signatures demand: each question, and each value of its options."""
    return {
        Key(label, option, value, "")
        for label, asked in questions().items()
        for option, value in (
            ("", ""),
            *((name, value) for name, one in asked.options.items() for value in one.values),
        )
    }


@cache
def honoured() -> frozenset[Key]:
    """Return the rows that some call was seen to answer, made by ``honoured.py``."""
    if not HONOURED.is_file():
        return frozenset()
    frame = pd.read_csv(HONOURED, dtype=object, keep_default_na=False)
    known = declared_keys()
    keys = (Key(*row) for row in frame[KEYS].itertuples(index=False, name=None))
    return frozenset(key for key in keys if key._replace(role="") in known)


def place(key: Key) -> tuple[int, ...]:
    """Return where a row stands: in the order of the package, then of the roles."""
    return (*_places()[key[:3]], ALL_ROLES.index(key.role))


@cache
def _places() -> dict[tuple[str, str, str], tuple[int, int, int]]:
    return {
        (label, option, value): (i, j, k)
        for i, (label, asked) in enumerate(questions().items())
        for j, (option, values) in enumerate(
            [("", ("",)), *((name, one.values) for name, one in asked.options.items())]
        )
        for k, value in enumerate(values)
    }


def _line(key: Key, numbers: Evidence, tables: Evidence) -> dict[str, object]:
    asked = questions()[key.question]
    default = key.option and asked.options[key.option].default == key.value
    simulated = ["simulation"] if tables.n_settings else []
    by_count = sorted(numbers.authorities.items(), key=lambda item: (-item[1], item[0]))
    return {
        **key._asdict(),
        "default": "yes" if default else "",
        "authority": "; ".join([*(f"{name} ({n})" for name, n in by_count), *simulated])
        or _without(key),
        "rows": numbers.rows,
        "worst_relative": f"{numbers.relative:.0e}" if numbers.compared else "",
        "worst_share": f"{numbers.share:.2f}" if numbers.by_hand else "",
        "cases": " ".join(numbers.cases),
        "settings": tables.n_settings,
        "shortfalls": tables.shortfalls,
        **{_word(cell): _worst(tables, cell) for cell in CELLS},
        "tables": " ".join(tables.tables),
    }


def _without(key: Key) -> str:
    """Return what stands where there is no evidence: a gap, or why there can be none."""
    tried = {one.question for one in honoured()}
    if key.role or key.question not in tried or key in honoured():
        return GAP
    with_role = any(one[:3] == key[:3] for one in honoured())
    return WITH_ROLE if with_role else REFUSED


def _word(cell: str) -> str:
    return "worst" if cell == "all" else cell.replace(" ", "_")


def _worst(tables: Evidence, cell: str) -> str:
    return "; ".join(f"{measure} {setting}" for measure, setting in tables.worst(cell).items())
