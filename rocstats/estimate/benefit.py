"""Net benefit at a risk threshold, its differences and mean; limits, tests and bands.

A net benefit is a share of true positives minus the odds of the risk threshold times a share of
false positives [vickers-2006]. Both shares have influence values and limits of their own, which
MOVER combines [zou-2008]; the paired difference has Tango's limits of both classes [tango-1998]. A
band takes the same limits with the quantile of the largest of correlated normal variables. See
docs/methods/costs.md, "Net benefit".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.estimate.bars import ClusterUnits
from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.crossing import find_root
from rocstats.estimate.estimate import Estimate, Result, undefined_result
from rocstats.estimate.influence import matrix_product_in_blocks, small_sample_factor
from rocstats.estimate.paired_tables import PairedTable, cross_table, tango_limit
from rocstats.estimate.proportions import Limit, mover_limit, z_where_limit_reaches_null
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_quantile
from rocstats.estimate.resample import ResamplePlan, sup_quantile
from rocstats.estimate.shares import (
    EstimatedMeasure,
    Share,
    WeightedCases,
    mean_and_influence_among_cases,
    quantile_stretch_for_clusters,
    satterthwaite_df_by_class,
    share_among,
    units_among,
)
from rocstats.estimate.simultaneous import correlation_root, largest_normal
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.study.cases import ScoredCases

_LEAST_STEP = 1e-15  # of a root: limits are exact to rounding

# --- Risk threshold and prevalence ----------------------------------------------------------------


class Stakes(NamedTuple):
    """Risk threshold at which one acts, and the share of positives in use.

    Without a prevalence the cases themselves are a sample of those in use.
    """

    risk_threshold: float
    prevalence: float | None

    @property
    def odds(self) -> float:
        """True positives that one false positive costs."""
        return self.risk_threshold / (1 - self.risk_threshold)

    def factors(self) -> tuple[float, float]:
        """Return the factors of a share of the positives and of a share of the negatives."""
        p = self.prevalence
        return (1.0, self.odds) if p is None else (p, self.odds * (1 - p))


# --- Net benefit and its differences --------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairedShareDifference(EstimatedMeasure):
    """Difference of the shares of two events of the same cases, with Tango's limits.

    ``table`` holds the cases, in clusters as many as are independent; limits allow for ``unequal``
    clusters.
    """

    table: PairedTable
    unequal: ClusterUnits | None = None

    def limit(self, at: float) -> float:
        """Return Tango's limit at a normal quantile."""
        return tango_limit(self.table, at * quantile_stretch_for_clusters(self.unequal, at))


@dataclass(frozen=True, eq=False)
class Benefit(EstimatedMeasure):
    """The first part minus the second, each a measure times a factor.

    ``influence`` has the factor n/(n - 1) of an unbiased variance; ``ends`` are the least and the
    largest possible value.
    """

    parts: tuple[EstimatedMeasure, EstimatedMeasure]
    factors: tuple[float, float]
    ends: tuple[float, float]
    clustered: bool

    @property
    def method(self) -> tuple[str, str]:
        """Words for the standard error and for the limits."""
        paired = isinstance(self.parts[0], PairedShareDifference)
        variance = "cluster-influence" if self.clustered else "influence"
        return variance, "tango-mover" if paired else "wilson-mover"

    @cached_property
    def correlation(self) -> float:
        """Correlation of both parts; 0 if one does not vary."""
        first, second = self.parts
        spread = np.sqrt(first.variance * second.variance)
        if spread == 0:
            return 0.0
        return float(np.clip(first.influence @ second.influence / spread, -1.0, 1.0))

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, by MOVER; NaN for a single cluster."""
        sides = zip(self.parts, self.factors, (at, -at), strict=True)
        first, second = (factor * (part.limit(z) - part.value) for part, factor, z in sides)
        limit = mover_limit(self.value, first, second, self.correlation, at, furthest=np.inf)
        return float(np.clip(limit, *self.ends))


@dataclass(frozen=True, eq=False)
class StandardizedBenefit(EstimatedMeasure):
    """A net benefit over a known prevalence."""

    benefit: Benefit
    prevalence: float

    @property
    def ends(self) -> tuple[float, float]:
        """Least and largest possible value."""
        low, high = self.benefit.ends
        return low / self.prevalence, high / self.prevalence

    @property
    def method(self) -> tuple[str, str]:
        """Words for the standard error and for the limits."""
        return self.benefit.method

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile."""
        return float(np.clip(self.benefit.limit(at) / self.prevalence, *self.ends))


@dataclass(frozen=True, eq=False)
class StandardizedBenefitByCases(EstimatedMeasure):
    """A net benefit over the prevalence of the same cases: (a - w b)/(a + c).

    ``parts`` are the shares a, c and b of true positives, false negatives and false positives among
    all cases, w the odds of the risk threshold. The value exceeds s if (1 - s) a - s c - w b > 0. A
    limit is the s at which that sum has the limit 0, by MOVER (ours, not peer-reviewed). At s = 0
    the sum is the net benefit itself: both intervals exclude 0 together.
    """

    parts: tuple[Share, Share, Share]
    odds: float
    clustered: bool
    ends = (-np.inf, 1.0)

    @property
    def method(self) -> tuple[str, str]:
        """Words for the standard error and for the limits."""
        return "cluster-influence" if self.clustered else "influence", "wilson-mover"

    @cached_property
    def correlation(self) -> FloatArray:
        """Correlations of the shares; 0 with one that does not vary."""
        influence = np.stack([part.influence for part in self.parts])
        spread = np.sqrt((influence**2).sum(axis=1))
        scaled = influence / np.where(spread > 0, spread, 1.0)[:, np.newaxis]
        return np.asarray(scaled @ scaled.T)

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile; NaN for a single cluster."""
        shares = np.array([part.value for part in self.parts])
        low, high = (np.array([part.limit(z) for part in self.parts]) - shares for z in (-at, at))

        def excess(s: float) -> float:
            factors = np.array([1 - s, -s, -self.odds])
            # Distances from each term to its own limit on the side of ``at``.
            reach = factors * np.where(factors > 0, high, low)
            signs = np.sign(factors)
            squares = (signs * reach) @ self.correlation @ (signs * reach)
            squares += (reach**2).sum() - (reach**2 * np.diag(self.correlation)).sum()
            return float(factors @ shares + np.sign(at) * np.sqrt(max(squares, 0.0)))

        if np.isnan(self.value) or np.isnan(excess(0.0)):
            return np.nan
        # Of weights that say as much as 10^30 cases: the reach is less than the rounding.
        if np.sign(at) * excess(self.value) <= 0:
            return self.value
        if at >= 0:
            return 1.0 if excess(1.0) >= 0 else find_root(excess, self.value, 1.0, xtol=_LEAST_STEP)
        step, furthest = 1.0, max(1.0, -self.value) / SAME_TO_ROUNDING
        while excess(self.value - step) < 0:
            step *= 2
            # Far down the sum is |s| times the limit of the prevalence: that one is 0 to rounding.
            if step > furthest:
                return -np.inf
        return find_root(excess, self.value - step, self.value, xtol=_LEAST_STEP)


def benefit_of_calls(cases: WeightedCases, called: BoolArray, at: Stakes) -> Benefit:
    """Return the net benefit of treating the cases that are called positive."""
    gain, loss = at.factors()
    parts, among = _class_shares(cases, called, at), net_benefit_denominators(cases, at)
    return _net_benefit_from_measures(cases, parts, among, (gain, loss), (-loss, gain))


def net_benefit_over_treat_all(cases: WeightedCases, called: BoolArray, at: Stakes) -> Benefit:
    """Return the net benefit less that of treating all cases.

    Negatives that are spared save what their treatment costs; positives that are missed are lost.
    """
    (missed, spared), (pos, neg) = (
        _class_shares(cases, ~called, at),
        net_benefit_denominators(cases, at),
    )
    gain, loss = at.factors()
    return _net_benefit_from_measures(
        cases, (spared, missed), (neg, pos), (loss, gain), (-gain, loss)
    )


def net_benefit_difference(
    cases: WeightedCases, first: BoolArray, second: BoolArray, at: Stakes
) -> Benefit:
    """Return the net benefit of treating those the first calls, less that of the second."""
    positive, among = cases.is_positive, net_benefit_denominators(cases, at)
    of_pos, of_neg = (
        _paired_share(cases, first & side, second & side, all_)
        for side, all_ in zip((positive, ~positive), among, strict=True)
    )
    gain, loss = at.factors()
    # Shares of all cases sum to 1 at most; those of two classes are each 1 at most.
    furthest = max(gain, loss) if at.prevalence is None else gain + loss
    return _net_benefit_from_measures(
        cases, (of_pos, of_neg), among, (gain, loss), (-furthest, furthest)
    )


def standardized_benefit_of_calls(
    cases: WeightedCases, called: BoolArray, at: Stakes
) -> StandardizedBenefit | StandardizedBenefitByCases:
    """Return the net benefit over the prevalence, which is its largest possible value."""
    benefit = benefit_of_calls(cases, called, at)
    if at.prevalence is not None:
        p = at.prevalence
        return StandardizedBenefit(benefit.value / p, benefit.influence / p, benefit, p)
    everyone, positive = np.ones_like(cases.is_positive), cases.is_positive
    events = (called & positive, ~called & positive, called & ~positive)
    found, missed, false = (share_among(cases, among=everyone, event=event) for event in events)
    p = found.value + missed.value
    value = benefit.value / p
    # Quotient rule: the prevalence of the cases varies with their net benefit.
    units = root_of_small_sample_factor(cases, everyone) * (found.influence + missed.influence)
    influence = (benefit.influence - value * units) / p
    parts = (found, missed, false)
    return StandardizedBenefitByCases(value, influence, parts, at.odds, cases.cluster is not None)


def _net_benefit_from_measures(
    cases: WeightedCases,
    parts: tuple[EstimatedMeasure, EstimatedMeasure],
    among: tuple[BoolArray, BoolArray],
    factors: tuple[float, float],
    ends: tuple[float, float],
) -> Benefit:
    first, second = (
        factor * root_of_small_sample_factor(cases, side) * part.influence
        for part, side, factor in zip(parts, among, factors, strict=True)
    )
    value = factors[0] * parts[0].value - factors[1] * parts[1].value
    return Benefit(value, first - second, parts, factors, ends, cases.cluster is not None)


def root_of_small_sample_factor(cases: WeightedCases, among: BoolArray) -> float:
    """Return sqrt(n/(n - 1)); 1 for clusters, whose influence values have their own factor."""
    if cases.cluster is not None:
        return 1.0
    return float(np.sqrt(small_sample_factor(float(cases.weight[among].sum()))))


def net_benefit_denominators(cases: WeightedCases, at: Stakes) -> tuple[BoolArray, BoolArray]:
    """Return the denominators of shares of positives and of negatives: all cases, or the class."""
    positive = cases.is_positive
    if at.prevalence is None:
        return np.ones_like(positive), np.ones_like(positive)
    return positive, ~positive


def _class_shares(cases: WeightedCases, event: BoolArray, at: Stakes) -> tuple[Share, Share]:
    """Return the shares of positives, and of negatives, that have an event."""
    positive = cases.is_positive
    sides = zip(net_benefit_denominators(cases, at), (positive, ~positive), strict=True)
    first, second = (share_among(cases, among=all_, event=side & event) for all_, side in sides)
    return first, second


def _paired_share(
    cases: WeightedCases, first: BoolArray, second: BoolArray, among: BoolArray
) -> PairedShareDifference:
    """Return how much more often the first event occurs than the second, among some cases."""
    value, influence = mean_and_influence_among_cases(
        cases, first.astype(np.float64) - second, among
    )
    table = cross_table(cases, first, second, among)
    if cases.cluster is None:
        return PairedShareDifference(value, influence, table)
    units = units_among(cases, among)
    table = _independent_table(table, influence, float(units.effective[0]))
    return PairedShareDifference(value, influence, table, units if units.unequal else None)


def _independent_table(table: PairedTable, influence: FloatArray, n_clusters: float) -> PairedTable:
    """Return the table of as many independent cases as have the variance of the clusters."""
    # The rule of shares in clusters: n_eff = v/Var, and each cluster one case where none vary.
    spread, variance = table.size * table.se**2, float(influence @ influence)
    size = spread / variance if spread > 0 and variance > 0 else n_clusters
    return PairedTable(*(count * size / table.size for count in table))


# --- The mean net benefit over a range of risk thresholds, exactly: a mean over cases -------------


def case_benefits(risk: FloatArray, is_positive: BoolArray, low: float, high: float) -> FloatArray:
    """Return what each case adds to the mean net benefit over risk thresholds in [low, high]."""
    # A case is treated at the thresholds up to its risk: a positive gains 1 at each, a negative
    # loses the odds t/(1 - t), whose integral is -t - log(1 - t).
    until = np.clip(risk, low, high)
    lost = (low - until) - (np.log1p(-until) - np.log1p(-low))
    return np.where(is_positive, until - low, -lost) / (high - low)


def mean_benefit(cases: WeightedCases, values: FloatArray, prevalence: float | None) -> Estimate:
    """Return the mean of what cases add, over all, or over both classes at a known prevalence."""
    positive = cases.is_positive
    sides = [(1.0, np.ones_like(positive))]
    if prevalence is not None:
        sides = [(prevalence, positive), (1 - prevalence, ~positive)]
    estimate, influence = 0.0, np.zeros(1)
    for share, among in sides:
        mean, units = mean_and_influence_among_cases(cases, values, among)
        estimate += share * mean
        influence = influence + share * root_of_small_sample_factor(cases, among) * units
    return Estimate(estimate, influence)


# --- Limits, and the test that they invert --------------------------------------------------------

BenefitInterval = Literal["mover", "wald"]
BENEFIT_INTERVALS: tuple[BenefitInterval, ...] = get_args(BenefitInterval)


def benefit_limits(
    benefit: Benefit | StandardizedBenefit | StandardizedBenefitByCases,
    interval: BenefitInterval,
    plan: HypothesisPlan,
) -> Result:
    """Return a benefit with its limits; no limits for a single cluster."""
    se = float(np.sqrt(benefit.variance))
    limit, method, codes = _limit_and_method(benefit, interval, se)
    if np.isnan(limit(1.0)):
        return undefined_result("few-clusters", benefit.value)
    low, high = limits_at_both_quantiles(
        limit, plan.confidence_level, plan.alternative, *benefit.ends
    )
    return Result(benefit.value, se, low, high, method=method, codes=codes)


def benefit_test(benefit: Benefit, interval: BenefitInterval, plan: HypothesisPlan) -> Result:
    """Return a difference of benefits with its limits, and the test that they invert."""
    comparison = benefit_limits(benefit, interval, plan)
    if comparison.method == "none/none":
        return comparison
    limit = _limit_and_method(benefit, interval, comparison.se)[0]
    z, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, benefit.value, null)
    )
    return comparison._replace(statistic=z, df=np.inf, p_value=p)


def _limit_and_method(
    benefit: Benefit | StandardizedBenefit | StandardizedBenefitByCases,
    interval: BenefitInterval,
    se: float,
) -> tuple[Limit, str, tuple[str, ...]]:
    """Return the limit as a function of a normal quantile, the words for it, and its notes."""
    variance, counts = benefit.method
    normal = interval == "wald"
    if not normal or not se > 0:
        # Normal limits have no width where nothing varies; those of counts still have one.
        return benefit.limit, f"{variance}/{counts}", ("no-width",) if normal else ()

    def wald(at: float) -> float:
        return float(np.clip(benefit.value + at * se, *benefit.ends))

    return wald, f"{variance}/wald", ()


# --- Simultaneous bands ---------------------------------------------------------------------------

# Draws of the largest of correlated normal variables: the error of the quantile of a 95% band is
# about 0.02 then, under 1 % of the width.
DRAWS = 10_000
# So few variables are integrated, in the time of the draws and without their error.
_INTEGRATED = 6

BAND = "mover-max-normal"
PRINTED = (
    Word(
        BAND,
        "limits by MOVER from counts, the normal quantile replaced by that of the largest of"
        " correlated normal variables with the correlation of influence values",
        ("zou-2008",),
        published=False,
    ),
)
"""The word for bands of net benefits."""


def benefit_band(
    benefits: Sequence[Benefit], df: float, confidence_level: float, draws: ResamplePlan
) -> Limits:
    """Return limits that hold at all risk thresholds together with the level.

    The normal quantile becomes that of t with ``df`` degrees of freedom and the same probability.
    """
    influence = np.stack([benefit.influence for benefit in benefits])
    c = band_quantile_of_joint_normals(
        matrix_product_in_blocks(influence, influence), confidence_level, draws
    )
    c = t_quantile(float(sp.ndtr(c)), df)
    low, high = ([benefit.limit(at) for benefit in benefits] for at in (-c, c))
    return np.array(low), np.array(high)


def net_benefit_band_df(cases: WeightedCases, benefits: Sequence[Benefit]) -> float:
    """Return the least of Satterthwaite's degrees of freedom of benefits, by class of the cases.

    Infinite for differences of two predictors, whose limits by Tango are long enough.
    """
    if isinstance(benefits[0].parts[0], PairedShareDifference):
        return np.inf
    return min(satterthwaite_df_by_class(cases, benefit.influence) for benefit in benefits)


def band_quantile_of_joint_normals(
    covariance: FloatArray, level: float, draws: ResamplePlan
) -> float:
    """Return the quantile of the largest absolute value of normal variables, each standardised.

    Variables without variance have no part; if none has any, the quantile is that of one variable.
    """
    varies = np.flatnonzero(np.diag(covariance) > 0)
    if not len(varies):
        return float(sp.ndtri((1 + level) / 2))
    kept = covariance[np.ix_(varies, varies)]
    if len(varies) <= _INTEGRATED:
        return largest_normal(kept, two_sided=True).quantile(level)
    root, rng = correlation_root(kept), draws.stream(3)
    largest = np.empty(draws.n_resamples)
    for part in draws.chunks(len(varies)):
        normal = rng.standard_normal((part.stop - part.start, root.shape[1]))
        largest[part] = np.abs(normal @ root.T).max(axis=1)
    return sup_quantile(largest, level)


# --- Cases by the number of thresholds that call them positive: all a decision curve depends on ---


class GradedCases(NamedTuple):
    """Cases, with the grade of each by one or two predictors.

    The grade is the number of thresholds, from the most lenient to the strictest, that call the
    case positive; threshold ``g`` (from 0) calls the cases of a grade above ``g``.
    """

    cases: WeightedCases
    grades: tuple[IntArray, ...]

    def called(self, g: int, which: int = 0) -> BoolArray:
        """Return which cases are called positive at the ``g``-th threshold."""
        return np.asarray(self.grades[which] > g)


def cases_graded_by_thresholds(
    sample: ScoredCases, predictors: Sequence[int], thresholds: Sequence[FloatArray]
) -> GradedCases:
    """Return the cases by their grades; ``thresholds`` are those of each, lenient ones first.

    Cases of one class and the same grades are one row, with their number; with clusters, rows stay
    cases. A sample weight counts as a number of cases.
    """
    grades = tuple(
        _grade_of_each_score(sample.scores[k], at, higher_is_positive=sample.higher_is_positive[k])
        for k, at in zip(predictors, thresholds, strict=True)
    )
    weight = np.ones(len(sample.is_positive)) if sample.weight is None else sample.weight
    if sample.cluster is not None:
        return GradedCases(WeightedCases(sample.is_positive, weight, sample.cluster.codes), grades)
    # Ten million cases have some two hundred kinds: the grid decides the work, not the cases.
    shape = (2, *(len(at) + 1 for at in thresholds))
    kind = np.ravel_multi_index((sample.is_positive.astype(np.intp), *grades), shape)
    counted = np.bincount(kind, weights=weight, minlength=int(np.prod(shape)))
    counts = counted.astype(np.float64)
    kept = np.flatnonzero(counts)
    is_positive, *codes = np.unravel_index(kept, shape)
    return GradedCases(WeightedCases(is_positive.astype(bool), counts[kept], None), tuple(codes))


def _grade_of_each_score(
    score: FloatArray, at: FloatArray, *, higher_is_positive: bool
) -> IntArray:
    sign = 1.0 if higher_is_positive else -1.0
    # A score at a threshold is called positive, as everywhere in the package.
    return np.searchsorted(sign * at, sign * score, side="right")
