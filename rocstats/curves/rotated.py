"""ROC space rotated so that every curve is a function, for Campbell's bands [campbell-1994].

With h = FPR sqrt(n) + TPR sqrt(m) and lam = (TPR sqrt(m) - FPR sqrt(n))/2 a curve is lam(h) over
[0, sqrt(n) + sqrt(m)]; constant h is the direction (-1/sqrt(n), 1/sqrt(m)) of ROC space.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.roc import lowest_tpr_at, run_numbers, tpr_at
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.count_tables import ScoreCounts

AnyCounts = npt.NDArray[np.number[Any]]
"""Whole numbers, or sums of weights."""


class Rotation(NamedTuple):
    """The rotation for m positives and n negatives, given by their square roots."""

    root_pos: float
    root_neg: float

    @classmethod
    def of(cls, counts: ScoreCounts) -> Rotation:
        """Return the rotation for the numbers of positives and negatives of a count table."""
        return cls(float(np.sqrt(counts.total_pos)), float(np.sqrt(counts.total_neg)))

    @property
    def h_max(self) -> float:
        """Value of h at (1, 1), where every curve ends."""
        return self.root_pos + self.root_neg

    def turn(self, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return h and lam of points given by FPR and TPR."""
        along_pos, along_neg = tpr * self.root_pos, fpr * self.root_neg
        return along_neg + along_pos, (along_pos - along_neg) / 2

    def back(self, h: FloatArray, lam: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR of points given by h and lam."""
        return (h / 2 - lam) / self.root_neg, (h / 2 + lam) / self.root_pos

    def clip(self, h: FloatArray, lam: FloatArray) -> FloatArray:
        """Return lam at each h, moved to the edge of the unit square if outside."""
        # FPR >= 0 and TPR <= 1 bound lam from above, TPR >= 0 and FPR <= 1 from below.
        lowest = np.maximum(-h / 2, h / 2 - self.root_neg)
        highest = np.minimum(h / 2, self.root_pos - h / 2)
        return np.clip(lam, lowest, highest)


def turned_curve(
    n_pos: AnyCounts, n_neg: AnyCounts, rotation: Rotation
) -> tuple[FloatArray, FloatArray]:
    """Return h and lam of the vertices of curves, (0, 0) first, from the counts between them.

    The last axis runs along a curve; rates are shares of its sums.
    """
    fpr, tpr = (_cumulative_shares(counts) for counts in (n_neg, n_pos))
    return rotation.turn(fpr, tpr)


def counts_of_straight_curve_pieces(counts: ScoreCounts) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the number of each score's straight piece, and the class counts of each piece."""
    piece = run_numbers(counts.n_pos, counts.n_neg)
    pos, neg = (np.bincount(piece, of).astype(np.float64) for of in (counts.n_pos, counts.n_neg))
    return piece, pos, neg


def tpr_limits_of_fixed_width_band(
    counts: ScoreCounts, rotation: Rotation, half_width: float, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper TPR at each FPR of a band of fixed half width d in lam.

    U(t) = R(t + d/sqrt n) + d/sqrt m with the top of a vertical step, L(t) = R(t - d/sqrt n) -
    d/sqrt m with its bottom; clipped to [0, 1].
    """
    # A move of d in lam at constant h is d/sqrt n to the left and d/sqrt m upwards.
    fpr, tpr = (_cumulative_shares(c) for c in (counts.n_neg, counts.n_pos))
    aside, aloft = half_width / rotation.root_neg, half_width / rotation.root_pos
    high = tpr_at(fpr, tpr, np.minimum(at + aside, 1.0)) + aloft
    low = lowest_tpr_at(fpr, tpr, np.maximum(at - aside, 0.0)) - aloft
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _cumulative_shares(counts: AnyCounts) -> FloatArray:
    """Return 0 and the cumulative sums over the last axis, divided by the total."""
    shares = np.zeros((*counts.shape[:-1], counts.shape[-1] + 1))
    np.cumsum(counts, axis=-1, out=shares[..., 1:])
    shares /= shares[..., -1:].copy()  # a copy: the divisor is part of the array that changes
    return shares


def tpr_limits_of_rotated_band(
    rotation: Rotation, h: FloatArray, low: FloatArray, high: FloatArray, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper TPR at each FPR of a band given as limits of lam over h.

    h runs from 0 to h_max. The edges are clipped to the unit square and made monotone.
    """
    lower, upper = (rotation.back(h, rotation.clip(h, lam)) for lam in (low, high))
    low_fpr, low_tpr, high_fpr, high_tpr = map(_monotone_rate_of_rotated_band, (*lower, *upper))
    return lowest_tpr_at(low_fpr, low_tpr, at), tpr_at(high_fpr, high_tpr, at)


def _monotone_rate_of_rotated_band(rate: FloatArray) -> FloatArray:
    """Return the cumulative maxima of a rate that ends in 1."""
    # Rotating back is exact to rounding only: a rate may leave [0, 1], or miss 1 at its end.
    rising = np.clip(np.maximum.accumulate(rate), 0.0, 1.0)
    rising[-1] = 1.0
    return np.asarray(rising)
