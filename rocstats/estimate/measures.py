"""Every measure at thresholds, with limits for each or for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rocstats.estimate.bars import Bars
from rocstats.estimate.measure_limits import (
    delta_limits,
    delta_se,
    predictive_value_limits,
    ratio_measure_limits,
    true_prevalence_limits,
)
from rocstats.estimate.proportions import mover_sum_limits
from rocstats.estimate.tables import (
    MeasureWithLimits,
    PointPlan,
    PointTables,
    measure_without_limits,
    measure_without_sample_size,
    rate_terms_with_limits,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import (
    QUANTITIES,
    RATES,
    RATIOS,
    Fraction,
    LimitsOf,
    cells_at,
    depends_on_prevalence,
    measure,
    range_of,
    shifted,
)
from rocstats.facts.tolerances import are_few_cases

# At 95 % MOVER on Wilson's limits misses up to .109 of the samples above this index with 20 and 30
# cases, .080 with 50 and 50; on mid-p limits .062 and .065 (validation/coverage/youden.csv).
_HIGH_INDEX, _FEW_FOR_HIGH_INDEX = 0.85, 100


def measure_at_thresholds(
    tables: PointTables, name: str, prevalence: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return a measure at every threshold.

    Parameters
    ----------
    tables : PointTables
        Counts.
    name : str
        A key of ``MEASURES`` or ``FURTHER``, "f_beta=2" with any beta, or "true_prevalence".
    prevalence : float, optional
        Share of positives where the rule is used; by default that of the study.
    plan : PointPlan
        Methods and level of the limits.
    """
    of_study = prevalence is None
    if name == "true_prevalence" and plan.apparent is not None:
        return true_prevalence_limits(tables, plan, plan.apparent)
    if (nothing := nan_for_meaningless_measure(tables, name, prevalence, plan)) is not None:
        return nothing
    cells = tables.cells if of_study else shifted(tables.cells, float(prevalence or 0.0))
    estimate = measure(name, cells)
    limits_of = _limits_function(name, plan, of_study=of_study)
    result = limits_of(tables, name, estimate, prevalence, plan)
    unknown = np.isnan(estimate)
    result = result.blanked(unknown)
    if of_study and depends_on_prevalence(name) and plan.sampling is None:
        result = result.noted("study-prevalence")
    return result.noted("no-calls", unknown & (min(tables.n_pos, tables.n_neg) > 0))


def nan_for_meaningless_measure(
    tables: PointTables, name: str, prevalence: float | None, plan: PointPlan
) -> MeasureWithLimits | None:
    """Return NaN for a measure that the share of positives in the study makes meaningless.

    The arguments are those of ``measure_at_thresholds``; None for a measure that has an answer.
    """
    known = prevalence is not None or plan.sampling == "cohort"
    if known or not depends_on_prevalence(name):
        return None
    nothing = measure_without_limits(np.full(len(tables.tpr), np.nan))
    # The share of positives of a case-control study is the investigator's choice.
    if plan.sampling == "case-control":
        return nothing.noted("prevalence-needed")
    # Without negatives the positive predictive value of any test is 1: in a cohort this was
    # observed, else it follows from how the cases were gathered. The rows say `one-class`.
    return nothing if min(tables.n_pos, tables.n_neg) == 0 else None


def _limits_function(
    name: str, plan: PointPlan, *, of_study: bool
) -> Callable[..., MeasureWithLimits]:
    """Return the function that makes the limits of a measure, at the prevalence of the study."""
    if plan.interval != "dkw" or name in RATES:
        one = QUANTITIES[name.partition("=")[0]]
        # At the prevalence of the study these are shares of cases, with limits of their own.
        if of_study and one.of_prevalence and (one.fraction or name == "f1"):
            return _limits_of_share_measure if one.fraction else _f1_limits
        return _LIMITS[one.limits]
    if of_study and depends_on_prevalence(name):
        return _no_limits_without_prevalence
    return _measure_limits_at_box_corners


def _measure_limits_at_box_corners(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return limits at two corners of the box of the simultaneous limits of both rates.

    With the other rate and the prevalence fixed, every measure is monotone in each rate, in
    opposite directions: its extremes over the box are at (low TPR, high FPR) and the opposite
    corner. Neither is 0/0 there, as the box has a width.
    """
    tpr, fpr = (tables.rate(rate, plan.interval, plan.level) for rate in ("tpr", "fpr"))
    # 0.5 is any prevalence: the measure does not depend on it.
    share = 0.5 if p is None else p
    worst, best = (
        measure(name, cells_at(*corner, share))
        for corner in ((tpr.low, fpr.high), (tpr.high, fpr.low))
    )
    se = delta_se(tables, name, p, plan)
    # A ratio of 0 or infinity has no standard error, but one limit inside.
    at_end = np.isin(estimate, (0.0, np.inf)) & (name in RATIOS)
    measured = measure_without_sample_size(
        estimate,
        np.minimum(worst, best),
        np.maximum(worst, best),
        np.where(at_end, np.nan, se),
        f"{tables.source}/{plan.interval}-corners",
    )
    return measured.noted("empty-cell", at_end)


def _no_limits_without_prevalence(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    # The box is of both rates: the share of positives in the study is a third estimate.
    return measure_without_limits(estimate).noted("limits-need-prevalence")


def _measure_from_bars(
    estimate: FloatArray, bars: Bars, source: str, interval: str
) -> MeasureWithLimits:
    otherwise = (bars.replaced, f"{source}/wilson")
    measured = MeasureWithLimits(
        estimate, bars.low, bars.high, bars.se, bars.size, f"{source}/{interval}", otherwise
    )
    return measured.noted("no-width", bars.replaced)


def _limits_of_rate_measure(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    bars = tables.rate(name, plan.interval, plan.level)
    return _measure_from_bars(estimate, bars, tables.source, plan.interval)


def _limits_of_share_measure(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return a share of cases of both classes, at the prevalence of the study."""
    fraction = QUANTITIES[name].fraction
    if fraction is None:
        raise KeyError(f"{name} is no share of cases")
    _, bars = tables.share(fraction, plan.interval, plan.level)
    return _measure_from_bars(estimate, bars, tables.source, plan.interval)


def _weighted_sum_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return a weighted sum of sensitivity and specificity by MOVER."""
    weight = QUANTITIES[name].weight
    pos, neg = (p or 0.0, 1 - (p or 0.0)) if weight is None else (weight, weight)
    tpr, fpr = rate_terms_with_limits(tables, plan, ("tpr", "fpr"))
    terms = [tpr.times(pos), fpr.times(-neg)]
    if name == "accuracy":
        # d accuracy/dp = TPR - TNR.
        share = plan.prevalence_term(p or 0.0)
        terms.append(share.times(tpr.value - (1 - fpr.value)))
    # The terms are TPR and minus FPR, whose correlation has the other sign.
    low, high = mover_sum_limits(terms, -tables.correlation())
    # The sum of the terms misses a constant (1 - p, 1/2 ...): the estimate shows how much.
    off = estimate - sum(term.value for term in terms)
    few = min(tables.n_pos, tables.n_neg) < _FEW_FOR_HIGH_INDEX and plan.interval == "wilson"
    high_index = (estimate > _HIGH_INDEX) & (name == "youden" and few)
    low, high = np.clip([low + off, high + off], *range_of(name))
    measured = measure_without_sample_size(
        estimate,
        low,
        high,
        delta_se(tables, name, p, plan),
        f"{tables.source}/mover-{plan.interval}",
    )
    measured = measured.noted("high-index-few-cases", high_index)
    # Wilson's limits of a rate of few cases move in steps: an index covered .89 with 4 positives.
    few = name == "youden" and are_few_cases(tables.n_pos, tables.n_neg, unequal=True)
    return measured.noted("few-cases", few & ~np.isnan(estimate))


# The share whose function F1 is: true positives among the positives and the calls of positives.
_JACCARD = Fraction(("tp",), ("tp", "fp", "fn"))


def _f1_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return F1 = 2 j/(1 + j): at the prevalence of the study j is a share of cases."""
    j, bars = tables.share(_JACCARD, plan.interval, plan.level)
    with np.errstate(invalid="ignore"):
        low, high = (2 * x / (1 + x) for x in (bars.low, bars.high))
        se = bars.se * 2 / (1 + j) ** 2
    return _measure_from_bars(
        estimate, Bars(low, high, se, bars.size, bars.replaced), tables.source, plan.interval
    )


def _limits_of_false_call_share(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return the share of false calls: 1 less the predictive value, with its limits mirrored."""
    found = measure_at_thresholds(tables, QUANTITIES[name].complement, p, plan)
    return replace(found, estimate=estimate, low=1 - found.high, high=1 - found.low)


def _number_needed_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return 1 over Youden's index; infinite where the index, or its limit, is 0 or below."""
    index = measure("youden", tables.cells)
    found = _weighted_sum_limits(tables, "youden", index, p, plan)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (1 / np.maximum(limit, 0.0) for limit in (found.high, found.low))
        se = np.where(index > 0, found.se / index**2, np.nan)
    return replace(found, estimate=estimate, low=low, high=high, se=se)


_LIMITS: dict[LimitsOf, Callable[..., MeasureWithLimits]] = {
    "rate": _limits_of_rate_measure,
    "predictive": predictive_value_limits,
    "ratio": ratio_measure_limits,
    "sum": _weighted_sum_limits,
    "delta": delta_limits,
    "mirrored": _limits_of_false_call_share,
    "index": _number_needed_limits,
}
