"""One full area of one predictor: its variance by name, the boundary rules, limits and test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, ends_at_step, partial_area
from rocstats.curves.areas.whole import area
from rocstats.errors import InputError, require_choice
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.areas import variances as area_variance
from rocstats.stats.areas.ledell import ledell_codes, ledell_variance
from rocstats.stats.influence.areas import AreaCovariance, area_covariance
from rocstats.stats.intervals.area_intervals import (
    INTERVALS,
    Alternative,
    Area,
    IntervalMethod,
    Spread,
    limits,
    p_value,
)
from rocstats.stats.intervals.effective_wilson import EffectiveWilson

Variance = Literal[
    "delong", "hanley-mcneil", "hanley-mcneil-data", "unbiased", "bootstrap", "ledell"
]
Interval = Literal[
    "logit",
    "wald",
    "probit",
    "logit-t",
    "newcombe",
    "hanley-mcneil-score",
    "exact",
    "effective-wilson",
    "effective-wilson-t",
    "percentile",
    "bca",
]
RESAMPLED: tuple[Interval, ...] = ("percentile", "bca")

VARIANCES: tuple[Variance, ...] = (
    "delong",
    "hanley-mcneil",
    "hanley-mcneil-data",
    "unbiased",
    "bootstrap",
)
"""Variances of any study; "ledell" is for folds alone."""
FEW_CASES = 20
FEW_CLUSTERS = 30
FEW_IN_RANGE = 10


METHODS: dict[str, IntervalMethod] = {
    **INTERVALS,
    "effective-wilson": EffectiveWilson(),
    "effective-wilson-t": EffectiveWilson(student=True),
}
"""Every interval in closed form."""

_SCORE_FAMILY = (
    "newcombe",
    "hanley-mcneil-score",
    "exact",
    "effective-wilson",
    "effective-wilson-t",
)
EFFECTIVE = ("effective-wilson", "effective-wilson-t")
_NEEDS_DELONG = ("logit-t", "effective-wilson", "effective-wilson-t")
_WANTS_VARIANCE = ("logit", "wald", "probit", "logit-t", "exact", *RESAMPLED)
# Placements that are all equal differ by rounding: a variance below (8 eps)^2 is none.
_NO_VARIANCE = 1e-30
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Inference:
    """Limits and test of one area; ``codes`` are the notes."""

    ci_low: float
    ci_high: float
    statistic: float
    df: float
    p_value: float
    method: str
    codes: tuple[str, ...]


def require_known(
    sample: ScoredCases, variance: Variance, interval: Interval, over: AreaRange = FULL_RANGE
) -> None:
    """Raise InputError for unknown words, and for pairs or roles that make no sense together."""
    require_choice("variance", variance, (*VARIANCES, "ledell"))
    require_choice("interval", interval, (*METHODS, *RESAMPLED))
    if variance == "ledell" and sample.fold is None:
        raise InputError(
            "`variance` must not be 'ledell' when the study has no folds, over which it averages;"
            " got 'ledell'. Pass fold= to the study, or leave `variance` out."
        )
    if interval in _NEEDS_DELONG and variance != "delong":
        raise InputError(
            f"`interval` {interval!r} must go with variance 'delong', of which it takes the parts;"
            f" got {variance!r}. Use interval='logit', or variance='delong'."
        )
    if sample.cluster is not None and variance not in ("delong", "ledell"):
        raise InputError(
            f"`variance` must be 'delong' when the study has clusters (it becomes Obuchowski's);"
            f" got {variance!r}. Leave `variance` out."
        )
    if sample.sample_weight is not None and interval == "bca":
        raise InputError(
            "`interval` must be 'percentile' when the study has weights; got 'bca', whose"
            " acceleration is not defined for them. Use interval='percentile'."
        )
    if over != FULL_RANGE and variance != "delong":
        raise InputError(
            f"`variance` must be 'delong' for a partial area; got {variance!r}."
            " Leave `variance` out."
        )
    if over != FULL_RANGE and interval in _SCORE_FAMILY:
        raise InputError(
            f"`interval` must rest on a variance or on resamples for a partial area; got"
            f" {interval!r}. Use 'logit', 'wald', 'probit', 'logit-t', 'percentile' or 'bca'."
        )
    if sample.fold is not None and interval in _SCORE_FAMILY:
        raise InputError(
            f"`interval` must rest on a variance when the study has folds, whose area is a mean;"
            f" got {interval!r}. Use 'logit', 'wald', 'probit' or 'logit-t'."
        )


def estimate_area(
    sample: ScoredCases,
    k: int,
    variance: Variance,
    over: AreaRange = FULL_RANGE,
    *,
    spread: bool = True,
) -> Area:
    """Return the area of predictor ``k`` with a variance by name; a partial one over its width.

    ``spread=False`` leaves out what only the effective-sample-size intervals need.
    """
    if over != FULL_RANGE:
        return areas_of(sample, area_covariance(sample, [k], over=over), over)[0]
    if variance == "delong":
        result = area_covariance(sample, [k])
        found = areas_of(sample, result)[0]
        return replace(found, spread=_spread_of(sample, result)) if spread else found
    parts = [part.counts(k) for _, part in sample.by_fold()]
    if variance == "ledell":
        mean = float(np.mean([area(counts) for counts in parts]))
        return Area(mean, cleared(ledell_variance(sample, k)), np.inf, *_units(sample))
    pairs = [_area_and_variance(counts, variance) for counts in parts]
    mean = float(np.mean([value for value, _ in pairs]))
    total = sum(v for _, v in pairs) / len(parts) ** 2
    return Area(mean, cleared(total), np.inf, *_units(sample))


def areas_of(
    sample: ScoredCases, result: AreaCovariance, over: AreaRange = FULL_RANGE
) -> list[Area]:
    """Return each area of a joint covariance as an Area, a partial one over its width."""
    units = _units(sample)
    values, variances = result.area, np.diag(result.covariance)
    if over != FULL_RANGE:
        values = np.array([_snapped(value / over.width) for value in values.tolist()])
        variances = variances / over.width**2
    return [
        Area(float(value), cleared(float(variance)), result.df(k), *units)
        for k, (value, variance) in enumerate(zip(values, variances, strict=True))
    ]


def _snapped(value: float) -> float:
    """Return a mean rate, 0 or 1 exactly where only rounding keeps it from there."""
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < _ROUNDING else value


def _spread_of(sample: ScoredCases, result: AreaCovariance) -> Spread | None:
    """Return the parts of the variance; there are none over folds.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers.
    """
    if sample.fold is not None:
        return None
    if sample.cluster is None:
        return Spread(sample.n_pos, sample.n_neg, *result.components[:, 0])
    i10, i01, _ = _units(sample)
    variance = float(result.covariance[0, 0])
    share = float(result.unclustered[0]) / variance if variance > _NO_VARIANCE else 0.0
    m = min(max(sample.n_pos * share, i10), sample.n_pos)
    n = min(max(sample.n_neg * share, i01), sample.n_neg)
    return Spread(m, n, np.nan, np.nan, df=min(i10, i01) - 1)


def infer(
    estimate: Area,
    interval: Interval,
    *,
    confidence_level: float,
    alternative: Alternative,
    null_value: float,
    resampled: IntervalMethod | None = None,
) -> Inference:
    """Return limits and test of an area, Newcombe's method 5 where there is no variance.

    A NaN ``null_value`` leaves the test out. ``resampled`` is the method of a resampled interval.
    """
    codes = _boundary_codes(estimate)
    # A partial area of 0 whose range ends at a step has a variance, but no scale to use it on.
    fallback = interval in _WANTS_VARIANCE and (estimate.at_boundary or not estimate.variance > 0)
    if interval in EFFECTIVE and np.isnan(estimate.variance):
        fallback = True
    if interval == "exact" and estimate.at_boundary and estimate.n_pairs > 0:
        fallback = False
    name = "newcombe" if fallback else interval
    method = resampled if resampled is not None and not fallback else METHODS[name]
    low, high = limits(method, estimate, confidence_level, alternative)
    statistic = method.statistic(estimate, null_value) if null_value == null_value else np.nan
    df = method.df(estimate)
    return Inference(
        low,
        high,
        statistic,
        df if statistic == statistic else np.nan,
        p_value(statistic, df, alternative),
        name,
        codes,
    )


def range_codes(sample: ScoredCases, k: int, over: AreaRange) -> tuple[str, ...]:
    """Return the notes that the range of a partial area of predictor ``k`` earns."""
    if over.full:
        return ()
    at_step = any(ends_at_step(part.counts(k), over) for _, part in sample.by_fold())
    codes = ["range-end-at-step"] if at_step else []
    reach, cases = over.high, sample.n_neg
    if over.axis == "tpr":
        reach, cases = 1 - over.low, sample.n_pos
    if reach * cases < FEW_IN_RANGE:
        codes.append("few-cases-in-range")
    return tuple(codes)


def size_codes(sample: ScoredCases, variance: Variance = "delong") -> tuple[str, ...]:
    """Return the notes that the size of a sample earns under a variance."""
    i10, i01, _ = _units(sample)
    codes = ["few-cases"] if min(sample.n_pos, sample.n_neg) < FEW_CASES else []
    if sample.cluster is not None and min(i10, i01) < FEW_CLUSTERS:
        codes.append("few-clusters")
    return (*codes, *ledell_codes(sample)) if variance == "ledell" else tuple(codes)


def variance_name(sample: ScoredCases, variance: Variance) -> str:
    """Return the word for a variance under the roles of a sample."""
    if variance == "ledell":
        return "ledell" if sample.cluster is None else "ledell-clustered"
    name = "obuchowski" if sample.cluster is not None else variance
    return f"foldwise-{name}" if sample.fold is not None else name


def _boundary_codes(estimate: Area) -> tuple[str, ...]:
    if np.isnan(estimate.variance):
        return ("single-case",)
    if estimate.at_boundary:
        return ("auc-at-boundary",)
    return ("zero-variance",) if estimate.variance == 0 else ()


def cleared(variance: float) -> float:
    """Return a variance, 0 where only rounding makes it more."""
    return 0.0 if variance <= _NO_VARIANCE else variance


def _area_and_variance(counts: ScoreCounts, variance: Variance) -> tuple[float, float]:
    if variance == "hanley-mcneil":
        theta = area(counts)
        return theta, area_variance.hanley_mcneil(theta, counts.total_pos, counts.total_neg)
    moments = area_variance.moments_of(counts)
    if variance == "hanley-mcneil-data":
        return moments.theta, area_variance.hanley_mcneil_data(counts, moments)
    if variance == "unbiased":
        return moments.theta, area_variance.unbiased(counts, moments)
    return moments.theta, area_variance.bootstrap(counts, moments)


def weighted_area(
    sample: ScoredCases, k: int, variance: float, over: AreaRange = FULL_RANGE
) -> Area:
    """Return the mean area of a weighted sample, its variance given, its sizes by Kish's rule.

    The effective number of a class is (sum w)^2 / sum w^2; clusters enter by their number.
    """
    areas = [partial_area(part.counts(k), over) / over.width for _, part in sample.by_fold()]
    value = _snapped(float(np.mean(areas)))
    if sample.cluster is not None:
        return Area(value, cleared(variance), np.inf, *_units(sample))
    weight = np.ones(len(sample.is_positive))
    if sample.sample_weight is not None:
        weight = sample.sample_weight
    frequency = np.ones(len(weight)) if sample.frequency is None else sample.frequency
    m, n = (
        float(
            np.dot(frequency[rows], weight[rows]) ** 2 / np.dot(frequency[rows], weight[rows] ** 2)
        )
        for rows in (sample.is_positive, ~sample.is_positive)
    )
    return Area(value, cleared(variance), np.inf, m, n, min(m, n))


def _units(sample: ScoredCases) -> tuple[float, float, float]:
    """Return the numbers of independent positives, negatives and disjoint pairs."""
    if sample.cluster is None:
        return sample.n_pos, sample.n_neg, min(sample.n_pos, sample.n_neg)
    i10, i01, i = cluster_numbers(sample)
    # A pair takes two clusters, one with a positive and another with a negative.
    pairs = min(i10, i01, i // 2)
    return float(i10), float(i01), float(pairs)
