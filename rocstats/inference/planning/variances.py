"""Power and numbers of cases of tests of areas and of rates, and variances before there are data.

Areas, by the normal approximation. With sd0 and sd1 the standard deviations under the null
hypothesis and as assumed, D the distance from the null value: power = Phi((D - z sd0)/sd1), and
n_pos = (z sd0 + z_power sd1)^2/D^2 with the standard deviations of one positive and its share of
negatives. The power of a two-sided test counts rejections on the side of the truth only.
Equivalence takes two tests: power = Phi(.) + Phi(.) - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.area_variances import hanley_mcneil_terms
from rocstats.estimate.binormal import BinormalFit, Index, bivariate_normal, partial_area
from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME

# --- Planned test of areas, by the normal approximation -------------------------------------------

_FEWEST = 2  # a variance needs two cases
# Of the logarithm of a number of cases: the ends of the search bracket its root.
_BRACKET_SLACK = 1e-6


class NormalTest(NamedTuple):
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
        null, assumed = self._spreads(n_pos, n_neg)
        powers = [float(sp.ndtr((distance - z * null) / assumed)) for distance in self.distances]
        # Both tests of equivalence reject unless one of them misses: 1 - misses, never below 0.
        return max(sum(powers) - (len(powers) - 1), 0.0)

    def half_width(self, n_pos: float, n_neg: float, alpha: float) -> float:
        """Return half the width of the two-sided normal interval at the level 1 - alpha."""
        # Not the quantile of 1 - alpha / 2, which is 1 in floating point for a tiny alpha.
        return -float(sp.ndtri(alpha / 2)) * float(np.sqrt(self.assumed.at(n_pos, n_neg)))

    def positives_for_power(self, power: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the power."""
        # docs/methods/planning.md, "One area". Both margins at once have no closed form.
        if len(self.distances) != 1:
            return self._positives_of_both(power, ratio, alpha)
        z, z_power = -float(sp.ndtri(self.level(alpha))), float(sp.ndtri(power))
        null, assumed = self._spreads(1, ratio)
        root = max(z * null + z_power * assumed, 0.0) / self.distances[0]
        return root * root  # inf, where ** raises OverflowError

    def positives_for_width(self, half_width: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the half width."""
        root = self.half_width(1, ratio, alpha) / half_width
        return root * root

    def _spreads(self, n_pos: float, n_neg: float) -> tuple[float, float]:
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
        nearer = NormalTest((min(self.distances),), self.halved, self.null, self.assumed, "")
        low, high = (
            np.log(nearer.positives_for_power(share, ratio, alpha))
            for share in (power, (1 + power) / 2)
        )
        if not np.isfinite(high):
            return float("inf")
        low, high = low - _BRACKET_SLACK, high + _BRACKET_SLACK
        if not excess(low) < 0 < excess(high):  # of a power that is 1 to rounding: enough cases
            return float(np.exp(high))
        # 1e-13 of the logarithm is a relative 1e-13 of the number, within what _ceil takes off.
        return float(np.exp(brentq(excess, low, high, xtol=1e-13)))


def fewest_cases(n_pos: float, ratio: float) -> tuple[int, int]:
    """Return the numbers of positives and negatives, rounded up and at least 2."""
    return tuple(max(_ceil(n), _FEWEST) for n in (n_pos, ratio * n_pos))  # type: ignore[return-value]


def _ceil(n: float) -> int:
    """Return the next whole number, or the nearest if only rounding error exceeds it."""
    return int(np.ceil(n * (1 - SAME)))


# --- Variances of areas before there are data, by positive and by negative ------------------------
# Empirical area of normal scores (``Binormal.empirical_variance``): a positive x ~ N(a/b, 1/b^2)
# has the placement V10(x) = Phi(x), so that Var V10 = Phi2(q, q; 1/(1 + b^2)) - auc^2, with
# q = Phi^-1(auc), and Var V01 = Phi2(q, q; b^2/(1 + b^2)) - auc^2 (Bamber 1975). Obuchowski &
# McClish (1997) take the delta method for a and b instead, without their covariance in the variance
# of one area but with it in the covariance of two: at b = 1 up to 1.7 times as large.


@dataclass(frozen=True)
class CaseVariance:
    """A variance pos/n_pos + neg/n_neg."""

    pos: float
    neg: float

    def at(self, n_pos: float, n_neg: float) -> float:
        """Return the variance with these numbers of cases."""
        return self.pos / n_pos + self.neg / n_neg

    def __add__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos + other.pos, self.neg + other.neg)

    def __sub__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos - other.pos, self.neg - other.neg)


# Placements are uniform on [0, 1] under the null hypothesis: a variance of 1/12.
MANN_WHITNEY = CaseVariance(1 / 12, 1 / 12)
"""Variance of an area if both classes have one distribution, without ties and terms of 1/(mn)."""


def obuchowski_variance(auc: float) -> CaseVariance:
    """Return the variance of Obuchowski & McClish (1997) for normal scores of equal variance."""
    # exp(-A^2/2)/(32 pi) times 5 A^2 + 8 for a positive and A^2 + 8 for a negative, A the distance
    # of the means; in print the constants are rounded to .0099 and A to 1.414 Phi^-1(auc).
    return Binormal.of_area(auc, 1.0).delta_variance()


def hanley_mcneil_variance(auc: float) -> CaseVariance:
    """Return Hanley & McNeil's variance for exponential scores, without terms of order 1/(mn)."""
    q1, q2 = hanley_mcneil_terms(auc)
    return CaseVariance(q2 - auc**2, q1 - auc**2)


def binormal_variance(auc: float) -> CaseVariance:
    """Return the variance of the empirical area of normal scores of equal variance."""
    return Binormal.of_area(auc, 1.0).empirical_variance()


MODELS = {
    "binormal": binormal_variance,
    "obuchowski": obuchowski_variance,
    "hanley-mcneil": hanley_mcneil_variance,
}


class Binormal(NamedTuple):
    """A binormal curve TPR = Phi(a + b Phi^-1(FPR)), and the range of its area."""

    a: float
    b: float
    over: AreaRange = FULL_RANGE

    @classmethod
    def of_area(cls, auc: float, b: float, over: AreaRange = FULL_RANGE) -> Binormal:
        """Return the curve with slope ``b`` whose full area is ``auc``."""
        return cls(float(np.sqrt(1 + b**2) * sp.ndtri(auc)), b, over)

    def area(self) -> float:
        """Return the area over the range."""
        if self.over.full:
            return float(sp.ndtr(self.a / np.sqrt(1 + self.b**2)))
        return self._partial().value

    def gradient(self) -> tuple[float, float]:
        """Return the derivatives of the area in a and in b."""
        in_a, in_b = self._partial().gradient
        return float(in_a), float(in_b)

    def empirical_variance(self) -> CaseVariance:
        """Return the variance of the empirical full area, without its term of order 1/(mn)."""
        return self.empirical_covariance(self, 1.0, 1.0)

    def empirical_covariance(self, other: Binormal, of_pos: float, of_neg: float) -> CaseVariance:
        """Return the covariance of the empirical full areas of predictors on the same cases.

        ``of_pos`` and ``of_neg`` are the correlations of both predictors in each class.
        """
        q1, q2 = (curve.a / float(np.sqrt(1 + curve.b**2)) for curve in (self, other))
        if q1 + q2 > 0:
            # By symmetry the same; probabilities near 1 would leave rounding as their difference.
            q1, q2 = -q1, -q2
        root = np.sqrt((1 + self.b**2) * (1 + other.b**2))
        product = float(sp.ndtr(q1) * sp.ndtr(q2))
        correlations = of_pos / root, of_neg * self.b * other.b / root
        pos, neg = (float(bivariate_normal(q1, np.array(q2), r)) for r in correlations)
        return CaseVariance(pos - product, neg - product)

    def delta_variance(self) -> CaseVariance:
        """Return the variance of Obuchowski & McClish, in which a and b are uncorrelated."""
        # docs/methods/planning.md, "Two paired areas": V_k, and C in ``delta_covariance``.
        f, g = self.gradient()
        of_b = (g * self.b) ** 2 / 2
        return CaseVariance(f**2 * (1 + self.a**2 / 2) + of_b, (f * self.b) ** 2 + of_b)

    def delta_covariance(self, other: Binormal, of_pos: float, of_neg: float) -> CaseVariance:
        """Return the covariance of Obuchowski & McClish with the area of another predictor."""
        (f1, g1), (f2, g2) = self.gradient(), other.gradient()
        bb = self.b * other.b
        crossed = f1 * g2 * self.a * other.b + f2 * g1 * other.a * self.b
        both = f1 * f2 * self.a * other.a + g1 * g2 * bb
        return CaseVariance(
            f1 * f2 * of_pos + of_pos**2 * (both + crossed) / 2,
            f1 * f2 * of_neg * bb + g1 * g2 * of_neg**2 * bb / 2,
        )

    def _partial(self) -> Index:
        # Sizes are those of no sample: neither the area nor its gradient depends on them.
        fit = BinormalFit(self.a, self.b, np.nan, np.nan)
        return partial_area(fit, self.over.low, self.over.high)


# --- Planned test of rates: one against a goal, or two of the same cases --------------------------
# Exact power adds up binomial probabilities. It is not monotone in the number of cases: the number
# needed is the least from which on the power never falls below the requested power.

# Largest numbers of cases up to which exact powers are searched: 9 and 4 seconds on one core. At
# twice the number the searches take 2 and 3 times as long; the normal formula serves beyond.
MOST, MOST_PAIRED = 1_000_000, 30_000
# Largest number of pairs of cases whose exact power is evaluated once: a second, and 100 MB.
MOST_EVALUATED = 1_000_000


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
        return _search_range(self.normal_cases(power, alpha))[1] <= self.most

    def exact_cases(self, power: float, alpha: float) -> int:
        """Return the least number of cases from which on the exact power is never too small."""
        if self.exact is None:
            raise ValueError("this test has no exact power")
        first, reach = _search_range(self.normal_cases(power, alpha))
        while True:
            tried = np.arange(first, reach + 1.0)
            short = np.flatnonzero(self.exact(tried, self.level(alpha)) < power)
            last = int(tried[short[-1]]) if len(short) else first - 1
            # The power is a sawtooth. The last number that falls short is final only if a fifth of
            # the range beyond it holds no other, and if one, or the start, bounds it from below.
            if last < 0.8 * reach - 10 and (len(short) or first == 1):
                return last + 1
            first, reach = 1, 2 * reach


def _search_range(guess: float) -> tuple[int, int]:
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


# Numbers of cases that share one window of discordant pairs: about a MiB of masses.
_SHARED_WINDOW = 64
_TAIL_SDS = 10  # standard deviations of the number of discordant pairs: tails below 1e-22


def mcnemar_power(
    n: FloatArray, level: float, discordant: float, favourable: float, *, mid: bool
) -> FloatArray:
    """Return the power of McNemar's test, averaged over the number of discordant pairs."""
    # Given the pairs the test is binomial, whatever n: that power is computed once for all n.
    from scipy.stats import binom

    given = _power_given_pairs(np.arange(n.max() + 1), level, favourable, mid=mid)
    power = np.empty(len(n))
    for start in range(0, len(n), _SHARED_WINDOW):
        block = n[start : start + _SHARED_WINDOW, np.newaxis]
        low, high = (
            end * discordant + side * _TAIL_SDS * np.sqrt(end * discordant + 1)
            for end, side in ((block.min(), -1), (block.max(), 1))
        )
        pairs = np.arange(max(0.0, np.floor(low)), min(block.max(), np.ceil(high)) + 1)
        mass = binom.pmf(pairs, block, discordant)
        power[start : start + _SHARED_WINDOW] = mass @ given[pairs.astype(np.intp)]
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
