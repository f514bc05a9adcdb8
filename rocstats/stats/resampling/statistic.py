"""Bootstrap of any statistic of the count table.

Without clusters each class is a multinomial over its distinct scores: exactly the distribution of
stratified resampling of cases. With clusters, which are drawn whole, and with weights, which go
with their cases, the table is counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.columns import Columns, fold_rows, score_columns
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.table import multinomial_tables
from rocstats.stats.resampling.weights import draw_weights

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""Values of tables of positives and negatives (r x d each, scores by column)."""


def draw_statistics(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resamples of predictor ``k``, means over folds.

    All statistics are of the same resamples; the stream is keyed by the predictor's position.
    """
    if cases.cluster is not None or cases.sample_weight is not None:
        return _of_units(cases, k, statistics, plan)
    folds = cases.by_fold()
    values = np.zeros((len(statistics), plan.n_resamples))
    for v, (_, fold) in enumerate(folds):
        counts = fold.counts(k)
        for part, pos, neg in multinomial_tables(counts.n_pos, counts.n_neg, plan.at(k, v)):
            sides = pos.astype(np.float64), neg.astype(np.float64)  # exact up to 2^53
            values[:, part] += [statistic(*sides) for statistic in statistics]
    return ValidDraws(values / len(folds))


def _of_units(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resampled units; a resample whose fold lacks a class is redrawn."""
    folds = [score_columns(cases, rows, k) for rows in fold_rows(cases)]
    streams = plan.streams(k, 2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=cases.cluster is None)
        return _of_weights(weights, folds, statistics)

    valid = plan.valid(len(cases.is_positive), draw, "curves")
    return valid._replace(values=valid.values.T)


def _of_weights(
    weights: FloatArray, folds: Sequence[Columns], statistics: Sequence[Statistic]
) -> FloatArray:
    """Return statistics (r x s), means over folds, of resamples that hold both classes in each."""
    tables = [(pos.tables(weights), neg.tables(weights)) for pos, neg in folds]
    kept = np.logical_and.reduce([side.any(axis=1) for sides in tables for side in sides])
    each = [[statistic(pos[kept], neg[kept]) for statistic in statistics] for pos, neg in tables]
    return np.asarray(np.mean(each, axis=0).T)
