from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.inference.classifiers.test_combine import counted, decided, point

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


ALONE = " Pass max_cost=, cost_fp=, cost_fn= and prevalence=, or none of them."
CONDITIONS = {"cost_fp": 1, "cost_fn": 1, "prevalence": 0.5}
MESSAGES = {
    "below the diagonal": (
        lambda: rs.chain_classifiers({"a": (0.5, 0.2)}),
        "`positions` must have a classifier on the convex hull; got none above the diagonal."
        " Negate those below it.",
    ),
    "decisions below the diagonal": (
        lambda: rs.chain_classifiers(decisions={"a": [0, 1]}, y_true=[1, 0]),
        "`decisions` must have a classifier on the convex hull; got none above the diagonal."
        " Negate those below it.",
    ),
    "no classifier": (
        lambda: rs.chain_classifiers({}),
        "`positions` must hold at least one classifier; got 0. Pass those to combine.",
    ),
    "cost without conditions": (
        lambda: rs.chain_classifiers(POSITIONS, max_cost=1),
        f"`cost_fp` must be given with `max_cost` and only with it; got max_cost alone.{ALONE}",
    ),
    "conditions without cost": (
        lambda: rs.chain_classifiers(POSITIONS, prevalence=0.5),
        "`prevalence` must be given with `max_cost` and only with it; got prevalence alone."
        f"{ALONE}",
    ),
    "prevalence": (
        lambda: rs.chain_classifiers(POSITIONS, max_cost=1, **{**CONDITIONS, "prevalence": 6}),
        "`prevalence` must be a number strictly between 0 and 1; got 6."
        " Pass a value inside (0, 1).",
    ),
    "too cheap": (
        lambda: rs.chain_classifiers(POSITIONS, max_cost=0.2, **CONDITIONS),
        "`max_cost` must allow a classifier on the hull; got 0.2, and the cheapest costs 0.25."
        " Allow more.",
    ),
}


@pytest.mark.parametrize(("call", "message"), MESSAGES.values(), ids=MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()
