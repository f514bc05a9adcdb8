"""The mean net benefit over a range of risk thresholds, exactly: a mean over cases."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.comparison.paired_shares import Cases
from rocstats.stats.costs.differences import mean_among
from rocstats.stats.costs.net_benefit import unbiased
from rocstats.tolerances import cleared


class MeanBenefit(NamedTuple):
    """A mean net benefit with the influence values of units."""

    value: float
    influence: FloatArray

    @property
    def se(self) -> float:
        """Standard error; NaN for a single unit."""
        return float(np.sqrt(cleared(float(self.influence @ self.influence))))


def case_benefits(risk: FloatArray, is_positive: BoolArray, low: float, high: float) -> FloatArray:
    """Return what each case adds to the mean net benefit over risk thresholds in [low, high]."""
    # A case is treated at the thresholds up to its risk: a positive gains 1 at each, a negative
    # loses the odds t/(1 - t), whose integral is -t - log(1 - t).
    until = np.clip(risk, low, high)
    lost = (low - until) - (np.log1p(-until) - np.log1p(-low))
    return np.where(is_positive, until - low, -lost) / (high - low)


def mean_benefit(cases: Cases, values: FloatArray, prevalence: float | None) -> MeanBenefit:
    """Return the mean of what cases add, over all, or over both classes at a known prevalence."""
    positive = cases.is_positive
    sides = [(1.0, np.ones_like(positive))]
    if prevalence is not None:
        sides = [(prevalence, positive), (1 - prevalence, ~positive)]
    estimate, influence = 0.0, np.zeros(1)
    for share, among in sides:
        mean, units = mean_among(cases, values, among)
        estimate += share * mean
        influence = influence + share * unbiased(cases, among) * units
    return MeanBenefit(estimate, influence)
