"""Operating points of one predictor: where they lie, and every measure at them with its limits.

Points lie at thresholds, or where one of the rates has a value. Options that fit one of both places
are refused at the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import RocPoints
from rocstats.errors import InputError, require_choice, require_flag
from rocstats.estimate.answers import direction_codes
from rocstats.estimate.bars import ClusterUnits, cluster_units
from rocstats.estimate.measure_limits import true_prevalence_value
from rocstats.estimate.measures import measured, without_answer
from rocstats.estimate.rates import (
    Axis,
    CurveReadings,
    RateBars,
    Reading,
    StudyPrevalence,
    measured_at,
    read_curve,
    read_rate,
)
from rocstats.estimate.resample import ResamplePlan, enough_valid_resamples
from rocstats.estimate.tables import (
    Apparent,
    Measured,
    PointPlan,
    PointTables,
    RatioInterval,
    tables_at,
    unlimited,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import POINT
from rocstats.facts.measures import Cells, class_of, measure, shifted
from rocstats.facts.tolerances import FEW_CLUSTERS
from rocstats.facts.words import known_word
from rocstats.frame.cutoffs import next_of_given
from rocstats.inference.points.measures import (
    MeasureRequest,
    PointBlock,
)
from rocstats.study.base import row_codes
from rocstats.study.binned import is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_sizes, effective_numbers
from rocstats.study.points import number_array, read_rates, read_thresholds
from rocstats.study.sample import Sample

# --- Options: places and intervals ----------------------------------------------------------------

PointInterval = Literal[
    "wilson", "clopper-pearson", "mid-p", "agresti-coull", "jeffreys", "wald", "dkw"
]
POINT_INTERVALS: tuple[PointInterval, ...] = get_args(PointInterval)
RATE_BARS: tuple[RateBars, ...] = get_args(RateBars)


def read_places(
    sample: Sample, threshold: Any, fpr: Any, tpr: Any
) -> tuple[Axis | None, dict[str, FloatArray] | None]:
    """Return the axis of the given rate and its values by predictor.

    The axis is None for thresholds, the values are None for all vertices.
    """
    given = {
        name: value
        for name, value in (("threshold", threshold), ("fpr", fpr), ("tpr", tpr))
        if value is not None
    }
    # A yes/no test has a single cut.
    if not given and sample.from_tables:
        return None, read_thresholds(1.0, sample.predictors)
    if len(given) != 1:
        raise InputError(
            "`threshold` must be given, or `fpr`, or `tpr`, and only one of them; got"
            f" {', '.join(given) or 'none'}. Pass one."
        )
    axes: tuple[Axis, ...] = ("fpr", "tpr")
    for axis in axes:
        if axis in given:
            advice = "Pass rates, such as fpr=0.1."
            return axis, read_rates(given[axis], sample.predictors, argument=axis, advice=advice)
    # isinstance first: an array compared with a text gives an array.
    if isinstance(threshold, str) and known_word(threshold, ("all",)):
        return None, None
    return None, read_thresholds(threshold, sample.predictors)


def read_limit_options(
    sample: Sample,
    axis: Axis | None,
    interval: PointInterval | RateBars | None,
    ratio_interval: RatioInterval,
    reading: Reading,
    joint: bool,
    prevalence_cases: float | None,
) -> tuple[PointInterval | RateBars | None, RatioInterval, Reading]:
    """Return the words of the options; raise InputError unless they fit places and roles."""
    require_flag("joint", joint)
    reading = require_choice("reading", reading, ("interpolated", "attained"))
    ratio_interval = require_choice("ratio_interval", ratio_interval, ("score", "log"))
    interval = require_choice(
        "interval", interval, (None, *(POINT_INTERVALS if axis is None else RATE_BARS))
    )
    if axis is None and reading != "interpolated":
        raise InputError(
            "`reading` must be left out for thresholds, which are points of the curve; got"
            f" {reading!r}. Pass fpr= or tpr= instead, or leave it out."
        )
    # At a given rate one side of the rectangle has no width.
    if axis is not None and joint:
        raise InputError(
            f"`joint` must stay False where a rate is given; got True with {axis}=. Leave it out,"
            " or pass thresholds."
        )
    # The log limits of a ratio assume two independent binomials with a threshold fixed beforehand.
    if ratio_interval == "log" and (axis is not None or sample.cluster is not None):
        raise InputError(
            "`ratio_interval` must be left out where ratios have the limits of their rates: at"
            " rates, and with clusters; got 'log'. Leave it out."
        )
    # Binomial limits count cases; those of a cluster are worth fewer.
    if interval == "wilson-conditional" and sample.cluster is not None:
        raise InputError(
            "`interval` must not be 'wilson-conditional' for a study with clusters, whose cases"
            " are not independent; got 'wilson-conditional'. Pass 'wilson-effective-n'."
        )
    if interval == "dkw":
        _require_simultaneous(sample, ratio_interval, joint, prevalence_cases)
    return interval, ratio_interval, reading


def read_apparent(
    sample: Sample,
    axis: Axis | None,
    interval: str | None,
    requests: Sequence[MeasureRequest],
    beta: Any,
    apparent: Any,
) -> Apparent | None:
    """Return the calls in cases of unknown status; raise InputError for options without effect."""
    words = [request.word for request in requests]
    if beta is not None:
        _require_quantity("beta", beta, "f_beta", words)
    if "true_prevalence" not in words:
        if apparent is not None:
            _require_quantity("apparent_prevalence", apparent, "true_prevalence", words)
        return None
    # With one rate given, or limits for all thresholds at once, it has no limits that are known.
    if axis is not None or interval == "dkw" or is_binned(sample):
        raise InputError(
            "`quantities` must not hold 'true_prevalence' at given rates, with interval='dkw' or"
            " for binned scores, where it has no limits; got it. Pass thresholds and exact scores."
        )
    counts = number_array([] if apparent is None else apparent)
    if counts.shape != (2,) or not (0 <= counts[0] <= counts[1] and 1 <= counts[1] < np.inf):
        raise InputError(
            "`apparent_prevalence` must be (x, n) for 'true_prevalence': x of n cases of unknown"
            f" status called positive, 0 <= x <= n; got {apparent!r}. Pass for instance (30, 200)."
        )
    return Apparent(*counts.tolist())


def _require_quantity(argument: str, value: Any, word: str, words: Sequence[str]) -> None:
    if word not in words:
        raise InputError(
            f"`{argument}` must stay None unless `quantities` hold {word!r}; got {value!r}."
            f" Pass quantities=[{word!r}, ...]."
        )


def _require_simultaneous(
    sample: Sample, ratio_interval: RatioInterval, joint: bool, prevalence_cases: float | None
) -> None:
    """Raise InputError unless limits can hold for every threshold and both rates at once."""
    if sample.cluster is not None:
        raise InputError(
            "`interval` must not be 'dkw' for a study with clusters, whose cases are not"
            " independent; got 'dkw'. Pass 'wilson', for thresholds fixed beforehand."
        )
    if joint:
        raise InputError(
            "`joint` must stay False with interval='dkw', whose limits hold for both rates"
            " together already; got True. Leave it out."
        )
    if ratio_interval == "log":
        raise InputError(
            "`ratio_interval` must be left out with interval='dkw', where ratios have the limits"
            " of their rates; got 'log'. Leave it out."
        )
    # Limits of an estimated prevalence would need a share of the chance to miss.
    if prevalence_cases is not None:
        raise InputError(
            "`prevalence_cases` must be left out with interval='dkw', whose limits are for a known"
            f" prevalence; got {prevalence_cases!r}. Pass prevalence= alone."
        )


# --- Points of one predictor ----------------------------------------------------------------------


class PointMeasures(NamedTuple):
    """Columns of the points of a predictor, its measures there, and the notes of all rows."""

    columns: dict[str, FloatArray]
    measures: list[Measured]
    codes: list[str]
    n_resamples: int = 0


def point_block(
    sample: Sample,
    k: int,
    curve: RocPoints,
    points: PointMeasures,
    requests: Sequence[MeasureRequest],
    texts: dict[str, str],
    confidence_level: float,
    errors: Sequence[FloatArray] | None,
) -> PointBlock:
    """Return the rows of the points of predictor ``k``; ``texts`` are columns with one word."""
    cases = sample.cases
    columns = points.columns
    if is_binned(sample):  # a number between two bins may lie inside one of them
        columns = {**columns, "next_score": np.full(len(columns["threshold"]), np.nan)}
    codes = [*points.codes, *row_codes(sample), *direction_codes([sample], k)]
    total = float(curve.tp[-1] + curve.fp[-1])
    # All weights of a group may be 0.
    share = float(curve.tp[-1]) / total if total > 0 else np.nan
    notes = []
    for request in requests:
        beta = [f"beta={float(request.measure[7:]):g}"] if request.word == "f_beta" else []
        notes.append([*beta, *_few_clusters(cases, request.measure), *codes])
    return PointBlock(
        {**texts, "direction": ">=" if cases.higher_is_positive[k] else "<="},
        {
            "confidence_level": confidence_level,
            "n_pos": cases.n_pos,
            "n_neg": cases.n_neg,
            "n_resamples": float(points.n_resamples),
        },
        columns,
        requests,
        points.measures,
        share,
        notes,
        errors,
    )


def _class_and_fold_notes(cases: ScoredCases) -> list[str]:
    codes = ["one-class"] if min(cases.n_pos, cases.n_neg) == 0 else []
    return codes + (["pooled-folds"] if cases.fold is not None else [])


def _few_clusters(cases: ScoredCases, name: str) -> list[str]:
    """Return the note on few clusters, counted in the class (or classes) of the measure."""
    if cases.cluster is None or cases.sample_weight is not None:
        return []
    of_pos, of_neg = effective_numbers(cases)
    sizes = {"positives": of_pos, "negatives": of_neg, None: min(of_pos, of_neg)}
    n = sizes[class_of(name)]
    return ["few-clusters"] if n < FEW_CLUSTERS else []


# --- Points at thresholds -------------------------------------------------------------------------


def points_at_thresholds(
    cases: ScoredCases,
    k: int,
    curve: RocPoints,
    thresholds: FloatArray | None,
    requests: Sequence[MeasureRequest],
    plan: PointPlan,
    joint_level: float | None,
) -> PointMeasures:
    """Return every measure of predictor ``k`` at thresholds, None for all vertices of its curve."""
    is_given = thresholds is not None
    if thresholds is None:
        thresholds, vertex = curve.threshold, np.arange(len(curve.threshold))
    else:
        vertex = vertex_at(curve, thresholds)
    tables = tables_at(cases, k, curve, vertex)
    cells, after = tables.cells, curve.next_scores(thresholds)
    after = next_of_given(after, thresholds) if is_given else after
    columns = (thresholds, after, tables.fpr, tables.tpr, cells.fp, cells.tp)
    measures = [
        measured(tables, request.measure, request.prevalence, plan)
        if cases.sample_weight is None
        else _weighted_measure(tables, request, plan)
        for request in requests
    ]
    codes = _class_and_fold_notes(cases)
    codes += [f"joint-level={joint_level:g}"] if joint_level is not None else []
    return PointMeasures(dict(zip(POINT, columns, strict=True)), measures, codes)


def _weighted_measure(tables: PointTables, request: MeasureRequest, plan: PointPlan) -> Measured:
    """Return a measure of weighted cases, without limits: sums of weights are not binomial."""
    share = request.prevalence
    if (nothing := without_answer(tables, request.measure, share, plan)) is not None:
        return nothing
    if request.measure == "true_prevalence" and plan.apparent is not None:
        found = true_prevalence_value(tables.tpr, tables.fpr, plan.apparent)
        return unlimited(found).noted("weights-need-bootstrap")
    cells = tables.cells if share is None else shifted(tables.cells, share)
    return unlimited(measure(request.measure, cells)).noted("weights-need-bootstrap")


# --- Points at rates ------------------------------------------------------------------------------


def points_at_rates(
    cases: ScoredCases,
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
    codes = _class_and_fold_notes(cases)
    # Without one class there is no curve to read; the given rate alone is in the row.
    if min(cases.n_pos, cases.n_neg) == 0:
        nothing = np.full(len(rates), np.nan)
        columns = {**dict.fromkeys(POINT, nothing), axis: rates}
        return PointMeasures(columns, [unlimited(nothing) for _ in requests], codes)
    points = read_curve(curve, axis, rates, reading)
    columns = {
        "threshold": points.threshold,
        "next_score": curve.next_scores(points.threshold),
        "fpr": points.fpr,
        "tpr": points.tpr,
        "fp": points.fpr * curve.fp[-1],
        "tp": points.tpr * curve.tp[-1],
    }
    if cases.sample_weight is not None:
        tables = _read_tables(points, curve)
        measures = [_weighted_measure(tables, request, plan) for request in requests]
        return PointMeasures(columns, measures, codes)
    with enough_valid_resamples():
        read = read_rate(cases.pooled(), k, points, bars, plan.level, resamples)
    prevalence = _study_prevalence(cases, curve, k)
    measures = [
        measured_at(points, read, request.measure, request.prevalence, prevalence, plan)
        for request in requests
    ]
    return PointMeasures(columns, measures, [*read.codes, *codes], read.n_resamples)


def _read_tables(points: CurveReadings, curve: RocPoints) -> PointTables:
    """Return the tables of points of the curve, with fractions of cases between vertices."""
    n_pos, n_neg = float(curve.tp[-1]), float(curve.fp[-1])
    tp, fp = points.tpr * n_pos, points.fpr * n_neg
    return PointTables(Cells(tp, n_pos - tp, fp, n_neg - fp), n_pos, n_neg)


def _study_prevalence(cases: ScoredCases, curve: RocPoints, k: int) -> StudyPrevalence:
    """Return the share of positives in the sample and its variance, which clusters widen."""
    # The share is the same at every vertex: vertex 0 alone saves the tables of the others.
    tables = tables_at(cases, k, curve, np.zeros(1, dtype=np.intp))
    variance = float(np.max(tables.spread(own_prevalence=True).p))
    n = np.array([tables.n_pos + tables.n_neg])
    units = ClusterUnits(n, n, n)
    if cases.cluster is not None:
        units = cluster_units(cluster_sizes(cases).sum(axis=0, keepdims=True))
    return StudyPrevalence(tables.prevalence, variance, units)
