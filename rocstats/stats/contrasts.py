"""Limits and tests of linear combinations of areas, with their boundary rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.sample.vectors import FloatArray
from rocstats.stats.influence import AreaCovariance, satterthwaite
from rocstats.stats.intervals import (
    INTERVALS,
    Alternative,
    Area,
    IntervalMethod,
    p_value,
    quantile,
)

_LARGEST_Z = 38.0  # beyond it the normal tail is 0 in floating point


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


@dataclass(frozen=True)
class Asked:
    """What the user wants of a contrast."""

    confidence_level: float
    alternative: Alternative
    null_value: float


def infer_contrast(
    weights: FloatArray,
    areas: Sequence[Area],
    variance: float,
    df: float,
    asked: Asked,
    *,
    identical: bool,
    own: IntervalMethod = INTERVALS["newcombe"],
) -> ContrastResult:
    """Return the inference about sum(weights * areas).

    ``df`` infinite gives normal limits. ``identical`` says that the predictors involved rank all
    cases alike, or have the same placements: then there is no variance and no interval. ``own``
    gives each area's limits where the variance serves not.
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
    return _wald(weights, estimate, float(np.sqrt(variance)), df, asked)


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
    weights: FloatArray, estimate: float, se: float, df: float, asked: Asked
) -> ContrastResult:
    statistic = (estimate - asked.null_value) / se
    low, high = _limits(lambda q: estimate + q * se, asked, df, *_range(weights))
    p = p_value(statistic, df, asked.alternative)
    kind = "wald" if np.isinf(df) else "wald-t"
    return ContrastResult(estimate, se, low, high, statistic, df, p, kind, ())


def _mover(
    weights: FloatArray,
    areas: Sequence[Area],
    asked: Asked,
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
    statistic = _inverted(limit, estimate, asked.null_value)
    p = p_value(statistic, np.inf, asked.alternative)
    return ContrastResult(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _inverted(limit: object, estimate: float, null_value: float) -> float:
    """Return the z at which the limit reaches the null value."""
    from scipy.optimize import brentq

    if estimate == null_value:
        return 0.0
    sign = 1.0 if estimate > null_value else -1.0

    def distance(z: float) -> float:
        reached = estimate if z == 0 else limit(-sign * z)  # type: ignore[operator]
        return sign * (reached - null_value)

    if distance(_LARGEST_Z) > 0:
        return sign * _LARGEST_Z
    return sign * float(brentq(distance, 0.0, _LARGEST_Z, xtol=1e-10))


def _limits(
    limit: object, asked: Asked, df: float, lowest: float, highest: float
) -> tuple[float, float]:
    two_sided = asked.alternative == "two-sided"
    q = quantile(1 - (1 - asked.confidence_level) / (2 if two_sided else 1), df)
    low = lowest if asked.alternative == "less" else limit(-q)  # type: ignore[operator]
    high = highest if asked.alternative == "greater" else limit(q)  # type: ignore[operator]
    return max(low, lowest), min(high, highest)
