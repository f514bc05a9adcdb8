"""Permutation of two predictors within cases: areas as a signed sum, whole curves by counting.

Both work on ranks: each predictor is ranked over all cases first, so that exchanging the two values
of a case makes sense on any scales.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from rocstats.sample.sample import Sample
from rocstats.sample.vectors import BoolArray, FloatArray, IntArray
from rocstats.stats.resampling import chunks, stream

_ALL_BITS = 2**64 - 1


def midranks(sample: Sample, k: int) -> FloatArray:
    """Return the mid-rank of each case by predictor ``k``, higher ranks being more positive."""
    counts = sample.counts(k)
    at_score = counts.n_pos + counts.n_neg
    from_top = np.cumsum(at_score) - at_score / 2
    return np.asarray((at_score.sum() - from_top + 0.5)[sample.codes(k)])


def signed_terms(is_positive: BoolArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return c such that exchanging values by signs s changes the difference of areas to c @ s.

    c_i = (placement of first_i less that of second_i among the negatives of both) / (2mn), and
    minus the same among the positives for negatives (Bandos, Rockette & Gur 2005): the difference
    of areas is linear in the signs, its permutation variance c @ c.
    """
    pos, neg = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    terms = np.empty(len(is_positive))
    for rows, others, sign in ((pos, neg, 1.0), (neg, pos, -1.0)):
        pooled = np.sort(np.concatenate([first[others], second[others]]))
        gain = _placement(pooled, first[rows]) - _placement(pooled, second[rows])
        terms[rows] = sign * gain / (2 * len(pos) * len(neg))
    return terms


def exact_sign_p_value(terms: FloatArray) -> float:
    """Return the two-sided p value of sum(terms) over all 2^n sign patterns, n at most 20."""
    observed = abs(terms.sum())
    half = len(terms) // 2
    left, right = (_all_sums(part) for part in (terms[:half], terms[half:]))
    sums = np.abs(left[:, np.newaxis] + right)
    return float(np.mean(sums >= observed - 1e-12))


def sign_draws(
    terms: FloatArray, n_resamples: int, seed: tuple[int, ...], *, progress: bool = False
) -> FloatArray:
    """Return n_resamples sums of the terms with random signs."""
    rng = stream(*seed, 3)
    total, sums = terms.sum(), np.empty(n_resamples)
    for part in chunks(n_resamples, len(terms) // 8, progress=progress):
        bits = _random_bits(rng, part.stop - part.start, len(terms))
        # A plain sum, where BLAS would wait for its threads on a busy machine.
        sums[part] = total - 2 * np.einsum("ij,j->i", bits, terms)
    return sums


def curve_distance(is_positive: BoolArray, first: IntArray, second: IntArray) -> int:
    """Return Venkatraman & Begg's statistic: sum over cuts of the difference in errors.

    ``first`` and ``second`` are untied ranks 0..n-1 of the cases. Errors at a cut are positives
    ranked below it and negatives ranked above it; their difference is twice that of the cumulated
    positives.
    """
    labels = is_positive.astype(np.int64)
    by_first, by_second = np.empty_like(labels), np.empty_like(labels)
    by_first[first], by_second[second] = labels, labels
    return int(2 * np.abs(np.cumsum(by_first - by_second)).sum())


def curve_distance_draws(
    is_positive: BoolArray,
    first: IntArray,
    second: IntArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> npt.NDArray[np.int64]:
    """Return Venkatraman & Begg's statistic with values exchanged within cases at random.

    The 2n values share one fixed order, ties between predictors broken once at random, so that
    exchanged orders need no sorting: the test stays exact.
    """
    n = len(is_positive)
    rng = stream(*seed, 4)
    key = np.argsort(np.concatenate([first, second]) + rng.uniform(0, 0.5, 2 * n))
    case, of_second = key % n, key >= n
    labels = is_positive[case].astype(np.int64)
    draws = np.empty(n_resamples, dtype=np.int64)
    for part in chunks(n_resamples, 2 * n, progress=progress):
        swapped = _random_bits(rng, part.stop - part.start, n).astype(bool)
        in_second = swapped.take(case, axis=1) != of_second
        for row, other in enumerate(in_second):
            step = labels[~other] - labels[other]
            draws[part.start + row] = 2 * np.abs(np.cumsum(step)).sum()
    return draws


def _random_bits(rng: np.random.Generator, size: int, n: int) -> npt.NDArray[np.uint8]:
    """Return size x n random bits, whole words a row: the same whatever the chunk they fall in."""
    words = rng.integers(0, _ALL_BITS, size=(size, (n + 63) // 64), dtype=np.uint64, endpoint=True)
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1)[:, :n]


def _placement(ascending: FloatArray, values: FloatArray) -> FloatArray:
    """Return how many of the sorted values are below each value, ties half."""
    below = np.searchsorted(ascending, values, "left")
    return np.asarray((below + np.searchsorted(ascending, values, "right")) / 2)


def _all_sums(terms: FloatArray) -> FloatArray:
    signs = np.array(list(product((1.0, -1.0), repeat=len(terms))))
    return signs.reshape(-1, len(terms)) @ terms
