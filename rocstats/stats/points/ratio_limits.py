"""Limits of the ratio of two rates and of their odds ratio, at many tables at once. Arrays only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, Limits
from rocstats.stats.intervals.quantiles import quantile

# Newton's steps double the digits: after one of 1e-9 only rounding is left.
_SETTLED = 1e-9
_MOST_STEPS = 60  # three are usual
_NO_COUNT = 1e-100  # in the place of 0, so that 0 of it is 0 and not 0/0


class RatePairs(NamedTuple):
    """Counts x1 of n1 and x0 of n0 of two independent groups; the ratio is 1 over 0."""

    x1: FloatArray
    n1: FloatArray
    x0: FloatArray
    n0: FloatArray


def ratio_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return Koopman's limits of a ratio of rates: 0 or infinite where a count is 0.

    NaN where both counts are 0.
    """
    return _score_limits(_least_ratio, pairs, confidence_level)


def odds_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return score limits of an odds ratio: 0 or infinite where a cell is empty.

    NaN where a row or a column of the table is empty.
    """
    return _score_limits(_least_odds_ratio, pairs, confidence_level)


def _score_limits(
    least: Callable[[RatePairs, float], FloatArray], pairs: RatePairs, confidence_level: float
) -> Limits:
    z2 = quantile((1 + confidence_level) / 2, np.inf) ** 2
    # The upper limit is that of the exchanged groups, inverted.
    both = np.array(pairs)[[[0, 2], [1, 3], [2, 0], [3, 1]]]
    with np.errstate(all="ignore"):
        low, inverse = least(RatePairs(*both), z2)
        return low, 1 / inverse


def _least_ratio(pairs: RatePairs, z2: float) -> FloatArray:
    """Return the least ratio of rates whose chi-square by Koopman (1984) is at most z^2."""
    # docs/methods/points.md, "Rates and ratios of a table".
    x1, n1, x0, n0 = pairs
    left1, left0 = n1 - x1, n0 - x0
    t = _shift(np.array([x1, x0]), np.array([left1 / n1, left0 / n0]), 1, z2)
    ratio = (x1 - t) * (n0 + t) / ((n1 - t) * (x0 + t))
    # Where all of the first group are called, t ends at n1 and p1 alone falls further.
    odds_left = z2 / n1 - n1 * left0 / (n0 * (x0 + n1))
    further = (n0 + n1) / ((x0 + n1) * (1 + odds_left))
    return np.where((left1 == 0) & (t >= n1) & (n1 > 0), further, ratio)


def _least_odds_ratio(pairs: RatePairs, z2: float) -> FloatArray:
    """Return the least odds ratio whose score chi-square is at most z^2."""
    x1, n1, x0, n0 = pairs
    counts = np.array([x1, n0 - x0, n1 - x1, x0])
    t = _shift(counts, np.ones(counts.shape), 2, z2)
    return (x1 - t) * (n0 - x0 - t) / ((n1 - x1 + t) * (x0 + t))


def _shift(counts: FloatArray, weights: FloatArray, n_falling: int, z2: float) -> FloatArray:
    """Return t > 0 where t^2 S = z^2, S the sum of weights over counts that t moves.

    The first counts fall by t, the others rise by it. The largest t that leaves no count below 0,
    if t^2 S stays below z^2.
    """
    sign = np.where(np.arange(len(counts)) < n_falling, -1.0, 1.0)[:, np.newaxis, np.newaxis]

    def inverse(t: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return 1/S, which is concave in t, and its slope."""
        moved = np.maximum(counts + sign * t, _NO_COUNT)
        terms = weights / moved
        value = 1 / terms.sum(axis=0)
        return value, value * value * (sign * terms / moved).sum(axis=0)

    # Where the tangent at 0 would have it, and so not before the crossing; NaN if S is 0.
    value, slope = inverse(0.0)
    half = z2 * slope / 2
    t = np.fmin(counts[:n_falling].min(axis=0), half + np.sqrt(half * half + z2 * value))
    for _ in range(_MOST_STEPS):
        # t^2 - z^2/S is convex: no step goes beyond its root.
        value, slope = inverse(t)
        excess = t * t - z2 * value
        step = np.where(excess > 0, excess / (2 * t - z2 * slope), 0.0)
        t = t - step
        if not (step > _SETTLED * t).any():
            break
    return np.asarray(t)


def ratio_log_limits(
    pairs: RatePairs, confidence_level: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return Simel's limits of a ratio of rates, and where 1/2 was added to every cell."""
    cells, added = _cells(pairs)
    x1, left1, x0, left0 = cells
    n1, n0 = x1 + left1, x0 + left0
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(x1 / n1) - np.log(x0 / n0)
        # Simel, Samsa & Matchar 1991; below 0 by rounding where every case is called.
        se = np.sqrt(np.maximum(1 / x1 - 1 / n1 + 1 / x0 - 1 / n0, 0.0))
    return (*_normal(centre, se, confidence_level), added)


def odds_log_limits(
    pairs: RatePairs, confidence_level: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return Woolf's limits of an odds ratio, and where 1/2 was added to every cell."""
    cells, added = _cells(pairs)
    x1, left1, x0, left0 = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(x1) - np.log(left1) - np.log(x0) + np.log(left0)
        # Woolf 1955.
        se = np.sqrt(1 / x1 + 1 / left1 + 1 / x0 + 1 / left0)
    return (*_normal(centre, se, confidence_level), added)


def _cells(pairs: RatePairs) -> tuple[list[FloatArray], BoolArray]:
    # Haldane 1956: 1/2 in every cell, only where a logarithm or its variance is infinite.
    cells = [pairs.x1, pairs.n1 - pairs.x1, pairs.x0, pairs.n0 - pairs.x0]
    added = np.any([cell == 0 for cell in cells], axis=0)
    return [np.where(added, cell + 0.5, cell) for cell in cells], added


def _normal(centre: FloatArray, se: FloatArray, confidence_level: float) -> Limits:
    reach = quantile((1 + confidence_level) / 2, np.inf) * se
    with np.errstate(over="ignore"):  # of a billionth of a case, whose upper limit is infinite
        return np.exp(centre - reach), np.exp(centre + reach)
