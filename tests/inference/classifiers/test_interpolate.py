from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocstats as rs
from tests.quick import each

COIL = {"A": (0.1, 0.2), "B": (0.25, 0.6)}

rate = st.floats(0, 1).map(lambda x: round(x, 6))

pair = st.tuples(rate, rate)


def test_coil_challenge():
    found = rs.interpolate_classifiers(COIL, n_positive_calls=800, n_pos=240, n_neg=3760)
    # A calls .1 * 3760 + .2 * 240 = 424, B .25 * 3760 + .6 * 240 = 1084
    assert found.k == pytest.approx(376 / 660)
    assert (found.fpr, found.tpr) == pytest.approx((0.1 + 0.15 * 376 / 660, 0.2 + 0.4 * 376 / 660))
    assert found.fpr * 3760 + found.tpr * 240 == pytest.approx(800)
    assert found.names == ("A", "B")
    points = found.points.to_numpy().tolist()
    assert points[:2] == [["A", "observed", 0.1, 0.2], ["B", "observed", 0.25, 0.6]]
    assert points[2] == ["A to B", "interpolated", found.fpr, found.tpr]


@given(pair, pair, st.floats(0, 1), st.integers(1, 900), st.integers(1, 900))
def test_the_point_is_on_the_segment_and_meets_the_condition(a, b, share, n_pos, n_neg):
    positions = {"a": a, "b": b}
    calls = [fpr * n_neg + tpr * n_pos for fpr, tpr in (a, b)]
    conditions = {
        "k": (0.0, 1.0),
        "fpr": (a[0], b[0]),
        "tpr": (a[1], b[1]),
        "n_positive_calls": calls,
    }
    for name, (low, high) in conditions.items():
        if abs(high - low) < 1e-5:
            continue
        target = low + share * (high - low)
        sizes = {"n_pos": n_pos, "n_neg": n_neg} if name == "n_positive_calls" else {}
        found = rs.interpolate_classifiers(positions, **{name: target}, **sizes)
        assert found.k == pytest.approx(share, abs=1e-9)
        reached = {
            "k": found.k,
            "fpr": found.fpr,
            "tpr": found.tpr,
            "n_positive_calls": found.fpr * n_neg + found.tpr * n_pos,
        }
        assert reached[name] == pytest.approx(target, abs=1e-9)
        for value, first, second in ((found.fpr, a[0], b[0]), (found.tpr, a[1], b[1])):
            assert value == pytest.approx((1 - found.k) * first + found.k * second, abs=1e-12)


@given(pair, pair)
def test_swapping_the_classifiers_swaps_the_shares(a, b):
    assume(abs(a[0] - b[0]) > 1e-5)
    target = 0.3 * a[0] + 0.7 * b[0]
    one = rs.interpolate_classifiers({"a": a, "b": b}, fpr=target)
    two = rs.interpolate_classifiers({"b": b, "a": a}, fpr=target)
    assert one.k == pytest.approx(1 - two.k, abs=1e-9)
    assert (one.fpr, one.tpr) == pytest.approx((two.fpr, two.tpr), abs=1e-9)


def test_drawing_lots_attains_the_point():
    # 20 000 cases of each class whose classifiers have exactly the rates of A and B
    n = 20000
    rank = np.arange(n) / n
    decisions = {
        name: np.concatenate([rank < tpr, rank < fpr]) for name, (fpr, tpr) in COIL.items()
    }
    found = rs.interpolate_classifiers(COIL, n_positive_calls=800, n_pos=240, n_neg=3760)
    drawn = found.apply(decisions, rng=20040316)
    tpr, fpr = drawn.decisions[:n].mean(), drawn.decisions[n:].mean()
    for attained, expected in ((tpr, found.tpr), (fpr, found.fpr)):
        assert abs(attained - expected) < 4 * np.sqrt(0.25 / n)
    assert abs(drawn.from_second.mean() - found.k) < 4 * np.sqrt(0.25 / (2 * n))
    chosen = np.where(drawn.from_second, decisions["B"], decisions["A"])
    assert drawn.decisions.tolist() == chosen.tolist()


def test_the_seed_repeats_the_lots():
    found = rs.interpolate_classifiers(COIL, k=0.5)
    decisions = {"A": np.zeros(200, bool), "B": np.ones(200, bool)}
    for rng in (None, 7, np.random.default_rng(1), np.random.SeedSequence(5)):
        first = found.apply(decisions, rng=rng)
        again = found.apply(decisions, rng=first.seed)
        assert type(first.seed) is int
        assert again.decisions.tolist() == first.decisions.tolist()
    one, two = (found.apply(decisions).decisions.tolist() for _ in range(2))
    assert one != two
    assert found.apply(decisions, rng=7).seed == 7


@pytest.mark.parametrize(("k", "expected"), [(0, [True, False]), (1, [False, True])])
def test_at_the_ends_one_classifier_decides(k, expected):
    found = rs.interpolate_classifiers(COIL, k=k)
    decisions = {"A": [True, False] * 500, "B": [False, True] * 500}
    assert found.apply(decisions, rng=3).decisions.tolist() == expected * 500


interpolate = rs.interpolate_classifiers
MESSAGES = [
    (
        lambda: interpolate({**COIL, "C": (0.5, 0.7)}, k=0.5),
        "`positions` must hold two classifiers; got 3",
    ),
    (lambda: interpolate(COIL), "`k` must be given, or `fpr`, `tpr` or `n_positive_calls`"),
    (
        lambda: interpolate(COIL, k=0.5, fpr=0.2),
        "`k` must be given, or `fpr`, `tpr` or `n_positive_calls`; got ['k', 'fpr']",
    ),
    (
        lambda: interpolate(COIL, n_positive_calls=800),
        "`n_pos` must be a number > 0 with `n_positive_calls`",
    ),
    (
        lambda: interpolate(COIL, fpr=0.2, n_neg=100),
        "`n_neg` must stay None without `n_positive_calls`",
    ),
    (
        lambda: interpolate(COIL, n_positive_calls=8, n_pos=0, n_neg=10),
        "`n_pos` must be a number > 0 with `n_positive_calls`",
    ),
    (lambda: interpolate(COIL, k=1.2), "`k` must lie between the values of the"),
    (
        lambda: interpolate(COIL, n_positive_calls=2000, n_pos=240, n_neg=3760),
        "`n_positive_calls` must lie between the values of the classifiers, 424 and 1084",
    ),
    (lambda: interpolate(COIL, tpr="half"), "`tpr` must lie between the values of the"),
    (
        lambda: interpolate(COIL, tpr=float("nan")),
        "`tpr` must lie between the values of the classifiers, 0.2 and 0.6",
    ),
    (
        lambda: interpolate({"A": (0.1, 0.2), "B": (0.1, 0.6)}, fpr=0.1),
        "`fpr` must differ between the classifiers; got 0.1 for both",
    ),
    (
        lambda: interpolate(COIL, k=0.5).apply({"A": [1]}),
        "`decisions` must have one column for each of ['A', 'B']",
    ),
    (
        lambda: interpolate(COIL, k=0.5).apply({"A": [1], "B": [0]}, rng="one"),
        "`rng` must be None, a whole number >= 0, a SeedSequence or a Generator",
    ),
]


@each(("call", "message"), MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
