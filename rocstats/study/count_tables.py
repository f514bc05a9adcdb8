"""Count tables: positives and negatives at each distinct score, from a single sort."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.facts.arrays import BoolArray, CodeArray, FloatArray, IntArray


class ScoreCounts(NamedTuple):
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


class LabelledScores(NamedTuple):
    """Scores of cases by one predictor, their classes, and their weights (None: each one)."""

    score: FloatArray
    is_positive: BoolArray
    weight: FloatArray | None = None
    higher_is_positive: bool = True


class ScoreOrder(NamedTuple):
    """The rows by ascending score, and the numbers of rows at the scores of the count table.

    ``sizes`` are the numbers of rows at the distinct scores, None if no two rows tie; ``descends``
    marks a table whose scores descend.
    """

    rows: IntArray
    sizes: IntArray | None
    descends: bool

    def by_row(self, values: FloatArray) -> FloatArray:
        """Return values at the distinct scores as values of the rows, by ascending score."""
        ascending = values[::-1] if self.descends else values
        return ascending if self.sizes is None else np.repeat(ascending, self.sizes)


def count_scores_of(cases: LabelledScores) -> ScoreCounts:
    """Return the count table of cases given as arrays."""
    order, starts, distinct = _sort_scores(cases.score, cases.weight)
    return _count_table_of_order(cases, order, starts, distinct)


def count_scores_with_codes(cases: LabelledScores) -> tuple[ScoreCounts, CodeArray]:
    """Return the count table of cases, and the index of each row's score in it."""
    order, starts, distinct = _sort_scores(cases.score, cases.weight)
    counts = _count_table_of_order(cases, order, starts, distinct)
    # int32, half the memory of the default: codes of large resamples are read again and again.
    position = np.arange(len(distinct), dtype=np.int32)
    if starts is not None:
        position = np.repeat(position, np.diff(starts, append=len(order)))
    if cases.higher_is_positive:
        np.subtract(len(distinct) - 1, position, out=position)
    codes = np.empty_like(position)
    codes[order] = position
    return counts, codes


def count_scores_with_order(cases: LabelledScores) -> tuple[ScoreCounts, ScoreOrder]:
    """Return the count table of cases, and the order of the rows by score."""
    order, starts, distinct = _sort_scores(cases.score, cases.weight)
    counts = _count_table_of_order(cases, order, starts, distinct)
    sizes = None if starts is None else np.diff(starts, append=len(order))
    return counts, ScoreOrder(order, sizes, cases.higher_is_positive)


def _sort_scores(
    score: FloatArray, weight: FloatArray | None
) -> tuple[IntArray, IntArray | None, FloatArray]:
    """Return the ascending order, the start of each distinct score in it, and these scores.

    The starts are None if no two rows tie.
    """
    # Sums of unit weights do not depend on the order inside a tie, so the fast unstable sort
    # serves; sums of other weights do in the last bit, which would differ between machines.
    order = np.argsort(score, kind=None if weight is None else "stable")
    ascending = score.take(order)
    new = np.empty(len(score), dtype=bool)
    new[:1] = True  # a predictor may have no score in a group
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    if new.all():
        return order, None, ascending
    starts = np.flatnonzero(new)
    return order, starts, ascending.take(starts)


def _count_table_of_order(
    cases: LabelledScores, order: IntArray, starts: IntArray | None, distinct: FloatArray
) -> ScoreCounts:
    """Return the count table from the sorted order and the starts of distinct scores."""
    positive = cases.is_positive.take(order)
    if cases.weight is None:
        return count_table_of_sorted_scores(positive, starts, distinct, cases.higher_is_positive)
    weights = cases.weight.take(order)
    n_pos, n_neg = np.where(positive, weights, 0.0), np.where(positive, 0.0, weights)
    if starts is not None:
        n_pos, n_neg = (np.add.reduceat(part, starts) for part in (n_pos, n_neg))
    return most_positive_first(ScoreCounts(distinct, n_pos, n_neg), cases.higher_is_positive)


def count_table_of_sorted_scores(
    positive: BoolArray, starts: IntArray | None, distinct: FloatArray, higher_is_positive: bool
) -> ScoreCounts:
    """Return the count table of unweighted cases by ascending score.

    ``starts`` are the places of the first case of each distinct score; None if no two cases tie.
    """
    ascending = ScoreCounts(distinct, *_class_counts_at_distinct_scores(positive, starts))
    return most_positive_first(ascending, higher_is_positive)


def most_positive_first(ascending: ScoreCounts, higher_is_positive: bool) -> ScoreCounts:
    """Return a count table of ascending scores with the most positive score first."""
    # Views of the ascending arrays: turning the table round costs nothing.
    return ScoreCounts(*(part[::-1] for part in ascending)) if higher_is_positive else ascending


def _class_counts_at_distinct_scores(
    positive: BoolArray, starts: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of positives and negatives from each start to the next."""
    if starts is None:
        n_pos = positive.astype(np.float64)
        return n_pos, 1.0 - n_pos
    n_pos = np.add.reduceat(positive, starts, dtype=np.int64).astype(np.float64)
    return n_pos, np.diff(starts, append=len(positive)) - n_pos
