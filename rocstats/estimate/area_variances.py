"""Variances of an area by formulas other than DeLong's.

A is the area of m positives and n negatives, V10 and V01 are the placements of a positive and of a
negative, k is the kernel of a pair (0, 1/2 or 1). From A and the sizes alone: Hanley and McNeil's
exponential approximation [hanley-mcneil-1982], and the same made symmetric [newcombe-2006]. From
the count table: Hanley and McNeil's with Q1 and Q2 counted, the unbiased variance [bamber-1975],
and that of infinitely many stratified resamples [bandos-2007], which is also a covariance of
several areas. Over folds: LeDell's [ledell-2015]. DeLong's and Obuchowski's are in ``influence``.
Derivations are in docs/methods/areas.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import placements, weighted_sum
from rocstats.estimate.influence import case_placements, row_frequency
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- From the area and the class sizes ------------------------------------------------------------


def hanley_mcneil_exponential_variance(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982) under their exponential approximation.

    [A(1 - A) + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2)]/(mn), Q1 = A/(2 - A), Q2 = 2 A^2/(1 + A).
    """
    return theta * (1 - theta) * hanley_mcneil_relative_variance(theta, n_pos, n_neg)


def hanley_mcneil_relative_variance(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982), over theta (1 - theta)."""
    # Q1 - theta^2 and Q2 - theta^2 both hold the factor theta (1 - theta): without it nothing
    # cancels near areas of 0 and 1.
    inner = 1 + (n_pos - 1) * (1 - theta) / (2 - theta) + (n_neg - 1) * theta / (1 + theta)
    return inner / (n_pos * n_neg)


def newcombe_relative_variance(theta: float, n_pos: float, n_neg: float) -> float:
    """Return Newcombe's (2006) variance of method 5, over theta (1 - theta).

    It is the variance of Hanley and McNeil with N* = (m + n)/2 - 1 in the place of m - 1 and n - 1.
    """
    # With N* the variance is the same when positives and negatives are exchanged, and when theta
    # and 1 - theta are.
    half = (n_pos + n_neg) / 2 - 1
    inner = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return inner / (n_pos * n_neg)


def hanley_mcneil_q1_q2(theta: float) -> tuple[float, float]:
    """Return Q1 and Q2 of exponentially distributed scores with AUC ``theta``.

    Q1 is the chance that two positives are above one negative, Q2 that one positive is above two
    negatives.
    """
    return theta / (2 - theta), 2 * theta**2 / (1 + theta)


def hanley_mcneil_variance_from_q1_q2(
    theta: float, q1: float, q2: float, m: float, n: float
) -> float:
    """Return Hanley & McNeil's variance from Q1 and Q2, with m positives and n negatives."""
    spread = theta * (1 - theta) + (m - 1) * (q1 - theta**2) + (n - 1) * (q2 - theta**2)
    # Q1 and Q2 that are counted in few cases can make the sum negative.
    return max(spread, 0.0) / (m * n)


# --- From the count table -------------------------------------------------------------------------


def hanley_mcneil_variance_from_counts(counts: ScoreCounts) -> float:
    """Return the variance of Hanley & McNeil (1982) with Q1, Q2 from the data.

    Their table method: ties are split at random, which gives the thirds. With mid-ranks
    Q1 = E V01^2 and Q2 = E V10^2 ties count a quarter: what is left is 1/12 of their squares.
    """
    moments = placement_moments(counts)
    m, n, theta = moments.m, moments.n, moments.theta
    tied_pos = float(np.einsum("i,i,i->", counts.n_neg, counts.n_pos, counts.n_pos))
    tied_neg = float(np.einsum("i,i,i->", counts.n_pos, counts.n_neg, counts.n_neg))
    # The variance of a uniform share is 1/12 of its squared width.
    q1 = moments.spread_01 + theta**2 + tied_pos / (12 * n * m**2)
    q2 = moments.spread_10 + theta**2 + tied_neg / (12 * m * n**2)
    return hanley_mcneil_variance_from_q1_q2(theta, q1, q2, m, n)


def unbiased_area_variance(counts: ScoreCounts) -> float:
    """Return the unbiased variance (Bamber 1975), ties allowed.

    [e3 + (n - 1) e1 + (m - 1) e2 - (m + n - 1) e0]/(mn), with the means of k k' over two pairs that
    share both cases (e3), a positive (e1), a negative (e2) and none (e0). NaN unless both classes
    have two members.
    """
    moments = placement_moments(counts)
    m, n, theta = moments.m, moments.n, moments.theta
    if m < 2 or n < 2:
        return float("nan")
    # s, s_r, s_c and t of docs/methods/areas.md, "The unbiased variance": sums over the same pair,
    # pairs with a common positive, with a common negative, and all.
    s = m * n * (theta - moments.tied / 4)
    rows = n**2 * m * (moments.spread_10 + theta**2)
    columns = m**2 * n * (moments.spread_01 + theta**2)
    total = (m * n * theta) ** 2
    # e0 estimates theta^2 without bias.
    e3 = s / (m * n)
    e1 = (rows - s) / (m * n * (n - 1))
    e2 = (columns - s) / (m * n * (m - 1))
    e0 = (total - rows - columns + s) / (m * (m - 1) * n * (n - 1))
    return (e3 + (n - 1) * e1 + (m - 1) * e2 - (m + n - 1) * e0) / (m * n)


def ideal_bootstrap_area_variance(counts: ScoreCounts) -> float:
    """Return the variance of the stratified bootstrap with infinitely many resamples.

    [(E k^2 - A^2) + (n - 1)(E V10^2 - A^2) + (m - 1)(E V01^2 - A^2)] / (mn), with
    E k^2 = A - (share of tied pairs)/4 (Bandos, Rockette & Gur 2007).
    """
    moments = placement_moments(counts)
    m, n, theta = moments.m, moments.n, moments.theta
    # k is 0, 1/2 or 1, so that k^2 = k - 1/4 for tied pairs and k otherwise.
    kernel = theta * (1 - theta) - moments.tied / 4
    return (kernel + (n - 1) * moments.spread_10 + (m - 1) * moments.spread_01) / (m * n)


class PlacementMoments(NamedTuple):
    """Sizes, area, mean squared deviations of both placements, and share of tied pairs."""

    m: float
    n: float
    theta: float
    spread_10: float
    spread_01: float
    tied: float


def placement_moments(counts: ScoreCounts) -> PlacementMoments:
    """Return the moments of the placements, and the share of pairs with equal scores."""
    m, n = counts.total_pos, counts.total_neg
    v10, v01 = placements(counts)
    theta = weighted_sum(counts.n_pos, v10) / m
    # Centred before squaring: E V^2 - A^2 would cancel where placements hardly vary.
    v10 -= theta
    v01 -= theta
    spread_10 = float(np.einsum("i,i,i->", counts.n_pos, v10, v10)) / m
    spread_01 = float(np.einsum("i,i,i->", counts.n_neg, v01, v01)) / n
    tied = weighted_sum(counts.n_pos, counts.n_neg) / (m * n)
    return PlacementMoments(m, n, theta, spread_10, spread_01, tied)


# --- The ideal bootstrap covariance of several areas ----------------------------------------------


def ideal_bootstrap_area_covariance(cases: ScoredCases, predictors: Sequence[int]) -> FloatArray:
    """Return the k x k covariance of areas over infinitely many stratified resamples of the cases.

    [(E k1 k2 - A1 A2) + (n - 1)(E V10_1 V10_2 - A1 A2) + (m - 1)(E V01_1 V01_2 - A1 A2)] / (mn),
    with the kernels and placements of two predictors (Bandos, Rockette & Gur 2007).
    Folds are resampled within, and areas are their means. The mean of products of kernels takes
    every pair of cases, in blocks; beyond 1e8 pairs it is replaced by the product of the areas.
    """
    folds = [_fold_bootstrap_covariance(part, predictors) for _, part in cases.by_fold()]
    return np.asarray(np.sum(folds, axis=0) / len(folds) ** 2)


# Beyond 10^8 pairs the term left out is 1/(mn) <= 1e-8 of a variance of kernels, relative to terms
# of order 1/m + 1/n: under a part in ten thousand. Within, the products take seconds.
_LARGEST_CROSSED = 1e8
_KERNELS_AT_ONCE = 2**22  # 32 MB of doubles


def _fold_bootstrap_covariance(cases: ScoredCases, predictors: Sequence[int]) -> FloatArray:
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    v10, v01 = case_placements(cases, predictors, pos, neg)
    m, n = cases.n_pos, cases.n_neg
    of_pos, of_neg = row_frequency(cases, pos), row_frequency(cases, neg)
    # The mean of the placements of positives is the area; ``outer`` are the products A1 A2.
    theta = v10 @ of_pos / m
    outer = np.outer(theta, theta)
    spread_10 = (v10 * of_pos) @ v10.T / m - outer
    spread_01 = (v01 * of_neg) @ v01.T / n - outer
    kernel = np.zeros_like(outer)
    if len(pos) * len(neg) <= _LARGEST_CROSSED:
        kernel = mean_kernel_products(cases, predictors, pos, neg) - outer
    return np.asarray((kernel + (n - 1) * spread_10 + (m - 1) * spread_01) / (m * n))


def mean_kernel_products(
    cases: ScoredCases, predictors: Sequence[int], pos: IntArray, neg: IntArray
) -> FloatArray:
    """Return the k x k means of products of kernels over all positive-negative pairs."""
    codes = [cases.codes(k) for k in predictors]
    of_pos, of_neg = row_frequency(cases, pos), row_frequency(cases, neg)
    total = np.zeros((len(predictors), len(predictors)))
    rows = max(1, _KERNELS_AT_ONCE // (len(neg) * len(predictors)))
    for start in range(0, len(pos), rows):
        part = slice(start, start + rows)
        # Codes count from the most positive score: a positive is above when its code is smaller.
        signs = [np.sign(code[neg] - code[pos[part]][:, np.newaxis]).ravel() for code in codes]
        kernels = (np.array(signs, dtype=np.float64) + 1) / 2
        pairs = np.outer(of_pos[part], of_neg).ravel()
        total += (kernels * pairs) @ kernels.T
    return np.asarray(total / (of_pos.sum() * of_neg.sum()))


# --- LeDell's variance of a cross-validated area --------------------------------------------------


def ledell_variance(sample: ScoredCases, k: int) -> float:
    """Return the variance sigma^2/N of the cross-validated area of predictor ``k``.

    sigma^2 is the mean over folds v of the mean squared influence value: (V10 - A_v)/p1 of a
    positive, (V01 - A_v)/p0 of a negative, with placements inside the fold and p1, p0 the shares of
    the classes among all N cases. There is no small-sample factor.

    With clusters (the cases of a repeated cross-validation) the values of a cluster are added up
    before they are squared. Repeats of V folds with n_v = N/V cases then give the mean over
    subjects of the squared mean of each subject's values, over the number of subjects.
    """
    folds = [part for _, part in sample.by_fold()]
    total = 0.0
    sums = np.zeros(0 if sample.cluster is None else len(sample.cluster.labels))
    for fold in folds:
        size = fold.n_pos + fold.n_neg
        # 1/sqrt(N V n_v): the mean over the n_v cases, the mean over V folds, and sigma^2/N.
        scale = 1 / np.sqrt((sample.n_pos + sample.n_neg) * len(folds) * size)
        for rows, values in _ledell_influence(fold, k, sample):
            weight = row_frequency(fold, rows)
            # Values of a subject over repeats are added before squaring: this extension is ours.
            if fold.cluster is None:
                total += scale**2 * weighted_sum(weight, values * values)
            else:
                codes = fold.cluster.codes[rows]
                sums += np.bincount(codes, weights=scale * weight * values, minlength=len(sums))
    return total if sample.cluster is None else float(np.dot(sums, sums))


def _ledell_influence(
    fold: ScoredCases, k: int, sample: ScoredCases
) -> list[tuple[IntArray, FloatArray]]:
    """Return rows and influence values of the positives and of the negatives of a fold."""
    pos, neg = np.flatnonzero(fold.is_positive), np.flatnonzero(~fold.is_positive)
    v10, v01 = (values[0] for values in case_placements(fold, [k], pos, neg))
    weight = row_frequency(fold, pos)
    mean = weighted_sum(weight, v10) / weight.sum()
    # The class shares p1 and p0 are those of all data, not of the fold (LeDell et al. 2015).
    n = sample.n_pos + sample.n_neg
    return [(pos, (v10 - mean) * n / sample.n_pos), (neg, (v01 - mean) * n / sample.n_neg)]
