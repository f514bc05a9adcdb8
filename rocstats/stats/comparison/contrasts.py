"""Limits and tests of linear combinations of areas, with their boundary rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.influence.areas import AreaCovariance, satterthwaite
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.newcombe import NEWCOMBE_LIMITS
from rocstats.stats.intervals.quantiles import p_value, quantile
from rocstats.stats.intervals.rates.mover import inverted_statistic
from rocstats.stats.intervals.record import IntervalMethod
from rocstats.stats.intervals.resampled import percentile


@dataclass(frozen=True)
class ContrastResult:
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
    asked: HypothesisPlan,
    *,
    identical: bool,
    own: IntervalMethod = NEWCOMBE_LIMITS,
    draws: FloatArray | None = None,
) -> ContrastResult:
    """Return the inference about sum(weights * areas).

    ``df`` infinite gives normal limits. ``identical`` says that the predictors involved rank all
    cases alike, or have the same placements: then there is no variance and no interval. ``own``
    gives each area's limits where the variance serves not. ``draws`` are resampled values of the
    sum: limits are their percentiles.
    """
    estimate = float(weights @ np.array([area.value for area in areas]))
    used = [area for area, weight in zip(areas, weights, strict=True) if weight != 0]
    if any(np.isnan(area.variance) for area in used):
        return _mover(weights, areas, asked, own, ("single-case",))
    if identical:
        p = 1.0 if asked.null_value == 0 else np.nan
        nan = float("nan")
        return ContrastResult(
            estimate, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",)
        )
    if any(area.at_boundary for area in used):
        return _mover(weights, areas, asked, own, ("auc-at-boundary",), np.sqrt(variance))
    if variance == 0:
        return _mover(weights, areas, asked, own, ("zero-variance",), 0.0)
    if draws is not None:
        return _percentile(weights, estimate, float(np.sqrt(variance)), draws, asked)
    return _wald(weights, estimate, float(np.sqrt(variance)), df, asked)


def contrast_variance(weights: FloatArray, covariance: FloatArray) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance @ weights)
    scale = float(weights**2 @ np.diag(covariance))
    return 0.0 if variance <= 1e-13 * scale else variance


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
    contrast = weights @ covariance.area
    matrix = weights @ covariance.covariance @ weights.T
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-12 * max(float(np.trace(covariance.covariance)), 1e-300)
    coordinates = vectors.T @ contrast
    if np.any(np.abs(coordinates[~kept]) > 1e-10):
        return float("nan"), float(kept.sum()), float("nan")
    statistic = float(np.sum(coordinates[kept] ** 2 / values[kept]))
    df = float(kept.sum())
    return statistic, df, float(sp.chdtrc(df, statistic)) if df else 1.0


def _range(weights: FloatArray) -> tuple[float, float]:
    return float(weights[weights < 0].sum()), float(weights[weights > 0].sum())


def _wald(
    weights: FloatArray, estimate: float, se: float, df: float, asked: HypothesisPlan
) -> ContrastResult:
    low, high = _limits(lambda q: estimate + q * se, asked, df, *_range(weights))
    statistic, p = _tested(lambda null: (estimate - null) / se, df, asked)
    kind = "wald" if np.isinf(df) else "wald-t"
    return ContrastResult(estimate, se, low, high, statistic, df, p, kind, ())


def _percentile(
    weights: FloatArray, estimate: float, se: float, draws: FloatArray, asked: HypothesisPlan
) -> ContrastResult:
    """Take the limits from the ordered draws; the test inverts them."""
    method, unused = percentile(draws), Area(estimate, se**2, np.inf, np.nan, np.nan, np.nan)
    low, high = _limits(lambda q: method.limit(unused, q), asked, np.inf, *_range(weights))
    statistic, p = _tested(lambda null: method.statistic(unused, null), np.inf, asked)
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "percentile", ())


def _mover(
    weights: FloatArray,
    areas: Sequence[Area],
    asked: HypothesisPlan,
    own: IntervalMethod,
    codes: tuple[str, ...],
    se: float = float("nan"),
) -> ContrastResult:
    """Combine each area's own Newcombe limits (Zou & Donner 2008); the test inverts the limits."""
    estimate = float(weights @ np.array([area.value for area in areas]))

    def limit(q: float) -> float:
        toward = [
            own.limit(area, q if weight > 0 else -q) - area.value
            for area, weight in zip(areas, weights, strict=True)
        ]
        return estimate + float(np.sign(q) * np.sqrt(np.sum((weights * np.array(toward)) ** 2)))

    low, high = _limits(limit, asked, np.inf, *_range(weights))
    statistic, p = _tested(lambda null: inverted_statistic(limit, estimate, null), np.inf, asked)
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _tested(
    statistic_at: Callable[[float], float], df: float, asked: HypothesisPlan
) -> tuple[float, float]:
    """Return the statistic and p value of the test with the largest p value."""
    found = [(t := statistic_at(null), p_value(t, df, side)) for null, side in asked.tests]
    return found[int(np.argmax([p for _, p in found]))]


def _limits(
    limit: Callable[[float], float], asked: HypothesisPlan, df: float, lowest: float, highest: float
) -> tuple[float, float]:
    two_sided = asked.alternative == "two-sided"
    q = quantile(1 - (1 - asked.confidence_level) / (2 if two_sided else 1), df)
    low = lowest if asked.alternative == "less" else limit(-q)
    high = highest if asked.alternative == "greater" else limit(q)
    return max(low, lowest), min(high, highest)
