"""Measures that are ratios of two rates: likelihood and odds ratios, predictive values."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.intervals.rates.mover_arrays import odds_ratio_limits, ratio_limits, sum_limits
from rocstats.stats.points.delta_limits import delta_se
from rocstats.stats.points.measured import Measured, PointPlan, rate_terms, sizeless
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
