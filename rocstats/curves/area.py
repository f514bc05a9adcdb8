"""The area under the empirical curve, and the placements it is the mean of."""

from __future__ import annotations

import numpy as np

from rocstats.sample.counts import ScoreCounts
from rocstats.sample.vectors import FloatArray


def placements(counts: ScoreCounts) -> tuple[FloatArray, FloatArray]:
    """Return the placement of a positive, and of a negative, at each distinct score.

    A positive's placement is the share of negatives below it, ties counting half (V10); a
    negative's is the share of positives above it, ties counting half (V01).
    """
    neg_at_or_above = np.cumsum(counts.n_neg)
    pos_at_or_above = np.cumsum(counts.n_pos)
    total_neg, total_pos = neg_at_or_above[-1], pos_at_or_above[-1]
    v10 = (total_neg - neg_at_or_above + counts.n_neg / 2) / total_neg
    v01 = (pos_at_or_above - counts.n_pos / 2) / total_pos
    return v10, v01


def area(counts: ScoreCounts) -> float:
    """Return the AUC: P(positive above negative) + P(equal)/2, the trapezoid area."""
    v10, _ = placements(counts)
    return float(np.dot(counts.n_pos, v10) / counts.total_pos)
