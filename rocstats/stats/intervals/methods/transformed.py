"""Limits made on another scale and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocstats.stats.intervals.area import Area


class Transformed(NamedTuple):
    """Normal (or t) limits on a scale g: g(A) + q se g'(A), taken back."""

    forward: Callable[[float], Any]
    slope: Callable[[float], float]
    back: Callable[[float], Any]
    student: bool = False

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        return area.df if self.student else np.inf

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        step = quantile * np.sqrt(area.variance) * self.slope(area.value)
        # The logit and the probit never leave [0, 1]; Wald's limits do.
        return float(np.clip(self.back(self.forward(area.value) + step), 0.0, 1.0))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        distance = self.forward(area.value) - self.forward(null_value)
        return float(distance / (np.sqrt(area.variance) * self.slope(area.value)))
