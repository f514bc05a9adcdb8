"""Costs and benefits that differ from case to case."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.quick import each
from tests.strategies import samples

AMOUNT = np.array([100.0, 40, 250, 10, 75, 500])
TRUTH = ["legitimate", "fraudulent", "legitimate", "legitimate", "fraudulent", "legitimate"]
SCORE = [0.9, 0.8, 0.7, 0.7, 0.7, 0.2]


def figure_9(x):
    """Figure 9a: refuse is N, approve is Y, legitimate is p."""
    return {"N": {"n": 20, "p": -20}, "Y": {"n": -x, "p": 0.02 * x}}


def algorithm_6(labels, scores, worth):
    """Fawcett's algorithm 6, one instance after the other; the last line divides by the totals."""
    rows = sorted(zip(scores, labels, worth, strict=True), key=lambda row: -row[0])
    p_total = sum(w for _, label, w in rows if label)
    n_total = sum(w for _, label, w in rows if not label)
    fp_cost = tp_benefit = 0.0
    points, previous = [], None
    for score, label, w in rows:
        if score != previous:
            points.append((fp_cost / n_total, tp_benefit / p_total))
            previous = score
        if label:
            tp_benefit += w
        else:
            fp_cost += w
    return [*points, (fp_cost / n_total, tp_benefit / p_total)]


def test_figure_9():
    # approving fraud costs 20 + x, approving legitimate transactions gains 0.02x + 20 (figure 9b)
    weight = rs.cost_benefit_matrix(figure_9(AMOUNT), TRUTH, pos_label="legitimate")
    assert weight.dtype == np.float64
    assert weight.tolist() == pytest.approx([22, 60, 25, 20.2, 95, 30])
    study = rs.Study(TRUTH, SCORE, pos_label="legitimate", sample_weight=weight)
    curve = study.roc_curve()
    # totals 97.2 and 155; the tie of three adds 45.2 of benefit and 95 of cost at once
    assert curve["tp"].tolist() == pytest.approx([0, 22, 22, 67.2, 97.2])
    assert curve["fp"].tolist() == pytest.approx([0, 0, 60, 155, 155])
    assert curve["fpr"].tolist() == pytest.approx([0, 0, 60 / 155, 1, 1])
    assert curve["tpr"].tolist() == pytest.approx([0, 22 / 97.2, 22 / 97.2, 67.2 / 97.2, 1])


@given(samples(least=1), st.data())
def test_algorithm_6_and_its_last_point(sample, data):
    y, (score,) = sample
    x = np.array(data.draw(st.lists(st.integers(0, 900), min_size=len(y), max_size=len(y))))
    weight = rs.cost_benefit_matrix(figure_9(x), y)
    curve = rs.Study(y, score, sample_weight=weight).roc_curve()
    worth = np.where(y == 1, 0.02 * x + 20, 20 + x)
    expected = algorithm_6(y, score, worth)
    assert curve[["fpr", "tpr"]].to_numpy() == pytest.approx(np.array(expected))
    assert tuple(curve[["fpr", "tpr"]].iloc[-1]) == (1, 1)


@given(samples(least=1))
def test_whole_costs_are_cases_repeated(sample):
    y, (score,) = sample
    times = 1 + np.arange(len(y)) % 3
    benefits = {"N": {"p": 0, "n": times + 5}, "Y": {"p": times, "n": 5}}
    weight = rs.cost_benefit_matrix(benefits, y)
    area = rs.Study(y, score, sample_weight=weight).auc()["estimate"][0]
    assert area == pytest.approx(oracles.auc(np.repeat(y, times), np.repeat(score, times)))


@given(samples(least=1))
def test_equal_costs_leave_the_curve_alone(sample):
    y, (score,) = sample
    weight = rs.cost_benefit_matrix({"N": {"p": -3, "n": 4}, "Y": {"p": 2, "n": -7}}, y)
    curve = rs.Study(y, score, sample_weight=weight).roc_curve()
    plain = rs.Study(y, score).roc_curve()
    assert curve[["fpr", "tpr"]].to_numpy() == pytest.approx(plain[["fpr", "tpr"]].to_numpy())


def test_what_both_decisions_gain_alike_does_not_matter():
    shifted = {
        decision: {name: entry + {"p": 1000, "n": -AMOUNT}[name] for name, entry in row.items()}
        for decision, row in figure_9(AMOUNT).items()
    }
    weight = rs.cost_benefit_matrix(figure_9(AMOUNT), TRUTH, pos_label="legitimate")
    again = rs.cost_benefit_matrix(shifted, TRUTH, pos_label="legitimate")
    np.testing.assert_allclose(again, weight, rtol=1e-12)


def test_entries_of_every_kind_and_inputs_untouched():
    x = pd.Series(AMOUNT, index=list("abcdef"))
    before = x.copy()
    y = pd.Series(TRUTH, index=list("abcdef"))
    weight = rs.cost_benefit_matrix(figure_9(x), y, pos_label="legitimate")
    expected = rs.cost_benefit_matrix(figure_9(AMOUNT), TRUTH, pos_label="legitimate")
    assert weight.tolist() == expected.tolist()
    pd.testing.assert_series_equal(x, before)


def test_a_case_worth_nothing_leaves_no_trace():
    benefits = {"N": {"p": 0, "n": 0}, "Y": {"p": [2.0, 0, 0, 0], "n": [0, 0, -3.0, 0]}}
    weight = rs.cost_benefit_matrix(benefits, [1, 1, 0, 0])
    assert weight.tolist() == [2, 0, 3, 0]
    assert rs.Study([1, 1, 0, 0], [4, 1, 2, 3], sample_weight=weight).auc()["estimate"][0] == 1


def test_only_the_cells_of_a_case_s_own_class_must_have_the_right_sign():
    # positives with x > 20 lose nothing as negatives: what counts is the cell of their class
    x = np.array([30.0, 10.0])
    benefits = {"N": {"p": 0, "n": 0}, "Y": {"p": x - 20, "n": x - 20}}
    assert rs.cost_benefit_matrix(benefits, [1, 0]).tolist() == [10, 10]


Y = [1, 1, 1, 0, 0, 0, 1]
X = np.array([40.0, 10, 30, 5, 25, 0, 0])
GOOD = {"N": {"p": 0, "n": 0}, "Y": {"p": 1, "n": -1}}
KEYS = ' Pass {"Y": {"p": ..., "n": ...}, "N": {"p": ..., "n": ...}}.'
SIGN = " An ROC curve needs one sign: check the signs, or leave these cases out."

CASES = [
    # c(Y, p, x) = x - 20 with x in [0, 40]: the paper's example of a violation
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "Y": {"p": X - 20, "n": -1}}, Y),
        "`benefits` must make every true positive a benefit; got Y worse than N in rows 1, 6"
        " (2 in all, by 10 in the first)." + SIGN,
    ),
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "Y": {"p": 1, "n": X - 20}}, Y),
        "`benefits` must make every false positive a cost; got Y better than N in row 4"
        " (1 in all, by 5 in the first)." + SIGN,
    ),
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "Y": {"p": -1, "n": -1}}, np.ones(9)),
        "`benefits` must make every true positive a benefit; got Y worse than N in rows"
        " 0, 1, 2, 3, 4, ... (9 in all, by 1 in the first)." + SIGN,
    ),
    (
        lambda: rs.cost_benefit_matrix([[20, -20], [-1, 1]], Y),
        "`benefits` must be a dict with the keys 'Y' and 'N'; got list." + KEYS,
    ),
    (
        lambda: rs.cost_benefit_matrix({"approve": {}, "refuse": {}}, Y),
        "`benefits` must be a dict with the keys 'Y' and 'N'; got ['approve', 'refuse']." + KEYS,
    ),
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "N": {"p": 1}}, Y),
        "`benefits['N']` must be a dict with the keys 'p' and 'n'; got ['p']." + KEYS,
    ),
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "Y": {"p": 1, "n": [-1, -2]}}, Y),
        "`benefits['Y']['n']` must have as many rows as `y_true`; got shapes (2,) and (7,).",
    ),
    (
        lambda: rs.cost_benefit_matrix(
            {**GOOD, "Y": {"p": pd.Series(X, index=range(1, 8)), "n": -1}}, pd.Series(Y)
        ),
        "`benefits['Y']['p']` must have the same index as `y_true`; got unequal indexes (1 and 0"
        " in row 0), which are never paired by position.",
    ),
    (
        lambda: rs.cost_benefit_matrix(
            {**GOOD, "Y": {"p": np.where(X == 30, np.nan, 50), "n": -1}}, Y
        ),
        "`benefits['Y']['p']` must be finite; got nan in row 2 (wrong values: 1).",
    ),
    (
        lambda: rs.cost_benefit_matrix({**GOOD, "Y": {"p": ["1"] * 7, "n": -1}}, Y),
        "`benefits['Y']['p']` must be numbers; got 7 cells of text: '1' (row 0).",
    ),
    (
        lambda: rs.cost_benefit_matrix(GOOD, [1, 0, np.nan]),
        "`y_true` must have no missing values; got 1 (row 2).",
    ),
    (
        lambda: rs.cost_benefit_matrix(GOOD, ["good", "bad"]),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans",
    ),
]


@each(("call", "message"), CASES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
