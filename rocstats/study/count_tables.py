"""Count tables: positives and negatives at each distinct score, from a single sort.

To sort numbers costs a fraction of finding the order that sorts them: of many cases, a key keeps
its class with its score, so that no order is needed. Keys are sorted for one predictor, or for a
block of predictors at once, row by row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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


# --- Keys: a score and a class in one number; of one predictor ------------------------------------

KeyArray = npt.NDArray[np.int64]
PlaceArray = npt.NDArray[np.int64]

# From here on the passes over the keys cost less than an order saves, on processors with and
# without vector instructions (validation/benchmarks).
LEAST_CASES = 50_000

# Sums of squared ranks over the smallest sensible block, 2^10 keys, fit into int64 up to here.
MOST_CASES = 2**26

# Without its sign a double has 63 bits; those of one below 2 fit into 62.
_MAGNITUDE = 2**63 - 1

# Below this magnitude a double has fewer digits (is subnormal): keys are twice the magnitude.
_SUBNORMAL = 2**53

# Whole numbers are counted by bins that the second-level cache holds: two classes, 8 bytes each.
_MOST_BINS = 2**16

# Scores that are no whole numbers are found out by the first few.
_FIRST_SCORES = 100

# With fewer distinct scores than a quarter of the cases, sums over them are cheaper than over keys.
_FEW_DISTINCT = 4

# Keys of 256 kB stay in the second-level cache of a core from one step to the next.
_KEYS_PER_BLOCK = 2**15


class SortedKeys(NamedTuple):
    """The keys of all cases, ascending, and which of them begin a new score.

    A key is 2 s + c: c is the class (1 for a positive), s the bits of the score over 2^exponent,
    as a whole number with the sign of the score. Negatives come before positives of equal score;
    ``mixed`` are the places of the first positive of each score that both classes have.
    """

    keys: KeyArray
    begins: BoolArray
    mixed: PlaceArray
    exponent: int
    higher_is_positive: bool

    @property
    def n_distinct(self) -> int:
        """Number of distinct scores."""
        return int(np.count_nonzero(self.begins))

    def counts(self) -> ScoreCounts:
        """Return the count table, its scores exactly those of the cases."""
        starts = None if self.begins.all() else np.flatnonzero(self.begins)
        distinct = self.keys if starts is None else self.keys.take(starts)
        scores = _scores_of_sort_keys(distinct, self.exponent)
        return count_table_of_sorted_scores(
            positives_of_sort_keys(self.keys), starts, scores, self.higher_is_positive
        )


def sort_cases(cases: LabelledScores) -> SortedKeys | ScoreCounts | None:
    """Return many unweighted cases as sorted keys, or as their count table if that is short.

    None if there are few cases, or weights, or scores that keys cannot hold.
    """
    if cases.weight is not None or not LEAST_CASES <= len(cases.score) <= MOST_CASES:
        return None
    counts = count_whole_numbers(cases)
    if counts is not None:
        return counts
    keys = sort_keys(cases)
    if keys is not None and has_few_distinct(keys.n_distinct, len(cases.score)):
        return keys.counts()
    return keys


def has_few_distinct(n_distinct: int, n: int) -> bool:
    """Return whether sums over distinct scores are cheaper than over n cases."""
    return _FEW_DISTINCT * n_distinct < n


def count_whole_numbers(cases: LabelledScores) -> ScoreCounts | None:
    """Return the count table of unweighted scores in whole steps from the least; else None."""
    score = cases.score
    low, first = float(score.min()), score[:_FIRST_SCORES]
    width = float(score.max()) - low
    if not width < min(_MOST_BINS, len(score) / _FEW_DISTINCT - 1):
        return None
    if (np.rint(first - low) + low != first).any():
        return None
    bins = np.zeros(2 * (int(width) + 2), dtype=np.int64)
    for at in blocks_of_sort_keys(len(score)):
        steps = np.rint(score[at] - low)
        if (steps + low != score[at]).any():
            return None
        steps *= 2
        steps += cases.is_positive[at]
        found = np.bincount(steps.astype(np.intp))
        bins[: len(found)] += found
    by_step = bins.reshape(-1, 2)
    present = np.flatnonzero(by_step.any(axis=1))
    n_neg, n_pos = by_step[present].T.astype(np.float64)
    distinct = present.astype(np.float64) + low
    return most_positive_first(ScoreCounts(distinct, n_pos, n_neg), cases.higher_is_positive)


def sort_keys(cases: LabelledScores) -> SortedKeys | None:
    """Return unweighted cases as sorted keys; None if keys cannot hold their scores exactly."""
    score = cases.score
    # A missing score makes the largest one NaN. Infinite ones have no power of two.
    largest = max(-float(score.min()), float(score.max()))
    if not largest < math.inf:
        return None
    exponent = max(0, math.frexp(largest)[1] - 1)
    keys = _sort_keys_of_cases(cases, exponent)
    keys.sort()
    # A power of two changes no digit of a score, but of one that it makes subnormal.
    if exponent > 0:
        low, high = np.searchsorted(keys, [2 - _SUBNORMAL, _SUBNORMAL])
        if low < high and high - low != np.count_nonzero(score == 0):
            return None
    return SortedKeys(
        keys, *_first_keys_of_distinct_scores(keys), exponent, cases.higher_is_positive
    )


def _sort_keys_of_cases(cases: LabelledScores, exponent: int) -> KeyArray:
    """Return the key of each case."""
    keys = np.empty(len(cases.score), dtype=np.int64)
    scale = math.ldexp(1.0, -exponent)
    for at in blocks_of_sort_keys(len(keys)):
        key = keys[at]
        with np.errstate(under="ignore"):
            np.multiply(cases.score[at], scale, out=key.view(np.float64))
        keys_in_place(key, cases.is_positive[at].view(np.int8))
    return keys


def keys_in_place(key: KeyArray, labels: npt.NDArray[np.signedinteger[Any]]) -> KeyArray:
    """Return the keys of scores of magnitude below 2, given as bits, which are overwritten."""
    sign = key >> 63
    key &= _MAGNITUDE
    # Sign and magnitude, so that -0.0 and 0.0 have one key.
    key ^= sign
    key -= sign
    key <<= 1
    key |= labels
    return key


def _first_keys_of_distinct_scores(keys: KeyArray) -> tuple[BoolArray, PlaceArray]:
    """Return which sorted keys begin a new score, and ``mixed``."""
    begins = np.empty(len(keys), dtype=bool)
    begins[0] = True
    mixed = []
    for at in blocks_of_sort_keys(len(keys) - 1):
        after = slice(at.start + 1, at.stop + 1)
        # Keys of equal score differ by their classes at most. Unsigned: across 0 signs differ.
        changed = np.bitwise_xor(keys[after], keys[at]).view(np.uint64)
        np.greater(changed, 1, out=begins[after])
        if not begins[after].all():
            mixed.append(np.flatnonzero(changed == 1) + after.start)
    return begins, np.concatenate(mixed or [np.empty(0)]).astype(np.int64, copy=False)


def _scores_of_sort_keys(keys: KeyArray, exponent: int) -> FloatArray:
    """Return the scores of keys."""
    bits = keys >> 1
    sign = bits >> 63
    bits ^= sign
    bits -= sign
    sign <<= 63
    bits |= sign
    scores = bits.view(np.float64)
    scores *= math.ldexp(1.0, exponent)
    return scores


def positives_of_sort_keys(keys: KeyArray) -> BoolArray:
    """Return which keys are of positives."""
    return np.bitwise_and(keys.astype(np.uint8), 1).view(bool)


def blocks_of_sort_keys(n: int) -> list[slice]:
    """Return the places of blocks of n keys whose sums of squared ranks fit into int64."""
    size = min(_KEYS_PER_BLOCK, 2**62 // max(n, 1) ** 2)
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


# --- Keys of many predictors: a row each ----------------------------------------------------------

# 512 kB of keys stay in the second-level cache of a core, and Python's share of a block is small.
_ROW_BLOCK = 2**16

# Up to here a predictor costs more by itself than its cases do. Products of sums over pairs of
# cases, n^4/4 at most, fit into int64.
MOST_ROW_CASES = 2**12

# Below this a double has fewer digits (is subnormal).
_LEAST_NORMAL = 2.0**-1022


class KeyRows(NamedTuple):
    """Sorted keys (see ``SortedKeys``) of the predictors ``at``: a row each, a column each case."""

    at: slice
    keys: KeyArray


def sorted_key_rows(scores: FloatArray, is_positive: BoolArray) -> Iterator[KeyRows]:
    """Yield the sorted keys of unweighted cases with no missing score, block by block."""
    n_rows, n = scores.shape
    step = max(1, _ROW_BLOCK // n)
    labels = is_positive.astype(np.int64)
    for start in range(0, n_rows, step):
        at = slice(start, min(start + step, n_rows))
        keys = keys_in_place(_scores_scaled_below_two(scores[at]).view(np.int64), labels)
        keys.sort(axis=1)
        yield KeyRows(at, keys)


def _scores_scaled_below_two(scores: FloatArray) -> FloatArray:
    """Return scores over a power of two for each row, so that their magnitudes are below 2."""
    sizes = np.abs(scores)
    largest, least = sizes.max(axis=1), sizes.min()
    if largest.max() < 2:
        return scores.copy()
    finite = largest < np.inf
    exponents = np.maximum(np.frexp(np.where(finite, largest, 0.0))[1] - 1, 0)
    factors = np.ldexp(1.0, -exponents)
    with np.errstate(under="ignore", invalid="ignore"):
        scaled = scores * factors[:, np.newaxis]
        if least * factors.min() >= _LEAST_NORMAL and finite.all():
            return np.asarray(scaled)
        # A power of two changes no digit of a score, but of one that it makes subnormal.
        lost = ((np.abs(scaled) < _LEAST_NORMAL) & (scores != 0)).any(axis=1) & (exponents > 0)
    for row in np.flatnonzero(lost | ~finite):
        scaled[row] = _score_ranks_below_one(scores[row])
    return np.asarray(scaled)


def _score_ranks_below_one(score: FloatArray) -> npt.NDArray[np.float64]:
    """Return numbers below 1 in the order of infinite or very small scores, ties kept."""
    places = np.unique(score, return_inverse=True)[1].astype(np.float64)
    return np.asarray(places / 2.0 ** np.frexp(len(score))[1])
