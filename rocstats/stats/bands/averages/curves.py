"""The curves of several test sets that are averaged, and the independent cases behind them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rocstats.curves.bands.average import (
    merged,
    pooled_thresholds,
    threshold_average,
    vertical_average,
)
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.sample.arrays import FloatArray, effective_size
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.bands.averages.records import BarKind
from rocstats.stats.bands.bars import each_level, mean_size
from rocstats.stats.intervals.rates.proportions import RateInterval
from rocstats.stats.resampling.streams import ResamplePlan

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


class Averaged(NamedTuple):
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
) -> Averaged:
    """Return the curves of predictor ``k``; without places, at their own thresholds."""
    higher = cases.higher_is_positive[k]
    parts = [part for _, part in cases.by_fold()]
    curves = [roc_points(part.counts(k), higher_is_positive=higher) for part in parts]
    at = pooled_thresholds(curves, plan.n_samples) if places is None else places
    if plan.kind == "merged":
        table = merged([part.counts(k) for part in parts], higher_is_positive=higher)
        curves = [roc_points(table, higher_is_positive=higher)]
    return Averaged(cases, k, parts, curves, at, _sizes(cases, parts, plan))


def _sizes(cases: ScoredCases, parts: list[ScoredCases], plan: AveragePlan) -> dict[str, float]:
    """Return the number of independent cases behind a mean rate of each class."""
    if not plan.independent and cases.cluster is not None:
        of_pos, of_neg, _ = cluster_numbers(cases)
        return {"tpr": float(of_pos), "fpr": float(of_neg)}
    # docs/methods/averages.md, "Vertical averaging": n = K^2/sum(1/P_i) for disjoint test sets.
    sizes = {
        axis: [_cases(part, positive=axis == "tpr") for part in parts] for axis in ("tpr", "fpr")
    }
    if plan.independent and plan.kind == "merged":
        return {axis: sum(class_sizes) for axis, class_sizes in sizes.items()}
    # Repeats and resamples of one test set: a mean of K curves has the cases of one set, not of K.
    n_sets = 1 if plan.independent else len(parts)
    return {axis: mean_size(class_sizes) / n_sets for axis, class_sizes in sizes.items()}


def _cases(cases: ScoredCases, *, positive: bool) -> float:
    """Return the number of cases of a class; with weights Kish's (sum w)^2 / sum w^2."""
    if cases.sample_weight is None:
        return cases.n_pos if positive else cases.n_neg
    chosen = cases.is_positive == positive
    times = 1.0 if cases.frequency is None else cases.frequency[chosen]
    return effective_size(cases.sample_weight[chosen], times)


def sampled_rates(averaged: Averaged, plan: AveragePlan) -> dict[str, FloatArray]:
    """Return the rates of each curve (rows) at each place."""
    if plan.kind == "vertical":
        return {"tpr": vertical_average(averaged.curves, averaged.places).tpr}
    average = threshold_average(averaged.curves, averaged.places)
    return {"fpr": average.fpr, "tpr": average.tpr}
