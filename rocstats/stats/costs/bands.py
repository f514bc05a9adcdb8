"""The band of the difference of two cost curves on the same cases."""

from __future__ import annotations

import numpy as np

from rocstats.curves.costs.convex_hull import hull_of
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray, IntArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.difference import difference_limits, discordance_variance


def cost_difference_limits(
    probability_cost: FloatArray,
    estimate: FloatArray,
    draws: FloatArray,
    floor: FloatArray,
    confidence_level: float,
) -> Limits:
    """Return limits of equal precision at all probability costs at once.

    Both curves lie below the triangle min(x, 1 - x), and so does the size of their difference.
    """
    everywhere = np.ones(len(estimate), dtype=bool)
    low, high = difference_limits(estimate, draws, floor, everywhere, confidence_level)
    # The loss of the best point is at most that of calling all, or none, positive.
    triangle = np.minimum(probability_cost, 1 - probability_cost)
    return np.clip(low, -triangle, triangle), np.clip(high, -triangle, triangle)


def cost_floor(
    cases: ScoredCases, pair: tuple[int, int], probability_cost: FloatArray
) -> FloatArray:
    """Return the standard deviation of the difference of costs at thresholds taken as fixed.

    They are the best ones at each probability cost x. The variances of paired differences of both
    error rates (Bonett & Price 2012), never 0, are weighed by x^2 and (1 - x)^2.
    """
    x = probability_cost
    n_called = np.array([_best_numbers(cases, k, x) for k in pair])
    of_pos, of_neg = (
        discordance_variance(cases, pair, n_called, positive=positive) for positive in (True, False)
    )
    return np.asarray(np.sqrt(x**2 * of_pos + (1 - x) ** 2 * of_neg))


def _best_numbers(cases: ScoredCases, k: int, x: FloatArray) -> IntArray:
    """Return the number of distinct scores called positive where that costs least."""
    counts = cases.counts(k)
    called = np.arange(len(counts.score) + 1.0)
    fp, tp = (np.insert(np.cumsum(n), 0, 0.0) for n in (counts.n_neg, counts.n_pos))
    # Numbers of called scores take the place of thresholds; only vertices of the hull cost least.
    hull = hull_of(RocPoints(called, fp, tp))
    lines = np.outer(1 - x, hull.fpr) + np.outer(x, 1 - hull.tpr)
    return np.asarray(hull.threshold[lines.argmin(axis=1)], dtype=np.intp)
