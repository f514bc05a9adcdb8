"""The limits and the test of a pooled row: the sides and null values of the frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.stats.comparison.hypotheses import HypothesisPlan, hardest_test
from rocstats.stats.intervals.quantiles import (
    Alternative,
    limits_between,
    quantile,
    upper_probability,
)
from rocstats.stats.scales import Scale


class Asked(NamedTuple):
    """What a row of the frames was asked: level, side of the limits, tests, ends of the limits.

    ``tests`` are empty where the frames have no test.
    """

    level: float
    side: Alternative
    tests: tuple[tuple[float, Alternative], ...]
    ends: tuple[float, float]

    @classmethod
    def of(cls, frames: Sequence[pd.DataFrame], k: int) -> Asked:
        """Return what row ``k`` was asked."""
        first = frames[0].iloc[k]
        hypothesis = str(first.get("hypothesis", "two-sided"))
        side: Alternative = "two-sided"
        if hypothesis in ("greater", "less"):
            side = hypothesis  # type: ignore[assignment]
        low, high = (
            [float(frame[name].iloc[k]) for frame in frames] for name in ("ci_low", "ci_high")
        )
        # A row without an interval in a data set has no level there.
        levels = [float(frame["confidence_level"].iloc[k]) for frame in frames]
        level = next((one for one in levels if not np.isnan(one)), np.nan)
        return cls(level, side, _tests(frames, k, hypothesis), (min(low), max(high)))

    def reach(self, level: float) -> float:
        """Return the normal quantile of the limits of the frames."""
        return quantile(upper_probability(level, self.side), np.inf)

    def limits(
        self, scale: Scale, value: float, se: float, df: float, level: float
    ) -> tuple[float, float]:
        """Return the limits; a one-sided one is open to the end that it has in the frames."""
        if np.isnan(se + df):
            return np.nan, np.nan
        return limits_between(
            lambda t: float(scale.back(value + t * se)), level, self.side, *self.ends, df
        )

    def test(self, scale: Scale, value: float, se: float, df: float) -> dict[str, Any]:
        """Return the columns of the test; none where the frames have no test."""
        if not self.tests:
            return {}
        plan = HypothesisPlan(self.level, self.side, self.tests[0][0], "", self.tests)

        def statistic(null: float) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                return float((value - scale.forward(null)) / se)

        found, p = hardest_test(plan, statistic, df)
        return {"statistic": found, "p_value": p}


def _tests(
    frames: Sequence[pd.DataFrame], k: int, hypothesis: str
) -> tuple[tuple[float, Alternative], ...]:
    """Return null values with the side of their alternative; NaN of a row without a test."""
    first = frames[0].iloc[k]
    if "p_value" not in first:
        return ()
    null = float(first["null_value"])
    if hypothesis == "equivalence":
        return ((-abs(null), "greater"), (abs(null), "less"))
    if hypothesis in ("superiority", "non-inferiority"):
        return ((null, _direction(frames, k)),)
    return ((null, cast("Alternative", hypothesis)),)


def _direction(frames: Sequence[pd.DataFrame], k: int) -> Alternative:
    """Return the side of a test against a margin: "less" where less is better, as of costs."""
    for frame in frames:
        statistic, p = float(frame["statistic"].iloc[k]), float(frame["p_value"].iloc[k])
        if statistic and not np.isnan(statistic + p):
            return "greater" if (statistic > 0) == (p < 0.5) else "less"
    return "greater"
