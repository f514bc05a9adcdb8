"""The area at given covariates, if both classes are normal around a regression (Faraggi 2003)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.areas.delong import snapped
from rocstats.stats.covariates.regression import Regression


class ValueAtCovariates(NamedTuple):
    """An area and its standard error; both NaN where neither class varies around its regression."""

    value: float
    se: float


def area_at(at: FloatArray, positives: Regression, negatives: Regression) -> ValueAtCovariates:
    """Return Phi(q'(b1 - b0)/sqrt(s1^2 + s0^2)) with its delta-method standard error."""
    both = (positives, negatives)
    spread = sum(one.s**2 for one in both)
    if not spread > 0:
        return ValueAtCovariates(np.nan, np.nan)
    gap = float(at @ (positives.coefficients - negatives.coefficients))
    deviate = gap / np.sqrt(spread)
    # Var(s^2) = 2 s^4/df; the coefficients and s^2 of normal errors are independent.
    of_line = sum(one.s**2 * float(at @ one.inverse @ at) for one in both) / spread
    of_spread = sum(2 * one.s**4 / one.df for one in both) / (4 * spread**2)
    se = np.sqrt(of_line + deviate**2 * of_spread)
    density = np.exp(-(deviate**2) / 2) / np.sqrt(2 * np.pi)
    return ValueAtCovariates(snapped(float(sp.ndtr(deviate))), float(density * se))
