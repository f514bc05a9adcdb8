"""Measures that are ratios: likelihood and odds ratios, predictive values, true prevalence."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.intervals.rates.mover_arrays import odds_ratio_limits, ratio_limits, sum_limits
from rocstats.stats.points.delta_limits import delta_se
from rocstats.stats.points.measured import Apparent, Measured, PointPlan, rate_terms, sizeless
from rocstats.stats.points.predictive_limits import npv_limits, ppv_limits
from rocstats.stats.points.ratio_limits import (
    RatePairs,
    odds_log_limits,
    odds_score_limits,
    ratio_log_limits,
    ratio_score_limits,
)
from rocstats.stats.points.tables import PointTables


def ratio_measure(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return likelihood ratios and odds ratios."""
    se = delta_se(tables, name, None, plan)
    # A ratio of 0 or infinity has no standard error, but one limit inside.
    at_end = (estimate == 0) | np.isinf(estimate)
    se = np.where(at_end, np.nan, se)
    if tables.clusters is not None:
        low, high = _clustered_ratio(tables, name, plan)
        measured = sizeless(estimate, low, high, se, f"clusters/mover-{plan.interval}")
        return measured.noted("empty-cell", at_end)
    pairs = _pairs(tables, negative=name == "lr_negative")
    odds = name == "odds_ratio"
    if plan.ratio_interval == "score":
        limits = odds_score_limits if odds else ratio_score_limits
        measured = sizeless(estimate, *limits(pairs, plan.level), se, "binomial/score")
        return measured.noted("empty-cell", at_end)
    low, high, added = (odds_log_limits if odds else ratio_log_limits)(pairs, plan.level)
    # Limits of the table with 1/2 added need not contain the estimate of the table without.
    low, high = np.minimum(low, estimate), np.maximum(high, estimate)
    measured = sizeless(estimate, low, high, se, "binomial/log")
    return measured.noted("half-added", added).noted("empty-cell", at_end)


def _pairs(tables: PointTables, *, negative: bool) -> RatePairs:
    """Return the counts of a ratio: called positive, or called negative, in both classes."""
    c = tables.cells
    x1, x0 = (c.fn, c.tn) if negative else (c.tp, c.fp)
    return RatePairs(x1, c.tp + c.fn, x0, c.fp + c.tn)


def _clustered_ratio(tables: PointTables, name: str, plan: PointPlan) -> Limits:
    # The correlation of FNR and TNR is that of TPR and FPR: both signs change.
    correlation = tables.correlation()
    names = ("fnr", "tnr") if name == "lr_negative" else ("tpr", "fpr")
    first, second = rate_terms(tables, plan, names)
    limits = odds_ratio_limits if name == "odds_ratio" else ratio_limits
    return limits(first, second, correlation)


def predictive_value(
    tables: PointTables, name: str, estimate: FloatArray, p: float, plan: PointPlan
) -> Measured:
    """Return predictive values at a prevalence from outside the study."""
    se = delta_se(tables, name, p, plan)
    if tables.clusters is not None:
        low, high = _clustered_predictive(tables, name, p, plan)
        return sizeless(estimate, low, high, se, f"clusters/mover-{plan.interval}")
    limits = ppv_limits if name == "ppv" else npv_limits
    measured = limits(tables.cells, p, plan.level, prevalence_cases=plan.prevalence_cases)
    # The adjusted cells move the centre of the limits, not the estimate.
    low, high = np.minimum(measured.low, estimate), np.maximum(measured.high, estimate)
    result = sizeless(estimate, low, high, se, "binomial/mercaldo")
    return result.noted("adjusted-cells", measured.adjusted)


def _clustered_predictive(tables: PointTables, name: str, p: float, plan: PointPlan) -> Limits:
    """Return limits of the odds of a predictive value: prevalence odds times a ratio of rates."""
    names = ("tpr", "fpr") if name == "ppv" else ("tnr", "fnr")
    first, second = rate_terms(tables, plan, names)
    correlation = tables.correlation()
    share = plan.prevalence_term(p).logit
    terms = [first.log, second.log.times(-1.0), share.times(1.0 if name == "ppv" else -1.0)]
    # The prevalence is from other cases: correlated are the first two terms only.
    low, high = sum_limits(terms, -correlation)
    return sp.expit(low), sp.expit(high)


def true_prevalence_value(tpr: FloatArray, fpr: FloatArray, apparent: Apparent) -> FloatArray:
    """Return Rogan and Gladen's estimate, cut at 0 and 1; NaN unless TPR exceeds FPR."""
    index = tpr - fpr
    share = apparent.positive / apparent.size
    found: FloatArray = np.full(len(index), np.nan)
    np.divide(share - fpr, index, out=found, where=index > 0)
    return np.clip(found, 0.0, 1.0)


def true_prevalence(tables: PointTables, plan: PointPlan, apparent: Apparent) -> Measured:
    """Return the true prevalence with Lang and Reiczigel's limits.

    Sensitivity and specificity have the effective numbers of cases of their own limits.
    """
    estimate = true_prevalence_value(tables.tpr, tables.fpr, apparent)
    z = quantile((1 + plan.level) / 2, np.inf)
    sizes = [tables.rate(name, "wilson", plan.level).size for name in ("tpr", "fpr")]
    share, n = apparent.positive / apparent.size, apparent.size
    tpr, fpr = tables.tpr, tables.fpr
    correlation = tables.correlation()
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = _variances((share, n), (tpr, sizes[0]), (fpr, sizes[1]))
        se = np.sqrt(_variance(estimate, tpr - fpr, spread, correlation))
        # Lang and Reiczigel 2014: z^2/2 more of both results in the sample, 1 more in the rates.
        moved = ((n * share + z**2 / 2) / (n + z**2), n + z**2)
        t, f = (
            ((size * rate + 1) / (size + 2), size + 2)
            for rate, size in zip((tpr, fpr), sizes, strict=True)
        )
        index = t[0] - f[0]
        centre = (moved[0] - f[0]) / index
        spread = _variances(moved, t, f)
        shift = 2 * z**2 * (centre * spread[1] - (1 - centre) * spread[2])
        reach = z * np.sqrt(_variance(centre, index, spread, correlation))
        low, high = (np.clip(centre + shift + sign * reach, 0.0, 1.0) for sign in (-1, 1))
    useless = ~((tpr - fpr > 0) & (index > 0))
    result = sizeless(
        estimate,
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        se,
        f"{tables.source}/lang-reiczigel",
    ).blanked(useless)
    beyond = (share < fpr) | (share > tpr)
    result = result.noted(f"apparent-prevalence={apparent.positive:g}/{n:g}")
    result = result.noted("prevalence-at-end", beyond & ~useless)
    return result.noted("useless-test", useless & ~np.isnan(tpr - fpr))


Rate = tuple[FloatArray | float, FloatArray | float]
"""A rate and its number of cases."""


def _variances(*rates: Rate) -> list[FloatArray]:
    return [np.asarray(rate * (1 - rate) / size) for rate, size in rates]


def _variance(
    value: FloatArray, index: FloatArray, spread: list[FloatArray], correlation: FloatArray
) -> FloatArray:
    """Return the delta-method variance of (a - f)/(t - f) from those of a, t and f."""
    of_share, of_tpr, of_fpr = spread
    shared = 2 * value * (1 - value) * correlation * np.sqrt(of_tpr * of_fpr)
    total = of_share + value**2 * of_tpr + (1 - value) ** 2 * of_fpr + shared
    return np.asarray(np.maximum(total, 0.0) / index**2)
