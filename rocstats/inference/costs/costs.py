"""Differences of expected costs, at given costs of both errors and a given prevalence.

At thresholds fixed beforehand the limits combine Tango's of both classes [tango-1998] and Wilson's
of the prevalence by MOVER [zou-2008]. At the thresholds of least cost in these cases, resamples
choose their thresholds again, so that the limits allow for the choice. Costs are computed in units
of the larger cost. Derivations: docs/methods/costs.md, "Differences of expected costs".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import curve_prevalence, hull_of, hulls_of, optimal_vertex
from rocstats.curves.costs import least_costs
from rocstats.curves.roc import RocPoints
from rocstats.errors import require_choice, require_cost, require_open_interval
from rocstats.estimate.bands import equal_precision_band_reach
from rocstats.estimate.bars import ClusterUnits
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Hypothesis,
    HypothesisPlan,
    hypothesis_columns,
    hypothesis_test_with_largest_p,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, PairToCompare, comparison_frame, predictor_pairs
from rocstats.estimate.difference_bands import discordance_variance
from rocstats.estimate.estimate import Result, result_without_variance, undefined_result
from rocstats.estimate.paired_tables import (
    Calls,
    PairedTable,
    cross_table,
    tabulated_calls,
    tango_limit,
)
from rocstats.estimate.proportions import wilson_limit_of_proportion, z_where_limit_reaches_null
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles, t_quantile
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    ValidDraws,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
    require_drawing,
)
from rocstats.estimate.resample_curves import hull_draws
from rocstats.estimate.shares import (
    WeightedCases,
    mean_and_influence_among_cases,
    quantile_stretch_for_clusters,
    satterthwaite_df_by_class,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.facts.tolerances import clear_rounding
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.study.base import require_cases
from rocstats.study.cases import ScoredCases
from rocstats.study.points import read_single_thresholds
from rocstats.study.sample import Sample

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


# --- The question ---------------------------------------------------------------------------------

COMPARE_COSTS = Question(
    "compare_costs",
    estimate_columns(
        "predictor reference group quantity direction threshold next_score reference_direction "
        "reference_threshold reference_next_score cost_fp "
        f"cost_fn prevalence {ESTIMATE} {TEST} p_adjusted hypothesis n_pos n_neg "
        "n_resamples method note"
    ),
    ("fawcett-2004", "drummond-2006", "tango-1998", "zou-2008"),
    # Tango's limits and the resamples count discordant cases, of which a weight is no number.
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of costs, which counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def compare_costs(
    sample: Sample,
    *,
    cost_fp: float,
    cost_fn: float,
    prevalence: float | None = None,
    threshold: float | Mapping[str, float] | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of expected costs; a row is one pair of predictors.

    Parameters
    ----------
    cost_fp, cost_fn : float > 0
        Cost of a false positive and of a false negative, in one unit. The estimate has the same
        unit.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. By default it is estimated from the cases,
        which must be a random sample of that population. Required for case-control samples, where
        the share of positives was chosen.
    threshold : float, or mapping of str to float, optional
        Threshold on the scale of the scores, chosen before these data were seen. A mapping has a
        threshold for each predictor to compare. By default each predictor has the threshold with
        the lowest cost on these cases (note ``selected-thresholds``).
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of costs; a lower cost is better.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d < -``margin``.
        - "non-inferiority": d < ``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float > 0, optional
        Largest difference of costs that does not matter, chosen before the data were seen. It must
        be below the larger of ``cost_fp`` and ``cost_fn``. For superiority the default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "less" means that the predictor has a lower cost than
        the reference.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.
    n_resamples : int >= 100, default 2000
        Number of resamples. Resamples are used only for thresholds chosen on these cases.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, direction, reference_direction,
        threshold, next_score, reference_threshold, reference_next_score, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, prevalence, cost_fp, cost_fn, n_pos, n_neg,
        confidence_level, null_value, hypothesis, n_resamples, method, note``. ``quantity`` is
        "expected_cost_difference": the cost per case of the predictor minus the cost per case of
        the reference. It is negative if the predictor costs less. An infinite threshold calls no
        case positive.

    Raises
    ------
    InputError
        If there is one predictor; if an option or number is invalid; if options cannot be combined;
        or if the study has weights.

    Warns
    -----
    StatisticalWarning
        - ``selected-thresholds``: thresholds were chosen on these cases.
        - ``identical-predictors``, or ``no-discordance`` with clusters: two predictors never
          differ.
        - ``pooled-folds``: folds are pooled.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``few-cases``: a class has under 20 cases. This warning does not apply to independent
          cases at fixed thresholds.

    Notes
    -----
    The expected cost of a case is C = cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr).
    With the prevalence of the sample, C is the mean cost of the cases. For each case, let e be the
    cost with the predictor minus the cost with the reference. The estimate d is (1 - prevalence)
    times the mean of e over negatives, plus prevalence times the mean of e over positives. The
    square of ``se`` is the sum of squared influence values. With clusters, influence values are
    first summed within clusters.

    At fixed thresholds and for independent cases, MOVER combines Tango's limits of both classes. If
    the prevalence is estimated, MOVER also combines its Wilson limits. The test inverts these
    limits. Simulations ranged from 10 positives and 50 negatives to 300 cases of each class, with
    costs of 1 to 20. These limits had coverage of at least 94 %. The lowest coverage of limits d -+
    z se was 89 %. If both predictors agree in all cases of a class, this class adds 0 to ``se``
    (note ``alike-in-a-class``). With clusters the limits are d -+ t se, and are wider for clusters
    of unequal size. Satterthwaite's degrees of freedom combine clusters of three kinds: with
    positives only, with negatives only and with both.

    Thresholds chosen on these cases make the costs of both predictors optimistic. Differences are
    less affected. In each resample the thresholds are chosen again. The standard error is the
    larger of two values: the standard deviation of the resampled differences, and the standard
    error at the thresholds of the sample. In simulations with 30 to 300 cases in each class, these
    limits had coverage 92 to 98 % (Monte-Carlo error 1 %). This coverage applies to two targets:
    the difference of the lowest true costs, and the difference of the true costs at the chosen
    thresholds. This method is not published elsewhere. Evaluate chosen thresholds on new cases if
    possible. With ``prevalence``, cases are resampled within their class. Otherwise all cases are
    resampled together. Clusters are resampled as a whole.

    The same thresholds apply to all folds. Therefore scores must be comparable between folds. Every
    case must be in one fold only, or repeats of a case must form one cluster. To compare predictors
    over all costs, use ``cost_difference_band``.

    References
    ----------
    - Fawcett (2004), sections 3.1 and 7.1 [fawcett-2004]
    - Drummond & Holte (2006) [drummond-2006]
    - Tango (1998) [tango-1998]
    - Zou & Donner (2008) [zou-2008]

    Examples
    --------
    A missed malignant tumour costs five times as much as a false alarm:

    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> cost = study.compare_costs(
    ...     cost_fp=1, cost_fn=5, prevalence=0.1, threshold={"area": 700, "texture": 20}
    ... )
    >>> cost[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture    -0.229  -0.292   -0.168
    """
    for name, value in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
        require_cost(name, value)
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    costs = Costs(float(cost_fp), float(cost_fn), prevalence)
    tested = read_hypothesis(
        hypothesis, margin, alternative, 0.0, confidence_level, largest=costs.largest
    ).lower_is_better()  # the margins change sides: a lower cost is the better one
    require_drawing(n_resamples, rng, progress)
    require_cases(sample, "a comparison of predictors")
    COMPARE_COSTS.require_roles(sample)
    draws = None
    if threshold is None:
        draws = plan_draws(n_resamples, rng, progress)
        pairs = predictor_pairs(sample, sample.predictors, reference)
        differences = differences_at_least_costs(pairs, costs, tested, draws)
    else:
        at = read_single_thresholds(threshold, sample.predictors)
        pairs = predictor_pairs(sample, list(at), reference)
        differences = cost_differences_at_thresholds(pairs, at, costs, tested)
    return comparison_frame(COMPARE_COSTS, sample, adjust, differences, draws=draws)


# --- Thresholds fixed before these cases were seen ------------------------------------------------


def cost_differences_at_thresholds(
    pairs: Sequence[PairToCompare],
    thresholds: Mapping[str, float],
    costs: Costs,
    tested: HypothesisPlan,
) -> Iterator[ComparedRow]:
    """Yield the difference of each pair at thresholds fixed before these cases were seen."""
    made: dict[tuple[int, int], Calls] = {}
    for pair in pairs:
        at = (thresholds[pair.words["predictor"]], thresholds[pair.words["reference"]])
        result = undefined_result("one-class")
        if not pair.lacks_class:
            difference = _relative_difference(pair, at, made, costs)
            result = compare_costs_at_fixed_thresholds(difference, tested.over(costs.unit))
        known = _compared_cost_columns(pair, at, costs, tested, given=True)
        yield known, result.times(costs.unit), _compared_cost_notes(pair, result)


def _relative_difference(
    pair: PairToCompare, at: Sequence[float], made: dict[tuple[int, int], Calls], costs: Costs
) -> CostDifference:
    """Return the difference in units of the larger cost; ``made`` keeps calls of predictors."""
    # Without clusters the eight kinds of cases (class and both calls) replace the single cases.
    first, second = tabulated_calls(*pair.calls(at, made))
    return cost_difference(first.cases, first.called, second.called, costs.relative)


# --- Thresholds of least cost in these cases ------------------------------------------------------


def differences_at_least_costs(
    pairs: Sequence[PairToCompare], costs: Costs, tested: HypothesisPlan, draws: ResamplePlan
) -> Iterator[ComparedRow]:
    """Yield the difference of each pair at the thresholds of least cost in these cases."""
    # By group: its pairs read the same resamples, which keep the correlation of their costs.
    resampled: dict[int, tuple[list[float], ValidDraws]] = {}
    made: dict[tuple[int, int], Calls] = {}
    for pair in pairs:
        part, g = pair.samples[0], pair.groups[0]
        if pair.lacks_class:
            result = undefined_result("one-class")
            known = _compared_cost_columns(pair, (np.nan, np.nan), costs, tested)
            yield known, result, _compared_cost_notes(pair, result)
            continue
        if g not in resampled:
            least = _resampled_least_costs(part, costs, draws.at(g))
            resampled[g] = _best_thresholds(part, costs), least
        thresholds, least = resampled[g]
        i, j = pair.predictors
        at = (thresholds[i], thresholds[j])
        # Equal ranks have equal least costs in every resample: no spread, and nothing to test.
        if np.array_equal(part.cases.codes(i), part.cases.codes(j)):
            p = 1.0 if tested.is_plain else np.nan
            result = Result(0.0, p_value=p, codes=("identical-predictors",))
        else:
            gaps = least.values[:, i] - least.values[:, j]
            difference = _relative_difference(pair, at, made, costs)
            result = compare_costs_at_selected_cutoffs(difference, gaps, tested.over(costs.unit))
        known = _compared_cost_columns(pair, at, costs, tested) | {"n_resamples": draws.n_resamples}
        codes = [*_compared_cost_notes(pair, result), *redrawn_notes(least.n_redrawn)]
        yield known, result.times(costs.unit), codes


def _best_thresholds(sample: Sample, costs: Costs) -> list[float]:
    """Return the threshold of each predictor with the least cost; the stricter one of two."""
    of_neg, of_pos = costs.shares(sample.prevalence)
    hulls = hulls_of(sample.cases)
    return [float(hull.threshold[optimal_vertex(hull, of_neg / of_pos)]) for hull in hulls]


def _resampled_least_costs(sample: Sample, costs: Costs, draws: ResamplePlan) -> ValidDraws:
    """Return the least cost of each predictor in resamples, in units of the larger cost."""
    relative = costs.relative

    # The prevalence of the resample unless it is given: the share of positives is then estimated
    # from the same cases, and its sampling error belongs to the cost.
    def least_of(hulls: Sequence[RocPoints]) -> FloatArray:
        of_neg, of_pos = np.array([relative.shares(curve_prevalence(hull)) for hull in hulls]).T
        least = [
            least_costs(hull, of_neg[k : k + 1], of_pos[k : k + 1]) for k, hull in enumerate(hulls)
        ]
        return np.concatenate(least)

    # With the prevalence given, the class sizes carry no information and stay fixed.
    plan = draws._replace(stratified=costs.prevalence is not None)
    with enough_valid_resamples():
        return hull_draws(sample.cases.pooled(), least_of, plan)


# --- Columns and notes ----------------------------------------------------------------------------


def _compared_cost_columns(
    pair: PairToCompare,
    at: tuple[float, float],
    costs: Costs,
    tested: HypothesisPlan,
    *,
    given: bool = False,
) -> dict[str, Any]:
    """Return the columns of a pair that are known before its costs are compared."""
    share = pair.samples[0].prevalence
    return {
        **pair.columns(),
        **pair.directions(),
        "quantity": "expected_cost",
        **pair.cutoffs(at, given=given),
        "cost_fp": costs.cost_fp,
        "cost_fn": costs.cost_fn,
        "prevalence": share if costs.prevalence is None else costs.prevalence,
        **hypothesis_columns(tested),
        "n_resamples": 0,
    }


def _compared_cost_notes(pair: PairToCompare, result: Result) -> list[str]:
    """Return the notes on the cases of a pair."""
    # Wald limits cover less with few cases; Tango's, of fixed thresholds, do not.
    sizes = ("few-clusters", "few-cases") if "/wald" in result.method else ("few-clusters",)
    return pair.codes(of_size=sizes)
