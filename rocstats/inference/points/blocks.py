"""The operating points of one predictor, at thresholds or at rates, with every measure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.measures import Cells, measure, shifted
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.inference.estimates.direction import direction_codes
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.inference.points.binned import errors_at_rates, errors_at_thresholds
from rocstats.inference.points.columns import MeasureRequest, PointBlock
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.base import row_codes
from rocstats.sample.binned import is_binned
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample
from rocstats.stats.points.cluster_tables import cluster_tables
from rocstats.stats.points.measured import Measured, PointPlan, unlimited
from rocstats.stats.points.measures import measured, without_answer
from rocstats.stats.points.rates import OwnPrevalence, RateBars, measured_at, read_rate
from rocstats.stats.points.ratio_measures import true_prevalence_value
from rocstats.stats.points.readings import Axis, CurveReadings, Reading, read_curve
from rocstats.stats.points.tables import PointTables
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import FEW_CLUSTERS


class PointQuestion(NamedTuple):
    """The request; ``axis`` is None for thresholds, ``places`` None for all vertices."""

    axis: Axis | None
    places: dict[str, FloatArray] | None
    requests: list[MeasureRequest]
    points: PointPlan
    bars: RateBars
    reading: Reading
    joint_level: float | None
    resamples: ResamplePlan


def point_block(
    sample: Sample, texts: dict[str, str], g: int, k: int, plan: PointQuestion
) -> PointBlock:
    """Return the points of predictor ``k`` in group ``g`` with every measure."""
    cases = sample.cases
    higher = cases.higher_is_positive[k]
    curve = roc_points(cases.counts(k), higher_is_positive=higher)
    evaluate = _at_thresholds if plan.axis is None else _at_rates
    place, measures, n_resamples, codes = evaluate(cases, curve, texts["predictor"], g, k, plan)
    codes = [*codes, *row_codes(sample), *direction_codes([sample], k)]
    level, total = plan.points.level, float(curve.tp[-1] + curve.fp[-1])
    # All weights of a group may be 0.
    own = float(curve.tp[-1]) / total if total > 0 else np.nan
    numbers = {"confidence_level": level, "n_pos": cases.n_pos, "n_neg": cases.n_neg}
    reading = "threshold" if plan.axis is None else plan.reading
    return PointBlock(
        {**texts, "direction": ">=" if higher else "<=", "reading": reading},
        {**numbers, "n_resamples": float(n_resamples)},
        place,
        plan.requests,
        measures,
        own,
        [
            [*_beta(request), *_few_clusters(cases, request.measure), *codes]
            for request in plan.requests
        ],
        _binning_errors(sample, curve, texts["predictor"], k, plan) if is_binned(sample) else None,
    )


def _beta(request: MeasureRequest) -> list[str]:
    """Return the note on the weight of recall in an F score."""
    return [f"beta={float(request.measure[7:]):g}"] if request.word == "f_beta" else []


def _binning_errors(
    sample: Sample, curve: RocPoints, name: str, k: int, plan: PointQuestion
) -> list[FloatArray]:
    """Return the bound of each measure at each point of binned scores."""
    if plan.axis is not None:
        rates = (plan.places or {})[name]
        return errors_at_rates(sample, k, curve, plan.axis, rates, plan.reading, plan.requests)
    thresholds = curve.threshold if plan.places is None else plan.places[name]
    vertex = vertex_at(curve, thresholds)
    return errors_at_thresholds(sample, k, curve, thresholds, vertex, plan.requests)


Points = tuple[dict[str, FloatArray], list[Measured], int, list[str]]
"""Columns of the points, the measures, the number of resamples, and the notes of all rows."""


def _at_thresholds(
    cases: ScoredCases, curve: RocPoints, name: str, g: int, k: int, plan: PointQuestion
) -> Points:
    if plan.places is None:
        thresholds, vertex = curve.threshold, np.arange(len(curve.threshold))
    else:
        thresholds = plan.places[name]
        vertex = vertex_at(curve, thresholds)
    tables = _tables(cases, curve, k, vertex)
    cells = tables.cells
    names = ("threshold", "fpr", "tpr", "fp", "tp")
    columns = (thresholds, tables.fpr, tables.tpr, cells.fp, cells.tp)
    measures = [
        measured(tables, request.measure, request.prevalence, plan.points)
        if cases.sample_weight is None
        else _weighted(tables, request, plan.points)
        for request in plan.requests
    ]
    codes = _common_codes(cases)
    codes += [f"joint-level={plan.joint_level:g}"] if plan.joint_level is not None else []
    return dict(zip(names, columns, strict=True)), measures, 0, codes


def _tables(cases: ScoredCases, curve: RocPoints, k: int, vertex: IntArray) -> PointTables:
    tp, fp = curve.tp[vertex], curve.fp[vertex]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    # With weights no limits are made, so that the sums by cluster are not needed.
    clustered = cases.cluster is not None and cases.sample_weight is None
    clusters = cluster_tables(cases, k, vertex) if clustered else None
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)


def _weighted(tables: PointTables, request: MeasureRequest, plan: PointPlan) -> Measured:
    """Return a measure of weighted cases, without limits: sums of weights are not binomial."""
    share = request.prevalence
    if (nothing := without_answer(tables, request.measure, share, plan)) is not None:
        return nothing
    if request.measure == "true_prevalence" and plan.apparent is not None:
        found = true_prevalence_value(tables.tpr, tables.fpr, plan.apparent)
        return unlimited(found).noted("weights-need-bootstrap")
    cells = tables.cells if share is None else shifted(tables.cells, share)
    return unlimited(measure(request.measure, cells)).noted("weights-need-bootstrap")


def _at_rates(
    cases: ScoredCases, curve: RocPoints, name: str, g: int, k: int, plan: PointQuestion
) -> Points:
    axis: Axis = plan.axis or "fpr"
    rates = (plan.places or {})[name]
    codes = _common_codes(cases)
    # Without one class there is no curve to read; the given rate alone is in the row.
    if min(cases.n_pos, cases.n_neg) == 0:
        nothing = np.full(len(rates), np.nan)
        given = {"fpr": nothing, "tpr": nothing, axis: rates}
        places = {"threshold": nothing, **given, "fp": nothing, "tp": nothing}
        return places, [unlimited(nothing) for _ in plan.requests], 0, codes
    points = read_curve(curve, axis, rates, plan.reading)
    places = {
        "threshold": points.threshold,
        "fpr": points.fpr,
        "tpr": points.tpr,
        "fp": points.fpr * curve.fp[-1],
        "tp": points.tpr * curve.tp[-1],
    }
    if cases.sample_weight is not None:
        tables = _read_tables(points, curve)
        return places, [_weighted(tables, one, plan.points) for one in plan.requests], 0, codes
    # Both axes resample the same cases, the classes exchanged: 1 keeps their streams apart.
    resamples = plan.resamples.at(g) if axis == "fpr" else plan.resamples.at(g, 1)
    with enough_valid_resamples():
        read = read_rate(cases.pooled(), k, points, plan.bars, plan.points.level, resamples)
    own = _own_prevalence(cases, curve, k)
    measures = [
        measured_at(points, read, request.measure, request.prevalence, own, plan.points)
        for request in plan.requests
    ]
    return places, measures, read.n_resamples, [*read.codes, *codes]


def _read_tables(points: CurveReadings, curve: RocPoints) -> PointTables:
    """Return the tables of points of the curve, with fractions of cases between vertices."""
    n_pos, n_neg = float(curve.tp[-1]), float(curve.fp[-1])
    tp, fp = points.tpr * n_pos, points.fpr * n_neg
    return PointTables(Cells(tp, n_pos - tp, fp, n_neg - fp), n_pos, n_neg)


def _own_prevalence(cases: ScoredCases, curve: RocPoints, k: int) -> OwnPrevalence:
    """Return the share of positives in the sample and its variance, which clusters widen."""
    # The share is the same at every vertex: vertex 0 alone saves the tables of the others.
    tables = _tables(cases, curve, k, np.zeros(1, dtype=np.intp))
    variance = float(np.max(tables.spread(own_prevalence=True).p))
    clustered = cases.cluster is not None
    n_units = cluster_numbers(cases)[2] if clustered else tables.n_pos + tables.n_neg
    return OwnPrevalence(tables.prevalence, variance, n_units)


def _common_codes(cases: ScoredCases) -> list[str]:
    codes = ["one-class"] if min(cases.n_pos, cases.n_neg) == 0 else []
    return codes + (["pooled-folds"] if cases.fold is not None else [])


def _few_clusters(cases: ScoredCases, name: str) -> list[str]:
    """Return the note on few clusters, counted in the class (or classes) of the measure."""
    if cases.cluster is None or cases.sample_weight is not None:
        return []
    of_pos, of_neg, _ = cluster_numbers(cases)
    n = {"tpr": of_pos, "fnr": of_pos, "fpr": of_neg, "tnr": of_neg}.get(name, min(of_pos, of_neg))
    return ["few-clusters"] if n < FEW_CLUSTERS else []
