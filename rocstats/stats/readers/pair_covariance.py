"""Case-sampling covariance of the areas of all readers and modalities, from sums over pairs.

Two estimators: the unbiased one of the theory of U-statistics, and that of the stratified bootstrap
of cases with infinitely many resamples.
"""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.reads import Reads
from rocstats.stats.readers.pairs import PairSums, divided, pair_sums


def unbiased_covariance(reads: Reads) -> FloatArray:
    """Return the unbiased estimate of the covariance of the areas (t r x t r).

    The covariance is E[AB] - E[A] E[B]. AB itself estimates the first term; the mean of
    psi_a psi_b over two pairs that have no case in common estimates the second (Gallas 2006).
    An estimated variance may be negative. NaN for a curve with fewer than two cases of a class.
    """
    return unbiased_of(curve_sums(reads))


def bootstrap_covariance(reads: Reads) -> FloatArray:
    """Return the covariance of the areas in infinitely many stratified resamples (t r x t r).

    Positives and negatives are drawn with replacement, each case with all its readings. It is exact
    if all cases were read by all; else an area is linearised, a ratio of two sums over resamples.
    """
    return bootstrap_of(curve_sums(reads))


def curve_sums(reads: Reads) -> PairSums:
    """Return the sums over pairs of all curves, modality after modality."""
    curves = reads.n_modalities * reads.n_readers
    return pair_sums(reads.pos.reshape(curves, reads.n_pos), reads.neg.reshape(curves, reads.n_neg))


def unbiased_of(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves."""
    return _product(sums) - divided(distinct(sums.sums)[3], distinct(sums.counts)[3])


def centred_of(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves with each kernel less the area of its curve.

    The level of the areas cannot enter then, which it does where two curves share only some of
    their cases. The product of both means is 0.
    """
    left = distinct(_about_areas(sums))[3]
    return 0.0 - divided(left, distinct(sums.counts)[3])


def bootstrap_of(sums: PairSums) -> FloatArray:
    """Return the bootstrap covariance of curves."""
    factors = resampling_factors(sums.n_pos, sums.n_neg)
    return divided(np.tensordot(factors, _about_areas(sums), axes=1), sums.counts[3])


Centre = tuple[IntArray, FloatArray]
"""Curves, and what is taken from the kernel of each."""


def centred(sums: PairSums, first: Centre, second: Centre) -> FloatArray:
    """Return the sums of products of kernels less their centres (4 x curves x curves)."""
    (a, of_a), (b, of_b) = first, second
    column, row = (slice(None), a[:, np.newaxis], b), (slice(None), b, a[:, np.newaxis])
    of_a = of_a[:, np.newaxis]
    return (
        sums.sums[column]
        - of_b * sums.crossed[column]
        - of_a * sums.crossed[row]
        + of_a * of_b * sums.counts[column]
    )


def resampling_factors(n_pos: int, n_neg: int) -> FloatArray:
    """Return the weights of the four sums in the variance over resamples of both classes.

    Case x is drawn w(x) times, and E[w(x) w(x')] is 1 - 1/n, plus 1 if x is x'. The terms with
    x = x' are in both parts, as sums let the other case be the same.
    """
    pos, neg = 1 - 1 / n_pos, 1 - 1 / n_neg
    return np.array([1.0, neg, pos, pos * neg])


def distinct(sums: FloatArray) -> FloatArray:
    """Return the sums over terms whose other case differs, from those that let it be the same.

    The first axis is that of ``PairSums.sums``; sums are whole quarters, so nothing is rounded.
    """
    both, pos, neg, free = sums
    return np.stack([both, pos - both, neg - both, free - pos - neg + both])


def _about_areas(sums: PairSums) -> FloatArray:
    """Return the sums of products of kernels, each less the area of its curve."""
    curves, areas = np.arange(len(sums.total)), np.nan_to_num(sums.areas)
    return centred(sums, (curves, areas), (curves, areas))


def _product(sums: PairSums) -> FloatArray:
    """Return the products of the areas of each pair of curves."""
    return divided(sums.sums[3], sums.counts[3])
