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
from rocstats.stats.resampling.streams import (
    ResamplePlan,
    Streams,
    ValidDraws,
    require_valid_resamples,
)
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
    weights = _row_weights(cases, plan.streams(k, 2))
    values = np.empty((len(statistics), plan.n_resamples))
    n_redrawn = 0
    for part in plan.chunks(len(cases.is_positive)):
        for number in range(part.start, part.stop):
            tables = None
            while tables is None:
                tables = _counted(next(weights), folds)
                n_redrawn += tables is None
                require_valid_resamples(number, n_redrawn, "curves")
            values[:, number] = [
                np.mean([statistic(table) for table in tables]) for statistic in statistics
            ]
    return ValidDraws(values, n_redrawn)


def _row_weights(cases: ScoredCases, streams: Streams) -> Iterator[FloatArray]:
    """Yield the weights of the rows in resamples: of clusters, or of the cases of each class."""
    # One resample at a time: the statistic of a table costs more than its weights.
    while True:
        yield draw_weights(streams, cases, 1, stratified=cases.cluster is None)[0]


def _counted(
    weight: FloatArray, folds: Sequence[tuple[FloatArray, Columns]]
) -> list[ScoreCounts] | None:
    """Return the table of each fold under weights of its rows; None if a fold lacks a class."""
    rows = weight[np.newaxis]
    tables = [
        ScoreCounts(score, pos.tables(rows)[0], neg.tables(rows)[0]) for score, (pos, neg) in folds
    ]
    lacking = any(table.total_pos == 0 or table.total_neg == 0 for table in tables)
    return None if lacking else tables
