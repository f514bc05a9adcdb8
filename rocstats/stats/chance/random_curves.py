"""Distributions of the curve of a random scorer without ties, which depend on class sizes only."""

from __future__ import annotations

from math import gcd

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, IntArray, Limits

LARGEST_GRID = 1e6
"""Pairs up to which the lattice paths of the Kolmogorov statistic are counted."""

# With 10^5 cases log-factorials reach 10^6, so that probabilities are off by up to some 1e-10: a
# level that is reached exactly must not be missed by that.
_TOLERANCE = 1e-10

# Standard deviations beyond which there is no mass that matters: a beta-binomial has exponential
# tails where few negatives are flagged, or few are not, and is nearly normal elsewhere; so is a
# hypergeometric.
_SKEWED, _NORMAL, _NEARLY_NORMAL = 40, 9, 400


def beta_binomial_limits(
    n_pos: int, n_neg: int, flagged: IntArray, confidence_level: float
) -> Limits:
    """Return central limits of the TPR of a random scorer where ``flagged`` negatives are called.

    The true positives above the (k + 1)-th highest negative are BetaBinomial(m, k + 1, n - k): the
    upper end of the vertical step at the false positive rate k/n. At k = n the TPR is 1.
    """
    tail = (1 - confidence_level) / 2
    levels = np.array([tail, 1 - tail])
    limits = np.ones((len(flagged), 2))
    log_factorial = sp.gammaln(np.arange(n_pos + n_neg + 1) + 1.0)
    for row, k in enumerate(flagged):
        if k < n_neg:
            limits[row] = _beta_binomial(n_pos, n_neg, int(k), levels, log_factorial) / n_pos
    return limits[:, 0], limits[:, 1]


def hypergeometric_limits(
    n_pos: int, n_neg: int, flagged: IntArray, confidence_level: float
) -> Limits:
    """Return central limits of the true positives among ``flagged`` cases called at random."""
    tail = (1 - confidence_level) / 2
    levels = np.array([tail, 1 - tail])
    log_factorial = sp.gammaln(np.arange(n_pos + n_neg + 1) + 1.0)
    limits = np.array(
        [_hypergeometric(n_pos, n_neg, int(k), levels, log_factorial) for k in flagged]
    )
    return limits[:, 0], limits[:, 1]


def _beta_binomial(
    m: int, n: int, k: int, levels: FloatArray, log_factorial: FloatArray
) -> FloatArray:
    mean = m * (k + 1) / (n + 1)
    spread = np.sqrt(mean * (n - k) / (n + 1) * (m + n + 1) / (n + 2))
    tp = _window(mean, spread, 0, m, min(k, n - k))
    f = log_factorial
    ways = f[tp + k] - f[tp] - f[k] + f[m - tp + n - k - 1] - f[m - tp] - f[n - k - 1]
    return _quantiles(tp, ways - (f[m + n] - f[m] - f[n]), levels)


def _hypergeometric(
    m: int, n: int, k: int, levels: FloatArray, log_factorial: FloatArray
) -> FloatArray:
    share = k / (m + n)
    spread = np.sqrt(m * share * (1 - share) * n / max(m + n - 1, 1))
    tp = _window(m * share, spread, max(0, k - n), min(m, k), min(k, m + n - k))
    f = log_factorial
    of_pos = f[m] - f[tp] - f[m - tp]
    of_neg = f[n] - f[k - tp] - f[n - k + tp]
    return _quantiles(tp, of_pos + of_neg - (f[m + n] - f[k] - f[m + n - k]), levels)


def _window(mean: float, spread: float, least: int, most: int, n_flagged: int) -> IntArray:
    """Return the numbers of true positives whose probability is not negligible."""
    width = (_SKEWED if n_flagged < _NEARLY_NORMAL else _NORMAL) * spread
    return np.arange(max(least, int(mean - width) - 1), min(most, int(mean + width) + 1) + 1)


def _quantiles(tp: IntArray, log_mass: FloatArray, levels: FloatArray) -> FloatArray:
    """Return the least numbers at which the distribution function reaches each level."""
    first = np.searchsorted(np.cumsum(np.exp(log_mass)), levels - _TOLERANCE)
    return tp[np.minimum(first, len(tp) - 1)].astype(np.float64)


def kolmogorov_critical(n_pos: int, n_neg: int, alpha: float) -> float:
    """Return the least distance d with P(max abs(TPR - FPR) >= d) <= alpha; infinite if none.

    The statistic is a multiple of 1/lcm(m, n). Beyond 10^6 pairs d is asymptotic.
    """
    if n_pos * n_neg > LARGEST_GRID:
        return float(sp.kolmogi(alpha) * np.sqrt(1 / n_pos + 1 / n_neg))
    # Bisection over the multiples: the p value falls with the distance.
    step = gcd(n_pos, n_neg)
    low, high = 0, n_pos * n_neg // step  # P(max >= 0) = 1
    if 1 - share_inside(n_pos, n_neg, high * step) > alpha + _TOLERANCE:
        return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        p = 1 - share_inside(n_pos, n_neg, middle * step)
        low, high = (low, middle) if p <= alpha + _TOLERANCE else (middle, high)
    return high * step / (n_pos * n_neg)


def share_inside(n_pos: int, n_neg: int, reach: int) -> float:
    """Return the share of curves on which abs(i n - j m) < reach at all i of m, j of n."""
    # Lattice paths are counted row by row: cumulative sums of the row before, inside the bounds.
    # Each row is divided by its largest number, as the counts would overflow.
    m, n = sorted((n_pos, n_neg))
    paths = np.zeros(n + 1)
    paths[0] = 1
    log_scale = 0.0
    for i in range(m + 1):
        first = max(0, (i * n - reach) // m + 1)
        last = min(n, -((-i * n - reach) // m) - 1)
        if last < first:
            return 0.0
        inside = np.cumsum(paths[first : last + 1])
        largest = float(inside[-1])
        if largest == 0:
            return 0.0
        paths[:] = 0
        paths[first : last + 1] = inside / largest
        log_scale += np.log(largest)
    log_all = sp.gammaln(m + n + 1) - sp.gammaln(m + 1) - sp.gammaln(n + 1)
    return float(min(1.0, paths[n] * np.exp(log_scale - log_all)))
