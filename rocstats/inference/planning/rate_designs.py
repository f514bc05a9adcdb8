"""Planned tests of sensitivity or specificity: against a goal, and of two tests on the same cases.

Exact power adds up binomial probabilities. It is not monotone in the number of cases: the number
needed is the one from which on the power never falls below what was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np
import scipy.special as sp

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.inference.planning.designs import require_side
from rocstats.sample.arrays import FloatArray
from rocstats.stats.intervals.area_intervals import ALTERNATIVES, Alternative

Rate = Literal["tpr", "tnr"]
RATES = ("tpr", "tnr")
RateMethod = Literal["exact", "asymptotic"]
PairedRateMethod = Literal["mid-p", "exact", "asymptotic"]
_MOST = 1_000_000
_MOST_PAIRED = 30_000
_ROWS = 64
_REACH = 10  # standard deviations beyond which discordant pairs have no mass that matters


@dataclass(frozen=True)
class OneRate:
    """A sensitivity, or a specificity, against a goal.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        Sensitivity, which rests on positives alone, or specificity, which rests on negatives.
    rate : float in (0, 1)
        The rate that is assumed true.
    goal : float in (0, 1), optional
        The rate under the null hypothesis; without it only half widths can be planned.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        As in ``test_performance_goals``: a one-sided test is at level ``alpha``, a two-sided one
        at ``alpha / 2`` a side.
    method : {"exact", "asymptotic"}, default "exact"
        Power of the exact binomial test, or the normal formula for the score test.

    Raises
    ------
    InputError
        If ``rate`` is not where the alternative says, or a word or number is not possible.

    References
    ----------
    - Clopper & Pearson (1934), whose limits the exact test inverts [clopper-1934]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.OneRate("tpr", 0.9, goal=0.8).alternative
    'greater'
    """

    quantity: Rate
    rate: float
    _: KW_ONLY
    goal: float | None = None
    alternative: Alternative = "greater"
    method: RateMethod = "exact"

    def __post_init__(self) -> None:
        require_choice("quantity", self.quantity, RATES)
        require_open_interval("rate", self.rate, 0, 1)
        require_choice("alternative", self.alternative, ALTERNATIVES)
        require_choice("method", self.method, ("exact", "asymptotic"))
        if self.goal is not None:
            require_open_interval("goal", self.goal, 0, 1)
            require_side("rate", self.rate, "goal", self.goal, self.alternative)


@dataclass(frozen=True)
class PairedRates:
    """Two sensitivities, or specificities, of two tests on the same cases: McNemar's test.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        Sensitivity, which rests on positives alone, or specificity, which rests on negatives.
    only_predictor, only_reference : float in (0, 1)
        Shares of the class that only the one test, or only the other, gets right; the difference
        of the rates is the difference of these. If both tests err independently they are
        r1 (1 - r2) and r2 (1 - r1), r1 and r2 the rates; tests that err on the same cases have
        smaller ones.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests whether the predictor has the higher rate.
    method : {"mid-p", "exact", "asymptotic"}, default "mid-p"
        Power of McNemar's mid-p or exact test, or the normal formula for his chi-square.

    Raises
    ------
    InputError
        If the shares are not as the alternative says, or a word or number is not possible.

    References
    ----------
    - McNemar (1947) [mcnemar-1947]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.PairedRates("tpr", only_predictor=0.15, only_reference=0.05).method
    'mid-p'
    """

    quantity: Rate
    _: KW_ONLY
    only_predictor: float
    only_reference: float
    alternative: Alternative = "two-sided"
    method: PairedRateMethod = "mid-p"

    def __post_init__(self) -> None:
        require_choice("quantity", self.quantity, RATES)
        for name in ("only_predictor", "only_reference"):
            require_open_interval(name, getattr(self, name), 0, 1)
        if self.only_predictor + self.only_reference > 1:
            raise InputError(
                "`only_predictor` and `only_reference` must sum to 1 at most; got"
                f" {self.only_predictor!r} and {self.only_reference!r}. They are shares of a class."
            )
        require_choice("alternative", self.alternative, ALTERNATIVES)
        require_choice("method", self.method, ("mid-p", "exact", "asymptotic"))
        require_side(
            "only_predictor",
            self.only_predictor,
            "only_reference",
            self.only_reference,
            self.alternative,
        )


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

    def exact_cases(self, power: float, alpha: float) -> int:
        """Return the least number of cases from which on the exact power is never too small."""
        if self.exact is None:
            raise ValueError("this test has no exact power")
        guess = self.normal_cases(power, alpha)
        first, reach = max(1, int(guess / 2) - 60), int(1.5 * guess) + 60
        if reach > self.most:
            raise InputError(
                f"`method` must be 'asymptotic' beyond {self.most} cases; about {guess:.0f} are"
                " needed. Change it, or the rates."
            )
        while True:
            tried = np.arange(first, reach + 1.0)
            short = np.flatnonzero(self.exact(tried, self.level(alpha)) < power)
            last = int(tried[short[-1]]) if len(short) else first - 1
            if last < 0.8 * reach - 10 and (len(short) or first == 1):
                return last + 1
            first, reach = 1, 2 * reach


def planned_rate_test(design: OneRate | PairedRates) -> RateTest:
    """Return the test that a design describes."""
    halved = design.alternative == "two-sided"
    if isinstance(design, OneRate):
        return _of_one(design, halved)
    above, below = design.only_predictor, design.only_reference
    discordant, difference = above + below, abs(above - below)
    favourable = max(above, below) / discordant

    def exact(n: FloatArray, level: float) -> FloatArray:
        return _mcnemar_power(n, level, discordant, favourable, mid=design.method == "mid-p")

    return RateTest(
        difference,
        halved,
        float(np.sqrt(discordant)),
        float(np.sqrt(discordant - difference**2)),
        None if design.method == "asymptotic" else exact,
        _MOST_PAIRED,
    )


def _of_one(design: OneRate, halved: bool) -> RateTest:
    goal = np.nan if design.goal is None else design.goal
    mirrored = design.rate < goal
    rate, goal = (1 - p if mirrored else p for p in (design.rate, goal))

    def exact(n: FloatArray, level: float) -> FloatArray:
        return _binomial_power(n, level, goal, rate)

    return RateTest(
        rate - goal,
        halved,
        float(np.sqrt(goal * (1 - goal))),
        float(np.sqrt(rate * (1 - rate))),
        exact if design.method == "exact" and design.goal is not None else None,
        _MOST,
    )


def _binomial_power(n: FloatArray, level: float, goal: float, rate: float) -> FloatArray:
    """Return P(X > c), c the least count that chance passes with probability ``level`` or less."""
    from scipy.stats import binom

    critical = np.asarray(binom.isf(level, n, goal), dtype=np.float64)
    # The quantile may be off by one where a tail equals the level but for rounding.
    critical += binom.sf(critical, n, goal) > level
    critical -= binom.sf(critical - 1, n, goal) <= level
    return np.asarray(binom.sf(critical, n, rate))


def _mcnemar_power(
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
