"""What the codes of a survival study mean is named by the user where 0 is not one of them."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

DESK = Path(__file__).parents[1] / "data" / "desk"
TIME, MARKER = [5, 8, 12, 3, 9, 14], [3, 1, 2, 5, 2, 1]
WORDS = ["dead", "alive", "alive", "transplant", "dead", "lost"]

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def of(event, **more):
    n = len(event)
    return rs.SurvivalStudy(TIME[:n], event, MARKER[:n], **more)


def refusal(event, **more):
    with pytest.raises(rs.InputError) as found:
        of(event, **more)
    return re.sub(r", rows? [\d, ]+(?=\))", "", str(found.value))


def test_codes_1_and_2_are_never_taken_for_0_and_1():
    """desk/event_codes.csv: status 1 = censored, 2 = died. Counted by hand at 20 months.

    Four had died (70, 64, 66, 71), five were followed on (60, 52, 58, 49, 63): 20 of 20 pairs.
    """
    table = pd.read_csv(DESK / "event_codes.csv")
    with pytest.raises(rs.InputError) as found:
        rs.SurvivalStudy("time", "status", "age", data=table)
    assert str(found.value) == (
        "`event_code` must be given where no code of `event` is 0; got 1 (6 patients), 2 (6). Pass"
        " event_code= and censored_code=. Codes in neither option are competing events."
    )
    study = rs.SurvivalStudy("time", "status", "age", data=table, event_code=2, censored_code=1)
    frame = study.auc(time=20)
    row = frame.iloc[0]
    assert (row["estimate"], row["n_pos"], row["n_neg"], row["n_censored"]) == (1, 4, 5, 3)
    words = (
        "Of 12 patients, 6 had the event (code 2), none a competing event first, and 6 were"
        " censored (code 1)."
    )
    assert study.events_in_words == words
    assert frame.attrs["rocstats"]["events"] == words
    recoded = rs.SurvivalStudy(
        "time", "status", "age", data=table.assign(status=table["status"] - 1)
    )
    pd.testing.assert_frame_equal(recoded.auc(time=20), frame)


def test_words_are_named_and_the_others_compete():
    study = of(WORDS, event_code="dead", censored_code=["alive", "lost"])
    assert study.events_in_words == (
        'Of 6 patients, 2 had the event (code "dead"), 1 a competing event first (code'
        ' "transplant"), and 3 were censored (codes "alive", "lost").'
    )
    numbers = of([1, 0, 0, 2, 1, 0])
    pd.testing.assert_frame_equal(study.auc(time=8), numbers.auc(time=8))
    both = of(WORDS, event_code=["dead", "transplant"], censored_code=("alive", "lost"))
    pd.testing.assert_frame_equal(both.auc(time=8), of([1, 0, 0, 1, 1, 0]).auc(time=8))
    ordered = of(pd.Categorical(WORDS), event_code="dead", censored_code=["alive", "lost"])
    assert repr(ordered) == repr(pickle.loads(pickle.dumps(study))) == repr(study)
    for line in ('event       2 (code "dead")', 'competing   1 (code "transplant")'):
        assert line in repr(study)


def test_0_is_censored_and_the_others_are_causes():
    study = of([0, 1, 2, 0, 1, 2], cause=2)
    assert study.events_in_words == (
        "Of 6 patients, 2 had the event (code 2), 2 a competing event first (code 1), and 2 were"
        " censored (code 0)."
    )
    named = of([0, 1, 2, 0, 1, 2], event_code=2)
    pd.testing.assert_frame_equal(named.auc(time=8), study.auc(time=8))
    assert named.events_in_words == study.events_in_words
    booleans = of([True, False, False, True, True, False])
    assert "3 had the event (code True)" in booleans.events_in_words
    assert "none was censored" in of([True] * 6).events_in_words
    missing = pd.Series([1, 0, None, 0, 1, 2], dtype="Int64")
    assert of(missing, nan_policy="omit").events_in_words.startswith("Of 5 patients, 2 had")
    masked = np.ma.array([1, 0, 9, 0, 1, 2], mask=[0, 0, 1, 0, 0, 0])
    assert repr(of(masked, nan_policy="omit")) == repr(of(missing, nan_policy="omit"))


def test_a_group_says_what_happened_in_it():
    study = of([0, 1, 2, 0, 1, 2], group=list("aabbab"))
    _, part = study.by_group()[0]
    assert part.events_in_words == (
        "Of 3 patients, 2 had the event (code 1), none a competing event first, and 1 was"
        " censored (code 0)."
    )


def test_nobody_need_be_censored():
    everyone = of([1] * 6, event_code=1)
    pd.testing.assert_frame_equal(everyone.auc(time=8), of([True] * 6).auc(time=8))
    competing = of([1, 2, 2, 1, 1, 2], event_code=1, censored_code=[])
    assert (competing.n_events, competing.n_censored) == (3, 0)
    assert of([1, 2, 2, 1, 1, 2], event_code=[1, 2]).n_events == 6


COUNTS = "'dead' (2 patients), 'alive' (2), 'transplant' (1), 'lost' (1)"
ZERO = "Code it 0 for censored, 1 for the event, 2, 3, ... for events of other causes, or pass"
REFUSALS = [
    (WORDS, {}, f"`event_code` must be given where codes of `event` are words; got {COUNTS}."),
    ([1] * 6, {}, "`event_code` must be given where no code of `event` is 0; got 1 (6 patients)."),
    ([-1, 1, 1, 1, 1, 1], {}, "got -1 (1 patient), 1 (5). Pass event_code="),
    (
        [0, 1, "lost", 0, 1, 1], {},
        "words; got 0 (2 patients), 1 (3), 'lost' (1).",
    ),
    (
        WORDS, {"event_code": "dead"},
        f"`censored_code` must be given where 0 does not mean censored; got {COUNTS}. Pass"
        " censored_code=, or [] if no patient is censored.",
    ),
    ([0, 1, 1, 0, 1, 1], {"event_code": 0}, "`censored_code` must be given where 0 does not mean"),
    (WORDS, {"censored_code": "alive"}, f"must be given with censored_code; got {COUNTS}."),
    (
        WORDS, {"event_code": "Dead", "censored_code": "alive"},
        f"`event_code` must be codes of `event`, which are {COUNTS}; got 'Dead'. Did you mean",
    ),
    ([1, 2] * 3, {"event_code": 3}, "which are 1 (3 patients), 2 (3); got 3. Pass one of them."),
    ([1, 2] * 3, {"event_code": [[1]]}, "got [1]. Pass one of them."),
    ([1, 2] * 3, {"event_code": []}, "`event_code` must name a code of `event`; got none of 1 (3"),
    (
        WORDS, {"event_code": "dead", "censored_code": ["alive", "dead"]},
        '`censored_code` must not be a code of the event; got "dead" for both.',
    ),
    (
        ["dead", "Dead ", "alive", "alive"], {"event_code": "dead", "censored_code": "alive"},
        "one meaning for codes that differ only in capital letters or blanks; got 'dead' and"
        " 'Dead ' with different meanings.",
    ),
    ([0, 1, 2] * 2, {"event_code": 2, "cause": 2}, "`cause` must be left out where event_code is"),
    ([0] * 6, {}, f"`event` must hold an event; got 6 patients, all censored. {ZERO}"),
    (["a"] * 6, {"event_code": "b"}, "got 'b'"),
    ([0, 1.5, 1], {}, f"`event` must be 0, 1, 2, ... or True and False; got 1.5 (row 1). {ZERO}"),
    ([0, np.inf, 1], {}, "`event` must be 0, 1, 2, ... or True and False; got inf (row 1)."),
    ([0, -1, 1], {}, "`event` must be 0, 1, 2, ... or True and False; got -1 (row 1)."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "more", "message"), REFUSALS)
def test_codes_that_do_not_tell_are_refused(event, more, message):
    assert message in refusal(event, **more)


def test_no_event_is_left_where_rows_with_it_are_left_out():
    event = pd.Series([0, 1, 0])
    with pytest.raises(rs.InputError, match="`event` must hold an event; got 2 patients, all"):
        rs.SurvivalStudy([1, 2, 3], event, [1, np.nan, 2], nan_policy="omit")
    with pytest.raises(rs.InputError, match="`event` must hold an event; got no patients"):
        rs.SurvivalStudy([1, 2, 3], event, [np.nan] * 3, nan_policy="omit")


def test_many_codes_are_not_all_listed():
    codes = np.arange(1, 21) * 1.5
    with pytest.raises(rs.InputError, match=r"12 \(1, row 7\), and 12 more codes\. Pass event"):
        rs.SurvivalStudy(np.arange(1, 21), codes, codes)


def test_a_word_among_times_is_named():
    """desk/s_lost.csv: one cell of the times is a word, so that a reader has texts."""
    table = pd.read_csv(DESK / "s_lost.csv")
    message = r"`time` must be numbers; got 1 cell of text in column 'months': 'lost' \(row 50\)\. "
    message += "Pass days, months or years from"
    with pytest.raises(rs.InputError, match=message):
        rs.SurvivalStudy("months", "status", "marker", data=table)
    with pytest.raises(rs.InputError, match=r"got 2 cells of text: '5' \(row 0\), '8' \(row 1\)\."):
        rs.SurvivalStudy(["5", "8"], [0, 1], [1, 2])
    with pytest.raises(
        rs.InputError, match=r"got 4 cells of text: 'a' .row 0., 'b' .row 1., 'c' .row 2. and"
    ):
        rs.SurvivalStudy(["a", "b", "c", "d"], [0, 1, 0, 1], [1, 2, 3, 4])
