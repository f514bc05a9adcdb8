"""Power by simulation: the share of drawn binormal studies in which the package's test rejects.

The design gives the distribution of the scores and the one-sided tests that must all reject. These
are the default tests of ``auc``, ``versus_random`` and ``compare_auc``. A rejection counts on the
side of the truth only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.estimate.areas import AreaTest, infer
from rocstats.estimate.claim import HypothesisPlan
from rocstats.estimate.compare import contrast_variance, infer_contrast
from rocstats.estimate.influence import contrast_df, satterthwaite
from rocstats.estimate.intervals import DEFAULT_INTERVAL, Area
from rocstats.estimate.proportions import proportion_limits
from rocstats.estimate.quantiles import Alternative, p_value
from rocstats.estimate.rank_sum import (
    LARGEST_PAIRS,
    deviation_of,
    null_variance,
    rank_sum_distribution,
    standardised,
    untied_counts,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.simulate import Scores, draw_studies
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import cleared
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, curves_of
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
    drawn = DrawnStudies((n_pos, n_neg), plan)
    if isinstance(design, OneAUC):
        test = OneAreaTest(design.auc, design.null_auc, design.alternative)
        return one_area_power(test, Binormal.of_area(design.auc, 1.0), drawn, alpha)
    correlations, paired = (0.0, 0.0), isinstance(design, PairedAUCs)
    if isinstance(design, PairedAUCs):
        correlations = (design.correlation_pos, design.correlation_neg)
    both = TwoAreasTest(curves_of(design), correlations, paired, _tests(design, alpha))
    return two_areas_power(both, drawn, alpha)


def _tests(design: TwoAUCs | PairedAUCs, alpha: float) -> list[HypothesisPlan]:
    """Return the one-sided tests that must all reject, on the side of the assumed difference."""
    # As in ``compare_auc``: one-sided at alpha/2 beside a two-sided interval at 1 - alpha;
    # equivalence at alpha a side beside the interval at 1 - 2 alpha.
    margin = design.margin or 0.0
    if design.hypothesis == "superiority":
        return [_one_sided(1 - alpha / 2, "greater", margin)]
    if design.hypothesis == "non-inferiority":
        return [_one_sided(1 - alpha / 2, "greater", -margin)]
    if design.hypothesis == "equivalence":
        return [_one_sided(1 - alpha, "greater", -margin), _one_sided(1 - alpha, "less", margin)]
    if design.alternative != "two-sided":
        return [_one_sided(1 - alpha, design.alternative, 0.0)]
    # A rejection on the wrong side shows the contrary: it does not count as power.
    return [_one_sided(1 - alpha / 2, "greater" if design.difference > 0 else "less", 0.0)]


def _one_sided(
    confidence_level: float, alternative: Alternative, null_value: float
) -> HypothesisPlan:
    tests: tuple[tuple[float, Alternative], ...] = ((null_value, alternative),)
    return HypothesisPlan(confidence_level, alternative, null_value, alternative, tests)


# --- Tests of one area ----------------------------------------------------------------------------


class DrawnStudies(NamedTuple):
    """Numbers of positives and negatives, and the plan of the simulated studies."""

    sizes: tuple[int, int]
    plan: ResamplePlan


class OneAreaTest(NamedTuple):
    """Test of one area, assumed to be ``auc``, against ``null_auc``."""

    auc: float
    null_auc: float
    alternative: Alternative


def one_area_power(
    planned: OneAreaTest, curve: Binormal, drawn: DrawnStudies, alpha: float
) -> SimulatedPower:
    """Return the share of drawn studies whose test rejects on the side of the truth.

    ``curve`` is the distribution of the scores, with the assumed area.
    """
    at_half = planned.null_auc == 0.5
    test, name = _rank_test(drawn.sizes) if at_half else (None, f"delong/{DEFAULT_INTERVAL}")
    return _share(_outcomes_of_one(planned, curve, drawn, alpha, test), drawn.plan, name)


def _outcomes_of_one(
    planned: OneAreaTest,
    curve: Binormal,
    drawn: DrawnStudies,
    alpha: float,
    test: Callable[[float, Alternative], float] | None,
) -> Iterator[Outcome]:
    studies = draw_studies(
        [(curve.a, curve.b)], (0.0, 0.0), drawn.sizes, drawn.plan.n_resamples, drawn.plan.seed
    )
    for scores in studies:
        area = _area(_placements_of(scores), 0)
        inference = infer(
            area, DEFAULT_INTERVAL, AreaTest(1 - alpha, "two-sided", planned.null_auc)
        )
        p = (
            p_value(inference.statistic, inference.df, planned.alternative)
            if test is None
            else test(area.value, planned.alternative)
        )
        # Rejections on the wrong side are not power; a two-sided test has some near the null value.
        right = (area.value > planned.null_auc) == (planned.auc > planned.null_auc)
        yield bool(p <= alpha and right), inference.ci_high - inference.ci_low


def _rank_test(sizes: tuple[int, int]) -> tuple[Callable[[float, Alternative], float], str]:
    """Return the default test of ``versus_random`` for these sizes, and its name."""
    # The null distribution depends on the sizes only: it is computed once for all studies.
    counts, pairs = untied_counts(*sizes), sizes[0] * sizes[1]
    if pairs <= LARGEST_PAIRS:
        law = rank_sum_distribution(counts)

        def exact(area: float, side: Alternative) -> float:
            return law.p_value(deviation_of(area, *sizes), side)

        return exact, "mann-whitney/exact"
    variance = null_variance(counts)

    def normal(area: float, side: Alternative) -> float:
        return p_value(standardised(area - 0.5, variance, 0.5 / pairs, side), np.inf, side)

    return normal, "mann-whitney/normal-continuity"


# --- Tests of two areas ---------------------------------------------------------------------------

_CONTRAST = np.array([1.0, -1.0])


class TwoAreasTest(NamedTuple):
    """Tests of a difference of two areas, which all must reject, each at its own level.

    ``correlations`` are those of the predictors in positives and negatives if they are measured on
    the same cases.
    """

    curves: Sequence[Binormal]
    correlations: tuple[float, float]
    paired: bool
    tests: Sequence[HypothesisPlan]

    @property
    def at_margin(self) -> bool:
        """Whether the hypothesis has a margin, which ``compare_auc`` tests by MOVER."""
        return any(plan.null_value != 0 for plan in self.tests)


def two_areas_power(planned: TwoAreasTest, drawn: DrawnStudies, alpha: float) -> SimulatedPower:
    """Return the share of drawn studies in which all tests of the difference reject."""
    name = "delong/logit-mover" if planned.at_margin else "delong/wald-t"
    return _share(_outcomes_of_two(planned, drawn, alpha), drawn.plan, name)


def _outcomes_of_two(planned: TwoAreasTest, drawn: DrawnStudies, alpha: float) -> Iterator[Outcome]:
    interval = HypothesisPlan(1 - alpha, "two-sided", 0.0, "two-sided", ((0.0, "two-sided"),))
    curves = [(curve.a, curve.b) for curve in planned.curves]
    studies = draw_studies(
        curves, planned.correlations, drawn.sizes, drawn.plan.n_resamples, drawn.plan.seed
    )
    for scores in studies:
        placements = _placements_of(scores)
        areas = [_area(placements, k) for k in (0, 1)]
        covariance, df = _area_covariance(placements, paired=planned.paired)
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
                plan,
                identical=identical,
                mover=planned.at_margin,
            )
            for plan in (interval, *planned.tests)
        ]
        rejected = all(
            result.p_value <= 1 - plan.confidence_level
            for result, plan in zip(results[1:], planned.tests, strict=True)
        )
        yield rejected, results[0].ci_high - results[0].ci_low


# --- Drawn studies: placements, areas and covariances ---------------------------------------------

Outcome = tuple[bool, float]
"""Whether the test of one study rejects on the side of the truth, and the width of its interval."""


def _share(outcomes: Iterable[Outcome], plan: ResamplePlan, test: str) -> SimulatedPower:
    rejected, widths = np.array(list(plan.watched(outcomes))).T
    count = float(rejected.sum())
    low, high = proportion_limits(count, plan.n_resamples, "wilson", 0.95, "two-sided")
    finite = widths[np.isfinite(widths)]  # no interval where an area is 0 or 1
    half_width = float(finite.mean() / 2) if len(finite) else float("nan")
    return SimulatedPower(count / plan.n_resamples, low, high, half_width, test)


class _Placements(NamedTuple):
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


def _placements_of(scores: Scores) -> _Placements:
    """Return the placements: normal scores have no ties."""
    pos, neg = scores
    v10 = [_shares_below(x, y) for x, y in zip(pos, neg, strict=True)]
    v01 = [1 - _shares_below(y, x) for x, y in zip(pos, neg, strict=True)]
    return _Placements(np.array(v10), np.array(v01))


def _shares_below(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the share of the values of y below each value of x."""
    # Values in order are found five times as fast: neighbours lie in the cache.
    order, shares = np.argsort(x), np.empty(len(x))
    shares[order] = np.searchsorted(np.sort(y), x[order]) / len(y)
    return shares


def _area(placements: _Placements, k: int) -> Area:
    components = placements.components(np.eye(len(placements.v10))[k])
    m, n = placements.v10.shape[1], placements.v01.shape[1]
    df = satterthwaite(components, np.array([m - 1.0, n - 1.0]))
    variance = cleared(float(components.sum()))
    return Area(float(placements.areas[k]), variance, df, m, n, min(m, n))


def _area_covariance(placements: _Placements, *, paired: bool) -> tuple[FloatArray, float]:
    """Return the covariance of the two areas, and Satterthwaite's df of their difference."""
    parts = [np.cov(part) / part.shape[1] for part in (placements.v10, placements.v01)]
    dfs = np.array([placements.v10.shape[1], placements.v01.shape[1]]) - 1.0
    if not paired:
        # The areas of different cases are independent: each class of each has a part of its own.
        parts = [np.diag(np.eye(2)[k] * np.diag(part)) for k in (0, 1) for part in parts]
        dfs = np.tile(dfs, 2)
    return np.sum(parts, axis=0), contrast_df([(_CONTRAST, np.array(parts), dfs)])
