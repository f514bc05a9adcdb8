"""Power and numbers of cases of tests of rates: one rate against a goal, and two paired rates.

Exact power adds up binomial probabilities. It is not monotone in the number of cases: the number
needed is the least from which on the power never falls below the requested power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray

# Largest numbers of cases up to which exact powers are searched: 9 and 4 seconds on one core. At
# twice the number the searches take 2 and 3 times as long; the normal formula serves beyond.
MOST, MOST_PAIRED = 1_000_000, 30_000
# Largest number of pairs of cases whose exact power is evaluated once: a second, and 100 MB.
MOST_EVALUATED = 1_000_000

_ROWS = 64  # numbers of cases that share one window of discordant pairs: about a MiB of masses
_REACH = 10  # standard deviations of the number of discordant pairs: tails below 1e-22


class RateTest(NamedTuple):
    """Planned test of a rate in one class: its power by numbers of cases.

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
        """Return the power with ``n`` cases."""
        if self.exact is not None:
            return float(self.exact(np.array([n]), self.level(alpha))[0])
        z = -sp.ndtri(self.level(alpha))
        return float(sp.ndtr((self.distance * float(n) ** 0.5 - z * self.null) / self.assumed))

    def half_width(self, n: float, alpha: float) -> float:
        """Return half the width of the two-sided normal interval at the level 1 - alpha."""
        return float(-sp.ndtri(alpha / 2) * self.assumed / np.sqrt(n))

    def cases_for_width(self, half_width: float, alpha: float) -> float:
        """Return the number of cases, not rounded, that has the half width."""
        root = self.half_width(1, alpha) / half_width
        return root * root  # inf, where ** raises OverflowError

    def normal_cases(self, power: float, alpha: float) -> float:
        """Return the number of cases, not rounded, of the normal formula."""
        z, z_power = -float(sp.ndtri(self.level(alpha))), float(sp.ndtri(power))
        root = max(z * self.null + z_power * self.assumed, 0.0) / self.distance
        return root * root

    def in_reach(self, power: float, alpha: float) -> bool:
        """Whether the search for the exact number of cases stays within ``most``."""
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
            # The power is a sawtooth. The last number that falls short is final only if a fifth of
            # the range beyond it holds no other, and if one, or the start, bounds it from below.
            if last < 0.8 * reach - 10 and (len(short) or first == 1):
                return last + 1
            first, reach = 1, 2 * reach


def _searched(guess: float) -> tuple[int, int]:
    """Return the range of numbers of cases that is searched first, from a normal number."""
    # The exact number lies near the normal one, relatively less so with few cases: hence the 60.
    return max(1, int(guess / 2) - 60), int(1.5 * guess) + 60


def binomial_power(n: FloatArray, level: float, goal: float, rate: float) -> FloatArray:
    """Return P(X > c), c the least count with P(X > c) <= ``level`` at the goal."""
    from scipy.stats import binom

    # Not isf, which takes the quantile of 1 - level: n for a level below 1e-17.
    critical = np.asarray(n - binom.ppf(level, n, 1 - goal), dtype=np.float64)
    # The quantile may be off by one where a tail equals the level but for rounding.
    critical += binom.sf(critical, n, goal) > level
    critical -= binom.sf(critical - 1, n, goal) <= level
    return np.asarray(binom.sf(critical, n, rate))


def mcnemar_power(
    n: FloatArray, level: float, discordant: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the power of McNemar's test, averaged over the number of discordant pairs."""
    # Given the pairs the test is binomial, whatever n: that power is computed once for all n.
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
    return np.minimum(power, 1.0)  # a sum of probabilities may round to more


def _power_given_pairs(
    pairs: FloatArray, level: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the probability of rejection given the number of discordant pairs.

    The least count c that rejects has P(X >= c) <= level, for mid-p P(X >= c) - P(X = c)/2.
    """
    from scipy.stats import binom

    # The quantile may be off by one for rounding, and mid-p rejects from one count earlier: start
    # two above and step down while the tail allows.
    least = np.asarray(pairs - binom.ppf(level, pairs, 0.5), dtype=np.float64) + 2
    for _ in range(3):
        tail = np.asarray(binom.sf(least - 2, pairs, 0.5))
        if mid:
            tail = tail - binom.pmf(least - 1, pairs, 0.5) / 2
        least -= (tail <= level) & (least >= 1)
    return np.asarray(np.where(least <= pairs, binom.sf(least - 1, pairs, favourable), 0.0))
