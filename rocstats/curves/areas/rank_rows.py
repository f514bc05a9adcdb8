"""The areas under the curves of many predictors, and the spreads of their placements.

As in ``ranks``, the ranks of the positives among the sorted cases say both, in whole numbers: here
all predictors of a block of sorted keys have their sums at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.key_rows import sorted_key_rows
from rocstats.sample.counts.sorted_keys import KeyArray

_Whole = npt.NDArray[np.int64]


class PlacementRows(NamedTuple):
    """Areas of k predictors, class sizes, and mean squared deviations of placements by class."""

    area: FloatArray
    n_pos: int
    n_neg: int
    spread_pos: FloatArray
    spread_neg: FloatArray


def placement_rows(cases: ScoredCases) -> PlacementRows:
    """Return areas and spreads of all predictors of unweighted cases with both classes."""
    n, k = len(cases.is_positive), cases.n_predictors
    m = int(np.count_nonzero(cases.is_positive))
    pairs = 2 * m * (n - m)  # twice their number, so that a tie counts 1
    below, of_pos, of_neg = np.empty((3, k), dtype=np.int64)
    for at, keys in sorted_key_rows(cases.scores, cases.is_positive):
        below[at], of_pos[at], of_neg[at] = _sums(keys, m)
    higher = np.array(cases.higher_is_positive)
    above = np.where(higher, below, pairs - below)
    spreads = (spread / float(pairs) ** 2 for spread in (of_pos, of_neg))
    return PlacementRows(above / pairs, m, n - m, *spreads)


def _sums(keys: KeyArray, m: int) -> tuple[_Whole, _Whole, _Whole]:
    """Return twice the sums of negatives below positives, and both spreads times pairs squared.

    The letters are those of ``placements_from``, a row each predictor.
    """
    rows, size = keys.shape
    n = size - m
    labels = (keys & 1).astype(bool)
    j = np.arange(m)
    # Every predictor has the same positives: the places of theirs make a matrix.
    a = np.flatnonzero(labels).reshape(rows, m) - (np.arange(rows)[:, np.newaxis] * size + j)
    below = 2 * a.sum(axis=1)
    squares = np.einsum("ij,ij->i", a, a)
    squares_neg = n * m**2 - a @ (2 * j + 1)
    tied, of_pos, of_neg = _tie_terms(keys, labels, m)
    below -= tied
    spread_pos = m * (4 * squares + of_pos) - below**2
    spread_neg = n * (4 * squares_neg + of_neg) - (2 * m * n - below) ** 2
    return below, spread_pos, spread_neg


def _tie_terms(keys: KeyArray, labels: BoolArray, m: int) -> tuple[_Whole, _Whole, _Whole]:
    """Return the number of tied pairs, and what ties add to 4 times the sums of squares."""
    rows, size = keys.shape
    # Keys of equal score differ by their classes at most. Unsigned: across 0 signs differ.
    changed = np.bitwise_xor(keys[:, 1:], keys[:, :-1]).view(np.uint64)
    row, place = np.nonzero(changed == 1)
    if not len(row):
        none = np.zeros(rows, dtype=np.int64)
        return none, none, none
    begins = np.ones((rows, size), dtype=bool)
    np.greater(changed, 1, out=begins[:, 1:])
    starts = np.append(np.flatnonzero(begins), rows * size)
    mixed = row * size + place + 1  # the first positive of each score that both classes have
    after = np.searchsorted(starts, mixed, side="right")
    p, q = starts[after] - mixed, mixed - starts[after - 1]
    before = np.cumsum(labels.ravel(), dtype=np.int64)[mixed] - 1 - row * m
    pairs, below = p * q, place + 1 - before
    # Whole numbers below 2^53, which float64 adds up exactly.
    tied, of_pos, of_neg = (
        np.bincount(row, terms, minlength=rows).astype(np.int64)
        for terms in (pairs, pairs * (q - 4 * below), pairs * (p + 4 * before))
    )
    return tied, of_pos, of_neg
