"""The one variance engine: influence values per case, summed by cluster, averaged over folds.

The influence value of a case on an area A is (V10 - A)/m for a positive and (V01 - A)/n for a
negative, where V10 and V01 are its placements. Sums of squares give DeLong's variance S10/m + S01/n
[delong-1988], sums by cluster first that of Obuchowski [obuchowski-1997], products of two
predictors their covariance, and means over folds the cross-validated area. See
docs/methods/areas.md, "Influence values" and "Clusters".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.areas import (
    FULL_RANGE,
    AreaRange,
    PlacementRows,
    Placements,
    placements_of,
    range_placements,
    weighted_sum,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, equal_clusters
from rocstats.study.cases import ClassCases, ScoredCases
from rocstats.study.clusters import cluster_sizes, clusters_by_class, clusters_present
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.summed import InfluenceSums, SummedCases

# --- Areas with their covariance ------------------------------------------------------------------


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
        return float(satterthwaite(self.components[:, k], self.part_df))


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
        return _covariance_of_sums(cases, predictors)
    if len(predictors) == 1 and over.full and cases.fold is None and cases.cluster is None:
        placements = placements_of(cases, predictors[0])
        if placements is not None:
            return _covariance_of_placements(placements)
    parts = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        return delong_covariance_over_folds(
            [fold_influence(part, predictors, over) for part in parts]
        )
    return obuchowski_covariance_over_folds(
        [cluster_influence(part, predictors, over) for part in parts]
    )


def area_covariance_of_influence(cases: ScoredCases, influence: FoldInfluence) -> AreaCovariance:
    """Return areas whose influence values are known, with their covariance.

    The values are those of the rows of each class in their order; clusters sum them.
    """
    if cases.cluster is None:
        return delong_covariance_over_folds([influence])
    return obuchowski_covariance_over_folds([influence_summed_by_cluster(cases, influence)])


def area_covariance_spanning_groups(
    parts: Sequence[ScoredCases], predictors: Sequence[int], *, over: AreaRange = FULL_RANGE
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of the areas of all parts (groups) of a sample with clusters.

    Areas are those of the first part, then of the second, and so on. The blocks of single parts
    are those of ``area_covariance``; clusters with cases in several parts add covariances. The
    ``parts`` and ``part_df`` of the covariance come after it.
    """
    sums, present, share = [], [], []
    for part in parts:
        folds = [cluster_influence(fold, predictors, over) for _, fold in part.by_fold()]
        present += [fold.present for fold in folds]
        share += [fold.share / len(folds) for fold in folds]
        sums.append([part_sums / len(folds) for part_sums in cluster_sums_with_factors(folds)])
    within, crossed = (np.concatenate(blocks) for blocks in zip(*sums, strict=True))
    return _covariance_by_cluster_kind(
        within, crossed, np.any(present, axis=0), np.sum(share, axis=0)
    )


def weighted_area_covariance(
    cases: ScoredCases, parts: Sequence[tuple[float, ScoredCases]], predictors: Sequence[int]
) -> AreaCovariance:
    """Return weighted sums of the areas of parts (strata) of a sample, and their covariance.

    The weights sum to 1. A cluster may have cases in several parts: its influence is added up.
    """
    # Parts are taken as folds: the mean over V parts of V w A is the sum of w A.
    number = len(parts)
    if cases.cluster is None:
        return delong_covariance_over_folds(
            [fold_influence(part, predictors, FULL_RANGE).scaled(w * number) for w, part in parts]
        )
    return obuchowski_covariance_over_folds(
        [cluster_influence(part, predictors, FULL_RANGE).scaled(w * number) for w, part in parts]
    )


# --- DeLong's covariance --------------------------------------------------------------------------


def delong_covariance_over_folds(folds: Sequence[FoldInfluence]) -> AreaCovariance:
    """Return areas with DeLong's covariance V^-2 sum_v (S10/m + S01/n) over V folds."""
    # The values have 1/m in them: their sum of products times m/(m - 1) is S10/m, S with m - 1.
    parts = [part for fold in folds for part in (fold.pos, fold.neg)]
    matrices = [
        part.products() * small_sample_factor(part.size) / len(folds) ** 2 for part in parts
    ]
    variances = np.array([matrix.diagonal() for matrix in matrices])
    return AreaCovariance(
        folds[0].area if len(folds) == 1 else np.mean([fold.area for fold in folds], axis=0),
        np.sum(matrices, axis=0),
        np.array([variances[::2].sum(axis=0), variances[1::2].sum(axis=0)]),
        np.array(matrices),
        np.array([part.size - 1 for part in parts]),
    )


def _covariance_of_placements(found: Placements) -> AreaCovariance:
    """Return one area with DeLong's variance from the spreads of its placements."""
    parts = delong_variance_parts(found)
    return AreaCovariance(
        np.array([found.area]),
        np.array([[parts.sum()]]),
        parts[:, np.newaxis],
        parts[:, np.newaxis, np.newaxis],
        np.array([found.n_pos - 1.0, found.n_neg - 1.0]),
    )


def delong_variance_parts(found: Placements | PlacementRows) -> FloatArray:
    """Return the parts S10/m and S01/n of DeLong's variance, S with the divisor m - 1 or n - 1."""
    sides = (found.spread_pos, found.n_pos), (found.spread_neg, found.n_neg)
    return np.array([spread / size * small_sample_factor(size) for spread, size in sides])


# --- Obuchowski's covariance ----------------------------------------------------------------------


def obuchowski_covariance_over_folds(folds: Sequence[ClusterInfluence]) -> AreaCovariance:
    """Return areas with Obuchowski's (1997) covariance, cluster sums added up over folds.

    With P_i and N_i the sums of the influence values of the positives and of the negatives of
    cluster i, and I10, I01 and I the numbers of clusters with a positive, with a negative and in
    all, a variance is I10/(I10 - 1) sum P_i^2 + I01/(I01 - 1) sum N_i^2 + 2 I/(I - 1) sum P_i N_i.
    """
    # The sums of a fold carry the root of the small-sample factor of its clusters: one fold then
    # gives Obuchowski exactly, and clusters of single cases DeLong in each fold exactly. One fold
    # takes the factors themselves, as squared roots would round.
    if len(folds) == 1:
        within = crossed = folds[0].sums
        factors = folds[0].factors()
    else:
        within, crossed = cluster_sums_with_factors(folds)
        factors = 1.0, 1.0, 1.0
    present = np.any([fold.present for fold in folds], axis=0)
    share = np.sum([fold.share for fold in folds], axis=0)
    covariance, by_kind, part_df = _covariance_by_cluster_kind(
        within, crossed, present, share, factors
    )
    return AreaCovariance(
        np.mean([fold.area for fold in folds], axis=0),
        covariance / len(folds) ** 2,
        np.sum([fold.unclustered for fold in folds], axis=0) / len(folds) ** 2,
        by_kind / len(folds) ** 2,
        part_df,
    )


def cluster_sums_with_factors(folds: Sequence[ClusterInfluence]) -> tuple[FloatArray, FloatArray]:
    """Return cluster sums added up over folds, times the roots of small-sample factors.

    The first have the factors of the clusters of each class, for products within a class; the
    second that of all clusters, for products across classes.
    """
    within, crossed = (np.zeros_like(folds[0].sums) for _ in range(2))
    for fold in folds:
        *of_class, of_any = np.sqrt(fold.factors())
        within += fold.sums * np.reshape(of_class, (2, 1))
        crossed += fold.sums * of_any
    return within, crossed


def _covariance_by_cluster_kind(
    within: FloatArray,
    crossed: FloatArray,
    present: BoolArray,
    share: FloatArray,
    factors: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of cluster sums, its parts by kind of cluster, and their df.

    Clusters with positives only, with negatives only and with both are independent samples, with
    the df of as many equal clusters. Where each cluster is one case, the parts are those of
    DeLong's variance.
    """
    of_neg, of_pos, of_all = factors

    def covariance(here: BoolArray | slice) -> FloatArray:
        neg, pos = within[:, 0, here], within[:, 1, here]
        mixed = matrix_product_in_blocks(crossed[:, 1, here], crossed[:, 0, here])
        alone = of_neg * matrix_product_in_blocks(neg, neg) + of_pos * matrix_product_in_blocks(
            pos, pos
        )
        return np.asarray(alone + of_all * (mixed + mixed.T))

    kinds = [kind for kind in cluster_kinds(present) if kind.any()]
    whole = covariance(slice(None))
    parts = [whole] if len(kinds) == 1 else [covariance(kind) for kind in kinds]
    return whole, np.array(parts), df_of_cluster_numbers([equal_clusters(share[k]) for k in kinds])


def cluster_kinds(present: BoolArray) -> list[BoolArray]:
    """Return which clusters have positives only, negatives only, and both.

    ``present`` (2 x c) marks the clusters with a negative, and with a positive.
    """
    has_neg, has_pos = present
    return [has_pos & ~has_neg, has_neg & ~has_pos, has_neg & has_pos]


def df_of_cluster_numbers(numbers: Sequence[float] | FloatArray) -> FloatArray:
    """Return the degrees of freedom of variances from numbers of equal clusters: at least 1."""
    # A single cluster of a kind has no mean of its own to be taken from.
    return np.maximum(np.asarray(numbers, dtype=np.float64) - 1.0, 1.0)


def _covariance_of_sums(cases: SummedCases, predictors: Sequence[int]) -> AreaCovariance:
    """Return areas with their covariance from sums of products over units of each kind."""
    sums: InfluenceSums = cases.sums  # type: ignore[assignment]  # known where both classes are
    k, used = len(sums.area), list(predictors)
    has_pos, has_neg, n = sums.cluster_numbers()
    of_pos, of_neg, of_all = (small_sample_factor(number) for number in (has_pos, has_neg, n))
    parts = []
    for product in sums.products[sums.n_units > 0]:
        pos, neg, mixed = product[:k, :k], product[k:, k:], product[:k, k:]
        part = of_neg * neg + of_pos * pos
        # Cases that are no clusters are of one class: nothing is crossed.
        part = part if cases.cluster is None else part + of_all * (mixed + mixed.T)
        parts.append(part[np.ix_(used, used)])
    part_df = df_of_cluster_numbers(sums.n_equal[sums.n_units > 0])
    return AreaCovariance(
        sums.area[used],
        np.sum(parts, axis=0),
        sums.unclustered[:, used],
        np.array(parts),
        part_df,
    )


# --- Influence values: by distinct score, by case, or summed by cluster ---------------------------


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
        # One predictor has nothing to gain from a matrix product of a weighted copy.
        if weight is not None and len(values) == 1:
            return np.asarray(np.einsum("kn,n,ln->kl", values, weight, values))
        return matrix_product_in_blocks(values if weight is None else values * weight, values)


class FoldInfluence(NamedTuple):
    """Areas of k predictors in one fold with their influence values."""

    area: FloatArray
    pos: ClassInfluence
    neg: ClassInfluence

    def scaled(self, scale: float) -> FoldInfluence:
        """Return areas and influence values times a number."""
        pos, neg = (replace(side, values=scale * side.values) for side in (self.pos, self.neg))
        return FoldInfluence(scale * self.area, pos, neg)


def fold_influence(cases: ScoredCases, predictors: Sequence[int], over: AreaRange) -> FoldInfluence:
    """Return areas and influence values: by distinct score for one predictor, else by case."""
    if len(predictors) == 1:
        counts = cases.counts(predictors[0])
        v10, v01 = range_placements(counts, over)
        return _influence_of_placements(
            v10[np.newaxis], v01[np.newaxis], counts.n_pos, counts.n_neg
        )
    # Products of two predictors need both values of each case.
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    v10, v01 = case_placements(cases, predictors, pos, neg, over=over)
    weight = cases.frequency
    weights = [None if weight is None else weight.take(rows) for rows in (pos, neg)]
    return _influence_of_placements(v10, v01, weights[0], weights[1])


def _influence_of_placements(
    v10: FloatArray,
    v01: FloatArray,
    pos_weight: FloatArray | None,
    neg_weight: FloatArray | None,
) -> FoldInfluence:
    """Return influence values from placements, which are overwritten."""
    area = centre_placements(v10, pos_weight)
    centre_placements(v01, neg_weight)
    return FoldInfluence(area, ClassInfluence(v10, pos_weight), ClassInfluence(v01, neg_weight))


def centre_placements(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Subtract the means of the rows and divide by the number of cases; return the means."""
    size = values.shape[1] if weight is None else weight.sum()
    means = values.sum(axis=1) if weight is None else np.einsum("kn,n->k", values, weight)
    means /= size
    values -= means[:, np.newaxis]
    values /= size
    return np.asarray(means)


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


class ClusterInfluence(NamedTuple):
    """Areas of k predictors in one fold, with influence summed by class in each of c clusters.

    ``sums`` (k x 2 x c) has the negatives before the positives; ``present`` (2 x c) marks the
    clusters with a case of the class in this fold; ``unclustered`` (2 x k) are the parts of the
    positives and the negatives of DeLong's variances; ``share`` (c) is the share of the positives
    plus that of the negatives that a cluster has.
    """

    area: FloatArray
    unclustered: FloatArray
    sums: FloatArray
    present: BoolArray
    share: FloatArray

    def factors(self) -> tuple[float, float, float]:
        """Return I/(I - 1) for the clusters with a negative, with a positive, and all."""
        has_neg, has_pos = self.present
        of_neg, of_pos, of_all = (
            small_sample_factor(int(np.count_nonzero(has)))
            for has in (has_neg, has_pos, has_neg | has_pos)
        )
        return of_neg, of_pos, of_all

    def scaled(self, scale: float) -> ClusterInfluence:
        """Return areas and influence sums times a number."""
        area, sums, share = scale * self.area, scale * self.sums, scale * self.share
        unclustered = scale**2 * self.unclustered
        return self._replace(area=area, sums=sums, share=share, unclustered=unclustered)


def cluster_influence(
    cases: ScoredCases, predictors: Sequence[int], over: AreaRange
) -> ClusterInfluence:
    """Return areas with influence summed by cluster and class."""
    # In the order of the scores: gathering cluster numbers into that order costs less than
    # scattering the placements of every predictor out of it.
    units, present = clusters_by_class(cases), clusters_present(cases)
    sizes = np.array([[cases.n_neg], [cases.n_pos]])
    area, unclustered = np.empty(len(predictors)), np.empty((2, len(predictors)))
    sums: list[FloatArray] = []
    for row, k in enumerate(predictors):
        order = cases.order(k)
        area[row], unclustered[:, row], of_neg, of_pos = placement_deviations(cases.counts(k), over)
        sorted_units = units.take(order.rows)
        # Numbers of clusters of positives follow those of negatives (``clusters_by_class``).
        values = order.by_row(of_neg)
        np.copyto(values, order.by_row(of_pos), where=sorted_units >= present.shape[1])
        if cases.frequency is not None:
            values *= cases.frequency.take(order.rows)
        summed = np.asarray(np.bincount(sorted_units, values, present.size), dtype=np.float64)
        sums.append(summed.reshape(present.shape))
        np.divide(sums[row], sizes, out=sums[row])
    stacked = np.stack(sums) if len(sums) > 1 else sums[0][np.newaxis]
    return ClusterInfluence(area, unclustered, stacked, present, class_shares_of_clusters(cases))


def placement_deviations(
    counts: ScoreCounts, over: AreaRange
) -> tuple[float, list[float], FloatArray, FloatArray]:
    """Return an area, the parts of DeLong's variance, and both placements less their means."""
    # Means are taken off before squares are summed: near an area of 1 the difference of mean
    # square and squared mean would lose all its digits.
    of_pos, of_neg = range_placements(counts, over)
    sides = ((counts.n_pos, of_pos), (counts.n_neg, of_neg))
    means = [weighted_sum(n, values) / n.sum() for n, values in sides]
    parts = []
    for (n, values), mean in zip(sides, means, strict=True):
        values -= mean
        size = float(n.sum())
        squares = float(np.einsum("i,i,i->", n, values, values))
        parts.append(squares / size**2 * small_sample_factor(size))
    return float(means[0]), parts, of_neg, of_pos


def influence_summed_by_cluster(cases: ScoredCases, influence: FoldInfluence) -> ClusterInfluence:
    """Return the influence values of the rows of each class summed by cluster and class."""
    units, present = clusters_by_class(cases), clusters_present(cases)
    sides = ((influence.neg, ~cases.is_positive), (influence.pos, cases.is_positive))
    sums, unclustered = np.zeros((len(influence.area), present.size)), []
    for side, rows in sides:
        values = side.values if side.weight is None else side.values * side.weight
        for row, of_one in zip(sums, values, strict=True):
            row += np.bincount(units[rows], of_one, present.size)
        unclustered.append(np.diag(side.products()) * small_sample_factor(side.size))
    by_class = sums.reshape(len(sums), *present.shape)
    alone, share = np.array(unclustered[::-1]), class_shares_of_clusters(cases)
    return ClusterInfluence(influence.area, alone, by_class, present, share)


def class_shares_of_clusters(cases: ScoredCases) -> FloatArray:
    """Return the share of the positives plus that of the negatives that each cluster has."""
    # Of the variance of an area both classes have a part, however many cases they have.
    return np.asarray((cluster_sizes(cases) / [[cases.n_neg], [cases.n_pos]]).sum(axis=0))


def row_frequency(cases: ScoredCases | ClassCases, rows: IntArray) -> FloatArray:
    """Return the number of cases of each of some rows."""
    return np.ones(len(rows)) if cases.frequency is None else cases.frequency.take(rows)


# --- Sums of products -----------------------------------------------------------------------------

# Multiplications up to which OpenBLAS uses one thread: waiting for the others on a busy machine
# takes longer than the product.
UNTHREADED = 2**18


def matrix_product_in_blocks(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a b', added up in blocks for which BLAS starts no threads."""
    if len(a) == 1:
        return np.asarray(np.einsum("kn,ln->kl", a, b))
    k, n = a.shape
    block = max(64, UNTHREADED // k**2)
    total = np.zeros((k, len(b)))
    for start in range(0, n, block):
        part = slice(start, start + block)
        total += a[:, part] @ b[:, part].T
    return total


def small_sample_factor(n: float) -> float:
    """Return n/(n - 1), the factor of an unbiased variance; NaN for a single unit."""
    return n / (n - 1) if n > 1 else np.nan


# --- Degrees of freedom ---------------------------------------------------------------------------


def satterthwaite(components: FloatArray, df: FloatArray) -> Any:
    """Return Satterthwaite's (sum c)^2 / sum(c^2 / df); infinite when every component is 0.

    The components of several variances are columns (c x k).
    """
    below = np.asarray(np.add.reduce(components**2 / df))
    df_of_sum = np.full(below.shape, np.inf)
    return np.divide(np.add.reduce(components) ** 2, below, out=df_of_sum, where=below > 0)[()]


def contrast_df(samples: Sequence[tuple[FloatArray, FloatArray, FloatArray]]) -> float:
    """Return Satterthwaite's df of the sum of w'A over independent samples.

    A sample is its weights w, its ``parts`` and their ``part_df``.
    """
    variances = [np.einsum("i,cij,j->c", w, parts, w) for w, parts, _ in samples]
    if len(samples) == 1:
        return float(satterthwaite(variances[0], samples[0][2]))
    parts, part_df = np.concatenate(variances), np.concatenate([df for *_, df in samples])
    return float(satterthwaite(parts, part_df))


def df_of_area_variance(cases: ScoredCases, k: int, reference: int | None = None) -> float:
    """Return the df of the variance of area ``k``, or of its difference from that of another.

    A part of the variance, of the N cases of a class in a fold or of N clusters of a kind, has
    2/(sum u^4/(sum u^2)^2 - 1/N) degrees of freedom, at most N - 1, u the influence values: so
    variable is a mean of their squares. Parts are combined by Satterthwaite's rule.
    """
    used = [k] if reference is None else [k, reference]
    weights, found = np.array([1.0, -1.0])[: len(used)], area_covariance(cases, used)
    parts = [part for _, part in cases.by_fold()]
    if isinstance(cases, SummedCases):  # sums of squares are all that is left of the values
        part_df = found.part_df
    elif cases.cluster is None:
        part_df = area_variance_df_by_class(
            [fold_influence(part, used, FULL_RANGE) for part in parts], weights
        )
    else:
        clusters = [cluster_influence(part, used, FULL_RANGE) for part in parts]
        part_df = area_variance_df_by_cluster_kind(clusters, weights)
    return contrast_df([(weights, found.parts, part_df)])


def area_variance_df_by_class(folds: Sequence[FoldInfluence], weights: FloatArray) -> FloatArray:
    """Return the df of the variance of a weighted sum of areas, of each class in each fold."""
    sides = [side for fold in folds for side in (fold.pos, fold.neg)]
    counts = [np.ones(s.values.shape[1]) if s.weight is None else s.weight for s in sides]
    # The df of one area do not depend on its weight.
    values = [s.values[0] if len(weights) == 1 else weights @ s.values for s in sides]
    return np.array([df_of_mean_of_squares(*both) for both in zip(values, counts, strict=True)])


def area_variance_df_by_cluster_kind(
    folds: Sequence[ClusterInfluence], weights: FloatArray
) -> FloatArray:
    """Return the df of the variance of a weighted sum of areas, of each kind of cluster.

    Kinds are clusters of positives only, of negatives only, and of both.
    """
    kinds = cluster_kinds(np.any([fold.present for fold in folds], axis=0))
    sums = weights @ np.sum([fold.sums.sum(axis=1) for fold in folds], axis=0)
    return np.array(
        [df_of_mean_of_squares(sums[kind], np.ones(kind.sum())) for kind in kinds if kind.any()]
    )


def df_of_mean_of_squares(values: FloatArray, count: FloatArray) -> float:
    """Return the degrees of freedom of a mean of squares, 2/(sum u^4/(sum u^2)^2 - 1/N).

    At least 1 and at most N - 1, N the sum of ``count``.
    """
    squares = values * values  # values**4 calls a slow power function
    size, second = float(count.sum()), float(count @ squares)
    squares *= squares
    fourth = float(count @ squares)
    excess = fourth / second**2 - 1 / size if second > 0 else 0.0
    # Few cases may show too even values by chance: no more df than of normal values.
    df = min(2 / excess, size - 1) if excess > 0 else size - 1
    return max(df, 1.0)


# --- Acceleration of BCa limits -------------------------------------------------------------------


def area_acceleration(cases: ScoredCases, k: int, *, over: AreaRange = FULL_RANGE) -> float:
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
