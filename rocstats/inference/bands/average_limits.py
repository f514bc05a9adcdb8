"""A mean rate over the curves of several test sets, with its error bars.

Bars are records: what they rest on, and the curves that they refuse. "binomial" is Fawcett's bar
with the sizes of the test sets [fawcett-2004], "effective" a Wilson interval with an effective
number of cases, "t" and "percentile" take the spread between curves.
Derivations: docs/methods/averages.md and docs/methods/effective-size.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.average import (
    merged_counts,
    pooled_thresholds,
    threshold_average,
    vertex_at,
    vertical_average,
)
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.errors import InputError
from rocstats.estimate.bars import (
    Bars,
    binomial_bars,
    binomial_size_of_mean_rate,
    effective_size_bars,
    percentile_bars,
    rates_snapped_to_0_and_1,
    sidak_level_of_each_axis,
    t_bars,
    undefined_bars,
)
from rocstats.estimate.proportions import RateInterval
from rocstats.estimate.rates import (
    ClassUnderCurve,
    clustered_rate_variance,
    effective_size_of_clustered_rate,
)
from rocstats.estimate.resample import ResamplePlan, redrawn_notes
from rocstats.estimate.resample_curves import averaged_curve_variance
from rocstats.facts.arrays import FloatArray, effective_size
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, WHOLE
from rocstats.study.base import require_cases
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers
from rocstats.study.sample import Sample

# --- Bars: what each kind rests on, and the curves that it refuses --------------------------------

BarKind = Literal["binomial", "effective", "t", "percentile"]
BarRole = Literal["sets", "clustered sets", "spanning clusters", "repeats", "unnamed repeats"]
"""Curves of different cases, with clusters, with clusters that span folds; curves of the same
cases, and those without clusters that say which rows are one case."""


class BarRefusal(NamedTuple):
    """Why bars refuse a role: it continues "`bars` must not be 't'"; and what to pass instead."""

    why: str
    instead: str


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
    refuses: Mapping[BarRole, BarRefusal] = MappingProxyType({})


BINOMIAL_BARS = AverageBars(
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
EFFECTIVE_BARS = AverageBars(
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
T_BARS = AverageBars(
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
PERCENTILE_BARS = AverageBars(
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
AVERAGE_BARS: tuple[AverageBars, ...] = (BINOMIAL_BARS, EFFECTIVE_BARS, T_BARS, PERCENTILE_BARS)
_BARS_BY_WORD = {record.word: record for record in AVERAGE_BARS}


def average_bars_called(word: str) -> AverageBars:
    """Return the bars called ``word``."""
    return _BARS_BY_WORD[word]


PRINTED_LIMITS = (
    Word("wilson-effective-n", "by the method of Wilson with an effective sample size"),
    Word("t", "with quantiles of the t distribution"),
)
"""The words for limits of means of rates, and of their differences."""


def require_test_sets(sample: Sample) -> None:
    """Raise InputError unless the study says which test set each row is of."""
    require_cases(sample, "curves of several test sets")
    if sample.fold is None:
        raise InputError(
            "`fold` must name the test set of each row; got a study without folds."
            " Pass fold= to the study, or join studies with stack_test_sets."
        )


def require_bars_of_merged(bars: str) -> None:
    """Raise InputError for bars that a merged curve cannot have."""
    if average_bars_called(bars).between_curves:
        able = " or ".join(repr(one.word) for one in AVERAGE_BARS if not one.between_curves)
        raise InputError(
            f"`bars` must be {able} for a merged curve, which is a single curve; got {bars!r}."
            " Pass one of these."
        )


def require_bars(bars: str, *roles: BarRole) -> None:
    """Raise InputError where bars refuse one of the roles that the curves have."""
    for role in roles:
        refusal = average_bars_called(bars).refuses.get(role)
        if refusal is not None:
            raise InputError(
                f"`bars` must not be {bars!r} {refusal.why}; got {bars!r}. {refusal.instead}"
            )


# --- The plan of an average -----------------------------------------------------------------------

AverageKind = Literal["vertical", "threshold", "merged"]


class AveragePlan(NamedTuple):
    """The kind of average and its error bars; ``level`` is that of one bar."""

    kind: AverageKind
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
        return (
            sidak_level_of_each_axis(self.confidence_level) if self.joint else self.confidence_level
        )


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


def curves_to_average(
    cases: ScoredCases, k: int, places: FloatArray | None, plan: AveragePlan
) -> AveragedCurves:
    """Return the curves of predictor ``k``; without places, at their own thresholds."""
    higher = cases.higher_is_positive[k]
    parts = [part for _, part in cases.by_fold()]
    curves = [roc_points(part.counts(k), higher_is_positive=higher) for part in parts]
    at = pooled_thresholds(curves, plan.n_samples) if places is None else places
    if plan.kind == "merged":
        table = merged_counts([part.counts(k) for part in parts], higher_is_positive=higher)
        curves = [roc_points(table, higher_is_positive=higher)]
    return AveragedCurves(
        cases, k, parts, curves, at, _independent_case_numbers(cases, parts, plan)
    )


def _independent_case_numbers(
    cases: ScoredCases, parts: list[ScoredCases], plan: AveragePlan
) -> dict[str, float]:
    """Return the effective number of cases of a mean rate of each class."""
    if not plan.independent and cases.cluster is not None:
        of_pos, of_neg, _ = cluster_numbers(cases)
        return {"tpr": float(of_pos), "fpr": float(of_neg)}
    # docs/methods/averages.md, "Vertical averaging": n = K^2/sum(1/P_i) for disjoint test sets.
    sizes = {
        axis: [_effective_class_size(part, positive=axis == "tpr") for part in parts]
        for axis in ("tpr", "fpr")
    }
    if plan.independent and plan.kind == "merged":
        return {axis: sum(class_sizes) for axis, class_sizes in sizes.items()}
    # Repeats and resamples of one test set: a mean of K curves has the cases of one set, not of K.
    n_sets = 1 if plan.independent else len(parts)
    return {
        axis: binomial_size_of_mean_rate(class_sizes) / n_sets
        for axis, class_sizes in sizes.items()
    }


def _effective_class_size(cases: ScoredCases, *, positive: bool) -> float:
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
    notes: list[str]


def undefined_mean_rates(
    cases: ScoredCases, k: int, places: FloatArray | None, plan: AveragePlan
) -> tuple[FloatArray, dict[str, MeanRate]]:
    """Return the places and NaN rates of a group that lacks a class."""
    if places is None:
        curve = roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        places = pooled_thresholds([curve], plan.n_samples)
    nothing = np.full(len(places), np.nan)
    none = MeanRate(nothing, undefined_bars(len(places)), "none/none", "", 0, ["one-class"])
    return places, dict.fromkeys(("tpr",) if plan.kind == "vertical" else ("fpr", "tpr"), none)


def average_rate(
    averaged: AveragedCurves, axis: str, values: FloatArray, g: int, plan: AveragePlan
) -> MeanRate:
    """Average a rate over curves, with the requested error bars."""
    rate = rates_snapped_to_0_and_1(values.mean(axis=0))
    size, level = averaged.sizes[axis], plan.level
    notes = _average_notes(averaged, plan)
    if (
        averaged.cases.sample_weight is not None
        and not average_bars_called(plan.bars).between_curves
    ):
        notes = ["weights-need-bootstrap", *notes]
        # Weighted rates are not binomial: only the spread between curves allows for the weights.
        return MeanRate(rate, undefined_bars(len(rate)), "none/none", "", 0, notes)
    if plan.bars == "t":
        notes = [*(["single-curve"] if len(values) == 1 else []), *notes]
        return MeanRate(rate, t_bars(values, size, level), "curves/t", "curves/wilson", 0, notes)
    if plan.bars == "percentile":
        notes = [*_percentile_notes(averaged, axis, plan), *notes]
        bars = percentile_bars(values, size, level)
        return MeanRate(rate, bars, "curves/percentile", "curves/wilson", 0, notes)
    if plan.bars == "effective":
        return _mean_with_effective_bars(averaged, axis, rate, g, plan, notes)
    bars = binomial_bars(rate, size, plan.interval, level)
    return MeanRate(rate, bars, f"binomial/{plan.interval}", "binomial/wilson", 0, notes)


def _average_notes(averaged: AveragedCurves, plan: AveragePlan) -> list[str]:
    """Return the notes that every row of an average carries."""
    notes = []
    if plan.kind == "vertical":
        if min(part.n_neg for part in averaged.parts) < FEW_CASES_AT_RATE:
            notes.append("few-negatives-per-curve")
        if plan.bars == "binomial":
            notes.append("conditional-on-threshold")
    else:
        notes.append("pooled-folds" if plan.kind == "merged" else "folds-share-thresholds")
    if plan.joint:
        notes.append(f"joint-level={plan.confidence_level:g}")
    return notes


def _percentile_notes(averaged: AveragedCurves, axis: str, plan: AveragePlan) -> list[str]:
    """Return the notes on limits that are order statistics of the curves."""
    n_curves = len(averaged.curves)
    # Rank ceil((K + 1) alpha/2) is 1 for any smaller K too: the limits are then the extremes.
    notes = ["few-curves"] if (n_curves + 1) * (1 - plan.level) / 2 < 1 - WHOLE else []
    class_sizes = [part.n_pos if axis == "tpr" else part.n_neg for part in averaged.parts]
    # Curves of less than half of the cases vary more than the mean over them does.
    if binomial_size_of_mean_rate(class_sizes) / n_curves < averaged.sizes[axis] / 2:
        notes.append("curves-of-parts")
    return notes


def _mean_with_effective_bars(
    averaged: AveragedCurves,
    axis: str,
    rate: FloatArray,
    g: int,
    plan: AveragePlan,
    notes: list[str],
) -> MeanRate:
    """Return a mean rate p with Wilson's bars of n_eff = q(1 - q)/V cases.

    q = (n p + z^2/2)/(n + z^2) is Wilson's centre. V is the variance over resamples of the curves;
    at thresholds it has a closed form, with clusters the ratio estimator
    (docs/methods/effective-size.md).
    """
    cases, n_resamples, source = averaged.cases, 0, "bootstrap"
    if plan.kind == "vertical":
        # At a given FPR the threshold is estimated too, which only resampling whole curves shows.
        spread = averaged_curve_variance(cases, averaged.k, averaged.places, plan.draws.at(g))
        variance, n_resamples = spread.covariance[:, 0, 0], spread.n_resamples
        source = "resamples" if n_resamples else source
        notes = [*redrawn_notes(spread.n_redrawn), *notes]
    elif cases.cluster is not None:
        variance = clustered_rate_variance(_class_under_curves(averaged, positive=axis == "tpr"))
        source = "clusters"
    else:
        variance = _stratified_variance(averaged, axis)
    size, few = effective_size_of_clustered_rate(
        cases, variance, averaged.sizes[axis], positive=axis == "tpr"
    )
    # A single cluster has the variance NaN: its bars are those of one case.
    bars = effective_size_bars(rate, size, np.nan_to_num(variance), plan.level)
    notes = [*few, *notes]
    return MeanRate(rate, bars, f"{source}/wilson-effective-n", "", n_resamples, notes)


def _class_under_curves(averaged: AveragedCurves, *, positive: bool) -> list[ClassUnderCurve]:
    """Return the cases of one class under each curve."""
    parts = averaged.parts if len(averaged.curves) > 1 else [averaged.cases]
    rows = []
    for part, curve in zip(parts, averaged.curves, strict=True):
        chosen = part.is_positive == positive
        frequency = np.ones(len(chosen)) if part.frequency is None else part.frequency
        scores, cluster = part.codes(averaged.k), part.cluster.codes  # type: ignore[union-attr]
        vertex = vertex_at(curve, averaged.places)
        rows.append(ClassUnderCurve(scores[chosen], cluster[chosen], frequency[chosen], vertex))
    return rows


def _stratified_variance(averaged: AveragedCurves, axis: str) -> FloatArray:
    """Return the bootstrap variance of a mean of K rates R_i at thresholds.

    sum(R_i (1 - R_i)/n_i)/K^2, with n_i cases of the class in curve i.
    """
    average = threshold_average(averaged.curves, averaged.places)
    rates = average.tpr if axis == "tpr" else average.fpr
    # The last vertex calls every case: its counts are the sizes of the classes.
    totals = [curve.tp[-1] if axis == "tpr" else curve.fp[-1] for curve in averaged.curves]
    spread = rates * (1 - rates) / np.array(totals)[:, np.newaxis]
    return np.asarray(spread.sum(axis=0) / len(rates) ** 2)
