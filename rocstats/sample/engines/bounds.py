"""How far the area of counts by cells can be from the area of the scores themselves."""

from __future__ import annotations

import math

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.engines.table import Counts

# A tenth of the standard error widens a 95% interval by a twentieth at most.
SHARE_OF_SE = 0.1


def area_bound(counts: Counts) -> float:
    """Return the largest error of the area of one group; NaN where a class has no cases.

    A pair of a positive and a negative in one cell counts 1/2, where its scores may say 0 or 1: at
    most 1/2 sum p_b n_b / (m n), over the cells b with more than one score.
    """
    pairs = counts.n_pos.sum() * counts.n_neg.sum()
    mixed = (counts.low < counts.high) * counts.n_pos * counts.n_neg
    return float(mixed.sum() / 2 / pairs) if pairs else math.nan


def delong_se(counts: Counts) -> float:
    """Return DeLong's standard error of the area of one group, ties in a cell counting 1/2."""
    p, n = counts.n_pos, counts.n_neg
    negatives_below = (np.cumsum(n) - n / 2) / n.sum()
    positives_above = 1 - (np.cumsum(p) - p / 2) / p.sum()
    return math.sqrt(_mean_variance(negatives_below, p) + _mean_variance(positives_above, n))


def _mean_variance(values: FloatArray, frequency: FloatArray) -> float:
    """Return the variance of a mean; that of one case is unknown, and counts as none."""
    total = frequency.sum()
    mean = np.sum(frequency * values) / total
    return float(np.sum(frequency * (values - mean) ** 2) / total / max(total - 1, 1))


def excess(counts: Counts, tolerance: float | None) -> float:
    """Return the largest ratio, over groups, of the bound to what is allowed.

    Allowed is ``tolerance``, or a tenth of the standard error without one.
    """
    largest = 0.0
    for each in counts.by_group():
        bound = area_bound(each)
        if bound > 0:  # not of NaN: a group of one class has no area
            allowed = SHARE_OF_SE * delong_se(each) if tolerance is None else tolerance
            largest = max(largest, bound / allowed if allowed else math.inf)
    return largest
