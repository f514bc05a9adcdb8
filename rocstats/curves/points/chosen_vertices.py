"""The vertex of a curve that a criterion chooses, in a sample and in each of its resamples.

Arrays are (resamples x vertices).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from rocstats.curves.points.cutpoints import Criterion
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.tolerances import SAME

ThresholdAt = Literal["midpoint", "observed"]
THRESHOLDS_AT: tuple[ThresholdAt, ...] = get_args(ThresholdAt)

# From 2^52 on every double is a whole number, also one of a continuous score in a small unit.
_WHOLE_UP_TO = 2.0**52


def candidates(counts: ScoreCounts, criterion: Criterion) -> IntArray:
    """Return the vertices that a criterion can choose, in the sample and in its resamples.

    Vertex v calls the v most positive scores positive. For a rising criterion the candidates are
    vertex 0 and those after a score with positives and before a score with negatives.
    """
    # A resample has no scores that the sample lacks, so that the candidates hold for all resamples.
    if not criterion.rising:
        return np.arange(len(counts.score) + 1)
    before_negatives = np.append(counts.n_neg[1:] > 0, True)
    return np.append(0, np.flatnonzero((counts.n_pos > 0) & before_negatives) + 1)


def first_best(merit: FloatArray) -> IntArray:
    """Return the column of the first largest merit of each row, up to rounding."""
    # Merits that are equal in exact arithmetic may differ in the last bits. Their scale is that of
    # the first vertex where the best is 0 (a distance, a cost). Infinite merits, which the function
    # of a user may return, have no scale.
    best = merit.max(axis=1, keepdims=True)
    size = np.maximum(np.abs(best), np.abs(merit[:, :1]))
    with np.errstate(invalid="ignore"):
        least = best - SAME * np.where(np.isfinite(size), size, 0.0)
    return np.asarray((merit >= least).argmax(axis=1))


def choose(fp: Any, tp: Any, columns: IntArray, criterion: Criterion) -> IntArray:
    """Return the vertex that a criterion chooses in each row of cumulative counts.

    Of equally good vertices the strictest is chosen: the fewest cases called positive and, among
    thresholds that call the same cases positive, the first, which is an observed score.
    """
    n_pos, n_neg = (np.asarray(cumulative[:, -1:], dtype=np.float64) for cumulative in (tp, fp))
    if criterion.crossing:
        near = _around_crossing(fp, tp, n_pos, n_neg)
        fpr, tpr = (np.take_along_axis(c, near, 1) / n for c, n in ((fp, n_neg), (tp, n_pos)))
        best = first_best(criterion.merit(fpr, tpr, n_pos, n_neg))
        vertex = near[np.arange(len(near)), best]
    else:
        if len(columns) < tp.shape[1]:  # take copies: not done where every vertex is a candidate
            fpr, tpr = fp.take(columns, axis=1) / n_neg, tp.take(columns, axis=1) / n_pos
        else:
            fpr, tpr = fp / n_neg, tp / n_pos
        vertex = columns[first_best(criterion.merit(fpr, tpr, n_pos, n_neg))]
    # A resample may lack the score of a vertex, which then calls the same cases as the one before.
    moving = np.flatnonzero(vertex > 0)
    while len(moving):
        at = vertex[moving]
        same = (tp[moving, at] == tp[moving, at - 1]) & (fp[moving, at] == fp[moving, at - 1])
        vertex[moving[same]] -= 1
        moving = moving[same & (at > 1)]
    return np.asarray(vertex)


def last_alike(fp: Any, tp: Any, vertex: IntArray) -> IntArray:
    """Return the last vertex of each row that calls the same cases positive as a given one."""
    last, rows = np.array(vertex), np.arange(len(vertex))
    while len(rows):
        at = last[rows]
        rows = rows[at < tp.shape[1] - 1]
        at = last[rows]
        same = (tp[rows, at] == tp[rows, at + 1]) & (fp[rows, at] == fp[rows, at + 1])
        rows = rows[same]
        last[rows] += 1
    return last


class AlikeThresholds(NamedTuple):
    """Thresholds that call the same cases positive: from ``strict`` to before ``lax``.

    ``strict`` is an observed score, or beyond every score; ``lax`` is the next score on the other
    side, or infinite.
    """

    strict: FloatArray
    lax: FloatArray

    @classmethod
    def of(cls, curve: RocPoints, first: IntArray, last: IntArray) -> Self:
        """Return the thresholds of the first to the last of vertices that decide alike."""
        # Beyond the least positive score there is none: everybody is called positive there.
        ends = np.append(curve.threshold, -curve.threshold[0])
        return cls(ends[first], ends[last + 1])

    def at(self, threshold_at: ThresholdAt) -> FloatArray:
        """Return the observed score, or the midpoint where one lies strictly between both ends."""
        if threshold_at == "observed":
            return self.strict
        with np.errstate(invalid="ignore"):  # inf - inf
            # Halves first: the sum of two large scores is infinite.
            middle = self.strict / 2 + self.lax / 2
        # Adjacent doubles have no midpoint, and an infinite end has none that is a score.
        low, high = np.minimum(self.strict, self.lax), np.maximum(self.strict, self.lax)
        return np.where((low < middle) & (middle < high), middle, self.strict)


def reported_at(score: FloatArray, threshold_at: ThresholdAt) -> ThresholdAt:
    """Return where thresholds are reported: whole numbers (ratings, counts) stay observed."""
    finite = score[np.isfinite(score)]
    whole = bool(np.all((finite == np.rint(finite)) & (np.abs(finite) < _WHOLE_UP_TO)))
    return "observed" if whole else threshold_at


def _around_crossing(fp: Any, tp: Any, n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the vertices of each row among which tpr + fpr passes 1."""
    # A coarse search in steps of sqrt(width), then one step: 2 sqrt(width) vertices instead of all.
    width = tp.shape[1]
    step = max(int(np.sqrt(width)), 1)
    coarse = np.arange(0, width, step)
    passed = fp[:, coarse] / n_neg + tp[:, coarse] / n_pos
    start = step * (np.count_nonzero(passed < 1, axis=1) - 1)
    return np.asarray(np.minimum(start[:, np.newaxis] + np.arange(step + 1), width - 1))
