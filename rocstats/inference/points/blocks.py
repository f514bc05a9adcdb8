"""The points of one predictor, at thresholds or at rates, with every measure asked of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.measures import Cells, measure, shifted
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.inference.points.columns import MeasureRequest, PointBlock
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.base import row_codes
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample
from rocstats.stats.points.cluster_tables import cluster_tables
from rocstats.stats.points.measured import Measured, PointPlan, unlimited
from rocstats.stats.points.measures import measured
from rocstats.stats.points.rates import OwnPrevalence, RateBars, measured_at, read_rate
from rocstats.stats.points.readings import Axis, CurveReadings, Reading, read_curve
from rocstats.stats.points.tables import PointTables

_FEW_CLUSTERS = 30


@dataclass(frozen=True)
class PointQuestion:
    """What is asked; ``axis`` is None for thresholds, which are None for all of a curve."""

    axis: Axis | None
    places: dict[str, FloatArray] | None
    asked: list[MeasureRequest]
    points: PointPlan
    bars: RateBars
    reading: Reading
    joint_level: float | None
    n_resamples: int
    seed: int


def point_block(
    sample: Sample, texts: dict[str, str], g: int, k: int, plan: PointQuestion
) -> PointBlock:
    """Return the points of predictor ``k`` in group ``g`` with every measure."""
    cases = sample.cases
    higher = cases.higher_is_positive[k]
    curve = roc_points(cases.counts(k), higher_is_positive=higher)
    found = _at_thresholds if plan.axis is None else _at_rates
    place, measures, n_resamples, codes = found(cases, curve, texts["predictor"], g, k, plan)
    codes = [*codes, *row_codes(sample)]
    level, own = plan.points.level, float(curve.tp[-1] / (curve.tp[-1] + curve.fp[-1]))
    numbers = {"confidence_level": level, "n_pos": cases.n_pos, "n_neg": cases.n_neg}
    reading = "threshold" if plan.axis is None else plan.reading
    return PointBlock(
        {**texts, "direction": ">=" if higher else "<=", "reading": reading},
        {**numbers, "n_resamples": float(n_resamples)},
        place,
        plan.asked,
        measures,
        own,
        [[*_few_clusters(cases, one.measure), *codes] for one in plan.asked],
    )


Points = tuple[dict[str, FloatArray], list[Measured], int, list[str]]
"""Where points are, the measures at them, the number of resamples, and codes of all rows."""


def _at_thresholds(
    cases: ScoredCases, curve: RocPoints, name: str, g: int, k: int, plan: PointQuestion
) -> Points:
    if plan.places is None:
        thresholds, vertex = curve.threshold, np.arange(len(curve.threshold))
    else:
        thresholds = plan.places[name]
        vertex = vertex_at(curve, thresholds)
    tables = _tables(cases, curve, k, vertex)
    places = {
        "threshold": thresholds,
        "fpr": tables.fpr,
        "tpr": tables.tpr,
        "fp": tables.cells.fp,
        "tp": tables.cells.tp,
    }
    if cases.sample_weight is None:
        found = [measured(tables, one.measure, one.prevalence, plan.points) for one in plan.asked]
    else:
        found = [_weighted(tables, one) for one in plan.asked]
    codes = _common_codes(cases)
    codes += [f"joint-level={plan.joint_level:g}"] if plan.joint_level is not None else []
    return places, found, 0, codes


def _tables(cases: ScoredCases, curve: RocPoints, k: int, vertex: IntArray) -> PointTables:
    tp, fp = curve.tp[vertex], curve.fp[vertex]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    clustered = cases.cluster is not None and cases.sample_weight is None
    clusters = cluster_tables(cases, k, vertex) if clustered else None
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)


def _weighted(tables: PointTables, asked: MeasureRequest) -> Measured:
    """Return a measure of weighted cases, without limits."""
    cells = tables.cells if asked.prevalence is None else shifted(tables.cells, asked.prevalence)
    return unlimited(measure(asked.measure, cells)).noted("weights-need-bootstrap")


def _at_rates(
    cases: ScoredCases, curve: RocPoints, name: str, g: int, k: int, plan: PointQuestion
) -> Points:
    axis: Axis = plan.axis or "fpr"
    rates = (plan.places or {})[name]
    codes = _common_codes(cases)
    if min(cases.n_pos, cases.n_neg) == 0:
        nothing = np.full(len(rates), np.nan)
        given = {"fpr": nothing, "tpr": nothing, axis: rates}
        places = {"threshold": nothing, **given, "fp": nothing, "tp": nothing}
        return places, [unlimited(nothing) for _ in plan.asked], 0, codes
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
        return places, [_weighted(tables, one) for one in plan.asked], 0, codes
    seed = (plan.seed, g) if axis == "fpr" else (plan.seed, g, 1)
    with enough_valid_resamples():
        read = read_rate(
            cases.pooled(), k, points, plan.bars, plan.points.level, plan.n_resamples, seed
        )
    own = _own_prevalence(cases, curve, k)
    found = [
        measured_at(points, read, one.measure, one.prevalence, own, plan.points)
        for one in plan.asked
    ]
    return places, found, read.n_resamples, [*read.codes, *codes]


def _read_tables(points: CurveReadings, curve: RocPoints) -> PointTables:
    """Return the tables, which need not be whole, of points between vertices."""
    n_pos, n_neg = float(curve.tp[-1]), float(curve.fp[-1])
    tp, fp = points.tpr * n_pos, points.fpr * n_neg
    return PointTables(Cells(tp, n_pos - tp, fp, n_neg - fp), n_pos, n_neg)


def _own_prevalence(cases: ScoredCases, curve: RocPoints, k: int) -> OwnPrevalence:
    tables = _tables(cases, curve, k, np.zeros(1, dtype=np.intp))
    variance = float(np.max(tables.spread(own_prevalence=True).p))
    return OwnPrevalence(tables.prevalence, variance)


def _common_codes(cases: ScoredCases) -> list[str]:
    codes = ["one-class"] if min(cases.n_pos, cases.n_neg) == 0 else []
    return codes + (["pooled-folds"] if cases.fold is not None else [])


def _few_clusters(cases: ScoredCases, name: str) -> list[str]:
    """Return the doubt that few clusters hold a class that a measure is of."""
    if cases.cluster is None or cases.sample_weight is not None:
        return []
    of_pos, of_neg, _ = cluster_numbers(cases)
    n = {"tpr": of_pos, "fnr": of_pos, "fpr": of_neg, "tnr": of_neg}.get(name, min(of_pos, of_neg))
    return ["few-clusters"] if n < _FEW_CLUSTERS else []
