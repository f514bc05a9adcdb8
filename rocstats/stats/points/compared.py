"""Two classifiers compared by measures of both classes, and by ratios of one rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from rocstats.curves.points.measures import Cells, cells_at, measure
from rocstats.stats.chance.two_by_two import Table, pooled_z
from rocstats.stats.comparison.calls import Calls
from rocstats.stats.comparison.hypotheses import HypothesisPlan, hardest_test
from rocstats.stats.comparison.paired_shares import Measure, MeasureDifference, Share, share_among
from rocstats.stats.comparison.paired_table import (
    PairedTable,
    tang_limit,
    tango_limit,
    tango_statistic,
)
from rocstats.stats.comparison.point_tests import (
    PointComparison,
    share_difference,
    undefined,
    without_variance,
)
from rocstats.stats.intervals.quantiles import limits_between, p_value
from rocstats.stats.intervals.rates.mover import Limit, inverted_statistic
from rocstats.stats.points.ratio_limits import RatePairs, ratio_score_limits
from rocstats.stats.points.tables import Spread, slopes
from rocstats.tolerances import cleared

SumName = Literal["balanced_accuracy", "youden"]
SUM_WEIGHTS: dict[SumName, float] = {"balanced_accuracy": 0.5, "youden": 1.0}
"""Weight of both rates in a measure that is a sum of them."""


@dataclass(frozen=True, eq=False)
class DeltaMeasure(Measure):
    """A measure with the influence values of units by the delta method, and limits of its own."""

    limits: Limit

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, negative for the lower one."""
        return self.limits(at)


def accuracy(calls: Calls) -> Share:
    """Return the share of all cases that are called right."""
    positive = calls.cases.is_positive
    everyone = np.ones_like(positive)
    return share_among(calls.cases, among=everyone, event=calls.called == positive)


def f1(calls: Calls) -> DeltaMeasure:
    """Return F1 = 2 j/(1 + j), j the share of true positives among positives and those called."""
    positive, called = calls.cases.is_positive, calls.called
    j = share_among(calls.cases, among=called | positive, event=called & positive)

    def scaled(share: float) -> float:
        return 2 * share / (1 + share)

    influence = j.influence * 2 / (1 + j.value) ** 2
    return DeltaMeasure(scaled(j.value), influence, lambda at: scaled(j.limit(at)))


def mcc(calls: Calls) -> DeltaMeasure:
    """Return the Matthews correlation, whose own limits are normal on Fisher's scale.

    Where a cell is empty, or clusters do not vary, limits are those with 1/2 more in every cell of
    the effective numbers.
    """
    cases, tpr, tnr = calls.cases, calls.shares["tpr"], calls.shares["tnr"]
    prevalence = share_among(cases, among=np.ones_like(cases.is_positive), event=cases.is_positive)
    counts = (tpr.count, tpr.size - tpr.count, tnr.size - tnr.count, tnr.count)
    cells = Cells(*(np.array([count]) for count in counts))
    value = float(measure("mcc", cells)[0])
    of_tpr, of_fpr, of_share = _mcc_slopes(tpr.value, 1 - tnr.value, prevalence.value)
    influence = of_tpr * tpr.influence - of_fpr * tnr.influence + of_share * prevalence.influence
    variance = cleared(float(influence @ influence))
    centre, se = value, float(np.sqrt(variance))
    if (min(counts) == 0 or not variance > 0) and not np.isnan(value):
        centre, se = _half_added_mcc(tpr, tnr, prevalence)

    def limit(at: float) -> float:
        found = float(np.tanh(np.arctanh(centre) + at * se / (1 - centre**2)))
        # Limits of the table with 1/2 added need not contain the value of the table without.
        return min(found, value) if at < 0 else max(found, value)

    return DeltaMeasure(value, influence, limit)


def _mcc_slopes(tpr: float, fpr: float, prevalence: float) -> tuple[float, float, float]:
    found = slopes("mcc", np.array([tpr]), np.array([fpr]), prevalence)
    return float(found[0][0]), float(found[1][0]), float(found[2][0])


def _half_added_mcc(tpr: Share, tnr: Share, prevalence: Share) -> tuple[float, float]:
    """Return the Matthews correlation and its standard error with 1/2 more in every cell."""
    rates, variances = [], []
    for share in (tpr, tnr):
        size = share.effective_size + 1
        rate = (share.value * (size - 1) + 0.5) / size
        rates.append(rate)
        variances.append(np.array([rate * (1 - rate) / size]))
    at, share_of_pos = (np.array([rates[0]]), np.array([1 - rates[1]])), prevalence.value
    of_share = share_of_pos * (1 - share_of_pos) / prevalence.effective_size
    spread = Spread(variances[0], variances[1], np.zeros(1), of_share)
    variance = spread.of(slopes("mcc", *at, share_of_pos))
    return float(measure("mcc", cells_at(*at, share_of_pos))[0]), float(np.sqrt(variance[0]))


def f1_difference(
    first: Calls, second: Calls, plan: HypothesisPlan, source: str, *, paired: bool
) -> PointComparison:
    """Return the difference of F1 scores, with MOVER on limits that Wilson's give."""
    difference = MeasureDifference(f1(first), f1(second), paired)
    return share_difference(difference, plan, f"{source}/wilson-mover")


def mcc_difference(
    first: Calls, second: Calls, plan: HypothesisPlan, source: str, *, paired: bool
) -> PointComparison:
    """Return the difference of Matthews correlations, with MOVER on limits of Fisher's scale."""
    # Each is a correlation in [-1, 1].
    difference = MeasureDifference(mcc(first), mcc(second), paired, furthest=2.0)
    return share_difference(difference, plan, f"{source}/fisher-mover")


def sum_difference(
    name: SumName,
    rates: tuple[MeasureDifference, MeasureDifference],
    tables: tuple[PairedTable, PairedTable] | None,
    plan: HypothesisPlan,
    source: str,
) -> PointComparison:
    """Return the difference of a sum of both rates, from the differences of each.

    MOVER on Tango's limits of both classes where there are ``tables``, on those of the shares (of
    groups, or of clusters, whose classes are correlated) where there are none.
    """
    weight = SUM_WEIGHTS[name]
    estimate = weight * sum(rate.estimate for rate in rates)
    shared = sum(float(a @ b) for a, b in zip(*(rate.influence for rate in rates), strict=True))
    variance = max(rates[0].variance + rates[1].variance + 2 * shared, 0.0)
    if tables is None and rates[0].variance == rates[1].variance == 0 < _of_shares(rates):
        return without_variance(estimate, 0.0, plan)
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
        return float(np.clip(estimate + np.sign(at) * reach, -2 * weight, 2 * weight))

    ends = -2 * weight, 2 * weight
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, *ends)
    z, p = hardest_test(plan, lambda null: inverted_statistic(limit, estimate, null))
    method = f"{source}/{'wilson' if tables is None else 'tango'}-mover"
    se = weight * float(np.sqrt(variance))
    return PointComparison(estimate, se, low, high, z, np.inf, p, method)


def _of_shares(rates: tuple[MeasureDifference, MeasureDifference]) -> float:
    return sum(share.variance for rate in rates for share in (rate.first, rate.second))


def paired_rate_ratio(table: PairedTable, plan: HypothesisPlan) -> PointComparison:
    """Return the ratio of two rates of the same independent cases, with Tang's score limits."""
    # The score of the ratio 1 is that of the difference 0: McNemar's.
    z = tango_statistic(table, 0.0)
    of_table = table.ratio, table.log_ratio_se
    return _score_ratio(*of_table, z, lambda at: tang_limit(table, at), plan, "tang-score/tang")


def unpaired_rate_ratio(
    first: tuple[float, float], second: tuple[float, float], plan: HypothesisPlan
) -> PointComparison:
    """Return the ratio of two rates, counts over sizes, of different cases: Koopman's limits."""
    (x1, n1), (x2, n2) = first, second
    pairs = RatePairs(*(np.array([count]) for count in (x1, n1, x2, n2)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float((pairs.x1 / n1 / (pairs.x0 / n2))[0])
        log_se = float(np.sqrt(1 / pairs.x1 - 1 / n1 + 1 / pairs.x0 - 1 / n2)[0])

    def limit(at: float) -> float:
        level = 1 - 2 * p_value(abs(at), np.inf, "greater")
        return float(ratio_score_limits(pairs, level)[int(at > 0)][0])

    # Koopman's score of the ratio 1 has the pooled variance.
    z = pooled_z(Table(x1, x2, n1, n2))
    return _score_ratio(ratio, log_se, z, limit, plan, "pooled-z/score")


def _score_ratio(
    ratio: float, log_se: float, z: float, limit: Limit, plan: HypothesisPlan, method: str
) -> PointComparison:
    if np.isnan(ratio):
        return undefined("zero-cell")
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, 0.0, np.inf)
    inside = 0 < ratio < np.inf
    p = p_value(z, np.inf, plan.side)
    codes = () if inside else ("empty-cell",)
    se = ratio * log_se if inside else np.nan
    return PointComparison(ratio, se, low, high, z, np.inf, p, method, codes)
