"""Engine E1: areas of resamples given by case, shared by all predictors.

Exact for any ties, for stratified resampling, resampling of all cases, and of whole clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, part_to_the_right
from rocstats.sample.arrays import FloatArray, IntArray, cumulated
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.weights import Counts, class_strata, draw_counts, draw_weights


class Ranking(NamedTuple):
    """Ranks of the positives among the negatives, which are sorted from the lowest score up.

    ``below`` negatives are lower than a positive, ``upto`` are lower or equal.
    """

    order: IntArray
    below: IntArray
    upto: IntArray

    @property
    def tied(self) -> bool:
        """Whether a positive has the score of a negative."""
        return not np.array_equal(self.below, self.upto)


def ranking(cases: ScoredCases, k: int, pos: IntArray, neg: IntArray) -> Ranking:
    """Return the ranking of predictor ``k`` for the rows of both classes."""
    lowest_first = len(cases.counts(k).score) - 1 - cases.codes(k)
    return ranked(lowest_first[pos], lowest_first[neg])


def ranked(of_pos: npt.NDArray[Any], of_neg: npt.NDArray[Any]) -> Ranking:
    """Return the ranking of values of both classes, the higher the more positive."""
    # The default sort orders ties by processor; sums of weights would then round differently.
    order = np.argsort(of_neg, kind="stable")
    ascending = of_neg[order]
    return Ranking(
        order,
        np.searchsorted(ascending, of_pos, "left"),
        np.searchsorted(ascending, of_pos, "right"),
    )


def stratified_areas(
    cases: ScoredCases,
    predictors: Sequence[int],
    plan: ResamplePlan,
    *,
    over: AreaRange = FULL_RANGE,
) -> FloatArray:
    """Return k x n_resamples areas: positives and negatives resampled apart, shared by predictors.

    The sample has no frequencies and no folds; a range ``over`` is of false positive rates.
    """
    # Negatives are counted, since their cumulative sums place the positives; a positive needs no
    # count, as each of its draws looks its placement up.
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    m, n = len(pos), len(neg)
    rankings = [ranking(cases, k, pos, neg) for k in predictors]
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    areas = np.empty((len(predictors), plan.n_resamples))
    for part in plan.chunks(m + n):
        size = part.stop - part.start
        weights = draw_counts(of_neg, size, n)
        drawn = of_pos.integers(0, m, size=(size, m))
        for row, ranks in enumerate(rankings):
            areas[row, part] = _areas_of_drawn(weights, drawn, ranks, over)
    return areas


def _areas_of_drawn(
    weights: Counts, drawn: IntArray, ranks: Ranking, over: AreaRange
) -> FloatArray:
    """Return the areas of the drawn positives among the weighted negatives."""
    size, n = weights.shape
    # Whole numbers stay exact in sums: resamples with equal counts have equal areas.
    cumulative = cumulated(weights.take(ranks.order, axis=1))
    offset = np.arange(0, size * (n + 1), n + 1)[:, np.newaxis]
    below = cumulative.take(ranks.below.take(drawn) + offset)
    upto = cumulative.take(ranks.upto.take(drawn) + offset) if ranks.tied else below
    if not over.full:
        parts = part_to_the_right(1 - upto / n, 1 - below / n, over.low, over.high)
        return np.asarray(parts.mean(axis=1))
    placed = below.sum(axis=1)
    if ranks.tied:
        placed = (placed + upto.sum(axis=1)) / 2
    return np.asarray(placed / (drawn.shape[1] * n))


def weighted_areas(
    pos_weight: FloatArray, neg_weight: FloatArray, ranks: Ranking, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return the areas of resamples given as weights of positives (r x m) and negatives (r x n).

    NaN where a class has no weight.
    """
    # float64: importance weights are not whole, and frequencies are exact up to 2^53.
    cumulative = cumulated(neg_weight.take(ranks.order, axis=1))
    with np.errstate(invalid="ignore"):  # 0/0 where a class was not drawn
        below = cumulative.take(ranks.below, axis=1) / cumulative[:, -1:]
        upto = below
        if ranks.tied:
            upto = cumulative.take(ranks.upto, axis=1) / cumulative[:, -1:]
        if over.full:
            placed = (below + upto) / 2
        else:
            placed = part_to_the_right(1 - upto, 1 - below, over.low, over.high)
        return np.asarray(np.einsum("ij,ij->i", pos_weight, placed) / pos_weight.sum(axis=1))


class RankedSides(NamedTuple):
    """Rows of the positives and of the negatives of an area, with their ranking by predictor."""

    pos: IntArray
    neg: IntArray
    rankings: list[Ranking]

    def areas(self, weights: FloatArray, over: AreaRange = FULL_RANGE) -> FloatArray:
        """Return the k x r areas of resamples given as r x rows weights."""
        pos, neg = weights.take(self.pos, axis=1), weights.take(self.neg, axis=1)
        return np.array([weighted_areas(pos, neg, ranks, over) for ranks in self.rankings])


def unit_areas(
    cases: ScoredCases,
    predictors: Sequence[int],
    plan: ResamplePlan,
    *,
    over: AreaRange = FULL_RANGE,
) -> ValidDraws:
    """Return k x n_resamples areas, resampling units: cases, or whole clusters.

    A stratified plan resamples the cases of each class (in each fold) apart. Areas are means over
    the folds of a resample. Resamples in which a fold lacks a class are redrawn.
    """
    strata = class_strata(cases)
    folds = [
        RankedSides(pos, neg, [ranking(cases, k, pos, neg) for k in predictors])
        for pos, neg in zip(strata[::2], strata[1::2], strict=True)
    ]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=plan.stratified)
        areas = np.mean([fold.areas(weights, over) for fold in folds], axis=0)
        # All predictors share the weights: a class that lacks for the first lacks for all.
        return np.asarray(areas[:, ~np.isnan(areas[0])].T)

    draws = plan.valid(len(cases.is_positive), draw, "areas")
    # Contiguous by predictor: sums over the resamples of one then run over neighbours.
    return draws._replace(values=np.ascontiguousarray(draws.values.T))
