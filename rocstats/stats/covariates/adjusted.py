"""Covariate-adjusted areas with influence values (Janes & Pepe 2009).

The scores of the negatives are regressed on the covariates. Each positive is placed among the
standardised residuals e_j of the negatives: U_i is their share below z_i = (x_i - X_i b)/s, or
Phi(z_i). The adjusted area is the mean of U_i, and the adjusted curve the distribution of 1 - U_i.
Influence values: docs/methods/covariates.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.areas.delong import snapped
from rocstats.stats.covariates.regression import Regression, residuals

Residuals = Literal["empirical", "normal"]
RESIDUALS: tuple[Residuals, ...] = get_args(Residuals)

# Standardised residuals closer than this are equal: they are sums of some products of order 1.
_SAME_RESIDUAL = 1e-12
# Numbers of pairs in memory at once: 8 MB for an array of them.
_BLOCK = 2**20


class Positives(NamedTuple):
    """Scores of the positives (u), their covariates (u x p) and the number of cases of a row."""

    score: FloatArray
    design: FloatArray
    weight: FloatArray


class AdjustedArea(NamedTuple):
    """An adjusted area, the placement of each positive, and the influence of cases on the area.

    Influence has the size of the class as divisor, as in ``ClassInfluence``.
    """

    value: float
    placement: FloatArray
    of_positives: FloatArray
    of_negatives: FloatArray


def adjusted_area(positives: Positives, negatives: Regression, kind: Residuals) -> AdjustedArea:
    """Return the adjusted area; NaN for normal residuals that do not vary."""
    influence = _KINDS[kind]
    # Where covariates explain the negatives whole any unit does: the placements are 0, 1/2 or 1.
    unit = negatives.s or float(np.abs(positives.score).max(initial=0.0)) or 1.0
    rest = residuals(positives.score, positives.design, negatives.coefficients)
    placement, of_negatives = influence(positives, rest / unit, negatives, unit)
    value = _mean(placement, positives.weight)
    return AdjustedArea(
        value if np.isnan(value) else snapped(value),
        placement,
        (placement - value) / positives.weight.sum(),
        # Of v the n - p of s^2 are left: the factor n/(n - 1) of all variances becomes n/(n - p).
        of_negatives * np.sqrt((negatives.size - 1) / negatives.df),
    )


def _empirical(
    positives: Positives, z: FloatArray, negatives: Regression, unit: float
) -> tuple[FloatArray, FloatArray]:
    """Return the mid-rank placements of positives, and the influence of negatives."""
    e = negatives.residual / unit
    codes = _tie_codes(np.concatenate([z, e]))
    of_z, of_e = codes[: len(z)], codes[len(z) :]
    below = _shares_below(of_z, of_e, negatives.weight)
    above = 1 - _shares_below(of_e, of_z, positives.weight)
    slope = _slope(positives, z, negatives, e) / unit
    value = _mean(below, positives.weight)
    return below, (above - value) / negatives.size + negatives.moves() @ slope


def _normal(
    positives: Positives, z: FloatArray, negatives: Regression, unit: float
) -> tuple[FloatArray, FloatArray]:
    """Return the normal placements of positives, and the influence of negatives."""
    if negatives.s == 0:
        return np.full_like(z, np.nan), np.full_like(negatives.residual, np.nan)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    share = positives.weight / positives.weight.sum()
    by_coefficients = -(share * density) @ positives.design / unit
    by_s = -float(share @ (density * z)) / unit
    squares = negatives.residual**2 * negatives.size / negatives.df
    moved_s = (squares - unit**2) / (2 * unit * negatives.size)
    return np.asarray(sp.ndtr(z)), negatives.moves() @ by_coefficients + moved_s * by_s


_Influence = Callable[[Positives, FloatArray, Regression, float], tuple[FloatArray, FloatArray]]
_KINDS: dict[Residuals, _Influence] = {"empirical": _empirical, "normal": _normal}


def _slope(positives: Positives, z: FloatArray, negatives: Regression, e: FloatArray) -> FloatArray:
    """Return the derivative of the area by the coefficients, times s.

    It is the mean over pairs of K_h(z_i - e_j) (X_j - X_i), K the normal density. The derivative
    by s vanishes, since z and e are ranked in one unit.
    """
    width = _bandwidth(positives, z, negatives, e)
    total = np.zeros(negatives.design.shape[1])
    if not width > 0:
        return total
    step = max(1, _BLOCK // len(e))
    for start in range(0, len(z), step):
        rows = slice(start, start + step)
        near = np.exp(-(((z[rows, np.newaxis] - e) / width) ** 2) / 2)
        near *= positives.weight[rows, np.newaxis] * negatives.weight
        total += near.sum(axis=0) @ negatives.design - near.sum(axis=1) @ positives.design[rows]
    pairs = positives.weight.sum() * negatives.size
    return np.asarray(total / (np.sqrt(2 * np.pi) * width * pairs))


def _bandwidth(positives: Positives, z: FloatArray, negatives: Regression, e: FloatArray) -> float:
    """Return Silverman's 1.06 sd m^(-1/5) of the differences z_i - e_j, m the smaller class."""
    # Over all pairs the variance of a difference is the sum of both variances.
    spread = sum(
        _mean((v - _mean(v, w)) ** 2, w) for v, w in ((z, positives.weight), (e, negatives.weight))
    )
    fewer = min(float(positives.weight.sum()), negatives.size)
    return float(1.06 * np.sqrt(spread) * fewer**-0.2)


def _tie_codes(values: FloatArray) -> IntArray:
    """Return the rank of each value among the distinct ones; rounding makes no difference."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order], prepend=values[order[:1]]) > _SAME_RESIDUAL
    codes = np.empty(len(values), dtype=np.intp)
    codes[order] = np.cumsum(steps)
    return codes


def _shares_below(at: IntArray, codes: IntArray, weight: FloatArray) -> FloatArray:
    """Return the share of rows below each place, of those at it one half."""
    counts = np.bincount(codes, weight, max(int(at.max()), int(codes.max())) + 1)
    middle = np.cumsum(counts) - counts / 2
    return np.asarray(middle[at] / weight.sum())


def _mean(values: FloatArray, weight: FloatArray) -> float:
    return float(np.sum(values * weight) / weight.sum())
