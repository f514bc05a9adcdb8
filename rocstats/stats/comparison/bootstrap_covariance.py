"""Closed forms for predictors on the same cases: the ideal bootstrap covariance of their areas.

Cov* = [(E k1 k2 - A1 A2) + (n - 1)(E V10_1 V10_2 - A1 A2) + (m - 1)(E V01_1 V01_2 - A1 A2)] / (mn),
k the kernels of the two predictors (Bandos, Rockette & Gur 2007).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.influence.values import case_placements

# Beyond 10^8 pairs the term left out is 1/(mn) <= 1e-8 of a variance of kernels, relative to terms
# of order 1/m + 1/n: under a part in ten thousand. Within, the products take seconds.
LARGEST_PAIRS = 1e8
_BLOCK = 2**22  # kernels at a time: 32 MB of doubles


def bootstrap_covariance(cases: ScoredCases, predictors: Sequence[int]) -> FloatArray:
    """Return the k x k covariance of areas over infinitely many stratified resamples of the cases.

    Folds are resampled within, and areas are their means. The mean of products of kernels takes
    every pair of cases, in blocks; beyond 1e8 pairs it is replaced by the product of the areas.
    """
    folds = [_fold_covariance(part, predictors) for _, part in cases.by_fold()]
    return np.asarray(np.sum(folds, axis=0) / len(folds) ** 2)


def _fold_covariance(cases: ScoredCases, predictors: Sequence[int]) -> FloatArray:
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    v10, v01 = case_placements(cases, predictors, pos, neg)
    m, n = cases.n_pos, cases.n_neg
    of_pos, of_neg = _times(cases, pos), _times(cases, neg)
    # The mean of the placements of positives is the area; ``outer`` are the products A1 A2.
    theta = v10 @ of_pos / m
    outer = np.outer(theta, theta)
    spread_10 = (v10 * of_pos) @ v10.T / m - outer
    spread_01 = (v01 * of_neg) @ v01.T / n - outer
    kernel = np.zeros_like(outer)
    if len(pos) * len(neg) <= LARGEST_PAIRS:
        kernel = mean_kernel_products(cases, predictors, pos, neg) - outer
    return np.asarray((kernel + (n - 1) * spread_10 + (m - 1) * spread_01) / (m * n))


def mean_kernel_products(
    cases: ScoredCases, predictors: Sequence[int], pos: IntArray, neg: IntArray
) -> FloatArray:
    """Return the k x k means of products of kernels over all positive-negative pairs."""
    codes = [cases.codes(k) for k in predictors]
    of_pos, of_neg = _times(cases, pos), _times(cases, neg)
    total = np.zeros((len(predictors), len(predictors)))
    rows = max(1, _BLOCK // (len(neg) * len(predictors)))
    for start in range(0, len(pos), rows):
        part = slice(start, start + rows)
        # Codes count from the most positive score: a positive is above when its code is smaller.
        signs = [np.sign(code[neg] - code[pos[part]][:, np.newaxis]).ravel() for code in codes]
        kernels = (np.array(signs, dtype=np.float64) + 1) / 2
        pairs = np.outer(of_pos[part], of_neg).ravel()
        total += (kernels * pairs) @ kernels.T
    return np.asarray(total / (of_pos.sum() * of_neg.sum()))


def _times(cases: ScoredCases, rows: IntArray) -> FloatArray:
    """Return the number of cases of each row."""
    return np.ones(len(rows)) if cases.frequency is None else cases.frequency[rows]
