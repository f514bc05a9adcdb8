"""Limits of the ratio of two rates and of their odds ratio, at many tables at once. Arrays only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, Limits
from rocstats.stats.intervals.quantiles import quantile

# Natural logarithm: odds ratios of up to 10^9 cases are within e^42, their limits a few z further.
_FURTHEST = 60.0
_HALVINGS = 52  # 60/2^52 = 1e-14: the rounding error of a logarithm of that size


class RatePairs(NamedTuple):
    """Counts x1 of n1 and x0 of n0 of two independent groups; the ratio is 1 over 0."""

    x1: FloatArray
    n1: FloatArray
    x0: FloatArray
    n0: FloatArray


Chi2 = Callable[[RatePairs, FloatArray], FloatArray]


def ratio_chi2(pairs: RatePairs, ratio: FloatArray) -> FloatArray:
    """Return Koopman's (1984) chi-square of the hypothesis that a ratio of rates is ``ratio``.

    The rates in its variance maximize the likelihood under that ratio.
    """
    x1, n1, x0, n0 = pairs.x1, pairs.n1, pairs.x0, pairs.n0
    total = n1 * ratio + x1 + n0 + x0 * ratio
    root = np.sqrt(np.maximum(total**2 - 4 * (n1 + n0) * ratio * (x1 + x0), 0.0))
    # Of the two forms of the root of the quadratic in p0 the one that does not cancel.
    p0 = 2 * (x1 + x0) / (total + root)
    p1 = np.minimum(ratio * p0, 1.0)
    variance = p1 * (1 - p1) / n1 + ratio**2 * p0 * (1 - p0) / n0
    return np.asarray((x1 / n1 - ratio * x0 / n0) ** 2 / variance)


def odds_chi2(pairs: RatePairs, ratio: FloatArray) -> FloatArray:
    """Return the score chi-square of the hypothesis that the odds ratio is ``ratio``."""
    x1, n1, x0, n0 = pairs.x1, pairs.n1, pairs.x0, pairs.n0
    a, called = n0 * (ratio - 1), x1 + x0
    b = n1 * ratio + n0 - called * (ratio - 1)
    root = np.sqrt(np.maximum(b**2 + 4 * a * called, 0.0))
    # The restricted p0 solves a p0^2 + b p0 - (x1 + x0) = 0, in the form that does not cancel.
    p0 = np.where(b > 0, 2 * called / (b + root), (root - b) / (2 * a))
    p1 = ratio * p0 / (1 + p0 * (ratio - 1))
    spread = 1 / (n1 * p1 * (1 - p1)) + 1 / (n0 * p0 * (1 - p0))
    return np.asarray((x1 - n1 * p1) ** 2 * spread)


def ratio_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return Koopman's limits of a ratio of rates: 0 or infinite where a count is 0.

    NaN where both counts are 0.
    """
    none = (pairs.x1 == 0) & (pairs.x0 == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (pairs.x1 / pairs.n1) / (pairs.x0 / pairs.n0)
    low, high = _inverted(ratio_chi2, pairs, value, confidence_level)
    return _with_ends(low, high, none, pairs.x1 == 0, pairs.x0 == 0)


def odds_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return score limits of an odds ratio: 0 or infinite where a cell is empty.

    NaN where a row or a column of the table is empty.
    """
    left1, left0 = pairs.n1 - pairs.x1, pairs.n0 - pairs.x0
    with np.errstate(divide="ignore", invalid="ignore"):
        value = pairs.x1 * left0 / (left1 * pairs.x0)
    low, high = _inverted(odds_chi2, pairs, value, confidence_level)
    smallest, largest = (pairs.x1 == 0) | (left0 == 0), (left1 == 0) | (pairs.x0 == 0)
    return _with_ends(low, high, np.isnan(value), smallest, largest)


def _with_ends(
    low: FloatArray, high: FloatArray, none: BoolArray, smallest: BoolArray, largest: BoolArray
) -> Limits:
    low, high = np.where(smallest, 0.0, low), np.where(largest, np.inf, high)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def _inverted(chi2: Chi2, pairs: RatePairs, value: FloatArray, confidence_level: float) -> Limits:
    """Return the ratios on both sides of the estimate where chi-square is z^2, by bisection."""
    z2 = quantile((1 + confidence_level) / 2, np.inf) ** 2
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        start = np.clip(np.log(value), -_FURTHEST, _FURTHEST)
        inside, outside = np.broadcast_arrays(start, np.array([[-_FURTHEST], [_FURTHEST]]))
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            beyond = chi2(pairs, np.exp(middle)) > z2
            inside, outside = np.where(beyond, inside, middle), np.where(beyond, middle, outside)
        low, high = np.exp((inside + outside) / 2)
    return low, high


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
    return np.exp(centre - reach), np.exp(centre + reach)
