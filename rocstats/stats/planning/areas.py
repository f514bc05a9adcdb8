"""Power and numbers of cases of tests of areas, by the normal approximation.

With sd0 and sd1 the standard deviations under the null hypothesis and as assumed, D the distance
from the null value: power = Phi((D - z sd0)/sd1), and n_pos = (z sd0 + z_power sd1)^2/D^2 with the
standard deviations of one positive and its share of negatives. The power of a two-sided test counts
rejections on the side of the truth only. Equivalence takes two tests: power = Phi(.) + Phi(.) - 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.stats.planning.variance import CaseVariance
from rocstats.tolerances import SAME

_FEWEST = 2  # a variance needs two cases
_SLACK = 1e-6  # of the logarithm of a number of cases: the ends of the search bracket its root


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
        # 1e-13 of the logarithm is a relative 1e-13 of the number, within what _ceil takes off.
        return float(np.exp(brentq(excess, low - _SLACK, high + _SLACK, xtol=1e-13)))


def fewest_cases(n_pos: float, ratio: float) -> tuple[int, int]:
    """Return the numbers of positives and negatives, rounded up and at least 2."""
    return tuple(max(_ceil(n), _FEWEST) for n in (n_pos, ratio * n_pos))  # type: ignore[return-value]


def _ceil(n: float) -> int:
    """Return the next whole number, or the nearest if only rounding error exceeds it."""
    return int(np.ceil(n * (1 - SAME)))
