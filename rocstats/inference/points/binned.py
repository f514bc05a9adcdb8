"""Operating points of scores known up to bins: how far each measure is from that of all scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.curves.points.measures import Cells, measure, shifted
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.errors import InputError
from rocstats.inference.points.columns import MeasureRequest
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.binned import extremes, inside_bins, largest_deviation
from rocstats.sample.sample import Sample
from rocstats.stats.points.readings import Axis, Reading, read_curve

Rates = tuple[FloatArray, FloatArray]
"""Positives and negatives called positive, at each place."""


def errors_at_thresholds(
    sample: Sample,
    k: int,
    curve: RocPoints,
    thresholds: FloatArray,
    vertex: IntArray,
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return the bound of each measure: 0 between bins, else from the corners of the bin."""
    # Every measure rises or falls with either rate, so that its extremes are at corners.
    end = vertex + inside_bins(sample, k, thresholds, vertex)
    corners = [(curve.tp[tp], curve.fp[fp]) for tp in (vertex, end) for fp in (vertex, end)]
    return _errors(curve, corners, requests)


def errors_at_rates(
    sample: Sample,
    k: int,
    curve: RocPoints,
    axis: Axis,
    rates: FloatArray,
    reading: Reading,
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return the bound of each measure where one rate is given: from the extreme curves."""
    if reading == "attained":
        # Which rates are attained inside a bin is unknown.
        raise InputError(
            "`reading` must be 'interpolated' for binned scores, where it is unknown which rates"
            " are attained; got 'attained'. Leave it out, or count the scores with exact=True."
        )
    if min(sample.n_pos, sample.n_neg) == 0:
        return [np.full(len(rates), np.nan) for _ in requests]
    curves = [curve, *(roc_points(one.cases.counts(k)) for one in extremes(sample))]
    points = [read_curve(one, axis, rates, reading) for one in curves]
    return _errors(curve, [(p.tpr * curve.tp[-1], p.fpr * curve.fp[-1]) for p in points], requests)


def _errors(
    curve: RocPoints, called: Sequence[Rates], requests: Sequence[MeasureRequest]
) -> list[FloatArray]:
    """Return how far each measure at the first calls is from those at the others."""
    n_pos, n_neg = curve.tp[-1], curve.fp[-1]
    tables = [Cells(tp, n_pos - tp, fp, n_neg - fp) for tp, fp in called]
    errors = []
    for request in requests:
        share = request.prevalence
        values = [
            measure(request.measure, cells if share is None else shifted(cells, share))
            for cells in tables
        ]
        errors.append(largest_deviation(values[0], list(values[1:])))
    return errors
