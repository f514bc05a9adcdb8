"""Case-sampling covariance of the areas of all readers and modalities, from sums over pairs.

Two estimators: the unbiased one of the theory of U-statistics, and that of the stratified bootstrap
of cases with infinitely many resamples.
"""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray
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

    Positives and negatives are drawn with replacement, each case with all its readings. Where
    readers read different cases, those that two curves share vary together.
    """
    return bootstrap_of(curve_sums(reads))


def curve_sums(reads: Reads) -> PairSums:
    """Return the sums over pairs of all curves, modality after modality."""
    curves = reads.n_modalities * reads.n_readers
    return pair_sums(reads.pos.reshape(curves, reads.n_pos), reads.neg.reshape(curves, reads.n_neg))


def unbiased_of(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves."""
    return _product(sums) - divided(distinct(sums.sums)[3], distinct(sums.counts)[3])


def bootstrap_of(sums: PairSums) -> FloatArray:
    """Return the bootstrap covariance of curves."""
    coefficients = divided(distinct(sums.counts), sums.counts[3:])
    # Pairs of curves that share no case have no moment of shared ones, nor a weight for it.
    means = np.nan_to_num(divided(sums.sums, sums.counts))
    return np.sum(coefficients * means, axis=0) - _product(sums)


def distinct(sums: FloatArray) -> FloatArray:
    """Return the sums over terms whose other case differs, from those that let it be the same.

    The first axis is that of ``PairSums.sums``; sums are whole quarters, so nothing is rounded.
    """
    both, pos, neg, free = sums
    return np.stack([both, pos - both, neg - both, free - pos - neg + both])


def _product(sums: PairSums) -> FloatArray:
    """Return the products of the areas of each pair of curves."""
    return divided(sums.sums[3], sums.counts[3])
