"""Two classifiers on the same cases: paired tables, and operating points compared.

Only discordant cases distinguish the two: b called by the first alone, c by the second alone.
Tests: McNemar's [mcnemar-1947], its mid-p form [fagerland-2013], Kosinski's of predictive values
[kosinski-2013]. Limits: Tango's [tango-1998] and Newcombe's [newcombe-1998] of differences, Tang's
of ratios [tang-2003], MOVER [zou-2008]. Limits and tests follow a ``HypothesisPlan``, whose p value
is the largest of its tests'. See docs/methods/paired-tables.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.roc import called_positive
from rocstats.estimate.claim import (
    HypothesisPlan,
    chi_square_test_of_zero_vector,
    hypothesis_test_with_largest_p,
)
from rocstats.estimate.crossing import find_root
from rocstats.estimate.estimate import Result, result_without_variance, undefined_result
from rocstats.estimate.proportions import (
    LARGEST_Z,
    mover_limit,
    wilson_limit_of_proportion,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles, t_p_value
from rocstats.estimate.shares import (
    MeasureDifference,
    RatioResult,
    Share,
    ShareDifference,
    ShareName,
    WeightedCases,
    kosinski_score_of_shares,
    shares_of,
)
from rocstats.estimate.two_by_two import TableTest, TwoByTwoTable, pooled_z, two_by_two_p_value
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.study.cases import ScoredCases

# --- Tests and intervals, as requested ------------------------------------------------------------

PairedTest = Literal["mid-p", "exact", "asymptotic"]
PAIRED_TESTS: tuple[PairedTest, ...] = ("mid-p", "exact", "asymptotic")
PairedInterval = Literal["tango", "newcombe"]
PAIRED_INTERVALS: tuple[PairedInterval, ...] = ("tango", "newcombe")


# --- The paired table of one class: tests and limits ----------------------------------------------


class PairedTable(NamedTuple):
    """Cases called by both classifiers, by the first alone, by the second alone, by neither."""

    both: float
    first: float
    second: float
    neither: float

    @property
    def size(self) -> float:
        """Number of cases."""
        return self.both + self.first + self.second + self.neither

    @property
    def share_first(self) -> float:
        """Share of cases that the first classifier calls."""
        return (self.both + self.first) / self.size

    @property
    def share_second(self) -> float:
        """Share of cases that the second classifier calls."""
        return (self.both + self.second) / self.size

    @property
    def difference(self) -> float:
        """Share of the first minus that of the second."""
        return (self.first - self.second) / self.size

    @property
    def se(self) -> float:
        """Standard error of the difference, unrestricted: sqrt(b + c - (b - c)^2/n)/n."""
        gap = self.first - self.second
        return float(np.sqrt(self.first + self.second - gap**2 / self.size)) / self.size

    @property
    def ratio(self) -> float:
        """Share of the first over that of the second: infinite over 0, NaN where both are 0."""
        first, second = self.both + self.first, self.both + self.second
        if second == 0:
            return np.inf if first > 0 else np.nan
        return first / second

    @property
    def log_ratio_se(self) -> float:
        """Standard error of the logarithm of the ratio; NaN where that is infinite."""
        product = (self.both + self.first) * (self.both + self.second)
        return float(np.sqrt((self.first + self.second) / product)) if product > 0 else np.nan

    def swapped(self) -> PairedTable:
        """Return the table with the classifiers exchanged."""
        return PairedTable(self.both, self.second, self.first, self.neither)


def mcnemar_p_value(table: PairedTable, test: PairedTest, alternative: Alternative) -> float:
    """Return the p value of equal shares; "greater" is a larger share of the first.

    Given b + c, b is Binomial(b + c, 1/2). "mid-p" counts half of the probability of the observed
    b; two-sided p values are twice the smaller tail.
    """
    b, c = table.first, table.second
    if test == "asymptotic":
        return t_p_value(tango_statistic(table, 0.0), np.inf, alternative)
    if alternative == "two-sided":
        sides = [mcnemar_p_value(table, test, side) for side in ("greater", "less")]
        return min(1.0, 2 * min(sides))
    fewer, n = (c, b + c) if alternative == "greater" else (b, b + c)
    tail = float(sp.bdtr(fewer, int(n), 0.5))  # McNemar 1947: a fair coin for each discordant case
    if test == "exact":
        return tail
    # Fagerland, Lydersen & Laake 2013: half of the probability of the table observed.
    here = tail - (float(sp.bdtr(fewer - 1, int(n), 0.5)) if fewer > 0 else 0.0)
    return tail - here / 2


def tango_statistic(table: PairedTable, null_value: float) -> float:
    """Return Tango's (1998) score z of the difference; at 0 its square is McNemar's chi-square."""
    distance = table.first - table.second - table.size * null_value
    # Inside (-1, 1) the variance is 0 only at 0 and without discordant cases.
    return (
        float(distance / np.sqrt(_tango_difference_variance(table, null_value)))
        if distance != 0
        else 0.0
    )


def tango_limit(table: PairedTable, quantile: float) -> float:
    """Return Tango's limit of the difference at a normal quantile (negative: the lower one)."""
    if quantile > 0:  # the mirror image: the classifiers trade places
        return -tango_limit(table.swapped(), -quantile)
    n, estimate, z2 = table.size, table.difference, quantile**2
    # Where the variance is 0 at the estimate too, the root apart from it has a closed form.
    if table.first + table.second == 0:
        return -z2 / (n + z2)
    if table.first == n:
        return (n - z2) / (n + z2)
    if table.second == n:
        return -1.0

    def excess(t: float) -> float:
        return n * (estimate - t) + quantile * float(np.sqrt(_tango_difference_variance(table, t)))

    # Positive at -1, where the variance is 0; negative at the estimate, or 0 if the quantile is.
    # Where rounding of the variance is more than the distance from -1, the limit is -1.
    return find_root(excess, -1.0, estimate, xtol=1e-15) if excess(-1.0) > 0 else -1.0


def _tango_difference_variance(table: PairedTable, t: float) -> float:
    """Return the variance of b - c when the difference is t, c's share estimated under it."""
    n, b, c = table.size, table.first, table.second
    # -B of Tango's quadratic 2n q^2 + B q - c t(1 - t) = 0 (docs/methods/paired-tables.md, "Limits
    # of paired differences").
    half = b + c - (2 * n - b + c) * t
    root = float(np.sqrt(max(half**2 + 8 * n * c * t * (1 - t), 0.0)))
    # Of the two forms of the root the one that does not cancel.
    q = (root + half) / (4 * n) if half >= 0 else 2 * c * t * (1 - t) / (root - half)
    return max(n * (2 * q + t * (1 - t)), 0.0)


def newcombe_limit(table: PairedTable, quantile: float) -> float:
    """Return the limit of the difference by Newcombe's (1998) method 10 at a normal quantile."""
    n = table.size
    counts = (table.both + table.first, table.both + table.second)
    first = wilson_limit_of_proportion(counts[0], n, quantile) - table.share_first
    second = wilson_limit_of_proportion(counts[1], n, -quantile) - table.share_second
    return mover_limit(
        table.difference, first, second, newcombe_phi_of_paired_table(table), quantile
    )


def newcombe_phi_of_paired_table(table: PairedTable) -> float:
    """Return phi of the two calls with Newcombe's correction for continuity; 0 if a margin is 0."""
    a, b, c, d = table.both, table.first, table.second, table.neither
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    if margins == 0:  # calls that do not vary: phi is 0/0
        return 0.0
    return (max(cross - table.size / 2, 0.0) if cross > 0 else cross) / float(np.sqrt(margins))


# On the log scale: a limit lies about z^2 times the number of cases beyond the ratio at most, and
# e^60 is 10^26.
_FURTHEST = 60.0


def tang_limit(table: PairedTable, quantile: float) -> float:
    """Return Tang's (2003) limit of the ratio of shares at a normal quantile.

    It inverts the score test, whose statistic at 1 is McNemar's. The lower limit of a ratio of 0 is
    0, the upper one of an infinite ratio infinite; cases that neither calls do not count.
    """
    if quantile < 0:  # the mirror image: the classifiers trade places
        upper = tang_limit(table.swapped(), -quantile)
        return 1 / upper
    a, b, c, z2 = table.both, table.first, table.second, quantile**2
    if a + c == 0:
        return np.inf
    # Where the variance is 0 at the estimate too, the root apart from it has a closed form.
    if a + b == 0:
        return z2 / c
    if b + c == 0:
        return 1 + z2 / a

    def excess(log_ratio: float) -> float:
        ratio = float(np.exp(log_ratio))
        distance = a + b - ratio * (a + c)
        return distance + quantile * float(np.sqrt(_tang_ratio_variance(table, ratio)))

    start = float(np.log(table.ratio))
    # Positive at the ratio itself, unless the quantile is rounding: then the limit is the ratio.
    if not excess(start) > 0:
        return table.ratio
    return float(np.exp(find_root(excess, start, start + _FURTHEST, xtol=1e-14)))


def _tang_ratio_variance(table: PairedTable, ratio: float) -> float:
    """Return the variance of x1 - ratio x2, the second's share alone estimated under the ratio."""
    a, b, c = table.both, table.first, table.second
    called = a + b + c
    # (1 + ratio) q^2 - half q + rest = 0 for the expected number q of calls of the second alone.
    half, rest = a + b + 2 * c - (a + c) * ratio**2, c * (1 - ratio) * called
    root = float(np.sqrt(max(half**2 - 4 * (1 + ratio) * rest, 0.0)))
    # Of the two forms of the root the one that does not cancel.
    q = (root + half) / (2 * (1 + ratio)) if half >= 0 else 2 * rest / (half - root)
    return max((1 + ratio) * q + (ratio - 1) * called, 0.0)


# --- The calls of two classifiers, tabulated ------------------------------------------------------

_KINDS = np.arange(8)  # bits: positive (4), called by the first (2), by the second (1)


@dataclass(frozen=True, eq=False)
class Calls:
    """Cases, and which of them a classifier calls positive."""

    cases: WeightedCases
    called: BoolArray

    @cached_property
    def shares(self) -> dict[ShareName, Share]:
        """Rates and predictive values."""
        return shares_of(self.cases, self.called)


def calls_of(sample: ScoredCases, k: int, threshold: float) -> Calls:
    """Return the calls of predictor ``k`` at a threshold; none beyond every score."""
    score, higher = sample.scores[k], sample.higher_is_positive[k]
    called = called_positive(score, threshold, higher_is_positive=higher)
    weight = sample.frequency
    cluster = None if sample.cluster is None else sample.cluster.codes
    cases = WeightedCases(
        sample.is_positive, np.ones(len(score)) if weight is None else weight, cluster
    )
    return Calls(cases, called)


def tabulated_calls(first: Calls, second: Calls) -> tuple[Calls, Calls]:
    """Return the calls by the eight kinds of cases, with their counts; with clusters, by case."""
    cases = first.cases
    if cases.cluster is not None:
        return first, second
    # Sums over eight counts cost nothing; a cluster must keep its own cases together.
    kind = 4 * cases.is_positive.astype(np.uint8) + 2 * first.called + second.called
    counts = np.bincount(kind, weights=cases.weight, minlength=8).astype(np.float64)
    counted = WeightedCases(_KINDS >= 4, counts, None)
    return Calls(counted, _KINDS % 4 >= 2), Calls(counted, _KINDS % 2 == 1)


def paired_table(first: Calls, second: Calls, *, among: BoolArray, event: bool) -> PairedTable:
    """Return the 2x2 table of the calls of two classifiers in a class."""
    return cross_table(first.cases, first.called == event, second.called == event, among)


def cross_table(
    cases: WeightedCases, first: BoolArray, second: BoolArray, among: BoolArray
) -> PairedTable:
    """Return how often each, both or neither of two events occur among some of the cases."""
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    return PairedTable(*(float(cases.weight[among & cell].sum()) for cell in cells))


def kosinski_score_of_calls(
    first: Calls, second: Calls, difference: ShareDifference, *, event: bool
) -> float:
    """Return the z of Kosinski's (2013) test that two predictive values are equal."""
    both = (first.called == event) & (second.called == event)
    right = both & (first.cases.is_positive == event)
    weight = first.cases.weight
    n_right, n_both = float(weight[right].sum()), float(weight[both].sum())
    return kosinski_score_of_shares(difference.first, difference.second, n_right, n_both)


# --- Operating points compared: estimate, limits and test of each kind of difference or ratio -----

_NAN = float("nan")
_UNPAIRED_TEST: dict[PairedTest, TableTest] = {"mid-p": "mid-p", "exact": "fisher"}


def paired_rate_difference(
    table: PairedTable, test: PairedTest, interval: PairedInterval, plan: HypothesisPlan
) -> Result:
    """Return the difference of two rates of the same independent cases.

    The statistic is Tango's score z; without a margin the p value is that of McNemar's test.
    """
    limit = tango_limit if interval == "tango" else newcombe_limit
    low, high = limits_at_both_quantiles(
        lambda at: limit(table, at), plan.confidence_level, plan.alternative
    )
    z, p = hypothesis_test_with_largest_p(plan, lambda null: tango_statistic(table, null))
    df, name = np.inf, "tango-score"
    # Without a margin the variance under the null hypothesis is that of McNemar's test.
    if plan.is_plain:
        p = mcnemar_p_value(table, test, plan.side)
        df, name = (np.inf if test == "asymptotic" else _NAN), f"mcnemar-{test}"
    word = "tango" if interval == "tango" else "newcombe-paired"
    return Result(table.difference, table.se, low, high, z, df, p, f"{name}/{word}")


def mover_measure_difference(
    difference: MeasureDifference, plan: HypothesisPlan, method: str
) -> Result:
    """Return a difference of measures with MOVER limits, and the test that they invert."""
    z, p = _NAN, _NAN
    comparison = _measure_difference_with_limits(difference, plan, method)
    if comparison.method != "none/none":
        z, p = hypothesis_test_with_largest_p(
            plan,
            lambda null: z_where_limit_reaches_null(difference.limit, difference.estimate, null),
        )
    return _measure_difference_with_test(comparison, z, np.inf, p)


def paired_predictive_value_difference(
    difference: ShareDifference, score: float, plan: HypothesisPlan
) -> Result:
    """Return a difference of predictive values of the same cases with the z of Kosinski's test."""
    comparison = _measure_difference_with_limits(difference, plan, "weighted-score/wilson-mover")
    # The score is NaN where nothing varies, which is no evidence of a difference.
    z = 0.0 if np.isnan(score) else score
    return _measure_difference_with_test(comparison, z, np.inf, t_p_value(z, np.inf, plan.side))


def unpaired_share_difference(
    difference: ShareDifference, test: PairedTest, plan: HypothesisPlan
) -> Result:
    """Return the difference of two shares of different independent cases.

    Newcombe's hybrid limits; Fisher's exact test, its mid-p form, or the pooled z.
    """
    if not plan.is_plain:
        return mover_measure_difference(difference, plan, "newcombe-hybrid/newcombe-hybrid")
    exact = _UNPAIRED_TEST.get(test)
    comparison = _measure_difference_with_limits(
        difference, plan, f"{exact or 'pooled-z'}/newcombe-hybrid"
    )
    if comparison.method == "none/none":
        return comparison
    first, second = difference.first, difference.second
    table = TwoByTwoTable(first.count, second.count, first.size, second.size)
    z = pooled_z(table)
    if exact is None:
        return _measure_difference_with_test(comparison, z, np.inf, t_p_value(z, np.inf, plan.side))
    return _measure_difference_with_test(
        comparison, z, _NAN, two_by_two_p_value(table, exact, plan.side)
    )


def _measure_difference_with_limits(
    difference: MeasureDifference, plan: HypothesisPlan, method: str
) -> Result:
    """Return a difference of measures with its limits; method "none/none" where it has none."""
    if np.isnan(difference.estimate):
        return undefined_result("no-calls")
    variance = difference.variance
    if variance == 0 and difference.first.variance + difference.second.variance > 0:
        return result_without_variance(difference.estimate, 0.0, plan)
    ends = -difference.furthest, difference.furthest
    low, high = limits_at_both_quantiles(
        difference.limit, plan.confidence_level, plan.alternative, *ends
    )
    return Result(difference.estimate, float(np.sqrt(variance)), low, high, method=method)


def _measure_difference_with_test(
    comparison: Result, statistic: float, df: float, p: float
) -> Result:
    """Return the row with its test; unchanged if it has no limits."""
    if comparison.method == "none/none":
        return comparison
    return comparison._replace(statistic=statistic, df=df, p_value=p)


def share_ratio_with_limits(result: RatioResult, plan: HypothesisPlan, method: str) -> Result:
    """Return a ratio with limits and test on the log scale."""
    if np.isnan(result.log_se):
        if result.alike:
            return result_without_variance(result.estimate, 1.0, plan)
        return undefined_result("zero-cell", result.estimate)
    low, high = result.limits(plan.confidence_level, plan.alternative)
    z, p = result.test(plan.side)
    se = result.estimate * result.log_se  # delta method: limits and test do not use it
    return Result(result.estimate, se, low, high, z, np.inf, p, method)


# --- Both rates, or both shares, at once ----------------------------------------------------------


def chi_square_of_both_rates(rates: Sequence[Result]) -> Result:
    """Return chi-square with 2 df of independent rates that are all equal, from their z."""
    # The classes are independent: two z^2 add up to chi-square with 2 df.
    statistic = float(sum(rate.statistic**2 for rate in rates))
    p = float(sp.chdtrc(2.0, statistic))
    return Result(_NAN, statistic=statistic, df=2.0, p_value=p, method="score-sum/none")


def chi_square_of_both_shares(differences: Sequence[ShareDifference]) -> Result:
    """Return the chi-square test that all differences are 0, from sums over clusters.

    In unequal clusters the influence values of a share are as many times larger as its limits of
    the level 1 - p are further, p the p value.
    """
    values = np.array([difference.estimate for difference in differences])

    def covariance(at: float) -> FloatArray:
        first = np.array([difference.first.stretched(at) for difference in differences])
        second = np.array([difference.second.stretched(at) for difference in differences])
        if differences[0].paired:
            return np.asarray((first - second) @ (first - second).T)
        return np.asarray(first @ first.T + second @ second.T)

    method, usual = "cluster-influence/none", covariance(0.0)
    if not np.isfinite(usual).all():
        return Result(_NAN, method=method)
    largest, varies = float(np.linalg.norm(usual, 2)), np.diag(usual) > 0

    def test(at: float) -> tuple[float, float, float]:
        here, longer = covariance(at), np.ones(len(values))
        # In units of the stretch of each, so that all variances are of the usual size.
        longer[varies] = np.sqrt(np.diag(here)[varies] / np.diag(usual)[varies])
        return chi_square_test_of_zero_vector(
            values / longer, here / np.outer(longer, longer), largest, SAME
        )

    def excess(z: float) -> float:
        return test(z)[2] - t_p_value(z, np.inf, "two-sided")

    statistic, df, p = test(0.0)
    shares = [share for d in differences for share in (d.first, d.second)]
    unequal = any(share.unequal is not None for share in shares)
    if p < 1 and unequal:
        far = excess(LARGEST_Z) <= 0
        z = LARGEST_Z if far else find_root(excess, 0.0, LARGEST_Z, xtol=1e-13)
        statistic, df, p = test(z)
    return Result(_NAN, statistic=statistic, df=df, p_value=p, method=method)
