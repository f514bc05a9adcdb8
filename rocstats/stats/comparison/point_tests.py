"""Operating points compared: estimate, limits and test of each kind of difference or ratio.

Limits and tests follow a ``HypothesisPlan``, whose p value is the largest of its tests'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.stats.chance.two_by_two import Table, TableTest, pooled_z, table_p_value
from rocstats.stats.comparison.hypotheses import HypothesisPlan, chi_square, hardest_test
from rocstats.stats.comparison.paired_shares import MeasureDifference, RatioResult, ShareDifference
from rocstats.stats.comparison.paired_table import (
    PairedTable,
    PairedTest,
    mcnemar_p_value,
    newcombe_limit,
    tango_limit,
    tango_statistic,
)
from rocstats.stats.intervals.quantiles import limits_between, p_value
from rocstats.stats.intervals.rates.mover import inverted_statistic
from rocstats.tolerances import SAME

PairedInterval = Literal["tango", "newcombe"]
PAIRED_INTERVALS: tuple[PairedInterval, ...] = ("tango", "newcombe")

_NAN = float("nan")
_UNPAIRED: dict[PairedTest, TableTest] = {"mid-p": "mid-p", "exact": "fisher"}


class PointComparison(NamedTuple):
    """Estimate, limits and test of a difference or ratio; ``codes`` are its notes."""

    estimate: float
    se: float = _NAN
    ci_low: float = _NAN
    ci_high: float = _NAN
    statistic: float = _NAN
    df: float = _NAN
    p_value: float = _NAN
    method: str = "none/none"
    codes: tuple[str, ...] = ()


def paired_rate(
    table: PairedTable, test: PairedTest, interval: PairedInterval, plan: HypothesisPlan
) -> PointComparison:
    """Return the difference of two rates of the same independent cases.

    The statistic is Tango's score z; without a margin the p value is that of McNemar's test.
    """
    limit = tango_limit if interval == "tango" else newcombe_limit
    low, high = limits_between(lambda at: limit(table, at), plan.confidence_level, plan.alternative)
    z, p = hardest_test(plan, lambda null: tango_statistic(table, null))
    df, name = np.inf, "tango-score"
    # Without a margin the variance under the null hypothesis is that of McNemar's test.
    if is_plain(plan):
        p = mcnemar_p_value(table, test, plan.side)
        df, name = (np.inf if test == "asymptotic" else _NAN), f"mcnemar-{test}"
    word = "tango" if interval == "tango" else "newcombe-paired"
    return PointComparison(table.difference, table.se, low, high, z, df, p, f"{name}/{word}")


def share_difference(
    difference: MeasureDifference, plan: HypothesisPlan, method: str
) -> PointComparison:
    """Return a difference of measures with MOVER limits, and the test that they invert."""
    z, p = _NAN, _NAN
    comparison = _with_limits(difference, plan, method)
    if comparison.method != "none/none":
        z, p = hardest_test(
            plan, lambda null: inverted_statistic(difference.limit, difference.estimate, null)
        )
    return _tested(comparison, z, np.inf, p)


def predictive_difference(
    difference: ShareDifference, score: float, plan: HypothesisPlan
) -> PointComparison:
    """Return a difference of predictive values of the same cases with the z of Kosinski's test."""
    comparison = _with_limits(difference, plan, "weighted-score/wilson-mover")
    # The score is NaN where nothing varies, which is no evidence of a difference.
    z = 0.0 if np.isnan(score) else score
    return _tested(comparison, z, np.inf, p_value(z, np.inf, plan.side))


def unpaired_share(
    difference: ShareDifference, test: PairedTest, plan: HypothesisPlan
) -> PointComparison:
    """Return the difference of two shares of different independent cases.

    Newcombe's hybrid limits; Fisher's exact test, its mid-p form, or the pooled z.
    """
    if not is_plain(plan):
        return share_difference(difference, plan, "newcombe-hybrid/newcombe-hybrid")
    exact = _UNPAIRED.get(test)
    comparison = _with_limits(difference, plan, f"{exact or 'pooled-z'}/newcombe-hybrid")
    if comparison.method == "none/none":
        return comparison
    first, second = difference.first, difference.second
    table = Table(first.count, second.count, first.size, second.size)
    z = pooled_z(table)
    if exact is None:
        return _tested(comparison, z, np.inf, p_value(z, np.inf, plan.side))
    return _tested(comparison, z, _NAN, table_p_value(table, exact, plan.side))


def _with_limits(
    difference: MeasureDifference, plan: HypothesisPlan, method: str
) -> PointComparison:
    """Return a difference of measures with its limits; method "none/none" where it has none."""
    if np.isnan(difference.estimate):
        return undefined("no-calls")
    variance = difference.variance
    if variance == 0 and difference.first.variance + difference.second.variance > 0:
        return without_variance(difference.estimate, 0.0, plan)
    ends = -difference.furthest, difference.furthest
    low, high = limits_between(difference.limit, plan.confidence_level, plan.alternative, *ends)
    return PointComparison(difference.estimate, float(np.sqrt(variance)), low, high, method=method)


def _tested(comparison: PointComparison, statistic: float, df: float, p: float) -> PointComparison:
    """Return the row with its test; unchanged if it has no limits."""
    if comparison.method == "none/none":
        return comparison
    return comparison._replace(statistic=statistic, df=df, p_value=p)


def ratio_of_shares(result: RatioResult, plan: HypothesisPlan, method: str) -> PointComparison:
    """Return a ratio with limits and test on the log scale."""
    if np.isnan(result.log_se):
        if result.alike:
            return without_variance(result.estimate, 1.0, plan)
        return undefined("zero-cell", result.estimate)
    low, high = result.limits(plan.confidence_level, plan.alternative)
    z, p = result.test(plan.side)
    se = result.estimate * result.log_se  # delta method: limits and test do not use it
    return PointComparison(result.estimate, se, low, high, z, np.inf, p, method)


def both_rates(rates: Sequence[PointComparison]) -> PointComparison:
    """Return chi-square with 2 df of independent rates that are all equal, from their z."""
    # The classes are independent: two z^2 add up to chi-square with 2 df.
    statistic = float(sum(rate.statistic**2 for rate in rates))
    p = float(sp.chdtrc(2.0, statistic))
    return PointComparison(_NAN, statistic=statistic, df=2.0, p_value=p, method="score-sum/none")


def both_shares(differences: Sequence[ShareDifference]) -> PointComparison:
    """Return the chi-square test that all differences are 0, from sums over clusters."""
    values = np.array([difference.estimate for difference in differences])
    parts = [[d.first.influence for d in differences], [d.second.influence for d in differences]]
    if differences[0].paired:
        parts = [[a - b for a, b in zip(*parts, strict=True)]]
    covariance = np.sum([np.array(part) @ np.array(part).T for part in parts], axis=0)
    method, statistic, df, p = "cluster-influence/none", _NAN, _NAN, _NAN
    if np.isfinite(covariance).all():
        largest = float(np.linalg.norm(covariance, 2))
        statistic, df, p = chi_square(values, covariance, largest, SAME)
    return PointComparison(_NAN, statistic=statistic, df=df, p_value=p, method=method)


def undefined(code: str, estimate: float = _NAN) -> PointComparison:
    """Return a row without limits and test, and the note that says why."""
    return PointComparison(estimate, codes=(code,))


def without_variance(estimate: float, equal: float, plan: HypothesisPlan) -> PointComparison:
    """Return a row without variance; its p value is 1 if the estimate is that of equality."""
    if abs(estimate - equal) > SAME:
        return PointComparison(estimate, 0.0, codes=("no-variance",))
    p = 1.0 if is_plain(plan) else _NAN
    return PointComparison(estimate, 0.0, p_value=p, codes=("no-discordance",))


def is_plain(plan: HypothesisPlan) -> bool:
    """Return whether equality is tested, without a margin."""
    return plan.tests == ((0.0, plan.alternative),)
