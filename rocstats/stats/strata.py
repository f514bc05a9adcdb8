"""Areas of independent groups: one area from pairs inside strata, and whether groups differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.sample.sample import Sample
from rocstats.stats.influence import satterthwaite, weighted_covariance
from rocstats.stats.intervals import Area, Score, newcombe_variance

_NO_VARIANCE = 1e-30


@dataclass(frozen=True, eq=False)
class Stratum:
    """A stratum with both classes, its share of all pairs inside strata, its units of each class.

    Units are cases, or clusters that hold a case of the class.
    """

    sample: Sample
    share: float
    n_pos: float
    n_neg: float


def strata_of(sample: Sample) -> list[Stratum]:
    """Return the groups that hold pairs; the shares are of weighted pairs if rows are weighted."""
    kept = [part for _, part in sample.by_group() if part.n_pos > 0 and part.n_neg > 0]
    pairs = np.array([part.counts(0).total_pos * part.counts(0).total_neg for part in kept])
    shares = pairs / pairs.sum() if len(kept) else pairs
    return [
        Stratum(part, float(share), *_units([part]))
        for part, share in zip(kept, shares, strict=True)
    ]


def stratified_area(sample: Sample, strata: Sequence[Stratum], k: int) -> Area:
    """Return the area of predictor ``k`` over pairs inside strata: sum of share times area."""
    parts = [
        (stratum.share / len(folds), fold)
        for stratum in strata
        for folds in [stratum.sample.by_fold()]
        for _, fold in folds
    ]
    result = weighted_covariance(sample, parts, [k])
    variance = float(result.covariance[0, 0])
    value = float(result.area[0])
    nearest = round(value)  # shares that sum to 1 but for rounding must not hide a perfect area
    m, n = _units([stratum.sample for stratum in strata])
    return Area(
        float(nearest) if abs(value - nearest) < 1e-12 else value,
        0.0 if variance <= _NO_VARIANCE else variance,
        satterthwaite(result.components[:, 0], result.component_df),
        m,
        n,
        min(m, n),
    )


def stratified_newcombe(strata: Sequence[Stratum]) -> Score:
    """Return score limits with Newcombe's variance of each stratum, its share squared.

    Clusters that span strata count once: the variance is at least that of all units together.
    """
    together = _units([stratum.sample for stratum in strata])

    def variance(theta: float, n_pos: float, n_neg: float) -> float:
        apart = sum(s.share**2 * newcombe_variance(theta, s.n_pos, s.n_neg) for s in strata)
        return max(apart, newcombe_variance(theta, *together))

    return Score(variance)


def equal_logits(areas: Sequence[Area]) -> tuple[float, float, float]:
    """Return chi-square, its df and p of "independent areas are equal", on the logit scale.

    NaN where an area is 0 or 1 or has no variance, whose logit has no standard error.
    """
    df = float(len(areas) - 1)
    if any(area.at_boundary or not area.variance > 0 for area in areas):
        return float("nan"), df, float("nan")
    logits = np.array([sp.logit(area.value) for area in areas])
    weights = np.array([(area.value * (1 - area.value)) ** 2 / area.variance for area in areas])
    mean = np.dot(weights, logits) / weights.sum()
    statistic = float(np.dot(weights, (logits - mean) ** 2))
    return statistic, df, float(sp.chdtrc(df, statistic))


def _units(parts: Sequence[Sample]) -> tuple[float, float]:
    """Return the numbers of independent units with a positive, and with a negative."""
    if parts[0].cluster is None:
        return sum(part.n_pos for part in parts), sum(part.n_neg for part in parts)
    pos = [part.cluster.codes[part.is_positive] for part in parts if part.cluster is not None]
    neg = [part.cluster.codes[~part.is_positive] for part in parts if part.cluster is not None]
    return float(len(np.unique(np.concatenate(pos)))), float(len(np.unique(np.concatenate(neg))))
