"""The band of the difference of two curves on the same cases, over false positive rates."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.equal_precision import equal_precision_reach
from rocstats.tolerances import SAME


def difference_limits(
    estimate: FloatArray,
    draws: FloatArray,
    floor: FloatArray,
    inside: BoolArray,
    confidence_level: float,
) -> Limits:
    """Return limits D -+ q s of equal precision, at the rates ``inside`` all at once.

    q s is ``equal_precision_reach``. At other rates the limits are -1 and 1.
    """
    low, high = np.full(len(estimate), -1.0), np.ones(len(estimate))
    if inside.any():
        reach = equal_precision_reach(estimate, draws, floor, inside, confidence_level)
        low[inside] = np.maximum(estimate - reach, -1.0)[inside]
        high[inside] = np.minimum(estimate + reach, 1.0)[inside]
    return low, high


def discordance_floor(cases: ScoredCases, pair: tuple[int, int], fpr: FloatArray) -> FloatArray:
    """Return the standard deviation of the paired difference of two TPRs at given thresholds.

    The thresholds are those of each FPR. With b and c positives that one predictor alone calls,
    p1 = (b + 1)/(m + 2) and p2 = (c + 1)/(m + 2): sqrt((p1 + p2 - (p1 - p2)^2)/(m + 2)) (Bonett &
    Price 2012), never 0.
    """
    n_called = np.array([_scores_called(cases, k, fpr) for k in pair])
    return np.asarray(np.sqrt(discordance_variance(cases, pair, n_called, positive=True)))


def discordance_variance(
    cases: ScoredCases, pair: tuple[int, int], n_called: IntArray, *, positive: bool
) -> FloatArray:
    """Return the variance of the difference of the shares that two predictors call in a class.

    Predictor ``pair[i]`` calls its ``n_called[i, g]`` most positive distinct scores (g places).
    """
    inside = np.flatnonzero(cases.is_positive == positive)
    weight = None if cases.frequency is None else cases.frequency.take(inside)
    size = cases.n_pos if positive else cases.n_neg
    first, second = (cases.codes(k).take(inside) for k in pair)
    # Neighbouring places often call the same scores: each pair of calls is tabulated once.
    places, back = np.unique(n_called, axis=1, return_inverse=True)
    shares = [
        [np.average(alone, weights=weight) for alone in (a & ~b, b & ~a)]
        for a, b in ((first < u, second < v) for u, v in places.T)
    ]
    # Bonett & Price 2012: one case more in each discordant cell, two in all, so never 0.
    p1, p2 = (np.array(shares).T * size + 1) / (size + 2)
    return np.asarray(((p1 + p2 - (p1 - p2) ** 2) / (size + 2))[back.ravel()])


def _scores_called(cases: ScoredCases, k: int, fpr: FloatArray) -> IntArray:
    """Return how many distinct scores are called positive at each FPR, the most liberal way."""
    fp = np.cumsum(cases.counts(k).n_neg) / cases.n_neg
    return np.searchsorted(fp, fpr + SAME, side="right")
