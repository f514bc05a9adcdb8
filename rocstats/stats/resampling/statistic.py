"""Bootstrap of any statistic of the count table.

Without clusters each class is a multinomial over its distinct scores: exactly the distribution of
stratified resampling of cases. With clusters, which are drawn whole, and with weights, which go
with their cases, the table is counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.columns import Columns, fold_rows, score_columns
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.table import multinomial_tables
from rocstats.stats.resampling.weights import draw_weights

Statistic = Callable[[ScoreCounts], float]


def draw_statistics(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resamples of predictor ``k``, means over folds.

    All statistics are of the same resamples; the stream is keyed by the predictor's position.
    """
    if cases.cluster is not None or cases.sample_weight is not None:
        return _of_units(cases, k, statistics, plan)
    values = np.zeros((len(statistics), plan.n_resamples))
    folds = cases.by_fold()
    for v, (_, fold) in enumerate(folds):
        tables = _tables(fold.counts(k), plan.at(k, v))
        for number, table in enumerate(tables):
            values[:, number] += [statistic(table) for statistic in statistics]
    return ValidDraws(values / len(folds))


def _tables(counts: ScoreCounts, plan: ResamplePlan) -> Iterator[ScoreCounts]:
    """Yield the count tables of stratified resamples; scores that are not drawn stay, empty."""
    # float64, as in any table: counts are exact up to 2^53.
    parts = multinomial_tables(counts.n_pos, counts.n_neg, plan)
    for _, pos, neg in parts:
        tables = zip(pos.astype(np.float64), neg.astype(np.float64), strict=True)
        for n_pos, n_neg in tables:
            yield ScoreCounts(counts.score, n_pos, n_neg)


def _of_units(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resampled units; a resample whose fold lacks a class is redrawn."""
    folds = [
        (part.counts(k).score, score_columns(cases, rows, k))
        for rows, (_, part) in zip(fold_rows(cases), cases.by_fold(), strict=True)
    ]
    streams = plan.streams(k, 2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=cases.cluster is None)
        return _of_weights(weights, folds, statistics)

    valid = plan.valid(len(cases.is_positive), draw, "curves")
    return valid._replace(values=valid.values.T)


def _of_weights(
    weights: FloatArray,
    folds: Sequence[tuple[FloatArray, Columns]],
    statistics: Sequence[Statistic],
) -> FloatArray:
    """Return statistics (r x s), means over folds, of resamples that hold both classes in each."""
    tables = [(score, pos.tables(weights), neg.tables(weights)) for score, (pos, neg) in folds]
    held = [side.any(axis=1) for _, *sides in tables for side in sides]
    kept = np.flatnonzero(np.logical_and.reduce(held))
    values = np.zeros((len(kept), len(statistics)))
    for row, number in enumerate(kept):
        for score, pos, neg in tables:
            table = ScoreCounts(score, pos[number], neg[number])
            values[row] += [statistic(table) for statistic in statistics]
    return values / len(folds)
