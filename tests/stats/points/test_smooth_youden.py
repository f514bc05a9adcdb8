"""Cutpoints of smoothed laws: the printed formula, the maximum itself, and influence by weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import ndtr
from scipy.stats import norm

from rocstats.stats.points.kernel_youden import (
    bandwidth,
    clustered_products,
    independent_products,
    kernel_youden,
)
from rocstats.stats.points.smooth_youden import (
    no_cut,
    normal_cutpoint,
    normal_youden,
    smooth_limits,
)

moments = st.tuples(st.floats(-3, 3), st.floats(0.2, 4), st.floats(0.05, 3), st.floats(0.2, 4)).map(
    lambda t: (t[0], t[1], t[0] + t[2], t[3])
)


def as_printed(m0, v0, m1, v1):
    """docs/methods/points.md, "Normal cutpoint": Schisterman & Perkins."""
    s0, s1 = np.sqrt(v0), np.sqrt(v1)
    root = np.sqrt((m0 - m1) ** 2 + (v0 - v1) * np.log(v0 / v1))
    return (m1 * v0 - m0 * v1 - s0 * s1 * root) / (v0 - v1)


@given(moments)
def test_the_formula_as_printed(values):
    if abs(values[1] - values[3]) > 0.01:
        assert normal_cutpoint(values) == pytest.approx(as_printed(*values), rel=1e-8, abs=1e-8)


@given(moments)
def test_equal_variances_meet_in_the_middle(values):
    m0, v0, m1, _ = values
    assert normal_cutpoint((m0, v0, m1, v0)) == pytest.approx((m0 + m1) / 2, abs=1e-12)
    near = normal_cutpoint((m0, v0, m1, v0 * (1 + 1e-13)))
    assert near == pytest.approx((m0 + m1) / 2, abs=1e-9)


@given(moments)
def test_it_is_where_the_index_is_highest(values):
    m0, v0, m1, v1 = values
    cut = normal_cutpoint(values)

    def index(c):
        return norm.cdf(c, m0, np.sqrt(v0)) - norm.cdf(c, m1, np.sqrt(v1))

    grid = np.linspace(m0 - 12, m1 + 12, 4001)
    assert index(cut) >= index(grid).max() - 1e-12


def normal_draw(rng, size=60):
    score = np.concatenate([rng.normal(1.2, 1.4, size), rng.normal(0, 0.8, size + 20)])
    n_pos = np.repeat([1.0, 0.0], [size, size + 20])
    return score, n_pos, 1 - n_pos


def test_normal_theory_by_differences_of_the_moments(rng):
    score, n_pos, n_neg = normal_draw(rng)
    found = normal_youden(score, n_pos, n_neg)
    x, y = score[n_pos > 0], score[n_neg > 0]
    at = np.array([y.mean(), y.var(ddof=1), x.mean(), x.var(ddof=1)])

    def values(m):
        cut = as_printed(*m)
        tpr = norm.sf(cut, m[2], np.sqrt(m[3]))
        tnr = norm.cdf(cut, m[0], np.sqrt(m[1]))
        return np.array([cut, tpr, tnr, tpr + tnr - 1])

    np.testing.assert_allclose(found.values, values(at), rtol=1e-12)
    slopes = np.stack([(values(at + h) - values(at - h)) / 2e-6 for h in np.eye(4) * 1e-6], axis=1)
    n, m = len(y), len(x)
    variance = [at[1] / n, 2 * at[1] ** 2 / (n - 1), at[3] / m, 2 * at[3] ** 2 / (m - 1)]
    np.testing.assert_allclose(found.covariance, slopes * variance @ slopes.T, rtol=1e-6)


@pytest.mark.parametrize(("shift", "scale"), [(1e6, 1e-3), (-3.0, 1e4)])
def test_other_units_and_origins_of_the_scores(rng, shift, scale):
    score, n_pos, n_neg = normal_draw(rng)
    gather = independent_products(n_pos, n_neg)
    for cut in (normal_youden, lambda *a: kernel_youden(*a, gather=gather)):
        here, there = cut(score, n_pos, n_neg), cut(shift + scale * score, n_pos, n_neg)
        assert there.values[0] == pytest.approx(shift + scale * here.values[0], rel=1e-6)
        np.testing.assert_allclose(there.values[1:], here.values[1:], rtol=1e-5)
        np.testing.assert_allclose(there.se[1:], here.se[1:], rtol=1e-5)
        assert there.se[0] == pytest.approx(scale * here.se[0], rel=1e-5)


def test_the_bandwidth_is_the_rule_stated(rng):
    score = rng.normal(size=101)
    ordered = np.sort(score)
    iqr = ordered[75] - ordered[25]
    wanted = 0.9 * min(score.std(ddof=1), iqr / 1.34) * 101**-0.2
    assert bandwidth(score, np.ones(101)) == pytest.approx(wanted, rel=1e-12)
    heaped = np.array([0.0, 1.0])
    counts = np.array([90.0, 10.0])
    sd = np.repeat(heaped, [90, 10]).std(ddof=1)
    assert bandwidth(heaped, counts) == pytest.approx(0.9 * sd * 100**-0.2, rel=1e-12)


def kernel_values(score, pos, neg, widths):
    """Threshold, TPR, TNR and index of weighted kernels, by a minimiser of scipy."""
    pos, neg = pos / pos.sum(), neg / neg.sum()

    def rates(cut):
        return pos @ ndtr((score - cut) / widths[0]), neg @ ndtr((cut - score) / widths[1])

    grid = np.linspace(score.min(), score.max(), 2001)
    best = grid[np.argmax([sum(rates(cut)) for cut in grid])]
    cut = minimize_scalar(
        lambda c: -sum(rates(c)), bounds=(best - 0.01, best + 0.01), method="bounded",
        options={"xatol": 1e-12},
    ).x  # fmt: skip
    tpr, tnr = rates(cut)
    return np.array([cut, tpr, tnr, tpr + tnr - 1])


def test_kernel_is_the_maximum_and_its_influence_that_of_weights(rng):
    score, n_pos, n_neg = normal_draw(rng, 25)
    seen = {}

    def gather(of_pos, of_neg):
        seen["influence"] = of_pos, of_neg
        return independent_products(n_pos, n_neg)(of_pos, of_neg)

    found = kernel_youden(score, n_pos, n_neg, gather)
    widths = bandwidth(score, n_pos), bandwidth(score, n_neg)
    np.testing.assert_allclose(found.values, kernel_values(score, n_pos, n_neg, widths), atol=2e-8)
    step = 1e-3
    for i in (0, 7, 30, 60):
        for which, counts in enumerate((n_pos, n_neg)):
            if not counts[i]:
                continue
            ends = []
            for sign in (-1, 1):
                moved = [n_pos.copy(), n_neg.copy()]
                total = counts.sum()
                moved[which] = moved[which] / total * (1 - sign * step)
                moved[which][i] += sign * step
                ends.append(kernel_values(score, *moved, widths=widths))
            slope = (ends[1] - ends[0]) / (2 * step)
            np.testing.assert_allclose(seen["influence"][which][:, i], slope, rtol=2e-3, atol=2e-3)
    products = sum(
        one[:, counts > 0] @ one[:, counts > 0].T / (counts.sum() * (counts.sum() - 1))
        for one, counts in zip(seen["influence"], (n_pos, n_neg), strict=True)
    )
    np.testing.assert_allclose(found.covariance, products, rtol=1e-12)


def test_influence_is_summed_by_cluster(rng):
    score, n_pos, n_neg = normal_draw(rng)
    n, is_positive = len(score), n_pos > 0
    frequency, cluster = rng.integers(1, 4, n).astype(float), rng.integers(0, 30, n)
    gather = clustered_products(np.arange(n), is_positive, frequency, cluster)
    weighted = n_pos * frequency, n_neg * frequency
    seen = {}

    def watched(*influence):
        seen["influence"] = influence
        return gather(*influence)

    found = kernel_youden(score, *weighted, watched)
    by_hand = np.zeros((4, 4))
    names = np.unique(cluster)
    for name in names:
        total = np.zeros(4)
        for i in np.flatnonzero(cluster == name):
            which = 0 if is_positive[i] else 1
            total += frequency[i] * seen["influence"][which][:, i] / weighted[which].sum()
        by_hand += np.outer(total, total)
    np.testing.assert_allclose(found.covariance, by_hand * len(names) / (len(names) - 1))
    alone = kernel_youden(score, n_pos, n_neg, independent_products(n_pos, n_neg))
    ones = clustered_products(np.arange(n), is_positive, np.ones(n), np.arange(n))
    np.testing.assert_allclose(kernel_youden(score, n_pos, n_neg, ones).se, alone.se, rtol=0.01)


@pytest.mark.parametrize(
    ("score", "n_pos", "n_neg"),
    [
        ([0.0, 1.0, 2.0, 3.0], [1, 1, 0, 0], [0, 0, 1, 1]),  # positives lower
        ([0.0, 1.0, 2.0], [0, 1, 1], [1, 0, 0]),  # one negative
        ([0.0, 1.0], [3, 3], [3, 3]),  # the same law twice
    ],
)
def test_nothing_is_estimated_without_a_highest_index(score, n_pos, n_neg):
    score, n_pos, n_neg = (np.array(a, dtype=float) for a in (score, n_pos, n_neg))
    assert np.isnan(normal_youden(score, n_pos, n_neg).values).all()
    if n_pos[0] != 3:
        found = kernel_youden(score, n_pos, n_neg, independent_products(n_pos, n_neg))
        assert np.isnan(found.values).all() or found.values[3] <= 0.5
    assert np.isnan(no_cut().se).all()


def test_limits_stay_in_range():
    low, high = smooth_limits(0.99, 0.02, "tpr", 0.95)
    assert norm.ppf(low) == pytest.approx(
        norm.ppf(0.99) - 1.959964 * 0.02 / norm.pdf(norm.ppf(0.99)), rel=1e-6
    )
    assert 0 < low < 0.99 < high < 1
    assert smooth_limits(0.9, 0.2, "youden", 0.95) == (pytest.approx(0.9 - 0.3919928), 1.0)
    assert smooth_limits(5.0, 1.0, "threshold", 0.95) == pytest.approx((3.040036, 6.959964))
