"""The vertex of a curve that a criterion chooses, in a sample and in each of its resamples.

Arrays are (resamples x vertices).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.curves.points.cutpoints import Criterion
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.tolerances import SAME


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


def _around_crossing(fp: Any, tp: Any, n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the vertices of each row among which tpr + fpr passes 1."""
    # A coarse search in steps of sqrt(width), then one step: 2 sqrt(width) vertices instead of all.
    width = tp.shape[1]
    step = max(int(np.sqrt(width)), 1)
    coarse = np.arange(0, width, step)
    passed = fp[:, coarse] / n_neg + tp[:, coarse] / n_pos
    start = step * (np.count_nonzero(passed < 1, axis=1) - 1)
    return np.asarray(np.minimum(start[:, np.newaxis] + np.arange(step + 1), width - 1))
