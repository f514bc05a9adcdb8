"""Score limits: the variance is taken at the limit, not at the estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.record import Normal, Refusal, Role

TAKES_ONE_WHOLE_AREA: Mapping[Role, Refusal] = MappingProxyType(
    {
        "folds": Refusal(
            "must rest on a variance when the study has folds, whose area is a mean",
        ),
        "partial": Refusal("must rest on a variance or on resamples for a partial area"),
    }
)
"""What methods refuse that know the variance of one whole area only."""


def never(area: Area) -> bool:
    """Return that no area is beyond a method that needs no variance from the data."""
    return False


@dataclass(frozen=True)
class Score(Normal):
    """Score limits: the roots of (A - theta)^2 = z^2 v(theta), the variance taken at the limit."""

    variance: Callable[[float, float, float], float]

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        if quantile > 0:  # the mirror image: both classes trade places
            mirror = Area(1 - area.value, 0.0, area.df, area.n_neg, area.n_pos, area.n_pairs)
            return 1 - self.limit(mirror, -quantile)
        return self._lower(area, quantile**2)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        distance = area.value - null_value
        return float(distance / np.sqrt(self.variance(null_value, area.n_pos, area.n_neg)))

    def _lower(self, area: Area, z2: float) -> float:
        from scipy.optimize import brentq

        if area.value == 0:
            return 0.0

        def excess(theta: float) -> float:
            """Return (A - theta)^2 - z^2 v(theta), freed of the trivial root 1 when A is 1."""
            if area.value < 1:
                return (area.value - theta) ** 2 - z2 * self.variance(theta, area.n_pos, area.n_neg)
            return (1 - theta) - z2 * self.variance(theta, area.n_pos, area.n_neg) / (1 - theta)

        highest = area.value if area.value < 1 else 1 - 1e-12
        return float(brentq(excess, 0.0, highest, xtol=1e-15, rtol=1e-14))
