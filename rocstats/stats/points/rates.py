"""Every measure where one rate of the curve is given, and the other is read from the curve.

With sensitivity given, every other measure at a prevalence depends on specificity alone, in which
it is monotone, so that its limits follow from those of specificity; and the other way round.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.points.measures import cells_at, depends_on_prevalence, measure
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.bars import (
    Bars,
    binomial_bars,
    clustered_bars,
    effective_bars,
    rounded_to_ends,
)
from rocstats.stats.bands.clustered_rates import clustered_size
from rocstats.stats.intervals.rates.mover_arrays import Term, sum_limits
from rocstats.stats.points.measured import Measured, PointPlan, unlimited
from rocstats.stats.points.readings import CurveReadings
from rocstats.stats.points.tables import Spread, slopes
from rocstats.stats.resampling.curves.averages import average_variance
from rocstats.stats.resampling.streams import ResamplePlan, redrawn_notes
from rocstats.tolerances import FEW_CASES_AT_RATE

RateBars = Literal["wilson-effective-n", "wilson-conditional"]


class ReadRate(NamedTuple):
    """The bars of the rate that is read from the curve, their ``method``, and their notes."""

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
    rate = rounded_to_ends(points.read)
    if kind == "wilson-conditional":
        codes = ["conditional-on-threshold", *codes]
        return ReadRate(binomial_bars(rate, size, "wilson", level), f"binomial/{kind}", 0, codes)
    # A given TPR is a given FPR of the sample with its classes exchanged.
    mirror = sample if of_fpr else sample.exchanged()
    at = points.fpr if of_fpr else 1 - points.tpr
    spread = average_variance(mirror, k, at, plan)
    variance = spread.covariance[:, 0, 0]
    cases, few_clusters = clustered_size(sample, variance, size, positive=of_fpr)
    codes += few_clusters + redrawn_notes(spread.n_redrawn)
    source = "resamples" if spread.n_resamples else "bootstrap"
    bars = effective_bars(rate, cases, variance, level)
    return ReadRate(bars, f"{source}/wilson-effective-n", spread.n_resamples, codes)


class OwnPrevalence(NamedTuple):
    """The share of positives in a study of ``n_units`` cases or clusters, and its variance."""

    value: float
    variance: float
    n_units: float

    def term(self, level: float) -> Term:
        """Return the share with Wilson's limits."""
        # The size is that at which a binomial share has this variance, or the number of clusters
        # where all have the same share.
        value, variance = np.array([self.value]), np.array([self.variance])
        bars = clustered_bars(value, self.n_units, variance, "wilson", level)
        return Term(value, bars.low, bars.high)


def measured_at(
    points: CurveReadings,
    read: ReadRate,
    name: str,
    prevalence: float | None,
    own: OwnPrevalence,
    plan: PointPlan,
) -> Measured:
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
    own : OwnPrevalence
        Share of positives in the study.
    plan : PointPlan
        Methods and level of the limits.
    """
    depends = depends_on_prevalence(name)
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
    se = _se(points, name, read.bars, term.value, variance)
    result = Measured(estimate, low, high, se, read.bars.size, read.method)
    if prevalence is None and depends and plan.sampling is None:
        result = result.noted("study-prevalence")
    return _without_given(result).noted("no-calls", np.isnan(estimate))


def _value(points: CurveReadings, name: str, read: FloatArray, p: FloatArray) -> FloatArray:
    """Return a measure with other values of the rate that is read."""
    tpr, fpr = (read, points.fpr) if points.axis == "fpr" else (points.tpr, read)
    return measure(name, cells_at(tpr, fpr, p))


def _limits(
    points: CurveReadings, name: str, estimate: FloatArray, bars: Bars, prevalence: Term | None
) -> Limits:
    # 0.5 is any prevalence: the measure does not depend on it.
    p = np.array([0.5]) if prevalence is None else prevalence.value
    ends = [_value(points, name, read, p) for read in (bars.low, bars.high)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    if prevalence is None:
        return low, high
    moved = [_value(points, name, points.read, p) for p in (prevalence.low, prevalence.high)]
    # MOVER: the part of the prevalence has the estimate 0 and its own distances to both limits.
    of_rate = Term(estimate, low, high)
    of_prevalence = Term(
        np.zeros(len(estimate)), np.minimum(*moved) - estimate, np.maximum(*moved) - estimate
    )
    low, high = sum_limits([of_rate, of_prevalence])
    least = -1.0 if name in ("mcc", "kappa") else 0.0
    return np.maximum(low, least), np.minimum(high, 1.0)


def _se(
    points: CurveReadings, name: str, bars: Bars, prevalence: FloatArray, variance: float
) -> FloatArray:
    # The given rate is a constant: its variance is 0.
    given, read = np.zeros(len(bars.se)), bars.se**2
    t, f = (read, given) if points.axis == "fpr" else (given, read)
    with np.errstate(invalid="ignore", over="ignore"):
        spread = Spread(t, f, given, variance)
        total = spread.of(slopes(name, points.tpr, points.fpr, prevalence))
    return np.sqrt(np.where(np.isfinite(total), total, np.nan))


def _without_given(result: Measured) -> Measured:
    """Set the limits of measures fixed by the given rate to NaN."""
    given = (result.low == result.high) | np.isnan(result.low)
    kept = replace(result.blanked(given), otherwise=(given, "given/none"))
    return kept.noted("given-rate", given & ~np.isnan(result.estimate))
