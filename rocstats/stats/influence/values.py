"""Influence values of cases on areas, by distinct score, by case or summed by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, range_placements
from rocstats.curves.areas.whole import weighted_sum
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import clusters_by_class, clusters_present
from rocstats.sample.counts.tables import ScoreCounts

# Multiplications up to which OpenBLAS uses one thread: waiting for the others on a busy machine
# takes longer than the product.
_UNTHREADED = 2**18


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
        return products(values if weight is None else values * weight, values)


class FoldInfluence(NamedTuple):
    """Areas of k predictors in one fold with their influence values."""

    area: FloatArray
    pos: ClassInfluence
    neg: ClassInfluence

    def scaled(self, scale: float) -> FoldInfluence:
        """Return areas and influence values times a number."""
        pos, neg = (replace(side, values=scale * side.values) for side in (self.pos, self.neg))
        return FoldInfluence(scale * self.area, pos, neg)


class ClusterInfluence(NamedTuple):
    """Areas of k predictors in one fold, with influence summed by class in each of c clusters.

    ``sums`` (k x 2 x c) has the negatives before the positives; ``present`` (2 x c) marks the
    clusters with a case of the class in this fold; ``unclustered`` (2 x k) are the parts of the
    positives and the negatives of DeLong's variances.
    """

    area: FloatArray
    unclustered: FloatArray
    sums: FloatArray
    present: BoolArray

    def factors(self) -> tuple[float, float, float]:
        """Return I/(I - 1) for the clusters with a negative, with a positive, and all."""
        has_neg, has_pos = self.present
        of_neg, of_pos, of_all = (
            small_sample(int(np.count_nonzero(has)))
            for has in (has_neg, has_pos, has_neg | has_pos)
        )
        return of_neg, of_pos, of_all

    def scaled(self, scale: float) -> ClusterInfluence:
        """Return areas and influence sums times a number."""
        area, sums = scale * self.area, scale * self.sums
        return self._replace(area=area, sums=sums, unclustered=scale**2 * self.unclustered)


def fold_influence(cases: ScoredCases, predictors: Sequence[int], over: AreaRange) -> FoldInfluence:
    """Return areas and influence values: by distinct score for one predictor, else by case."""
    if len(predictors) == 1:
        counts = cases.counts(predictors[0])
        v10, v01 = range_placements(counts, over)
        return _centred(v10[np.newaxis], v01[np.newaxis], counts.n_pos, counts.n_neg)
    # Products of two predictors need both values of each case.
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    v10, v01 = case_placements(cases, predictors, pos, neg, over=over)
    weight = cases.frequency
    weights = [None if weight is None else weight.take(rows) for rows in (pos, neg)]
    return _centred(v10, v01, weights[0], weights[1])


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
        area[row], unclustered[:, row], of_neg, of_pos = deviations(cases.counts(k), over)
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
    return ClusterInfluence(area, unclustered, stacked, present)


def summed_by_cluster(cases: ScoredCases, influence: FoldInfluence) -> ClusterInfluence:
    """Return the influence values of the rows of each class summed by cluster and class."""
    units, present = clusters_by_class(cases), clusters_present(cases)
    sides = ((influence.neg, ~cases.is_positive), (influence.pos, cases.is_positive))
    sums, unclustered = np.zeros((len(influence.area), present.size)), []
    for side, own in sides:
        values = side.values if side.weight is None else side.values * side.weight
        for row, of_one in zip(sums, values, strict=True):
            row += np.bincount(units[own], of_one, present.size)
        unclustered.append(np.diag(side.products()) * small_sample(side.size))
    by_class = sums.reshape(len(sums), *present.shape)
    return ClusterInfluence(influence.area, np.array(unclustered[::-1]), by_class, present)


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


def deviations(
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
        parts.append(squares / size**2 * small_sample(size))
    return float(means[0]), parts, of_neg, of_pos


def _centred(
    v10: FloatArray,
    v01: FloatArray,
    pos_weight: FloatArray | None,
    neg_weight: FloatArray | None,
) -> FoldInfluence:
    """Return influence values from placements, which are overwritten."""
    area = centre(v10, pos_weight)
    centre(v01, neg_weight)
    return FoldInfluence(area, ClassInfluence(v10, pos_weight), ClassInfluence(v01, neg_weight))


def centre(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Subtract the means of the rows and divide by the number of cases; return the means."""
    size = values.shape[1] if weight is None else weight.sum()
    means = values.sum(axis=1) if weight is None else np.einsum("kn,n->k", values, weight)
    means /= size
    values -= means[:, np.newaxis]
    values /= size
    return np.asarray(means)


def products(a: FloatArray, b: FloatArray) -> FloatArray:
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


def small_sample(n: float) -> float:
    """Return n/(n - 1), the factor of an unbiased variance; NaN for a single unit."""
    return n / (n - 1) if n > 1 else np.nan
