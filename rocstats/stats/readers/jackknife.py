"""The jackknife of reader studies: areas without a case, or without a cluster, in closed form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocstats.curves.areas.partial import AreaRange, partial_area
from rocstats.curves.areas.whole import placements, weighted_sum
from rocstats.sample.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.sample.counts.reads import Reads
from rocstats.sample.counts.tables import Column, ScoreCounts, count_scores_with_codes
from rocstats.stats.influence.values import products, small_sample
from rocstats.stats.readers.influence import ReaderInfluence, by_curve


def jackknife(reads: Reads, influence: ReaderInfluence, over: AreaRange) -> FloatArray:
    """Return (G - 1)/G times the sum of products of the areas without each of G units.

    A unit is a case or a cluster; a curve that did not read it keeps its area.
    """
    units, n_units = _units(reads, influence)
    if over.full and reads.pos_cluster is None:
        without = _without_case(influence)
    else:
        without = np.stack(list(_without_units(reads, over, units, n_units)))
        without -= influence.theta.reshape(-1, 1)
    kept = without[:, _sampled(influence, units, n_units)]
    n_kept = kept.shape[1]
    kept = kept - kept.mean(axis=1, keepdims=True)
    return products(kept, kept) / small_sample(n_kept)


def _units(reads: Reads, influence: ReaderInfluence) -> tuple[IntArray, int]:
    """Return the unit of each positive, then of each negative, and the number of units."""
    m, n = influence.pos.shape[1], influence.neg.shape[1]
    if reads.pos_cluster is None or reads.neg_cluster is None:
        return np.arange(m + n), m + n
    labels, units = np.unique(
        np.concatenate([reads.pos_cluster, reads.neg_cluster]), return_inverse=True
    )
    return units.ravel(), len(labels)


def _sampled(influence: ReaderInfluence, units: IntArray, n_units: int) -> IntArray:
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


def _without_case(influence: ReaderInfluence) -> FloatArray:
    """Return the change of each area when a case is left out: -I m/(m - 1)."""
    sides = (influence.pos, influence.n_pos), (influence.neg, influence.n_neg)
    return np.concatenate([-_factors(size)[:, np.newaxis] * values for values, size in sides], 1)


def _factors(sizes: FloatArray) -> FloatArray:
    return np.array([small_sample(size) for size in sizes])


def _without_units(
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
            yield _without_clusters(counts, codes, is_positive, units[read], n_units)
        else:
            yield _refitted(counts, codes, is_positive, units[read], n_units, over)


def _without_clusters(
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
    lost = np.bincount(units, by_row, n_units) - _inside(codes, is_positive, units, n_units)
    left_pos = m - np.bincount(units, is_positive, n_units)
    left_neg = n - np.bincount(units, ~is_positive, n_units)
    # Without the only cluster of a class there is no area: 0 / 0.
    with np.errstate(invalid="ignore"):
        return np.asarray((pairs - lost) / (2 * left_pos * left_neg))


def _inside(codes: CodeArray, is_positive: BoolArray, units: IntArray, n_units: int) -> FloatArray:
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


def _refitted(
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
    known: dict[bytes, float] = {}
    for unit, rows in zip(present, np.split(order, starts[1:]), strict=True):
        lost = np.sort(2 * codes[rows] + is_positive[rows])
        if lost.tobytes() not in known:
            known[lost.tobytes()] = _area_without(counts, lost, over)
        without[unit] = known[lost.tobytes()]
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
