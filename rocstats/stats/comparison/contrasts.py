"""Limits and tests of linear combinations of areas, with their boundary rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.hypotheses import HypothesisPlan, chi_square, hardest_test
from rocstats.stats.influence.areas import AreaCovariance
from rocstats.stats.influence.available import AvailableInfluence
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE_LIMITS
from rocstats.stats.intervals.methods.resampled import percentile
from rocstats.stats.intervals.quantiles import limits_between, normal_of_t, t_of_normal
from rocstats.stats.intervals.rates.mover import LARGEST_Z, Limit, inverted_statistic
from rocstats.stats.intervals.record import IntervalMethod
from rocstats.tolerances import NO_CONTRAST_VARIANCE, cleared

# Contrasts of areas that are 0 but for rounding, summed over some hundred areas, stay below this.
_NO_DISTANCE = 1e-10
_LOGIT_T = LOGIT_LIMITS._replace(student=True)
# At a margin and a level of .025 MOVER rejected in up to .061 of samples with 5 to 20 times as many
# cases of one class as of the other, of which there were 10 to 50; with up to 4 times as many, or
# 100 of the smaller class, in at most .030 (validation/size/margins.csv; mover_limits.csv, with
# another seed: .032).
_LARGEST_RATIO, _FEW_FOR_RATIO = 4, 50


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
    covariance: FloatArray,
    df: float,
    plan: HypothesisPlan,
    *,
    identical: bool,
    mover: bool = False,
    own: IntervalMethod = NEWCOMBE_LIMITS,
    draws: FloatArray | None = None,
) -> ContrastResult:
    """Return the inference about sum(weights * areas).

    ``df`` infinite gives normal limits. ``identical`` says that the predictors involved rank all
    cases alike, or have the same placements: then there is no variance and no interval. ``mover``
    combines the logit limits of the areas. ``own`` gives the limits of each area where the variance
    is of no use. ``draws`` are resampled values of the sum: limits are their percentiles.
    """
    places = np.flatnonzero(weights).tolist()
    weights, covariance = weights[places], covariance.take(places, 0).take(places, 1)
    areas = [areas[place] for place in places]
    variance = contrast_variance(weights, covariance)
    estimate = float(weights @ np.array([area.value for area in areas]))
    # docs/methods/comparison.md, "Differences at the boundary": where the variance is 0 or unknown,
    # though the areas differ or may differ, MOVER combines limits that need none.
    if any(math.isnan(area.variance) for area in areas):
        return _at_boundary(weights, areas, plan, own, ("single-case",))
    if identical:
        p = 1.0 if plan.null_value == 0 else np.nan
        nan = float("nan")
        return ContrastResult(
            estimate, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",)
        )
    if any(area.at_boundary for area in areas):
        return _at_boundary(weights, areas, plan, own, ("auc-at-boundary",), np.sqrt(variance))
    if variance == 0:
        return _at_boundary(weights, areas, plan, own, ("zero-variance",), 0.0)
    se = math.sqrt(variance)
    if draws is not None:
        return _percentile(weights, estimate, se, draws, plan)
    if mover:
        limit = _mover(weights, areas, covariance, _LOGIT_T)
        codes = ("unbalanced-mover",) if any(_unbalanced(area) for area in areas) else ()
        return _logit_mover(weights, estimate, se, df, plan, limit)._replace(codes=codes)
    return _wald(weights, estimate, se, df, plan)


def contrast_variance(weights: FloatArray, covariance: FloatArray) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance @ weights)
    return cleared(variance, float(weights**2 @ covariance.diagonal()), NO_CONTRAST_VARIANCE)


def global_test(
    weights: FloatArray, covariance: AreaCovariance | AvailableInfluence
) -> tuple[float, float, float]:
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
    kind = "wald" if math.isinf(df) else "wald-t"
    return ContrastResult(estimate, se, low, high, statistic, df, p, kind, ())


def _unbalanced(area: Area) -> bool:
    few, many = sorted((area.n_pos, area.n_neg))
    return many > _LARGEST_RATIO * few and few <= _FEW_FOR_RATIO


def _logit_mover(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan, limit: Limit
) -> ContrastResult:
    """Return MOVER limits of logit limits, and the test that they invert."""

    def statistic(null: float) -> float:
        # Logit limits end at 0 and 1, and with their correlation the sum may end short of the null
        # value: the t test then says how far away it is.
        beyond = min(normal_of_t(abs(estimate - null) / se, df), LARGEST_Z)
        return inverted_statistic(limit, estimate, null, beyond)

    low, high = _limits(limit, plan, np.inf, *_range(weights))
    z, p = hardest_test(plan, statistic)
    return ContrastResult(estimate, se, low, high, z, np.inf, p, "logit-mover", ())


def _percentile(
    weights: FloatArray, estimate: float, se: float, draws: FloatArray, plan: HypothesisPlan
) -> ContrastResult:
    """Return percentile limits of the draws, and the test that they invert."""
    method, unused = percentile(draws), Area(estimate, se**2, np.inf, np.nan, np.nan, np.nan)
    low, high = _limits(lambda q: method.limit(unused, q), plan, np.inf, *_range(weights))
    statistic, p = hardest_test(plan, lambda null: method.statistic(unused, null))
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "percentile", ())


def _mover(
    weights: FloatArray, areas: Sequence[Area], covariance: FloatArray, own: IntervalMethod
) -> Limit:
    """Return the limits of a sum of areas from those of each (MOVER, Zou & Donner 2008).

    The covariance gives the variances of the areas and their correlations.
    """
    estimate = float(weights @ np.array([area.value for area in areas]))
    variances = np.diag(covariance)
    sd = np.sqrt(variances)
    correlation = covariance / np.outer(*[np.where(sd > 0, sd, 1.0)] * 2)
    np.fill_diagonal(correlation, 1.0)
    used = [area._replace(variance=float(v)) for area, v in zip(areas, variances, strict=True)]

    def limit(z: float) -> float:
        # A negative weight exchanges the limits: the distance of each area to its own.
        distance = [
            abs(own.limit(area, t_of_normal(z if weight > 0 else -z, own.df(area))) - area.value)
            for area, weight in zip(used, weights, strict=True)
        ]
        reach = weights * np.array(distance)
        return estimate + float(np.sign(z) * np.sqrt(max(reach @ correlation @ reach, 0.0)))

    return limit


def _at_boundary(
    weights: FloatArray,
    areas: Sequence[Area],
    plan: HypothesisPlan,
    own: IntervalMethod,
    codes: tuple[str, ...],
    se: float = float("nan"),
) -> ContrastResult:
    """Return limits and test from limits that need no variance, the areas as if independent."""
    estimate = float(weights @ np.array([area.value for area in areas]))
    limit = _mover(weights, areas, np.zeros((len(areas), len(areas))), own)
    low, high = _limits(limit, plan, np.inf, *_range(weights))
    statistic, p = hardest_test(plan, lambda null: inverted_statistic(limit, estimate, null))
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _limits(
    limit: Callable[[float], float], plan: HypothesisPlan, df: float, lowest: float, highest: float
) -> tuple[float, float]:
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, lowest, highest, df)
    # Normal limits of a sum leave its range, those of MOVER only by rounding.
    return max(low, lowest), min(high, highest)
