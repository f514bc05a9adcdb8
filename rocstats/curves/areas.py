"""Areas under the empirical curve, whole and partial, and the spread of their placements.

The area is the mean of placements: of a positive, the share of negatives below it, ties counting
half (V10); of a negative, the share of positives above it (V01) [delong-1988]. A partial area is
over a range of FPR, or of TPR (docs/methods/partial-areas.md).

Of many cases, the ranks of the positives among the sorted cases say both area and spread: no
placement of a negative is needed. Of many predictors, all of a block of sorted keys have their sums
at once. All these sums are of whole numbers, and exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import (
    KeyArray,
    PlaceArray,
    ScoreCounts,
    SortedKeys,
    blocks_of_sort_keys,
    positives_of_sort_keys,
    sorted_key_rows,
)
from rocstats.study.summed import SummedCases

# --- The whole area -------------------------------------------------------------------------------


def weighted_sum(weight: FloatArray, values: FloatArray) -> float:
    """Return sum(weight * values)."""
    return float(weighted_sums(weight, values))


def weighted_sums(weight: FloatArray, values: FloatArray) -> FloatArray:
    """Return sum(weight * values) along the last axis."""
    # einsum is a plain loop; a BLAS dot product would wait for its threads on a busy machine.
    return np.asarray(np.einsum("...i,...i->...", weight, values))


def placements(counts: ScoreCounts) -> tuple[FloatArray, FloatArray]:
    """Return the placement of a positive, and of a negative, at each distinct score.

    A positive's placement is the share of negatives below it, ties counting half (V10); a
    negative's is the share of positives above it, ties counting half (V01).
    """
    # From the least positive score up, as tables mostly lie in memory, and in place: with a million
    # distinct scores fresh arrays cost as much as the sums in them.
    n_pos, n_neg = counts.n_pos[::-1], counts.n_neg[::-1]
    v10, v01 = np.cumsum(n_neg), np.cumsum(n_pos)
    total_neg, total_pos = v10[-1], v01[-1]
    half = n_neg / 2
    v10 -= half
    v10 /= total_neg
    np.divide(n_pos, 2, out=half)
    np.subtract(total_pos, v01, out=v01)
    v01 += half
    v01 /= total_pos
    return v10[::-1], v01[::-1]


def area(counts: ScoreCounts) -> float:
    """Return the AUC: P(positive above negative) + P(equal) / 2, the area by the trapezoid rule."""
    # Bamber 1975: the Mann-Whitney statistic over the number of pairs. Whole numbers of pairs, and
    # halves, add up without rounding: one division, as of sorted keys.
    n_neg = counts.n_neg[::-1]
    below = n_neg.cumsum() - n_neg / 2
    return weighted_sum(counts.n_pos, below[::-1]) / (counts.total_pos * counts.total_neg)


# --- Partial areas --------------------------------------------------------------------------------


class AreaRange(NamedTuple):
    """The range of a partial area: from ``low`` to ``high`` on an axis, "fpr" or "tpr"."""

    axis: Literal["fpr", "tpr"] = "fpr"
    low: float = 0.0
    high: float = 1.0

    @property
    def fpr_ends(self) -> tuple[float, float]:
        """Ends on the axis of FPR; a range of TPR has those of the mirrored curve."""
        return (self.low, self.high) if self.axis == "fpr" else (1 - self.high, 1 - self.low)

    @property
    def width(self) -> float:
        """Width of the range, the largest value of the area."""
        # Of the ends that the area has: in short ranges those of TPR round to another width.
        low, high = self.fpr_ends
        return high - low

    @property
    def full(self) -> bool:
        """Whether the range is [0, 1], so that the area is the AUC."""
        return self.low == 0 and self.high == 1

    @property
    def shares(self) -> tuple[float, float]:
        """Shares of positives and of negatives expected in the range; 1 off its axis."""
        return (self.width, 1.0) if self.axis == "tpr" else (1.0, self.width)

    def chance(self) -> float:
        """Return the area of an uninformative predictor: the part under the diagonal."""
        # The area over TPRs is that to the right of the curve, over FPRs of the mirrored curve.
        return self.width * sum(self.fpr_ends) / 2

    def quantities(self) -> list[tuple[str, float, float]]:
        """Return name, offset and scale of each quantity: offset + scale x the mean rate."""
        # McClish 1989: standardized = (1 + (area - chance) / (width - chance)) / 2, 0.5 for chance
        # and 1 for a perfect predictor. With the area as width x the mean rate, and width - chance
        # as width x above / 2, that is 1 - (1 - the mean rate) / above.
        above = 2 - self.low - self.high if self.axis == "fpr" else self.low + self.high
        least = 1 - 1 / above
        return [
            ("partial_auc", 0.0, self.width),
            ("partial_auc_standardized", least, 1 - least),  # 1 of a rate of 1, without rounding
            ("mean_tpr" if self.axis == "fpr" else "mean_tnr", 0.0, 1.0),
        ]


FULL_RANGE = AreaRange()


def read_range(fpr_range: Any, tpr_range: Any) -> AreaRange | None:
    """Return the validated range, None for the whole area."""
    axis: Literal["fpr", "tpr"]
    if fpr_range is None:
        axis, given = "tpr", tpr_range
    elif tpr_range is None:
        axis, given = "fpr", fpr_range
    else:
        raise InputError(
            "`tpr_range` must stay None when `fpr_range` is given; got both. Pass one of them."
        )
    if given is None:
        return None
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not 0 <= low < high <= 1:
        raise InputError(
            f"`{axis}_range` must be two rates, 0 <= low < high <= 1; got {given!r}."
            " Pass for instance (0, 0.1)."
        )
    if high - low <= SAME:
        raise InputError(
            f"`{axis}_range` must be longer than {SAME:g} (a shorter range is a single rate); got"
            f" {given!r}. Use operating_points({axis}={low:g}) for the rate at this point."
        )
    return AreaRange(axis, low, high)


def range_placements(counts: ScoreCounts, over: AreaRange) -> tuple[FloatArray, FloatArray]:
    """Return the placement in a range of a positive, and of a negative, at each distinct score.

    The mean over the positives is the partial area. The placement of a positive is the part of the
    range to its right, averaged over the FPRs [f0, f1] of the negatives tied with it. The placement
    of a negative is, up to a constant, the mean TPR along its own FPRs [f0, f1], clipped to the
    range. Both are derivatives of the area in the weight of the case; over the whole range they are
    DeLong's placements.
    """
    if over.full:
        return placements(counts)
    if over.axis == "tpr":
        of_neg, of_pos = _placements_over_fpr(
            _count_table_with_classes_exchanged(counts), *over.fpr_ends
        )
        of_neg, of_pos = of_neg[::-1], of_pos[::-1]
        # With classes exchanged the negatives average to the area; the constant of the positives is
        # free, and set so that they do too.
        area = weighted_sum(counts.n_neg, of_neg) / counts.total_neg
        return of_pos + (area - weighted_sum(counts.n_pos, of_pos) / counts.total_pos), of_neg
    return _placements_over_fpr(counts, over.low, over.high)


def partial_area(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the area over a range, exact through vertical steps and sloped ties."""
    of_pos, _ = range_placements(counts, over)
    return weighted_sum(counts.n_pos, of_pos) / counts.total_pos


def mean_rate_over_range(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the mean height of the curve over a range, exact: the area over the width."""
    return partial_area(counts, over) / over.width


def range_ends_at_vertical_step(counts: ScoreCounts, over: AreaRange) -> bool:
    """Return whether an inner end of the range is at a vertical step of the curve."""
    if over.full:
        return False
    table = counts if over.axis == "fpr" else _count_table_with_classes_exchanged(counts)
    curve = _CellCurve.of(table)
    steps = [curve.tpr_at(end) for end in over.fpr_ends if 0 < end < 1]
    return any(bottom < top for bottom, top in steps)


def _count_table_with_classes_exchanged(counts: ScoreCounts) -> ScoreCounts:
    """Return the table with classes exchanged, whose curve is mirrored to (1 - tpr, 1 - fpr)."""
    return ScoreCounts(counts.score[::-1], counts.n_neg[::-1], counts.n_pos[::-1])


class _CellCurve(NamedTuple):
    """The vertices of a curve after (0, 0): where the cells of its table end."""

    fpr: FloatArray
    tpr: FloatArray

    @classmethod
    def of(cls, counts: ScoreCounts) -> _CellCurve:
        """Return the curve of a table."""
        fpr, tpr = np.cumsum(counts.n_neg), np.cumsum(counts.n_pos)
        fpr /= fpr[-1]
        tpr /= tpr[-1]
        return cls(fpr, tpr)

    def vertex(self, i: int) -> tuple[float, float]:
        """Return the FPR and TPR where cell ``i`` starts."""
        return (float(self.fpr[i - 1]), float(self.tpr[i - 1])) if i > 0 else (0.0, 0.0)

    def tpr_at(self, fpr: float) -> tuple[float, float]:
        """Return the TPRs of the lower and the upper end of the curve at an FPR."""
        # A given end such as 0.1 need not be the float of the quotient of counts that it means.
        first = int(np.searchsorted(self.fpr, fpr - SAME, "left")) + 1
        last = int(np.searchsorted(self.fpr, fpr + SAME, "right"))
        if fpr <= SAME:
            first = 0  # (0, 0), which the arrays leave out
        if first <= last:  # vertices at this FPR: the ends of a vertical step, or a single vertex
            return self.vertex(first)[1], self.vertex(last)[1]
        (f0, t0), (f1, t1) = self.vertex(last), self.vertex(first)
        between = t0 + (t1 - t0) * (fpr - f0) / (f1 - f0)
        return between, between


def _placements_over_fpr(
    counts: ScoreCounts, low: float, high: float
) -> tuple[FloatArray, FloatArray]:
    """Return the placements in a range of FPR of positives and negatives, by cell of the table."""
    # Inside the range the placements are those of the whole area, for positives without the part
    # of [0, 1] beyond the range. Outside they are constant, and at most two cells are cut.
    of_pos, of_neg = placements(counts)
    of_pos -= 1  # not 1 - high, of which a short range has few digits
    of_pos += high
    curve = _CellCurve.of(counts)
    at_low = int(np.searchsorted(curve.fpr, low, "left")) if low > 0 else -1
    at_high = int(np.searchsorted(curve.fpr, high, "right"))
    outside = slice(0, max(at_low, 0)), slice(at_high + 1, None)
    for cells, part, end in zip(outside, (high - low, 0.0), (low, high), strict=True):
        # At a vertical step the derivative is one-sided: the middle of the step is the mean of the
        # two.
        of_pos[cells], of_neg[cells] = part, np.mean(curve.tpr_at(end))
    for i in {at_low, at_high}:
        if 0 <= i < len(of_pos):
            of_pos[i], of_neg[i] = _placements_in_cut_cell(curve, i, low, high)
    return of_pos, of_neg


def _placements_in_cut_cell(
    curve: _CellCurve, i: int, low: float, high: float
) -> tuple[float, float]:
    """Return the placements of the positives and negatives of a cell cut by an end of the range."""
    (f0, t0), (f1, t1) = curve.vertex(i), curve.vertex(i + 1)
    of_pos = float(mean_fpr_range_beyond(np.array([f0]), np.array([f1]), low, high)[0])
    if f1 == f0:  # a vertical step: the cell has no negatives
        return of_pos, 0.0
    inner_low, inner_high = np.clip([f0, f1], low, high)
    middle = t0 + (t1 - t0) * ((inner_low + inner_high) / 2 - f0) / (f1 - f0)
    before = max(min(low, f1) - f0, 0.0) * np.mean(curve.tpr_at(low))
    after = max(f1 - max(high, f0), 0.0) * np.mean(curve.tpr_at(high))
    return of_pos, float(before + after + (inner_high - inner_low) * middle) / (f1 - f0)


def mean_fpr_range_beyond(f0: FloatArray, f1: FloatArray, low: float, high: float) -> FloatArray:
    """Return the mean over u in [f0, f1] of the length of the part of a range of FPR beyond u."""
    spread = f1 > f0
    width = np.where(spread, f1 - f0, 1.0)  # no 0 / 0 where no negative ties
    tied = (
        _integral_of_fpr_range_beyond(f1, low, high) - _integral_of_fpr_range_beyond(f0, low, high)
    ) / width
    return np.where(spread, tied, np.clip(high - f0, 0.0, high - low))


def _integral_of_fpr_range_beyond(fpr: FloatArray, low: float, high: float) -> FloatArray:
    """Return the integral over u from 0 to each FPR of the length of the part beyond u."""
    inside = np.clip(fpr, low, high)
    return (high - low) * np.minimum(fpr, low) + (inside - low) * (high - (inside + low) / 2)


# --- One predictor of many cases, from sorted keys ------------------------------------------------

# Sums of pairs of cases are below 2^50 (``MOST_CASES``): products with 12 bits fit into int64.
_DOT_BITS = 12


class Placements(NamedTuple):
    """Area of one predictor, class sizes, and squared deviations of placements.

    ``spread_pos`` and ``spread_neg`` are means over the cases of a class.
    """

    area: float
    n_pos: int
    n_neg: int
    spread_pos: float
    spread_neg: float


class _RankSums(NamedTuple):
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
    keys = cases.keys(k)
    return None if keys is None else cases.cached(("placements", k), lambda: placements_from(keys))


def area_of(cases: ScoredCases, k: int) -> float:
    """Return the AUC of predictor ``k``."""
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return float(cases.sums.area[k])
    found = placements_of(cases, k)
    return area(cases.counts(k)) if found is None else found.area


def placements_from(sorted_keys: SortedKeys) -> Placements | None:
    """Return area and spreads of one predictor; None without both classes."""
    sums = _rank_sums(sorted_keys)
    m, n = sums.n_pos, len(sorted_keys.keys) - sums.n_pos
    if m == 0 or n == 0:
        return None
    tied, of_pos, of_neg = _tie_terms_of_keys(sorted_keys, sums.before)
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


def _rank_sums(sorted_keys: SortedKeys) -> _RankSums:
    keys, mixed = sorted_keys.keys, sorted_keys.mixed
    m = first = squares = weighted = 0
    before = np.empty_like(mixed)
    for at in blocks_of_sort_keys(len(keys)):
        positive = positives_of_sort_keys(keys[at])
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
    return _RankSums(m, first, squares, weighted, before)


def _tie_terms_of_keys(sorted_keys: SortedKeys, before: PlaceArray) -> tuple[int, int, int]:
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
    of_pos = _exact_dot(pairs, q) - 4 * _exact_dot(pairs, below)
    of_neg = _exact_dot(pairs, p) + 4 * _exact_dot(pairs, before)
    return int(pairs.sum()), of_pos, of_neg


def _exact_dot(pairs: PlaceArray, numbers: PlaceArray) -> int:
    """Return the exact sum of products of numbers of pairs of cases, and numbers of cases."""
    total = shift = 0
    while numbers.any():
        total += int(np.dot(pairs, numbers & (2**_DOT_BITS - 1))) << shift
        numbers, shift = numbers >> _DOT_BITS, shift + _DOT_BITS
    return total


# --- Many predictors: rows of sorted keys ---------------------------------------------------------

_WholeNumbers = npt.NDArray[np.int64]


class PlacementRows(NamedTuple):
    """Areas of k predictors, class sizes, and mean squared deviations of placements by class."""

    area: FloatArray
    n_pos: int
    n_neg: int
    spread_pos: FloatArray
    spread_neg: FloatArray


def placement_rows(cases: ScoredCases, predictors: Sequence[int]) -> PlacementRows:
    """Return areas and spreads of some predictors of unweighted cases with both classes."""
    n, k = len(cases.is_positive), len(predictors)
    scores, higher = cases.scores, np.array(cases.higher_is_positive)
    if k < len(scores):
        scores, higher = scores[predictors], higher[predictors]
    m = int(np.count_nonzero(cases.is_positive))
    pairs = 2 * m * (n - m)  # twice their number, so that a tie counts 1
    below, of_pos, of_neg = np.empty((3, k), dtype=np.int64)
    for at, keys in sorted_key_rows(scores, cases.is_positive):
        below[at], of_pos[at], of_neg[at] = _rank_sums_of_key_rows(keys, m)
    above = np.where(higher, below, pairs - below)
    spreads = (spread / float(pairs) ** 2 for spread in (of_pos, of_neg))
    return PlacementRows(above / pairs, m, n - m, *spreads)


def _rank_sums_of_key_rows(
    keys: KeyArray, m: int
) -> tuple[_WholeNumbers, _WholeNumbers, _WholeNumbers]:
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
    tied, of_pos, of_neg = _tie_terms_of_key_rows(keys, labels, m)
    below -= tied
    spread_pos = m * (4 * squares + of_pos) - below**2
    spread_neg = n * (4 * squares_neg + of_neg) - (2 * m * n - below) ** 2
    return below, spread_pos, spread_neg


def _tie_terms_of_key_rows(
    keys: KeyArray, labels: BoolArray, m: int
) -> tuple[_WholeNumbers, _WholeNumbers, _WholeNumbers]:
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
