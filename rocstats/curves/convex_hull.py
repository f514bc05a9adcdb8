"""The upper convex hull of the points of ROC curves: its vertices, edges and optimal vertex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.roc import RocPoints, roc_points
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import SAME
from rocstats.study.cases import ScoredCases


class Hull(NamedTuple):
    """Vertices of a hull from (0, 0) to (1, 1).

    ``owner`` is the number of the predictor that a vertex belongs to (the earliest of several), -1
    at the ends that all predictors share; ``tied`` marks vertices that several predictors share.
    """

    points: RocPoints
    owner: IntArray
    tied: BoolArray


def hull_of(points: RocPoints) -> RocPoints:
    """Return the hull vertices of a curve; a single vertex of NaN where a class has no members."""
    if not (points.fp[-1] > 0 and points.tp[-1] > 0):
        return RocPoints(*np.full((3, 1), np.nan))
    at = _distinct_points_of_curve(points.fp, points.tp)
    at = at[hull_vertices(points.fp[at], points.tp[at])]
    return RocPoints(points.threshold[at], points.fp[at], points.tp[at])


def hulls_of(cases: ScoredCases) -> list[RocPoints]:
    """Return the hull of the curve of each predictor."""
    return [
        hull_of(roc_points(cases.counts(k), higher_is_positive=higher))
        for k, higher in enumerate(cases.higher_is_positive)
    ]


def joint_hull(hulls: Sequence[RocPoints]) -> Hull:
    """Return the hull of several predictors on the same cases from the hull of each."""
    n, alone = len(hulls[0].fp), len(hulls) == 1
    if alone or np.isnan(hulls[0].fp[0]):
        return Hull(hulls[0], np.full(n, 0 if alone else -1), np.full(n, not alone))
    # Each predictor sums the weights of cases in its own order: equal sums differ in the last bits,
    # which would make two vertices of a shared one.
    fp = _equal_up_to_rounding(np.concatenate([hull.fp for hull in hulls]))
    tp = _equal_up_to_rounding(np.concatenate([hull.tp for hull in hulls]))
    threshold = np.concatenate([hull.threshold for hull in hulls])
    owner = np.repeat(np.arange(len(hulls)), [len(hull.fp) for hull in hulls])
    order = np.lexsort((owner, tp, fp))  # the last key sorts first; the owner breaks ties only
    fp, tp = fp[order], tp[order]
    first = _distinct_points_of_curve(fp, tp)
    tied = np.diff(first, append=len(fp)) > 1
    at = hull_vertices(fp[first], tp[first])
    chosen = order[first[at]]
    threshold, owner = threshold[chosen], owner[chosen]
    # Calling nobody or everybody positive takes no predictor, and thresholds have no common scale.
    threshold[[0, -1]], owner[[0, -1]] = np.nan, -1
    return Hull(RocPoints(threshold, fp[first[at]], tp[first[at]]), owner, tied[at])


def hull_vertices(x: FloatArray, y: FloatArray) -> IntArray:
    """Return the indices of the vertices of the upper convex hull, without points inside an edge.

    Points are sorted by x, at equal x by y, and distinct. A point on or below the line between its
    neighbours is no vertex, so all such points are left out at once, repeatedly.
    """
    at = np.arange(len(x))
    while True:
        dx, dy = np.diff(x), np.diff(y)
        # Products, not slopes: vertical edges need no division, and counts below 2^26 are exact.
        falls = dx[:-1] * dy[1:] < dy[:-1] * dx[1:]
        left = np.concatenate(([0], np.flatnonzero(falls) + 1, [len(x) - 1]))
        # A round costs O(n): while each leaves out a tenth, all rounds together cost at most 10 n.
        # From there on the chain finishes in one linear pass, in Python and so slower per point.
        few_went = len(left) > 0.9 * len(x)
        if len(left) == len(x):
            return at
        x, y, at = x[left], y[left], at[left]
        if few_went:
            return at[_hull_by_monotone_chain(x.tolist(), y.tolist())]


def _hull_by_monotone_chain(x: list[float], y: list[float]) -> list[int]:
    """Return the indices of the vertices by one pass that drops points under a later edge."""
    # Andrew 1979, the upper half of the monotone chain.
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (x[b] - x[a]) * (y[i] - y[b]) < (y[b] - y[a]) * (x[i] - x[b]):
                break
            kept.pop()
        kept.append(i)
    return kept


def _distinct_points_of_curve(x: FloatArray, y: FloatArray) -> IntArray:
    """Return the indices of points that differ from the point before them."""
    moves = np.ones(len(x), dtype=bool)
    moves[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    return np.flatnonzero(moves)


def _equal_up_to_rounding(values: FloatArray) -> FloatArray:
    """Set values that differ by rounding only (sums of weights) to the least of them."""
    order = np.argsort(values)
    ascending = values[order]
    # Relative to the largest count, since sums are accumulated up to it.
    new = np.diff(ascending, prepend=-np.inf) > SAME * ascending[-1]
    equal = np.empty_like(values)
    equal[order] = ascending[new][np.cumsum(new) - 1]
    return equal


def edge_slopes(hull: RocPoints) -> FloatArray:
    """Return the slope of each edge of a hull in the unit square, infinite if it is vertical."""
    with np.errstate(divide="ignore"):
        slopes: FloatArray = np.diff(hull.tp) / np.diff(hull.fp) * (hull.fp[-1] / hull.tp[-1])
    return slopes


def optimal_vertex(hull: RocPoints, slope: float) -> int:
    """Return the vertex that iso-performance lines of a slope touch; of an edge, its lower end."""
    # Slopes fall along a hull, so the number of steeper edges is the index of the vertex. An edge
    # that is parallel up to rounding (slopes come from quotients of costs) does not count.
    return int(np.count_nonzero(edge_slopes(hull) > slope * (1 + SAME)))


def curve_prevalence(points: RocPoints) -> float:
    """Return the share of positives among the cases (or weights) of a curve."""
    return float(points.tp[-1] / (points.tp[-1] + points.fp[-1]))
