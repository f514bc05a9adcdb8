"""Variances of an AUC from its count table alone: Hanley-McNeil, Bamber, ideal bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.curves.areas.whole import area, placements, weighted_sum
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.areas.record import AreaVariance, Estimate
from rocstats.stats.areas.units import units_of
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.hanley_mcneil_score import hanley_mcneil, three_terms
from rocstats.stats.word import Word
from rocstats.tolerances import cleared


class Moments(NamedTuple):
    """Sizes, area, mean squared deviations of both placements, and share of tied pairs."""

    m: float
    n: float
    theta: float
    spread_10: float
    spread_01: float
    tied: float


def moments_of(counts: ScoreCounts) -> Moments:
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
    return Moments(m, n, theta, spread_10, spread_01, tied)


def hanley_mcneil_data(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the variance of Hanley & McNeil (1982) with Q1, Q2 from the data.

    Their table method: ties are split at random, which gives the thirds. With mid-ranks
    Q1 = E V01^2 and Q2 = E V10^2 ties count a quarter: what is left is 1/12 of their squares.
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    tied_pos = float(np.einsum("i,i,i->", counts.n_neg, counts.n_pos, counts.n_pos))
    tied_neg = float(np.einsum("i,i,i->", counts.n_pos, counts.n_neg, counts.n_neg))
    # The variance of a uniform share is 1/12 of its squared width.
    q1 = moments.spread_01 + theta**2 + tied_pos / (12 * n * m**2)
    q2 = moments.spread_10 + theta**2 + tied_neg / (12 * m * n**2)
    return three_terms(theta, q1, q2, m, n)


def bootstrap(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the variance of the stratified bootstrap with infinitely many resamples.

    [(E k^2 - A^2) + (n - 1)(E V10^2 - A^2) + (m - 1)(E V01^2 - A^2)] / (mn), with
    E k^2 = A - (share of tied pairs)/4 (Bandos, Rockette & Gur 2007).
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    # k is 0, 1/2 or 1, so that k^2 = k - 1/4 for tied pairs and k otherwise.
    kernel = theta * (1 - theta) - moments.tied / 4
    return (kernel + (n - 1) * moments.spread_10 + (m - 1) * moments.spread_01) / (m * n)


def unbiased(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the unbiased variance (Bamber 1975), ties allowed.

    NaN unless both classes have two members.
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    if m < 2 or n < 2:
        return float("nan")
    # s, s_r, s_c and t of docs/methods/areas.md, "The unbiased variance": sums over the same pair,
    # pairs with a common positive, with a common negative, and all.
    s = m * n * (theta - moments.tied / 4)
    rows = n**2 * m * (moments.spread_10 + theta**2)
    columns = m**2 * n * (moments.spread_01 + theta**2)
    total = (m * n * theta) ** 2
    # Means over pairs of pairs that share both cases, a positive, a negative, and none (e0
    # estimates theta^2 without bias).
    e3 = s / (m * n)
    e1 = (rows - s) / (m * n * (n - 1))
    e2 = (columns - s) / (m * n * (m - 1))
    e0 = (total - rows - columns + s) / (m * (m - 1) * n * (n - 1))
    return (e3 + (n - 1) * e1 + (m - 1) * e2 - (m + n - 1) * e0) / (m * n)


def mean_over_folds(of_counts: Callable[[ScoreCounts], tuple[float, float]]) -> Estimate:
    """Return an estimator of the mean area over folds from each fold's area and variance."""

    def estimate(sample: ScoredCases, k: int, over: AreaRange, spread: bool) -> Area:
        pairs = [of_counts(part.counts(k)) for _, part in sample.by_fold()]
        mean = float(np.mean([value for value, _ in pairs]))
        # Independent folds, equally weighted: the variance of a mean.
        total = sum(v for _, v in pairs) / len(pairs) ** 2
        return Area(mean, cleared(total), np.inf, *units_of(sample))

    return estimate


def _by_size(counts: ScoreCounts) -> tuple[float, float]:
    theta = area(counts)
    return theta, hanley_mcneil(theta, counts.total_pos, counts.total_neg)


def _by_moments(variance: Callable[[ScoreCounts, Moments], float]) -> Estimate:
    def of_counts(counts: ScoreCounts) -> tuple[float, float]:
        moments = moments_of(counts)
        return moments.theta, variance(counts, moments)

    return mean_over_folds(of_counts)


HANLEY_MCNEIL = AreaVariance(
    "hanley-mcneil",
    mean_over_folds(_by_size),
    (
        Word(
            "hanley-mcneil",
            "by the exponential approximation of Hanley and McNeil",
            ("hanley-mcneil-1982",),
        ),
    ),
)
HANLEY_MCNEIL_DATA = AreaVariance(
    "hanley-mcneil-data",
    _by_moments(hanley_mcneil_data),
    (
        Word(
            "hanley-mcneil-data",
            "by the formula of Hanley and McNeil with its probabilities taken from the data",
            ("hanley-mcneil-1982",),
        ),
    ),
)
UNBIASED = AreaVariance(
    "unbiased",
    _by_moments(unbiased),
    (Word("unbiased", "by the unbiased estimator of the variance of a U statistic"),),
)
_BY_BOOTSTRAP = "by the stratified bootstrap with infinitely many resamples"
BOOTSTRAP = AreaVariance(
    "bootstrap",
    _by_moments(bootstrap),
    (
        Word("bootstrap", _BY_BOOTSTRAP),
        Word("foldwise-bootstrap", f"{_BY_BOOTSTRAP} within each cross-validation fold"),
    ),
)
