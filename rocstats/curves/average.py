"""Averages of ROC curves: over curves, over classes, and in rotated ROC space. Arrays only.

Curves of one direction are sampled at false positive rates or at thresholds, or merged; there are
no error bars here. Of several classes, decisions are pooled (micro) or curves averaged (macro).

ROC space is rotated so that every curve is a function, for Campbell's bands [campbell-1994]. With
h = FPR sqrt(n) + TPR sqrt(m) and lam = (TPR sqrt(m) - FPR sqrt(n))/2 a curve is lam(h) over
[0, sqrt(n) + sqrt(m)]; constant h is the direction (-1/sqrt(n), 1/sqrt(m)) of ROC space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.roc import Numbers, RocPoints, Ties, roc_columns, roc_points, run_numbers
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import SAME
from rocstats.study.cases import ClassCases
from rocstats.study.count_tables import ScoreCounts

# --- Curves sampled at rates or thresholds, or merged ---------------------------------------------

Rule = Literal["at-or-beyond", "printed"]


class CurveSamples(NamedTuple):
    """Points of K curves at G rates or thresholds: ``fpr`` and ``tpr`` have the shape (K, G)."""

    fpr: FloatArray
    tpr: FloatArray

    @property
    def mean_fpr(self) -> FloatArray:
        """Unweighted mean over the curves of the false positive rate, shape (G,)."""
        return np.asarray(self.fpr.mean(axis=0))

    @property
    def mean_tpr(self) -> FloatArray:
        """Unweighted mean over the curves of the true positive rate, shape (G,)."""
        return np.asarray(self.tpr.mean(axis=0))


def tpr_at(fpr: FloatArray, tpr: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the largest TPR of a curve at each FPR wanted, linear between its vertices.

    ``fpr`` is ascending from 0 to 1. A rate within 1e-12 of a vertex is that vertex.
    """
    # k/10 as a float need not be the float of the quotient of counts that it means. The last of
    # several vertices at a rate is the top of a vertical step.
    last = np.searchsorted(fpr, wanted + SAME, side="right") - 1
    following = np.minimum(last + 1, len(fpr) - 1)
    beyond, gap = wanted - fpr[last], fpr[following] - fpr[last]
    between = (beyond > SAME) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(len(wanted)), where=between)
    return np.asarray(tpr[last] + share * (tpr[following] - tpr[last]))


def vertical_average(curves: Sequence[RocPoints], fpr_grid: FloatArray) -> CurveSamples:
    """Return the curves sampled at false positive rates (Fawcett's algorithm 4).

    Parameters
    ----------
    curves : sequence of RocPoints
        Curves from (0, 0) to (1, 1).
    fpr_grid : ndarray, shape (G,)
        False positive rates in [0, 1].

    Notes
    -----
    R_i(t) is the largest TPR of curve i at FPR t: the top of a vertical step, linear between
    vertices. Two slips of the printed algorithm are corrected: it divides by its loop counter
    instead of the number of curves, and its scan may run past the last point (1, 1).
    """
    grid = np.asarray(fpr_grid, dtype=np.float64)
    tpr = np.stack([tpr_at(curve.fpr, curve.tpr, grid) for curve in curves])
    return CurveSamples(np.broadcast_to(grid, tpr.shape), tpr)


def threshold_average(
    curves: Sequence[RocPoints], thresholds: FloatArray, rule: Rule = "at-or-beyond"
) -> CurveSamples:
    """Return the curves sampled at thresholds (Fawcett's algorithm 5).

    Parameters
    ----------
    curves : sequence of RocPoints
        Curves of one direction; their scores need not have the same range.
    thresholds : ndarray, shape (G,)
        Thresholds on the user's scale; the infinite one in which a curve starts means beyond every
        score, even an infinite one.
    rule : {"at-or-beyond", "printed"}, default "at-or-beyond"
        Which cases are called positive. "at-or-beyond" calls those with a score at the threshold
        too, as everywhere in this package; "printed" only those strictly beyond it.

    Notes
    -----
    Where a point of algorithm 2 carries the score f(i) of the instance before which it is pushed,
    algorithm 5's "greatest score less than or equal to the threshold" is the point of the scores
    strictly beyond the threshold. (If a point carried the threshold that produces it, as in figure
    3, the same lookup would be one point too liberal for a curve without that score.) Below the
    least score the printed scan runs past its last point; here the result is (1, 1).
    """
    wanted = np.asarray(thresholds, dtype=np.float64)
    rows = [vertex_at(curve, wanted, rule) for curve in curves]
    return CurveSamples(
        np.stack([curve.fpr[row] for curve, row in zip(curves, rows, strict=True)]),
        np.stack([curve.tpr[row] for curve, row in zip(curves, rows, strict=True)]),
    )


def vertex_at(curve: RocPoints, thresholds: FloatArray, rule: Rule = "at-or-beyond") -> IntArray:
    """Return the index of the vertex of each threshold: the number of scores called positive."""
    beyond = curve.threshold[0]
    # searchsorted needs ascending scores; where higher scores are positive the thresholds descend.
    sign = -1.0 if beyond > 0 else 1.0
    side: Literal["left", "right"] = "right" if rule == "at-or-beyond" else "left"
    reached = np.searchsorted(sign * curve.threshold[1:], sign * thresholds, side=side)
    # The infinite threshold calls nobody positive, not even a case with an infinite score.
    return np.where(thresholds == beyond, 0, reached)


def pooled_thresholds(curves: Sequence[RocPoints], samples: int | None = None) -> FloatArray:
    """Return thresholds at which to sample curves of one direction, the infinite one first.

    Parameters
    ----------
    curves : sequence of RocPoints
        Curves of one direction.
    samples : int >= 2, optional
        Number of thresholds: the infinite first and the least (most liberal) last, evenly spaced
        by position among the distinct pooled scores. By default, and if there are fewer, all.

    Notes
    -----
    The printed algorithm 5 steps by int(length/samples), which is 0 when there are fewer
    thresholds than samples, may miss the last one, and counts equal scores more than once.
    """
    beyond = curves[0].threshold[0]
    distinct = np.unique(np.concatenate([curve.threshold[1:] for curve in curves]))
    pooled = np.concatenate([[beyond], distinct[::-1] if beyond > 0 else distinct])
    if samples is None or samples >= len(pooled):
        return pooled
    # Positions by integer division, which hits both ends exactly.
    return pooled[np.arange(samples) * (len(pooled) - 1) // (samples - 1)]


def merged(tables: Sequence[ScoreCounts], *, higher_is_positive: bool = True) -> ScoreCounts:
    """Return the count table of several test sets merged into one.

    Parameters
    ----------
    tables : sequence of ScoreCounts
        Count tables whose scores are comparable (section 6, first method).
    higher_is_positive : bool, default True
        Direction of the scores.
    """
    score, place = np.unique(np.concatenate([t.score for t in tables]), return_inverse=True)
    step = -1 if higher_is_positive else 1  # np.unique ascends; tables begin at the most positive
    n_pos, n_neg = (
        np.bincount(place, np.concatenate(column)).astype(np.float64, copy=False)[::step]
        for column in ([t.n_pos for t in tables], [t.n_neg for t in tables])
    )
    return ScoreCounts(score[::step], n_pos, n_neg)


# --- The average curve of several classes ---------------------------------------------------------


def macro_curve(curves: Sequence[RocPoints]) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the vertices of the vertical mean of curves, (0, 0) first.

    Where a curve has a vertical step the mean has one too: its bottom and top are vertices. The
    area under the mean is the mean of the areas.
    """
    rates = np.unique(np.concatenate([curve.fpr for curve in curves]))
    # Shares of one size, and the two sides of a mean that has no step, differ by rounding.
    rates = rates[np.diff(rates, prepend=-1.0) > SAME]
    rates[-1] = 1.0  # the end of every curve, whatever came just before
    top = np.mean([tpr_at(curve.fpr, curve.tpr, rates) for curve in curves], axis=0)
    # The bottom of a step is the top of the curve turned by 180 degrees.
    turned = [(1 - curve.fpr[::-1], 1 - curve.tpr[::-1]) for curve in curves]
    bottom = 1 - np.mean([tpr_at(fpr, tpr, 1 - rates) for fpr, tpr in turned], axis=0)
    rises = top - bottom > SAME
    fpr = np.repeat(rates, np.where(rises, 2, 1))
    tpr = np.stack([bottom, top], axis=1)[np.stack([rises, np.ones_like(rises)], axis=1)]
    return fpr, tpr


def average_columns(cases: ClassCases, average: str, ties: Ties, *, predictor: int) -> Numbers:
    """Return the number columns of an average curve; macro is NaN if a class has no cases."""
    if average == "micro":
        return roc_columns(roc_points(cases.pooled_counts(predictor=predictor), ties=ties))
    fpr, tpr = np.array([0.0, 1.0]), np.full(2, np.nan)
    if (cases.weight_of > 0).all():
        tables = [cases.counts(k, predictor=predictor) for k in range(cases.n_classes)]
        fpr, tpr = macro_curve([roc_points(counts, ties=ties) for counts in tables])
    unknown = np.full(len(fpr), np.nan)
    threshold = unknown.copy()  # a copy: the counts keep their NaN
    threshold[0] = np.inf
    return {
        "threshold": threshold,
        "next_score": unknown,
        "fpr": fpr,
        "tpr": tpr,
        "fp": unknown,
        "tp": unknown,
    }


# --- Rotated ROC space ----------------------------------------------------------------------------

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


def corner_counts(counts: ScoreCounts) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the number of each score's straight piece, and the class counts of each piece."""
    piece = run_numbers(counts.n_pos, counts.n_neg)
    pos, neg = (np.bincount(piece, of).astype(np.float64) for of in (counts.n_pos, counts.n_neg))
    return piece, pos, neg


def turned_curve(
    n_pos: AnyCounts, n_neg: AnyCounts, rotation: Rotation
) -> tuple[FloatArray, FloatArray]:
    """Return h and lam of the vertices of curves, (0, 0) first, from the counts between them.

    The last axis runs along a curve; rates are shares of its sums.
    """
    fpr, tpr = (_cumulative_shares(counts) for counts in (n_neg, n_pos))
    return rotation.turn(fpr, tpr)


def shifted_limits(
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
    low = _bottom(fpr, tpr, np.maximum(at - aside, 0.0)) - aloft
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def read_limits(
    rotation: Rotation, h: FloatArray, low: FloatArray, high: FloatArray, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper TPR at each FPR of a band given as limits of lam over h.

    h runs from 0 to h_max. The edges are clipped to the unit square and made monotone.
    """
    lower, upper = (rotation.back(h, rotation.clip(h, lam)) for lam in (low, high))
    low_fpr, low_tpr, high_fpr, high_tpr = map(_monotone, (*lower, *upper))
    return _bottom(low_fpr, low_tpr, at), tpr_at(high_fpr, high_tpr, at)


def _monotone(rate: FloatArray) -> FloatArray:
    """Return the cumulative maxima of a rate that ends in 1."""
    # Rotating back is exact to rounding only: a rate may leave [0, 1], or miss 1 at its end.
    rising = np.clip(np.maximum.accumulate(rate), 0.0, 1.0)
    rising[-1] = 1.0
    return np.asarray(rising)


def _cumulative_shares(counts: AnyCounts) -> FloatArray:
    """Return 0 and the cumulative sums over the last axis, divided by the total."""
    shares = np.zeros((*counts.shape[:-1], counts.shape[-1] + 1))
    np.cumsum(counts, axis=-1, out=shares[..., 1:])
    shares /= shares[..., -1:].copy()  # a copy: the divisor is part of the array that changes
    return shares


def _bottom(fpr: FloatArray, tpr: FloatArray, at: FloatArray) -> FloatArray:
    """Return the least TPR of a curve at each FPR, the bottom of a vertical step."""
    # The bottom of a step is the top of the curve turned by 180 degrees.
    return 1 - tpr_at(1 - fpr[::-1], 1 - tpr[::-1], 1 - at)
