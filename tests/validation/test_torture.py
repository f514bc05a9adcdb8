"""A thousand calls of the property machine; ``python -m validation.torture`` makes any number."""

from __future__ import annotations

import csv

from validation.torture.__main__ import COLUMNS, TABLE
from validation.torture.machine import outcome_of
from validation.torture.questions import all_questions

# Fixed, so that a failure is that of the change: other seeds are run by hand and recorded.
SEED, CALLS = 20, 1000


def test_every_call_is_answered_within_the_contract_or_refused():
    outcomes = {number: outcome_of(SEED, number) for number in range(CALLS)}
    faults = {number: one.faults for number, one in outcomes.items() if one.faults}
    assert faults == {}
    # All questions are asked, and most of them answered: refusals alone would pass as well.
    assert {one.question for one in outcomes.values()} == {ask.label for ask in all_questions()}
    assert sum(one.frames > 0 for one in outcomes.values()) > CALLS / 3


def test_the_record_is_of_these_questions_and_without_findings():
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert {row["seed"] for row in rows} == {"1"}
    # A new question changes which call asks what: the calls are then made and recorded again.
    assert [row["question"] for row in rows] == sorted(ask.label for ask in all_questions())
    assert sum(int(row["calls"]) for row in rows) == 100_000
    assert sum(int(row["findings"]) for row in rows) == 0
    assert all(int(row["frames"]) + int(row["refusals"]) > 0 for row in rows)
