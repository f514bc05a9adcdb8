"""Two classifiers compared by measures of both classes, and by ratios of a rate.

Measures of both classes are accuracy, F1, Matthews correlation, kappa, sums of both rates; limits
of their differences combine the limits of each (MOVER). ``compare`` has the differences of rates
and of predictive values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.estimate import Result, result_without_variance, undefined_result
from rocstats.estimate.measure_limits import RatePairs, ratio_score_limits
from rocstats.estimate.paired_tables import (
    Calls,
    PairedTable,
    mover_measure_difference,
    tang_limit,
    tango_limit,
    tango_statistic,
)
from rocstats.estimate.proportions import (
    Limit,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_p_value
from rocstats.estimate.shares import EstimatedMeasure, MeasureDifference, Share, share_among
from rocstats.estimate.tables import RateVariances, measure_slopes_in_rates
from rocstats.estimate.two_by_two import TwoByTwoTable, pooled_z
from rocstats.facts.measures import (
    QUANTITIES,
    Cells,
    cells_at,
    difference_of,
    measure,
    range_of,
    scale_of,
)
from rocstats.facts.tolerances import clear_rounding

# --- Accuracy, F1, Matthews correlation, kappa ----------------------------------------------------


def accuracy_share(calls: Calls) -> Share:
    """Return the share of all cases that are called right."""
    positive = calls.cases.is_positive
    everyone = np.ones_like(positive)
    return share_among(calls.cases, among=everyone, event=calls.called == positive)


def f1_difference(
    first: Calls, second: Calls, plan: HypothesisPlan, source: str, *, paired: bool
) -> Result:
    """Return the difference of F1 scores, with MOVER on limits that Wilson's give."""
    difference = MeasureDifference(_f1_measure(first), _f1_measure(second), paired)
    return mover_measure_difference(difference, plan, f"{source}/wilson-mover")


CorrelationName = Literal["mcc", "kappa"]


def correlation_difference(
    name: CorrelationName,
    first: Calls,
    second: Calls,
    plan: HypothesisPlan,
    source: str,
    *,
    paired: bool,
) -> Result:
    """Return the difference of Matthews correlations, or of kappas: MOVER on Fisher's scale."""
    _, furthest = range_of(difference_of(name))
    difference = MeasureDifference(
        _correlation_measure(name, first),
        _correlation_measure(name, second),
        paired,
        furthest=furthest,
    )
    return mover_measure_difference(difference, plan, f"{source}/fisher-mover")


@dataclass(frozen=True, eq=False)
class _DeltaMeasure(EstimatedMeasure):
    """A measure with the influence values of units by the delta method, and limits of its own."""

    limits: Limit

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, negative for the lower one."""
        return self.limits(at)


def _f1_measure(calls: Calls) -> _DeltaMeasure:
    """Return F1 = 2 j/(1 + j), j the share of true positives among positives and those called."""
    positive, called = calls.cases.is_positive, calls.called
    j = share_among(calls.cases, among=called | positive, event=called & positive)

    def scaled(share: float) -> float:
        return 2 * share / (1 + share)

    influence = j.influence * 2 / (1 + j.value) ** 2
    return _DeltaMeasure(scaled(j.value), influence, lambda at: scaled(j.limit(at)))


def _correlation_measure(name: CorrelationName, calls: Calls) -> _DeltaMeasure:
    """Return the Matthews correlation or kappa, whose own limits are normal on Fisher's scale.

    Where a cell is empty, or clusters do not vary, limits are those with 1/2 more in every cell of
    the effective numbers.
    """
    cases, tpr, tnr = calls.cases, calls.shares["tpr"], calls.shares["tnr"]
    prevalence = share_among(cases, among=np.ones_like(cases.is_positive), event=cases.is_positive)
    counts = (tpr.count, tpr.size - tpr.count, tnr.size - tnr.count, tnr.count)
    cells = Cells(*(np.array([count]) for count in counts))
    value = float(measure(name, cells)[0])
    rates = np.array([tpr.value]), np.array([1 - tnr.value])
    of_tpr, of_fpr, of_share = (
        float(s[0]) for s in measure_slopes_in_rates(name, *rates, prevalence.value)
    )
    influence = of_tpr * tpr.influence - of_fpr * tnr.influence + of_share * prevalence.influence
    variance = clear_rounding(float(influence @ influence))
    half_added = (min(counts) == 0 or not variance > 0) and not np.isnan(value)
    scale = scale_of(name)

    def limit(at: float) -> float:
        if half_added:
            centre, se = _half_added_correlation(name, tpr, tnr, prevalence, at)
        else:
            spread = of_tpr * tpr.stretched(at) - of_fpr * tnr.stretched(at)
            spread += of_share * prevalence.stretched(at)
            # Parts of unlike stretch may cancel more than the parts as they are.
            centre, se = (
                value,
                float(np.sqrt(max(clear_rounding(float(spread @ spread)), variance))),
            )
        found = float(scale.back(scale.forward(centre) + at * se * scale.slope(centre)))
        # Limits of the table with 1/2 added need not contain the value of the table without.
        return min(found, value) if at < 0 else max(found, value)

    return _DeltaMeasure(value, influence, limit)


def _half_added_correlation(
    name: CorrelationName, tpr: Share, tnr: Share, prevalence: Share, at: float
) -> tuple[float, float]:
    """Return the measure with 1/2 more in every cell, and a standard error.

    The standard error is that of the limit at a normal quantile, longer for unequal clusters.
    """
    rates, variances = [], []
    for share in (tpr, tnr):
        size = share.effective_size + 1
        rate = (share.value * (size - 1) + 0.5) / size
        rates.append(rate)
        variances.append(np.array([share.stretch(at) ** 2 * rate * (1 - rate) / size]))
    point, share_of_pos = (np.array([rates[0]]), np.array([1 - rates[1]])), prevalence.value
    of_share = share_of_pos * (1 - share_of_pos) / prevalence.effective_size
    of_share *= prevalence.stretch(at) ** 2
    spread = RateVariances(variances[0], variances[1], np.zeros(1), of_share)
    variance = spread.of(measure_slopes_in_rates(name, *point, share_of_pos))
    return float(measure(name, cells_at(*point, share_of_pos))[0]), float(np.sqrt(variance[0]))


# --- Sums of both rates ---------------------------------------------------------------------------

SumName = Literal["balanced_accuracy", "youden"]
SUMS: tuple[SumName, ...] = get_args(SumName)
"""Measures that are sums of both rates, with one weight."""


def difference_of_rate_sums(
    name: SumName,
    rates: tuple[MeasureDifference, MeasureDifference],
    tables: tuple[PairedTable, PairedTable] | None,
    plan: HypothesisPlan,
    source: str,
) -> Result:
    """Return the difference of a sum of both rates, from the differences of each.

    MOVER on Tango's limits of both classes where there are ``tables``, on those of the shares (of
    groups, or of clusters, whose classes are correlated) where there are none.
    """
    weight = QUANTITIES[name].weight
    if weight is None:
        raise KeyError(f"{name} is no sum of both rates")
    estimate = weight * sum(rate.estimate for rate in rates)
    shared = sum(float(a @ b) for a, b in zip(*(rate.influence for rate in rates), strict=True))
    variance = max(rates[0].variance + rates[1].variance + 2 * shared, 0.0)
    shares = [share for rate in rates for share in (rate.first, rate.second)]
    still = rates[0].variance == rates[1].variance == 0 < sum(share.variance for share in shares)
    if tables is None and still:
        return result_without_variance(estimate, 0.0, plan)
    scale = float(np.sqrt(rates[0].variance * rates[1].variance))
    correlation = float(np.clip(shared / scale, -1, 1)) if scale > 0 else 0.0
    limits: list[Limit] = [rate.limit for rate in rates]
    if tables is not None:
        limits = [partial(tango_limit, table) for table in tables]

    def limit(at: float) -> float:
        one, other = (
            weight * (of_rate(at) - rate.estimate)
            for of_rate, rate in zip(limits, rates, strict=True)
        )
        # Zou & Donner 2008: distances of a sum add as standard deviations do.
        reach = float(np.sqrt(max(one**2 + other**2 + 2 * correlation * one * other, 0.0)))
        return float(np.clip(estimate + np.sign(at) * reach, *ends))

    ends = range_of(difference_of(name))
    low, high = limits_at_both_quantiles(limit, plan.confidence_level, plan.alternative, *ends)
    z, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, estimate, null)
    )
    method = f"{source}/{'wilson' if tables is None else 'tango'}-mover"
    se = weight * float(np.sqrt(variance))
    return Result(estimate, se, low, high, z, np.inf, p, method)


# --- Ratios of one rate ---------------------------------------------------------------------------


def paired_rate_ratio(table: PairedTable, plan: HypothesisPlan) -> Result:
    """Return the ratio of two rates of the same independent cases, with Tang's score limits."""
    # The score of the ratio 1 is that of the difference 0: McNemar's.
    z = tango_statistic(table, 0.0)
    of_table = table.ratio, table.log_ratio_se
    return _rate_ratio_with_score_limits(
        *of_table, z, lambda at: tang_limit(table, at), plan, "tang-score/tang"
    )


def unpaired_rate_ratio(
    first: tuple[float, float], second: tuple[float, float], plan: HypothesisPlan
) -> Result:
    """Return the ratio of two rates, counts over sizes, of different cases: Koopman's limits."""
    (x1, n1), (x2, n2) = first, second
    pairs = RatePairs(*(np.array([count]) for count in (x1, n1, x2, n2)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float((pairs.x1 / n1 / (pairs.x0 / n2))[0])
        log_se = float(np.sqrt(1 / pairs.x1 - 1 / n1 + 1 / pairs.x0 - 1 / n2)[0])

    def limit(at: float) -> float:
        level = 1 - 2 * t_p_value(abs(at), np.inf, "greater")
        return float(ratio_score_limits(pairs, level)[int(at > 0)][0])

    # Koopman's score of the ratio 1 has the pooled variance.
    z = pooled_z(TwoByTwoTable(x1, x2, n1, n2))
    return _rate_ratio_with_score_limits(ratio, log_se, z, limit, plan, "pooled-z/score")


def _rate_ratio_with_score_limits(
    ratio: float, log_se: float, z: float, limit: Limit, plan: HypothesisPlan, method: str
) -> Result:
    if np.isnan(ratio):
        return undefined_result("zero-cell")
    low, high = limits_at_both_quantiles(
        limit, plan.confidence_level, plan.alternative, 0.0, np.inf
    )
    inside = 0 < ratio < np.inf
    p = t_p_value(z, np.inf, plan.side)
    codes = () if inside else ("empty-cell",)
    se = ratio * log_se if inside else np.nan
    return Result(ratio, se, low, high, z, np.inf, p, method, codes)
