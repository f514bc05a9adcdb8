"""MOVER over arrays against the one of pairs, and where a term is infinite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocstats.estimate.proportions import (
    MoverTerm,
    mover_limit,
    mover_odds_ratio_limits,
    mover_ratio_limits,
    mover_sum_limits,
)

shares = st.lists(st.floats(0.05, 0.95), min_size=3, max_size=3).map(sorted)


def term(numbers):
    low, value, high = (np.array([x]) for x in numbers)
    return MoverTerm(value, low, high)


@given(shares, shares, st.floats(-0.9, 0.9))
def test_a_difference_is_the_sum_with_the_negative(first, second, r):
    found = mover_sum_limits([term(first), term(second).times(-1.0)], -r)
    (l1, p1, u1), (l2, p2, u2) = first, second
    low = mover_limit(p1 - p2, l1 - p1, u2 - p2, r, -1.0)
    high = mover_limit(p1 - p2, u1 - p1, l2 - p2, r, 1.0)
    # the square root of a difference that may cancel
    assert found[0][0] == pytest.approx(max(low, -1), abs=1e-7) or found[0][0] < -1
    assert found[1][0] == pytest.approx(min(high, 1), abs=1e-7) or found[1][0] > 1


@given(shares, shares, shares)
def test_three_terms_without_correlation(first, second, third):
    low, high = mover_sum_limits([term(x) for x in (first, second, third)])
    value = first[1] + second[1] + third[1]
    below = np.sqrt(sum((x[1] - x[0]) ** 2 for x in (first, second, third)))
    above = np.sqrt(sum((x[2] - x[1]) ** 2 for x in (first, second, third)))
    assert (low[0], high[0]) == pytest.approx((value - below, value + above))


@given(shares, shares)
def test_ratios_are_differences_of_logarithms(first, second):
    low, high = mover_ratio_limits(term(first), term(second))
    logs = [np.log(np.array(x)) for x in (first, second)]
    reach = np.hypot(logs[0][1] - logs[0][0], logs[1][2] - logs[1][1])
    assert np.log(low[0]) == pytest.approx(logs[0][1] - logs[1][1] - reach)
    exchanged = mover_ratio_limits(term(second), term(first))
    assert low == pytest.approx(1 / exchanged[1])
    assert high == pytest.approx(1 / exchanged[0])
    low, high = mover_odds_ratio_limits(term(first), term(second))
    mirrored = mover_odds_ratio_limits(
        *(term([1 - x for x in reversed(numbers)]) for numbers in (second, first))
    )
    assert low == pytest.approx(mirrored[0], rel=1e-6)
    assert high == pytest.approx(mirrored[1], rel=1e-6)


@pytest.mark.parametrize("r", [-0.6, 0.6])
@pytest.mark.parametrize(
    ("limits", "scale"),
    [(mover_ratio_limits, np.log), (mover_odds_ratio_limits, lambda p: np.log(p / (1 - p)))],
)
@given(first=shares, second=shares)
def test_correlated_ratios_are_scalar_mover_on_their_scale(limits, scale, r, first, second):
    # MOVER is homogeneous: a tenth of every term stays in the [-1, 1] of differences of shares.
    (l1, p1, u1), (l2, p2, u2) = (scale(np.array(x)) / 10 for x in (first, second))
    low = mover_limit(p1 - p2, l1 - p1, u2 - p2, r, -1.0)
    high = mover_limit(p1 - p2, u1 - p1, l2 - p2, r, 1.0)
    found = np.log(np.ravel(limits(term(first), term(second), r))) / 10
    # the square root of a difference that may cancel
    assert found == pytest.approx([low, high], abs=1e-7)


def test_a_positive_correlation_narrows_a_ratio():
    first, second = term([0.5, 0.7, 0.8]), term([0.2, 0.3, 0.5])
    for limits in (mover_ratio_limits, mover_odds_ratio_limits):
        lows, highs = zip(*(limits(first, second, r) for r in (-0.6, 0.0, 0.6)), strict=True)
        assert (np.diff(np.ravel(lows)) > 0).all()
        assert (np.diff(np.ravel(highs)) < 0).all()


def test_where_a_term_is_infinite_limits_are_those_of_the_terms():
    certain, some = term([0.7, 1.0, 1.0]), term([0.1, 0.2, 0.4])
    none = term([0.0, 0.0, 0.3])
    low, high = mover_ratio_limits(some, none)
    assert (low[0], high[0]) == (pytest.approx(0.1 / 0.3), np.inf)
    low, high = mover_ratio_limits(none, some)
    assert (low[0], high[0]) == (0, pytest.approx(0.3 / 0.1))
    low, high = mover_odds_ratio_limits(certain, some)
    assert (low[0], high[0]) == (pytest.approx((0.7 / 0.3) / (0.4 / 0.6)), np.inf)
