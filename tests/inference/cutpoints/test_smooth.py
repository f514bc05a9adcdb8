"""Cutpoints of smoothed laws: the printed formula, the maximum itself, influence by weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import ndtr
from scipy.stats import norm, skew

from rocstats.inference.cutpoints.smooth import (
    class_score_skewness,
    kernel_bandwidths,
    kernel_youden,
    normal_cutpoint,
    normal_youden,
    smooth_cutpoint_limits,
    undefined_smooth_cutpoint,
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
    order = np.argsort(score)
    n_pos = np.repeat([1.0, 0.0], [size, size + 20])[order]
    return score[order], n_pos, 1 - n_pos


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
    moved = shift + scale * score
    for found in (normal_youden, kernel_youden):
        here, there = found(score, n_pos, n_neg), found(moved, n_pos, n_neg)
        assert there.values[0] == pytest.approx(shift + scale * here.values[0], rel=1e-6)
        np.testing.assert_allclose(there.values[1:], here.values[1:], rtol=1e-5)
    here, there = (normal_youden(x, n_pos, n_neg).se for x in (score, moved))
    np.testing.assert_allclose(there, here * [scale, 1, 1, 1], rtol=1e-5)
    drawn = resampled_counts(rng, n_pos, n_neg)
    here, there = (kernel_youden(x, n_pos, n_neg).resampled(*drawn) for x in (score, moved))
    np.testing.assert_allclose(there[0], shift + scale * here[0], rtol=1e-6)
    np.testing.assert_allclose(there[1:], here[1:], rtol=1e-5)


def resampled_counts(rng, n_pos, n_neg, size=40):
    """Multinomial counts of the cases of each class."""
    return [rng.multinomial(int(c.sum()), c / c.sum(), size=size) for c in (n_pos, n_neg)]


def bandwidth_by_hand(score, counts):
    """0.9 min(sd, IQR/1.34) n^(-1/5) of the cases one by one; quartiles are the ceil(n/4)-th."""
    cases = np.repeat(score, counts.astype(int))
    if np.ptp(cases) == 0:
        return 0.0
    k = int(np.ceil(len(cases) / 4))
    iqr = np.sort(cases)[-k] - np.sort(cases)[k - 1]
    sd = cases.std(ddof=1)
    return 0.9 * (min(sd, iqr / 1.34) if iqr > 0 else sd) * len(cases) ** -0.2


@given(seed=st.integers(0, 10**6), n_scores=st.integers(1, 9), n=st.integers(2, 30))
def test_each_row_has_the_bandwidth_of_its_cases(seed, n_scores, n):
    rng = np.random.default_rng(seed)
    score = np.sort(rng.normal(size=n_scores)) * 10.0 ** rng.integers(-3, 4)
    counts = rng.multinomial(n, np.ones(n_scores) / n_scores, size=5)
    wanted = [bandwidth_by_hand(score, row) for row in counts]
    np.testing.assert_allclose(kernel_bandwidths(score, counts), wanted, rtol=1e-9)


def test_the_bandwidth_is_the_rule_stated(rng):
    score = np.sort(rng.normal(size=101))
    wanted = 0.9 * min(score.std(ddof=1), (score[75] - score[25]) / 1.34) * 101**-0.2
    (found,) = kernel_bandwidths(score, np.ones((1, 101)))
    assert found == pytest.approx(wanted, rel=1e-12)
    heaped = np.array([0.0, 1.0])
    sd = np.repeat(heaped, [90, 10]).std(ddof=1)
    (found,) = kernel_bandwidths(heaped, np.array([[90.0, 10.0]]))
    assert found == pytest.approx(0.9 * sd * 100**-0.2, rel=1e-12)


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


def test_kernel_is_the_maximum(rng):
    score, n_pos, n_neg = normal_draw(rng, 25)
    found = kernel_youden(score, n_pos, n_neg).values
    widths = [kernel_bandwidths(score, counts[np.newaxis])[0] for counts in (n_pos, n_neg)]
    np.testing.assert_allclose(found, kernel_values(score, n_pos, n_neg, widths), atol=2e-8)


def test_kernel_is_the_maximum_where_a_lower_one_is_beside_it():
    score = np.array([0.0, 3, 4, 8])
    n_pos, n_neg = np.array([0.0, 20, 10, 10_000]), np.array([10_000.0, 20, 20, 0])
    found = kernel_youden(score, n_pos, n_neg).values
    widths = [kernel_bandwidths(score, counts[np.newaxis])[0] for counts in (n_pos, n_neg)]
    wanted = kernel_values(score, n_pos, n_neg, widths)
    # The minimiser knows the cut to the root of what it knows the index to.
    assert found[0] == pytest.approx(wanted[0], abs=1e-6)
    np.testing.assert_allclose(found[1:], wanted[1:], atol=2e-8)


FLAT = {
    "separated": ([0.0, 1, 2, 10, 11, 12], [0, 0, 0, 5, 6, 5], [5, 6, 5, 0, 0, 0]),
    "far apart": ([0.0, 1, 2, 1e4, 10001, 10002], [0, 0, 0, 5, 6, 5], [5, 6, 5, 0, 0, 0]),
    "heaps": ([21.0, 27, 32, 39], [3, 2535, 0, 20], [4225, 28, 6, 14]),
}
"""Scores, positives and negatives whose index is flat to rounding around its maximum."""


@pytest.mark.parametrize("case", FLAT)
def test_kernel_finds_a_maximum_that_is_flat_to_rounding(case):
    score, n_pos, n_neg = (np.array(each, dtype=float) for each in FLAT[case])
    cut, tpr, tnr, index = kernel_youden(score, n_pos, n_neg).values
    pos, neg = n_pos / n_pos.sum(), n_neg / n_neg.sum()
    width_pos, width_neg = (kernel_bandwidths(score, n[np.newaxis])[0] for n in (n_pos, n_neg))
    tried = np.linspace(score[0], score[-1], 2001)[:, np.newaxis]
    below_pos = ndtr((tried - score) / width_pos) @ pos
    largest = (ndtr((tried - score) / width_neg) @ neg - below_pos).max()
    assert index == pytest.approx(tpr + tnr - 1, abs=1e-15)
    assert index >= largest - 1e-15
    if case != "heaps":  # by symmetry
        assert cut == pytest.approx((score[2] + score[3]) / 2, rel=1e-9)


SHAPES = [
    lambda z: z,
    np.exp,
    lambda z: np.exp(2 * z),
    lambda z: np.clip(np.round(z), -1, 3),  # ratings
    lambda z: np.where(z > 2.5, 1e6, z),  # an outlier far from all others
]


@pytest.mark.parametrize("shape", SHAPES)
def test_resamples_have_the_maximum_of_their_own_bandwidths(rng, shape):
    """The grid errs by less than a tenth of the standard deviation of resamples."""
    score = shape(np.concatenate([rng.normal(1, 1, 60), rng.normal(0, 1, 80)]))
    score, cell = np.unique(score, return_inverse=True)
    n_pos, n_neg = (
        np.bincount(cell[rows], minlength=len(score)) for rows in (slice(60), slice(60, 140))
    )
    drawn = resampled_counts(rng, n_pos, n_neg)
    found = kernel_youden(score, n_pos, n_neg).resampled(*drawn)
    exact = np.array([kernel_youden(score, *rows).values for rows in zip(*drawn, strict=True)]).T
    # The root search of a single sample gives up where several maxima are side by side.
    known = ~np.isnan(exact[0])
    assert known.mean() > 0.9
    error = np.abs(found - exact)[:, known]
    assert (error < 0.1 * found.std(axis=1, keepdims=True)).all()


def test_skewness_is_that_of_scipy(rng):
    score, counts = rng.exponential(size=30), rng.integers(0, 4, 30)
    wanted = skew(np.repeat(score, counts))
    assert class_score_skewness(score + 5, counts.astype(float)) == pytest.approx(wanted, rel=1e-9)
    assert class_score_skewness(np.array([3.0, 4.0]), np.array([5.0, 0.0])) == 0


def test_resamples_of_classes_far_apart_cut_in_the_middle_of_the_gap():
    score = np.r_[np.arange(6.0), 1e6 + np.arange(6)]
    n_neg = np.repeat([1.0, 0.0], 6)
    found = kernel_youden(score, 1 - n_neg, n_neg).resampled(
        (1 - n_neg)[np.newaxis], n_neg[np.newaxis]
    )
    assert found[0, 0] == pytest.approx(5e5, rel=0.01)
    np.testing.assert_allclose(found[1:, 0], 1, atol=1e-12)


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
        found = kernel_youden(score, n_pos, n_neg)
        assert np.isnan(found.values).all() or found.values[3] <= 0.5
    assert np.isnan(undefined_smooth_cutpoint().se).all()


def test_limits_stay_in_range():
    low, high = smooth_cutpoint_limits(0.99, 0.02, "tpr", 0.95)
    assert norm.ppf(low) == pytest.approx(
        norm.ppf(0.99) - 1.959964 * 0.02 / norm.pdf(norm.ppf(0.99)), rel=1e-6
    )
    assert 0 < low < 0.99 < high < 1
    assert smooth_cutpoint_limits(0.9, 0.2, "youden", 0.95) == (pytest.approx(0.9 - 0.3919928), 1.0)
    assert smooth_cutpoint_limits(5.0, 1.0, "threshold", 0.95) == pytest.approx(
        (3.040036, 6.959964)
    )


@pytest.mark.parametrize("n", [9, 10, 7])
def test_positives_below_every_negative_have_no_cut(n):
    """Shares of a class that add up to 1 but for rounding are no index above 0."""
    score = np.r_[np.linspace(-1.3, -1.2, n), np.linspace(0.0, 0.1, 9)]
    n_pos = np.repeat([1.0, 0.0], [n, 9])
    assert np.isnan(kernel_youden(score, n_pos, 1 - n_pos).values).all()


def test_kernels_narrower_than_the_spacing_of_numbers_have_no_cut():
    score = 1 + np.arange(4) * np.spacing(1.0)
    found = kernel_youden(score, np.array([6.0, 9, 10, 9]), np.array([4.0, 1, 1, 0]))
    assert np.isnan(found.values).all()
    apart = kernel_youden(
        1 + np.arange(4) * 1e-12, np.array([1.0, 3, 10, 9]), np.array([4.0, 3, 1, 0])
    )
    assert 1 < apart.values[0] < 1 + 3e-12


def test_a_variance_that_is_tiny_beside_the_other_has_slopes():
    # Of equal positives with frequencies, rounding may leave a variance of 1e-33.
    score, n_pos, n_neg = np.array([0.0, 1.0, 2.0, 2 + 1e-9]), [0.0, 0, 3, 4], [3.0, 4, 0, 0]
    found = normal_youden(score, np.array(n_pos), np.array(n_neg))
    assert np.isfinite(found.values).all()
    assert np.isfinite(found.se).all()
