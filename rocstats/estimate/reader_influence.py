"""Influence of each case on the area of each reader under each modality."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange, range_placements
from rocstats.estimate.influence import small_sample_factor
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.cases import Reads
from rocstats.study.count_tables import LabelledScores, count_scores_with_codes


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
    of_pos, of_neg = reader_ratings_by_curve(reads)
    theta, pos, neg = np.full(len(of_pos), np.nan), np.zeros_like(of_pos), np.zeros_like(of_neg)
    for k, (x, y) in enumerate(zip(of_pos, of_neg, strict=True)):
        read_pos, read_neg = ~np.isnan(x), ~np.isnan(y)
        if read_pos.any() and read_neg.any():
            found = _area_and_influence_of_reader_curve(x[read_pos], y[read_neg], over)
            theta[k], pos[k, read_pos], neg[k, read_neg] = found
    sizes = (np.count_nonzero(~np.isnan(side), axis=1) for side in (of_pos, of_neg))
    n_pos, n_neg = (size.astype(np.float64) for size in sizes)
    return ReaderInfluence(theta.reshape(reads.pos.shape[:2]), pos, neg, n_pos, n_neg)


def _area_and_influence_of_reader_curve(
    x: FloatArray, y: FloatArray, over: AreaRange
) -> tuple[float, FloatArray, FloatArray]:
    """Return the area of positives ``x`` and negatives ``y``, and the influence of each of them."""
    m, n = len(x), len(y)
    is_positive = np.arange(m + n) < m
    counts, codes = count_scores_with_codes(LabelledScores(np.concatenate([x, y]), is_positive))
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


def reader_ratings_by_curve(reads: Reads) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of positives and of negatives with a row for each curve, i r + j."""
    return (
        reads.pos.reshape(-1, reads.pos.shape[2]),
        reads.neg.reshape(-1, reads.neg.shape[2]),
    )


def small_sample_factors_of_curves(sizes: FloatArray | IntArray) -> FloatArray:
    """Return n / (n - 1) of each curve, a column."""
    return np.array([[small_sample_factor(float(size))] for size in sizes])
