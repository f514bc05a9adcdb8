from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.quick import assert_frames_equal, each

# Figure 2: C, D and "E is the negation of B" are in the text; A is more conservative than B
FIGURE_2 = {
    "A": (5, 5, 1, 9),
    "B": (8, 2, 3, 7),
    "C": (7, 3, 7, 3),
    "D": (10, 0, 0, 10),
    "E": (2, 8, 7, 3),
}
RATES = ["fpr", "tpr", "fnr", "tnr", "ppv", "npv", "accuracy", "f1"]

tables = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "e"]),
    st.tuples(*[st.integers(0, 6)] * 4),
    min_size=1,
)


def ratio(part, whole):
    return part / whole if whole else math.nan


def test_figure_2():
    found = rs.confusion_rates(FIGURE_2, negate="below-diagonal")
    points = found[["predictor", "kind", "fpr", "tpr"]].to_numpy().tolist()
    assert points == [
        ["A", "observed", 0.1, 0.5],
        ["B", "observed", 0.3, 0.8],
        ["C", "observed", 0.7, 0.7],
        ["D", "observed", 0.0, 1.0],
        ["E", "observed", 0.7, 0.2],
        ["E", "negated", 0.3, 0.8],
    ]
    b, negated_e = found.iloc[1], found.iloc[5]
    assert negated_e.drop(["predictor", "kind"]).equals(b.drop(["predictor", "kind"]))


@given(tables)
def test_rates_by_their_definitions(data):
    found = rs.confusion_rates(data)
    assert found["predictor"].tolist() == list(data)
    assert set(found["kind"]) == {"observed"}
    for row, (tp, fn, fp, tn) in zip(found.itertuples(), data.values(), strict=True):
        expected = {
            "fpr": ratio(fp, fp + tn),
            "tpr": ratio(tp, tp + fn),
            "fnr": ratio(fn, tp + fn),
            "tnr": ratio(tn, fp + tn),
            "ppv": ratio(tp, tp + fp),
            "npv": ratio(tn, tn + fn),
            "accuracy": ratio(tp + tn, tp + fn + fp + tn),
        }
        for name, value in expected.items():
            assert getattr(row, name) == pytest.approx(value, nan_ok=True)
        counts = (row.tp, row.n_pos - row.tp, row.fp, row.n_neg - row.fp)
        assert counts == (tp, fn, fp, tn)
        if tp:  # the harmonic mean of precision and recall
            mean = 2 / (1 / expected["ppv"] + 1 / expected["tpr"])
            assert row.f1 == pytest.approx(mean)
        else:
            assert row.f1 == pytest.approx(0.0 if fn + fp else math.nan, nan_ok=True)


@given(tables)
def test_negating_reverses_every_decision(data):
    found = rs.confusion_rates(data, negate="all")
    observed = found[found["kind"] == "observed"].reset_index(drop=True)
    negated = found[found["kind"] == "negated"].reset_index(drop=True)
    assert found["predictor"].tolist() == [name for name in data for _ in range(2)]
    assert found["kind"].tolist() == ["observed", "negated"] * len(data)
    for rate, other in (("fpr", "tnr"), ("tpr", "fnr"), ("fnr", "tpr"), ("tnr", "fpr")):
        assert negated[rate].equals(observed[other])
    again = {
        row.predictor: (row.tp, row.n_pos - row.tp, row.fp, row.n_neg - row.fp)
        for row in negated.itertuples()
    }
    twice = rs.confusion_rates(again, negate="all").query("kind == 'negated'")
    assert twice[RATES].reset_index(drop=True).equals(observed[RATES])


@given(tables)
def test_only_classifiers_below_the_diagonal_are_negated(data):
    found = rs.confusion_rates(data, negate="below-diagonal")
    negated = found.loc[found["kind"] == "negated", "predictor"].tolist()
    assert negated == [
        name for name, (tp, fn, fp, tn) in data.items() if tp * (fp + tn) < fp * (tp + fn)
    ]


def test_a_point_on_the_diagonal_is_not_below_it():
    # 1/3 and 33333333/99999999 as floats need not be equal; the counts say that they are
    table = {"x": (1, 2, 33333333, 66666666)}
    assert len(rs.confusion_rates(table, negate="below-diagonal")) == 1


def test_ways_of_handing_tables_in():
    expected = rs.confusion_rates(FIGURE_2)
    cells = ["tp", "fn", "fp", "tn"]
    frame = pd.DataFrame(FIGURE_2.values(), columns=cells)
    named = frame.assign(predictor=list(FIGURE_2))
    for given_as in (
        {name: dict(zip(cells, table, strict=True)) for name, table in FIGURE_2.items()},
        {name: np.array(table) for name, table in FIGURE_2.items()},
        frame.set_axis(list(FIGURE_2)),
        named[[*cells[::-1], "predictor"]],
        pl.from_pandas(named),
    ):
        assert_frames_equal(rs.confusion_rates(given_as), expected)


def test_the_rates_are_those_of_the_study_of_the_table():
    table = {"tp": 14, "fn": 6, "fp": 8, "tn": 22}
    point = rs.Study.from_confusion(**table).roc_curve().iloc[1]
    (row,) = rs.confusion_rates({"x": table}).itertuples()
    assert (row.fpr, row.tpr, row.fp, row.tp) == tuple(point[["fpr", "tpr", "fp", "tp"]])


rates = rs.confusion_rates
MESSAGES = [
    (lambda: rates([(1, 2, 3, 4)]), "`tables` must be a dict or a dataframe held in"),
    (lambda: rates({}), "`tables` must hold at least one classifier"),
    (
        lambda: rates({"tp": 1, "fn": 2, "fp": 3, "tn": 4}),
        "`tables` must give four counts; got 1 for 'tp'",
    ),
    (lambda: rates({"a": (1, 2, 3)}), "`tables` must give four counts"),
    (
        lambda: rates({"a": {"tp": 1, "fn": 2, "fp": 3}}),
        "`tables` must give tp, fn, fp, tn; got 'a' without ['tn']",
    ),
    (
        lambda: rates(pl.DataFrame({"tp": [1], "fn": [1]})),
        "`tables` must name its rows; got the columns ['tp', 'fn']",
    ),
    (
        lambda: rates(pd.DataFrame({"tp": [1], "fn": [1]})),
        "`tables` must have one column for each of ['tp', 'fn', 'fp', 'tn']; got columns ['tp'",
    ),
    (
        lambda: rates(pl.DataFrame({"tp": [1], "fn": [1], "fp": [1], "tn": [1]})),
        "`tables` must name its rows; got the columns ['tp', 'fn', 'fp', 'tn']",
    ),
    (
        lambda: rates({"a": (1, 2, 3, 4), "b": (1, -2, 3, 4)}),
        "`tables` must hold whole numbers >= 0; got fn = -2 for 'b'",
    ),
    (
        lambda: rates({"a": (0.5, 2, 3, 4)}),
        "`tables` must hold whole numbers >= 0; got tp = 0.5 for 'a'",
    ),
    (
        lambda: rates({"a": (1, 2, 3, float("nan"))}),
        "`tables` must hold whole numbers >= 0; got tn = nan for 'a'",
    ),
    (
        lambda: rates({1: (1, 2, 3, 4), "1": (1, 2, 3, 4)}),
        "`tables` must have unique names; got ['1'] more than once",
    ),
    (lambda: rates(FIGURE_2, negate="below"), "`negate` must be one of"),
]


@each(("call", "message"), MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
