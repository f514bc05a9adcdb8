"""Sums over pairs of a positive and a negative, for all pairs of curves of a reader study.

The theory of U-statistics is made of them [gallas-2006, gallas-2009]: unbiased covariances, those
of the bootstrap of cases, and moments by what two pairs have in common. No case-by-case matrix of
all cases is ever held: one block of positives and negatives at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.cases import Reads

# --- Unbiased and bootstrap covariance ------------------------------------------------------------


def unbiased_reader_covariance(reads: Reads) -> FloatArray:
    """Return the unbiased estimate of the covariance of the areas (t r x t r).

    The covariance is E[AB] - E[A] E[B]. AB itself estimates the first term; the mean of
    psi_a psi_b over two pairs that have no case in common estimates the second (Gallas 2006).
    An estimated variance may be negative. NaN for a curve with fewer than two cases of a class.
    """
    return unbiased_covariance_from_pair_sums(pair_sums_of_reads(reads))


def ideal_bootstrap_reader_covariance(reads: Reads) -> FloatArray:
    """Return the covariance of the areas in infinitely many stratified resamples (t r x t r).

    Positives and negatives are drawn with replacement, each case with all its readings. It is exact
    if all cases were read by all; else an area is linearised, a ratio of two sums over resamples.
    NaN for a curve with fewer than two cases of a class.
    """
    # A single case is in every resample, as if its class did not vary.
    of_class = (
        np.count_nonzero(~np.isnan(side), axis=2).ravel() for side in (reads.pos, reads.neg)
    )
    few = np.minimum(*of_class) < 2
    return np.where(
        few[:, np.newaxis] | few,
        np.nan,
        bootstrap_covariance_from_pair_sums(pair_sums_of_reads(reads)),
    )


def pair_sums_of_reads(reads: Reads) -> PairSums:
    """Return the sums over pairs of all curves, modality after modality."""
    curves = reads.n_modalities * reads.n_readers
    return pair_sums(reads.pos.reshape(curves, reads.n_pos), reads.neg.reshape(curves, reads.n_neg))


def unbiased_covariance_from_pair_sums(sums: PairSums) -> FloatArray:
    """Return E[AB] - E[A] E[B] of curves, both terms estimated without bias."""
    products_of_areas = quotients_or_nan(sums.sums[3], sums.counts[3])
    return products_of_areas - quotients_or_nan(
        pair_sums_without_shared_cases(sums.sums)[3], pair_sums_without_shared_cases(sums.counts)[3]
    )


def centred_covariance_from_pair_sums(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves with each kernel less the area of its curve.

    The level of the areas cannot enter then, which it does where two curves share only some of
    their cases. The product of both means is 0.
    """
    apart = pair_sums_without_shared_cases(_about_areas(sums))[3]
    return 0.0 - quotients_or_nan(apart, pair_sums_without_shared_cases(sums.counts)[3])


def bootstrap_covariance_from_pair_sums(sums: PairSums) -> FloatArray:
    """Return the ideal bootstrap covariance of curves: the four sums times their factors."""
    factors = resampling_factors_of_pair_sums(sums.n_pos, sums.n_neg)
    return quotients_or_nan(np.tensordot(factors, _about_areas(sums), axes=1), sums.counts[3])


def resampling_factors_of_pair_sums(n_pos: int, n_neg: int) -> FloatArray:
    """Return the weights of the four sums in the variance over resamples of both classes.

    Case x is drawn w(x) times, and E[w(x) w(x')] is 1 - 1/n, plus 1 if x is x'. The terms with
    x = x' are in both parts, as sums let the other case be the same.
    """
    pos, neg = 1 - 1 / n_pos, 1 - 1 / n_neg
    return np.array([1.0, neg, pos, pos * neg])


def pair_sums_without_shared_cases(sums: FloatArray) -> FloatArray:
    """Return the sums over terms whose other case differs, from those that let it be the same.

    The first axis is that of ``PairSums.sums``; sums are whole quarters, so nothing is rounded.
    """
    both, pos, neg, free = sums
    return np.stack([both, pos - both, neg - both, free - pos - neg + both])


def _about_areas(sums: PairSums) -> FloatArray:
    """Return the sums of products of kernels, each less the area of its curve."""
    curves, areas = np.arange(len(sums.total)), np.nan_to_num(sums.areas)
    return centred_pair_sums(sums, (curves, areas), (curves, areas))


Centre = tuple[IntArray, FloatArray]
"""Curves, and what is taken from the kernel of each."""


def centred_pair_sums(sums: PairSums, first: Centre, second: Centre) -> FloatArray:
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


def quotients_or_nan(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return quotients, NaN where the denominator is 0."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


# --- Sums over pairs of cases ---------------------------------------------------------------------


class PairSums(NamedTuple):
    """Sums over pairs of cases for curves a and b, K curves in all.

    ``sums`` (4 x K x K) holds the sums of psi_a(x, y) psi_b(x', y') over pairs (x, y) that curve a
    read and (x', y') that b read: 0, x = x' and y = y'; 1, x = x'; 2, y = y'; 3, all.
    ``crossed`` holds the sums of psi_a(x, y) over the same terms, ``counts`` the numbers of terms.
    ``total`` and ``n_pairs`` (K) are the sum of psi and the number of pairs of each curve,
    ``n_pos`` and ``n_neg`` the numbers of cases, read or not.
    """

    sums: FloatArray
    crossed: FloatArray
    counts: FloatArray
    total: FloatArray
    n_pairs: FloatArray
    n_pos: int
    n_neg: int

    @property
    def areas(self) -> FloatArray:
        """Area of each curve; NaN where a curve lacks a class."""
        return quotients_or_nan(self.total, self.n_pairs)


def pair_sums(pos: FloatArray, neg: FloatArray) -> PairSums:
    """Return the sums over pairs of cases of K curves.

    Parameters
    ----------
    pos, neg : ndarray, shapes (K, m) and (K, n)
        Ratings of the positives and the negatives; NaN where a curve did not read a case.
    """
    read_pos, read_neg = ~np.isnan(pos), ~np.isnan(neg)
    rows, columns = _kernel_sums_of_each_case(pos, neg, read_pos, read_neg)
    same, of_first = _kernel_sums_over_same_pairs(pos, neg, read_pos, read_neg)
    u, v = read_pos.astype(np.float64), read_neg.astype(np.float64)
    total, m, n = rows.sum(axis=1), u.sum(axis=1), v.sum(axis=1)
    shared_pos, shared_neg, n_pairs = u @ u.T, v @ v.T, m * n
    sums = [same, rows @ rows.T, columns @ columns.T, np.outer(total, total)]
    crossed = [of_first, rows @ u.T * n, columns @ v.T * m, np.outer(total, n_pairs)]
    counts = [
        shared_pos * shared_neg,
        shared_pos * np.outer(n, n),
        shared_neg * np.outer(m, m),
        np.outer(n_pairs, n_pairs),
    ]
    # psi was doubled so far.
    return PairSums(
        np.stack(sums) / 4,
        np.stack(crossed) / 2,
        np.stack(counts),
        total / 2,
        n_pairs,
        pos.shape[1],
        neg.shape[1],
    )


def _kernel_sums_of_each_case(
    pos: FloatArray, neg: FloatArray, read_pos: BoolArray, read_neg: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of 2 psi of each positive and of each negative; 0 where not read."""
    rows, columns = np.zeros(pos.shape), np.zeros(neg.shape)
    for k in range(len(pos)):
        x, y = pos[k, read_pos[k]], neg[k, read_neg[k]]
        rows[k, read_pos[k]] = _doubled_placements(x, y)
        columns[k, read_neg[k]] = 2 * len(x) - _doubled_placements(y, x)
    return rows, columns


def _doubled_placements(x: FloatArray, y: FloatArray) -> IntArray:
    """Return the number of y below each x plus the number not above."""
    ordered = np.sort(y)
    return np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right")


def _kernel_sums_over_same_pairs(
    pos: FloatArray, neg: FloatArray, read_pos: BoolArray, read_neg: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of 4 psi_a psi_b, and of 2 psi_a, over the pairs that both curves read."""
    sums, crossed = np.zeros((2, len(pos), len(pos)))
    pos_blocks, neg_blocks = _reading_blocks(read_pos), _reading_blocks(read_neg)
    in_pos = np.array([read_pos[:, block].any(axis=1) for block in pos_blocks])
    in_neg = np.array([read_neg[:, block].any(axis=1) for block in neg_blocks])
    for i, block in enumerate(pos_blocks):
        for j in np.flatnonzero((in_pos[i] & in_neg).any(axis=1)).tolist():
            # Curves that read none of a block have nothing but zeros there.
            active = np.flatnonzero(in_pos[i] & in_neg[j])
            y = neg[np.ix_(active, neg_blocks[j])]
            part, first = np.zeros((2, len(active), len(active)))
            for piece in _kernel_pieces(block, y.size):
                x = pos[np.ix_(active, piece)]
                kernel = _doubled_kernel(x, y)
                part += kernel @ kernel.T
                first += _kernel_sums_over_read_pairs(kernel, x, y)
            sums[np.ix_(active, active)] += part
            crossed[np.ix_(active, active)] += first
    return sums, crossed


Float32Array = npt.NDArray[np.float32]

# Kernel values that are held at once: 16 MB of float32. psi doubled is 0, 1 or 2, so that a sum of
# products over a block is a whole number up to 4 * 2^22 = 2^24, the last that float32 has exactly:
# results hang neither on the blocks nor on the order in which a BLAS adds.
_MOST_IN_PIECE = 2**22


def _kernel_pieces(block: IntArray, width: int) -> Iterator[IntArray]:
    """Return a block of positives in pieces with few enough kernel values each."""
    step = max(1, _MOST_IN_PIECE // width)
    return (block[start : start + step] for start in range(0, len(block), step))


def _doubled_kernel(x: FloatArray, y: FloatArray) -> Float32Array:
    """Return 2 psi of all pairs (k x pairs, float32); 0 for a pair that was not read."""
    above = np.greater(x[:, :, np.newaxis], y[:, np.newaxis, :])
    kernel = above.astype(np.float32)
    np.greater_equal(x[:, :, np.newaxis], y[:, np.newaxis, :], out=above)
    kernel += above
    return kernel.reshape(len(x), -1)


def _kernel_sums_over_read_pairs(
    kernel: Float32Array, x: FloatArray, y: FloatArray
) -> Float32Array:
    """Return the sums of the kernel of each curve over the pairs that each curve read."""
    read_x, read_y = ~np.isnan(x), ~np.isnan(y)
    if read_x.all() and read_y.all():
        totals: Float32Array = kernel.sum(axis=1, keepdims=True)
        return totals
    read = (read_x[:, :, np.newaxis] & read_y[:, np.newaxis, :]).reshape(kernel.shape)
    return kernel @ read.astype(np.float32).T


# Cases of a block at most: more would put curves side by side that read different cases.
_MOST_IN_BLOCK = 512

# Cases of a block at least before a new reading pattern starts another: below that the loop costs
# more than the kernel values it saves.
_FEWEST_IN_BLOCK = 48


def _reading_blocks(read: BoolArray) -> list[IntArray]:
    """Return the cases in blocks of the same, or of similar, reading patterns."""
    order = np.lexsort(read)
    ordered = read[:, order]
    changes = np.any(ordered[:, 1:] != ordered[:, :-1], axis=0).tolist()
    starts = [0]
    for case, changed in enumerate(changes, start=1):
        size = case - starts[-1]
        if size >= _MOST_IN_BLOCK or (changed and size >= _FEWEST_IN_BLOCK):
            starts.append(case)
    return np.split(order, starts[1:])
