"""A mean rate over the curves of several test sets, with its error bars; bars of differences.

Bars are records: what they rest on, and the curves that they refuse. "binomial" is Fawcett's bar
with the sizes of the test sets [fawcett-2004], "effective" a Wilson interval with an effective
number of cases, "t" and "percentile" take the spread between curves. Differences have t limits over
pairs of curves, or MOVER from the bars of both rates [zou-2008].
Derivations: docs/methods/averages.md and docs/methods/effective-size.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.average import (
    merged,
    pooled_thresholds,
    threshold_average,
    vertex_at,
    vertical_average,
)
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.bars import (
    Bars,
    binomial_bars,
    each_level,
    effective_bars,
    mean_size,
    no_bars,
    percentile_bars,
    rounded_to_ends,
    t_bars,
)
from rocstats.estimate.proportions import RateInterval
from rocstats.estimate.quantiles import quantile
from rocstats.estimate.rates import ClassUnderCurve, clustered_rate_variance, clustered_size
from rocstats.estimate.resample import ResamplePlan, redrawn_notes
from rocstats.estimate.resample_curves import average_variance
from rocstats.facts.arrays import BoolArray, FloatArray, Limits, effective_size
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, NO_SPREAD, WHOLE
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers

# --- Bars: what each kind rests on, and the curves that it refuses --------------------------------

BarKind = Literal["binomial", "effective", "t", "percentile"]
BarRole = Literal["sets", "clustered sets", "spanning clusters", "repeats", "unnamed repeats"]
"""Curves of different cases, with clusters, with clusters that span folds; curves of the same
cases, and those without clusters that say which rows are one case."""


class BarRefusal(NamedTuple):
    """Why bars refuse a role: it continues "`bars` must not be 't'"; and what to pass instead."""

    why: str
    instead: str


_NO_REFUSALS: Mapping[BarRole, BarRefusal] = MappingProxyType({})


class AverageBars(NamedTuple):
    """A kind of bars.

    ``between_curves`` says that they come from the spread between the curves, of which a merged
    curve has none and which weights do not disturb; ``resamples`` that they draw at random.
    ``printed`` are the words that stand in ``method`` for what they rest on.
    """

    word: str
    printed: tuple[Word, ...]
    between_curves: bool = False
    resamples: bool = False
    refuses: Mapping[BarRole, BarRefusal] = _NO_REFUSALS


BINOMIAL = AverageBars(
    "binomial",
    (Word("binomial", "by the binomial distribution"),),
    refuses=MappingProxyType(
        {
            "clustered sets": BarRefusal(
                "for a study with clusters, whose cases are not independent",
                "Pass bars='effective', or independent=False if a cluster is one case that several"
                " folds repeat.",
            )
        }
    ),
)
EFFECTIVE = AverageBars(
    "effective",
    (
        Word("resamples", "by the standard deviation of resamples"),
        Word("clusters", "by the ratio estimator for clustered data"),
    ),
    resamples=True,
    refuses=MappingProxyType(
        {
            "unnamed repeats": BarRefusal(
                "with independent=False unless the study says which rows are one case",
                "Pass cluster= the case to the study.",
            )
        }
    ),
)
_OVER_CURVES = Word("curves", "by the standard deviation over curves")
STUDENT = AverageBars(
    "t",
    (_OVER_CURVES,),
    between_curves=True,
    refuses=MappingProxyType(
        {
            "spanning clusters": BarRefusal(
                "when clusters span folds, whose curves then share cases", "Pass bars='effective'."
            ),
            "repeats": BarRefusal(
                "for curves that share cases: more of them would shrink the bars without end",
                "Pass bars='percentile' or 'binomial'.",
            ),
        }
    ),
)
PERCENTILE = AverageBars(
    "percentile",
    (_OVER_CURVES,),
    between_curves=True,
    refuses=MappingProxyType(
        {
            "sets": BarRefusal(
                "for curves of different cases, whose percentiles are those of one curve, not of"
                " the mean",
                "Pass bars='t', or independent=False if the folds are resamples of one test set.",
            )
        }
    ),
)
AVERAGE_BARS: tuple[AverageBars, ...] = (BINOMIAL, EFFECTIVE, STUDENT, PERCENTILE)
_BARS_BY_WORD = {record.word: record for record in AVERAGE_BARS}


def average_bars(word: str) -> AverageBars:
    """Return the bars called ``word``."""
    return _BARS_BY_WORD[word]


PRINTED_LIMITS = (
    Word("wilson-effective-n", "by the method of Wilson with an effective sample size"),
    Word("t", "with quantiles of the t distribution"),
)
"""The words for limits of means of rates, and of their differences."""


# --- The plan of an average -----------------------------------------------------------------------

Kind = Literal["vertical", "threshold", "merged"]


class AveragePlan(NamedTuple):
    """The kind of average and its error bars; ``level`` is that of one bar."""

    kind: Kind
    bars: BarKind
    interval: RateInterval
    joint: bool
    independent: bool
    confidence_level: float
    n_samples: int
    draws: ResamplePlan

    @property
    def level(self) -> float:
        """Level of each bar."""
        # The classes are independent at a threshold: a box of two bars has the level of Sidak.
        return each_level(self.confidence_level) if self.joint else self.confidence_level


# --- Curves of the test sets, and the independent cases behind them -------------------------------


class AveragedCurves(NamedTuple):
    """The curves of predictor ``k`` in one group, and the rates or thresholds of the average.

    ``curves`` is the merged curve alone, or the curve of each of ``parts``; ``sizes`` has the
    numbers of independent cases behind a mean TPR ("tpr") and a mean FPR ("fpr").
    """

    cases: ScoredCases
    k: int
    parts: list[ScoredCases]
    curves: list[RocPoints]
    places: FloatArray
    sizes: dict[str, float]


def average_curves(
    cases: ScoredCases, k: int, places: FloatArray | None, plan: AveragePlan
) -> AveragedCurves:
    """Return the curves of predictor ``k``; without places, at their own thresholds."""
    higher = cases.higher_is_positive[k]
    parts = [part for _, part in cases.by_fold()]
    curves = [roc_points(part.counts(k), higher_is_positive=higher) for part in parts]
    at = pooled_thresholds(curves, plan.n_samples) if places is None else places
    if plan.kind == "merged":
        table = merged([part.counts(k) for part in parts], higher_is_positive=higher)
        curves = [roc_points(table, higher_is_positive=higher)]
    return AveragedCurves(cases, k, parts, curves, at, _case_numbers(cases, parts, plan))


def _case_numbers(
    cases: ScoredCases, parts: list[ScoredCases], plan: AveragePlan
) -> dict[str, float]:
    """Return the number of independent cases behind a mean rate of each class."""
    if not plan.independent and cases.cluster is not None:
        of_pos, of_neg, _ = cluster_numbers(cases)
        return {"tpr": float(of_pos), "fpr": float(of_neg)}
    # docs/methods/averages.md, "Vertical averaging": n = K^2/sum(1/P_i) for disjoint test sets.
    sizes = {
        axis: [_effective_cases(part, positive=axis == "tpr") for part in parts]
        for axis in ("tpr", "fpr")
    }
    if plan.independent and plan.kind == "merged":
        return {axis: sum(class_sizes) for axis, class_sizes in sizes.items()}
    # Repeats and resamples of one test set: a mean of K curves has the cases of one set, not of K.
    n_sets = 1 if plan.independent else len(parts)
    return {axis: mean_size(class_sizes) / n_sets for axis, class_sizes in sizes.items()}


def _effective_cases(cases: ScoredCases, *, positive: bool) -> float:
    """Return the number of cases of a class; with weights Kish's (sum w)^2 / sum w^2."""
    if cases.sample_weight is None:
        return cases.n_pos if positive else cases.n_neg
    chosen = cases.is_positive == positive
    times = 1.0 if cases.frequency is None else cases.frequency[chosen]
    return effective_size(cases.sample_weight[chosen], times)


def sampled_rates(averaged: AveragedCurves, plan: AveragePlan) -> dict[str, FloatArray]:
    """Return the rates of each curve (rows) at each place."""
    if plan.kind == "vertical":
        return {"tpr": vertical_average(averaged.curves, averaged.places).tpr}
    average = threshold_average(averaged.curves, averaged.places)
    return {"fpr": average.fpr, "tpr": average.tpr}


# --- A mean rate with its bars --------------------------------------------------------------------


class MeanRate(NamedTuple):
    """A mean rate at each place with its bars, the words of ``method``, and the notes."""

    estimate: FloatArray
    bars: Bars
    method: str
    method_without_width: str
    n_resamples: int
    codes: list[str]


def undefined_rates(
    cases: ScoredCases, k: int, places: FloatArray | None, plan: AveragePlan
) -> tuple[FloatArray, dict[str, MeanRate]]:
    """Return the places and NaN rates of a group that lacks a class."""
    if places is None:
        curve = roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        places = pooled_thresholds([curve], plan.n_samples)
    nothing = np.full(len(places), np.nan)
    none = MeanRate(nothing, no_bars(len(places)), "none/none", "", 0, ["one-class"])
    return places, dict.fromkeys(("tpr",) if plan.kind == "vertical" else ("fpr", "tpr"), none)


def mean_rate(
    averaged: AveragedCurves, axis: str, values: FloatArray, g: int, plan: AveragePlan
) -> MeanRate:
    """Average a rate over curves, with the requested error bars."""
    rate = rounded_to_ends(values.mean(axis=0))
    size, level = averaged.sizes[axis], plan.level
    codes = _row_notes(averaged, plan)
    if averaged.cases.sample_weight is not None and not average_bars(plan.bars).between_curves:
        codes = ["weights-need-bootstrap", *codes]
        # Weighted rates are not binomial: only the spread between curves allows for the weights.
        return MeanRate(rate, no_bars(len(rate)), "none/none", "", 0, codes)
    if plan.bars == "t":
        codes = [*(["single-curve"] if len(values) == 1 else []), *codes]
        return MeanRate(rate, t_bars(values, size, level), "curves/t", "curves/wilson", 0, codes)
    if plan.bars == "percentile":
        codes = [*_percentile_notes(averaged, axis, plan), *codes]
        bars = percentile_bars(values, size, level)
        return MeanRate(rate, bars, "curves/percentile", "curves/wilson", 0, codes)
    if plan.bars == "effective":
        return _mean_with_effective_bars(averaged, axis, rate, g, plan, codes)
    bars = binomial_bars(rate, size, plan.interval, level)
    return MeanRate(rate, bars, f"binomial/{plan.interval}", "binomial/wilson", 0, codes)


def _mean_with_effective_bars(
    averaged: AveragedCurves,
    axis: str,
    rate: FloatArray,
    g: int,
    plan: AveragePlan,
    codes: list[str],
) -> MeanRate:
    """Return a mean rate with bars of the effective sample size."""
    cases, n_resamples, source = averaged.cases, 0, "bootstrap"
    if plan.kind == "vertical":
        # At a given FPR the threshold is estimated too, which only resampling whole curves shows.
        spread = average_variance(cases, averaged.k, averaged.places, plan.draws.at(g))
        variance, n_resamples = spread.covariance[:, 0, 0], spread.n_resamples
        source = "resamples" if n_resamples else source
        codes = [*redrawn_notes(spread.n_redrawn), *codes]
    elif cases.cluster is not None:
        variance = clustered_rate_variance(_class_rows(averaged, positive=axis == "tpr"))
        source = "clusters"
    else:
        variance = _stratified_variance(averaged, axis)
    size, few = clustered_size(cases, variance, averaged.sizes[axis], positive=axis == "tpr")
    # A single cluster has the variance NaN: its bars are those of one case.
    bars = effective_bars(rate, size, np.nan_to_num(variance), plan.level)
    codes = [*few, *codes]
    return MeanRate(rate, bars, f"{source}/wilson-effective-n", "", n_resamples, codes)


def _stratified_variance(averaged: AveragedCurves, axis: str) -> FloatArray:
    """Return the bootstrap variance of a mean rate at thresholds: binomial in each curve."""
    average = threshold_average(averaged.curves, averaged.places)
    rates = average.tpr if axis == "tpr" else average.fpr
    # The last vertex calls every case: its counts are the sizes of the classes.
    totals = [curve.tp[-1] if axis == "tpr" else curve.fp[-1] for curve in averaged.curves]
    spread = rates * (1 - rates) / np.array(totals)[:, np.newaxis]
    return np.asarray(spread.sum(axis=0) / len(rates) ** 2)


def _class_rows(averaged: AveragedCurves, *, positive: bool) -> list[ClassUnderCurve]:
    """Return the cases of one class under each curve."""
    parts = averaged.parts if len(averaged.curves) > 1 else [averaged.cases]
    rows = []
    for part, curve in zip(parts, averaged.curves, strict=True):
        chosen = part.is_positive == positive
        frequency = np.ones(len(chosen)) if part.frequency is None else part.frequency
        codes, cluster = part.codes(averaged.k), part.cluster.codes  # type: ignore[union-attr]
        vertex = vertex_at(curve, averaged.places)
        rows.append(ClassUnderCurve(codes[chosen], cluster[chosen], frequency[chosen], vertex))
    return rows


# --- Notes ----------------------------------------------------------------------------------------


def _row_notes(averaged: AveragedCurves, plan: AveragePlan) -> list[str]:
    """Return the notes that every row of an average carries."""
    codes = []
    if plan.kind == "vertical":
        if min(part.n_neg for part in averaged.parts) < FEW_CASES_AT_RATE:
            codes.append("few-negatives-per-curve")
        if plan.bars == "binomial":
            codes.append("conditional-on-threshold")
    else:
        codes.append("pooled-folds" if plan.kind == "merged" else "folds-share-thresholds")
    if plan.joint:
        codes.append(f"joint-level={plan.confidence_level:g}")
    return codes


def _percentile_notes(averaged: AveragedCurves, axis: str, plan: AveragePlan) -> list[str]:
    n_curves = len(averaged.curves)
    # Rank ceil((K + 1) alpha/2) is 1 for any smaller K too: the limits are then the extremes.
    codes = ["few-curves"] if (n_curves + 1) * (1 - plan.level) / 2 < 1 - WHOLE else []
    class_sizes = [part.n_pos if axis == "tpr" else part.n_neg for part in averaged.parts]
    # Curves of less than half of the cases vary more than the mean over them does.
    if mean_size(class_sizes) / n_curves < averaged.sizes[axis] / 2:
        codes.append("curves-of-parts")
    return codes


# --- Bars of differences of rates -----------------------------------------------------------------


class DifferenceBars(NamedTuple):
    """Limits and standard errors of differences; ``unpaired`` marks places without pairing."""

    low: FloatArray
    high: FloatArray
    se: FloatArray
    unpaired: BoolArray


def no_differences(n_places: int) -> DifferenceBars:
    """Return bars of differences that are all NaN."""
    nothing = np.full(n_places, np.nan)
    return DifferenceBars(nothing, nothing, nothing, np.zeros(n_places, dtype=bool))


def paired_t_bars(differences: FloatArray, confidence_level: float) -> DifferenceBars:
    """Return t limits within [-1, 1] of mean differences over K pairs of curves (rows).

    NaN where the differences do not vary.
    """
    n_curves, n_places = differences.shape
    if n_curves == 1:
        return no_differences(n_places)
    mean = differences.mean(axis=0)
    se = differences.std(axis=0, ddof=1) / np.sqrt(n_curves)
    # The differences of K pairs are K independent values, whatever the pairing inside each.
    reach = quantile((1 + confidence_level) / 2, n_curves - 1) * se
    still = se <= NO_SPREAD
    low, high = np.maximum(mean - reach, -1.0), np.minimum(mean + reach, 1.0)
    return DifferenceBars(np.where(still, np.nan, low), np.where(still, np.nan, high), se, still)


def mover_bars(
    rates: FloatArray, bars: tuple[Bars, Bars], covariance: FloatArray, variances: FloatArray
) -> DifferenceBars:
    """Return limits of rates[0] - rates[1] from the bars of both and their correlation.

    With phi the correlation of resamples the lower limit is
    D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2), the upper limit likewise
    (Newcombe 1998, method 10; Zou & Donner 2008). Where that has no width phi is 0.
    """
    first, second = bars
    spread = np.sqrt(variances[0] * variances[1])
    phi = np.divide(covariance, spread, out=np.zeros(len(covariance)), where=spread > NO_SPREAD)
    # Covariance and variances are those of resamples: rounding can take |phi| past 1.
    phi = np.clip(phi, -1.0, 1.0)
    se2 = np.maximum(variances[0] + variances[1] - 2 * covariance, 0.0)

    def limits(phi: FloatArray) -> Limits:
        down1, up1 = rates[0] - first.low, first.high - rates[0]
        down2, up2 = rates[1] - second.low, second.high - rates[1]
        below = np.sqrt(np.maximum(down1**2 - 2 * phi * down1 * up2 + up2**2, 0.0))
        above = np.sqrt(np.maximum(up1**2 - 2 * phi * up1 * down2 + down2**2, 0.0))
        value = rates[0] - rates[1]
        return np.maximum(value - below, -1.0), np.minimum(value + above, 1.0)

    # Curves that move together in every resample would leave limits without width.
    unpaired = se2 <= NO_SPREAD
    low, high = limits(np.where(unpaired, 0.0, phi))
    return DifferenceBars(low, high, np.sqrt(se2), unpaired)
