"""Limits of a proportion, and MOVER: sums and ratios of proportions from the limits of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from rocstats.estimate.proportions import (
    MoverTerm,
    binomial_limits_of_rates,
    effective_wilson_limit,
    mid_p_limits,
    mover_limit,
    mover_odds_ratio_limits,
    mover_ratio_limits,
    mover_sum_limits,
    wilson_limit_of_proportion,
    z_where_limit_reaches_null,
)

Z = 1.959963984540054


# docs/methods/averages.md, "Worked bars": the variance of the example of n_eff, in 40 digits the
# upper limit 0.89931091260, first printed as 0.8993110
def test_printed_limits_of_an_effective_size():
    found = [effective_wilson_limit(0.8, 50, 0.0048876885, q) for q in (-Z, Z)]
    assert found == pytest.approx([0.6417568, 0.8993109], abs=5e-8)


def test_the_variance_is_at_least_binomial():
    found = effective_wilson_limit(1.0, 20, 0.0, -Z)
    assert found == pytest.approx(wilson_limit_of_proportion(20, 20, -Z), rel=1e-12)
    assert effective_wilson_limit(0.3, 20, 0.01, 0.0) == 0.3


def test_independent_terms_add_in_squares():
    assert mover_limit(0.2, -0.3, 0.4, 0.0, -Z) == pytest.approx(-0.3)
    assert mover_limit(0.2, -0.3, 0.4, 1.0, -Z) == pytest.approx(0.1)
    assert mover_limit(0.9, 0.3, -0.4, 0.0, Z) == 1.0


@given(st.floats(-0.5, 0.5), st.floats(-0.9, 0.9), st.floats(0.01, 0.3))
def test_the_statistic_is_where_the_limit_meets_the_null_value(estimate, null, se):
    z = z_where_limit_reaches_null(lambda q: estimate + q * se, estimate, null)
    expected = np.clip((estimate - null) / se, -38, 38)
    assert z == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("share", "variance"), [(1.0, 0.0), (1.0, 1e-3), (0.0, 0.0)])
def test_a_share_at_an_end_and_a_quantile_next_to_zero(share, variance):
    """Where root search comes near 0: the adjusted share rounds to 1, without a spread."""
    assert effective_wilson_limit(share, 50, variance, 1e-9) == pytest.approx(share, abs=1e-12)
    assert effective_wilson_limit(share, 50, variance, 0.0) == share


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


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 13, 400])
def test_half_of_what_was_seen_is_in_each_tail(n, level):
    x = np.arange(n + 1)
    low, high = mid_p_limits(x.astype(float), np.full(n + 1, float(n)), (1 - level) / 2)
    tail = (1 - level) / 2
    below = binom.sf(x, n, low) + binom.pmf(x, n, low) / 2
    above = binom.cdf(x - 1, n, high) + binom.pmf(x, n, high) / 2
    assert below[1:] == pytest.approx(tail, rel=1e-8)
    assert above[:-1] == pytest.approx(tail, rel=1e-8)
    assert (low[0], high[-1]) == (0, 1)


@pytest.mark.parametrize(
    ("x", "n", "limits"),
    [
        # printed in the manual of the R package stests, ci_p_mid_p
        (5, 20, (0.09786008, 0.47022380)),
        (10, 30, (0.1833232, 0.5141852)),
        (15, 40, (0.2361295, 0.5313959)),
    ],
)
def test_printed_mid_p_limits(x, n, limits):
    found = np.ravel(mid_p_limits(np.array([float(x)]), np.array([float(n)]), 0.025))
    assert found == pytest.approx(limits, abs=5e-8)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_mid_p_limits_of_effective_sizes_hold_the_rate_inside_the_exact_ones(level, rng):
    rate, size = rng.random(200), rng.uniform(0.3, 300, 200)
    low, high = binomial_limits_of_rates(rate, size, "mid-p", level)
    exact = binomial_limits_of_rates(rate, size, "clopper-pearson", level)
    assert ((exact[0] <= low + 1e-12) & (low < rate)).all()
    assert ((rate < high) & (high <= exact[1] + 1e-12)).all()


STATSMODELS = {
    "wilson": "wilson",
    "clopper-pearson": "beta",
    "agresti-coull": "agresti_coull",
    "jeffreys": "jeffreys",
    "normal": "normal",
    "wald": "normal",
}
"""Names of the intervals in statsmodels."""


@given(
    st.integers(0, 40),
    st.integers(40, 400),
    st.sampled_from(sorted(STATSMODELS)),
    st.floats(0.5, 0.99),
)
def test_limits_are_statsmodels_inside_the_range(count, size, interval, level):
    low, high = binomial_limits_of_rates(np.array([count / size]), size, interval, level)
    expected = proportion_confint(count, size, alpha=1 - level, method=STATSMODELS[interval])
    if count == 0:  # for Jeffreys' too, whose quantile is above 0
        expected = 0, expected[1]
    if count == size:
        expected = expected[0], 1
    assert (low[0], high[0]) == pytest.approx(np.clip(expected, 0, 1), abs=1e-9)
    assert 0 <= low[0] <= count / size <= high[0] <= 1


@pytest.mark.parametrize("interval", ["wilson", "clopper-pearson"])
def test_limits_of_many_rates_are_those_of_each(interval):
    count, size = np.arange(20_001), np.where(np.arange(20_001) % 2, 20_000, 30_000)
    low, high = binomial_limits_of_rates(count / size, size, interval, 0.95)
    expected = proportion_confint(count, size, method=STATSMODELS[interval])
    np.testing.assert_allclose(low, expected[0], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(high, expected[1], rtol=1e-9)


def test_wilson_solves_its_equation():
    for count, size in ((0, 5), (3, 7), (7, 7)):
        for q in (-Z, Z):
            limit = wilson_limit_of_proportion(count, size, q)
            assert (count / size - limit) ** 2 == pytest.approx(
                q**2 * limit * (1 - limit) / size, abs=1e-15
            )
