"""Power by simulation: the share of drawn binormal studies in which the package's test rejects.

The design gives the distribution of the scores and the one-sided tests that must all reject. These
are the default tests of ``auc``, ``versus_random`` and ``compare_auc``. A rejection counts on the
side of the truth only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.estimate.areas import AreaTest, infer_area
from rocstats.estimate.claim import HypothesisPlan
from rocstats.estimate.contrasts import contrast_variance, infer_contrast
from rocstats.estimate.influence import contrast_df, satterthwaite
from rocstats.estimate.intervals import DEFAULT_INTERVAL, Area
from rocstats.estimate.proportions import proportion_limits
from rocstats.estimate.quantiles import Alternative, t_p_value
from rocstats.estimate.rank_sum import (
    LARGEST_PAIRS,
    continuity_corrected_z,
    mann_whitney_null_variance,
    rank_sum_deviation_of_area,
    rank_sum_distribution,
    untied_counts,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import clear_rounding
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, planned_binormal_curves
from rocstats.inference.planning.simulated_studies import Scores, draw_studies
from rocstats.inference.planning.variances import Binormal

# --- Simulated power of a design ------------------------------------------------------------------

# Largest number of cases of a class that is simulated: 2000 comparisons of two areas take 45 s
# then, and the error of the formula, of order 1/n, is far below that of 2000 studies.
MOST_SIMULATED = 50_000

SimulatedDesign = OneAUC | TwoAUCs | PairedAUCs


class SimulatedPower(NamedTuple):
    """Share of studies in which the test ``test`` rejects, with Wilson's 95% limits.

    ``half_width`` is the mean over the studies whose interval is defined.
    """

    power: float
    low: float
    high: float
    half_width: float
    test: str


def simulate_power(
    design: SimulatedDesign,
    n_pos: int,
    n_neg: int,
    alpha: float,
    plan: ResamplePlan,
) -> SimulatedPower:
    """Return the share of simulated studies in which the test rejects its null hypothesis."""
    sizes = n_pos, n_neg
    if isinstance(design, OneAUC):
        # The test of 1/2 is the rank sum test, as in ``versus_random``.
        at_half = design.null_auc == 0.5
        rank_test, name = (
            _simulated_rank_test(sizes) if at_half else (None, f"delong/{DEFAULT_INTERVAL}")
        )
        outcomes = _outcomes_of_one(design, sizes, alpha, plan, rank_test)
    else:
        tests = _one_sided_tests(design, alpha)
        # ``compare_auc`` tests a margin by MOVER.
        at_margin = any(test.null_value != 0 for test in tests)
        name = "delong/logit-mover" if at_margin else "delong/wald-t"
        outcomes = _outcomes_of_two(design, sizes, alpha, plan, tests, at_margin=at_margin)
    rejected, widths = np.array(list(plan.watched(outcomes))).T
    count = float(rejected.sum())
    low, high = proportion_limits(count, plan.n_resamples, "wilson", 0.95, "two-sided")
    finite = widths[np.isfinite(widths)]  # no interval where an area is 0 or 1
    half_width = float(finite.mean() / 2) if len(finite) else float("nan")
    return SimulatedPower(count / plan.n_resamples, low, high, half_width, name)


Outcome = tuple[bool, float]
"""Whether the test of one study rejects on the side of the truth, and the width of its interval."""


# --- Tests of one area ----------------------------------------------------------------------------


def _outcomes_of_one(
    design: OneAUC,
    sizes: tuple[int, int],
    alpha: float,
    plan: ResamplePlan,
    rank_test: Callable[[float, Alternative], float] | None,
) -> Iterator[Outcome]:
    """Yield the outcome of the test of one area in each drawn study."""
    curve = Binormal.of_area(design.auc, 1.0)
    studies = draw_studies([(curve.a, curve.b)], (0.0, 0.0), sizes, plan.n_resamples, plan.seed)
    for scores in studies:
        area = _area_estimate(_placements_of(scores), 0)
        inference = infer_area(
            area, DEFAULT_INTERVAL, AreaTest(1 - alpha, "two-sided", design.null_auc)
        )
        p = (
            t_p_value(inference.statistic, inference.df, design.alternative)
            if rank_test is None
            else rank_test(area.value, design.alternative)
        )
        # Rejections on the wrong side are not power; a two-sided test has some near the null value.
        right = (area.value > design.null_auc) == (design.auc > design.null_auc)
        yield bool(p <= alpha and right), inference.ci_high - inference.ci_low


def _simulated_rank_test(
    sizes: tuple[int, int],
) -> tuple[Callable[[float, Alternative], float], str]:
    """Return the default test of ``versus_random`` for these sizes, and its name."""
    # The null distribution depends on the sizes only: it is computed once for all studies.
    counts, pairs = untied_counts(*sizes), sizes[0] * sizes[1]
    if pairs <= LARGEST_PAIRS:
        distribution = rank_sum_distribution(counts)

        def exact(area: float, side: Alternative) -> float:
            return distribution.p_value(rank_sum_deviation_of_area(area, *sizes), side)

        return exact, "mann-whitney/exact"
    variance = mann_whitney_null_variance(counts)

    def normal(area: float, side: Alternative) -> float:
        return t_p_value(
            continuity_corrected_z(area - 0.5, variance, 0.5 / pairs, side), np.inf, side
        )

    return normal, "mann-whitney/normal-continuity"


# --- Tests of two areas ---------------------------------------------------------------------------

_CONTRAST = np.array([1.0, -1.0])


def _one_sided_tests(design: TwoAUCs | PairedAUCs, alpha: float) -> list[HypothesisPlan]:
    """Return the one-sided tests that must all reject, on the side of the assumed difference."""
    # As in ``compare_auc``: one-sided at alpha/2 beside a two-sided interval at 1 - alpha;
    # equivalence at alpha a side beside the interval at 1 - 2 alpha.
    margin = design.margin or 0.0
    if design.hypothesis == "superiority":
        return [_one_sided_hypothesis_plan(1 - alpha / 2, "greater", margin)]
    if design.hypothesis == "non-inferiority":
        return [_one_sided_hypothesis_plan(1 - alpha / 2, "greater", -margin)]
    if design.hypothesis == "equivalence":
        return [
            _one_sided_hypothesis_plan(1 - alpha, "greater", -margin),
            _one_sided_hypothesis_plan(1 - alpha, "less", margin),
        ]
    if design.alternative != "two-sided":
        return [_one_sided_hypothesis_plan(1 - alpha, design.alternative, 0.0)]
    # A rejection on the wrong side shows the contrary: it does not count as power.
    return [
        _one_sided_hypothesis_plan(
            1 - alpha / 2, "greater" if design.difference > 0 else "less", 0.0
        )
    ]


def _one_sided_hypothesis_plan(
    confidence_level: float, alternative: Alternative, null_value: float
) -> HypothesisPlan:
    tests: tuple[tuple[float, Alternative], ...] = ((null_value, alternative),)
    return HypothesisPlan(confidence_level, alternative, null_value, alternative, tests)


def _outcomes_of_two(
    design: TwoAUCs | PairedAUCs,
    sizes: tuple[int, int],
    alpha: float,
    plan: ResamplePlan,
    tests: Sequence[HypothesisPlan],
    *,
    at_margin: bool,
) -> Iterator[Outcome]:
    """Yield the outcome of all tests of a difference in each drawn study."""
    interval = HypothesisPlan(1 - alpha, "two-sided", 0.0, "two-sided", ((0.0, "two-sided"),))
    correlations, paired = (0.0, 0.0), isinstance(design, PairedAUCs)
    if isinstance(design, PairedAUCs):
        correlations = (design.correlation_pos, design.correlation_neg)
    curves = [(curve.a, curve.b) for curve in planned_binormal_curves(design)]
    studies = draw_studies(curves, correlations, sizes, plan.n_resamples, plan.seed)
    for scores in studies:
        placements = _placements_of(scores)
        areas = [_area_estimate(placements, k) for k in (0, 1)]
        covariance, df = _area_covariance(placements, paired=paired)
        # Equal areas inside (0, 1) whose difference has no variance: predictors that rank alike. At
        # 0 and 1 no variance says nothing of the kind.
        variance = contrast_variance(_CONTRAST, covariance)
        identical = variance == 0 and placements.areas[0] == placements.areas[1] not in (0.0, 1.0)
        results = [
            infer_contrast(
                _CONTRAST,
                areas,
                covariance,
                df,
                test,
                identical=identical,
                mover=at_margin,
            )
            for test in (interval, *tests)
        ]
        rejected = all(
            result.p_value <= 1 - test.confidence_level
            for result, test in zip(results[1:], tests, strict=True)
        )
        yield rejected, results[0].ci_high - results[0].ci_low


# --- Drawn studies: placements, areas and covariances ---------------------------------------------


class _DrawnPlacements(NamedTuple):
    """Areas of the predictors of one drawn study and their placements (k x n)."""

    v10: FloatArray
    v01: FloatArray

    @property
    def areas(self) -> FloatArray:
        return np.asarray(self.v10.mean(axis=1))

    def components(self, weights: FloatArray) -> FloatArray:
        """Return both parts of DeLong's variance of a weighted sum of the areas."""
        return np.array(
            [np.var(weights @ part, ddof=1) / part.shape[1] for part in (self.v10, self.v01)]
        )


def _placements_of(scores: Scores) -> _DrawnPlacements:
    """Return the placements: normal scores have no ties."""
    pos, neg = scores
    v10 = [_untied_shares_below(x, y) for x, y in zip(pos, neg, strict=True)]
    v01 = [1 - _untied_shares_below(y, x) for x, y in zip(pos, neg, strict=True)]
    return _DrawnPlacements(np.array(v10), np.array(v01))


def _untied_shares_below(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the share of the values of y below each value of x."""
    # Values in order are found five times as fast: neighbours lie in the cache.
    order, shares = np.argsort(x), np.empty(len(x))
    shares[order] = np.searchsorted(np.sort(y), x[order]) / len(y)
    return shares


def _area_estimate(placements: _DrawnPlacements, k: int) -> Area:
    components = placements.components(np.eye(len(placements.v10))[k])
    m, n = placements.v10.shape[1], placements.v01.shape[1]
    df = satterthwaite(components, np.array([m - 1.0, n - 1.0]))
    variance = clear_rounding(float(components.sum()))
    return Area(float(placements.areas[k]), variance, df, m, n, min(m, n))


def _area_covariance(placements: _DrawnPlacements, *, paired: bool) -> tuple[FloatArray, float]:
    """Return the covariance of the two areas, and Satterthwaite's df of their difference."""
    parts = [np.cov(part) / part.shape[1] for part in (placements.v10, placements.v01)]
    dfs = np.array([placements.v10.shape[1], placements.v01.shape[1]]) - 1.0
    if not paired:
        # The areas of different cases are independent: each class of each has a part of its own.
        parts = [np.diag(np.eye(2)[k] * np.diag(part)) for k in (0, 1) for part in parts]
        dfs = np.tile(dfs, 2)
    return np.sum(parts, axis=0), contrast_df([(_CONTRAST, np.array(parts), dfs)])
