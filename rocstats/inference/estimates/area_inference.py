"""The interval and the test of one area: their options as read, and their columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.areas.partial import AreaRange, mean_rate
from rocstats.errors import require_open_interval
from rocstats.frames.glossary import FULL_AREA
from rocstats.inference.estimates.hypotheses import require_level
from rocstats.sample.binned import binning_error
from rocstats.sample.counts.summed import SummedCases
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import Inference, infer
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.intervals.record import IntervalMethod
from rocstats.stats.intervals.records import Interval

_INFERRED = ("ci_low", "ci_high", "statistic", "df", "p_value")


class AreaTest(NamedTuple):
    """Level of the interval of an area, side and null value of its test; NaN for no test."""

    confidence_level: float
    alternative: Alternative
    null_value: float

    def columns(self) -> dict[str, Any]:
        """Return the columns of the request."""
        return {
            "confidence_level": self.confidence_level,
            "null_value": self.null_value,
            "hypothesis": self.alternative,
        }

    def infer(
        self, area: Area, interval: Interval, resampled: IntervalMethod | None = None
    ) -> Inference:
        """Return limits and test of an area."""
        return infer(area, interval, **self._asdict(), resampled=resampled)


def read_area_test(
    confidence_level: float, alternative: Alternative, null_value: float | None
) -> AreaTest:
    """Return the test of an area; raise InputError for an unknown side or a wrong number."""
    alternative = require_level(confidence_level, alternative)
    if null_value is not None:
        require_open_interval("null_value", null_value, 0, 1)
    return AreaTest(
        confidence_level, alternative, np.nan if null_value is None else float(null_value)
    )


def range_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns of the range of an area."""
    return {"range_axis": over.axis, "range_low": over.low, "range_high": over.high}


def area_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns that name an area: whole, or partial over a range."""
    return FULL_AREA if over.full else {"quantity": "partial_auc", **range_columns(over)}


def area_error(sample: Sample, k: int, over: AreaRange) -> float:
    """Return how far area ``k`` over the width of its range can be from that of all scores."""
    if isinstance(sample.all_cases, SummedCases):
        sums = sample.all_cases.sums
        return np.nan if sums is None else float(sums.binning_error[k])
    return float(binning_error(sample, lambda one: mean_rate(one.cases.counts(k), over)))


def inferred_columns(area: Area, inference: Inference) -> dict[str, float]:
    """Return the columns of an area with its limits and test."""
    numbers = {name: getattr(inference, name) for name in _INFERRED}
    return {"estimate": area.value, "se": np.sqrt(area.variance), **numbers}
