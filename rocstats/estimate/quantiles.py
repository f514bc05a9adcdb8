"""Quantiles and tails of the normal and of t, and the ranks of order statistics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np

from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import WHOLE

# --- Quantiles ------------------------------------------------------------------------------------

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def t_quantile(p: float, df: float) -> float:
    """Return a quantile of t with ``df`` degrees of freedom (normal when infinite)."""
    if math.isinf(df):
        return float(sp.ndtri(p))
    log_density = _log_density_of_t_at_0(df)
    tail = min(p, 1 - p)
    if tail > 0 and (log_share := _log_tail_share_of_t(tail, df, log_density)) <= _LOG_POWER_TAIL:
        with np.errstate(over="ignore"):  # a quantile beyond every number is infinite
            return float(np.copysign(np.sqrt(df) * np.exp(-log_share / 2), p - 0.5))
    t = float(sp.stdtrit(df, p))
    below, density = _cdf_and_density_of_t(t, df, log_density)
    # Far out, where the density is 0 in floating point, there is no step to take.
    return t - float((below - p) / density) if density > 0 else t


def t_quantiles(p: float, df: FloatArray) -> FloatArray:
    """Return the quantiles of several t distributions, each that of ``t_quantile``."""
    if len(df) <= _MOST_ONE_BY_ONE:
        return np.array([t_quantile(p, each) for each in df.tolist()])
    tail, finite = min(p, 1 - p), np.isfinite(df)
    usual = finite.copy()
    # Of infinite degrees of freedom, and of squares beyond every number, which are not usual.
    with np.errstate(invalid="ignore", over="ignore"):
        log_density = _log_density_of_t_at_0(df)
        if tail > 0:
            usual &= _log_tail_share_of_t(tail, df, log_density) > _LOG_POWER_TAIL
        t = np.asarray(sp.stdtrit(df, p))
        below, density = _cdf_and_density_of_t(t, df, log_density)
    usual &= density > 0
    found = t - (below - p) / np.where(usual, density, 1.0)
    found[np.isinf(df)] = sp.ndtri(p)
    for k in np.flatnonzero(finite & ~usual):
        found[k] = t_quantile(p, float(df[k]))
    return np.asarray(found)


# So few quantiles cost less one by one than as arrays, whose cost is that of the calls.
_MOST_ONE_BY_ONE = 3


def t_of_normal(z: float, df: float) -> float:
    """Return the quantile of t with ``df`` degrees of freedom in the place of a normal one."""
    if np.isinf(df):
        return z
    # The tail, not 1 - P(z). Beyond the range of floating point a quantile is infinite.
    with np.errstate(all="ignore"):
        size = abs(t_quantile(float(sp.ndtr(-abs(z))), df))
    return float(np.copysign(np.inf if np.isnan(size) else size, z))


def normal_of_t(t: float, df: float) -> float:
    """Return the normal quantile in the place of the quantile ``t`` > 0 with ``df``."""
    return t if np.isinf(df) else float(-sp.ndtri(sp.stdtr(df, -t)))


def order_rank(p: float, n_resamples: int) -> int:
    """Return the rank, ceil((B + 1) p) within 1..B, of the order statistic that is the quantile."""
    rank = int(np.ceil((n_resamples + 1) * p - WHOLE))
    return min(max(rank, 1), n_resamples)


# --- Limits and P values --------------------------------------------------------------------------


def probability_below_upper_limit(confidence_level: float, alternative: Alternative) -> float:
    """Return the probability below the quantile of the upper limit."""
    # One-sided limits keep the whole of alpha in their tail, so that they agree with the test.
    return 1 - (1 - confidence_level) / (2 if alternative == "two-sided" else 1)


def limits_at_both_quantiles(
    limit: Callable[[float], float],
    confidence_level: float,
    alternative: Alternative,
    lowest: float = -1.0,
    highest: float = 1.0,
    df: float = np.inf,
) -> tuple[float, float]:
    """Return both limits; a one-sided alternative moves the other limit to the end of the range.

    ``limit`` takes a quantile of t with ``df`` degrees of freedom, negative for the lower limit.
    """
    q = t_quantile(probability_below_upper_limit(confidence_level, alternative), df)
    low = lowest if alternative == "less" else limit(-q)
    high = highest if alternative == "greater" else limit(q)
    return low, high


def t_p_value(statistic: float, df: float, alternative: Alternative) -> float:
    """Return the p value of a t statistic (z when ``df`` is infinite)."""

    def upper(x: float) -> float:
        # The tail at -x, not 1 - P(x), which cancels for large x.
        return float(sp.ndtr(-x) if math.isinf(df) else sp.stdtr(df, -x))

    if math.isnan(statistic):
        return float("nan")
    if alternative == "greater":
        return upper(statistic)
    if alternative == "less":
        return upper(-statistic)
    return min(1.0, 2 * upper(abs(statistic)))


def t_p_values(statistic: FloatArray, df: FloatArray, alternative: Alternative) -> FloatArray:
    """Return the p values of several t statistics, each that of ``t_p_value``."""
    if len(statistic) <= _MOST_ONE_BY_ONE:
        each = zip(statistic.tolist(), df.tolist(), strict=True)
        return np.array([t_p_value(*of_one, alternative) for of_one in each])
    signs = {"greater": -1.0, "less": 1.0}
    x = signs[alternative] * statistic if alternative in signs else -np.abs(statistic)
    tails = np.where(np.isinf(df), sp.ndtr(x), sp.stdtr(np.where(np.isinf(df), 1.0, df), x))
    return np.asarray(tails if alternative in signs else np.minimum(1.0, 2 * tails))


# --- Distribution of t, for one number of degrees of freedom or an array of them ------------------

# Where log(df/t^2) is below it, the tail of t is a power of t but for a part of 1e-20.
_LOG_POWER_TAIL = np.log(1e-20)


def _log_tail_share_of_t(tail: float, df: Any, log_density: Any) -> Any:
    """Return log(df/t^2) of a quantile t with a tail that is a power of it.

    Older SciPy misses quantiles so far out.
    """
    # P(T > t) is the density at 0 times sqrt(df) (df/t^2)^(df/2) / df but for a share of df/t^2.
    return 2 / df * (np.log(tail) + np.log(df) / 2 - log_density)


def _log_density_of_t_at_0(df: Any) -> Any:
    """Return the log of the density of t at 0, as the gamma functions overflow beyond df = 342."""
    return sp.gammaln((df + 1) / 2) - sp.gammaln(df / 2) - np.log(df * np.pi) / 2


def _cdf_and_density_of_t(t: Any, df: Any, log_density: Any) -> tuple[Any, Any]:
    """Return the distribution and the density of t, for one Newton step.

    SciPy inverts t to some 1e-14 from 1.17 only; before it is off by 4e-11 or more, of which the
    step leaves rounding. With 1.17 as the oldest SciPy supported, ``sp.stdtrit`` is enough.
    """
    return sp.stdtr(df, t), np.exp(log_density - (df + 1) / 2 * np.log1p(t * t / df))
