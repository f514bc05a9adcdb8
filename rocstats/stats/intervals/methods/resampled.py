"""Percentile and BCa limits from the areas of resamples."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

import rocstats.special as sp
from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.influence.areas import acceleration
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.quantiles import order_rank
from rocstats.stats.intervals.record import AreaInterval, IntervalMethod, Normal, Refusal
from rocstats.tolerances import SAME, TINY


@dataclass(frozen=True, eq=False)
class Percentile(Normal):
    """Limits from ordered draws at Phi(z0 + (z0 + q)/(1 - a (z0 + q))); plain when z0 = a = 0.

    The lower limit is order statistic ceil((B + 1) p), the upper one its mirror image.
    """

    ordered: FloatArray
    z0: float = 0.0
    a: float = 0.0

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile."""
        return self.draw_at(quantile)

    def draw_at(self, quantile: float) -> float:
        """Return the draw at a quantile; where both limits agree, the next draw beyond them."""
        limit, sign = self._at(quantile), float(np.sign(quantile))
        if abs(limit - self._at(-quantile)) > SAME:
            return limit
        # Resamples of tied scores agree in the middle: limits there would have no width.
        with np.errstate(invalid="ignore"):  # infinite draws of a ratio are not beyond each other
            beyond = self.ordered[sign * (self.ordered - limit) > SAME]
        return float(beyond[0 if sign > 0 else -1]) if len(beyond) else limit

    def _at(self, quantile: float) -> float:
        moved = self.z0 + quantile
        # Efron 1987: the nominal quantile corrected for bias z0 and acceleration a. Where a level
        # near 1 makes the divisor negative, the limit is the last draw on its side.
        p = float(sp.ndtr(self.z0 + moved / max(1 - self.a * moved, TINY)))
        return float(_order_statistic(self.ordered, p, upper=quantile > 0))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the z whose limit is the null value."""
        # The correction of ``limit`` solved for the quantile.
        shifted = _normal_score(self.ordered, null_value) - self.z0
        return float(self.z0 - shifted / (1 + self.a * shifted))


def percentile(draws: FloatArray) -> Percentile:
    """Return percentile limits."""
    return Percentile(np.sort(draws))


def bca(
    draws: FloatArray, cases: ScoredCases, k: int, estimate: float, over: AreaRange = FULL_RANGE
) -> Percentile | None:
    """Return bias-corrected and accelerated limits (Efron 1987), None if the bias is infinite.

    z0 = Phi^-1(P*(A* < A) + P*(A* = A)/2).
    """
    z0 = median_bias(draws, estimate)
    if not np.isfinite(z0):  # all draws on one side of the estimate: the median bias is unbounded
        return None
    return Percentile(np.sort(draws), z0, acceleration(cases, k, over=over))


def median_bias(draws: FloatArray, estimate: float) -> float:
    """Return z0 of BCa limits; infinite where all draws lie on one side of the estimate."""
    # Draws of tied scores often equal the estimate: half of them count as below (mid-ranks).
    below = np.count_nonzero(draws < estimate - SAME)
    equal = np.count_nonzero(np.abs(draws - estimate) <= SAME)
    return float(sp.ndtri((below + equal / 2) / len(draws)))


def _order_statistic(ordered: FloatArray, p: float, *, upper: bool) -> float:
    total = len(ordered)
    # Upper limits count from the top, so that limits of A and of 1 - A mirror each other exactly.
    rank = order_rank((1 - p) if upper else p, total)
    return float(ordered[total - rank if upper else rank - 1])


def _normal_score(ordered: FloatArray, value: float) -> float:
    """Return Phi^-1 of the share of draws below a value, ties half; never infinite."""
    total = len(ordered)
    left, right = np.searchsorted(ordered, [value - SAME, value + SAME])
    # B draws say no more of a tail than 1/(B + 1).
    share = np.clip((left + right) / 2 / total, 1 / (total + 1), total / (total + 1))
    return float(sp.ndtri(share))


def _percentile(
    draws: FloatArray, cases: ScoredCases, k: int, estimate: float, over: AreaRange
) -> IntervalMethod:
    return percentile(draws)


PERCENTILE = AreaInterval("percentile", "as percentiles of resamples", from_draws=_percentile)
BCA = AreaInterval(
    "bca",
    "as bias-corrected and accelerated percentiles of resamples",
    from_draws=bca,
    refuses=MappingProxyType(
        {
            "weights": Refusal(
                "must be 'percentile' when the study has weights",
                "whose acceleration is not defined for them",
            )
        }
    ),
    references=("efron-1987",),
)
