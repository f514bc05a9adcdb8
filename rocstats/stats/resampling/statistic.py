"""Bootstrap of any statistic of the count table.

Without clusters each class is a multinomial over its distinct scores: exactly the distribution of
stratified resampling of cases. With clusters, which are drawn whole, and with weights, which go
with their cases, the table is counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.streams import Streams, chunks, require_valid_resamples
from rocstats.stats.resampling.table import multinomial_tables
from rocstats.stats.resampling.weights import draw_weights

Statistic = Callable[[ScoreCounts], float]


class StatisticDraws(NamedTuple):
    """Statistics (s x n_resamples) of resamples, and the number redrawn for lack of a class."""

    values: FloatArray
    n_redrawn: int


def draw_statistics(
    cases: ScoredCases,
    k: int,
    statistics: Sequence[Statistic],
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> StatisticDraws:
    """Return statistics of resamples of predictor ``k``, means over folds.

    All statistics are of the same resamples; the stream is keyed by the predictor's position.
    """
    if cases.cluster is not None or cases.sample_weight is not None:
        return _of_units(cases, k, statistics, n_resamples, seed, progress=progress)
    values = np.zeros((len(statistics), n_resamples))
    folds = cases.by_fold()
    for v, (_, fold) in enumerate(folds):
        tables = _tables(fold.counts(k), n_resamples, (*seed, k, v), progress=progress)
        for number, table in enumerate(tables):
            values[:, number] += [statistic(table) for statistic in statistics]
    return StatisticDraws(values / len(folds), 0)


def _tables(
    counts: ScoreCounts, n_resamples: int, seed: tuple[int, ...], *, progress: bool
) -> Iterator[ScoreCounts]:
    """Yield the count tables of stratified resamples; scores that are not drawn stay, empty."""
    # float64, as in any table: counts are exact up to 2^53.
    parts = multinomial_tables(counts.n_pos, counts.n_neg, n_resamples, seed, progress=progress)
    for _, pos, neg in parts:
        tables = zip(pos.astype(np.float64), neg.astype(np.float64), strict=True)
        for n_pos, n_neg in tables:
            yield ScoreCounts(counts.score, n_pos, n_neg)


def _of_units(
    cases: ScoredCases,
    k: int,
    statistics: Sequence[Statistic],
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool,
) -> StatisticDraws:
    """Return statistics of resampled units; a resample whose fold lacks a class is redrawn."""
    folds = _fold_rows(cases, k)
    weights = _row_weights(cases, Streams(*seed, k, 2))
    values = np.empty((len(statistics), n_resamples))
    n_redrawn = 0
    for part in chunks(n_resamples, len(cases.is_positive), progress=progress):
        for number in range(part.start, part.stop):
            tables = None
            while tables is None:
                tables = _counted(next(weights), folds)
                n_redrawn += tables is None
                require_valid_resamples(number, n_redrawn, "curves")
            values[:, number] = [
                np.mean([statistic(table) for table in tables]) for statistic in statistics
            ]
    return StatisticDraws(values, n_redrawn)


def _row_weights(cases: ScoredCases, streams: Streams) -> Iterator[FloatArray]:
    """Yield the weights of the rows in resamples: of clusters, or of the cases of each class."""
    # One resample at a time: the statistic of a table costs more than its weights.
    while True:
        yield draw_weights(streams, cases, 1, stratified=cases.cluster is None)[0]


class _FoldRows(NamedTuple):
    """Rows of a fold, the places of their scores in its table, and their classes."""

    rows: IntArray
    counts: ScoreCounts
    codes: CodeArray
    is_positive: BoolArray


def _fold_rows(cases: ScoredCases, k: int) -> list[_FoldRows]:
    everyone = np.zeros(len(cases.is_positive), dtype=np.intp)
    label = everyone if cases.fold is None else cases.fold.codes
    return [
        _FoldRows(np.flatnonzero(label == code), part.counts(k), part.codes(k), part.is_positive)
        for code, (_, part) in zip(np.unique(label), cases.by_fold(), strict=True)
    ]


def _counted(weight: FloatArray, folds: Sequence[_FoldRows]) -> list[ScoreCounts] | None:
    """Return the table of each fold under weights of its rows; None if a fold lacks a class."""
    tables = []
    for fold in folds:
        inside, size = weight[fold.rows], len(fold.counts.score)
        pos, neg = (
            np.bincount(fold.codes, weights=inside * member, minlength=size).astype(np.float64)
            for member in (fold.is_positive, ~fold.is_positive)
        )
        if pos.sum() == 0 or neg.sum() == 0:
            return None
        tables.append(ScoreCounts(fold.counts.score, pos, neg))
    return tables
