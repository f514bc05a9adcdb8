"""Every measure where one rate of the curve is given: the other is read off, with its limits.

With one rate given, every measure at a prevalence is monotone in the other: its limits are the
measure at the limits of that rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.measures import OF_PREVALENCE, cells_at, measure
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.bands.bars import (
    Bars,
    binomial_bars,
    effective_bars,
    rate_limits,
    rounded_to_ends,
)
from rocstats.stats.intervals.rates.mover_arrays import Term, sum_limits
from rocstats.stats.points.measures import Measured, PointPlan, unlimited
from rocstats.stats.points.tables import Spread, slopes
from rocstats.stats.resampling.curves.averages import average_variance

Axis = Literal["fpr", "tpr"]
Reading = Literal["interpolated", "attained"]
RateBars = Literal["wilson-effective-n", "wilson-conditional"]

_SAME_RATE = 1e-12
_NO_SPREAD = 1e-12
_FEW_CASES = 50
_FEW_CLUSTERS = 30


@dataclass(frozen=True, eq=False)
class CurveReadings:
    """Points of a curve where one rate, that of ``axis``, is given.

    ``threshold`` is NaN between vertices.
    """

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


def read_curve(curve: RocPoints, axis: Axis, rates: FloatArray, reading: Reading) -> CurveReadings:
    """Return the points of a curve at rates of one axis.

    Parameters
    ----------
    curve : RocPoints
        A curve from (0, 0) to (1, 1).
    axis : {"fpr", "tpr"}
        Which rate is given.
    rates : ndarray, shape (G,)
        Rates in [0, 1].
    reading : {"interpolated", "attained"}
        On the line between vertices; or at the vertex with the largest FPR (least TPR) that does
        not go beyond (fall short of) the rate. Of a step, its best end.
    """
    if axis == "fpr":
        vertex = np.searchsorted(curve.fpr, rates + _SAME_RATE, side="right") - 1
    else:
        vertex = np.searchsorted(curve.tpr, rates - _SAME_RATE, side="left")
    own = curve.fpr[vertex], curve.tpr[vertex]
    here = np.abs((own[0] if axis == "fpr" else own[1]) - rates) <= _SAME_RATE
    if reading == "attained":
        return CurveReadings(axis, curve.threshold[vertex], *own)
    threshold = np.where(here, curve.threshold[vertex], np.nan)
    if axis == "fpr":
        return CurveReadings(axis, threshold, rates, tpr_at(curve.fpr, curve.tpr, rates))
    mirrored = tpr_at(1 - curve.tpr[::-1], 1 - curve.fpr[::-1], 1 - rates)
    return CurveReadings(axis, threshold, 1 - mirrored, rates)


@dataclass(frozen=True, eq=False)
class ReadRate:
    """The rate that is read off with its bars, what they are called, and their doubts."""

    bars: Bars
    method: str
    n_resamples: int
    codes: list[str]


def read_rate(
    sample: ScoredCases,
    k: int,
    points: CurveReadings,
    kind: RateBars,
    level: float,
    n_resamples: int,
    seed: tuple[int, ...],
) -> ReadRate:
    """Return the bars of the rate that is read off the curve of predictor ``k``.

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
    n_resamples : int
        Number of resamples where the bootstrap variance has no closed form.
    seed : tuple of int
        What the resamples come from.
    """
    of_fpr = points.axis == "fpr"
    size = sample.n_pos if of_fpr else sample.n_neg
    few = (sample.n_neg if of_fpr else sample.n_pos) < _FEW_CASES
    codes = ["few-cases-at-rate"] if few else []
    rate = rounded_to_ends(points.read)
    if kind == "wilson-conditional":
        codes = ["conditional-on-threshold", *codes]
        return ReadRate(binomial_bars(rate, size, "wilson", level), f"binomial/{kind}", 0, codes)
    mirror = sample if of_fpr else sample.exchanged()
    at = points.fpr if of_fpr else 1 - points.tpr
    spread = average_variance(mirror, k, at, n_resamples, seed)
    variance = spread.covariance[:, 0, 0]
    cases: FloatArray | float = size
    if sample.cluster is not None:
        of_pos, of_neg, _ = cluster_numbers(sample)
        n_clusters = of_pos if of_fpr else of_neg
        # Where clusters do not vary, the cases of one must not count as many.
        cases = np.where(variance > _NO_SPREAD, size, min(float(n_clusters), size))
        codes += ["few-clusters"] if n_clusters < _FEW_CLUSTERS else []
    codes += [f"resamples-redrawn={spread.n_redrawn}"] if spread.n_redrawn else []
    source = "resamples" if spread.n_resamples else "bootstrap"
    bars = effective_bars(rate, cases, variance, level)
    return ReadRate(bars, f"{source}/wilson-effective-n", spread.n_resamples, codes)


@dataclass(frozen=True)
class OwnPrevalence:
    """The share of positives in a study, and its variance."""

    value: float
    variance: float

    def term(self, level: float) -> Term:
        """Return the share with Wilson's limits."""
        value = np.array([self.value])
        size = self.value * (1 - self.value) / self.variance
        return Term(value, *rate_limits(value, size, "wilson", level))


def measured_at(
    points: CurveReadings,
    read: ReadRate,
    name: str,
    prevalence: float | None,
    own: OwnPrevalence,
    plan: PointPlan,
) -> Measured:
    """Return a measure at every point; its limits come from those of the rate that is read off.

    Parameters
    ----------
    points : CurveReadings
        Where the curve is read.
    read : ReadRate
        The bars of the rate that is read off.
    name : str
        A key of ``MEASURES``.
    prevalence : float, optional
        Share of positives where the rule is used; by default that of the study.
    own : OwnPrevalence
        That of the study.
    plan : PointPlan
        Which limits.
    """
    depends = name in OF_PREVALENCE
    if prevalence is None and depends and plan.sampling == "case-control":
        return unlimited(np.full(len(points.fpr), np.nan)).noted("prevalence-needed")
    term, variance = plan.prevalence_term(own.value), 0.0
    if prevalence is not None:
        term = plan.prevalence_term(prevalence)
        variance = prevalence * (1 - prevalence) / plan.prevalence_cases
    elif depends:
        term, variance = own.term(plan.level), own.variance
    estimate = _value(points, name, points.read, term.value)
    low, high = _limits(points, name, estimate, read.bars, term if depends else None)
    found = Measured(
        estimate, low, high, _se(points, name, read.bars, term.value, variance),
        read.bars.size, read.method,
    )  # fmt: skip
    if prevalence is None and depends and plan.sampling is None:
        found = found.noted("study-prevalence")
    return _without_given(found).noted("no-calls", np.isnan(estimate))


def _value(points: CurveReadings, name: str, read: FloatArray, p: FloatArray) -> FloatArray:
    """Return a measure where the rate that is read off has other values."""
    tpr, fpr = (read, points.fpr) if points.axis == "fpr" else (points.tpr, read)
    return measure(name, cells_at(tpr, fpr, p))


def _limits(
    points: CurveReadings, name: str, estimate: FloatArray, bars: Bars, prevalence: Term | None
) -> tuple[FloatArray, FloatArray]:
    p = np.array([0.5]) if prevalence is None else prevalence.value
    ends = [_value(points, name, read, p) for read in (bars.low, bars.high)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    if prevalence is None:
        return low, high
    moved = [_value(points, name, points.read, p) for p in (prevalence.low, prevalence.high)]
    of_rate = Term(estimate, low, high)
    of_prevalence = Term(
        np.zeros(len(estimate)), np.minimum(*moved) - estimate, np.maximum(*moved) - estimate
    )
    low, high = sum_limits([of_rate, of_prevalence])
    least = -1.0 if name == "mcc" else 0.0
    return np.maximum(low, least), np.minimum(high, 1.0)


def _se(
    points: CurveReadings, name: str, bars: Bars, prevalence: FloatArray, variance: float
) -> FloatArray:
    nothing, own = np.zeros(len(bars.se)), bars.se**2
    t, f = (own, nothing) if points.axis == "fpr" else (nothing, own)
    with np.errstate(invalid="ignore", over="ignore"):
        found = Spread(t, f, nothing, variance).of(slopes(name, points.tpr, points.fpr, prevalence))
    return np.sqrt(np.where(np.isfinite(found), found, np.nan))


def _without_given(found: Measured) -> Measured:
    """Return no limits for what the given rate alone decides."""
    given = (found.low == found.high) | np.isnan(found.low)
    nan = np.where(given, np.nan, 0.0)
    kept = Measured(
        found.estimate, found.low + nan, found.high + nan, found.se + nan, found.size + nan,
        found.method, (given, "given/none"), found.notes,
    )  # fmt: skip
    return kept.noted("given-rate", given & ~np.isnan(found.estimate))
