"""Concavities of a curve, and the point reached by inverting the decisions inside one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rocstats.curves.costs.convex_hull import hull_vertices
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray, IntArray


def depth_below_chord(points: RocPoints, a: int, c: int) -> FloatArray:
    """Return the depth of the vertices from a to c below the chord from a to c.

    The unit is a product of counts; vertices above the chord have a negative depth.
    """
    # A cross product instead of a distance: exact for counts below 2^26.
    fp = points.fp[a : c + 1] - points.fp[a]
    tp = points.tp[a : c + 1] - points.tp[a]
    return np.asarray(tp[-1] * fp - fp[-1] * tp)


def find_concavities(points: RocPoints) -> IntArray:
    """Return the vertices A, B and C of each concavity, a row each, from left to right.

    A and C are neighbours on the convex hull, B is the vertex deepest below their chord (the most
    conservative of several). The curve runs from (0, 0) to (1, 1) without repeated vertices.
    """
    concavities = []
    for a, c in pairwise(hull_vertices(points.fp, points.tp).tolist()):
        depth = depth_below_chord(points, a, c)
        b = int(np.argmax(depth))
        if depth[b] > 0:
            concavities.append((a, a + b, c))
    return np.array(concavities, dtype=np.intp).reshape(-1, 3)  # (0, 3) for a concave curve


def reflected(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]
) -> tuple[float, float]:
    """Return A + C - B: B reflected in the middle of AC (Flach & Wu 2003)."""
    return a[0] + c[0] - b[0], a[1] + c[1] - b[1]


def segment_table(points: RocPoints, a: int, b: int, c: int) -> FloatArray:
    """Return positives (first row) and negatives between A and B, and between B and C."""
    return np.array([np.diff(points.tp[[a, b, c]]), np.diff(points.fp[[a, b, c]])])
