"""Averages of ROC curves over curves and over classes. Arrays only.

Curves of one direction are sampled at false positive rates or at thresholds, or merged; there are
no error bars here. Of several classes, decisions are pooled (micro) or curves averaged (macro).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.roc import (
    Numbers,
    RocPoints,
    Ties,
    roc_columns,
    roc_points,
    tpr_at,
)
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
    # At the infinite threshold of the vertex (0, 0) no case is positive, whatever its score.
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


def merged_counts(tables: Sequence[ScoreCounts], *, higher_is_positive: bool = True) -> ScoreCounts:
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
