"""Costs and prevalence of a decision, or the slope of the iso-performance lines they amount to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.costs.convex_hull import share_of_positives
from rocstats.curves.points.roc import RocPoints
from rocstats.errors import InputError, require_cost, require_open_interval


class CostConditions(NamedTuple):
    """Slope of the iso-performance lines, and costs and prevalence behind it; NaN if not given."""

    slope: float
    cost_fp: float
    cost_fn: float
    prevalence: float

    def at(self, points: RocPoints) -> CostConditions:
        """Return the conditions with a slope; prevalence is that of the curve unless given."""
        if not np.isnan(self.slope):
            return self
        share = share_of_positives(points) if np.isnan(self.prevalence) else self.prevalence
        # Provost & Fawcett 2001: lines of this slope join points of equal expected cost.
        slope = self.cost_fp * (1 - share) / (self.cost_fn * share)
        return CostConditions(slope, self.cost_fp, self.cost_fn, share)


def read_conditions(
    slope: float | None, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
) -> CostConditions:
    """Return validated conditions: a slope alone, or both costs with or without a prevalence."""
    given: dict[str, Any] = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    if slope is not None:
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"`{name}` must stay None when `slope` is given, which stands for costs and"
                    f" prevalence; got {value!r}. Leave one of them out."
                )
        require_open_interval("slope", slope, 0, np.inf)
        return CostConditions(float(slope), np.nan, np.nan, np.nan)
    for name in ("cost_fp", "cost_fn"):
        if given[name] is None:
            raise InputError(
                f"`{name}` must be given when `slope` is not; got None."
                " Pass cost_fp= and cost_fn= (1 and 1 for accuracy), or slope=."
            )
        require_cost(name, given[name])
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    share = np.nan if prevalence is None else float(prevalence)
    return CostConditions(np.nan, float(given["cost_fp"]), float(given["cost_fn"]), share)
