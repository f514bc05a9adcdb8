"""Reader studies by definition: sums over reader, positive and negative, as plainly as possible.

A modality is ``pos`` (r x m) and ``neg`` (r x n) with NaN where a reader did not read a case.
Nothing here is shared with rocstats.
"""

from __future__ import annotations

from itertools import product

import numpy as np

PATTERNS = list(product((True, False), repeat=3))


def terms_of(pos, neg):
    """Reader, positive, negative and psi of every pair of cases that a reader read."""
    return [
        (j, d, n, float(x > y) + 0.5 * float(x == y))
        for j in range(len(pos))
        for d, x in enumerate(pos[j])
        for n, y in enumerate(neg[j])
        if not np.isnan(x) and not np.isnan(y)
    ]


def moments(a, b, same_readers=True):
    """Sum and number of products of two terms by (same reader, same positive, same negative)."""
    sums, counts = np.zeros(8), np.zeros(8)
    j, d, n, psi = np.array(terms_of(*b)).reshape(-1, 4).T
    for reader, pos, neg, value in terms_of(*a):
        different = 4 * ~((j == reader) & same_readers) + 2 * (d != pos) + (n != neg)
        sums += value * np.bincount(different, psi, 8)
        counts += np.bincount(different, minlength=8)
    return dict(zip(PATTERNS, sums, strict=True)), dict(zip(PATTERNS, counts, strict=True))


def average(pos, neg):
    return float(np.mean([term[3] for term in terms_of(pos, neg)]))


def covariance(a, b, same_readers=True):
    """Sum of coefficient times moment, with 1 taken from the coefficient of no common index."""
    sums, counts = moments(a, b, same_readers)
    total, result = sum(counts.values()), 0.0
    for pattern in PATTERNS:
        coefficient = counts[pattern] / total - (not any(pattern))
        if coefficient != 0:
            result += coefficient * sums[pattern] / counts[pattern]
    return result


def difference_variance(a, b, machine=False):
    of_b = covariance(b, b, not machine)
    return covariance(a, a) + of_b - 2 * covariance(a, b, not machine)


def centred_covariance(a, b, same_readers=True):
    """Minus the mean of (psi - average)(psi' - average') over terms with nothing in common."""
    centre_a, centre_b = average(*a), average(*b)
    return -float(
        np.mean(
            [
                (psi - centre_a) * (value - centre_b)
                for j, d, n, psi in terms_of(*a)
                for reader, pos, neg, value in terms_of(*b)
                if d != pos and n != neg and not (same_readers and j == reader)
            ]
        )
    )


def component(a, b, index, same_readers=True):
    """Biased moment with one index the same, less that with none fixed; 0 if never the same.

    ``index`` is 0 for readers, 1 for positives, 2 for negatives.
    """
    sums, counts = moments(a, b, same_readers)
    same = [pattern for pattern in PATTERNS if pattern[index]]
    if not sum(counts[pattern] for pattern in same):
        return 0.0
    biased = sum(sums[p] for p in same) / sum(counts[p] for p in same)
    return biased - sum(sums.values()) / sum(counts.values())


def number(a, index):
    """Effective number of readers, positives or negatives, less 1."""
    _, counts = moments(a, a)
    same = sum(counts[pattern] for pattern in PATTERNS if pattern[index])
    return max(round(sum(counts.values()) / same - 1), 1)


def difference_df(a, b, variance):
    """Degrees of freedom of the difference of two modalities with common readers."""
    total, least = 0.0, []
    for index in range(3):
        f = min(number(a, index), number(b, index))
        part = component(a, a, index) + component(b, b, index) - 2 * component(a, b, index)
        total += part**2 / f**3
        least.append(f)
    return max(variance**2 / total, min(least))


def areas(pos, neg):
    """Area of each curve."""
    return np.array([average(x[None], y[None]) for x, y in zip(pos, neg, strict=True)])


def unbiased_covariance(pos, neg):
    """Covariance of curves (K x m, K x n), reader by reader."""
    curves = [(x[None], y[None]) for x, y in zip(pos, neg, strict=True)]
    return np.array([[covariance(a, b, same_readers=False) for b in curves] for a in curves])


def linear_kernel(pos, neg):
    """W (psi - average) / sum of W as an array (r x m x n): what a resample weights and sums."""
    kernel = np.zeros((len(pos), pos.shape[1], neg.shape[1]))
    terms = terms_of(pos, neg)
    centre = average(pos, neg)
    for j, d, n, psi in terms:
        kernel[j, d, n] = (psi - centre) / len(terms)
    return kernel
