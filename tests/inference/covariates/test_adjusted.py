"""Adjusted areas: by brute force, and influence values as numerical derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from rocstats.inference.covariates.adjusted import (
    PositivesWithCovariates,
    adjusted_area,
    adjusted_curve_vertices,
    adjusted_tpr_at_fpr,
)
from rocstats.inference.covariates.at_values import area_at_values
from rocstats.inference.covariates.regression import fit_covariate_regression

# docs/methods/covariates.md, "Influence values": m times those of positives, n times of negatives.


@pytest.fixture
def ratings(rng):
    """Scores with ties of both classes, a number and a label as covariates; positives first."""
    y = np.repeat([True, False], [14, 25])
    site, age = rng.integers(0, 2, 39), rng.integers(0, 4, 39)
    score = np.round(0.5 * age + 0.7 * site + y + rng.normal(size=39))
    return y, score, np.column_stack([np.ones(39), age, site])


def parts(y, score, design, weight=None):
    weight = np.ones(len(y)) if weight is None else weight
    positives = PositivesWithCovariates(score[y], design[y], weight[y])
    return positives, fit_covariate_regression(score[~y], design[~y], weight[~y])


def residuals_of(y, score, design, weight, factor):
    """Standardised residuals of both classes by weighted normal equations."""
    own, w = ~y, weight[~y]
    beta = np.linalg.solve(
        design[own].T @ (w[:, None] * design[own]), design[own].T @ (w * score[own])
    )
    rest = score - design @ beta
    return rest / np.sqrt(factor * np.sum(w * rest[own] ** 2) / w.sum()), beta


def derivatives(function, n):
    """Derivative of a function of n weights by each, to some 1e-11 (five points)."""
    found = np.empty(n)
    for k in range(n):
        moved = [np.ones(n) for _ in range(4)]
        for weight, step in zip(moved, (-2, -1, 1, 2), strict=True):
            weight[k] += 1e-3 * step
        a, b, c, d = map(function, moved)
        found[k] = (a - 8 * b + 8 * c - d) / 12e-3
    return found


def test_placements_and_area_count_residuals_below_and_half_of_equal_ones(ratings):
    y, score, design = ratings
    z, _ = residuals_of(y, score, design, np.ones(39), 25 / 22)
    z = np.round(z, 9)
    kernel = (z[y][:, None] > z[~y]) + 0.5 * (z[y][:, None] == z[~y])
    assert (kernel == 0.5).any()
    found = adjusted_area(*parts(y, score, design), kind="empirical")
    assert found.placement == pytest.approx(kernel.mean(axis=1), abs=1e-12)
    assert found.value == pytest.approx(kernel.mean(), abs=1e-12)


def test_normal_influence_is_the_derivative_of_the_whole_estimator(ratings):
    y, score, design = ratings
    factor = 25 / 22

    def area(weight):
        z, _ = residuals_of(y, score, design, weight, factor)
        return np.average(ndtr(z[y]), weights=weight[y])

    found = adjusted_area(*parts(y, score, design), kind="normal")
    wanted = derivatives(area, 39)
    assert found.value == pytest.approx(area(np.ones(39)), abs=1e-13)
    assert found.of_positives == pytest.approx(wanted[y], abs=1e-9)
    # The factor n/(n - p) of the variance stands in the values: n - 1 is taken off elsewhere.
    assert found.of_negatives / np.sqrt(24 / 22) == pytest.approx(wanted[~y], abs=1e-9)


def test_empirical_influence_is_that_of_ranks_and_the_derivative_of_the_smoothed_area(ratings):
    y, score, design = ratings
    ones = np.ones(39)
    z, beta = residuals_of(y, score, design, ones, 25 / 22)
    s = np.sqrt(np.sum((score - design @ beta)[~y] ** 2) / 22)
    gaps = z[y][:, None] - z[~y]
    width = 1.06 * gaps.std() * 14**-0.2

    def smoothed(weight):
        _, moved = residuals_of(y, score, design, np.where(y, 1.0, weight), 1.0)
        rest = (score - design @ moved) / s
        return ndtr((rest[y][:, None] - rest[~y]) / width).mean()

    ranks = np.round(z, 9)
    kernel = (ranks[y][:, None] > ranks[~y]) + 0.5 * (ranks[y][:, None] == ranks[~y])
    found = adjusted_area(*parts(y, score, design), kind="empirical")
    of_ranks = (kernel.mean(axis=0) - kernel.mean()) / 25
    wanted = of_ranks + derivatives(smoothed, 39)[~y]
    assert found.of_negatives / np.sqrt(24 / 22) == pytest.approx(wanted, abs=1e-9)
    assert found.of_positives == pytest.approx((kernel.mean(axis=1) - kernel.mean()) / 14)


@pytest.mark.parametrize("kind", ["empirical", "normal"])
def test_weights_are_numbers_of_equal_cases(ratings, rng, kind):
    y, score, design = ratings
    times = rng.integers(1, 4, 39)
    grouped = adjusted_area(*parts(y, score, design, times.astype(float)), kind=kind)
    rows = np.repeat(np.arange(39), times)
    single = adjusted_area(*parts(y[rows], score[rows], design[rows]), kind=kind)
    assert grouped.value == pytest.approx(single.value, abs=1e-12)
    assert np.repeat(grouped.of_positives, times[y]) == pytest.approx(single.of_positives)
    assert np.repeat(grouped.of_negatives, times[~y]) == pytest.approx(single.of_negatives)


def test_scores_that_the_covariates_explain_whole():
    design = np.column_stack([np.ones(12), np.arange(12)])
    y = np.arange(12) % 3 == 0
    score = 2.0 + 0.1 * np.arange(12)
    flat = adjusted_area(*parts(y, score, design), kind="empirical")
    assert flat.value == 0.5
    assert np.abs(flat.of_negatives).max() == 0
    above = adjusted_area(*parts(y, score + y, design), kind="empirical")
    assert above.value == 1.0
    assert np.isnan(adjusted_area(*parts(y, score + y, design), kind="normal").value)


def test_the_area_under_the_staircase_is_the_adjusted_area(ratings):
    y, score, design = ratings
    weight = np.arange(1.0, 40.0)
    for kind in ("empirical", "normal"):
        found = adjusted_area(*parts(y, score, design, weight), kind=kind)
        fpr, tpr = adjusted_curve_vertices(found.placement, weight[y])
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
        assert ((np.diff(fpr) >= 0) & (np.diff(tpr) >= 0)).all()
        assert np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2 == pytest.approx(found.value)
        at = np.linspace(0, 1, 41)
        shares = [np.average(1 - found.placement <= f + 1e-12, weights=weight[y]) for f in at]
        assert adjusted_tpr_at_fpr(at, found.placement, weight[y]) == pytest.approx(shares)


def test_area_at_covariates_is_that_of_two_normal_samples_without_covariates(rng):
    x, y = rng.normal(1, 2, 15), rng.normal(size=22)
    one = [fit_covariate_regression(v, np.ones((len(v), 1)), np.ones(len(v))) for v in (x, y)]
    found = area_at_values(np.ones(1), *one)
    spread = x.var(ddof=1) + y.var(ddof=1)
    w = (x.mean() - y.mean()) / np.sqrt(spread)
    assert found.value == pytest.approx(ndtr(w))
    line = (x.var(ddof=1) / 15 + y.var(ddof=1) / 22) / spread
    of_s = (2 * x.var(ddof=1) ** 2 / 14 + 2 * y.var(ddof=1) ** 2 / 21) / (4 * spread**2)
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    assert found.se == pytest.approx(density * np.sqrt(line + w**2 * of_s))
