"""The area under the empirical curve, and the placements whose mean it is."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.tables import ScoreCounts


def placements(counts: ScoreCounts) -> tuple[FloatArray, FloatArray]:
    """Return the placement of a positive, and of a negative, at each distinct score.

    A positive's placement is the share of negatives below it, ties counting half (V10); a
    negative's is the share of positives above it, ties counting half (V01).
    """
    # From the least positive score up, as tables mostly lie in memory, and in place: with a million
    # distinct scores fresh arrays cost as much as the sums in them.
    n_pos, n_neg = counts.n_pos[::-1], counts.n_neg[::-1]
    v10, v01 = np.cumsum(n_neg), np.cumsum(n_pos)
    total_neg, total_pos = v10[-1], v01[-1]
    half = n_neg / 2
    v10 -= half
    v10 /= total_neg
    np.divide(n_pos, 2, out=half)
    np.subtract(total_pos, v01, out=v01)
    v01 += half
    v01 /= total_pos
    return v10[::-1], v01[::-1]


def weighted_sum(weight: FloatArray, values: FloatArray) -> float:
    """Return sum(weight * values)."""
    return float(weighted_sums(weight, values))


def weighted_sums(weight: FloatArray, values: FloatArray) -> FloatArray:
    """Return sum(weight * values) along the last axis."""
    # einsum is a plain loop; a BLAS dot product would wait for its threads on a busy machine.
    return np.asarray(np.einsum("...i,...i->...", weight, values))


def area(counts: ScoreCounts) -> float:
    """Return the AUC: P(positive above negative) + P(equal) / 2, the area by the trapezoid rule."""
    # Whole numbers of pairs, and halves, add up without rounding: one division, as in ``ranks``.
    n_neg = counts.n_neg[::-1]
    below = n_neg.cumsum() - n_neg / 2
    return weighted_sum(counts.n_pos, below[::-1]) / (counts.total_pos * counts.total_neg)
