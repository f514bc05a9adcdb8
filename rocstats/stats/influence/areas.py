"""The one variance engine: influence values per case, summed by cluster, averaged over folds.

An area's influence value is (V10 - A)/m for a positive and (V01 - A)/n for a negative, V10 and V01
the placements. Summing squares gives DeLong, summing by cluster first gives Obuchowski (1997),
products of two predictors give their covariance, and means over folds give the cross-validated
area: the special names are checks of these few lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, range_placements
from rocstats.curves.areas.whole import weighted_sum
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers, clusters_by_class, clusters_present
from rocstats.sample.counts.tables import ScoreCounts

_UNTHREADED = 2**18  # multiplications that OpenBLAS does in one thread


@dataclass(frozen=True, eq=False)
class ClassInfluence:
    """Influence values of k areas, for the u units of one class in one fold.

    ``weight`` is the frequency of each unit (None: 1 each).
    """

    values: FloatArray
    weight: FloatArray | None

    @cached_property
    def size(self) -> float:
        """Number of cases."""
        return float(self.values.shape[1] if self.weight is None else self.weight.sum())

    def products(self) -> FloatArray:
        """Return the k x k sums of products over cases."""
        values, weight = self.values, self.weight
        if weight is not None and len(values) == 1:
            return np.asarray(np.einsum("kn,n,ln->kl", values, weight, values))
        return _products(values if weight is None else values * weight, values)


@dataclass(frozen=True, eq=False)
class FoldInfluence:
    """Areas of k predictors in one fold with their influence values."""

    area: FloatArray
    pos: ClassInfluence
    neg: ClassInfluence


@dataclass(frozen=True, eq=False)
class ClusterInfluence:
    """Areas of k predictors in one fold, with influence summed by class in each of c clusters.

    ``sums`` (k x 2 x c) has the negatives before the positives; ``present`` (2 x c) says which
    clusters have a case of the class in this fold; ``unclustered`` are DeLong's variances.
    """

    area: FloatArray
    unclustered: FloatArray
    sums: FloatArray
    present: BoolArray

    def small_sample(self) -> tuple[float, float, float]:
        """Return the factors of the clusters with a negative, with a positive, and of all."""
        has_neg, has_pos = self.present
        of_neg, of_pos, of_all = (
            _small_sample(int(np.count_nonzero(has)))
            for has in (has_neg, has_pos, has_neg | has_pos)
        )
        return of_neg, of_pos, of_all


@dataclass(frozen=True, eq=False)
class AreaCovariance:
    """Areas of k predictors with their covariance.

    ``components`` (c x k) are the independent parts of the variances, each with its degrees of
    freedom in ``component_df``: Satterthwaite's rule takes both. ``unclustered`` is what the
    variances would be without clusters.
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
    """Return (sum c)^2 / sum(c^2 / df); infinite when every component is 0."""
    below = float(np.sum(components**2 / df))
    return float(np.sum(components)) ** 2 / below if below > 0 else np.inf


def area_covariance(
    cases: ScoredCases,
    predictors: Sequence[int],
    *,
    over: AreaRange = FULL_RANGE,
) -> AreaCovariance:
    """Return the areas of some predictors of a sample and their covariance, roles honoured.

    ``over`` makes them partial areas.

    NaN variances mean that a class (in some fold) has a single case or a single cluster.
    """
    parts = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        return _independent([_fold_influence(part, predictors, over) for part in parts])
    return _clustered([_cluster_influence(part, predictors, over) for part in parts], cases)


def spanning_covariance(
    parts: Sequence[ScoredCases], predictors: Sequence[int], *, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return the covariance of the areas of all parts (groups) of a sample with clusters.

    Areas are those of the first part, then of the second, and so on. The blocks of single parts
    are those of ``area_covariance``; clusters in several parts make them covary.
    """
    sums = []
    for part in parts:
        folds = [_cluster_influence(fold, predictors, over) for _, fold in part.by_fold()]
        sums.append([found / len(folds) for found in _with_factors(folds)])
    own, crossed = (np.concatenate(blocks) for blocks in zip(*sums, strict=True))
    mixed = _products(crossed[:, 1], crossed[:, 0])
    alone = _products(own[:, 0], own[:, 0]) + _products(own[:, 1], own[:, 1])
    return np.asarray(alone + mixed + mixed.T)


def weighted_covariance(
    cases: ScoredCases, parts: Sequence[tuple[float, ScoredCases]], predictors: Sequence[int]
) -> AreaCovariance:
    """Return weighted sums of the areas of parts (strata) of a sample, and their covariance.

    The weights sum to 1. A cluster may have cases in several parts: its influence is added up.
    """
    # The mean over parts, which folds take, of areas times their number is the weighted sum.
    if cases.cluster is not None:
        sums = [_cluster_influence(part, predictors, FULL_RANGE) for _, part in parts]
        return _clustered(
            [_scaled_sums(s, w * len(parts)) for s, (w, _) in zip(sums, parts, strict=True)], cases
        )
    found = [_fold_influence(part, predictors, FULL_RANGE) for _, part in parts]
    return _independent(
        [_scaled_values(f, w * len(parts)) for f, (w, _) in zip(found, parts, strict=True)]
    )


def acceleration(cases: ScoredCases, k: int, *, over: AreaRange = FULL_RANGE) -> float:
    """Return the BCa acceleration of area ``k``: sum u^3 / (6 (sum u^2)^1.5).

    u are the influence values of independent units: cases, or the sums of clusters.
    """
    folds = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        found = [_fold_influence(part, [k], over) for part in folds]
        parts = [part for fold in found for part in (fold.pos, fold.neg)]
        values = np.concatenate([part.values[0] for part in parts])
        weight = np.concatenate(
            [
                np.ones(part.values.shape[1]) if part.weight is None else part.weight
                for part in parts
            ]
        )
    else:
        sums = [_cluster_influence(part, [k], over).sums[0] for part in folds]
        values = np.sum(sums, axis=(0, 1))
        weight = np.ones(len(values))
    squares = float(np.dot(weight, values**2))
    return float(np.dot(weight, values**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def _fold_influence(
    cases: ScoredCases, predictors: Sequence[int], over: AreaRange
) -> FoldInfluence:
    if len(predictors) == 1:
        return _influence_of_table(cases, predictors[0], over)
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    v10, v01 = case_placements(cases, predictors, pos, neg, over=over)
    return _centred(v10, v01, _take(cases.frequency, pos), _take(cases.frequency, neg))


def _cluster_influence(
    cases: ScoredCases, predictors: Sequence[int], over: AreaRange
) -> ClusterInfluence:
    """Sum influence by cluster and class in the order of the scores.

    Gathering the clusters into that order costs less than scattering placements out of it.
    """
    units, present = clusters_by_class(cases), clusters_present(cases)
    sizes = np.array([[cases.n_neg], [cases.n_pos]])
    area, unclustered = np.empty(len(predictors)), np.empty(len(predictors))
    sums: list[FloatArray] = []
    for row, k in enumerate(predictors):
        order = cases.order(k)
        area[row], unclustered[row], of_neg, of_pos = _deviations(cases.counts(k), over)
        sorted_units = units.take(order.rows)
        values = order.by_row(of_neg)
        np.copyto(values, order.by_row(of_pos), where=sorted_units >= present.shape[1])
        if cases.frequency is not None:
            values *= cases.frequency.take(order.rows)
        summed = np.asarray(np.bincount(sorted_units, values, present.size), dtype=np.float64)
        sums.append(summed.reshape(present.shape))
        np.divide(sums[row], sizes, out=sums[row])
    stacked = np.stack(sums) if len(sums) > 1 else sums[0][np.newaxis]
    return ClusterInfluence(area, unclustered, stacked, present)


def _deviations(
    counts: ScoreCounts, over: AreaRange
) -> tuple[float, float, FloatArray, FloatArray]:
    """Return an area, DeLong's variance, and the placements of both classes less their means."""
    of_pos, of_neg = range_placements(counts, over)
    sides = ((counts.n_pos, of_pos), (counts.n_neg, of_neg))
    means = [weighted_sum(n, values) / n.sum() for n, values in sides]
    variance = 0.0
    for (n, values), mean in zip(sides, means, strict=True):
        values -= mean
        size = float(n.sum())
        squares = float(np.einsum("i,i,i->", n, values, values))
        variance += squares / size**2 * _small_sample(size)
    return float(means[0]), variance, of_neg, of_pos


def case_placements(
    cases: ScoredCases,
    predictors: Sequence[int],
    pos: IntArray,
    neg: IntArray,
    *,
    over: AreaRange = FULL_RANGE,
) -> tuple[FloatArray, FloatArray]:
    """Return the placements of each positive (k x m) and negative (k x n) by each predictor."""
    v10 = np.empty((len(predictors), len(pos)))
    v01 = np.empty((len(predictors), len(neg)))
    for row, k in enumerate(predictors):
        codes = cases.codes(k)
        at_score = range_placements(cases.counts(k), over)
        v10[row] = at_score[0].take(codes.take(pos))
        v01[row] = at_score[1].take(codes.take(neg))
    return v10, v01


def _influence_of_table(cases: ScoredCases, k: int, over: AreaRange) -> FoldInfluence:
    """Return the influence values by distinct score: with one predictor no case needs its own."""
    counts = cases.counts(k)
    v10, v01 = range_placements(counts, over)
    return _centred(v10[np.newaxis], v01[np.newaxis], counts.n_pos, counts.n_neg)


def _centred(
    v10: FloatArray,
    v01: FloatArray,
    pos_weight: FloatArray | None,
    neg_weight: FloatArray | None,
) -> FoldInfluence:
    """Return influence values from placements, in the memory of the placements."""
    area = _centre(v10, pos_weight)
    _centre(v01, neg_weight)
    return FoldInfluence(area, ClassInfluence(v10, pos_weight), ClassInfluence(v01, neg_weight))


def _scaled_values(found: FoldInfluence, scale: float) -> FoldInfluence:
    pos, neg = (replace(side, values=scale * side.values) for side in (found.pos, found.neg))
    return FoldInfluence(scale * found.area, pos, neg)


def _scaled_sums(found: ClusterInfluence, scale: float) -> ClusterInfluence:
    area, sums = scale * found.area, scale * found.sums
    return replace(found, area=area, sums=sums, unclustered=scale**2 * found.unclustered)


def _centre(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Subtract the means of the rows and divide by the number of cases; return the means."""
    size = values.shape[1] if weight is None else weight.sum()
    means = values.sum(axis=1) if weight is None else np.einsum("kn,n->k", values, weight)
    means /= size
    values -= means[:, np.newaxis]
    values /= size
    return np.asarray(means)


def _take(values: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if values is None else values.take(rows)


def _products(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a b', in sums so small that BLAS starts no threads, for which it would wait."""
    if len(a) == 1:
        return np.asarray(np.einsum("kn,ln->kl", a, b))
    k, n = a.shape
    block = max(64, _UNTHREADED // k**2)
    total = np.zeros((k, len(b)))
    for start in range(0, n, block):
        part = slice(start, start + block)
        total += a[:, part] @ b[:, part].T
    return total


def _small_sample(n: float) -> float:
    """Return n/(n - 1), the factor of an unbiased variance; NaN for a single unit."""
    return n / (n - 1) if n > 1 else np.nan


def _independent(folds: Sequence[FoldInfluence]) -> AreaCovariance:
    """DeLong in each fold: Var = V^-2 sum_v (S10/m + S01/n), S with divisor m - 1 and n - 1."""
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    matrices = [part.products() * _small_sample(part.size) / len(folds) ** 2 for part in parts]
    covariance = np.sum(matrices, axis=0)
    return AreaCovariance(
        np.mean([fold.area for fold in folds], axis=0),
        covariance,
        np.diag(covariance),
        np.array([np.diag(matrix) for matrix in matrices]),
        np.array([part.size - 1 for part in parts]),
    )


def _clustered(folds: Sequence[ClusterInfluence], cases: ScoredCases) -> AreaCovariance:
    """Obuchowski (1997), the cluster sums of every fold added up.

    Each fold's sums carry the root of the small-sample factor of the clusters that it has, so that
    one fold gives Obuchowski exactly, and clusters of one give DeLong in each fold exactly.
    """
    if len(folds) == 1:
        own = crossed = folds[0].sums
        of_neg, of_pos, of_all = folds[0].small_sample()
    else:
        own, crossed = _with_factors(folds)
        of_neg = of_pos = of_all = 1.0
    mixed = _products(crossed[:, 1], crossed[:, 0])
    alone = of_neg * _products(own[:, 0], own[:, 0]) + of_pos * _products(own[:, 1], own[:, 1])
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
    own, crossed = (np.zeros_like(folds[0].sums) for _ in range(2))
    for fold in folds:
        *of_class, of_any = np.sqrt(fold.small_sample())
        own += fold.sums * np.reshape(of_class, (2, 1))
        crossed += fold.sums * of_any
    return own, crossed
