from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest
import scipy.special as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstwo, multinomial

import rocstats as rs
from rocstats.estimate.exact_bands import (
    LARGEST_EXACT,
    kolmogorov_joint_band_limits,
    kolmogorov_quantile,
    local_level_joint_band_limits,
    local_level_of_beta_limits,
    p_order_statistics_within_limits,
)
from rocstats.study.count_tables import ScoreCounts
from tests.oracles import definitions as oracles
from tests.strategies import samples

ROOT = np.sqrt(0.95)
BANDS = (kolmogorov_joint_band_limits, local_level_joint_band_limits)
GRID = np.linspace(0, 1, 41)
OFF_GRID = np.linspace(0.003, 0.997, 41)  # no limit is met by rounding


def beta_lower(n, g):
    k = np.arange(1, n + 1)
    return sp.betaincinv(k, n + 1 - k, g / 2)


def steck(lower):
    """P(a_k <= U_k <= b_k for all k) = n! det(max(b_i - a_j, 0)^(j-i+1) / (j-i+1)!), in fractions.

    The matrix has one diagonal below the main one: expanded along its first row.
    """
    n = len(lower)
    a = [Fraction(float(x)) for x in lower]
    b = [1 - x for x in reversed(a)]

    def entry(i, j):
        power = j - i + 1
        return max(b[i] - a[j], Fraction(0)) ** power / factorial(power) if power else Fraction(1)

    minors = [Fraction(1)]  # minors[r]: determinant of the first r rows and columns
    for r in range(1, n + 1):
        terms = [(-1) ** (r - 1 - i) * entry(i, r - 1) * minors[i] for i in range(r)]
        minors.append(sum(terms, Fraction(0)))
    return float(minors[n] * factorial(n))


@pytest.mark.parametrize("n", [1, 2, 5, 12, 20])
@pytest.mark.parametrize("g", [0.00211, 0.05, 0.3])
def test_share_of_order_statistics_is_stecks_determinant(n, g):
    lower = beta_lower(n, g)
    assert p_order_statistics_within_limits(lower) == pytest.approx(steck(lower), rel=1e-12)


@pytest.mark.parametrize(("n", "d"), [(1, 0.8), (2, 0.6), (7, 0.4), (50, 0.2), (120, 0.13)])
def test_share_within_kolmogorov_limits_is_that_of_scipy(n, d):
    lower = np.maximum(np.arange(1, n + 1) / n - d, 0)
    assert p_order_statistics_within_limits(lower) == pytest.approx(kstwo.cdf(d, n), rel=1e-11)


def test_limits_that_exclude_each_other_hold_never():
    assert p_order_statistics_within_limits(np.array([0.6, 0.6])) == 0
    assert p_order_statistics_within_limits(np.array([0.5, 0.5, 0.5])) == pytest.approx(
        0, abs=1e-15
    )


# docs/methods/bands.md, "Worked joint bands", at level sqrt(.95)
@pytest.mark.parametrize(
    ("n", "printed"),
    [(20, 0.3201403), (30, 0.2631926), (50, 0.2051796), (100, 0.1459558), (500, 0.0657508)],
)
def test_printed_kolmogorov_quantiles(n, printed):
    assert kolmogorov_quantile(n, ROOT) == pytest.approx(printed, abs=5.1e-8)


# Printed .00137, .00104 and .00061 by Monte Carlo, good to 5 %; the first .00211 of n = 20 misses
# by 6 %, as the determinant says.
@pytest.mark.parametrize(("n", "printed"), [(50, 0.00137), (100, 0.00104), (500, 0.00061)])
def test_printed_local_levels(n, printed):
    assert local_level_of_beta_limits(n, ROOT) == pytest.approx(printed, rel=0.05)


def test_the_local_level_of_20_is_not_the_printed_one():
    assert steck(beta_lower(20, 0.00211)) == pytest.approx(0.9760772, abs=5e-8)
    g = local_level_of_beta_limits(20, ROOT)
    assert g == pytest.approx(0.0022454, abs=5e-8)
    assert steck(beta_lower(20, g)) == pytest.approx(ROOT, abs=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
@pytest.mark.parametrize("n", [1, 2, 3, 40, LARGEST_EXACT])
def test_all_limits_hold_at_once_with_the_level(n, level):
    g = local_level_of_beta_limits(n, level)
    assert p_order_statistics_within_limits(beta_lower(n, g)) == pytest.approx(level, abs=1e-9)


def test_one_case_needs_no_correction():
    assert local_level_of_beta_limits(1, 0.9) == pytest.approx(0.1)


@pytest.mark.parametrize("level", [0.9, ROOT, 0.999])
@pytest.mark.parametrize(("n", "shortfall"), [(LARGEST_EXACT + 1, 1e-5), (10_000, 0.003)])
def test_large_classes_miss_hardly_less_than_they_may(n, shortfall, level):
    missed = 1 - p_order_statistics_within_limits(
        beta_lower(n, local_level_of_beta_limits(n, level))
    )
    assert 1 - shortfall < missed / (1 - level) < 1 + 1e-7


# docs/methods/bands.md, "Worked joint bands"
def test_printed_limits_of_d1(three):
    low, high = kolmogorov_joint_band_limits(three.cases.counts(0), np.array([0.5]), 0.95)
    assert kolmogorov_quantile(8, ROOT) == pytest.approx(0.4937617598, abs=5e-11)
    assert kolmogorov_quantile(10, ROOT) == pytest.approx(0.4449794094, abs=5e-11)
    assert low == pytest.approx(0.0062382402, abs=5e-11)
    assert high == 1


def by_definition(y, score, fpr, limits_neg, limits_pos):
    """Both limits, the largest and the least TPR over all vertices that may have this FPR.

    Without ties of both classes these are all that the band knows.
    """
    points = oracles.algorithm_1(y, score)
    high = [
        max(limits_pos(tp)[1] for _, fp, tp in points if limits_neg(fp)[0] <= t + 1e-12)
        for t in fpr
    ]
    low = [
        min(limits_pos(tp)[0] for _, fp, tp in points if limits_neg(fp)[1] >= t - 1e-12)
        for t in fpr
    ]
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def rate_limits(band, n, level):
    """Limits of a rate of which k of n cases are called, as the methods page writes them."""
    if band is kolmogorov_joint_band_limits:
        d = kstwo.ppf(np.sqrt(level), n)
        return lambda k: (k / n - d, k / n + d)
    g = local_level_of_beta_limits(n, np.sqrt(level))

    def limits(k):
        low = sp.betaincinv(k, n - k + 1, g / 2) if k > 0 else 0.0
        high = sp.betaincinv(k + 1, n - k, 1 - g / 2) if k < n else 1.0
        return low, high

    return limits


@pytest.mark.parametrize("level", [0.5, 0.8, 0.975, 0.995, 0.99995])
def test_the_quantile_of_kolmogorov_is_that_of_scipy(level):
    # SciPy sums exactly up to 140 cases; beyond, it takes the series of Pelz and Good.
    sizes = [1, 2, 4, 9, 60, 140]
    exact = [kolmogorov_quantile(n, level) for n in sizes]
    np.testing.assert_allclose(exact, kstwo.ppf(level, sizes), rtol=1e-10)
    assert kolmogorov_quantile(400, level) == pytest.approx(kstwo.ppf(level, 400), rel=1e-4)


@pytest.mark.parametrize("n", [200, 1000])
def test_limits_at_the_quantile_of_kolmogorov_hold_with_the_level(n):
    # At SciPy's quantile, from the series, they miss it by 1e-8 and more.
    lower = np.maximum(np.arange(1, n + 1) / n - kolmogorov_quantile(n, 0.95), 0)
    assert p_order_statistics_within_limits(lower) == pytest.approx(0.95, abs=1e-11)


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_limits_without_ties_are_their_definition(band, level, rng):
    y = np.repeat([1, 0], [23, 31])
    score = rng.permutation(54) + 15.5 * y
    found = band(rs.Study(y, score).cases.counts(0), OFF_GRID, level)
    expected = by_definition(
        y, score, OFF_GRID, rate_limits(band, 31, level), rate_limits(band, 23, level)
    )
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_tie_is_crossed_in_a_straight_line():
    # One score, 4 and 5 cases: from (-d0, d1) to (1 - d0, 1 + d1).
    counts = ScoreCounts(np.array([1.0]), np.array([4.0]), np.array([5.0]))
    d0, d1 = kstwo.ppf(np.sqrt(0.5), 5), kstwo.ppf(np.sqrt(0.5), 4)
    low, high = kolmogorov_joint_band_limits(counts, GRID, 0.5)
    np.testing.assert_allclose(high, np.minimum(GRID + d0 + d1, 1), atol=1e-12)
    np.testing.assert_allclose(low, np.maximum(GRID - d0 - d1, 0), atol=1e-12)


def empirical_ends(counts, fpr):
    """The foot and the top of the empirical polygon at each rate."""
    x = np.append(0, np.cumsum(counts.n_neg)) / counts.total_neg
    y = np.append(0, np.cumsum(counts.n_pos)) / counts.total_pos
    inner = np.interp(fpr, x, y)
    foot = [y[x == t].min() if (x == t).any() else v for t, v in zip(fpr, inner, strict=True)]
    top = [y[x == t].max() if (x == t).any() else v for t, v in zip(fpr, inner, strict=True)]
    return np.array(foot), np.array(top)


@pytest.mark.parametrize("band", BANDS)
@given(data=samples(), level=st.floats(0.05, 0.9))
def test_the_empirical_curve_lies_inside_and_a_higher_level_is_wider(band, data, level):
    y, scores = data
    counts = rs.Study(y, scores[0]).cases.counts(0)
    fpr = np.append(GRID, np.cumsum(counts.n_neg) / counts.total_neg)
    foot, top = empirical_ends(counts, fpr)
    low, high = band(counts, fpr, level)
    assert (low <= foot + 1e-12).all()
    assert (high >= top - 1e-12).all()
    assert ((low >= 0) & (high <= 1) & (low < high)).all()
    wider_low, wider_high = band(counts, fpr, level + 0.08)
    assert (wider_low <= low).all()
    assert (wider_high >= high).all()


@pytest.mark.parametrize("band", BANDS)
@given(data=samples())
def test_monotone_transforms_change_nothing(band, data):
    y, scores = data
    found = band(rs.Study(y, scores[0]).cases.counts(0), GRID, 0.9)
    moved = band(rs.Study(y, np.exp(scores[0]) - 4).cases.counts(0), GRID, 0.9)
    np.testing.assert_array_equal(found, moved)


@pytest.mark.parametrize("band", BANDS)
@given(data=samples())
def test_exchanged_classes_reflect_the_band(band, data):
    # (t, y) is a point of one band where (1 - y, 1 - t) is one of the other.
    y, scores = data
    counts = rs.Study(y, scores[0]).cases.counts(0)
    mirror = rs.Study(1 - y, -scores[0]).cases.counts(0)
    t = (np.arange(30) + 0.123) / 30
    low, high = band(counts, t, 0.6)
    back_low, back_high = band(mirror, 1 - t, 0.6)
    # A row a rate t[i], a column a height t[j]; on a limit rounding decides.
    ends = np.stack([low, high])[:, :, np.newaxis], np.stack([back_low, back_high])[:, np.newaxis]
    apart = [end - at for end, at in zip(ends, (t, 1 - t[:, np.newaxis]), strict=True)]
    clear = np.min([np.abs(gap).min(axis=0) for gap in apart], axis=0) > 1e-9
    inside, back = ((gap[0] < 0) & (gap[1] > 0) for gap in apart)
    assert (inside == back)[clear].all()


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("level", [0.2, 0.5])
@pytest.mark.parametrize(
    ("pos", "neg"), [((0.5, 0.3, 0.2), (0.2, 0.3, 0.5)), ((0.6, 0.0, 0.4), (0.1, 0.8, 0.1))]
)
def test_ratings_are_held_with_the_level_by_full_enumeration(band, level, pos, neg):
    # 5 positives and 4 negatives of three ratings: all tables, and the whole polygon of the truth.
    fpr = np.union1d(np.linspace(0, 1, 201), np.cumsum((0, *neg)))
    truth = np.interp(fpr, np.cumsum((0, *neg)), np.cumsum((0, *pos)))
    tables = {n: [c for c in product(range(n + 1), repeat=3) if sum(c) == n] for n in (4, 5)}
    chances = {n: multinomial.pmf(tables[n], n, p) for n, p in ((5, pos), (4, neg))}
    held = 0.0
    for (a, of_a), (b, of_b) in product(*(zip(tables[n], chances[n], strict=True) for n in (5, 4))):
        seen = np.add(a, b) > 0
        counts = ScoreCounts(np.arange(3.0)[seen], np.array(a)[seen], np.array(b)[seen])
        low, high = band(counts, fpr, level)
        inside = (low <= truth + 1e-12).all() and (truth <= high + 1e-12).all()
        held += inside * of_a * of_b
    assert held >= level


@pytest.mark.parametrize("band", BANDS)
def test_curves_without_ties_are_held_with_the_level(band, rng):
    # P(1 - U^2 > c) = sqrt(1 - c): R(t) = sqrt t.
    fpr = np.linspace(0, 1, 401)
    held = 0
    for _ in range(500):
        neg, pos = rng.random(12), 1 - rng.random(9) ** 2
        counts = rs.Study(np.repeat([1, 0], [9, 12]), np.append(pos, neg)).cases.counts(0)
        low, high = band(counts, fpr, 0.5)
        held += bool(((low <= np.sqrt(fpr)) & (np.sqrt(fpr) <= high)).all())
    assert held / 500 >= 0.5


# docs/methods/bands.md, "Containment of the bands", first two rows: mean width over the rates .01
# to .99
@pytest.mark.parametrize(
    ("n", "auc", "b", "printed"),
    [
        (50, 0.8, 1.0, (0.549, 0.524)),
        (100, 0.8, 1.0, (0.428, 0.392)),
        (500, 0.8, 1.0, (0.221, 0.186)),
        (50, 0.9, 0.6, (0.462, 0.418)),
        (500, 0.9, 0.6, (0.192, 0.130)),
    ],
)
def test_printed_mean_widths(n, auc, b, printed, rng):
    a = sp.ndtri(auc) * np.sqrt(1 + b**2)
    y = np.repeat([1, 0], [n, n])
    t = np.linspace(0.01, 0.99, 99)
    widths = []
    for _ in range(40):
        score = rng.normal(size=2 * n)
        score[:n] = (score[:n] + a) / b
        counts = rs.Study(y, score).cases.counts(0)
        widths.append([np.mean(np.subtract(*band(counts, t, 0.95)[::-1])) for band in BANDS])
    noise = 4 * np.std(widths, axis=0) / np.sqrt(40) + 0.0005
    assert (np.abs(np.mean(widths, axis=0) - printed) <= noise).all()


def test_upper_limits_of_large_classes_are_their_definition():
    # A positive before every negative: k negatives are called with at most k + 1 positives.
    n, t = 10**5, np.array([0.001, 0.2, 0.5, 0.9])
    counts = ScoreCounts(np.arange(2.0 * n), np.tile([1.0, 0.0], n), np.tile([0.0, 1.0], n))
    d, g, k = kstwo.ppf(ROOT, n), local_level_of_beta_limits(n, ROOT), np.arange(1, n)
    most = np.searchsorted(sp.betaincinv(k, n - k + 1, g / 2), t, side="right")
    by_local_level = sp.betaincinv(most + 2, n - most - 1, 1 - g / 2)
    by_kolmogorov = (np.floor((t + d) * n) + 1) / n + d
    for band, expected in zip(BANDS, (by_kolmogorov, by_local_level), strict=True):
        np.testing.assert_allclose(band(counts, t, 0.95)[1], expected, atol=1e-12)
