"""The one variance engine: influence values per case, summed by cluster, averaged over folds.

The influence value of a case on an area A is (V10 - A)/m for a positive and (V01 - A)/n for a
negative, where V10 and V01 are its placements. Sums of squares give DeLong's variance, sums by
cluster first that of Obuchowski (1997), products of two predictors their covariance, and means over
folds the cross-validated area.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.influence.values import (
    ClusterInfluence,
    FoldInfluence,
    cluster_influence,
    fold_influence,
    products,
    small_sample,
)


class AreaCovariance(NamedTuple):
    """Areas of k predictors with their covariance.

    ``components`` (c x k) are the independent parts of the variances, each with its degrees of
    freedom in ``component_df``, for Satterthwaite's rule. ``unclustered`` (2 x k) holds the
    parts of positives and of negatives of the variances that ignore clusters.
    """

    area: FloatArray
    covariance: FloatArray
    unclustered: FloatArray
    components: FloatArray
    component_df: FloatArray

    def df(self, k: int) -> float:
        """Return Satterthwaite's degrees of freedom of the variance of area ``k``."""
        return satterthwaite(self.components[:, k], self.component_df)


def satterthwaite(components: FloatArray, df: FloatArray) -> float:
    """Return Satterthwaite's (sum c)^2 / sum(c^2 / df); infinite when every component is 0."""
    below = float(np.sum(components**2 / df))
    return float(np.sum(components)) ** 2 / below if below > 0 else np.inf


def area_covariance(
    cases: ScoredCases,
    predictors: Sequence[int],
    *,
    over: AreaRange = FULL_RANGE,
) -> AreaCovariance:
    """Return the areas of some predictors of a sample and their covariance.

    ``over`` makes them partial areas. Variances are NaN where a class (in some fold) has a single
    case or a single cluster.
    """
    parts = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        return _independent([fold_influence(part, predictors, over) for part in parts])
    return _clustered([cluster_influence(part, predictors, over) for part in parts], cases)


def spanning_covariance(
    parts: Sequence[ScoredCases], predictors: Sequence[int], *, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return the covariance of the areas of all parts (groups) of a sample with clusters.

    Areas are those of the first part, then of the second, and so on. The blocks of single parts
    are those of ``area_covariance``; clusters with cases in several parts add covariances.
    """
    sums = []
    for part in parts:
        folds = [cluster_influence(fold, predictors, over) for _, fold in part.by_fold()]
        sums.append([part_sums / len(folds) for part_sums in _with_factors(folds)])
    within, crossed = (np.concatenate(blocks) for blocks in zip(*sums, strict=True))
    mixed = products(crossed[:, 1], crossed[:, 0])
    alone = products(within[:, 0], within[:, 0]) + products(within[:, 1], within[:, 1])
    return np.asarray(alone + mixed + mixed.T)


def weighted_covariance(
    cases: ScoredCases, parts: Sequence[tuple[float, ScoredCases]], predictors: Sequence[int]
) -> AreaCovariance:
    """Return weighted sums of the areas of parts (strata) of a sample, and their covariance.

    The weights sum to 1. A cluster may have cases in several parts: its influence is added up.
    """
    # The mean over parts, which folds take, of areas times their number is the weighted sum.
    if cases.cluster is not None:
        sums = [
            cluster_influence(part, predictors, FULL_RANGE).scaled(w * len(parts))
            for w, part in parts
        ]
        return _clustered(sums, cases)
    scaled = [
        fold_influence(part, predictors, FULL_RANGE).scaled(w * len(parts)) for w, part in parts
    ]
    return _independent(scaled)


def acceleration(cases: ScoredCases, k: int, *, over: AreaRange = FULL_RANGE) -> float:
    """Return the BCa acceleration of area ``k``: sum u^3 / (6 (sum u^2)^1.5).

    u are the influence values of independent units: cases, or the sums of clusters.
    """
    # Efron 1987; any common factor of the values, as 1/V of folds, cancels.
    folds = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        # One predictor has influence values by distinct score; the counts are their weights.
        influence = [fold_influence(part, [k], over) for part in folds]
        tables = [part.counts(k) for part in folds]
        values = np.concatenate([v.values[0] for fold in influence for v in (fold.pos, fold.neg)])
        weight = np.concatenate([n for table in tables for n in (table.n_pos, table.n_neg)])
    else:
        sums = [cluster_influence(part, [k], over).sums[0] for part in folds]
        values = np.sum(sums, axis=(0, 1))
        weight = np.ones(len(values))
    squares = float(np.dot(weight, values**2))
    return float(np.dot(weight, values**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def _independent(folds: Sequence[FoldInfluence]) -> AreaCovariance:
    """Return areas with DeLong's covariance V^-2 sum_v (S10/m + S01/n) over V folds."""
    # The values have 1/m in them: their sum of products times m/(m - 1) is S10/m, S with m - 1.
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    matrices = [part.products() * small_sample(part.size) / len(folds) ** 2 for part in parts]
    components = np.array([np.diag(matrix) for matrix in matrices])
    return AreaCovariance(
        np.mean([fold.area for fold in folds], axis=0),
        np.sum(matrices, axis=0),
        np.array([components[::2].sum(axis=0), components[1::2].sum(axis=0)]),
        components,
        np.array([part.size - 1 for part in parts]),
    )


def _clustered(folds: Sequence[ClusterInfluence], cases: ScoredCases) -> AreaCovariance:
    """Return areas with Obuchowski's (1997) covariance, cluster sums added up over folds."""
    # The sums of a fold carry the root of the small-sample factor of its clusters: one fold then
    # gives Obuchowski exactly, and clusters of single cases DeLong in each fold exactly. One fold
    # takes the factors themselves, as squared roots would round.
    if len(folds) == 1:
        within = crossed = folds[0].sums
        of_neg, of_pos, of_all = folds[0].factors()
    else:
        within, crossed = _with_factors(folds)
        of_neg = of_pos = of_all = 1.0
    mixed = products(crossed[:, 1], crossed[:, 0])
    neg, pos = within[:, 0], within[:, 1]
    alone = of_neg * products(neg, neg) + of_pos * products(pos, pos)
    covariance = (alone + of_all * (mixed + mixed.T)) / len(folds) ** 2
    area = np.mean([fold.area for fold in folds], axis=0)
    *_, n_clusters = cluster_numbers(cases)
    return AreaCovariance(
        area,
        covariance,
        np.sum([fold.unclustered for fold in folds], axis=0) / len(folds) ** 2,
        np.diag(covariance)[np.newaxis],
        np.array([n_clusters - 1.0]),
    )


def _with_factors(folds: Sequence[ClusterInfluence]) -> tuple[FloatArray, FloatArray]:
    """Return the sums over folds, times the roots of the factors by class, and of all clusters."""
    # Products within a class take the first, those across classes the second.
    within, crossed = (np.zeros_like(folds[0].sums) for _ in range(2))
    for fold in folds:
        *of_class, of_any = np.sqrt(fold.factors())
        within += fold.sums * np.reshape(of_class, (2, 1))
        crossed += fold.sums * of_any
    return within, crossed
