"""Score limits: the variance is taken at the limit, not at the estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rocstats.stats.crossing import crossing
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
"""Roles refused by methods whose variance is that of one whole area."""


def never(area: Area) -> bool:
    """Return False: a method without a variance from the data has limits for every area."""
    return False


@dataclass(frozen=True)
class Score(Normal):
    """Score limits: the roots of (A - theta)^2 = z^2 v(theta), the variance taken at the limit.

    ``relative`` is v(theta) / (theta (1 - theta)) as a function of theta and the class sizes: it is
    positive on all of [0, 1], so that the root at an area of 1 is found without dividing 0 by 0.
    """

    relative: Callable[[float, float, float], float]

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        # The mirror has no variance: a score limit never uses that of the data.
        if quantile > 0:  # the mirror image: both classes trade places
            mirror = Area(1 - area.value, 0.0, area.df, area.n_neg, area.n_pos, area.n_pairs)
            return 1 - self.limit(mirror, -quantile)
        return self._lower(area, quantile**2)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        spread = self.relative(null_value, area.n_pos, area.n_neg) * null_value * (1 - null_value)
        return float((area.value - null_value) / np.sqrt(spread))

    def _lower(self, area: Area, z2: float) -> float:
        value, rest = area.value, 1 - area.value
        if value == 0:
            return 0.0

        def excess(theta: float) -> float:
            """Return (A - theta)^2 - z^2 v(theta), divided by 1 - theta when A is 1."""
            spread = z2 * theta * self.relative(theta, area.n_pos, area.n_neg)
            return 1 - theta - spread if rest == 0 else (value - theta) ** 2 - (1 - theta) * spread

        # The excess is positive at 0 and at most 0 at A, whatever the quantile; it is 0 there when
        # z^2 is (or underflows), and the limit is the estimate.
        return crossing(excess, 0.0, value, xtol=1e-15)
