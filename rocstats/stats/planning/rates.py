"""Power and numbers of cases of tests of rates: against a goal, and of two tests on the same cases.

Exact power adds up binomial probabilities. It is not monotone in the number of cases: the number
needed is the one from which on the power never falls below what was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.sample.arrays import FloatArray

MOST = 1_000_000
MOST_PAIRED = 30_000
_ROWS = 64
_REACH = 10  # standard deviations beyond which discordant pairs have no mass that matters


@dataclass(frozen=True)
class RateTest:
    """A test of one class as it is planned: power by numbers of cases at a one-sided level.

    ``null`` and ``assumed`` are standard deviations of one case.
    """

    distance: float
    halved: bool
    null: float
    assumed: float
    exact: Callable[[FloatArray, float], FloatArray] | None
    most: int

    def level(self, alpha: float) -> float:
        """Return the level of the one-sided test."""
        return alpha / 2 if self.halved else alpha

    def power(self, n: float, alpha: float) -> float:
        """Return the power with so many cases."""
        if self.exact is not None:
            return float(self.exact(np.array([n]), self.level(alpha))[0])
        z = sp.ndtri(1 - self.level(alpha))
        return float(sp.ndtr((self.distance * np.sqrt(n) - z * self.null) / self.assumed))

    def half_width(self, n: float, alpha: float) -> float:
        """Return half the width of the two-sided normal interval at the level 1 - alpha."""
        return float(sp.ndtri(1 - alpha / 2)) * self.assumed / float(np.sqrt(n))

    def cases_for_width(self, half_width: float, alpha: float) -> float:
        """Return the number of cases, not rounded, that has the half width."""
        return (self.half_width(1, alpha) / half_width) ** 2

    def normal_cases(self, power: float, alpha: float) -> float:
        """Return the number of cases, not rounded, of the normal formula."""
        z, z_power = sp.ndtri([1 - self.level(alpha), power])
        return float(max(z * self.null + z_power * self.assumed, 0.0) / self.distance) ** 2

    def in_reach(self, power: float, alpha: float) -> bool:
        """Whether the least number of cases of the exact test is looked for: up to ``most``."""
        return _searched(self.normal_cases(power, alpha))[1] <= self.most

    def exact_cases(self, power: float, alpha: float) -> int:
        """Return the least number of cases from which on the exact power is never too small."""
        if self.exact is None:
            raise ValueError("this test has no exact power")
        first, reach = _searched(self.normal_cases(power, alpha))
        while True:
            tried = np.arange(first, reach + 1.0)
            short = np.flatnonzero(self.exact(tried, self.level(alpha)) < power)
            last = int(tried[short[-1]]) if len(short) else first - 1
            if last < 0.8 * reach - 10 and (len(short) or first == 1):
                return last + 1
            first, reach = 1, 2 * reach


def _searched(guess: float) -> tuple[int, int]:
    """Return the numbers of cases between which exact powers are looked at first."""
    return max(1, int(guess / 2) - 60), int(1.5 * guess) + 60


def binomial_power(n: FloatArray, level: float, goal: float, rate: float) -> FloatArray:
    """Return P(X > c), c the least count that chance passes with probability ``level`` or less."""
    from scipy.stats import binom

    critical = np.asarray(binom.isf(level, n, goal), dtype=np.float64)
    # The quantile may be off by one where a tail equals the level but for rounding.
    critical += binom.sf(critical, n, goal) > level
    critical -= binom.sf(critical - 1, n, goal) <= level
    return np.asarray(binom.sf(critical, n, rate))


def mcnemar_power(
    n: FloatArray, level: float, discordant: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the power of McNemar's test, averaged over the number of discordant pairs."""
    from scipy.stats import binom

    given = _power_given_pairs(np.arange(n.max() + 1), level, favourable, mid=mid)
    power = np.empty(len(n))
    for start in range(0, len(n), _ROWS):
        block = n[start : start + _ROWS, np.newaxis]
        low, high = (
            end * discordant + side * _REACH * np.sqrt(end * discordant + 1)
            for end, side in ((block.min(), -1), (block.max(), 1))
        )
        pairs = np.arange(max(0.0, np.floor(low)), min(block.max(), np.ceil(high)) + 1)
        mass = binom.pmf(pairs, block, discordant)
        power[start : start + _ROWS] = mass @ given[pairs.astype(np.intp)]
    return power


def _power_given_pairs(
    pairs: FloatArray, level: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the chance to reject given the number of discordant pairs.

    The least count c that rejects has P(X >= c) <= level, for mid-p P(X >= c) - P(X = c)/2.
    """
    from scipy.stats import binom

    least = np.asarray(binom.isf(level, pairs, 0.5), dtype=np.float64) + 2
    for _ in range(3):
        tail = np.asarray(binom.sf(least - 2, pairs, 0.5))
        if mid:
            tail = tail - binom.pmf(least - 1, pairs, 0.5) / 2
        least -= (tail <= level) & (least >= 1)
    return np.asarray(np.where(least <= pairs, binom.sf(least - 1, pairs, favourable), 0.0))
