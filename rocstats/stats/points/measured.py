"""A measure at many thresholds with its limits, and the plan that limits follow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.points.measures import measure
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.intervals.rates.mover_arrays import Term
from rocstats.stats.intervals.rates.proportions import RateInterval, rate_limits
from rocstats.stats.points.tables import PointTables

RatioInterval = Literal["score", "log"]
Sampling = Literal["cohort", "case-control"]


class Apparent(NamedTuple):
    """Cases called positive among all of a sample of unknown status."""

    positive: float
    size: float


class PointPlan(NamedTuple):
    """Methods and level of limits; ``prevalence_cases`` is infinite for a known prevalence.

    ``apparent`` is what the rule called positive in cases of unknown status, if that was given.
    """

    interval: RateInterval
    ratio_interval: RatioInterval
    sampling: Sampling | None
    level: float
    prevalence_cases: float = np.inf
    apparent: Apparent | None = None

    def prevalence_term(self, prevalence: float) -> Term:
        """Return a prevalence with Wilson's limits from the cases in which it was estimated."""
        value = np.array([prevalence])
        if np.isinf(self.prevalence_cases):
            return Term(value, value, value)
        return Term(value, *rate_limits(value, self.prevalence_cases, "wilson", self.level))


@dataclass(frozen=True, eq=False)
class Measured:
    """One measure at G places with its limits.

    ``method`` is the method used, except at the places of ``otherwise``; ``notes`` has the places
    of each code of the column ``note``.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    se: FloatArray
    size: FloatArray
    method: str
    otherwise: tuple[BoolArray, str] | None = None
    notes: dict[str, BoolArray] = field(default_factory=dict)

    def blanked(self, where: BoolArray) -> Measured:
        """Return the measure without limits, standard error and size at some places."""
        if not where.any():
            return self
        nan = np.where(where, np.nan, 0.0)
        low, high, se, size = (x + nan for x in (self.low, self.high, self.se, self.size))
        return replace(self, low=low, high=high, se=se, size=size)

    def noted(self, code: str, where: BoolArray | bool = True) -> Measured:
        """Return the measure with a note at some places, if there are any."""
        places = np.full(len(self.estimate), where) if isinstance(where, bool) else where
        if not places.any():
            return self
        return replace(self, notes={**self.notes, code: places})


def unlimited(estimate: FloatArray) -> Measured:
    """Return estimates without limits."""
    nothing = np.full(len(estimate), np.nan)
    return Measured(estimate, nothing, nothing, nothing, nothing, "none/none")


def sizeless(
    estimate: FloatArray, low: FloatArray, high: FloatArray, se: FloatArray, method: str
) -> Measured:
    """Return a measure whose limits rest on no single sample size."""
    return Measured(estimate, low, high, se, np.full(len(estimate), np.nan), method)


def rate_terms(tables: PointTables, plan: PointPlan, names: tuple[str, str]) -> list[Term]:
    """Return rates of the tables with their limits."""
    bars = [tables.rate(name, plan.interval, plan.level) for name in names]
    return [
        Term(measure(name, tables.cells), bar.low, bar.high)
        for name, bar in zip(names, bars, strict=True)
    ]
