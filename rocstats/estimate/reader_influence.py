"""Influence of each case on the areas of readers, and the jackknife in closed form.

The jackknife takes the areas without a case, or without a cluster. Only partial areas without a
cluster are computed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import (
    FULL_RANGE,
    AreaRange,
    partial_area,
    placements,
    range_placements,
    weighted_sum,
)
from rocstats.estimate.influence import products, small_sample
from rocstats.facts.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.study.cases import Reads
from rocstats.study.count_tables import Column, ScoreCounts, count_scores_with_codes

# --- Influence of every case on the area of every reader under every modality ---------------------


class ReaderInfluence(NamedTuple):
    """Areas of t r curves (over the width of their range), and the influence of each case on them.

    ``theta`` is t x r. ``pos`` (t r x m) and ``neg`` (t r x n) are (V10 - theta) / m and
    (V01 - theta) / n with the m and n that the curve has: 0 where the case was not read.
    ``n_pos`` and ``n_neg`` (t r) are these m and n. Without cases of a class theta is NaN.
    """

    theta: FloatArray
    pos: FloatArray
    neg: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray


def reader_influence(reads: Reads, over: AreaRange = FULL_RANGE) -> ReaderInfluence:
    """Return the areas of all curves with the influence values of all cases."""
    of_pos, of_neg = by_curve(reads)
    theta, pos, neg = np.full(len(of_pos), np.nan), np.zeros_like(of_pos), np.zeros_like(of_neg)
    for k, (x, y) in enumerate(zip(of_pos, of_neg, strict=True)):
        read_pos, read_neg = ~np.isnan(x), ~np.isnan(y)
        if read_pos.any() and read_neg.any():
            found = _curve_influence(x[read_pos], y[read_neg], over)
            theta[k], pos[k, read_pos], neg[k, read_neg] = found
    sizes = (np.count_nonzero(~np.isnan(side), axis=1) for side in (of_pos, of_neg))
    n_pos, n_neg = (size.astype(np.float64) for size in sizes)
    return ReaderInfluence(theta.reshape(reads.pos.shape[:2]), pos, neg, n_pos, n_neg)


def by_curve(reads: Reads) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of positives and of negatives with a row for each curve, i r + j."""
    return (
        reads.pos.reshape(-1, reads.pos.shape[2]),
        reads.neg.reshape(-1, reads.neg.shape[2]),
    )


def _curve_influence(
    x: FloatArray, y: FloatArray, over: AreaRange
) -> tuple[float, FloatArray, FloatArray]:
    """Return the area of positives ``x`` and negatives ``y``, and the influence of each of them."""
    m, n = len(x), len(y)
    is_positive = np.arange(m + n) < m
    counts, codes = count_scores_with_codes(Column(np.concatenate([x, y]), is_positive))
    v10, v01 = range_placements(counts, over)
    v10, v01 = v10.take(codes[:m]), v01.take(codes[m:])
    if not over.full:
        theta = float(v10.mean())
        pos, neg = (v10 - theta) / (m * over.width), (v01 - v01.mean()) / (n * over.width)
        return theta / over.width, pos, neg
    # Twice the placements times the size of the other class are whole, and so are their sums:
    # equal areas are equal to the last digit, whatever the order of the cases.
    of_pos, of_neg = np.rint(2 * n * v10), np.rint(2 * m * v01)
    pairs = of_pos.sum()
    return (
        float(pairs / (2.0 * m * n)),
        (m * of_pos - pairs) / (2.0 * n * m**2),
        (n * of_neg - pairs) / (2.0 * m * n**2),
    )


# --- Jackknife covariance -------------------------------------------------------------------------


def reader_jackknife(reads: Reads, influence: ReaderInfluence, over: AreaRange) -> FloatArray:
    """Return (G - 1)/G times the sum of products of the areas without each of G units.

    A unit is a case or a cluster; a curve that did not read it keeps its area.
    """
    units, n_units = _jackknife_units(reads, influence)
    if over.full and reads.pos_cluster is None:
        without = _changes_without_cases(influence)
    else:
        without = np.stack(list(_areas_without_units(reads, over, units, n_units)))
        without -= influence.theta.reshape(-1, 1)
    kept = without[:, _sampled_units(influence, units, n_units)]
    n_kept = kept.shape[1]
    kept = kept - kept.mean(axis=1, keepdims=True)
    return products(kept, kept) / small_sample(n_kept)


def _jackknife_units(reads: Reads, influence: ReaderInfluence) -> tuple[IntArray, int]:
    """Return the unit of each positive, then of each negative, and the number of units."""
    m, n = influence.pos.shape[1], influence.neg.shape[1]
    if reads.pos_cluster is None or reads.neg_cluster is None:
        return np.arange(m + n), m + n
    labels, units = np.unique(
        np.concatenate([reads.pos_cluster, reads.neg_cluster]), return_inverse=True
    )
    return units.ravel(), len(labels)


def _sampled_units(influence: ReaderInfluence, units: IntArray, n_units: int) -> IntArray:
    """Return the units with a case of a class whose cases differ under some curve.

    A rate has one class: the other is a pair of marks at the threshold, which are no sample.
    """
    m = influence.pos.shape[1]
    pos, neg = (
        (units[:m], influence.pos, influence.n_pos),
        (units[m:], influence.neg, influence.n_neg),
    )
    # A single case, which does not differ either, is a sample without a variance.
    of_class = [of for of, values, size in (pos, neg) if values.any() or np.any(size == 1)]
    return np.unique(np.concatenate(of_class)) if of_class else np.arange(n_units)


def small_sample_factors(sizes: FloatArray | IntArray) -> FloatArray:
    """Return n / (n - 1) of each curve, a column."""
    return np.array([[small_sample(float(size))] for size in sizes])


# --- Areas without each case, or without each cluster ---------------------------------------------


def _changes_without_cases(influence: ReaderInfluence) -> FloatArray:
    """Return the change of each area when a case is left out: -I m/(m - 1)."""
    sides = (influence.pos, influence.n_pos), (influence.neg, influence.n_neg)
    return np.concatenate([-small_sample_factors(size) * values for values, size in sides], 1)


def _areas_without_units(
    reads: Reads, over: AreaRange, units: IntArray, n_units: int
) -> Iterator[FloatArray]:
    """Yield for each curve its area without each unit."""
    for x, y in zip(*by_curve(reads), strict=True):
        score = np.concatenate([x, y])
        read = ~np.isnan(score)
        is_positive = (np.arange(len(score)) < len(x))[read]
        if not 0 < np.count_nonzero(is_positive) < len(is_positive):
            yield np.full(n_units, np.nan)
            continue
        counts, codes = count_scores_with_codes(Column(score[read], is_positive))
        if over.full:
            yield _areas_without_clusters(counts, codes, is_positive, units[read], n_units)
        else:
            yield _areas_recomputed(counts, codes, is_positive, units[read], n_units, over)


def _areas_without_clusters(
    counts: ScoreCounts,
    codes: CodeArray,
    is_positive: BoolArray,
    units: IntArray,
    n_units: int,
) -> FloatArray:
    """Return the area without each cluster, from sums of pairs.

    The pairs of its positives and those of its negatives are lost; those inside it are in both.
    """
    m, n = counts.total_pos, counts.total_neg
    v10, v01 = placements(counts)
    # Twice a number of pairs, in which ties count one half, is whole.
    of_pos, of_neg = np.rint(2 * n * v10), np.rint(2 * m * v01)
    by_row = np.where(is_positive, of_pos.take(codes), of_neg.take(codes))
    pairs = weighted_sum(counts.n_pos, of_pos)
    lost = np.bincount(units, by_row, n_units) - _pairs_inside(codes, is_positive, units, n_units)
    left_pos = m - np.bincount(units, is_positive, n_units)
    left_neg = n - np.bincount(units, ~is_positive, n_units)
    # Without the only cluster of a class there is no area: 0 / 0.
    with np.errstate(invalid="ignore"):
        return np.asarray((pairs - lost) / (2 * left_pos * left_neg))


def _pairs_inside(
    codes: CodeArray, is_positive: BoolArray, units: IntArray, n_units: int
) -> FloatArray:
    """Return twice the number of ordered pairs inside each cluster, ties counting one half."""
    # Cells are the distinct scores of a cluster, from the most positive down.
    cells, cell = np.unique(units * (np.int64(codes.max()) + 1) + codes, return_inverse=True)
    of_unit = cells // (codes.max() + 1)
    n_pos, n_neg = (
        np.bincount(cell.ravel(), side, len(cells)) for side in (is_positive, ~is_positive)
    )
    through = np.cumsum(n_neg)
    ends = np.cumsum(np.bincount(units, ~is_positive, n_units))
    below = ends[of_unit] - through
    twice = n_pos * (2 * below + n_neg)
    return np.bincount(of_unit, twice, n_units).astype(np.float64, copy=False)


def _areas_recomputed(
    counts: ScoreCounts,
    codes: CodeArray,
    is_positive: BoolArray,
    units: IntArray,
    n_units: int,
    over: AreaRange,
) -> FloatArray:
    """Return the partial area without each unit, computed again from the counts that are left."""
    order = np.argsort(units, kind="stable")
    present, starts = np.unique(units[order], return_index=True)
    without = np.full(n_units, partial_area(counts, over))
    # Cases with the same score leave the same counts.
    areas: dict[bytes, float] = {}
    for unit, rows in zip(present, np.split(order, starts[1:]), strict=True):
        lost = np.sort(2 * codes[rows] + is_positive[rows])
        if lost.tobytes() not in areas:
            areas[lost.tobytes()] = _area_without(counts, lost, over)
        without[unit] = areas[lost.tobytes()]
    return without / over.width


def _area_without(counts: ScoreCounts, lost: CodeArray, over: AreaRange) -> float:
    """Return the partial area without cases, given as 2 x code + 1 if positive."""
    d = len(counts.score)
    n_neg, n_pos = (
        whole - np.bincount(lost[lost % 2 == side] // 2, minlength=d)
        for side, whole in enumerate((counts.n_neg, counts.n_pos))
    )
    left = n_neg + n_pos > 0
    if not (n_pos.any() and n_neg.any()):
        return np.nan
    return partial_area(ScoreCounts(counts.score[left], n_pos[left], n_neg[left]), over)
