"""One area of one predictor: its variance by name, the rules at the boundary, limits and test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, ends_at_step, partial_area
from rocstats.sample.arrays import effective_size
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.delong import snapped
from rocstats.stats.areas.ranked import are_ranked, ranked_areas
from rocstats.stats.areas.records import Variance, area_variance
from rocstats.stats.areas.units import units_of
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.stats.intervals.record import IntervalMethod, limits
from rocstats.stats.intervals.records import Interval, area_interval
from rocstats.tolerances import FEW_CASES, FEW_CLUSTERS, FEW_UNEQUAL, UNEQUAL, cleared

# A partial area rests on the cases of the class on its axis that its range is expected to hold:
# with 10 their number has a relative standard error of 1/sqrt(10), a third.
FEW_IN_RANGE = 10


class Inference(NamedTuple):
    """Limits and test of one area; ``codes`` are the notes."""

    ci_low: float
    ci_high: float
    statistic: float
    df: float
    p_value: float
    method: str
    codes: tuple[str, ...]


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
    if variance == "delong" and over.full and not spread and are_ranked(sample):
        return ranked_areas(sample.only(k)).at(0)
    return area_variance(variance).estimate(sample, k, over, spread)


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
    record = area_interval(interval)
    # Newcombe's variance comes from theta and the sizes: defined where the data show none.
    fallback = record.fails(estimate)
    used = NEWCOMBE if fallback else record
    method = used.method if resampled is None or fallback else resampled
    if method is None:
        raise ValueError(f"the interval {interval!r} takes resamples; got none")
    low, high = limits(method, estimate, confidence_level, alternative)
    # NaN differs from itself: no null value, no test.
    statistic = method.statistic(estimate, null_value) if null_value == null_value else np.nan
    df = method.df(estimate)
    return Inference(
        low,
        high,
        statistic,
        df if statistic == statistic else np.nan,
        p_value(statistic, df, alternative),
        used.word,
        codes,
    )


def range_codes(sample: ScoredCases, k: int, over: AreaRange) -> tuple[str, ...]:
    """Return the notes on the range of a partial area of predictor ``k``."""
    if over.full:
        return ()
    at_step = any(ends_at_step(part.counts(k), over) for _, part in sample.by_fold())
    codes = ["range-end-at-step"] if at_step else []
    reach, cases = over.high, sample.n_neg
    if over.axis == "tpr":  # the mirror image: positives missed at the lower end decide
        reach, cases = 1 - over.low, sample.n_pos
    if reach * cases < FEW_IN_RANGE:
        codes.append("few-cases-in-range")
    return tuple(codes)


def size_codes(
    sample: ScoredCases, variance: Variance = "delong", *, unequal: bool = False
) -> tuple[str, ...]:
    """Return the notes on the size of a sample under a variance.

    ``unequal`` asks more of classes of unequal sizes: it is known of intervals of one area.
    """
    i10, i01, _ = units_of(sample)
    fewer, more = sorted((sample.n_pos, sample.n_neg))
    enough = FEW_UNEQUAL if unequal and more > UNEQUAL * fewer else FEW_CASES
    codes = ["few-cases"] if fewer < enough else []
    if sample.cluster is not None and min(i10, i01) < FEW_CLUSTERS:
        codes.append("few-clusters")
    return (*codes, *area_variance(variance).codes(sample))


def variance_name(sample: ScoredCases, variance: Variance) -> str:
    """Return the word for a variance under the roles of a sample."""
    return area_variance(variance).name(sample)


def _boundary_codes(estimate: Area) -> tuple[str, ...]:
    if math.isnan(estimate.variance):
        return ("single-case",)
    if estimate.at_boundary:
        return ("auc-at-boundary",)
    return ("zero-variance",) if estimate.variance == 0 else ()


def weighted_area(
    sample: ScoredCases, k: int, variance: float, over: AreaRange = FULL_RANGE
) -> Area:
    """Return the mean area of a weighted sample, its variance given, its sizes by Kish's rule.

    The effective number of a class is (sum w)^2 / sum w^2; clusters enter by their number.
    """
    areas = [partial_area(part.counts(k), over) / over.width for _, part in sample.by_fold()]
    value = snapped(float(np.mean(areas)))
    if sample.cluster is not None:
        return Area(value, cleared(variance), np.inf, *units_of(sample))
    weight = np.ones(len(sample.is_positive))
    if sample.sample_weight is not None:
        weight = sample.sample_weight
    frequency = np.ones(len(weight)) if sample.frequency is None else sample.frequency
    sides = (sample.is_positive, ~sample.is_positive)
    m, n = (effective_size(weight[rows], frequency[rows]) for rows in sides)
    return Area(value, cleared(variance), np.inf, m, n, min(m, n))
