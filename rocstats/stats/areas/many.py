"""The areas of many predictors with their limits and tests, as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.estimates import Inference, estimate_area, infer
from rocstats.stats.areas.ranked import Areas, are_ranked, ranked_areas
from rocstats.stats.areas.records import Variance
from rocstats.stats.areas.units import units_of
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.transformed import Transformed
from rocstats.stats.intervals.quantiles import (
    Alternative,
    p_values,
    quantile,
    quantiles,
    upper_probability,
)
from rocstats.stats.intervals.records import Interval, area_interval

# Limits of so many areas cost less one by one than as arrays, whose cost is that of the calls.
_FEW = 3


class Inferences(NamedTuple):
    """The numbers of ``Inference``, an array each; ``odd`` has those of rows of their own.

    Other rows have the method that was asked for, and no notes.
    """

    ci_low: FloatArray
    ci_high: FloatArray
    statistic: FloatArray
    df: FloatArray
    p_value: FloatArray
    odd: dict[int, Inference]


def all_areas(cases: ScoredCases, variance: Variance) -> Areas:
    """Return the areas of all predictors with a variance by name."""
    if variance == "delong" and are_ranked(cases):
        return ranked_areas(cases)
    each = [estimate_area(cases, k, variance, spread=False)[:3] for k in range(cases.n_predictors)]
    value, spread, df = np.array(each).T
    return Areas(value, spread, df, *units_of(cases))


def has_limits_of_many(interval: Interval) -> bool:
    """Return whether the limits of many areas can be made at once."""
    return isinstance(area_interval(interval).method, Transformed)


def infer_many(
    areas: Areas,
    interval: Interval,
    *,
    confidence_level: float,
    alternative: Alternative,
    null_value: float,
) -> Inferences:
    """Return limits and tests of many areas, each those of ``infer``.

    The interval must be one that ``has_limits_of_many``.
    """
    about = (confidence_level, alternative, null_value)
    if len(areas.value) <= _FEW:
        each = {k: _infer(areas.at(k), interval, *about) for k in range(len(areas.value))}
        low, high, statistic, df, p = np.array([found[:5] for found in each.values()]).T
        return Inferences(low, high, statistic, df, p, each)
    # "> 0" takes NaN, the variance of a class with one case, for none (``lacks_variance``).
    usual = (areas.value > 0) & (areas.value < 1) & (areas.variance > 0)
    numbers = _numbers(areas.take(usual), interval, *about) if usual.any() else np.empty((5, 0))
    return _with_odd(areas, interval, about, usual, numbers)


def _infer(
    area: Area, interval: Interval, level: float, alternative: Alternative, null_value: float
) -> Inference:
    return infer(
        area,
        interval,
        confidence_level=level,
        alternative=alternative,
        null_value=null_value,
    )


def _numbers(
    kept: Areas,
    interval: Interval,
    confidence_level: float,
    alternative: Alternative,
    null_value: float,
) -> FloatArray:
    """Return the rows of ``Inferences`` of areas with a variance."""
    method = area_interval(interval).method
    if not isinstance(method, Transformed):
        raise ValueError(f"the interval {interval!r} has no limits of many areas at once")
    df = kept.df if method.student else np.full(len(kept.value), np.inf)
    p = upper_probability(confidence_level, alternative)
    q = quantiles(p, df) if method.student else quantile(p, np.inf)
    place = kept.value, kept.variance
    low = np.zeros(len(df)) if alternative == "less" else method.limit_of(*place, -q)
    high = np.ones(len(df)) if alternative == "greater" else method.limit_of(*place, q)
    numbers = np.full((5, len(df)), np.nan)
    numbers[:2] = low, high
    # NaN differs from itself: no null value, no test.
    if null_value == null_value:
        statistic = method.statistic_of(*place, null_value)
        numbers[2:] = statistic, df, p_values(statistic, df, alternative)
    return numbers


def _with_odd(
    areas: Areas,
    interval: Interval,
    about: tuple[float, Alternative, float],
    usual: BoolArray,
    numbers: FloatArray,
) -> Inferences:
    """Return the numbers of all areas, those that are not usual inferred one by one."""
    rows = np.flatnonzero(~usual).tolist()
    # Many predictors that separate the same cases have few different areas.
    known: dict[tuple[float, float], Inference] = {}
    odd: dict[int, Inference] = {}
    columns = np.empty((len(numbers), len(usual)))
    columns[:, usual] = numbers
    for k in rows:
        area = areas.at(k)
        # One NaN: it is found again by its identity, as it does not equal itself.
        key = (area.value, np.nan if np.isnan(area.variance) else area.variance)
        if key not in known:
            known[key] = _infer(area, interval, *about)
        odd[k] = known[key]
        columns[:, k] = known[key][: len(numbers)]
    low, high, statistic, df, p = columns
    return Inferences(low, high, statistic, df, p, odd)
