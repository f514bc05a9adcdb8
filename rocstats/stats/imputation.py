"""Rubin's rules: estimates of imputed data sets pooled into one. Arrays only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.scales import Scale
from rocstats.stats.word import Word

RUBIN = Word(
    "rubin",
    "by Rubin's rules, with the degrees of freedom of Barnard and Rubin",
    ("rubin-1987", "barnard-1999"),
)
"""The third word of ``method`` of pooled answers."""


class Pooled(NamedTuple):
    """Pooled values, their standard errors and degrees of freedom, on the scale of the values."""

    value: FloatArray
    se: FloatArray
    df: FloatArray
    fraction_missing: FloatArray


def pool(values: FloatArray, variances: FloatArray, df_complete: FloatArray) -> Pooled:
    """Return values of imputed data sets pooled by Rubin's rules.

    Parameters
    ----------
    values, variances : ndarray of shape (m, k)
        Estimates and their variances in each of m data sets.
    df_complete : ndarray of shape (k,)
        Degrees of freedom if nothing were missing; infinite for those of Rubin (1987).
    """
    # docs/methods/imputation.md, "Rubin's rules".
    m = len(values)
    within = variances.mean(axis=0)
    between = (1 + 1 / m) * values.var(axis=0, ddof=1)
    total = within + between
    with np.errstate(divide="ignore", invalid="ignore"):
        lost, ratio = between / total, between / within
        old = (m - 1) / lost**2
        # nu (nu + 1)/(nu + 3) without infinity over infinity.
        observed = df_complete * (1 - 2 / (df_complete + 3)) * (1 - lost)
        df = 1 / (1 / old + 1 / observed)
        fraction = (ratio + 2 / (df + 3)) / (1 + ratio)
    return Pooled(values.mean(axis=0), np.sqrt(total), df, fraction)


class Answers(NamedTuple):
    """Estimates with standard errors and limits, a row a data set; ``reach`` is that of limits."""

    estimate: FloatArray
    se: FloatArray
    low: FloatArray
    high: FloatArray
    reach: FloatArray

    def inside(self, scale: Scale) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return estimates and standard errors that have a variance on a scale, and which changed.

        The middle of the limits and their half width over the normal quantile take the place of an
        estimate at an end of the scale, or with a standard error of 0.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            at_end = (self.se == 0) | np.isinf(scale.slope(self.estimate))
        edge = at_end & np.isfinite(self.se + self.low + self.high)
        middle, spread = (self.low + self.high) / 2, (self.high - self.low) / (2 * self.reach)
        return np.where(edge, middle, self.estimate), np.where(edge, spread, self.se), edge


def pool_answers(
    answers: Answers, scale: Scale, df_complete: FloatArray
) -> tuple[Pooled, BoolArray]:
    """Return answers pooled on a scale, and where an estimate was taken from its limits."""
    estimate, se, edge = answers.inside(scale)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        variances = (se * scale.slope(estimate)) ** 2
        pooled = pool(scale.forward(estimate), variances, df_complete)
    return pooled, np.asarray(edge.any(axis=0))
