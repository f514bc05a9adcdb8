"""Variances of an AUC from its count table alone: Hanley-McNeil, Bamber, ideal bootstrap."""

from __future__ import annotations

import numpy as np

from rocstats.curves.area import area, placements
from rocstats.sample.counts import ScoreCounts


def hanley_mcneil_terms(theta: float) -> tuple[float, float]:
    """Return Q1 and Q2 of exponentially distributed scores with AUC ``theta``."""
    return theta / (2 - theta), 2 * theta**2 / (1 + theta)


def _three_terms(theta: float, q1: float, q2: float, m: float, n: float) -> float:
    spread = theta * (1 - theta) + (m - 1) * (q1 - theta**2) + (n - 1) * (q2 - theta**2)
    return max(spread, 0.0) / (m * n)


def hanley_mcneil(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982) under their exponential approximation."""
    q1, q2 = hanley_mcneil_terms(theta)
    return _three_terms(theta, q1, q2, n_pos, n_neg)


def hanley_mcneil_data(counts: ScoreCounts) -> float:
    """Return the variance of Hanley & McNeil (1982) with Q1, Q2 from the data.

    Their table method: ties are split at random, which gives the thirds.
    """
    m, n = counts.total_pos, counts.total_neg
    above = np.cumsum(counts.n_pos) - counts.n_pos
    below = n - np.cumsum(counts.n_neg)
    at_pos, at_neg = counts.n_pos, counts.n_neg
    q1 = np.dot(at_neg, above**2 + above * at_pos + at_pos**2 / 3) / (n * m**2)
    q2 = np.dot(at_pos, below**2 + below * at_neg + at_neg**2 / 3) / (m * n**2)
    return _three_terms(area(counts), float(q1), float(q2), m, n)


def tied_share(counts: ScoreCounts) -> float:
    """Return the share of positive-negative pairs with equal scores."""
    return float(np.dot(counts.n_pos, counts.n_neg)) / (counts.total_pos * counts.total_neg)


def bootstrap(counts: ScoreCounts) -> float:
    """Return the variance of the stratified bootstrap with infinitely many resamples.

    [(E k^2 - A^2) + (n - 1)(E V10^2 - A^2) + (m - 1)(E V01^2 - A^2)] / (mn), with
    E k^2 = A - (share of tied pairs)/4 (Bandos, Rockette & Gur 2007).
    """
    m, n = counts.total_pos, counts.total_neg
    v10, v01 = placements(counts)
    theta = area(counts)
    spread_10 = np.dot(counts.n_pos, (v10 - theta) ** 2) / m
    spread_01 = np.dot(counts.n_neg, (v01 - theta) ** 2) / n
    kernel = theta * (1 - theta) - tied_share(counts) / 4
    return float(kernel + (n - 1) * spread_10 + (m - 1) * spread_01) / (m * n)


def unbiased(counts: ScoreCounts) -> float:
    """Return the unbiased variance (Bamber 1975), ties allowed.

    NaN unless both classes have two members.
    """
    m, n = counts.total_pos, counts.total_neg
    if m < 2 or n < 2:
        return float("nan")
    v10, v01 = placements(counts)
    theta = area(counts)
    s = m * n * (theta - tied_share(counts) / 4)
    rows = n**2 * float(np.dot(counts.n_pos, v10**2))
    columns = m**2 * float(np.dot(counts.n_neg, v01**2))
    total = (m * n * theta) ** 2
    e3 = s / (m * n)
    e1 = (rows - s) / (m * n * (n - 1))
    e2 = (columns - s) / (m * n * (m - 1))
    e0 = (total - rows - columns + s) / (m * (m - 1) * n * (n - 1))
    return (e3 + (n - 1) * e1 + (m - 1) * e2 - (m + n - 1) * e0) / (m * n)
