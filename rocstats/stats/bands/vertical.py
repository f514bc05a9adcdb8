"""Vertical bands: limits of the TPR at each false positive rate, from resampled curves.

Draws are n_resamples x g TPRs of resampled curves at g rates, ``curve`` the TPRs of the sample
there. Where the resamples are all alike, as those of a perfect curve are, only the bands with
Wilson's floor have a width.
"""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.bands.equal_precision import equal_precision_reach, resolved_rates
from rocstats.stats.resampling.curves.bands import limit_process_sd, limit_process_sups
from rocstats.stats.resampling.streams import ResamplePlan, sup_quantile


def kolmogorov_limits(curve: FloatArray, draws: FloatArray, level: float) -> Limits:
    """Return curve -+ q, q the quantile of the largest distance of a resampled curve."""
    # The band of Kolmogorov type: one half-width for all rates.
    q = sup_quantile(np.abs(draws - curve).max(axis=1), level)
    return np.clip(curve - q, 0.0, 1.0), np.clip(curve + q, 0.0, 1.0)


def sup_t_limits(
    fpr: FloatArray, curve: FloatArray, draws: FloatArray, n_pos: float, n_neg: float, level: float
) -> Limits:
    """Return limits of equal precision with Wilson's floor, all rates at once.

    With p Wilson's centre and q s from ``equal_precision_reach``, L = min(curve, p) - q s and
    U = max(curve, p) + q s at the rates from 1/n to 1 - 1/n of n negatives.
    """
    inside = resolved_rates(fpr, n_neg)
    centre, floor = wilson_floor(curve, n_pos, level)
    low, high = np.zeros(len(fpr)), np.ones(len(fpr))
    if inside.any():
        reach = equal_precision_reach(curve, draws, floor, inside, level)
        low[inside] = (np.minimum(curve, centre) - reach)[inside]
        high[inside] = (np.maximum(curve, centre) + reach)[inside]
        # Nearer to the ends resamples say nothing of their own. The true curve increases: below U
        # of the first rate to its left, above L of the last rate to its right.
        first, last = np.flatnonzero(inside)[[0, -1]]
        high[:first], low[last + 1 :] = high[first], low[last]
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def wilson_floor(curve: FloatArray, n_pos: float, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the centre of Wilson's interval of each TPR, and the standard deviation there.

    p = (m R + z^2/2)/(m + z^2) and sqrt(p (1 - p)/(m + z^2)), never 0.
    """
    z2 = sp.ndtri((1 + level) / 2) ** 2
    centre = (n_pos * curve + z2 / 2) / (n_pos + z2)
    return centre, np.asarray(np.sqrt(centre * (1 - centre) / (n_pos + z2)))


def regional_limits(
    fpr: FloatArray,
    curve: FloatArray,
    fitted: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    level: float,
    plan: ResamplePlan,
) -> Limits:
    """Return curve -+ q sd over the increasing rates of a region (cf. Jensen et al. 2000).

    ``fitted`` and ``slope`` are a smooth curve R and its derivative r there, as of a binormal fit:
    sd(t)^2 = R(1 - R)/m + r^2 t(1 - t)/n, and q the quantile of the largest abs(G)/sd on the
    simulated paths of the limit process. Other rates have no limits.
    """
    # G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), Brownian bridges (Hsieh & Turnbull 1996).
    sups = limit_process_sups(fpr, fitted, slope, n_pos, n_neg, plan)
    reach = sup_quantile(sups, level) * limit_process_sd(fpr, fitted, slope, n_pos, n_neg)
    return np.clip(curve - reach, 0.0, 1.0), np.clip(curve + reach, 0.0, 1.0)
