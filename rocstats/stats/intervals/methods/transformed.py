"""Limits made on another scale and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocstats.stats.intervals.area import Area


class Transformed(NamedTuple):
    """Normal (or t) limits on a scale g: g(A) + q se g'(A), taken back."""

    forward: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    back: Callable[[Any], Any]
    student: bool = False

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        return area.df if self.student else np.inf

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        return float(self.limit_of(area.value, area.variance, quantile))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        return float(self.statistic_of(area.value, area.variance, null_value))

    # Of numbers, or of arrays: one area, or one of each predictor.
    def limit_of(self, value: Any, variance: Any, quantile: Any) -> Any:
        """Return the limit of an area given with its variance."""
        step = quantile * np.sqrt(variance) * self.slope(value)
        # The logit and the probit never leave [0, 1]; Wald's limits do.
        return np.minimum(np.maximum(self.back(self.forward(value) + step), 0.0), 1.0)

    def statistic_of(self, value: Any, variance: Any, null_value: float) -> Any:
        """Return the standardised distance of an area given with its variance."""
        distance = self.forward(value) - self.forward(null_value)
        return distance / (np.sqrt(variance) * self.slope(value))
