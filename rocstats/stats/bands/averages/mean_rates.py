"""A mean rate over curves with its error bars, at false positive rates or at thresholds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.bands.average import pooled_thresholds, threshold_average, vertex_at
from rocstats.curves.points.roc import roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.averages.curves import Averaged, AveragePlan
from rocstats.stats.bands.averages.records import average_bars
from rocstats.stats.bands.bars import (
    Bars,
    binomial_bars,
    effective_bars,
    mean_size,
    no_bars,
    percentile_bars,
    rounded_to_ends,
    t_bars,
)
from rocstats.stats.bands.clustered_rates import ClassRows, clustered_rate_variance, clustered_size
from rocstats.stats.resampling.curves.averages import average_variance
from rocstats.stats.resampling.streams import redrawn_notes
from rocstats.tolerances import FEW_CASES_AT_RATE, WHOLE


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
    averaged: Averaged, axis: str, values: FloatArray, g: int, plan: AveragePlan
) -> MeanRate:
    """Average a rate over curves, with the requested error bars."""
    rate = rounded_to_ends(values.mean(axis=0))
    size, level = averaged.sizes[axis], plan.level
    codes = _codes(averaged, plan)
    if averaged.cases.sample_weight is not None and not average_bars(plan.bars).between_curves:
        codes = ["weights-need-bootstrap", *codes]
        # Weighted rates are not binomial: only the spread between curves allows for the weights.
        return MeanRate(rate, no_bars(len(rate)), "none/none", "", 0, codes)
    if plan.bars == "t":
        codes = [*(["single-curve"] if len(values) == 1 else []), *codes]
        return MeanRate(rate, t_bars(values, size, level), "curves/t", "curves/wilson", 0, codes)
    if plan.bars == "percentile":
        codes = [*_codes_of_percentiles(averaged, axis, plan), *codes]
        bars = percentile_bars(values, size, level)
        return MeanRate(rate, bars, "curves/percentile", "curves/wilson", 0, codes)
    if plan.bars == "effective":
        return _effective(averaged, axis, rate, g, plan, codes)
    bars = binomial_bars(rate, size, plan.interval, level)
    return MeanRate(rate, bars, f"binomial/{plan.interval}", "binomial/wilson", 0, codes)


def _effective(
    averaged: Averaged, axis: str, rate: FloatArray, g: int, plan: AveragePlan, codes: list[str]
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


def _stratified_variance(averaged: Averaged, axis: str) -> FloatArray:
    """Return the bootstrap variance of a mean rate at thresholds: binomial in each curve."""
    average = threshold_average(averaged.curves, averaged.places)
    rates = average.tpr if axis == "tpr" else average.fpr
    # The last vertex calls every case: its counts are the sizes of the classes.
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


def _codes(averaged: Averaged, plan: AveragePlan) -> list[str]:
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


def _codes_of_percentiles(averaged: Averaged, axis: str, plan: AveragePlan) -> list[str]:
    n_curves = len(averaged.curves)
    # Rank ceil((K + 1) alpha/2) is 1 for any smaller K too: the limits are then the extremes.
    codes = ["few-curves"] if (n_curves + 1) * (1 - plan.level) / 2 < 1 - WHOLE else []
    class_sizes = [part.n_pos if axis == "tpr" else part.n_neg for part in averaged.parts]
    # Curves of less than half of the cases vary more than the mean over them does.
    if mean_size(class_sizes) / n_curves < averaged.sizes[axis] / 2:
        codes.append("curves-of-parts")
    return codes
