"""Means of the curves of several test sets, at false positive rates or at thresholds, with bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.curves.bands.average import (
    merged,
    pooled_thresholds,
    threshold_average,
    vertex_at,
    vertical_average,
)
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.bands.average_bars import BarKind, average_bars
from rocstats.stats.bands.bars import (
    Bars,
    ClassRows,
    binomial_bars,
    clustered_rate_variance,
    each_level,
    effective_bars,
    mean_size,
    no_bars,
    percentile_bars,
    rounded_to_ends,
    t_bars,
)
from rocstats.stats.intervals.rates.proportions import RateInterval
from rocstats.stats.resampling.curves.averages import average_variance

Kind = Literal["vertical", "threshold", "merged"]

_FEW_NEGATIVES = 50
_FEW_CLUSTERS = 30
_NO_SPREAD = 1e-12


@dataclass(frozen=True)
class AveragePlan:
    """What is averaged, and which bars it gets; ``level`` is that of one bar."""

    kind: Kind
    bars: BarKind
    interval: RateInterval
    joint: bool
    independent: bool
    confidence_level: float
    n_samples: int
    n_resamples: int
    seed: int

    @property
    def level(self) -> float:
        """Level of each bar."""
        return each_level(self.confidence_level) if self.joint else self.confidence_level


@dataclass(frozen=True, eq=False)
class Averaged:
    """The curves of predictor ``k`` in one group, and where they are sampled.

    ``curves`` is the one merged curve, or one of each of ``parts``; ``sizes`` has the numbers of
    independent cases of a mean rate of positives ("tpr") and of negatives ("fpr").
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


def undefined_rates(
    cases: ScoredCases, k: int, places: FloatArray | None, plan: AveragePlan
) -> tuple[FloatArray, dict[str, MeanRate]]:
    """Return the places and the rates, all NaN, of a group that lacks a class."""
    if places is None:
        curve = roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        places = pooled_thresholds([curve], plan.n_samples)
    nothing = np.full(len(places), np.nan)
    none = MeanRate(nothing, no_bars(len(places)), "none/none", "", 0, ["one-class"])
    return places, dict.fromkeys(("tpr",) if plan.kind == "vertical" else ("fpr", "tpr"), none)


def _sizes(cases: ScoredCases, parts: list[ScoredCases], plan: AveragePlan) -> dict[str, float]:
    """Return the number of independent cases behind a mean rate of each class."""
    if not plan.independent and cases.cluster is not None:
        of_pos, of_neg, _ = cluster_numbers(cases)
        return {"tpr": float(of_pos), "fpr": float(of_neg)}
    sizes = {
        "tpr": [_cases(part, positive=True) for part in parts],
        "fpr": [_cases(part, positive=False) for part in parts],
    }
    if not plan.independent:
        return {axis: mean_size(each) / len(each) for axis, each in sizes.items()}
    if plan.kind == "merged":
        return {axis: sum(each) for axis, each in sizes.items()}
    return {axis: mean_size(each) for axis, each in sizes.items()}


def _cases(cases: ScoredCases, *, positive: bool) -> float:
    """Return the number of cases of a class, under weights (sum w)^2 / sum w^2 of them."""
    if cases.sample_weight is None:
        return cases.n_pos if positive else cases.n_neg
    chosen = cases.is_positive == positive
    weight = cases.sample_weight[chosen]
    times = 1.0 if cases.frequency is None else cases.frequency[chosen]
    return float((times * weight).sum() ** 2 / (times * weight**2).sum())


def sampled_rates(averaged: Averaged, plan: AveragePlan) -> dict[str, FloatArray]:
    """Return the rates of each curve (rows) at each place."""
    if plan.kind == "vertical":
        return {"tpr": vertical_average(averaged.curves, averaged.places).tpr}
    found = threshold_average(averaged.curves, averaged.places)
    return {"fpr": found.fpr, "tpr": found.tpr}


@dataclass(frozen=True, eq=False)
class MeanRate:
    """A mean rate at each place with its bars, and what they are called."""

    estimate: FloatArray
    bars: Bars
    method: str
    method_without_width: str
    n_resamples: int
    codes: list[str]


def mean_rate(
    averaged: Averaged, axis: str, values: FloatArray, g: int, plan: AveragePlan
) -> MeanRate:
    """Return the mean of a rate with the bars plan for."""
    rate = rounded_to_ends(values.mean(axis=0))
    size, level = averaged.sizes[axis], plan.level
    codes = _codes(averaged, plan)
    if averaged.cases.sample_weight is not None and not average_bars(plan.bars).between_curves:
        codes = ["weights-need-bootstrap", *codes]
        return MeanRate(rate, no_bars(len(rate)), "none/none", "", 0, codes)
    if plan.bars == "t":
        codes = [*(["single-curve"] if len(values) == 1 else []), *codes]
        return MeanRate(rate, t_bars(values, size, level), "curves/t", "curves/wilson", 0, codes)
    if plan.bars == "percentile":
        codes = [*_codes_of_percentiles(averaged, axis, plan), *codes]
        found = percentile_bars(values, size, level)
        return MeanRate(rate, found, "curves/percentile", "curves/wilson", 0, codes)
    if plan.bars == "effective":
        return _effective(averaged, axis, rate, g, plan, codes)
    found = binomial_bars(rate, size, plan.interval, level)
    return MeanRate(rate, found, f"binomial/{plan.interval}", "binomial/wilson", 0, codes)


def _effective(
    averaged: Averaged, axis: str, rate: FloatArray, g: int, plan: AveragePlan, codes: list[str]
) -> MeanRate:
    """Return the mean of a rate with bars of the effective sample size."""
    size: FloatArray | float = averaged.sizes[axis]
    cases, n_resamples, source = averaged.cases, 0, "bootstrap"
    if plan.kind == "vertical":
        spread = average_variance(
            cases, averaged.k, averaged.places, plan.n_resamples, (plan.seed, g)
        )
        variance, n_resamples = spread.covariance[:, 0, 0], spread.n_resamples
        source = "resamples" if n_resamples else source
        codes = [*_redrawn(spread.n_redrawn), *codes]
    elif cases.cluster is not None:
        variance = clustered_rate_variance(_class_rows(averaged, positive=axis == "tpr"))
        source = "clusters"
    else:
        variance = _stratified_variance(averaged, axis)
    if cases.cluster is not None:
        # Where clusters do not vary, the cases of one must not count as many.
        of_pos, of_neg, _ = cluster_numbers(cases)
        n_clusters = of_pos if axis == "tpr" else of_neg
        size = np.where(variance > _NO_SPREAD, size, min(float(n_clusters), averaged.sizes[axis]))
        codes = [*(["few-clusters"] if n_clusters < _FEW_CLUSTERS else []), *codes]
    found = effective_bars(rate, size, np.nan_to_num(variance), plan.level)
    return MeanRate(rate, found, f"{source}/wilson-effective-n", "", n_resamples, codes)


def _stratified_variance(averaged: Averaged, axis: str) -> FloatArray:
    """Return the bootstrap variance of a mean rate at thresholds: binomial in each curve."""
    found = threshold_average(averaged.curves, averaged.places)
    rates = found.tpr if axis == "tpr" else found.fpr
    totals = [curve.tp[-1] if axis == "tpr" else curve.fp[-1] for curve in averaged.curves]
    spread = rates * (1 - rates) / np.array(totals)[:, np.newaxis]
    return np.asarray(spread.sum(axis=0) / len(rates) ** 2)


def _class_rows(averaged: Averaged, *, positive: bool) -> list[ClassRows]:
    """Return the cases of one class under each curve."""
    parts = averaged.parts if len(averaged.curves) > 1 else [averaged.cases]
    rows = []
    for part, curve in zip(parts, averaged.curves, strict=True):
        chosen = part.is_positive == positive
        frequency = np.ones(len(chosen)) if part.frequency is None else part.frequency
        codes, cluster = part.codes(averaged.k), part.cluster.codes  # type: ignore[union-attr]
        vertex = vertex_at(curve, averaged.places)
        rows.append(ClassRows(codes[chosen], cluster[chosen], frequency[chosen], vertex))
    return rows


def _redrawn(n_redrawn: int) -> list[str]:
    return [f"resamples-redrawn={n_redrawn}"] if n_redrawn else []


def _codes(averaged: Averaged, plan: AveragePlan) -> list[str]:
    """Return the notes of every row of an average."""
    codes = []
    if plan.kind == "vertical":
        if min(part.n_neg for part in averaged.parts) < _FEW_NEGATIVES:
            codes.append("few-negatives-per-curve")
        if plan.bars == "binomial":
            codes.append("conditional-on-threshold")
    else:
        codes.append("pooled-folds" if plan.kind == "merged" else "folds-share-thresholds")
    if plan.joint:
        codes.append(f"joint-level={plan.confidence_level:g}")
    return codes


def _codes_of_percentiles(averaged: Averaged, axis: str, plan: AveragePlan) -> list[str]:
    n_curves = len(averaged.curves)
    codes = ["few-curves"] if (n_curves + 1) * (1 - plan.level) / 2 < 1 - 1e-9 else []
    each = [part.n_pos if axis == "tpr" else part.n_neg for part in averaged.parts]
    if mean_size(each) / n_curves < averaged.sizes[axis] / 2:
        codes.append("curves-of-parts")
    return codes
