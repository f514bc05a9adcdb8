"""Power of a comparison of two modalities by several readers, from variances assumed in advance.

docs/methods/planning.md, "A reader study", derives the formulas.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.planning.roe_metz import Patterns, patterns
from rocstats.stats.readers.record import Factor
from rocstats.stats.readers.simulated import ReadingPlan, RoeMetz

# Places of the chi-square at which power is averaged: the trapezoidal rule on the logarithm is
# exact to rounding here, for every number of degrees of freedom from 1 on.
_PLACES = 2001
# Beyond these degrees of freedom t is normal to rounding.
_NORMAL = 1e15


class Components(NamedTuple):
    """Variances of Obuchowski and Rockette's model with a number of cases.

    ``modality_reader`` is that of readers by modalities; ``error`` is the variance of an area from
    the sample of cases, ``cov1`` to ``cov3`` its covariances.
    """

    modality_reader: float
    error: float
    cov1: float
    cov2: float
    cov3: float

    def with_cases(self, scale: float) -> Components:
        """Return the components with the variances of case sampling times ``scale``."""
        return Components(self.modality_reader, *(scale * value for value in self[1:]))


class PlannedTest(NamedTuple):
    """Variance of the difference of two modalities, and degrees of freedom of its t test."""

    variance: float
    df: float

    def power(self, distances: tuple[float, ...], level: float) -> float:
        """Return the probability to reject on the side of the truth.

        ``distances`` are those of the truth from each null value, which are all to be rejected at
        the one-sided ``level``.
        """
        se, quantile = np.sqrt(self.variance), self._quantile(level)
        root, weight = _chi(self.df)
        # Given the estimated standard error, each test asks for a part of the normal line; two of
        # them ask for what lies between.
        passed = [sp.ndtr(distance / se - quantile * root) for distance in distances]
        both = np.maximum(np.sum(passed, axis=0) - (len(passed) - 1), 0.0)
        return float(weight @ both)

    def half_width(self, alpha: float) -> float:
        """Return half the width of the two-sided interval at the level 1 - alpha."""
        return self._quantile(alpha / 2) * float(np.sqrt(self.variance))

    def _quantile(self, level: float) -> float:
        """Return the upper quantile, of a level below 1/2."""
        # Not below 0: below 1e-308 SciPy's quantile of t has the sign of the other side.
        return abs(float(sp.ndtri(level) if self.df > _NORMAL else sp.stdtrit(self.df, level)))


def _chi(df: float) -> tuple[FloatArray, FloatArray]:
    """Return places of sqrt(chi-square/df) and their probabilities."""
    if df > _NORMAL:
        return np.ones(1), np.ones(1)
    # With x = ln(chi-square/df) the density is proportional to exp(df/2 (x - e^x)): about normal
    # with the variance 2/df, but with an exponential tail on the left.
    spread = np.sqrt(2 / df)
    x = np.linspace(-10 * spread - 80 / df, min(10 * spread, 5.0), _PLACES)
    weight = np.exp(df / 2 * (x - np.expm1(x)))
    return np.exp(x / 2), weight / weight.sum()


def of_components(
    components: Components, n_readers: int, n_groups: int, readers: Factor
) -> PlannedTest:
    """Return the test of Obuchowski and Rockette with the components of the planned cases.

    With ``n_groups`` > 1 each group of readers reads its own part of the cases, so that readers of
    different groups share none.
    """
    # A group has 1/g of the cases, and g times the variance of case sampling.
    tau, s2, cov1, cov2, cov3 = components.with_cases(n_groups)
    of_group = np.diff(-(-np.arange(n_groups + 1) * n_readers // n_groups))
    # Readers with whom a reader shares the cases, the reader included; r without groups.
    sharing = float(np.sum(of_group**2)) / n_readers
    tau, between = max(tau, 0.0), max(cov2 - cov3, 0.0)
    if readers == "fixed":
        return PlannedTest(2 * (s2 - cov1 + (sharing - 1) * between) / n_readers, np.inf)
    total = tau + s2 - cov1 + (sharing - 1) * between
    square = tau + s2 - cov1 - (cov2 - cov3)
    df = (n_readers - n_groups) * (total / square) ** 2 if square > 0 else np.inf
    return PlannedTest(2 * total / n_readers, df)


def of_model(model: RoeMetz, plan: ReadingPlan, readers: Factor) -> PlannedTest:
    """Return the test that the first two modalities differ, under the model of Roe & Metz.

    The variance is exact. Where every reader reads every case, the degrees of freedom are those of
    Obuchowski and Rockette's test, else those of U-statistics.
    """
    own = [patterns(model, plan, i, i) for i in (0, 1)]
    both = patterns(model, plan, 0, 1)
    if plan.n_groups == 1 and plan.nested is None:
        return of_components(expected_components(own, both), plan.n_readers, 1, readers)
    if readers == "fixed":
        return PlannedTest(
            sum(part.of_cases for part in own) - 2 * both.of_cases,
            np.inf,
        )
    variance = own[0].covariance + own[1].covariance - 2 * both.covariance
    return PlannedTest(variance, _df(own, both, variance))


def expected_components(own: list[Patterns], both: Patterns) -> Components:
    """Return the expectation of Obuchowski and Rockette's components, every case read by all."""
    error, cov2 = np.mean([part.given_readers for part in own], axis=0)
    cov1, cov3 = both.given_readers
    of_readers = np.mean([part.of_readers for part in own]) - both.of_readers
    return Components(float(of_readers), *map(float, (error, cov1, cov2, cov3)))


def _df(own: list[Patterns], both: Patterns, variance: float) -> float:
    """Return the degrees of freedom of U-statistics with the expected components.

    Variance^2 over the sum of component^2/number^3, at least the least number.
    """
    parts = np.sum([part.components for part in own], axis=0) - 2 * both.components
    numbers = np.min([part.numbers for part in own], axis=0)
    if both.shares[2] == 0:
        # Readers of their own: each modality's component of readers has its own number.
        parts = np.concatenate([parts[:2], [part.components[2] for part in own]])
        numbers = np.concatenate([numbers[:2], [part.numbers[2] for part in own]])
    return max(float(variance**2 / np.sum(parts**2 / numbers**3)), float(numbers.min()))
