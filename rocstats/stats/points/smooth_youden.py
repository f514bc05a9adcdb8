"""Youden's index of two normal distributions, by the delta method, and limits at smooth cuts.

Scores are such that higher ones mean positive. The cutpoint is that of the best TPR - FPR of the
smoothed distributions. Estimates and limits are those of the optimal cutpoint, not of a cutpoint
chosen in the data.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.binormal.fit import class_moments
from rocstats.stats.intervals.quantiles import quantile
from rocstats.tolerances import SAME

Moments = tuple[float, float, float, float]
"""Mean and variance of the negatives, mean and variance of the positives."""

# Central differences of size h have a relative error of about h^2 = 1e-10 by curvature and of
# 1e-16/h = 1e-11 by rounding: near the best step, the cube root of 1e-16.
_DIFFERENCE_STEP = 1e-5


class SmoothCut(NamedTuple):
    """Threshold, TPR, TNR and Youden's index, and their covariance; NaN without a maximum."""

    values: FloatArray
    covariance: FloatArray

    @property
    def se(self) -> FloatArray:
        """Standard errors of the four."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def no_cut() -> SmoothCut:
    """Return a cut that is all NaN."""
    return SmoothCut(np.full(4, np.nan), np.full((4, 4), np.nan))


def normal_cutpoint(moments: Moments) -> float:
    """Return the threshold with the highest Youden index of two normal distributions.

    c = [m1 v0 - m0 v1 - s0 s1 sqrt((m0 - m1)^2 + (v0 - v1) ln(v0/v1))]/(v0 - v1), written as the
    quotient that stays exact as the variances meet, where it is (m0 + m1)/2.
    """
    m0, v0, m1, v1 = moments
    middle = m1 * v0 - m0 * v1
    root = np.sqrt(v0 * v1 * ((m0 - m1) ** 2 + (v0 - v1) * np.log(v0 / v1)))
    # Of the two forms of the root the one whose sum does not cancel.
    if middle + root <= 0:
        return float((middle - root) / (v0 - v1))
    product = m1**2 * v0 - m0**2 * v1 + v0 * v1 * np.log(v1 / v0)
    return float(product / (middle + root))


def _normal_values(moments: Moments) -> FloatArray:
    m0, v0, m1, v1 = moments
    cut = normal_cutpoint(moments)
    tpr, tnr = sp.ndtr((m1 - cut) / np.sqrt(v1)), sp.ndtr((cut - m0) / np.sqrt(v0))
    return np.array([cut, tpr, tnr, tpr + tnr - 1])


def normal_youden(score: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> SmoothCut:
    """Return the cut of normal distributions with the mean and variance of each class.

    Var(mean) = v/n and Var(v) = 2 v^2/(n - 1), all four independent; slopes by differences. The
    cut is NaN where the positives do not have the higher mean, or a class has no variance.
    """
    (m0, v0, n0), (m1, v1, n1) = (class_moments(score, counts) for counts in (n_neg, n_pos))
    if not (m1 > m0 and v0 > 0 and v1 > 0):
        return no_cut()
    # Free of origin and unit, so that the steps of the differences are fit for any scores.
    unit = np.sqrt(v0)
    moments = np.array([0.0, 1.0, (m1 - m0) / unit, v1 / v0])
    slopes = np.empty((4, 4))
    for i in range(4):
        ends = []
        for sign in (-1, 1):
            moved = moments.copy()
            moved[i] += sign * _DIFFERENCE_STEP * max(1.0, moments[i])
            ends.append((moved[i], _normal_values(tuple(moved))))
        slopes[:, i] = (ends[1][1] - ends[0][1]) / (ends[1][0] - ends[0][0])
    v = moments[3]
    # docs/methods/points.md, "Normal cutpoint", with the variance of the negatives as the unit.
    variance = np.array([1 / n0, 2 / (n0 - 1), v / n1, 2 * v**2 / (n1 - 1)])
    scale = np.array([unit, 1.0, 1.0, 1.0])
    values = _normal_values(tuple(moments)) * scale + np.array([m0, 0.0, 0.0, 0.0])
    return SmoothCut(values, (slopes * variance) @ slopes.T * np.outer(scale, scale))


def smooth_limits(
    value: float, se: float, quantity: str, confidence_level: float
) -> tuple[float, float]:
    """Return limits by the delta method: on the probit scale for rates, else plain, in range."""
    z = quantile((1 + confidence_level) / 2, np.inf)
    if quantity in ("tpr", "tnr"):
        # A rate of 0 or 1, to rounding, has an infinite probit and no limits.
        if not SAME < value < 1 - SAME:
            return float("nan"), float("nan")
        # On the probit scale the slope is 1/phi: limits stay in (0, 1).
        middle = sp.ndtri(value)
        reach = z * se * np.sqrt(2 * np.pi) * np.exp(middle**2 / 2)
        return float(sp.ndtr(middle - reach)), float(sp.ndtr(middle + reach))
    low, high = value - z * se, value + z * se
    return (low, high) if quantity == "threshold" else (max(low, -1.0), min(high, 1.0))
