"""Measures at a given rate of the curve, the other rate being read from the curve.

With sensitivity given, every other measure at a prevalence depends on specificity alone, in which
it is monotone, so that its limits follow from those of specificity; and the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.roc import RocPoints, tpr_at
from rocstats.estimate.bars import (
    Bars,
    ClusterUnits,
    binomial_bars,
    clustered_bars,
    effective_size_bars,
    rates_snapped_to_0_and_1,
)
from rocstats.estimate.proportions import MoverTerm, mover_sum_limits
from rocstats.estimate.resample import ResamplePlan, redrawn_notes
from rocstats.estimate.resample_curves import averaged_curve_variance
from rocstats.estimate.tables import (
    MeasureWithLimits,
    PointPlan,
    RateVariances,
    measure_slopes_in_rates,
    measure_without_limits,
)
from rocstats.facts.arrays import CodeArray, FloatArray, IntArray, Limits
from rocstats.facts.measures import cells_at, depends_on_prevalence, measure, range_of
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, FEW_CLUSTERS, NO_SPREAD, SAME
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import effective_numbers

# --- The points of a curve where one of its rates is given ----------------------------------------

Axis = Literal["fpr", "tpr"]
Reading = Literal["interpolated", "attained"]


class CurveReadings(NamedTuple):
    """Points of a curve at given rates of ``axis``; ``threshold`` is NaN between vertices."""

    axis: Axis
    threshold: FloatArray
    fpr: FloatArray
    tpr: FloatArray

    @property
    def given(self) -> FloatArray:
        """The rate that is given."""
        return self.fpr if self.axis == "fpr" else self.tpr

    @property
    def read(self) -> FloatArray:
        """The rate that is read off."""
        return self.tpr if self.axis == "fpr" else self.fpr


def read_curve_at_rates(
    curve: RocPoints, axis: Axis, rates: FloatArray, reading: Reading
) -> CurveReadings:
    """Return the points of a curve at rates of one axis.

    Parameters
    ----------
    curve : RocPoints
        A curve from (0, 0) to (1, 1).
    axis : {"fpr", "tpr"}
        The rate that is given.
    rates : ndarray, shape (G,)
        Rates in [0, 1].
    reading : {"interpolated", "attained"}
        On the line between vertices; or at the vertex with the largest FPR (least TPR) that does
        not go beyond (fall short of) the rate. Of a step, its best end.
    """
    # Rates given as decimals miss those of the curve by rounding: a rate within 1e-12 is attained.
    if axis == "fpr":
        vertex = np.searchsorted(curve.fpr, rates + SAME, side="right") - 1
    else:
        vertex = np.searchsorted(curve.tpr, rates - SAME, side="left")
    fpr, tpr = curve.fpr[vertex], curve.tpr[vertex]
    here = np.abs((fpr if axis == "fpr" else tpr) - rates) <= SAME
    if reading == "attained":
        return CurveReadings(axis, curve.threshold[vertex], fpr, tpr)
    threshold = np.where(here, curve.threshold[vertex], np.nan)
    if axis == "fpr":
        return CurveReadings(axis, threshold, rates, tpr_at(curve.fpr, curve.tpr, rates))
    # Axes exchanged, seen from (1, 1): the largest 1 - FPR at a given 1 - TPR is the least FPR.
    mirrored = tpr_at(1 - curve.tpr[::-1], 1 - curve.fpr[::-1], 1 - rates)
    return CurveReadings(axis, threshold, 1 - mirrored, rates)


# --- Clustered cases: the variance of a mean rate, and the size that its limits allow for ---------


class ClassUnderCurve(NamedTuple):
    """The cases of one class under a curve: place of their score, cluster and frequency.

    At place g the scores before ``vertex[g]`` of the count table are called positive.
    """

    codes: CodeArray
    cluster: IntArray
    frequency: FloatArray
    vertex: IntArray


def clustered_rate_variance(curves: Sequence[ClassUnderCurve]) -> FloatArray:
    """Return the variance at each place of the mean over curves of the rate called positive.

    The ratio estimator: influences are summed by cluster over all curves, and the variance is
    I/(I - 1) times the sum of their squares over the I clusters; NaN for one cluster.
    """
    present, codes = np.unique(
        np.concatenate([rows.cluster for rows in curves]), return_inverse=True
    )
    n = len(present)
    factor = n / (n - 1) if n > 1 else np.nan
    variance = np.empty(len(curves[0].vertex))
    for g in range(len(variance)):
        influence = np.concatenate([_rate_influence(rows, g) for rows in curves]) / len(curves)
        # Summed over curves before squaring: a subject of several folds is one unit.
        variance[g] = factor * np.sum(np.bincount(codes, weights=influence, minlength=n) ** 2)
    return variance


def _rate_influence(rows: ClassUnderCurve, g: int) -> FloatArray:
    total = rows.frequency.sum()
    called = (rows.codes < rows.vertex[g]).astype(np.float64)
    rate = np.dot(rows.frequency, called) / total
    return np.asarray(rows.frequency * (called - rate) / total)


def effective_size_of_clustered_rate(
    cases: ScoredCases, variance: FloatArray, size: float, *, positive: bool
) -> tuple[FloatArray | float, list[str]]:
    """Return the size that limits of a rate of one class allow for, with a note on few clusters.

    Without clusters the size is returned as given.
    """
    if cases.cluster is None:
        return size, []
    of_pos, of_neg = effective_numbers(cases)
    n_clusters = of_pos if positive else of_neg
    # Where clusters do not vary, the cases of one cluster must not count as many.
    sizes = np.where(variance > NO_SPREAD, size, min(n_clusters, size))
    return sizes, ["few-clusters"] if n_clusters < FEW_CLUSTERS else []


# --- The bars of the rate that is read ------------------------------------------------------------

RateBars = Literal["wilson-effective-n", "wilson-conditional"]


class ReadRate(NamedTuple):
    """The bars of the rate that is read from the curve, their ``method``, and their notes."""

    bars: Bars
    method: str
    n_resamples: int
    codes: list[str]


def bars_of_read_rate(
    sample: ScoredCases,
    k: int,
    points: CurveReadings,
    kind: RateBars,
    level: float,
    plan: ResamplePlan,
) -> ReadRate:
    """Return the bars of the rate that is read from the curve of predictor ``k``.

    Parameters
    ----------
    sample : ScoredCases
        Cases of both classes, without folds and weights.
    k : int
        The predictor.
    points : CurveReadings
        Where the curve is read.
    kind : {"wilson-effective-n", "wilson-conditional"}
        Whether the limits allow for the threshold being estimated.
    level : float in (0, 1)
        Level of the limits.
    plan : ResamplePlan
        Resamples where the bootstrap variance has no closed form.
    """
    of_fpr = points.axis == "fpr"
    size = sample.n_pos if of_fpr else sample.n_neg
    # The class of the given rate fixes the threshold, the other class the rate that is read.
    few = (sample.n_neg if of_fpr else sample.n_pos) < FEW_CASES_AT_RATE
    codes = ["few-cases-at-rate"] if few else []
    rate = rates_snapped_to_0_and_1(points.read)
    if kind == "wilson-conditional":
        codes = ["conditional-on-threshold", *codes]
        return ReadRate(binomial_bars(rate, size, "wilson", level), f"binomial/{kind}", 0, codes)
    # A given TPR is a given FPR of the sample with its classes exchanged.
    mirror = sample if of_fpr else sample.exchanged()
    at = points.fpr if of_fpr else 1 - points.tpr
    spread = averaged_curve_variance(mirror, k, at, plan)
    variance = spread.covariance[:, 0, 0]
    cases, few_clusters = effective_size_of_clustered_rate(sample, variance, size, positive=of_fpr)
    codes += few_clusters + redrawn_notes(spread.n_redrawn)
    source = "resamples" if spread.n_resamples else "bootstrap"
    bars = effective_size_bars(rate, cases, variance, level)
    return ReadRate(bars, f"{source}/wilson-effective-n", spread.n_resamples, codes)


# --- Every measure at the points that are read ----------------------------------------------------


class StudyPrevalence(NamedTuple):
    """The share of positives in a study, its variance, and its cases or clusters."""

    value: float
    variance: float
    units: ClusterUnits

    def term(self, level: float) -> MoverTerm:
        """Return the share with Wilson's limits."""
        # The size is that at which a binomial share has this variance, or the number of clusters
        # where all have the same share.
        value, variance = np.array([self.value]), np.array([self.variance])
        bars = clustered_bars(value, self.units, variance, "wilson", level)
        return MoverTerm(value, bars.low, bars.high)


def measure_at_given_rates(
    points: CurveReadings,
    read: ReadRate,
    name: str,
    prevalence: float | None,
    of_study: StudyPrevalence,
    plan: PointPlan,
) -> MeasureWithLimits:
    """Return a measure at every point; its limits come from those of the rate that is read.

    Parameters
    ----------
    points : CurveReadings
        Where the curve is read.
    read : ReadRate
        The bars of the rate that is read.
    name : str
        A key of ``MEASURES``.
    prevalence : float, optional
        Share of positives where the rule is used; by default that of the study.
    of_study : StudyPrevalence
        Share of positives in the study.
    plan : PointPlan
        Methods and level of the limits.
    """
    depends = depends_on_prevalence(name)
    if prevalence is None and depends and plan.sampling == "case-control":
        return measure_without_limits(np.full(len(points.fpr), np.nan)).noted("prevalence-needed")
    term, variance = plan.prevalence_term(of_study.value), 0.0
    if prevalence is not None:
        term = plan.prevalence_term(prevalence)
        variance = prevalence * (1 - prevalence) / plan.prevalence_cases
    elif depends:
        term, variance = of_study.term(plan.level), of_study.variance
    estimate = _measure_at(points, name, points.read, term.value)
    low, high = _limits_at(points, name, estimate, read.bars, term if depends else None)
    se = _se_at(points, name, read.bars, term.value, variance)
    result = MeasureWithLimits(estimate, low, high, se, read.bars.size, read.method)
    if prevalence is None and depends and plan.sampling is None:
        result = result.noted("study-prevalence")
    return _without_limits_of_fixed_measures(result).noted("no-calls", np.isnan(estimate))


def _measure_at(points: CurveReadings, name: str, read: FloatArray, p: FloatArray) -> FloatArray:
    """Return a measure with other values of the rate that is read."""
    tpr, fpr = (read, points.fpr) if points.axis == "fpr" else (points.tpr, read)
    return measure(name, cells_at(tpr, fpr, p))


def _limits_at(
    points: CurveReadings, name: str, estimate: FloatArray, bars: Bars, prevalence: MoverTerm | None
) -> Limits:
    # 0.5 is any prevalence: the measure does not depend on it.
    p = np.array([0.5]) if prevalence is None else prevalence.value
    ends = [_measure_at(points, name, read, p) for read in (bars.low, bars.high)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    if prevalence is None:
        return low, high
    moved = [_measure_at(points, name, points.read, p) for p in (prevalence.low, prevalence.high)]
    # MOVER: the part of the prevalence has the estimate 0 and its own distances to both limits.
    of_rate = MoverTerm(estimate, low, high)
    of_prevalence = MoverTerm(
        np.zeros(len(estimate)), np.minimum(*moved) - estimate, np.maximum(*moved) - estimate
    )
    low, high = mover_sum_limits([of_rate, of_prevalence])
    least, most = range_of(name)
    return np.maximum(low, least), np.minimum(high, most)


def _se_at(
    points: CurveReadings, name: str, bars: Bars, prevalence: FloatArray, variance: float
) -> FloatArray:
    # The given rate is a constant: its variance is 0.
    given, read = np.zeros(len(bars.se)), bars.se**2
    t, f = (read, given) if points.axis == "fpr" else (given, read)
    with np.errstate(invalid="ignore", over="ignore"):
        spread = RateVariances(t, f, given, variance)
        total = spread.of(measure_slopes_in_rates(name, points.tpr, points.fpr, prevalence))
    return np.sqrt(np.where(np.isfinite(total), total, np.nan))


def _without_limits_of_fixed_measures(result: MeasureWithLimits) -> MeasureWithLimits:
    """Set the limits of measures fixed by the given rate to NaN."""
    given = (result.low == result.high) | np.isnan(result.low)
    kept = replace(result.blanked(given), otherwise=(given, "given/none"))
    return kept.noted("given-rate", given & ~np.isnan(result.estimate))
