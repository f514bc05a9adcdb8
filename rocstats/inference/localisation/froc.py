"""FROC and LROC curves: their points, rates read at a number of false marks, and resamples.

A FROC curve goes from (0, 0) through a point for each distinct rating: false marks per case and the
share of lesions found, by marks at or above it. Between points it is straight, and flat past its
end. The LROC curve has shares of cases in their place. Both are cumulative sums over marks with the
weight of their case, so that a resample of cases is another set of weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.estimate.bars import Bars, effective_size_bars
from rocstats.estimate.resample import ResamplePlan, draw_weights_of_units, enough_valid_resamples
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size
from rocstats.facts.tolerances import NO_SPREAD, SAME
from rocstats.inference.localisation.figures import units_of
from rocstats.study.cases import WeightedRows
from rocstats.study.detection import CurveMarks, DetectionSample

# --- Points ---------------------------------------------------------------------------------------


class Events(NamedTuple):
    """Marks of a curve from the highest rating down, and the sizes of its axes by case.

    ``weight`` is the size of a mark on its axis, of false marks (``is_false``) or of lesions found.
    ``ends`` are the places of the last mark of each distinct rating.
    """

    case: IntArray
    rating: FloatArray
    is_false: BoolArray
    weight: FloatArray
    ends: IntArray
    false_size: FloatArray
    found_size: FloatArray


def froc_events(part: DetectionSample, marks: CurveMarks, *, weighted: bool = False) -> Events:
    """Return the marks of a FROC curve; ``weighted`` gives each positive case the same weight."""
    seen = np.isfinite(marks.found)
    n = len(part.is_positive)
    weight = part.lesion_weight if weighted else np.ones(part.n_lesions)
    return _events(
        marks.false_case,
        marks.false_rating,
        part.lesion_case[seen],
        marks.found[seen],
        weight[seen],
        np.ones(n),
        np.bincount(part.lesion_case, weight, n).astype(np.float64),
    )


def lroc_events(part: DetectionSample, marks: CurveMarks) -> Events:
    """Return the highest false mark of each negative, and the mark of each located positive."""
    n = len(part.is_positive)
    false, found = np.full(n, -np.inf), np.full(n, -np.inf)
    np.maximum.at(false, marks.false_case, marks.false_rating)
    np.maximum.at(found, part.lesion_case, marks.found)
    negative = np.flatnonzero(~part.is_positive & np.isfinite(false))
    located = np.flatnonzero((found >= false) & np.isfinite(found))
    return _events(
        negative,
        false[negative],
        located,
        found[located],
        np.ones(len(located)),
        (~part.is_positive).astype(np.float64),
        part.is_positive.astype(np.float64),
    )


def _events(
    false_case: IntArray,
    false_rating: FloatArray,
    found_case: IntArray,
    found_rating: FloatArray,
    found_weight: FloatArray,
    false_size: FloatArray,
    found_size: FloatArray,
) -> Events:
    rating = np.concatenate([false_rating, found_rating])
    order = np.argsort(-rating, kind="stable")
    rating = rating[order]
    return Events(
        np.concatenate([false_case, found_case])[order],
        rating,
        (np.arange(len(rating)) < len(false_case))[order],
        np.concatenate([np.ones(len(false_case)), found_weight])[order],
        np.flatnonzero(np.append(rating[1:] != rating[:-1], True)) if len(rating) else _NONE,
        false_size,
        found_size,
    )


_NONE = np.empty(0, dtype=np.intp)


class CurvePoints(NamedTuple):
    """Points of a curve under weights of cases (r x points), from (0, 0) on."""

    false: FloatArray
    found: FloatArray


def curve_points(events: Events, weights: FloatArray) -> CurvePoints:
    """Return the points of a curve under r sets of weights of the cases (r x n)."""
    marks = weights[:, events.case] * events.weight
    axes = []
    for on, size in ((events.is_false, events.false_size), (~events.is_false, events.found_size)):
        through = np.cumsum(marks * on, axis=1)[:, events.ends]
        axes.append(np.pad(through / (weights @ size)[:, np.newaxis], ((0, 0), (1, 0))))
    return CurvePoints(*axes)


def found_at(points: CurvePoints, at: FloatArray) -> FloatArray:
    """Return the share found at numbers of false marks, or false positive rates (r x G).

    At a vertical part it is the top; between points the curve is straight, past its end flat.
    """
    read = np.empty((len(points.false), len(at)))
    for row, (x, y) in enumerate(zip(points.false, points.found, strict=True)):
        last = np.searchsorted(x, at + SAME, side="right") - 1
        following = np.minimum(last + 1, len(x) - 1)
        width = x[following] - x[last]
        share = np.zeros(len(at))
        np.divide(at - x[last], width, out=share, where=width > SAME)
        read[row] = y[last] + np.clip(share, 0, 1) * (y[following] - y[last])
    return read


# --- Resamples ------------------------------------------------------------------------------------


class Readings(NamedTuple):
    """Shares found of k curves at G places (k x G), of resamples (B x k x G), and codes of notes.

    ``end`` (k) is where each curve ends on the axis of false marks.
    """

    value: FloatArray
    draws: FloatArray
    end: FloatArray
    n_redrawn: int


def read_curves(
    part: DetectionSample, curves: Sequence[Events], at: FloatArray, plan: ResamplePlan
) -> Readings:
    """Return the shares found at places of the axis of false marks, and their resamples.

    All curves share the resamples of cases within each class, or of whole clusters.
    """
    one = np.ones((1, len(part.is_positive)))
    points = [curve_points(events, one) for events in curves]
    value = np.concatenate([found_at(each, at) for each in points])
    streams, rows = plan.streams(0), WeightedRows(cluster=part.cluster)
    strata = [np.flatnonzero(part.is_positive), np.flatnonzero(~part.is_positive)]

    def draw(size: int) -> FloatArray:
        weights = draw_weights_of_units(streams, rows, strata, size)
        # A resample of clusters may lack a class.
        sizes = weights @ np.column_stack([curves[0].false_size, curves[0].found_size])
        weights = weights[(sizes > 0).all(axis=1)]
        drawn = [found_at(curve_points(events, weights), at) for events in curves]
        return np.stack(drawn, axis=1)

    each = len(part.is_positive) + sum(len(events.rating) for events in curves)
    with enough_valid_resamples():
        found = plan.valid(each, draw, "reader-rates")
    end = np.array([each.false[0, -1] for each in points])
    return Readings(value, found.values, end, found.n_redrawn)


def covariance_of_draws(draws: FloatArray) -> FloatArray:
    """Return the covariance of k readings from their resamples (B x k)."""
    deviations = draws - draws.mean(axis=0)
    return np.asarray(deviations.T @ deviations / (len(draws) - 1))


# --- Limits of a share of lesions or cases --------------------------------------------------------


def share_bars(
    share: FloatArray, size: float, least: float, variance: FloatArray, level: float
) -> Bars:
    """Return Wilson's bars with the effective sample size of the variance.

    Where nothing varies, as if all or none are found, lesions of a case count together: ``least``
    is the number of independent units.
    """
    sizes = np.where(variance > NO_SPREAD, size, least)
    return effective_size_bars(share, sizes, variance, level)


def independent_positives(part: DetectionSample, *, lesions: bool) -> float:
    """Return Kish's effective number of positive cases or clusters, by their numbers of lesions."""
    units = units_of(part)
    sizes = (
        np.bincount(units[part.lesion_case]) if lesions else np.bincount(units[part.is_positive])
    )
    return effective_size(sizes)
