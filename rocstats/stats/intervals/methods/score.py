"""Score limits: the variance is taken at the limit, not at the estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.record import Normal, Refusal, Role
from rocstats.tolerances import SAME, SAME_TO_ROUNDING

TAKES_ONE_WHOLE_AREA: Mapping[Role, Refusal] = MappingProxyType(
    {
        "folds": Refusal(
            "must rest on a variance when the study has folds, whose area is a mean",
        ),
        "partial": Refusal("must rest on a variance or on resamples for a partial area"),
    }
)
"""Roles refused by methods whose variance is that of one whole area."""


def never(area: Area) -> bool:
    """Return False: a method without a variance from the data has limits for every area."""
    return False


@dataclass(frozen=True)
class Score(Normal):
    """Score limits: the roots of (A - theta)^2 = z^2 v(theta), the variance taken at the limit."""

    variance: Callable[[float, float, float], float]

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        # The mirror has no variance: a score limit never uses that of the data.
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

        # The excess is A^2 > 0 at 0 and at most 0 at A. For A = 1 it is 0/0 at 1, so that the
        # bracket ends just below; the root is of order z^2/min(m, n) from 1.
        highest = area.value if area.value < 1 else 1 - SAME
        # brentq refuses an rtol below 4 eps = 9e-16: limits to within two digits of the last.
        return float(brentq(excess, 0.0, highest, xtol=1e-15, rtol=SAME_TO_ROUNDING))
