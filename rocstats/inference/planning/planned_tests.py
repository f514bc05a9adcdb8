"""Planned tests of areas and of rates of one class: power, half width, numbers of cases.

Areas, by the normal approximation: with sd0 and sd1 the standard deviations under the null
hypothesis and as assumed, and D the distance from the null value, power = Phi((D - z sd0)/sd1), and
n_pos = (z sd0 + z_power sd1)^2/D^2 with the standard deviations of one positive and its share of
negatives. The power of a two-sided test counts rejections on the side of the truth only.
Equivalence takes two tests: power = Phi(.) + Phi(.) - 1.

Rates: exact power adds up binomial probabilities. It is not monotone in the number of cases: the
number needed is the least from which on the power never falls below the requested power.
Derivations: docs/methods/planning.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.estimate.influence import case_placements
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.inference.planning.designs import (
    OneAUC,
    OneRate,
    PairedAUCs,
    PairedRates,
    PilotAUCs,
    TwoAUCs,
    is_alpha_halved,
    pilot_predictor_positions,
    planned_binormal_curves,
    planned_distances_from_null,
    planned_range,
)
from rocstats.inference.planning.variances import MANN_WHITNEY, MODELS, CaseVariance

# --- From the design to the test ------------------------------------------------------------------

AreaDesign = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs


def planned_area_test(design: AreaDesign) -> PlannedAreaTest:
    """Return the planned test of one area, or of a difference of two."""
    if isinstance(design, OneAUC):
        return _one_area_test(design)
    first, second, shared, common = _area_variances(design)
    # Var(A1 - A2) = V1 + V2 - 2 C; C is 0 for independent groups.
    assumed, reference = (v + second - (shared + shared) for v in (first, second))
    return PlannedAreaTest(
        planned_distances_from_null(design),
        is_alpha_halved(design),
        reference if design.null_variance == "reference" else assumed,
        assumed,
        f"{common}/{design.null_variance}",
    )


def _one_area_test(design: OneAUC) -> PlannedAreaTest:
    model = MODELS[design.variance]
    # The test of 1/2 is the rank sum test, whose null variance is known without a model.
    at_chance = design.null_auc == 0.5 and design.null_variance != "model"
    null = MANN_WHITNEY if at_chance else model(design.null_auc)
    distance = design.auc - design.null_auc
    return PlannedAreaTest(
        (abs(distance),),
        design.alternative == "two-sided",
        null,
        model(design.auc),
        f"{design.variance}/{'mann-whitney' if at_chance else 'model'}",
    )


def _area_variances(
    design: TwoAUCs | PairedAUCs | PilotAUCs,
) -> tuple[CaseVariance, CaseVariance, CaseVariance, str]:
    """Return the variances of both areas, their covariance, and the name of the model."""
    if isinstance(design, PilotAUCs):
        return *_pilot_variances(design), "delong"
    if isinstance(design, TwoAUCs):
        model = MODELS[design.variance]
        return model(design.auc), model(design.reference_auc), CaseVariance(0, 0), design.variance
    one, two = planned_binormal_curves(design)
    correlations = (design.correlation_pos, design.correlation_neg)
    if design.variance == "obuchowski" or not planned_range(design).full:
        shared = one.delta_covariance(two, *correlations)
        return one.delta_variance(), two.delta_variance(), shared, "obuchowski"
    shared = one.empirical_covariance(two, *correlations)
    return one.empirical_variance(), two.empirical_variance(), shared, "binormal"


def _pilot_variances(design: PilotAUCs) -> tuple[CaseVariance, CaseVariance, CaseVariance]:
    """Return S10 and S01 of DeLong, DeLong & Clarke-Pearson (1988): both diagonals, off-diagonal.

    They are variances of one placement, so that a study of other class sizes divides them anew.
    """
    pilot = design.pilot
    classes = np.flatnonzero(pilot.is_positive), np.flatnonzero(~pilot.is_positive)
    placements = case_placements(pilot.cases, pilot_predictor_positions(design), *classes)
    frequency = pilot.frequency
    of_pos, of_neg = (
        np.cov(values, fweights=None if frequency is None else frequency[rows].astype(int))
        for values, rows in zip(placements, classes, strict=True)
    )
    first, second, shared = (
        CaseVariance(float(of_pos[cell]), float(of_neg[cell])) for cell in ((0, 0), (1, 1), (0, 1))
    )
    return first, second, shared


# --- The test: power, half width, numbers of cases ------------------------------------------------

# Of the logarithm of a number of cases: the ends of the search bracket its root.
_BRACKET_SLACK = 1e-6


class PlannedAreaTest(NamedTuple):
    """Planned test of one area or of a difference of two areas.

    ``distances`` are those of the truth from each null value; ``halved`` halves ``alpha`` for the
    one side of a two-sided test; ``variance`` names both variances. Plans need an ``assumed``
    variance above 0, power and numbers of cases for a power a ``null`` variance above 0, too.
    """

    distances: tuple[float, ...]
    halved: bool
    null: CaseVariance
    assumed: CaseVariance
    variance: str

    def level(self, alpha: float) -> float:
        """Return the level of each one-sided test."""
        return alpha / 2 if self.halved else alpha

    def power(self, n_pos: float, n_neg: float, alpha: float) -> float:
        """Return the power with these numbers of cases (in each group)."""
        z = -float(sp.ndtri(self.level(alpha)))
        null, assumed = self._standard_deviations(n_pos, n_neg)
        powers = [float(sp.ndtr((distance - z * null) / assumed)) for distance in self.distances]
        # Both tests of equivalence reject unless one of them misses: 1 - misses, never below 0.
        return max(sum(powers) - (len(powers) - 1), 0.0)

    def half_width(self, n_pos: float, n_neg: float, alpha: float) -> float:
        """Return half the width of the two-sided normal interval at the level 1 - alpha."""
        return normal_half_width(float(np.sqrt(self.assumed.at(n_pos, n_neg))), alpha)

    def positives_for_power(self, power: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the power."""
        # Both margins at once have no closed form.
        if len(self.distances) != 1:
            return self._positives_of_both(power, ratio, alpha)
        spreads = self._standard_deviations(1, ratio)
        return cases_for_normal_test_power(self.distances[0], *spreads, self.level(alpha), power)

    def positives_for_width(self, half_width: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the half width."""
        root = self.half_width(1, ratio, alpha) / half_width
        return root * root

    def _standard_deviations(self, n_pos: float, n_neg: float) -> tuple[float, float]:
        """Return the standard deviations under the null hypothesis and as assumed."""
        null, assumed = self.null.at(n_pos, n_neg), self.assumed.at(n_pos, n_neg)
        return float(np.sqrt(null)), float(np.sqrt(assumed))

    def _positives_of_both(self, power: float, ratio: float, alpha: float) -> float:
        from scipy.optimize import brentq

        def excess(log_n: float) -> float:
            n = float(np.exp(log_n))
            return self.power(n, ratio * n, alpha) - power

        # The nearer margin alone needs fewer cases. If it is missed with half the allowed
        # probability, so at most is the other, and both together have the power: the root lies
        # between.
        nearer = PlannedAreaTest((min(self.distances),), self.halved, self.null, self.assumed, "")
        low, high = (
            np.log(nearer.positives_for_power(share, ratio, alpha))
            for share in (power, (1 + power) / 2)
        )
        if not np.isfinite(high):
            return float("inf")
        low, high = low - _BRACKET_SLACK, high + _BRACKET_SLACK
        if not excess(low) < 0 < excess(high):  # of a power that is 1 to rounding: enough cases
            return float(np.exp(high))
        # 1e-13 of the logarithm is a relative 1e-13 of the number, less than
        # ``planned_cases_rounded_up`` takes off.
        return float(np.exp(brentq(excess, low, high, xtol=1e-13)))


def cases_for_normal_test_power(
    distance: float, null: float, assumed: float, level: float, power: float
) -> float:
    """Return the number of cases, not rounded, with which a one-sided normal test has the power.

    ``null`` and ``assumed`` are the standard deviations of one case under both hypotheses.
    """
    z, z_power = -float(sp.ndtri(level)), float(sp.ndtri(power))
    root = max(z * null + z_power * assumed, 0.0) / distance
    return root * root  # inf, where ** raises OverflowError


def normal_half_width(se: float, alpha: float) -> float:
    """Return half the width of the two-sided normal interval at the level 1 - alpha."""
    # Not the quantile of 1 - alpha / 2, which is 1 in floating point for a tiny alpha.
    return -float(sp.ndtri(alpha / 2)) * se


_FEWEST = 2  # a variance needs two cases


def planned_cases_rounded_up(n: float) -> int:
    """Return a number of cases rounded up, or down if it is whole but for rounding; at least 2."""
    return max(int(np.ceil(n * (1 - SAME))), _FEWEST)


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
