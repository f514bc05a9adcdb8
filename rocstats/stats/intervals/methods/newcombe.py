"""Newcombe's (2006) method 5, which replaces intervals that have no variance to use."""

from __future__ import annotations

from dataclasses import dataclass

from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.score import TAKES_ONE_WHOLE_AREA, Score, never
from rocstats.stats.intervals.record import AreaInterval, Normal


def newcombe_relative(theta: float, n_pos: float, n_neg: float) -> float:
    """Return Newcombe's (2006) variance of method 5, over theta (1 - theta).

    It is the variance of Hanley and McNeil made symmetric.
    """
    # N* = (m + n)/2 - 1 replaces m - 1 and n - 1 of the exponential formula: with it the variance
    # is the same when positives and negatives, and theta and 1 - theta, are exchanged.
    half = (n_pos + n_neg) / 2 - 1
    inner = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return inner / (n_pos * n_neg)


NEWCOMBE_LIMITS = Score(newcombe_relative)


@dataclass(frozen=True)
class NewcombeOver(Normal):
    """Newcombe's limits of a partial area: of each class a share of the cases is in the range."""

    shares: tuple[float, float]

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        return NEWCOMBE_LIMITS.limit(self._inside(area), quantile)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        return NEWCOMBE_LIMITS.statistic(self._inside(area), null_value)

    def _inside(self, area: Area) -> Area:
        pos, neg = self.shares
        return area._replace(n_pos=max(1.0, pos * area.n_pos), n_neg=max(1.0, neg * area.n_neg))


NEWCOMBE = AreaInterval(
    "newcombe",
    "by Newcombe's method 5",
    NEWCOMBE_LIMITS,
    fails=never,
    refuses=TAKES_ONE_WHOLE_AREA,
    references=("newcombe-2006",),
)
