"""Mid-p limits of a proportion: Clopper and Pearson's with half the chance of what was seen."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits

# Newton steps double the digits and bisections halve the bracket: 60 of these alone leave 1e-18.
_STEPS = 60


def mid_p_limits(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    """Return the rates at which P(X > x) + P(X = x)/2 and P(X < x) + P(X = x)/2 are the tail.

    Counts and sizes need not be whole: tails are incomplete beta functions (Berry & Armitage 1995).
    """
    return _lower(count, size - count, tail), 1 - _lower(size - count, count, tail)


def _lower(called: FloatArray, others: FloatArray, tail: float) -> FloatArray:
    """Return the lower limits of ``called`` among ``called + others`` cases; 0 of 0 cases."""
    low = np.zeros(np.shape(called))
    some, every = called > 0, others <= 0
    # P(X > n) is 0, so that half of p^n is the tail; never above 1, with less than one case.
    low[every & some] = np.minimum(2 * tail, 1.0) ** (1 / called[every & some])
    inside = some & ~every
    low[inside] = _between(called[inside], others[inside], tail)
    return low


def _between(x: FloatArray, rest: FloatArray, tail: float) -> FloatArray:
    """Return where the mean of P(X >= x) and P(X > x) is the tail; each alone brackets it."""
    low, high = sp.betaincinv(x, rest + 1, tail), sp.betaincinv(x + 1, rest, tail)
    rate = np.sqrt(low * high)
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            excess = (sp.betainc(x, rest + 1, rate) + sp.betainc(x + 1, rest, rate)) / 2 - tail
            low, high = np.where(excess < 0, rate, low), np.where(excess < 0, high, rate)
            next_rate = rate - excess / _density(x, rest, rate)
            within = (low <= next_rate) & (next_rate <= high)
            # Limits of less than one case differ by powers of ten: bisect their logarithms.
            next_rate = np.where(within, next_rate, np.sqrt(low * high))
            # Newton's error is about the square of its step: after 1e-10 only rounding is left.
            settled, rate = np.abs(next_rate - rate) <= 1e-10 * rate, next_rate
            if settled.all():
                break
    return np.asarray(rate)


def _density(x: FloatArray, rest: FloatArray, rate: FloatArray) -> FloatArray:
    """Return the slope of the tail in the rate: the mean of two beta densities."""
    n = x + rest
    log = sp.xlogy(x - 1, rate) + sp.xlogy(rest - 1, 1 - rate) + sp.gammaln(n + 1)
    shared = np.exp(log - sp.gammaln(x + 1) - sp.gammaln(rest + 1))
    # Beta(x, rest + 1) has the factor x(1 - rate), Beta(x + 1, rest) the factor rest rate.
    return np.asarray(shared * (x * (1 - rate) + rest * rate) / 2)
