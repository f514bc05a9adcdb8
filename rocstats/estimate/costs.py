"""Differences of expected costs and of cost curves, of two classifiers on the same cases.

At fixed thresholds the limits combine Tango's of both classes [tango-1998] and Wilson's of the
prevalence by MOVER [zou-2008]; at thresholds chosen on these cases they take the resamples in which
they are chosen again. See docs/methods/costs.md, "Differences of expected costs".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.curves.convex_hull import hull_of
from rocstats.curves.roc import RocPoints
from rocstats.estimate.bands import equal_precision_band_reach
from rocstats.estimate.bars import ClusterUnits
from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.difference_bands import discordance_variance
from rocstats.estimate.estimate import Result, result_without_variance, undefined_result
from rocstats.estimate.paired_tables import PairedTable, cross_table, tango_limit
from rocstats.estimate.proportions import wilson_limit_of_proportion, z_where_limit_reaches_null
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_quantile
from rocstats.estimate.shares import (
    WeightedCases,
    mean_and_influence_among_cases,
    quantile_stretch_for_clusters,
    satterthwaite_df_by_class,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.facts.tolerances import clear_rounding
from rocstats.study.cases import ScoredCases

# --- The difference of expected costs -------------------------------------------------------------


class Costs(NamedTuple):
    """Costs of a false positive and of a false negative, and the share of positives in use.

    Without a prevalence the cases themselves are a sample of those in use.
    """

    cost_fp: float
    cost_fn: float
    prevalence: float | None

    @property
    def unit(self) -> float:
        """The larger cost."""
        return max(self.cost_fp, self.cost_fn)

    @property
    def relative(self) -> Costs:
        """The same costs in units of the larger one, beside which rounding errors are known."""
        return Costs(self.cost_fp / self.unit, self.cost_fn / self.unit, self.prevalence)

    def shares(self, of_positives: float) -> tuple[float, float]:
        """Return the costs of being always wrong about negatives, and about positives."""
        p = of_positives if self.prevalence is None else self.prevalence
        return self.cost_fp * (1 - p), self.cost_fn * p

    @property
    def largest(self) -> float:
        """Largest expected cost of a case."""
        return self.unit if self.prevalence is None else sum(self.shares(self.prevalence))


@dataclass(frozen=True, eq=False)
class CostDifference:
    """Expected cost of the first minus that of the second, with influence values of units.

    ``missed`` and ``alarmed`` count the positives, and the negatives, that they call wrong;
    ``df`` are the degrees of freedom of clusters, None for independent cases.
    """

    estimate: float
    influence: FloatArray
    df: float | None
    missed: PairedTable
    alarmed: PairedTable
    costs: Costs

    @cached_property
    def variance(self) -> float:
        """Variance from the influence values; NaN for a single cluster."""
        variance = float(self.influence @ self.influence)
        return self.cleared(variance)

    def cleared(self, variance: float) -> float:
        """Return a variance of the difference, 0 where it is the rounding error of 0."""
        # Relative to the largest squared difference that the costs allow.
        return clear_rounding(variance, self.costs.largest**2)

    @property
    def alike_in_a_class(self) -> bool:
        """Whether the calls differ in the same way in all cases of a class: mostly in none."""
        return any(
            table.size in (table.both + table.neither, table.first, table.second)
            for table in (self.missed, self.alarmed)
        )

    def limit(self, at: float) -> float:
        """Return the limit of independent cases at a normal quantile, by MOVER.

        It combines Tango's limits of both classes and, unless it is given, Wilson's of the
        prevalence.
        """
        of_pos, n = self.missed.size, self.missed.size + self.alarmed.size
        pairs = zip(self.costs.shares(of_pos / n), (self.alarmed, self.missed), strict=True)
        reach = [share * (tango_limit(table, at) - table.difference) for share, table in pairs]
        if self.costs.prevalence is None:
            # The difference grows by this much with the prevalence.
            slope = self.costs.cost_fn * self.missed.difference
            slope -= self.costs.cost_fp * self.alarmed.difference
            reach.append(
                slope
                * (wilson_limit_of_proportion(of_pos, n, at * float(np.sign(slope))) - of_pos / n)
            )
        # MOVER (Zou & Donner 2008): the three are uncorrelated, so that distances add in squares.
        return self.estimate + float(np.sign(at) * np.linalg.norm(reach))


def cost_difference(
    cases: WeightedCases, first: BoolArray, second: BoolArray, costs: Costs
) -> CostDifference:
    """Return the difference of the costs of two classifiers that call some cases positive.

    With the prevalence p, the difference is (1 - p) times the mean over negatives of the
    difference of their costs plus p times that over positives; without one, the mean over all.
    """
    positive, gap = cases.is_positive, first.astype(np.float64) - second
    cost = np.where(positive, -costs.cost_fn * gap, costs.cost_fp * gap)
    # Cases that are themselves a sample of those in use vary in their prevalence too: one mean.
    if costs.prevalence is None:
        parts = [(1.0, np.ones_like(positive))]
    else:
        parts = [(1 - costs.prevalence, ~positive), (costs.prevalence, positive)]
    estimate, influence = 0.0, np.zeros(1)
    for share, among in parts:
        mean, units = mean_and_influence_among_cases(cases, cost, among)
        estimate, influence = estimate + share * mean, influence + share * units
    wrong = first != positive, second != positive
    missed, alarmed = (cross_table(cases, *wrong, among) for among in (positive, ~positive))
    df = None if cases.cluster is None else satterthwaite_df_by_class(cases, influence)
    return CostDifference(estimate, influence, df, missed, alarmed, costs)


# --- Limits and test ------------------------------------------------------------------------------


def compare_costs_at_fixed_thresholds(difference: CostDifference, plan: HypothesisPlan) -> Result:
    """Compare the costs at thresholds that were fixed beforehand.

    Limits of independent cases are those of ``CostDifference.limit``; clusters have limits of t.
    """
    if difference.df is None:
        return _tango_mover(difference, plan)
    if np.isnan(difference.variance):
        return undefined_result("few-clusters", difference.estimate)
    if difference.variance == 0:
        return result_without_variance(difference.estimate, 0.0, plan)
    return _wald_cost_difference(difference, difference.variance, plan, "cluster-influence")


def compare_costs_at_selected_cutoffs(
    difference: CostDifference, draws: FloatArray, plan: HypothesisPlan
) -> Result:
    """Compare the costs at thresholds chosen on these cases, and chosen again in each resample.

    The standard error is the larger of that of the draws and of that at the thresholds as fixed.
    """
    # Choosing again cannot make a difference more certain; fmax skips the NaN of a single cluster.
    variance = difference.cleared(float(np.fmax(np.var(draws, ddof=1), difference.variance)))
    if variance == 0:
        comparison = compare_costs_at_fixed_thresholds(difference, plan)
    else:
        comparison = _wald_cost_difference(difference, variance, plan, "reselection")
    return comparison._replace(codes=("selected-thresholds", *comparison.codes))


def _wald_cost_difference(
    difference: CostDifference, variance: float, plan: HypothesisPlan, word: str
) -> Result:
    estimate, largest = difference.estimate, difference.costs.largest
    df = np.inf if difference.df is None else difference.df
    se = float(np.sqrt(variance))

    def limit(at: float) -> float:
        return float(np.clip(estimate + at * se, -largest, largest))

    low, high = limits_at_both_quantiles(
        limit, plan.confidence_level, plan.alternative, -largest, largest, df
    )
    t, p = hypothesis_test_with_largest_p(plan, lambda null: (estimate - null) / se, df)
    kind = "wald" if np.isinf(df) else "wald-t"
    return Result(estimate, se, low, high, t, df, p, f"{word}/{kind}")


def _tango_mover(difference: CostDifference, plan: HypothesisPlan) -> Result:
    estimate, largest = difference.estimate, difference.costs.largest

    def limit(at: float) -> float:
        return float(np.clip(difference.limit(at), -largest, largest))

    low, high = limits_at_both_quantiles(
        limit, plan.confidence_level, plan.alternative, -largest, largest
    )
    z, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, estimate, null)
    )
    se = float(np.sqrt(difference.variance))
    codes = ("alike-in-a-class",) if difference.alike_in_a_class else ()
    return Result(estimate, se, low, high, z, np.inf, p, "influence/tango-mover", codes)


# --- The band of the difference of two cost curves ------------------------------------------------


def cost_difference_limits(
    probability_cost: FloatArray,
    estimate: FloatArray,
    draws: FloatArray,
    floor: FloatArray,
    confidence_level: float,
    unequal: ClusterUnits | None = None,
) -> Limits:
    """Return limits of equal precision at all probability costs at once.

    Both curves lie below the triangle min(x, 1 - x), and so does the size of their difference. In
    ``unequal`` clusters the limits are as many times further as those of the level at one place.
    """
    everywhere = np.ones(len(estimate), dtype=bool)
    reach = equal_precision_band_reach(estimate, draws, floor, everywhere, confidence_level)
    reach *= quantile_stretch_for_clusters(unequal, t_quantile((1 + confidence_level) / 2, np.inf))
    # The loss of the best point is at most that of calling all, or none, positive.
    triangle = np.minimum(probability_cost, 1 - probability_cost)
    low, high = (np.clip(end, -triangle, triangle) for end in (estimate - reach, estimate + reach))
    return low, high


def cost_floor(
    cases: ScoredCases, pair: tuple[int, int], probability_cost: FloatArray
) -> FloatArray:
    """Return the standard deviation of the difference of costs at thresholds taken as fixed.

    They are the best ones at each probability cost x. The variances of paired differences of both
    error rates (Bonett & Price 2012), never 0, are weighed by x^2 and (1 - x)^2.
    """
    x = probability_cost
    n_called = np.array([_scores_called_at_least_cost(cases, k, x) for k in pair])
    of_pos, of_neg = (
        discordance_variance(cases, pair, n_called, positive=positive) for positive in (True, False)
    )
    return np.asarray(np.sqrt(x**2 * of_pos + (1 - x) ** 2 * of_neg))


def _scores_called_at_least_cost(cases: ScoredCases, k: int, x: FloatArray) -> IntArray:
    """Return the number of distinct scores called positive where that costs least."""
    counts = cases.counts(k)
    called = np.arange(len(counts.score) + 1.0)
    fp, tp = (np.insert(np.cumsum(n), 0, 0.0) for n in (counts.n_neg, counts.n_pos))
    # Numbers of called scores take the place of thresholds; only vertices of the hull cost least.
    hull = hull_of(RocPoints(called, fp, tp))
    lines = np.outer(1 - x, hull.fpr) + np.outer(x, 1 - hull.tpr)
    return np.asarray(hull.threshold[lines.argmin(axis=1)], dtype=np.intp)
