"""The ground structure: positives and negatives counted at each distinct score. Sort once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocstats.sample.vectors import BoolArray, FloatArray, IntArray

CodeArray = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Positives and negatives at each distinct score, the most positive score first.

    Attributes
    ----------
    score : ndarray of float64, shape (d,)
        Distinct scores on the user's scale, from the most to the least positive.
    n_pos, n_neg : ndarray of float64, shape (d,)
        Sums of frequencies (or weights) at each score; float64, so that products of totals
        cannot overflow.
    """

    score: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray

    @property
    def total_pos(self) -> float:
        """Number of positives."""
        return float(self.n_pos.sum())

    @property
    def total_neg(self) -> float:
        """Number of negatives."""
        return float(self.n_neg.sum())


def count_scores_of(
    score: FloatArray,
    is_positive: BoolArray,
    weight: FloatArray | None,
    higher_is_positive: bool,
) -> ScoreCounts:
    """Count arrays into ScoreCounts with one sort."""
    order, starts, distinct = _sort(score, weight)
    return _tabulate(is_positive, weight, higher_is_positive, order, starts, distinct)


def count_scores_with_codes(
    score: FloatArray,
    is_positive: BoolArray,
    weight: FloatArray | None,
    higher_is_positive: bool,
) -> tuple[ScoreCounts, CodeArray]:
    """Count arrays into ScoreCounts, and say for each row where its score stands there."""
    order, starts, distinct = _sort(score, weight)
    counts = _tabulate(is_positive, weight, higher_is_positive, order, starts, distinct)
    position = np.arange(len(starts), dtype=np.int32)
    if len(starts) < len(score):
        position = np.repeat(position, np.diff(starts, append=len(score)))
    if higher_is_positive:
        np.subtract(len(starts) - 1, position, out=position)
    codes = np.empty_like(position)
    codes[order] = position
    return counts, codes


def _sort(score: FloatArray, weight: FloatArray | None) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the ascending order, where each distinct score starts in it, and the scores."""
    # Sums of unit weights do not depend on the order inside a tie, so the fast unstable sort
    # serves; sums of other weights do in the last bit, which would differ between machines.
    order = np.argsort(score, kind=None if weight is None else "stable")
    ascending = score.take(order)
    new = np.empty(len(score), dtype=bool)
    new[0] = True
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    return order, starts, ascending if len(starts) == len(score) else ascending.take(starts)


def _tabulate(
    is_positive: BoolArray,
    weight: FloatArray | None,
    higher_is_positive: bool,
    order: IntArray,
    starts: IntArray,
    distinct: FloatArray,
) -> ScoreCounts:
    positive = is_positive.take(order)
    if weight is not None:
        weights = weight.take(order)
        n_pos = np.add.reduceat(np.where(positive, weights, 0.0), starts)
        n_neg = np.add.reduceat(np.where(positive, 0.0, weights), starts)
    elif len(starts) == len(order):
        n_pos = positive.astype(np.float64)
        n_neg = 1.0 - n_pos
    else:
        n_pos = np.add.reduceat(positive, starts, dtype=np.int64).astype(np.float64)
        n_neg = np.diff(starts, append=len(order)) - n_pos
    if higher_is_positive:
        # Views of the ascending arrays: turning the table round costs nothing.
        return ScoreCounts(distinct[::-1], n_pos[::-1], n_neg[::-1])
    return ScoreCounts(distinct, n_pos, n_neg)
