"""Predicted risks of cases, means over the population that they come from, and quantiles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.comparison.paired_shares import Cases
from rocstats.stats.costs.mean_benefit import MeanBenefit, mean_benefit


class Risks(NamedTuple):
    """Predicted risks of cases, and the prevalence of the population where it is given.

    Without a prevalence the cases are themselves a sample of the population.
    """

    risk: FloatArray
    cases: Cases
    prevalence: float | None = None

    @property
    def outcome(self) -> FloatArray:
        """1 for a positive, 0 for a negative."""
        return self.cases.is_positive.astype(np.float64)

    @property
    def logit(self) -> FloatArray:
        """Logits of the risks."""
        return np.asarray(sp.logit(self.risk))

    @property
    def size(self) -> float:
        """Number of cases."""
        return float(self.cases.weight.sum())

    @property
    def is_plain(self) -> bool:
        """Whether cases are independent and a sample of the population."""
        return self.cases.cluster is None and self.prevalence is None

    @property
    def weight(self) -> FloatArray:
        """How many cases each row stands for; they sum to the number of cases."""
        positive, weight = self.cases.is_positive, self.cases.weight
        if self.prevalence is None:
            return weight
        # Class weights give each class its share in the population.
        shares = np.where(positive, self.prevalence, 1 - self.prevalence)
        sums = np.where(positive, weight[positive].sum(), weight[~positive].sum())
        return np.asarray(weight * shares * self.size / sums)

    def average(self, values: FloatArray) -> float:
        """Return a mean over the population."""
        return float(self.weight @ values) / self.size

    def mean(self, values: FloatArray) -> MeanBenefit:
        """Return a mean over the population, with the influence values of units."""
        return mean_benefit(self.cases, values, self.prevalence)

    def units(self, values: FloatArray) -> FloatArray:
        """Return influence values of units from those of cases, one row an estimate."""
        return np.stack([self.mean(row).influence for row in values])

    def with_outcome(self, is_positive: BoolArray) -> Risks:
        """Return the same risks with other outcomes."""
        return self._replace(cases=self.cases._replace(is_positive=is_positive))


def quantiles(values: FloatArray, weight: FloatArray, shares: FloatArray) -> FloatArray:
    """Return quantiles of values that stand for several cases each, as if all were listed.

    They are those of type 7 (Hyndman & Fan 1996), the default of R and of NumPy.
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order])
    place = np.maximum(reached[-1] - 1, 0.0) * shares
    below = np.floor(place)
    ends = [
        values[order][np.minimum(np.searchsorted(reached, rank, side="right"), len(values) - 1)]
        for rank in (below, below + 1)
    ]
    return np.asarray(ends[0] + (place - below) * (ends[1] - ends[0]))
