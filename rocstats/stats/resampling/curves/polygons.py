"""Resampled curves read as they are plotted: the top of a vertical step, linear along a tie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import FloatArray, cumulated
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.columns import Columns
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.stats.resampling.table import multinomial_tables
from rocstats.tolerances import WHOLE

Tables = FloatArray | npt.NDArray[np.int64]
"""Counts of r resamples (rows) at each of d scores, the most positive first."""


def crossed_ties(counts: ScoreCounts) -> bool:
    """Return whether a positive and a negative have the same score: the curve has a slope."""
    return bool(np.any((counts.n_pos > 0) & (counts.n_neg > 0)))


def table_curves(counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples of one count table (E2)."""
    draws = np.empty((plan.n_resamples, len(fpr)))
    parts = multinomial_tables(counts.n_pos, counts.n_neg, plan)
    for part, pos, neg in parts:
        draws[part] = tpr_of_tables(pos, neg, fpr)
    return draws


def tpr_of_tables(pos: Tables, neg: Tables, fpr: FloatArray) -> FloatArray:
    """Return r x g TPRs of r tables given as counts (r x d), all rows in one search.

    NaN where a table lacks a class.
    """
    # float64 for whole counts too: offsets and weights are added to them.
    fp, tp = (cumulated(np.asarray(table, dtype=np.float64)) for table in (neg, pos))
    size, width = fp.shape
    rows = np.arange(size)[:, np.newaxis]
    # Rows laid end to end increase: one search serves all. f n is often whole but for rounding;
    # the last vertex there is the top of the step.
    offset = rows * (fp[:, -1].max(initial=0.0) + 1)
    wanted = fpr * fp[:, -1:]
    last = np.searchsorted((fp + offset).ravel(), wanted + offset + WHOLE, "right") - 1
    following = np.minimum(last + 1, rows * width + width - 1)
    start, foot = fp.take(last), tp.take(last)
    beyond, gap = wanted - start, fp.take(following) - start
    sloped = (beyond > WHOLE) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(wanted.shape), where=sloped)
    both = (tp[:, -1:] > 0) & (fp[:, -1:] > 0)
    total = np.where(both, tp[:, -1:], np.nan)
    return np.asarray((foot + share * (tp.take(following) - foot)) / total)


def tpr_of_columns(weights: FloatArray, columns: Sequence[Columns], fpr: FloatArray) -> FloatArray:
    """Return r x k x g TPRs of resamples given as r x rows weights."""
    curves = [tpr_of_tables(pos.tables(weights), neg.tables(weights), fpr) for pos, neg in columns]
    return np.stack(curves, axis=1)
