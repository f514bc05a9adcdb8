"""Resampled curves read as they are drawn: the top of a vertical step, linear along a tie."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.streams import chunks, stream

_SAME_COUNT = 1e-9

Tables = FloatArray | npt.NDArray[np.int64]
"""Counts of r resamples (rows) at each of d scores, the most positive first."""


def crossed_ties(counts: ScoreCounts) -> bool:
    """Return whether a positive and a negative have the same score: the curve has a slope."""
    return bool(np.any((counts.n_pos > 0) & (counts.n_neg > 0)))


def table_curves(
    counts: ScoreCounts,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples of one count table (E2)."""
    m, n = counts.total_pos, counts.total_neg
    of_pos, of_neg = stream(*seed, 1), stream(*seed, 0)
    draws = np.empty((n_resamples, len(fpr)))
    for part in chunks(n_resamples, len(counts.score), progress=progress):
        size = part.stop - part.start
        pos = of_pos.multinomial(int(m), counts.n_pos / m, size=size)
        neg = of_neg.multinomial(int(n), counts.n_neg / n, size=size)
        draws[part] = tpr_of_tables(pos, neg, fpr)
    return draws


def tpr_of_tables(pos: Tables, neg: Tables, fpr: FloatArray) -> FloatArray:
    """Return r x g TPRs of r tables given as counts (r x d), all rows in one search.

    NaN where a table lacks a class.
    """
    fp, tp = _vertices(neg), _vertices(pos)
    size, width = fp.shape
    rows = np.arange(size)[:, np.newaxis]
    offset = rows * (fp[:, -1].max(initial=0.0) + 1)
    wanted = fpr * fp[:, -1:]
    last = np.searchsorted((fp + offset).ravel(), wanted + offset + _SAME_COUNT, "right") - 1
    following = np.minimum(last + 1, rows * width + width - 1)
    start, foot = fp.take(last), tp.take(last)
    beyond, gap = wanted - start, fp.take(following) - start
    sloped = (beyond > _SAME_COUNT) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(wanted.shape), where=sloped)
    both = (tp[:, -1:] > 0) & (fp[:, -1:] > 0)
    total = np.where(both, tp[:, -1:], np.nan)
    return np.asarray((foot + share * (tp.take(following) - foot)) / total)


def _vertices(table: Tables) -> FloatArray:
    """Return cumulated counts from 0 on, a row a resample."""
    cumulated = np.zeros((len(table), table.shape[1] + 1))
    np.cumsum(table, axis=1, out=cumulated[:, 1:])
    return cumulated
