from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import binom, norm

import rocstats as rs
from rocstats.estimate.proportions import binomial_p_value
from rocstats.inference.planning import planned_tests
from rocstats.inference.planning.designs import OneRate, PairedRates
from rocstats.inference.planning.planned_tests import planned_rate_test
from tests.quick import each


def binomial_power(n, goal, rate, level):
    """Power by the exact p value of every count."""
    counts = np.arange(n + 1)
    p = binom.sf(counts - 1, n, goal)
    return binom.pmf(counts, n, rate)[p <= level].sum()


@each("n", [2, 5, 10, 50, 81, 200])
@each(("rate", "goal"), [(0.9, 0.8), (0.5, 0.25), (0.55, 0.5)])
def test_exact_power_against_a_goal(n, rate, goal):
    above = planned_rate_test(OneRate("tpr", rate, goal=goal))
    assert above.power(n, 0.05) == pytest.approx(binomial_power(n, goal, rate, 0.05), abs=1e-12)
    below = planned_rate_test(OneRate("tnr", 1 - rate, goal=1 - goal, alternative="less"))
    assert below.power(n, 0.05) == pytest.approx(above.power(n, 0.05), abs=1e-12)


def test_exact_power_is_that_of_the_test_of_goals():
    # two-sided p is twice the smaller tail: what is found above the goal has p <= alpha
    test = planned_rate_test(OneRate("tpr", 0.9, goal=0.75, alternative="two-sided"))
    counts = np.arange(41)
    p = np.array([binomial_p_value(k, 40, 0.75, "two-sided") for k in counts])
    found = (p <= 0.05) & (counts > 30)
    assert test.power(40, 0.05) == pytest.approx(binom.pmf(counts, 40, 0.9)[found].sum(), abs=1e-12)


@pytest.mark.parametrize(("rate", "goal", "wanted"), [(0.9, 0.8, 0.8), (0.95, 0.9, 0.9)])
def test_the_least_number_from_which_on_the_power_holds(rate, goal, wanted):
    n = planned_rate_test(OneRate("tpr", rate, goal=goal)).exact_cases(wanted, 0.05)
    powers = [binomial_power(k, goal, rate, 0.05) for k in (n - 1, *range(n, n + 60))]
    assert powers[0] < wanted
    assert min(powers[1:]) >= wanted


def test_normal_formula_against_a_goal():
    row = rs.sample_size(rs.OneRate("tnr", 0.9, goal=0.8, method="asymptotic"), power=0.8).iloc[0]
    # (1.6448536 sqrt(.16) + .8416212 sqrt(.09))^2 / .01
    assert row["n_neg_unrounded"] == pytest.approx(82.88788, abs=5e-6)
    assert row[["n_pos", "n_neg", "n_cases"]].tolist() == [0, 83, 83]
    assert row["method"] == "binomial/asymptotic"


def mcnemar_power(n, above, below, level, mid):
    """Power over every number of discordant pairs and every split of them."""
    total = 0.0
    for pairs in range(n + 1):
        found = np.arange(pairs + 1)
        p = binom.sf(found - 1, pairs, 0.5) - mid * binom.pmf(found, pairs, 0.5) / 2
        split = binom.pmf(found, pairs, above / (above + below))
        total += binom.pmf(pairs, n, above + below) * split[p <= level].sum()
    return total


@pytest.mark.parametrize("n", [2, 7, 12, 40])
@pytest.mark.parametrize("method", ["mid-p", "exact"])
@pytest.mark.parametrize(("above", "below"), [(0.25, 0.05), (0.5, 0.4), (0.6, 0.4)])
def test_exact_power_of_mcnemar(n, method, above, below):
    keywords = {"only_predictor": above, "only_reference": below, "method": method}
    test = planned_rate_test(PairedRates("tpr", **keywords))
    expected = mcnemar_power(n, above, below, 0.025, method == "mid-p")
    assert test.power(n, 0.05) == pytest.approx(expected, abs=1e-12)
    swapped = PairedRates("tpr", only_predictor=below, only_reference=above, method=method)
    assert planned_rate_test(swapped).power(n, 0.05) == test.power(n, 0.05)


def test_many_pairs_by_windows_are_all_pairs():
    keywords = {"only_predictor": 0.12, "only_reference": 0.08}
    test = planned_rate_test(PairedRates("tpr", **keywords))
    assert test.exact is not None
    n = np.arange(900.0, 1100.0)
    alone = [test.power(k, 0.05) for k in n[::8]]
    assert test.exact(n, 0.025)[::8] == pytest.approx(alone, abs=1e-12)
    # 1000 pairs are near the normal formula
    normal = planned_rate_test(PairedRates("tpr", method="asymptotic", **keywords))
    assert test.power(1000, 0.05) == pytest.approx(normal.power(1000, 0.05), abs=0.01)


def test_windows_of_few_pairs_reach_from_their_least_to_their_largest_number():
    """A window serves 64 numbers of cases: with few, 64 times as many as the least."""
    for above, below in ((0.12, 0.08), (0.5, 0.4)):
        test = planned_rate_test(PairedRates("tpr", only_predictor=above, only_reference=below))
        assert test.exact is not None
        n = np.arange(1.0, 200.0)
        alone = [test.power(k, 0.05) for k in n]
        assert test.exact(n, 0.025) == pytest.approx(alone, abs=1e-12)


def test_the_least_number_of_pairs():
    design = rs.PairedRates("tpr", only_predictor=0.15, only_reference=0.05)
    row = rs.sample_size(design, power=0.8).iloc[0]
    test = planned_rate_test(design)
    powers = [test.power(row["n_pos"] + more, 0.05) for more in range(-1, 40)]
    assert powers[0] < 0.8 <= min(powers[1:])
    assert row["power"] == powers[1]
    assert row["n_neg"] == 0
    assert row["method"] == "mcnemar/mid-p"


def test_normal_formula_of_mcnemar():
    keywords = {"only_predictor": 0.15, "only_reference": 0.05, "method": "asymptotic"}
    row = rs.sample_size(rs.PairedRates("tpr", **keywords), power=0.8).iloc[0]
    # (1.959964 sqrt(.2) + .8416212 sqrt(.2 - .01))^2 / .01
    assert row["n_pos_unrounded"] == pytest.approx(154.59857, abs=5e-6)
    assert row["assumed"] == pytest.approx(0.1)


def test_small_powers_need_a_wider_search():
    test = planned_rate_test(OneRate("tpr", 0.99, goal=0.5))
    assert test.exact_cases(0.2, 0.05) == 5  # 0.5^5 = .031, and 4 cases never reject


def test_a_half_width_of_a_rate_needs_no_goal():
    row = rs.sample_size(rs.OneRate("tpr", 0.9), half_width=0.05).iloc[0]
    assert row["n_pos_unrounded"] == pytest.approx(1.959963984540054**2 * 0.09 / 0.05**2)
    assert np.isnan(row["null_value"])
    assert np.isnan(row["power"])


@given(st.floats(0.02, 0.45), st.floats(0.02, 0.45), st.integers(2, 300))
def test_exact_is_never_more_powerful_than_mid_p(above, below, n):
    if abs(above - below) < 1e-3:
        return
    powers = [
        planned_rate_test(
            PairedRates("tpr", only_predictor=above, only_reference=below, method=method)
        ).power(n, 0.05)
        for method in ("mid-p", "exact")
    ]
    assert 0 <= powers[1] <= powers[0] + 1e-12 <= 1 + 1e-9


def test_power_by_the_normal_formula_inverts_the_number():
    test = planned_rate_test(OneRate("tpr", 0.85, goal=0.7, method="asymptotic"))
    for wanted in (0.3, 0.8, 0.99):
        assert test.power(test.normal_cases(wanted, 0.05), 0.05) == pytest.approx(wanted)
    z = ndtri(0.95)
    expected = ndtr((0.15 * np.sqrt(40) - z * np.sqrt(0.21)) / np.sqrt(0.1275))
    assert test.power(40, 0.05) == pytest.approx(expected)


# Levels below 1e-17, where 1 - level is 1: the critical count from sums of exact terms.
@pytest.mark.parametrize("level", [1e-30, 1e-300])
def test_exact_power_at_tiny_levels(level):
    n, goal, rate = 2000, Fraction(1, 2), 0.7
    tail, critical = Fraction(0), n
    while tail + comb(n, critical) * goal**n <= level:
        tail += comb(n, critical) * goal**n
        critical -= 1
    expected = float(binom.sf(critical, n, rate))
    found = planned_tests.binomial_power(np.array([float(n)]), level, float(goal), rate)[0]
    assert found == pytest.approx(expected, rel=1e-9)


def test_widths_at_tiny_levels_and_of_tiny_rates():
    row = rs.sample_size(auc=0.7, half_width=0.1, alpha=1e-320).iloc[0]
    plain = rs.sample_size(auc=0.7, half_width=0.1, alpha=0.05).iloc[0]
    ratio = row["n_pos_unrounded"] / plain["n_pos_unrounded"]
    assert ratio == pytest.approx((norm.isf(5e-321) / norm.isf(0.025)) ** 2, rel=1e-9)
    # sqrt(p (1 - p)) of p = 1e-320 is 1e-160; 1 - p is 1
    tiny = rs.OneRate("tpr", 1e-320, goal=0.5, alternative="less", method="asymptotic")
    assert rs.sample_size(tiny, power=0.9)["power"][0] == 1.0


def test_exact_power_of_paired_rates_refuses_with_its_limit():
    rates = {"only_predictor": 0.2, "only_reference": 0.1}
    with pytest.raises(rs.InputError, match="beyond 1_000_000 cases; got 1000000000"):
        rs.power(rs.PairedRates("tpr", **rates), n_pos=10**9)
    asymptotic = rs.power(rs.PairedRates("tpr", **rates, method="asymptotic"), n_pos=10**9)
    assert asymptotic["power"][0] == 1.0


@pytest.mark.parametrize("n", [200, 1000, 5000, 20000])
def test_power_is_never_above_one(n):
    power = rs.power(rs.PairedRates("tpr", only_predictor=0.6, only_reference=0.05), n_pos=n)[
        "power"
    ][0]
    assert 0.99 < power <= 1.0
