"""The area under the curve of many cases, and the spread of its placements, from sorted keys.

The ranks of the positives among the sorted cases say both: no placement of a negative is needed.
All sums are of whole numbers, and exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.whole import area
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.sorted_keys import PlaceArray, SortedKeys, blocks, positives
from rocstats.sample.counts.summed import SummedCases

# Sums of pairs of cases are below 2^50 (``MOST_CASES``): products with 12 bits fit into int64.
_BITS = 12


class Placements(NamedTuple):
    """Area of one predictor, class sizes, and squared deviations of placements.

    ``spread_pos`` and ``spread_neg`` are means over the cases of a class.
    """

    area: float
    n_pos: int
    n_neg: int
    spread_pos: float
    spread_neg: float


class _Sums(NamedTuple):
    """Sums over the positives in ascending order, from j = 0, with a negatives below each.

    Negatives of equal score count as below. ``first`` is the sum of a, ``squares`` of a^2,
    ``weighted`` of (2j + 1) a. ``before`` are the numbers of positives before each of
    ``SortedKeys.mixed``.
    """

    n_pos: int
    first: int
    squares: int
    weighted: int
    before: PlaceArray


def placements_of(cases: ScoredCases, k: int) -> Placements | None:
    """Return area and spreads of predictor ``k``, kept; None where its count table gives them."""
    if ("placements", k) not in cases._cache:
        keys = cases.keys(k)
        found = None if keys is None else placements_from(keys)
        cases._cache["placements", k] = found
    return cases._cache["placements", k]  # type: ignore[no-any-return]


def area_of(cases: ScoredCases, k: int) -> float:
    """Return the AUC of predictor ``k``."""
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return float(cases.sums.area[k])
    found = placements_of(cases, k)
    return area(cases.counts(k)) if found is None else found.area


def placements_from(sorted_keys: SortedKeys) -> Placements | None:
    """Return area and spreads of one predictor; None without both classes."""
    sums = _sums_of(sorted_keys)
    m, n = sums.n_pos, len(sorted_keys.keys) - sums.n_pos
    if m == 0 or n == 0:
        return None
    tied, of_pos, of_neg = _tie_terms(sorted_keys, sums.before)
    # Twice the sums of negatives below positives, and of positives below negatives.
    below_pos = 2 * sums.first - tied
    twice = 2 * m * n  # the number of pairs of a positive and a negative
    below_neg = twice - below_pos
    # The square of the positives below a negative counts pairs of positives below it, those below
    # all pairs i <= j: above j are n - a negatives, and j is the later one of 2j + 1 ordered pairs.
    squares_neg = n * m**2 - sums.weighted
    # All terms are whole numbers, and divided once.
    spread_pos = m * (4 * sums.squares + of_pos) - below_pos**2
    spread_neg = n * (4 * squares_neg + of_neg) - below_neg**2
    above = below_pos if sorted_keys.higher_is_positive else below_neg
    return Placements(above / twice, m, n, spread_pos / twice**2, spread_neg / twice**2)


def _sums_of(sorted_keys: SortedKeys) -> _Sums:
    keys, mixed = sorted_keys.keys, sorted_keys.mixed
    m = first = squares = weighted = 0
    before = np.empty_like(mixed)
    for at in blocks(len(keys)):
        positive = positives(keys[at])
        inside = slice(*np.searchsorted(mixed, [at.start, at.stop]))
        if inside.start < inside.stop:
            upto = np.cumsum(positive, dtype=np.int32)
            before[inside] = m - 1 + upto.take(mixed[inside] - at.start)
        place = np.flatnonzero(positive)
        j = np.arange(m, m + len(place), dtype=np.int64)
        a = place + at.start - j
        first += int(a.sum())
        squares += int(np.dot(a, a))
        weighted += int(np.dot(2 * j + 1, a))
        m += len(place)
    return _Sums(m, first, squares, weighted, before)


def _tie_terms(sorted_keys: SortedKeys, before: PlaceArray) -> tuple[int, int, int]:
    """Return the number of tied pairs, and what ties add to 4 times the sums of squares.

    Of p positives and q negatives with one score, half the q are not below: a is short of q/2, and
    the positives below a negative are p/2 more.
    """
    mixed = sorted_keys.mixed
    if not len(mixed):
        return 0, 0, 0
    starts = np.append(np.flatnonzero(sorted_keys.begins), len(sorted_keys.keys))
    after = np.cumsum(sorted_keys.begins, dtype=np.int32).take(mixed)
    p, q = starts.take(after) - mixed, mixed - starts.take(after - 1)
    pairs, below = p * q, mixed - before
    # p (4 (a - q/2)^2 - 4 a^2) and q (4 (b + p/2)^2 - 4 b^2), b positives below.
    of_pos = _dot(pairs, q) - 4 * _dot(pairs, below)
    of_neg = _dot(pairs, p) + 4 * _dot(pairs, before)
    return int(pairs.sum()), of_pos, of_neg


def _dot(pairs: PlaceArray, numbers: PlaceArray) -> int:
    """Return the exact sum of products of numbers of pairs of cases, and numbers of cases."""
    total = shift = 0
    while numbers.any():
        total += int(np.dot(pairs, numbers & (2**_BITS - 1))) << shift
        numbers, shift = numbers >> _BITS, shift + _BITS
    return total
