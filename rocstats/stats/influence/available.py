"""The covariance of areas of predictors that do not share all cases (available cases).

Each area is that of the cases with a score of its predictor. The influence value of a case on an
area is 0 where it has no score, so that sums of products over all cases hold the shared ones only
(the idea of Zhou & Gatsonis 1996). Each value carries the root of the small-sample factor m/(m - 1)
of its own predictor: the covariance is then a matrix of inner products, so that no contrast has a
negative variance. With the same cases it is that of DeLong (of Obuchowski by clusters).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.influence.areas import with_factors
from rocstats.stats.influence.values import (
    cluster_influence,
    fold_influence,
    products,
    small_sample,
)


class AvailableInfluence(NamedTuple):
    """Influence of u independent units (cases, or clusters) on k areas.

    The covariance is the sum of A B' over ``pairs`` of k x u matrices. ``kind`` (u) tells units of
    different classes and folds apart, ``present`` (k x r x u) those that a predictor has (in each
    class, r = 2, of a cluster); ``size`` is the number of cases (clusters) of a unit.
    """

    area: FloatArray
    pairs: list[tuple[FloatArray, FloatArray]]
    kind: IntArray
    present: BoolArray
    size: FloatArray

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the areas (k x k)."""
        return np.asarray(sum(products(a, b) for a, b in self.pairs))

    def components(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the independent parts of the variance of a contrast, and their df."""
        # Units that one of two predictors has are another sample than those that both have. Where
        # none is shared, the samples are those of two groups; where all are, the classes.
        used = np.flatnonzero(weights)
        w, of_sample = weights[used], self.kind
        for row in self.present[used].reshape(-1, len(self.kind)):
            of_sample = np.unique(2 * of_sample + row, return_inverse=True)[1].ravel()
        squares = np.sum([(w @ a[used]) * (w @ b[used]) for a, b in self.pairs], axis=0)
        # A single unit has no mean of its own to be taken from.
        df = np.maximum(np.bincount(of_sample, self.size) - 1, 1.0)
        return np.bincount(of_sample, squares).astype(np.float64, copy=False), df


def available_influence(
    cases: ScoredCases, own: Sequence[ScoredCases | None], over: AreaRange = FULL_RANGE
) -> AvailableInfluence:
    """Return the influence on the area of each predictor in its own cases.

    ``cases`` are all rows, where a missing score is NaN; ``own`` are those of each predictor, None
    where they lack a class: the area is NaN, and has no influence.
    """
    if cases.cluster is None:
        return _of_cases(cases, own, over)
    return _of_clusters(cases, own, over)


def _of_cases(
    cases: ScoredCases, own: Sequence[ScoredCases | None], over: AreaRange
) -> AvailableInfluence:
    present = ~np.isnan(cases.scores)
    area, values = np.full(len(own), np.nan), np.zeros(present.shape)
    for k, mine in enumerate(own):
        if mine is not None:
            area[k], values[k, present[k]] = _case_values(mine, k, over)
    kind = cases.is_positive.astype(np.intp)
    size = np.where(cases.is_positive, *over.shares)
    if cases.fold is not None:
        kind += 2 * cases.fold.codes
    weighted = values
    if cases.frequency is not None:
        size, weighted = size * cases.frequency, values * cases.frequency
    return AvailableInfluence(area, [(weighted, values)], kind, present[:, np.newaxis], size)


def _case_values(cases: ScoredCases, k: int, over: AreaRange) -> tuple[float, FloatArray]:
    """Return the area of predictor ``k`` and the influence of each of its cases."""
    areas, values = [], np.empty(len(cases.is_positive))
    fold = cases.fold
    rows = [np.arange(len(values))] if fold is None else [r for _, r in fold.rows_by_label()]
    for at, (_, part) in zip(rows, cases.by_fold(), strict=True):
        found, codes = fold_influence(part, [k], over), part.codes(k)
        areas.append(found.area[0])
        of_pos, of_neg = (
            np.sqrt(small_sample(side.size)) * side.values[0].take(codes)
            for side in (found.pos, found.neg)
        )
        values[at] = np.where(part.is_positive, of_pos, of_neg)
    return float(np.mean(areas)), values / len(rows)


def _of_clusters(
    cases: ScoredCases, own: Sequence[ScoredCases | None], over: AreaRange
) -> AvailableInfluence:
    n_clusters = len(cases.cluster.labels)  # type: ignore[union-attr]
    area = np.full(len(own), np.nan)
    within, crossed = np.zeros((2, len(own), 2, n_clusters))
    present = np.zeros((len(own), 2, n_clusters), dtype=bool)
    for k, mine in enumerate(own):
        if mine is not None:
            folds = [cluster_influence(part, [k], over) for _, part in mine.by_fold()]
            area[k] = np.mean([fold.area[0] for fold in folds])
            present[k] = np.any([fold.present for fold in folds], axis=0)
            sums = with_factors(folds)
            within[k], crossed[k] = (of[0] / len(folds) for of in sums)
    has_neg, has_pos = np.any(present, axis=0)
    of_pos, of_neg = over.shares
    size = np.where(has_neg & has_pos, 1.0, np.where(has_pos, of_pos, of_neg))
    neg, pos = within[:, 0], within[:, 1]
    pairs = [(neg, neg), (pos, pos)]
    pairs += [(crossed[:, 1], crossed[:, 0]), (crossed[:, 0], crossed[:, 1])]
    kind = np.zeros(n_clusters, dtype=np.intp)
    return AvailableInfluence(area, pairs, kind, present, size)
