"""Averages of ROC curves: sampled at false positive rates or at thresholds, or merged.

Arrays only, without error bars. All curves of an average have the same direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.tolerances import SAME

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
