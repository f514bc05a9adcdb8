"""Bootstrap weights of rows: the number of times a row is drawn, times its weight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases, WeightedRows
from rocstats.stats.resampling.streams import Streams

Counts = npt.NDArray[np.int64]


def draw_weights(
    streams: Streams, cases: ScoredCases, size: int, *, stratified: bool
) -> FloatArray:
    """Return size x rows bootstrap weights of the rows.

    ``stratified`` resamples the cases of each class in each fold apart; else all cases, or clusters
    whole.
    """
    if stratified:
        return strata_weights(streams, cases, class_strata(cases), size)
    return unit_weights(streams, cases, [np.arange(len(cases.is_positive))], size)


def class_strata(cases: ScoredCases) -> list[IntArray]:
    """Return the rows of each class in each fold."""
    codes = np.zeros(len(cases.is_positive), int) if cases.fold is None else cases.fold.codes
    return [
        np.flatnonzero((codes == label) & (cases.is_positive == positive))
        for label in np.unique(codes)
        for positive in (True, False)
    ]


def unit_weights(
    streams: Streams, cases: WeightedRows, strata: Sequence[IntArray], size: int
) -> FloatArray:
    """Return size x rows weights of resamples of clusters, if there are any, or of strata."""
    if cases.cluster is None:
        return strata_weights(streams, cases, strata, size)
    # A subset of a study may lack clusters: its own are numbered without gaps.
    present, units = np.unique(cases.cluster.codes, return_inverse=True)
    drawn = draw_counts(streams[0], size, len(present)).take(units, axis=1)
    return np.asarray(drawn * case_weight(cases, frequency=True), dtype=np.float64)


def strata_weights(
    streams: Streams, cases: WeightedRows, strata: Sequence[IntArray], size: int
) -> FloatArray:
    """Return size x rows weights; a row with a frequency is drawn as so many cases."""
    # A fold, or a part of the rows, may lack cases of a class: nothing is drawn from these strata.
    weights = np.zeros((size, sum(map(len, strata))))
    for number, rows in enumerate(strata):
        if not len(rows) or (cases.frequency is not None and not cases.frequency[rows].any()):
            continue
        rng = streams[number]
        if cases.frequency is None:
            weights[:, rows] = draw_counts(rng, size, len(rows))
        else:
            # Rows are never expanded to cases: a table of millions costs its cells only.
            share = cases.frequency[rows]
            total = share.sum()
            weights[:, rows] = rng.multinomial(int(total), share / total, size=size)
    return weights * case_weight(cases, frequency=False)


def case_weight(cases: WeightedRows, *, frequency: bool) -> FloatArray | float:
    """Return the weight of each drawn row, times its frequency if rows were drawn whole."""
    parts = [cases.sample_weight, cases.frequency if frequency else None]
    given = [part for part in parts if part is not None]
    return np.prod(given, axis=0) if given else 1.0


def draw_counts(rng: np.random.Generator, size: int, n: int) -> Counts:
    """Return size x n counts of each of n units in resamples of n units."""
    # A multinomial with equal shares, but n integers cost less than n binomials. Offsets by row let
    # one call count all resamples.
    drawn = rng.integers(0, n, size=(size, n))
    drawn += np.arange(0, size * n, n)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
