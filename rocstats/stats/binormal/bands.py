"""Limits of a binormal curve: Working & Hotelling's, and the envelope of ellipses."""

from __future__ import annotations

from typing import Literal

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import BoolArray, FloatArray, Limits
from rocstats.stats.binormal.fit import BinormalFit

# .618^32 of the range, 2e-7, is left. Near its maximum the edge is flat: its error is of the order
# of the square, below rounding.
_N_SHRINKS = 32
_GOLDEN = (np.sqrt(5) - 1) / 2


def working_hotelling_limits(
    fit: BinormalFit,
    fpr: FloatArray,
    confidence_level: float,
    scope: Literal["pointwise", "simultaneous"],
) -> Limits:
    """Return the limits Phi(a + b z -+ k s(z)), with s the standard error of a + b z.

    k^2 is the chi-square quantile with 2 degrees of freedom (simultaneous) or with 1 (pointwise).
    """
    simultaneous = scope == "simultaneous"
    k = radius(confidence_level) if simultaneous else float(sp.ndtri((1 + confidence_level) / 2))
    z, inner = _deviates(fpr)
    v = fit.covariance
    centre = fit.a + fit.b * z
    # The variance is a quadratic in z that may round below 0.
    reach = k * np.sqrt(np.maximum(v[0, 0] + 2 * v[0, 1] * z + v[1, 1] * z**2, 0.0))
    # For large abs(z) the limits go as (b -+ k sd(b)) z: slopes of either sign cover [0, 1] at both
    # ends.
    opens = bool(k * np.sqrt(v[1, 1]) > fit.b)
    return _within(fit, fpr, inner, centre - reach, centre + reach, opens)


def ellipse_limits(fit: BinormalFit, fpr: FloatArray, confidence_level: float) -> Limits:
    """Return Demidenko's limits: the envelope, in probits, of confidence ellipses by threshold.

    The ellipse at the threshold c lies around (c, a + b c), its squared half-axes the chi-square
    quantile with 2 degrees of freedom times (1 + c^2/2)/n_neg and (1 + (a + b c)^2/2)/n_pos.
    """
    k = radius(confidence_level)
    z, inner = _deviates(fpr)
    share = k**2 / fit.n_neg
    opens = share >= 2
    if opens or np.isnan(fit.a):  # ellipses grow faster than their distance: they cover the plane
        nothing = np.full_like(z, np.nan if np.isnan(fit.a) else np.inf)
        return _within(fit, fpr, inner, -nothing, nothing, opens)
    # Thresholds whose ellipses reach z: the roots of (z - c)^2 = share (1 + c^2/2).
    middle = z / (1 - share / 2)
    half = np.sqrt(share * (z**2 / 2 + 1 - share / 2)) / (1 - share / 2)
    ends = [_furthest(fit, z, middle, half, k, share, sign) for sign in (-1.0, 1.0)]
    return _within(fit, fpr, inner, ends[0], ends[1], k**2 >= 2 * fit.n_pos)


def _furthest(
    fit: BinormalFit,
    z: FloatArray,
    middle: FloatArray,
    half: FloatArray,
    k: float,
    share: float,
    sign: float,
) -> FloatArray:
    """Return the highest (sign 1) or lowest (-1) edge at each z, by golden section."""

    def edge(c: FloatArray) -> FloatArray:
        y = fit.a + fit.b * c
        room = np.maximum(1 - (z - c) ** 2 / (share * (1 + c**2 / 2)), 0.0)
        return sign * y + k * np.sqrt((1 + y**2 / 2) / fit.n_pos * room)

    low, high = middle - half, middle + half
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = edge(left), edge(right)
    for _ in range(_N_SHRINKS):
        up = at_left < at_right
        low, high = np.where(up, left, low), np.where(up, high, right)
        new = np.where(up, low + _GOLDEN * (high - low), high - _GOLDEN * (high - low))
        at_new = edge(new)
        left, right = np.where(up, right, new), np.where(up, new, left)
        at_left, at_right = np.where(up, at_right, at_new), np.where(up, at_new, at_left)
    return sign * np.maximum(at_left, at_right)


def radius(confidence_level: float) -> float:
    """Return the root of the chi-square quantile with 2 degrees of freedom."""
    # In closed form, as chi-square with 2 degrees of freedom is exponential.
    return float(np.sqrt(-2 * np.log1p(-confidence_level)))


def _deviates(fpr: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the probits of rates, 0 at the ends, and which rates are inside (0, 1)."""
    inner = (fpr > 0) & (fpr < 1)
    return np.asarray(sp.ndtri(np.where(inner, fpr, 0.5))), inner


def _within(
    fit: BinormalFit,
    fpr: FloatArray,
    inner: BoolArray,
    low: FloatArray,
    high: FloatArray,
    opens: bool,
) -> Limits:
    """Return limits as rates; where ``opens``, they spread to 0 and 1 at both ends of the range."""
    if np.isnan(fit.a):
        return np.full_like(fpr, np.nan), np.full_like(fpr, np.nan)
    low_end, high_end = (0.0, 1.0) if opens else (fpr, fpr)
    return np.where(inner, sp.ndtr(low), low_end), np.where(inner, sp.ndtr(high), high_end)
