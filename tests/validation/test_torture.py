"""A thousand calls of the property machine; ``python -m validation.torture`` makes any number."""

from __future__ import annotations

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
