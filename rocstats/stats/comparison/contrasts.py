"""Limits and tests of linear combinations of areas, with their boundary rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.hypotheses import HypothesisPlan, chi_square, hardest_test
from rocstats.stats.influence.areas import AreaCovariance, satterthwaite
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE_LIMITS
from rocstats.stats.intervals.methods.resampled import percentile
from rocstats.stats.intervals.quantiles import limits_between
from rocstats.stats.intervals.rates.mover import inverted_statistic
from rocstats.stats.intervals.record import IntervalMethod
from rocstats.tolerances import NO_CONTRAST_VARIANCE, cleared

# Contrasts of areas that are 0 but for rounding, summed over some hundred areas, stay below this.
_NO_DISTANCE = 1e-10


class ContrastResult(NamedTuple):
    """A linear combination of areas with limits and test; ``kind`` names the interval."""

    estimate: float
    se: float
    ci_low: float
    ci_high: float
    statistic: float
    df: float
    p_value: float
    kind: str
    codes: tuple[str, ...]


def infer_contrast(
    weights: FloatArray,
    areas: Sequence[Area],
    variance: float,
    df: float,
    plan: HypothesisPlan,
    *,
    identical: bool,
    own: IntervalMethod = NEWCOMBE_LIMITS,
    draws: FloatArray | None = None,
) -> ContrastResult:
    """Return the inference about sum(weights * areas).

    ``df`` infinite gives normal limits. ``identical`` says that the predictors involved rank all
    cases alike, or have the same placements: then there is no variance and no interval. ``own``
    gives the limits of each area where the variance is of no use. ``draws`` are resampled values of
    the sum: limits are their percentiles.
    """
    estimate = float(weights @ np.array([area.value for area in areas]))
    used = [area for area, weight in zip(areas, weights, strict=True) if weight != 0]
    # docs/methods/comparison.md, "Differences at the boundary": where the variance is 0 or unknown,
    # though the areas differ or may differ, MOVER combines limits that need none.
    if any(np.isnan(area.variance) for area in used):
        return _mover(weights, areas, plan, own, ("single-case",))
    if identical:
        p = 1.0 if plan.null_value == 0 else np.nan
        nan = float("nan")
        return ContrastResult(
            estimate, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",)
        )
    if any(area.at_boundary for area in used):
        return _mover(weights, areas, plan, own, ("auc-at-boundary",), np.sqrt(variance))
    if variance == 0:
        return _mover(weights, areas, plan, own, ("zero-variance",), 0.0)
    if draws is not None:
        return _percentile(weights, estimate, float(np.sqrt(variance)), draws, plan)
    return _wald(weights, estimate, float(np.sqrt(variance)), df, plan)


def contrast_variance(weights: FloatArray, covariance: FloatArray) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance @ weights)
    return cleared(variance, float(weights**2 @ np.diag(covariance)), NO_CONTRAST_VARIANCE)


def independent_df(results: Sequence[AreaCovariance], weights: FloatArray, k: int) -> float:
    """Return Satterthwaite's df of a combination of independent samples' areas ``k``."""
    components = [w**2 * r.components[:, k] for w, r in zip(weights, results, strict=True)]
    return satterthwaite(
        np.concatenate(components), np.concatenate([r.component_df for r in results])
    )


def global_test(weights: FloatArray, covariance: AreaCovariance) -> tuple[float, float, float]:
    """Return chi-square, its df and p of "all contrasts are 0"; NaN when no variance explains them.

    chi2 = (L a)' (L S L')^- (L a), df = rank(L S L').
    """
    matrix = weights @ covariance.covariance @ weights.T
    # Relative to the variances of the areas: L S L' of equal predictors is nothing but rounding.
    largest = float(np.trace(covariance.covariance))
    return chi_square(weights @ covariance.area, matrix, largest, _NO_DISTANCE)


def _range(weights: FloatArray) -> tuple[float, float]:
    """Return the least and the largest sum of areas in [0, 1] with these weights."""
    return float(weights[weights < 0].sum()), float(weights[weights > 0].sum())


def _wald(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan
) -> ContrastResult:
    low, high = _limits(lambda q: estimate + q * se, plan, df, *_range(weights))
    statistic, p = hardest_test(plan, lambda null: (estimate - null) / se, df)
    kind = "wald" if np.isinf(df) else "wald-t"
    return ContrastResult(estimate, se, low, high, statistic, df, p, kind, ())


def _percentile(
    weights: FloatArray, estimate: float, se: float, draws: FloatArray, plan: HypothesisPlan
) -> ContrastResult:
    """Return percentile limits of the draws, and the test that they invert."""
    method, unused = percentile(draws), Area(estimate, se**2, np.inf, np.nan, np.nan, np.nan)
    low, high = _limits(lambda q: method.limit(unused, q), plan, np.inf, *_range(weights))
    statistic, p = hardest_test(plan, lambda null: method.statistic(unused, null))
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "percentile", ())


def _mover(
    weights: FloatArray,
    areas: Sequence[Area],
    plan: HypothesisPlan,
    own: IntervalMethod,
    codes: tuple[str, ...],
    se: float = float("nan"),
) -> ContrastResult:
    """Return limits from those of each area (MOVER, Zou & Donner 2008), and their test."""
    estimate = float(weights @ np.array([area.value for area in areas]))

    def limit(q: float) -> float:
        # A negative weight exchanges the limits; areas of these rows are taken as independent.
        toward = [
            own.limit(area, q if weight > 0 else -q) - area.value
            for area, weight in zip(areas, weights, strict=True)
        ]
        return estimate + float(np.sign(q) * np.sqrt(np.sum((weights * np.array(toward)) ** 2)))

    low, high = _limits(limit, plan, np.inf, *_range(weights))
    statistic, p = hardest_test(plan, lambda null: inverted_statistic(limit, estimate, null))
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _limits(
    limit: Callable[[float], float], plan: HypothesisPlan, df: float, lowest: float, highest: float
) -> tuple[float, float]:
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, lowest, highest, df)
    # Normal limits of a sum leave its range, those of MOVER only by rounding.
    return max(low, lowest), min(high, highest)
