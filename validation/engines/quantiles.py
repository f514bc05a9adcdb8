"""Quantiles of resampled rates in closed form: those of infinitely many resamples."""

from __future__ import annotations

import numpy as np
import scipy.special as sp

from rocstats.estimate.resample_curves import (
    negatives_callable_at_fpr,
    order_statistic_distribution,
    positives_above,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.study.count_tables import ScoreCounts

# Shares are multiples of 1/m: what is left below this is rounding. As a mass, even 10^6 of them
# move a quantile's level by less than 1e-9.
_NEGLIGIBLE = 1e-15


def step_tpr(counts: ScoreCounts, fpr: FloatArray) -> FloatArray:
    """Return the step-read TPR of the sample at each false positive rate."""
    # At FPR 1 no negative is left to be above: all positives are called.
    above = np.append(positives_above(counts), counts.total_pos)
    rank = negatives_callable_at_fpr(counts, fpr)
    return above[np.minimum(rank, len(above) - 1)] / counts.total_pos


def exact_tpr_quantiles(counts: ScoreCounts, fpr: float, p: FloatArray) -> FloatArray:
    """Return quantiles of the step-read bootstrap TPR at one FPR, with infinitely many resamples.

    The distribution is a mixture, over the index of the resampled threshold (differences of Beta
    distribution functions), of Binomial(m, observed TPR there)/m.
    """
    m, n = counts.total_pos, int(counts.total_neg)
    rank = int(negatives_callable_at_fpr(counts, np.array([fpr]))[0])
    if rank >= n:
        return np.ones(len(p))
    weight = order_statistic_distribution(rank, n)
    kept = weight > _NEGLIGIBLE
    tpr, where = np.unique(positives_above(counts)[kept] / m, return_inverse=True)
    mass = np.bincount(where, weights=weight[kept])
    return np.array([_mixture_quantile(tpr, mass / mass.sum(), int(m), level) for level in p])


def exact_point_quantiles(share: float, size: float, p: FloatArray) -> FloatArray:
    """Return quantiles of a rate resampled at a fixed threshold (E4): a binomial over its size."""
    one = np.ones(1)
    return np.array([_mixture_quantile(share * one, one, int(size), level) for level in p])


def _mixture_quantile(tpr: FloatArray, mass: FloatArray, m: int, level: float) -> float:
    """Return the smallest k/m whose mixture distribution function reaches a level, by bisection."""
    low, high = -1, m
    while high - low > 1:
        middle = (low + high) // 2
        reached = float(np.dot(mass, sp.bdtr(middle, m, tpr)))
        low, high = (low, middle) if reached >= level - SAME else (middle, high)
    return high / m
