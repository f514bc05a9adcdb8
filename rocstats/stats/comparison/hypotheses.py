"""The hypotheses about a difference: null values, sides, and the interval beside the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.tolerances import SAME, TINY

Hypothesis = Literal["difference", "superiority", "non-inferiority", "equivalence"]
HYPOTHESES = ("difference", "superiority", "non-inferiority", "equivalence")


class HypothesisPlan(NamedTuple):
    """The tests of a difference, and the interval beside them.

    ``tests`` are null values with the side of their alternative: all must be rejected, so that the
    p value is the largest of theirs. ``null_value`` and ``hypothesis`` are printed in the row.
    ``alternative`` gives the sides of the interval, ``confidence_level`` its own level.
    """

    confidence_level: float
    alternative: Alternative
    null_value: float
    hypothesis: str
    tests: tuple[tuple[float, Alternative], ...]

    @property
    def side(self) -> Alternative:
        """The alternative of the (first) test."""
        return self.tests[0][1]

    @property
    def alpha(self) -> float:
        """Level of the test that agrees with the interval."""
        # A one-sided test beside a two-sided interval has half of its alpha: 2.5% beside 95%.
        one_sided_beside_two = self.alternative == "two-sided" and self.side != "two-sided"
        return (1 - self.confidence_level) / (2 if one_sided_beside_two else 1)

    def over(self, width: float) -> HypothesisPlan:
        """Return the same hypotheses for a difference divided by ``width``."""
        tests = tuple((value / width, side) for value, side in self.tests)
        return self._replace(null_value=self.null_value / width, tests=tests)

    def lower_is_better(self) -> HypothesisPlan:
        """Return the same hypotheses for a loss, of which less is better.

        A test that the quantity is greater than a value, beside a two-sided interval, becomes one
        that the loss is less than minus that value.
        """
        if self.alternative != "two-sided" or len(self.tests) > 1 or self.side == "two-sided":
            return self
        null = 0.0 - self.null_value  # not -x, which would print -0
        return self._replace(null_value=null, tests=((null, "less"),))

    def at_level(self, confidence_level: float) -> HypothesisPlan:
        """Return the same hypotheses with an interval at another level."""
        return self._replace(confidence_level=confidence_level)


def chi_square(
    values: FloatArray, covariance: FloatArray, largest: float, rounding: float
) -> tuple[float, float, float]:
    """Return v' S^- v, its df and the p value of "all values are 0".

    Directions whose variance is rounding beside the ``largest`` have no part in the df; values that
    leave 0 by more than ``rounding`` along one of them have no test: NaN.
    """
    spread, axes = np.linalg.eigh(covariance)
    kept = spread > SAME * max(largest, TINY)
    along, df = axes.T @ values, float(kept.sum())
    # Their length, which is that under any choice of vectors of equal eigenvalues.
    if np.linalg.norm(along[~kept]) > rounding:
        return float("nan"), df, float("nan")
    statistic = float(np.sum(along[kept] ** 2 / spread[kept]))
    return statistic, df, float(sp.chdtrc(df, statistic)) if df else 1.0


def hardest_test(
    plan: HypothesisPlan, statistic: Callable[[float], float], df: float = np.inf
) -> tuple[float, float]:
    """Return the statistic and p value of the test with the largest p value."""
    # All tests must reject: the intersection-union test (two one-sided tests, Schuirmann 1987).
    tests: list[tuple[float, float]] = []
    for null, side in plan.tests:
        z = statistic(null)
        tests.append((z, p_value(z, df, side)))
    return max(tests, key=lambda test: test[1])
