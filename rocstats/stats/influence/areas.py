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
from rocstats.curves.areas.ranks import Placements, placements_of
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.summed import InfluenceSums, SummedCases
from rocstats.stats.influence.values import (
    ClusterInfluence,
    FoldInfluence,
    cluster_influence,
    fold_influence,
    products,
    small_sample,
    summed_by_cluster,
)


class AreaCovariance(NamedTuple):
    """Areas of k predictors with their covariance.

    ``parts`` (c x k x k) are the independent parts of the covariance, each with its degrees of
    freedom in ``part_df``, for Satterthwaite's rule. ``unclustered`` (2 x k) holds the
    parts of positives and of negatives of the variances that ignore clusters.
    """

    area: FloatArray
    covariance: FloatArray
    unclustered: FloatArray
    parts: FloatArray
    part_df: FloatArray

    @property
    def components(self) -> FloatArray:
        """Parts of the variances (c x k)."""
        return np.diagonal(self.parts, axis1=1, axis2=2)

    def df(self, k: int) -> float:
        """Return Satterthwaite's degrees of freedom of the variance of area ``k``."""
        return satterthwaite(self.components[:, k], self.part_df)


def satterthwaite(components: FloatArray, df: FloatArray) -> float:
    """Return Satterthwaite's (sum c)^2 / sum(c^2 / df); infinite when every component is 0."""
    below = float((components**2 / df).sum())
    return float(components.sum()) ** 2 / below if below > 0 else np.inf


def contrast_df(samples: Sequence[tuple[FloatArray, FloatArray, FloatArray]]) -> float:
    """Return Satterthwaite's df of the sum of w'A over independent samples.

    A sample is its weights w, its ``parts`` and their ``part_df``.
    """
    variances = [np.einsum("i,cij,j->c", w, parts, w) for w, parts, _ in samples]
    if len(samples) == 1:
        return satterthwaite(variances[0], samples[0][2])
    return satterthwaite(np.concatenate(variances), np.concatenate([df for *_, df in samples]))


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
    if isinstance(cases, SummedCases):
        return _of_sums(cases, predictors)
    if len(predictors) == 1 and over.full and cases.fold is None and cases.cluster is None:
        placements = placements_of(cases, predictors[0])
        if placements is not None:
            return _of_placements(placements)
    parts = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        return independent_covariance([fold_influence(part, predictors, over) for part in parts])
    return clustered_covariance([cluster_influence(part, predictors, over) for part in parts])


def covariance_of(cases: ScoredCases, influence: FoldInfluence) -> AreaCovariance:
    """Return areas whose influence values are known, with their covariance.

    The values are those of the rows of each class in their order; clusters sum them.
    """
    if cases.cluster is None:
        return independent_covariance([influence])
    return clustered_covariance([summed_by_cluster(cases, influence)])


def spanning_covariance(
    parts: Sequence[ScoredCases], predictors: Sequence[int], *, over: AreaRange = FULL_RANGE
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of the areas of all parts (groups) of a sample with clusters.

    Areas are those of the first part, then of the second, and so on. The blocks of single parts
    are those of ``area_covariance``; clusters with cases in several parts add covariances. The
    ``parts`` and ``part_df`` of the covariance come after it.
    """
    sums, present = [], []
    for part in parts:
        folds = [cluster_influence(fold, predictors, over) for _, fold in part.by_fold()]
        present += [fold.present for fold in folds]
        sums.append([part_sums / len(folds) for part_sums in with_factors(folds)])
    within, crossed = (np.concatenate(blocks) for blocks in zip(*sums, strict=True))
    return _by_kind(within, crossed, np.any(present, axis=0))


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
        return clustered_covariance(sums)
    scaled = [
        fold_influence(part, predictors, FULL_RANGE).scaled(w * len(parts)) for w, part in parts
    ]
    return independent_covariance(scaled)


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


def _of_sums(cases: SummedCases, predictors: Sequence[int]) -> AreaCovariance:
    """Return areas with their covariance from sums of products over units of each kind."""
    sums: InfluenceSums = cases.sums  # type: ignore[assignment]  # known where both classes are
    k, used = len(sums.area), list(predictors)
    has_pos, has_neg, n = sums.cluster_numbers()
    of_pos, of_neg, of_all = (small_sample(number) for number in (has_pos, has_neg, n))
    parts = []
    for product in sums.products[sums.n_units > 0]:
        pos, neg, mixed = product[:k, :k], product[k:, k:], product[:k, k:]
        part = of_neg * neg + of_pos * pos
        # Cases that are no clusters are of one class: nothing is crossed.
        part = part if cases.cluster is None else part + of_all * (mixed + mixed.T)
        parts.append(part[np.ix_(used, used)])
    part_df = np.maximum(sums.n_units[sums.n_units > 0] - 1.0, 1.0)
    return AreaCovariance(
        sums.area[used],
        np.sum(parts, axis=0),
        sums.unclustered[:, used],
        np.array(parts),
        part_df,
    )


def _of_placements(found: Placements) -> AreaCovariance:
    """Return one area with DeLong's variance from the spreads of its placements."""
    parts = [
        spread / size * small_sample(size)
        for spread, size in ((found.spread_pos, found.n_pos), (found.spread_neg, found.n_neg))
    ]
    by_class = np.array(parts)
    return AreaCovariance(
        np.array([found.area]),
        np.array([[sum(parts)]]),
        by_class[:, np.newaxis],
        by_class[:, np.newaxis, np.newaxis],
        np.array([found.n_pos - 1.0, found.n_neg - 1.0]),
    )


def independent_covariance(folds: Sequence[FoldInfluence]) -> AreaCovariance:
    """Return areas with DeLong's covariance V^-2 sum_v (S10/m + S01/n) over V folds."""
    # The values have 1/m in them: their sum of products times m/(m - 1) is S10/m, S with m - 1.
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    matrices = [part.products() * small_sample(part.size) / len(folds) ** 2 for part in parts]
    variances = np.array([matrix.diagonal() for matrix in matrices])
    return AreaCovariance(
        folds[0].area if len(folds) == 1 else np.mean([fold.area for fold in folds], axis=0),
        np.sum(matrices, axis=0),
        np.array([variances[::2].sum(axis=0), variances[1::2].sum(axis=0)]),
        np.array(matrices),
        np.array([part.size - 1 for part in parts]),
    )


def clustered_covariance(folds: Sequence[ClusterInfluence]) -> AreaCovariance:
    """Return areas with Obuchowski's (1997) covariance, cluster sums added up over folds."""
    # The sums of a fold carry the root of the small-sample factor of its clusters: one fold then
    # gives Obuchowski exactly, and clusters of single cases DeLong in each fold exactly. One fold
    # takes the factors themselves, as squared roots would round.
    if len(folds) == 1:
        within = crossed = folds[0].sums
        factors = folds[0].factors()
    else:
        within, crossed = with_factors(folds)
        factors = 1.0, 1.0, 1.0
    present = np.any([fold.present for fold in folds], axis=0)
    covariance, by_kind, part_df = _by_kind(within, crossed, present, factors)
    return AreaCovariance(
        np.mean([fold.area for fold in folds], axis=0),
        covariance / len(folds) ** 2,
        np.sum([fold.unclustered for fold in folds], axis=0) / len(folds) ** 2,
        by_kind / len(folds) ** 2,
        part_df,
    )


def _by_kind(
    within: FloatArray,
    crossed: FloatArray,
    present: BoolArray,
    factors: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of cluster sums, its parts by kind of cluster, and their df.

    Clusters with positives only, with negatives only and with both are independent samples. Where
    each cluster is one case, the parts are those of DeLong's variance.
    """
    of_neg, of_pos, of_all = factors

    def covariance(here: BoolArray | slice) -> FloatArray:
        neg, pos = within[:, 0, here], within[:, 1, here]
        mixed = products(crossed[:, 1, here], crossed[:, 0, here])
        alone = of_neg * products(neg, neg) + of_pos * products(pos, pos)
        return np.asarray(alone + of_all * (mixed + mixed.T))

    has_neg, has_pos = present
    kinds = [has_pos & ~has_neg, has_neg & ~has_pos, has_neg & has_pos]
    kinds = [kind for kind in kinds if kind.any()]
    whole = covariance(slice(None))
    parts = [whole] if len(kinds) == 1 else [covariance(kind) for kind in kinds]
    # A single cluster of a kind has no mean of its own to be taken from.
    return whole, np.array(parts), np.array([max(kind.sum() - 1.0, 1.0) for kind in kinds])


def with_factors(folds: Sequence[ClusterInfluence]) -> tuple[FloatArray, FloatArray]:
    """Return the sums over folds, times the roots of the factors by class, and of all clusters."""
    # Products within a class take the first, those across classes the second.
    within, crossed = (np.zeros_like(folds[0].sums) for _ in range(2))
    for fold in folds:
        *of_class, of_any = np.sqrt(fold.factors())
        within += fold.sums * np.reshape(of_class, (2, 1))
        crossed += fold.sums * of_any
    return within, crossed
