"""Conjunctions, disjunctions and chains of classifiers, case by case."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.quick import each
from tests.strategies import SEEDS

FIGURE_12 = {"c1": (0.2, 0.6), "c2": (0.4, 0.7)}

Y = [1, 1, 1, 0, 0, 0, 0, 0]

CALLS = {"a": [1, 0, 1, 0, 1, 0, 0, 0], "b": [1, 1, 0, 0, 1, 1, 0, 0]}


@st.composite
def decided(draw, most=4):
    """Labels of both classes and the decisions of some classifiers on them."""
    n = draw(st.integers(2, 12))
    n_pos, k = draw(st.integers(1, n - 1)), draw(st.integers(2, most))
    rng = np.random.default_rng(draw(SEEDS))
    y = rng.permutation(np.arange(n) < n_pos).tolist()
    # Classifiers that call no case, a quarter, a half, three quarters, or every case.
    calls = rng.random((k, n)) < rng.integers(5, size=(k, 1)) / 4
    return y, {f"c{i}": row for i, row in enumerate(calls.tolist())}


def point(combined, kind):
    kinds = combined.points["kind"].tolist()
    last = max(place for place, other in enumerate(kinds) if other == kind)
    return tuple(combined.points[rate].to_numpy()[last] for rate in ("fpr", "tpr"))


def counted(y, called):
    """False and true positive rate, case by case."""
    fp = sum(1 for label, call in zip(y, called, strict=True) if call and not label)
    tp = sum(1 for label, call in zip(y, called, strict=True) if call and label)
    return fp / sum(not label for label in y), tp / sum(map(bool, y))


@pytest.mark.parametrize("ask", [rs.conjoin_classifiers, rs.disjoin_classifiers])
def test_positions_alone_may_go_without_a_name(ask):
    pd.testing.assert_frame_equal(ask(positions=FIGURE_12).points, ask(FIGURE_12).points)
    with pytest.raises(TypeError, match="positional"):
        ask(None, CALLS, Y)


def test_figure_12():
    both, either = rs.conjoin_classifiers(FIGURE_12), rs.disjoin_classifiers(FIGURE_12)
    assert point(both, "independent") == pytest.approx((0.08, 0.42))  # printed
    assert point(both, "upper-bound") == (0.2, 0.6)
    assert point(both, "lower-bound") == pytest.approx((0, 0.3))  # .6 + .7 - 1 cannot be apart
    assert point(either, "independent") == pytest.approx((0.52, 0.88))  # .2 + .4 - .08, ...
    assert point(either, "lower-bound") == (0.4, 0.7)
    assert point(either, "upper-bound") == pytest.approx((0.6, 1.0))
    assert both.points["predictor"].tolist() == ["c1", "c2"] + ["c1 and c2"] * 3
    assert either.points["predictor"].tolist() == ["c1", "c2"] + ["c1 or c2"] * 3


@given(decided())
def test_combinations_case_by_case(data):
    y, decisions = data
    for ask, joint in ((rs.conjoin_classifiers, all), (rs.disjoin_classifiers, any)):
        combined = ask(decisions=decisions, y_true=y)
        called = [joint(calls) for calls in zip(*decisions.values(), strict=True)]
        assert combined.apply(decisions).tolist() == called
        assert point(combined, "observed") == pytest.approx(counted(y, called))
        single = combined.points.iloc[: len(decisions)]
        expected = [counted(y, calls) for calls in decisions.values()]
        assert single[["fpr", "tpr"]].to_numpy() == pytest.approx(np.array(expected))
        assert single["predictor"].tolist() == list(decisions)


@given(decided())
def test_the_observed_and_the_independent_point_are_within_the_bounds(data):
    y, decisions = data
    for ask in (rs.conjoin_classifiers, rs.disjoin_classifiers):
        combined = ask(decisions=decisions, y_true=y)
        low, high = (
            np.array(point(combined, "lower-bound")),
            np.array(point(combined, "upper-bound")),
        )
        for kind in ("observed", "independent"):
            at = np.array(point(combined, kind))
            assert (low - 1e-12 <= at).all()
            assert (at <= high + 1e-12).all()


@given(decided())
def test_a_conjunction_is_below_and_a_disjunction_above_every_classifier(data):
    y, decisions = data
    single = np.array([counted(y, calls) for calls in decisions.values()])
    for kind in ("observed", "independent"):
        both = point(rs.conjoin_classifiers(decisions=decisions, y_true=y), kind)
        either = point(rs.disjoin_classifiers(decisions=decisions, y_true=y), kind)
        assert (both <= single + 1e-12).all()
        assert (either >= single - 1e-12).all()


@given(decided())
def test_negated_conjunction_is_the_disjunction_of_negations(data):
    y, decisions = data
    reversed_calls = {name: [not call for call in calls] for name, calls in decisions.items()}
    both = rs.conjoin_classifiers(decisions=decisions, y_true=y)
    either = rs.disjoin_classifiers(decisions=reversed_calls, y_true=y)
    for kind, other in (
        ("observed", "observed"),
        ("independent", "independent"),
        ("lower-bound", "upper-bound"),
        ("upper-bound", "lower-bound"),
    ):
        assert point(both, kind) == pytest.approx(1 - np.array(point(either, other)))


@pytest.mark.parametrize("ask", [rs.conjoin_classifiers, rs.disjoin_classifiers])
def test_the_bounds_can_be_attained(ask):
    # ten of each class; c1 calls 6 and 2, c2 calls 7 and 4: as far together, or apart, as can be
    y = [1] * 10 + [0] * 10
    first = [1] * 6 + [0] * 4 + [1] * 2 + [0] * 8
    together = {"c1": first, "c2": [1] * 7 + [0] * 3 + [1] * 4 + [0] * 6}
    apart = {"c1": first, "c2": [0] * 3 + [1] * 7 + [0] * 6 + [1] * 4}
    bound = {kind: point(ask(FIGURE_12), kind) for kind in ("lower-bound", "upper-bound")}
    conjunction = ask is rs.conjoin_classifiers
    for calls, kind in (
        (together, "upper-bound" if conjunction else "lower-bound"),
        (apart, "lower-bound" if conjunction else "upper-bound"),
    ):
        assert point(ask(decisions=calls, y_true=y), "observed") == pytest.approx(bound[kind])


def test_independent_calls_are_where_independence_puts_them():
    # every combination of calls as often as independence says: 5 x 5 cases of each class
    y = np.repeat([1, 0], 25)
    first, second = np.tile(np.repeat(np.arange(5), 5), 2), np.tile(np.arange(5), 10)
    decisions = {"c1": first < np.where(y == 1, 3, 1), "c2": second < np.where(y == 1, 4, 2)}
    for ask in (rs.conjoin_classifiers, rs.disjoin_classifiers):
        combined = ask(decisions=decisions, y_true=y)
        assert point(combined, "observed") == pytest.approx(point(combined, "independent"))


def test_three_classifiers():
    positions = {"a": (0.5, 0.8), "b": (0.4, 0.9), "c": (0.3, 0.9)}
    both, either = rs.conjoin_classifiers(positions), rs.disjoin_classifiers(positions)
    assert point(both, "independent") == pytest.approx((0.06, 0.648))
    assert point(both, "lower-bound") == pytest.approx((0, 0.6))
    assert point(either, "independent") == pytest.approx((1 - 0.5 * 0.6 * 0.7, 1 - 0.2 * 0.1 * 0.1))
    assert point(either, "upper-bound") == (1, 1)


def test_ways_of_handing_classifiers_in():
    expected = rs.conjoin_classifiers(decisions=CALLS, y_true=Y).points
    words = np.where(np.array(Y) == 1, "sick", "well")
    for decisions in (
        pd.DataFrame(CALLS),
        pl.DataFrame(CALLS),
        {name: np.array(calls) * 2 - 1 for name, calls in CALLS.items()},
        {name: pd.Series(calls, dtype="boolean") for name, calls in CALLS.items()},
    ):
        combined = rs.conjoin_classifiers(decisions=decisions, y_true=words, pos_label="sick")
        pd.testing.assert_frame_equal(combined.points, expected)
        assert combined.apply(decisions).tolist() == [True] + [False] * 3 + [True] + [False] * 3
    tables = rs.confusion_rates({"c1": (6, 4, 2, 8), "c2": (7, 3, 4, 6)})
    pd.testing.assert_frame_equal(
        rs.conjoin_classifiers(tables).points, rs.conjoin_classifiers(FIGURE_12).points
    )
    for other in (pl.from_pandas(tables), pl.from_pandas(tables).to_arrow()):
        assert point(rs.disjoin_classifiers(other), "lower-bound") == (0.4, 0.7)


def test_further_columns_are_left_alone_when_applied():
    combined = rs.conjoin_classifiers(FIGURE_12)
    assert combined.apply({"c2": [1, 1], "other": [9, 9], "c1": [0, 1]}).tolist() == [False, True]


# on the hull: a, b, c; d is below the segment from b to c
POSITIONS = {"c": (0.6, 0.95), "a": (0.1, 0.5), "d": (0.5, 0.8), "b": (0.3, 0.8)}


def on_hull(positions):
    """Classifiers with no chord of two others (or corners) above them, and no better neighbour."""
    points = [(0.0, 0.0), (1.0, 1.0), *positions.values()]
    kept = []
    for name, (x, y) in positions.items():
        below = any(
            x1 <= x <= x2 and x1 < x2 and y1 + (y2 - y1) * (x - x1) / (x2 - x1) > y + 1e-12
            for x1, y1 in points
            for x2, y2 in points
        )
        beside = any(
            x1 <= x and y1 >= y and (x1, y1) != (x, y) for x1, y1 in list(positions.values())
        )
        if not below and not beside:
            kept.append(name)
    return sorted(kept, key=lambda name: positions[name])


def chain_point(chain, positions):
    """Where the whole chain was; a chain of one has the row of its classifier only."""
    return point(chain, "observed") if len(chain.names) > 1 else positions[chain.names[0]]


def test_the_chain_goes_along_the_hull_from_the_most_conservative():
    chain = rs.chain_classifiers(POSITIONS)
    assert (chain.names, chain.left_out) == (("a", "b", "c"), ("d",))
    points = chain.points
    assert points["predictor"].tolist() == [*POSITIONS, *["a or b"] * 3, *["a or b or c"] * 3]
    assert point(chain, "independent") == pytest.approx((1 - 0.9 * 0.7 * 0.4, 1 - 0.5 * 0.2 * 0.05))
    first_two = points[points["predictor"] == "a or b"].set_index("kind")[["fpr", "tpr"]]
    assert first_two.loc["independent"].to_numpy() == pytest.approx([0.37, 0.9])
    assert first_two.loc["lower-bound"].to_numpy() == pytest.approx([0.3, 0.8])
    assert first_two.loc["upper-bound"].to_numpy() == pytest.approx([0.4, 1.0])


@given(decided())
def test_the_chain_case_by_case(data):
    y, decisions = data
    positions = {name: counted(y, calls) for name, calls in decisions.items()}
    expected = on_hull(positions)
    if not expected:
        with pytest.raises(rs.InputError, match="convex hull"):
            rs.chain_classifiers(decisions=decisions, y_true=y)
        return
    chain = rs.chain_classifiers(decisions=decisions, y_true=y)
    assert sorted(chain.names) == sorted(expected)
    assert [positions[name] for name in chain.names] == sorted(positions[n] for n in chain.names)
    assert set(chain.names) | set(chain.left_out) == set(decisions)
    called = []
    for calls in zip(*(decisions[name] for name in chain.names), strict=True):
        answer = False
        for call in calls:  # asked in turn until one says yes
            answer = answer or call
        called.append(answer)
    assert chain.apply(decisions).tolist() == called
    assert chain_point(chain, positions) == pytest.approx(counted(y, called))


@given(st.lists(st.integers(0, 9), min_size=12, max_size=12))
def test_a_chain_of_nested_thresholds_is_its_last_classifier(scores):
    y = [1, 0] * 6
    score = np.array(scores) + np.array(y) * 4
    decisions = {f"t{t}": score >= t for t in (3, 5, 7, 9)}
    chain = rs.chain_classifiers(decisions=decisions, y_true=y)
    last = decisions[chain.names[-1]]
    assert chain.apply(decisions).tolist() == last.tolist()
    positions = {name: counted(y, calls) for name, calls in decisions.items()}
    assert chain_point(chain, positions) == pytest.approx(counted(y, last))


def test_points_on_an_edge_belong_to_the_hull_points_beside_a_better_one_do_not():
    edge = {
        "a": (0.2, 0.6),
        "b": (0.4, 0.7),
        "c": (0.6, 0.8),
        "low": (0.2, 0.5),
        "right": (0.7, 0.8),
    }
    chain = rs.chain_classifiers(edge)
    assert (chain.names, chain.left_out) == (("a", "b", "c"), ("low", "right"))
    upright = rs.chain_classifiers({"half": (0.0, 0.2), "up": (0.0, 0.4), "all": (1.0, 1.0)})
    assert (upright.names, upright.left_out) == (("up", "all"), ("half",))


def test_a_chain_of_one():
    chain = rs.chain_classifiers({"a": (0.2, 0.6)})
    assert chain.names == ("a",)
    assert chain.points["kind"].tolist() == ["observed"]
    assert chain.apply({"a": [1, 0]}).tolist() == [True, False]


def test_the_chain_ends_where_a_classifier_costs_too_much():
    # costs at prevalence .5, 1 and 1: a .3, b .25, c .325
    conditions = {"cost_fp": 1, "cost_fn": 1, "prevalence": 0.5}
    for max_cost, names in ((0.33, ("a", "b", "c")), (0.32, ("a", "b")), (0.25, ("a", "b"))):
        chain = rs.chain_classifiers(POSITIONS, max_cost=max_cost + 1e-9, **conditions)
        assert chain.names == names
        assert set(chain.left_out) == set(POSITIONS) - set(names)
    # twice the prevalence-weighted cost of misses: .1 * .5 * 1 + .5 * .5 * 2 = .55, .35, .35
    dear = rs.chain_classifiers(POSITIONS, max_cost=0.36, cost_fp=1, cost_fn=2, prevalence=0.5)
    assert dear.names == ("a", "b", "c")


CONDITIONS = {"cost_fp": 1, "cost_fn": 1, "prevalence": 0.5}

conjoin, chain, disjoin = rs.conjoin_classifiers, rs.chain_classifiers, rs.disjoin_classifiers
MESSAGES = [
    (lambda: conjoin(), "`positions` must be given, or `decisions` with `y_true`"),
    (
        lambda: conjoin(FIGURE_12, decisions=CALLS, y_true=Y),
        "`positions` must be given, or `decisions` with `y_true`",
    ),
    (lambda: conjoin(decisions=CALLS), "`y_true` must be passed with `decisions`, and only with"),
    (lambda: disjoin({"a": (0.1, 0.2)}), "`positions` must hold at least two classifiers"),
    (
        lambda: disjoin(decisions={"a": [1, 0]}, y_true=[1, 0]),
        "`decisions` must hold at least two classifiers",
    ),
    (lambda: conjoin([(0.1, 0.2), (0.3, 0.4)]), "`positions` must be a dict or a dataframe held"),
    (
        lambda: conjoin({"a": (10, 20), "b": (0.3, 0.4)}),
        "`positions` must give (fpr, tpr), both in [0, 1]",
    ),
    (
        lambda: conjoin({"a": (0.1, 0.2), "b": (float("nan"), 0.4)}),
        "`positions` must give (fpr, tpr), both in [0, 1]",
    ),
    (
        lambda: conjoin({"a": 0.1, "b": (0.3, 0.4)}),
        "`positions` must give (fpr, tpr), both in [0, 1]",
    ),
    (
        lambda: conjoin(pd.DataFrame({"predictor": ["a", "b"], "fpr": [0.1, 0.2]})),
        "`positions` must have one column for each of ['predictor', 'fpr', 'tpr']",
    ),
    (
        lambda: conjoin(rs.confusion_rates({"a": (1, 1, 1, 1)}, negate="all")),
        "`positions` must have unique names; got ['a'] more than once",
    ),
    (
        lambda: conjoin(decisions=[[1, 0], [0, 1]], y_true=[1, 0]),
        "`decisions` must be a dict or a dataframe held in memory",
    ),
    (
        lambda: conjoin(pl.LazyFrame({"predictor": ["a"], "fpr": [0], "tpr": [1]})),
        "`positions` must be a dict or a dataframe held in memory",
    ),
    (lambda: conjoin(decisions={}, y_true=[1, 0]), "`decisions` must hold at least one classifier"),
    (
        lambda: conjoin(decisions={"a": [0.2, 0.7], "b": [1, 0]}, y_true=[1, 0]),
        "`decisions['a']` must be booleans, 0/1 or -1/1",
    ),
    (
        lambda: conjoin(decisions={"a": ["Y", "N"], "b": [1, 0]}, y_true=[1, 0]),
        "`decisions['a']` must be booleans, 0/1 or -1/1",
    ),
    (
        lambda: conjoin(decisions={"a": [1, None, 0], "b": [1, 0, 1]}, y_true=[1, 0, 1]),
        "`decisions['a']` must have no missing values; got 1 (row 1)",
    ),
    (
        lambda: conjoin(decisions=CALLS, y_true=[None, *Y[1:]]),
        "`y_true` must have no missing values; got 1 (row 0)",
    ),
    (
        lambda: conjoin(decisions={"a": [1, 0], "b": [1, 0, 1]}, y_true=[1, 0]),
        "`decisions['b']` must have as many rows as `decisions['a']`; got shapes (3,) and (2,)",
    ),
    (
        lambda: conjoin(decisions=CALLS, y_true=[1, 0]),
        "`decisions['a']` must have as many rows as `y_true`; got shapes (8,) and (2,)",
    ),
    (
        lambda: conjoin(
            decisions={"a": pd.Series([1, 0]), "b": pd.Series([1, 0], index=[1, 0])}, y_true=[1, 0]
        ),
        "`decisions['b']` must have the same index as `decisions['a']`",
    ),
    (
        lambda: conjoin(decisions=CALLS, y_true=[0] * 8),
        "`y_true` must hold both classes; got 0 positives and 8 negatives",
    ),
    (
        lambda: conjoin(decisions=CALLS, y_true=["x"] * 3 + ["y"] * 5),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'x'",
    ),
    (
        lambda: conjoin(FIGURE_12).apply({"c1": [1, 0]}),
        "`decisions` must have one column for each of ['c1', 'c2']",
    ),
    (lambda: chain({"a": (0.5, 0.2)}), "`positions` must have a classifier on the convex"),
    (
        lambda: chain(decisions={"a": [0, 1]}, y_true=[1, 0]),
        "`decisions` must have a classifier on the convex hull",
    ),
    (lambda: chain({}), "`positions` must hold at least one classifier; got 0"),
    (lambda: chain(POSITIONS, max_cost=1), "`cost_fp` must be given with `max_cost` and only with"),
    (lambda: chain(POSITIONS, prevalence=0.5), "`prevalence` must be given with `max_cost` and"),
    (
        lambda: chain(POSITIONS, max_cost=1, **{**CONDITIONS, "prevalence": 6}),
        "`prevalence` must be a number strictly between 0 and 1",
    ),
    (
        lambda: chain(POSITIONS, max_cost=0.2, **CONDITIONS),
        "`max_cost` must be at least the lowest cost on the hull; got 0.2, and the cheapest costs"
        " 0.25",
    ),
]


@each(("call", "message"), MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
