"""Planned tests of rates of one class: exact power, the normal formula, numbers of cases.

Exact power adds up binomial probabilities. It is not monotone in the number of cases: the number
needed is the least from which on the power never falls below the requested power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.inference.planning.area_tests import cases_for_normal_test_power, normal_half_width
from rocstats.inference.planning.designs import OneRate, PairedRates

# --- From the design to the test ------------------------------------------------------------------

# Largest numbers of cases up to which exact powers are searched, some seconds; the normal formula
# serves beyond.
_MOST_SEARCHED, _MOST_PAIRS_SEARCHED = 1_000_000, 30_000
# Largest number of pairs of cases whose exact power is evaluated: 100 MB.
MOST_PAIRS = 1_000_000


def planned_rate_test(design: OneRate | PairedRates) -> PlannedRateTest:
    """Return the planned test of one rate, or of two rates on the same cases."""
    if isinstance(design, OneRate):
        return _one_rate_test(design)
    above, below = design.only_predictor, design.only_reference
    discordant, difference = above + below, abs(above - below)
    # Given the number of discordant pairs, McNemar's statistic is binomial with this share.
    favourable = max(above, below) / discordant

    def exact(n: FloatArray, level: float) -> FloatArray:
        return mcnemar_power(n, level, discordant, favourable, mid=design.method == "mid-p")

    # Connor 1987: Var(d) is discordant/n for equal rates, and (discordant - d^2)/n as assumed.
    return PlannedRateTest(
        difference,
        design.alternative == "two-sided",
        float(np.sqrt(discordant)),
        float(np.sqrt(discordant - difference**2)),
        None if design.method == "asymptotic" else exact,
        _MOST_PAIRS_SEARCHED,
    )


def _one_rate_test(design: OneRate) -> PlannedRateTest:
    """Return the test of a rate against its goal; without a goal only half widths are defined."""
    goal = np.nan if design.goal is None else design.goal

    def exact(n: FloatArray, level: float) -> FloatArray:
        # The test of a rate below its goal is that of 1 - rate above 1 - goal: one tail does.
        rate, null = (1 - p if design.rate < goal else p for p in (design.rate, goal))
        return binomial_power(n, level, null, rate)

    # Distance and spreads are those of the rates as given: 1 - rate would lose tiny ones.
    return PlannedRateTest(
        abs(design.rate - goal),
        design.alternative == "two-sided",
        float(np.sqrt(goal * (1 - goal))),
        float(np.sqrt(design.rate * (1 - design.rate))),
        exact if design.method == "exact" and design.goal is not None else None,
        _MOST_SEARCHED,
    )


# --- The test: power, half width, numbers of cases ------------------------------------------------


class PlannedRateTest(NamedTuple):
    """Planned test of a rate in one class: its power by numbers of cases.

    ``null`` and ``assumed`` are standard deviations of one case. ``exact`` has the power by numbers
    of cases and level, searched for up to ``most`` cases.
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
        return normal_half_width(self.assumed, alpha) / float(np.sqrt(n))

    def cases_for_width(self, half_width: float, alpha: float) -> float:
        """Return the number of cases, not rounded, that has the half width."""
        root = self.half_width(1, alpha) / half_width
        return root * root  # inf, where ** raises OverflowError

    def normal_cases(self, power: float, alpha: float) -> float:
        """Return the number of cases, not rounded, of the normal formula."""
        return cases_for_normal_test_power(
            self.distance, self.null, self.assumed, self.level(alpha), power
        )

    def in_reach(self, power: float, alpha: float) -> bool:
        """Whether the search for the exact number of cases stays within ``most``."""
        return _searched_case_numbers(self.normal_cases(power, alpha))[1] <= self.most

    def exact_cases(self, power: float, alpha: float) -> int:
        """Return the least number of cases from which on the exact power is never too small."""
        if self.exact is None:
            raise ValueError("this test has no exact power")
        first, reach = _searched_case_numbers(self.normal_cases(power, alpha))
        while True:
            tried = np.arange(first, reach + 1.0)
            short = np.flatnonzero(self.exact(tried, self.level(alpha)) < power)
            last = int(tried[short[-1]]) if len(short) else first - 1
            # The power is a sawtooth. The last number that falls short is final only if a fifth of
            # the range beyond it holds no other, and if one, or the start, bounds it from below.
            if last < 0.8 * reach - 10 and (len(short) or first == 1):
                return last + 1
            first, reach = 1, 2 * reach


def _searched_case_numbers(guess: float) -> tuple[int, int]:
    """Return the range of numbers of cases that is searched first, from a normal number."""
    # The exact number lies near the normal one, relatively less so with few cases: hence the 60.
    return max(1, int(guess / 2) - 60), int(1.5 * guess) + 60


# --- Exact power ----------------------------------------------------------------------------------


def binomial_power(n: FloatArray, level: float, goal: float, rate: float) -> FloatArray:
    """Return P(X > c), c the least count with P(X > c) <= ``level`` at the goal."""
    from scipy.stats import binom

    # Not isf, which takes the quantile of 1 - level: n for a level below 1e-17.
    critical = np.asarray(n - binom.ppf(level, n, 1 - goal), dtype=np.float64)
    # The quantile may be off by one where a tail equals the level but for rounding.
    critical += binom.sf(critical, n, goal) > level
    critical -= binom.sf(critical - 1, n, goal) <= level
    return np.asarray(binom.sf(critical, n, rate))


# Numbers of cases that share one window of discordant pairs: about a MiB of masses.
_SHARED_WINDOW = 64
_TAIL_SDS = 10  # standard deviations of the number of discordant pairs: tails below 1e-22


def mcnemar_power(
    n: FloatArray, level: float, discordant: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the power of McNemar's test, averaged over the number of discordant pairs."""
    # Given the pairs the test is binomial, whatever n: that power is computed once for all n.
    from scipy.stats import binom

    conditional = _mcnemar_power_given_pairs(np.arange(n.max() + 1), level, favourable, mid=mid)
    power = np.empty(len(n))
    for start in range(0, len(n), _SHARED_WINDOW):
        block = n[start : start + _SHARED_WINDOW, np.newaxis]
        low, high = (
            end * discordant + side * _TAIL_SDS * np.sqrt(end * discordant + 1)
            for end, side in ((block.min(), -1), (block.max(), 1))
        )
        pairs = np.arange(max(0.0, np.floor(low)), min(block.max(), np.ceil(high)) + 1)
        mass = binom.pmf(pairs, block, discordant)
        power[start : start + _SHARED_WINDOW] = mass @ conditional[pairs.astype(np.intp)]
    return np.minimum(power, 1.0)  # a sum of probabilities may round to more


def _mcnemar_power_given_pairs(
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
