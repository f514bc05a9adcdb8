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

from rocstats.curves.partial import FULL_RANGE, AreaRange, range_placements
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ClassInfluence:
    """Influence values of k areas, for the u units of one class in one fold.

    ``weight`` is the frequency of each unit (None: 1 each); ``cluster`` its cluster's number.
    """

    values: FloatArray
    weight: FloatArray | None
    cluster: IntArray | None

    @cached_property
    def size(self) -> float:
        """Number of cases."""
        return float(self.values.shape[1] if self.weight is None else self.weight.sum())

    @property
    def members(self) -> IntArray:
        """Cluster of each case."""
        if self.cluster is None:
            raise ValueError("these influence values have no clusters")
        return self.cluster

    def products(self) -> FloatArray:
        """Return the k x k sums of products over cases."""
        values, weight = self.values, self.weight
        if weight is not None and len(values) == 1:
            # A plain sum, where BLAS would wait for its threads on a busy machine.
            return np.asarray(np.einsum("kn,n,ln->kl", values, weight, values))
        return (values if weight is None else values * weight) @ values.T

    def cluster_sums(self, n_clusters: int) -> FloatArray:
        """Return the k x n_clusters sums over the cases of each cluster."""
        weighted = self.values if self.weight is None else self.values * self.weight
        codes = self.members
        return np.stack([np.bincount(codes, weights=row, minlength=n_clusters) for row in weighted])


@dataclass(frozen=True, eq=False)
class FoldInfluence:
    """Areas of k predictors in one fold with their influence values."""

    area: FloatArray
    pos: ClassInfluence
    neg: ClassInfluence


@dataclass(frozen=True, eq=False)
class AreaCovariance:
    """Areas of k predictors with their covariance.

    ``components`` (c x k) are the independent parts of the variances, each with its degrees of
    freedom in ``component_df``: Satterthwaite's rule takes both.
    """

    area: FloatArray
    covariance: FloatArray
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
    sample: Sample,
    predictors: Sequence[int],
    *,
    over: AreaRange = FULL_RANGE,
    clustered: bool = True,
) -> AreaCovariance:
    """Return the areas of some predictors of a sample and their covariance, roles honoured.

    ``over`` makes them partial areas. ``clustered=False`` gives what the covariance would be
    without clusters, for comparison.

    NaN variances mean that a class (in some fold) has a single case or a single cluster.
    """
    folds = [_fold_influence(part, predictors, over) for _, part in sample.by_fold()]
    area = np.mean([fold.area for fold in folds], axis=0)
    if sample.cluster is None or not clustered:
        return _independent(folds, area)
    return _clustered(folds, area, sample)


def weighted_covariance(
    sample: Sample, parts: Sequence[tuple[float, Sample]], predictors: Sequence[int]
) -> AreaCovariance:
    """Return weighted sums of the areas of parts (strata) of a sample, and their covariance.

    The weights sum to 1. A cluster may have cases in several parts: its influence is added up.
    """
    influences = []
    for weight, part in parts:
        found = _fold_influence(part, predictors, FULL_RANGE)
        # The mean over parts, which folds take, of areas times their number is the weighted sum.
        scale = weight * len(parts)
        pos, neg = (replace(side, values=scale * side.values) for side in (found.pos, found.neg))
        influences.append(FoldInfluence(scale * found.area, pos, neg))
    area = np.mean([influence.area for influence in influences], axis=0)
    if sample.cluster is None:
        return _independent(influences, area)
    return _clustered(influences, area, sample)


def acceleration(sample: Sample, k: int, *, over: AreaRange = FULL_RANGE) -> float:
    """Return the BCa acceleration of area ``k``: sum u^3 / (6 (sum u^2)^1.5).

    u are the influence values of independent units: cases, or the sums of clusters.
    """
    folds = [_fold_influence(part, [k], over) for _, part in sample.by_fold()]
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    if sample.cluster is None:
        values = np.concatenate([part.values[0] for part in parts])
        weight = np.concatenate(
            [
                np.ones(part.values.shape[1]) if part.weight is None else part.weight
                for part in parts
            ]
        )
    else:
        values = np.sum([part.cluster_sums(len(sample.cluster.labels)) for part in parts], axis=0)[
            0
        ]
        weight = np.ones(len(values))
    squares = float(np.dot(weight, values**2))
    return float(np.dot(weight, values**3)) / (6 * squares**1.5) if squares > 0 else 0.0


def _fold_influence(sample: Sample, predictors: Sequence[int], over: AreaRange) -> FoldInfluence:
    if len(predictors) == 1 and sample.cluster is None:
        return _influence_of_table(sample, predictors[0], over)
    pos, neg = np.flatnonzero(sample.is_positive), np.flatnonzero(~sample.is_positive)
    v10, v01 = case_placements(sample, predictors, pos, neg, over=over)
    return _centred(
        v10,
        v01,
        _take(sample.frequency, pos),
        _take(sample.frequency, neg),
        None if sample.cluster is None else (sample.cluster.codes[pos], sample.cluster.codes[neg]),
    )


def case_placements(
    sample: Sample,
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
        codes = sample.codes(k)
        at_score = range_placements(sample.counts(k), over)
        v10[row] = at_score[0].take(codes.take(pos))
        v01[row] = at_score[1].take(codes.take(neg))
    return v10, v01


def _influence_of_table(sample: Sample, k: int, over: AreaRange) -> FoldInfluence:
    """Return the influence values by distinct score: with one predictor no case needs its own."""
    counts = sample.counts(k)
    v10, v01 = range_placements(counts, over)
    return _centred(v10[np.newaxis], v01[np.newaxis], counts.n_pos, counts.n_neg, None)


def _centred(
    v10: FloatArray,
    v01: FloatArray,
    pos_weight: FloatArray | None,
    neg_weight: FloatArray | None,
    clusters: tuple[IntArray, IntArray] | None,
) -> FoldInfluence:
    """Return influence values from placements, in the memory of the placements."""
    of_pos, of_neg = clusters if clusters is not None else (None, None)
    area = _centre(v10, pos_weight)
    _centre(v01, neg_weight)
    return FoldInfluence(
        area, ClassInfluence(v10, pos_weight, of_pos), ClassInfluence(v01, neg_weight, of_neg)
    )


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


def _small_sample(n: float) -> float:
    """Return n/(n - 1), the factor of an unbiased variance; NaN for a single unit."""
    return n / (n - 1) if n > 1 else np.nan


def _independent(folds: Sequence[FoldInfluence], area: FloatArray) -> AreaCovariance:
    """DeLong in each fold: Var = V^-2 sum_v (S10/m + S01/n), S with divisor m - 1 and n - 1."""
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    matrices = [part.products() * _small_sample(part.size) / len(folds) ** 2 for part in parts]
    return AreaCovariance(
        area,
        np.sum(matrices, axis=0),
        np.array([np.diag(matrix) for matrix in matrices]),
        np.array([part.size - 1 for part in parts]),
    )


def _clustered(folds: Sequence[FoldInfluence], area: FloatArray, sample: Sample) -> AreaCovariance:
    """Obuchowski (1997), the cluster sums of every fold added up.

    Each fold's sums carry the root of the small-sample factor of the clusters that it has, so that
    one fold gives Obuchowski exactly, and clusters of one give DeLong in each fold exactly.
    """
    n_labels = len(sample.cluster.labels)  # type: ignore[union-attr]
    pos, neg, pos_cross, neg_cross = (np.zeros((len(area), n_labels)) for _ in range(4))
    for fold in folds:
        a, b = fold.pos.cluster_sums(n_labels), fold.neg.cluster_sums(n_labels)
        has_pos, has_neg = (
            np.bincount(part.members, minlength=n_labels) > 0 for part in (fold.pos, fold.neg)
        )
        cross = np.sqrt(_small_sample(int(np.count_nonzero(has_pos | has_neg))))
        pos += a * np.sqrt(_small_sample(int(np.count_nonzero(has_pos))))
        neg += b * np.sqrt(_small_sample(int(np.count_nonzero(has_neg))))
        pos_cross += a * cross
        neg_cross += b * cross
    mixed = pos_cross @ neg_cross.T
    covariance = (pos @ pos.T + neg @ neg.T + mixed + mixed.T) / len(folds) ** 2
    df = len(sample.cluster.present) - 1.0  # type: ignore[union-attr]
    return AreaCovariance(area, covariance, np.diag(covariance)[np.newaxis], np.array([df]))
