from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, ks_2samp

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import (
    draw_tpr_by_order_statistics,
    order_statistic_distribution,
)
from tests import examples
from validation.engines.quantiles import exact_point_quantiles, exact_tpr_quantiles, step_tpr

GRID = np.array([0.0, 0.1, 0.25, 0.3, 0.5, 0.95, 1.0])


def step_read(y, score, rates):
    """The TPR of the lowest threshold with at most floor(f n) false positives, by definition."""
    y = np.asarray(y, bool)
    called = score >= np.array([np.inf, *score])[:, np.newaxis]
    false, tpr = called[:, ~y].sum(axis=1), called[:, y].mean(axis=1)
    found = []
    for fpr in rates:
        allowed = np.floor(fpr * (~y).sum() + 1e-9)
        if allowed >= (~y).sum():
            found.append(1.0)
            continue
        # between observed scores thresholds just above the next negative are allowed too
        worst = np.sort(score[~y])[::-1][int(allowed)]
        found.append(max(0.0, tpr[false <= allowed].max(), np.mean(score[y] > worst)))
    return found


def brute_draws(rng, y, score, size):
    pos, neg = score[y == 1], score[y == 0]
    draws = []
    for _ in range(size):
        resample = np.concatenate([rng.choice(pos, len(pos)), rng.choice(neg, len(neg))])
        draws.append(step_read(np.repeat([1, 0], [len(pos), len(neg)]), resample, GRID))
    return np.array(draws)


@pytest.mark.parametrize("digits", [0, 1, 8])
def test_step_reading_is_its_definition(rng, digits):
    y = np.repeat([1, 0], [9, 12])
    score = np.round(rng.normal(size=21) + y, digits)
    counts = rs.Study(y, score).cases.counts(0)
    assert step_tpr(counts, GRID) == pytest.approx(step_read(y, score, GRID))


@pytest.mark.parametrize("digits", [0, 8])
def test_curve_draws_follow_brute_force(rng, digits):
    y = np.repeat([1, 0], [14, 20])
    score = np.round(rng.normal(size=34) + y, digits)
    found = draw_tpr_by_order_statistics(
        rs.Study(y, score).cases.counts(0), GRID, ResamplePlan(4000, 1)
    )
    brute = brute_draws(rng, y, score, 3000)
    for g in range(len(GRID)):
        assert ks_2samp(found[:, g], brute[:, g]).pvalue > 0.001
    # the joint law: increments between grid points
    for g in range(1, len(GRID)):
        assert ks_2samp(found[:, g] - found[:, g - 1], brute[:, g] - brute[:, g - 1]).pvalue > 0.001
    assert (np.diff(found, axis=1) >= 0).all()


def test_exact_quantiles_are_those_of_many_draws():
    counts = rs.Study(examples.Y, examples.D2).cases.counts(0)
    p = np.array([0.05, 0.5, 0.9])
    for fpr in (0.0, 0.2, 0.55):
        draws = draw_tpr_by_order_statistics(counts, np.array([fpr]), ResamplePlan(200_000, 1))[
            :, 0
        ]
        for level, value in zip(p, exact_tpr_quantiles(counts, fpr, p), strict=True):
            reached = np.mean(draws <= value + 1e-9)
            before = np.mean(draws <= value - 1e-9)
            noise = 4 * np.sqrt(level * (1 - level) / 200_000)
            assert before - noise < level < reached + noise
    assert exact_tpr_quantiles(counts, 1.0, p).tolist() == [1, 1, 1]


def test_point_quantiles_are_binomial():
    p = np.array([0.025, 0.5, 0.975])
    assert exact_point_quantiles(0.3, 40, p) == pytest.approx(binom(40, 0.3).ppf(p) / 40)


def test_only_the_end_of_the_curve(three):
    assert (
        draw_tpr_by_order_statistics(
            three.cases.counts(0), np.array([1.0]), ResamplePlan(100, 1)
        ).tolist()
        == [[1.0]] * 100
    )


@pytest.mark.parametrize("n", [1, 2, 30, 5000])
def test_threshold_weights_are_the_law_of_an_order_statistic(n):
    for rank in {0, n // 50, n // 2, n - 1}:
        # P(at least rank + 1 of n indices are <= j)
        reached = binom(n, np.arange(1, n + 1) / n).sf(rank)
        expected = np.diff(reached, prepend=0.0)
        np.testing.assert_allclose(order_statistic_distribution(rank, n), expected, atol=1e-13)
