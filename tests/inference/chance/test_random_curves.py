from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import hypergeom

from rocstats.inference.chance.random_classifiers import (
    kolmogorov_critical,
    random_tp_hypergeometric_limits,
    random_tpr_beta_binomial_limits,
    share_of_random_curves_inside,
)


# docs/methods/chance.md, "Worked limits of a random scorer"
def test_printed_pointwise_limits():
    low, high = random_tpr_beta_binomial_limits(20, 30, np.array([3, 15]), 0.95)
    assert low.tolist() == [0.0, 0.25]
    assert high.tolist() == [0.35, 0.80]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (20, 30), (50, 7), (4, 90)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_pointwise_limits_are_the_quantiles_of_scipy(m, n, level):
    from scipy.stats import betabinom

    low, high = random_tpr_beta_binomial_limits(m, n, np.arange(n + 1), level)
    for k in range(n):
        law = betabinom(m, k + 1, n - k)
        for found, p in ((low[k], (1 - level) / 2), (high[k], (1 + level) / 2)):
            tp = round(found * m)
            assert law.cdf(tp) >= p - 1e-9
            assert tp == 0 or law.cdf(tp - 1) < p + 1e-9
    assert (low[n], high[n]) == (1, 1)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (20, 30), (50, 7), (4, 90), (900, 2500)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_limits_of_flagged_cases_are_the_quantiles_of_scipy(m, n, level):
    flagged = np.unique(np.linspace(0, m + n, 60).astype(int))
    low, high = random_tp_hypergeometric_limits(m, n, flagged, level)
    law = hypergeom(m + n, m, flagged)
    assert low.tolist() == law.ppf((1 - level) / 2 - 1e-10).tolist()
    assert high.tolist() == law.ppf((1 + level) / 2 - 1e-10).tolist()


def test_true_positives_above_a_negative_are_beta_binomial_by_enumeration():
    # m = 3, n = 4, k = 1: positives above the second highest negative, over all C(7, 3) orders
    above = []
    for positives in combinations(range(7), 3):
        negatives = [place for place in range(7) if place not in positives]
        above.append(sum(place < negatives[1] for place in positives))
    shares = np.bincount(above, minlength=4) / len(above)
    reached = np.cumsum(shares)
    for level in (0.2, 0.6, 0.9):
        low, high = random_tpr_beta_binomial_limits(3, 4, np.array([1]), level)
        assert low[0] * 3 == np.searchsorted(reached, (1 - level) / 2 - 1e-12)
        assert high[0] * 3 == np.searchsorted(reached, (1 + level) / 2 - 1e-12)


def test_windows_do_not_change_the_limits_of_large_samples():
    from scipy.stats import betabinom

    k = np.array([0, 1, 500, 1999])
    low, high = random_tpr_beta_binomial_limits(3000, 2000, k, 0.95)
    for i, flagged in enumerate(k):
        law = betabinom(3000, flagged + 1, 2000 - flagged)
        assert (low[i] * 3000, high[i] * 3000) == pytest.approx(law.ppf([0.025, 0.975]))


def kolmogorov_p_value(n_pos: int, n_neg: int, distance: float) -> float:
    """Return P(max abs(TPR - FPR) >= distance) of a random scorer without ties, exactly."""
    reach = round(distance * n_pos * n_neg / np.gcd(n_pos, n_neg)) * np.gcd(n_pos, n_neg)
    return 1 - share_of_random_curves_inside(n_pos, n_neg, reach)


def test_printed_kolmogorov_values():
    assert kolmogorov_critical(20, 30, 0.05) == pytest.approx(0.3833333, abs=5e-8)
    assert kolmogorov_p_value(20, 30, 23 / 60) == pytest.approx(0.0480403, abs=5e-8)
    # the largest Youden index of D1, 8 positives and 10 negatives
    assert kolmogorov_p_value(8, 10, 0.575) == pytest.approx(0.0704, abs=5e-5)


@pytest.mark.parametrize(("m", "n"), [(1, 2), (7, 30), (7, 200), (100, 200)])
def test_all_curves_are_a_share_of_1_without_rounding_past_it(m, n):
    share = share_of_random_curves_inside(m, n, m * n + 1)
    assert share <= 1
    assert share == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (4, 4), (5, 3), (6, 5)])
def test_kolmogorov_p_values_are_those_of_full_enumeration(m, n):
    largest = []
    for positives in combinations(range(m + n), m):
        tpr = np.cumsum(np.isin(np.arange(m + n), positives)) / m
        fpr = np.cumsum(~np.isin(np.arange(m + n), positives)) / n
        largest.append(np.abs(tpr - fpr).max())
    for d in np.unique(np.round(largest, 12)):
        expected = np.mean(np.array(largest) >= d - 1e-9)
        assert kolmogorov_p_value(m, n, d) == pytest.approx(expected, abs=1e-12)
    for alpha in (0.05, 0.3, 0.8):
        d = kolmogorov_critical(m, n, alpha)
        if np.isinf(d):
            assert np.mean(np.array(largest) >= 1 - 1e-9) > alpha
        else:
            step = 1 / np.lcm(m, n)
            assert np.mean(np.array(largest) >= d - 1e-9) <= alpha
            assert np.mean(np.array(largest) >= d - step - 1e-9) > alpha


@pytest.mark.parametrize(("m", "n"), [(30, 40), (7, 200), (400, 500)])
def test_kolmogorov_p_values_are_those_of_scipy(m, n, rng):
    from scipy.stats import ks_2samp

    found = ks_2samp(rng.normal(size=m), rng.normal(0.4, size=n), method="exact")
    assert kolmogorov_p_value(m, n, found.statistic) == pytest.approx(found.pvalue, abs=1e-9)


def test_large_samples_take_the_asymptotic_value():
    # the 5 % point of the Kolmogorov distribution is 1.3581
    assert kolmogorov_critical(2000, 3000, 0.05) == pytest.approx(
        1.3581 * np.sqrt(1 / 2000 + 1 / 3000), abs=1e-5
    )
    assert 1.3581 * np.sqrt(1 / 20 + 1 / 30) == pytest.approx(0.392, abs=5e-4)
    near = kolmogorov_critical(1000, 1000, 0.05)
    assert near == pytest.approx(1.3581 * np.sqrt(2 / 1000), abs=2e-3)


def test_no_distance_is_beyond_chance_in_tiny_samples():
    assert np.isinf(kolmogorov_critical(1, 1, 0.05))
    assert np.isinf(kolmogorov_critical(2, 3, 0.05))
