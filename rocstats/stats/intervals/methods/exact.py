"""Logit limits, with a bound at areas of 0 and 1 that assumes nothing of the scores."""

from __future__ import annotations

from dataclasses import dataclass

import rocstats.special as sp
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.methods.score import TAKES_ONE_WHOLE_AREA
from rocstats.stats.intervals.record import AreaInterval, Normal, lacks_variance


@dataclass(frozen=True)
class Exact(Normal):
    """Logit limits inside (0, 1); at 0 and 1 the distribution-free bound.

    When all pairs are ranked right, so are ``n_pairs`` independent ones: P <= theta^n_pairs.
    """

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        if not area.at_boundary:
            return LOGIT_LIMITS.limit(area, quantile)
        # P(A = 1) <= theta^n_pairs: theta at which that is alpha/2 = ndtr(quantile)
        # (docs/methods/area-intervals.md, "The exact bound").
        if area.value == 1:
            return float(sp.ndtr(quantile) ** (1 / area.n_pairs)) if quantile < 0 else 1.0
        return float(1 - sp.ndtr(-quantile) ** (1 / area.n_pairs)) if quantile > 0 else 0.0

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        if not area.at_boundary:
            return LOGIT_LIMITS.statistic(area, null_value)
        if area.value == 1:
            return float(-sp.ndtri(null_value**area.n_pairs))
        return float(sp.ndtri((1 - null_value) ** area.n_pairs))


def _fails(area: Area) -> bool:
    # Clusters can leave no pair without a common cluster: then there is no bound either.
    return lacks_variance(area) and not (area.at_boundary and area.n_pairs > 0)


EXACT = AreaInterval(
    "exact",
    "on the logit scale, with the distribution-free bound at areas of 0 and 1",
    Exact(),
    fails=_fails,
    refuses=TAKES_ONE_WHOLE_AREA,
)
