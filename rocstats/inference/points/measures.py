"""Operating points of one predictor: every measure at them with its limits, and the columns.

Points lie at thresholds, or where one of the rates has a value. Scores in bins add bounds: how far
each measure is from that of all scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import RocPoints, called_positive, roc_points
from rocstats.errors import InputError
from rocstats.estimate.answers import below_chance_codes
from rocstats.estimate.bars import ClusterUnits, cluster_units
from rocstats.estimate.measure_limits import rogan_gladen_prevalence
from rocstats.estimate.measures import measure_at_thresholds, nan_for_meaningless_measure
from rocstats.estimate.rates import (
    Axis,
    RateBars,
    Reading,
    StudyPrevalence,
    bars_of_read_rate,
    measure_at_given_rates,
    read_curve_at_rates,
)
from rocstats.estimate.resample import ResamplePlan, enough_valid_resamples
from rocstats.estimate.resample_calls import effective_sizes, resample_calls, resampled_measure
from rocstats.estimate.tables import (
    MeasureWithLimits,
    PointPlan,
    PointTables,
    measure_without_limits,
    point_tables_at_vertices,
)
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.columns import POINT
from rocstats.facts.measures import Cells, class_of, depends_on_prevalence
from rocstats.facts.tolerances import FEW_CLUSTERS
from rocstats.frame.cutoffs import next_of_given
from rocstats.frame.make import Labels
from rocstats.frame.question import BINNING_ERROR
from rocstats.inference.points.options import MeasureRequest
from rocstats.study.base import sample_notes
from rocstats.study.binned import (
    extreme_samples_of_binned_scores,
    inside_bins,
    is_binned,
    largest_deviation,
)
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_sizes, effective_numbers
from rocstats.study.sample import Sample

# --- Measures at thresholds -----------------------------------------------------------------------


class PointMeasures(NamedTuple):
    """Columns of the points of a predictor, its measures there, and the notes of all rows.

    ``errors`` are the bounds of the measures of binned scores, None for exact ones.
    """

    columns: dict[str, FloatArray]
    measures: list[MeasureWithLimits]
    codes: list[str]
    n_resamples: int = 0
    errors: list[FloatArray] | None = None


def points_at_thresholds(
    sample: Sample,
    k: int,
    curve: RocPoints,
    thresholds: FloatArray | None,
    requests: Sequence[MeasureRequest],
    plan: PointPlan,
    joint_level: float | None,
    draws: ResamplePlan | None,
) -> PointMeasures:
    """Return every measure of predictor ``k`` at thresholds, None for all vertices of its curve.

    ``draws`` are the resamples of percentile limits, None for closed forms.
    """
    cases = sample.cases
    if thresholds is None:
        at, vertex = curve.threshold, np.arange(len(curve.threshold))
        after = curve.next_scores(at)
    else:
        at, vertex = thresholds, vertex_at(curve, thresholds)
        after = next_of_given(curve.next_scores(at), at)
    tables = point_tables_at_vertices(cases, k, curve, vertex)
    cells = tables.cells
    columns = (at, after, tables.fpr, tables.tpr, cells.fp, cells.tp)
    n_resamples = 0
    if draws is not None and not cases.lacks_class:
        n_resamples = draws.n_resamples
        measures = _resampled_measures(cases.pooled(), k, at, tables, requests, plan, draws)
    elif draws is not None or cases.sample_weight is not None:
        reason = "one-class" if draws is not None else "weights-need-bootstrap"
        measures = [_measure_without_counts(tables, one, plan, reason) for one in requests]
    else:
        measures = [
            measure_at_thresholds(tables, request.measure, request.prevalence, plan)
            for request in requests
        ]
    codes = class_and_fold_notes(cases)
    codes += [f"joint-level={joint_level:g}"] if joint_level is not None else []
    errors = (
        _binning_errors_at_thresholds(sample, k, curve, at, requests) if is_binned(sample) else None
    )
    return PointMeasures(
        dict(zip(POINT, columns, strict=True)), measures, codes, n_resamples, errors
    )


# Each call is a number of eight bytes, and is multiplied with the weights of all resamples.
_MOST_CALLS = 20_000_000


def _resampled_measures(
    cases: ScoredCases,
    k: int,
    thresholds: FloatArray,
    tables: PointTables,
    requests: Sequence[MeasureRequest],
    plan: PointPlan,
    draws: ResamplePlan,
) -> list[MeasureWithLimits]:
    """Return every measure of predictor ``k`` at thresholds, with percentile limits."""
    score, higher = cases.scores[k], cases.higher_is_positive[k]
    if len(thresholds) * len(score) > _MOST_CALLS:
        raise InputError(
            f"`threshold` must need at most {_MOST_CALLS} calls (thresholds times cases) with"
            f" interval='percentile'; got {len(thresholds)} thresholds of {len(score)} cases. Pass"
            " fewer thresholds."
        )
    called = np.array(
        [called_positive(score, t, higher_is_positive=higher) for t in thresholds.tolist()]
    )
    nothing = [
        nan_for_meaningless_measure(tables, request.measure, request.prevalence, plan)
        for request in requests
    ]
    asked = [
        (request.measure, request.prevalence)
        for request, found in zip(requests, nothing, strict=True)
        if found is None
    ]
    drawn, sizes = resample_calls(cases, called, asked, draws.at(k)), effective_sizes(cases)
    return [
        resampled_measure(tables, drawn, sizes, request.measure, request.prevalence, plan)
        if found is None
        else found
        for request, found in zip(requests, nothing, strict=True)
    ]


def _measure_without_counts(
    tables: PointTables, request: MeasureRequest, plan: PointPlan, reason: str
) -> MeasureWithLimits:
    """Return a measure without limits, and the note that says why."""
    nothing = nan_for_meaningless_measure(tables, request.measure, request.prevalence, plan)
    if nothing is not None:
        return nothing
    if request.measure == "true_prevalence" and plan.apparent is not None:
        found = rogan_gladen_prevalence(tables.tpr, tables.fpr, plan.apparent)
        return measure_without_limits(found).noted(reason)
    return measure_without_limits(request.value(tables.cells)).noted(reason)


def class_and_fold_notes(cases: ScoredCases) -> list[str]:
    """Return the notes on a class without a case, or without weight, and on pooled folds."""
    codes = ["one-class"] if cases.lacks_class else []
    return codes + (["pooled-folds"] if cases.fold is not None else [])


# --- Measures at rates ----------------------------------------------------------------------------


def points_at_rates(
    sample: Sample,
    k: int,
    curve: RocPoints,
    axis: Axis,
    rates: FloatArray,
    reading: Reading,
    bars: RateBars,
    requests: Sequence[MeasureRequest],
    plan: PointPlan,
    resamples: ResamplePlan,
) -> PointMeasures:
    """Return every measure of predictor ``k`` where a rate of its curve has given values."""
    cases, errors = sample.cases, None
    if is_binned(sample):
        errors = _binning_errors_at_rates(sample, k, curve, axis, rates, reading, requests)
    codes = class_and_fold_notes(cases)
    # Without one class there is no curve to read; the given rate alone is in the row.
    if min(cases.n_pos, cases.n_neg) == 0:
        nothing = np.full(len(rates), np.nan)
        columns = {**dict.fromkeys(POINT, nothing), axis: rates}
        measures = [measure_without_limits(nothing) for _ in requests]
        return PointMeasures(columns, measures, codes, errors=errors)
    points = read_curve_at_rates(curve, axis, rates, reading)
    # Between vertices counts are fractions of cases.
    n_pos, n_neg = float(curve.tp[-1]), float(curve.fp[-1])
    tp, fp = points.tpr * n_pos, points.fpr * n_neg
    columns = {
        "threshold": points.threshold,
        "next_score": curve.next_scores(points.threshold),
        "fpr": points.fpr,
        "tpr": points.tpr,
        "fp": fp,
        "tp": tp,
    }
    if cases.sample_weight is not None:
        tables = PointTables(Cells(tp, n_pos - tp, fp, n_neg - fp), n_pos, n_neg)
        # Sums of weights are not binomial.
        reason = "weights-need-bootstrap"
        measures = [_measure_without_counts(tables, one, plan, reason) for one in requests]
        return PointMeasures(columns, measures, codes, errors=errors)
    with enough_valid_resamples():
        read = bars_of_read_rate(cases.pooled(), k, points, bars, plan.level, resamples)
    prevalence = _study_prevalence(cases, curve, k)
    measures = [
        measure_at_given_rates(points, read, request.measure, request.prevalence, prevalence, plan)
        for request in requests
    ]
    return PointMeasures(columns, measures, [*read.codes, *codes], read.n_resamples, errors)


def _study_prevalence(cases: ScoredCases, curve: RocPoints, k: int) -> StudyPrevalence:
    """Return the share of positives in the sample and its variance, which clusters widen."""
    # The share is the same at every vertex: vertex 0 alone saves the tables of the others.
    tables = point_tables_at_vertices(cases, k, curve, np.zeros(1, dtype=np.intp))
    variance = float(np.max(tables.spread(own_prevalence=True).p))
    n = np.array([tables.n_pos + tables.n_neg])
    units = ClusterUnits(n, n, n)
    if cases.cluster is not None:
        units = cluster_units(cluster_sizes(cases).sum(axis=0, keepdims=True))
    return StudyPrevalence(tables.prevalence, variance, units)


# --- Scores in bins: how far each measure is from that of all scores ------------------------------


def _binning_errors_at_thresholds(
    sample: Sample,
    k: int,
    curve: RocPoints,
    thresholds: FloatArray,
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return the bound of each measure: 0 between bins, else from the corners of the bin."""
    vertex = vertex_at(curve, thresholds)
    # Every measure rises or falls with either rate, so that its extremes are at corners.
    end = vertex + inside_bins(sample, k, thresholds, vertex)
    corners = [(curve.tp[tp], curve.fp[fp]) for tp in (vertex, end) for fp in (vertex, end)]
    return _binning_errors_of_measures(curve, corners, requests)


def _binning_errors_at_rates(
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
            "`reading` must be 'interpolated' for binned scores, because the attained rates are"
            " not known; got 'attained'. Leave it out, or count the scores with exact=True."
        )
    if min(sample.n_pos, sample.n_neg) == 0:
        return [np.full(len(rates), np.nan) for _ in requests]
    curves = [
        curve,
        *(roc_points(one.cases.counts(k)) for one in extreme_samples_of_binned_scores(sample)),
    ]
    points = [read_curve_at_rates(one, axis, rates, reading) for one in curves]
    return _binning_errors_of_measures(
        curve, [(p.tpr * curve.tp[-1], p.fpr * curve.fp[-1]) for p in points], requests
    )


def _binning_errors_of_measures(
    curve: RocPoints,
    called: Sequence[tuple[FloatArray, FloatArray]],
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return how far each measure at the first true and false positives is from the others."""
    n_pos, n_neg = curve.tp[-1], curve.fp[-1]
    tables = [Cells(tp, n_pos - tp, fp, n_neg - fp) for tp, fp in called]
    errors = []
    for request in requests:
        values = [request.value(cells) for cells in tables]
        errors.append(largest_deviation(values[0], list(values[1:])))
    return errors


# --- Columns of the frame -------------------------------------------------------------------------

PointColumns = dict[str, Any]
"""Columns of texts (``Labels``) and of numbers, by point, then measure."""
_MEASURE_FIELDS = {
    "estimate": "estimate",
    "se": "se",
    "ci_low": "low",
    "ci_high": "high",
    "n_effective": "size",
}


def predictor_columns(
    sample: Sample,
    k: int,
    curve: RocPoints,
    points: PointMeasures,
    requests: Sequence[MeasureRequest],
    texts: Mapping[str, str],
    confidence_level: float,
) -> PointColumns:
    """Return the columns of predictor ``k``, by point, then measure; ``texts`` have one word."""
    cases, places = sample.cases, points.columns
    if is_binned(sample):  # a number between two bins may lie inside one of them
        places = {**places, "next_score": np.full(len(places["threshold"]), np.nan)}
    n, width = len(places["threshold"]), len(requests)
    alike = np.zeros(n * width, dtype=np.intp)
    words = {**texts, "direction": ">=" if cases.higher_is_positive[k] else "<="}
    numbers = {
        "confidence_level": confidence_level,
        "n_pos": cases.n_pos,
        "n_neg": cases.n_neg,
        "n_resamples": float(points.n_resamples),
    }
    common = [*points.codes, *sample_notes(sample), *below_chance_codes([sample], k)]
    notes = [
        _note_labels(result, [*_measure_notes(cases, request), *common])
        for request, result in zip(requests, points.measures, strict=True)
    ]
    of_measures = {
        column: np.stack([getattr(result, field) for result in points.measures], axis=1).ravel()
        for column, field in _MEASURE_FIELDS.items()
    }
    if points.errors is not None:
        of_measures[BINNING_ERROR] = np.stack(points.errors, axis=1).ravel()
    return {
        **{name: Labels([word], alike) for name, word in words.items()},
        "quantity": Labels([request.word for request in requests], np.tile(np.arange(width), n)),
        "method": _labels_interleaved_by_point(
            [_method_labels(result) for result in points.measures]
        ),
        "note": _labels_interleaved_by_point(notes),
        **{name: np.repeat(values, width) for name, values in places.items()},
        **{name: np.full(n * width, value) for name, value in numbers.items()},
        **of_measures,
        "prevalence": np.tile(_reported_prevalences(curve, points, requests), n),
    }


def _measure_notes(cases: ScoredCases, request: MeasureRequest) -> list[str]:
    """Return the notes on one measure; clusters are counted in its class (or classes)."""
    codes = [f"beta={float(request.measure[7:]):g}"] if request.word == "f_beta" else []
    if cases.cluster is None or cases.sample_weight is not None:
        return codes
    of_pos, of_neg = effective_numbers(cases)
    sizes = {"positives": of_pos, "negatives": of_neg, None: min(of_pos, of_neg)}
    few = sizes[class_of(request.measure)] < FEW_CLUSTERS
    return [*codes, "few-clusters"] if few else codes


def _reported_prevalences(
    curve: RocPoints, points: PointMeasures, requests: Sequence[MeasureRequest]
) -> list[float]:
    """Return the prevalence of each measure; NaN where none is used."""
    total = float(curve.tp[-1] + curve.fp[-1])
    # All weights of a group may be 0.
    of_study = float(curve.tp[-1]) / total if total > 0 else np.nan
    shares = []
    for request, result in zip(requests, points.measures, strict=True):
        share = of_study if request.prevalence is None else request.prevalence
        # The share of positives of a case-control study was chosen: it is no prevalence.
        used = depends_on_prevalence(request.measure) and "prevalence-needed" not in result.notes
        shares.append(share if used else np.nan)
    return shares


def _method_labels(result: MeasureWithLimits) -> Labels:
    """Return the method of a measure at each point; "none/none" where it has no limits."""
    codes = np.zeros(len(result.estimate), dtype=np.intp)
    words = [result.method, "none/none"]
    codes[np.isnan(result.low) & np.isnan(result.high)] = 1
    if result.otherwise is not None:
        where, word = result.otherwise
        words.append(word)
        # A rate that was given is known and needs no limits: "given/none", unless it is undefined.
        codes[where & (codes == 0 if word != "given/none" else ~np.isnan(result.estimate))] = 2
    return Labels(words, codes)


def _note_labels(result: MeasureWithLimits, common: Sequence[str]) -> Labels:
    """Return the notes of a measure at each point."""
    if not result.notes:
        labels = ["; ".join(dict.fromkeys(common))]
        return Labels(labels, np.zeros(len(result.estimate), dtype=np.intp))
    # Each combination of notes is a number, its bits, so that strings are joined once a combination
    # and not once a vertex.
    number = np.zeros(len(result.estimate), dtype=np.intp)
    names = list(result.notes)
    for bit, name in enumerate(names):
        number += result.notes[name].astype(np.intp) << bit
    present, codes = number[:1], np.zeros_like(number)
    if (number != present).any():  # as a rule all points have the same notes, and need no sort
        present, codes = np.unique(number, return_inverse=True)
    labels = []
    for bits in present:
        here = [name for bit, name in enumerate(names) if bits >> bit & 1]
        labels.append("; ".join(dict.fromkeys([*here, *common])))
    return Labels(labels, np.asarray(codes, dtype=np.intp))


def _labels_interleaved_by_point(columns: Sequence[Labels]) -> Labels:
    """Return the labels of several measures in the order of rows: point by point."""
    joined = _joined_point_labels(columns)
    table: IntArray = joined.codes.reshape(len(columns), -1).T
    return Labels(joined.labels, table.ravel())


def joined_columns(predictors: Sequence[PointColumns]) -> PointColumns:
    """Return the columns of several predictors, one below the other."""
    joined: PointColumns = {}
    for name, first in predictors[0].items():
        columns = [one[name] for one in predictors]
        texts = isinstance(first, Labels)
        joined[name] = _joined_point_labels(columns) if texts else np.concatenate(columns)
    return joined


def _joined_point_labels(columns: Sequence[Labels]) -> Labels:
    """Return label columns joined, the codes of each shifted past the labels before it."""
    if len(columns) == 1:
        return columns[0]
    # ``starts`` has one entry more than there are columns, the total: strict=False drops it.
    starts = np.cumsum([0, *(len(column.labels) for column in columns)])
    codes = [column.codes + start for column, start in zip(columns, starts, strict=False)]
    return Labels([label for column in columns for label in column.labels], np.concatenate(codes))


def distinct_notes(labels: Labels) -> list[str]:
    """Return the distinct notes in a column of notes."""
    used: list[int] = np.unique(labels.codes).tolist()
    return list(dict.fromkeys(c for i in used for c in labels.labels[i].split("; ") if c))
