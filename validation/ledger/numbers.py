"""The evidence of the reference cases: numbers of other authorities, compared with ours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from validation.files import read_json
from validation.harness import Case, Outcome, read_study
from validation.ledger.credit import Key, Number, keys_of, roles_of
from validation.ledger.evidence import Evidence
from validation.ledger.options import questions, words
from validation.remake import programs_of

BY_HAND = {"printed": "printed number", "derived": "worked by hand"}
"""The authority of a number that no program made, by its origin."""


def evidence_of_numbers(outcomes: Iterable[Outcome]) -> dict[Key, Evidence]:
    """Return what the rows of all cases say about each row of the ledger."""
    found: dict[Key, Evidence] = {}
    for outcome in outcomes:
        row = outcome.row
        # A row may speak for an option in two ways, of which it is one number all the same.
        keys = {key for number in _numbers(outcome) for key in keys_of(number)}
        for key in keys:
            found.setdefault(key, Evidence()).add_number(
                _authority(row.case, row.origin), row.case.authority, outcome
            )
    return found


def _numbers(outcome: Outcome) -> Iterator[Number]:
    """Yield what a row asks: its question, the design of a plan, and the study itself."""
    row = outcome.row
    arguments, where, given = json.loads(row.arguments), json.loads(row.where), _given(row.case)
    meant = words()["harness"].get(row.question, {})
    label = _label(row.case, meant.get("question", row.question))
    arguments = {**meant.get("options", {}), **arguments}
    quantity, roles = str(where.get("quantity", "")), roles_of(given, arguments)
    yield Number(label, arguments, row.column, outcome.method, quantity, roles)
    if "design" in arguments:
        yield Number(arguments["kind"], arguments["design"], row.column, outcome.method)
    kind = type(read_study(row.case)).__name__
    if kind in questions():
        yield Number(kind, given, row.column, roles=roles_of(given, {}))


@cache
def _given(case: Case) -> dict[str, Any]:
    return read_json(case.folder / "study.json")


def _label(case: Case, question: str) -> str:
    """Return the label of a question that is public under its own name."""
    label = f"{type(read_study(case)).__name__}.{question}"
    return label if label in questions() else question


@cache
def _authority(case: Case, origin: str) -> str:
    if origin in BY_HAND:
        return BY_HAND[origin]
    programs = [f"{name} {version}" for name, version in programs_of(case).items()]
    return ", ".join(programs) or "brute force"
