"""The rows of an area: the whole one, or the three quantities of a partial one, with notes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.questions import BINNING_ERROR, Question
from rocstats.inference.estimates.answers import class_sizes
from rocstats.inference.estimates.area_inference import (
    AreaTest,
    area_error,
    inferred_columns,
    range_columns,
)
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.areas import estimates
from rocstats.stats.areas.records import Variance
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.resampled import percentile
from rocstats.stats.intervals.record import IntervalMethod
from rocstats.stats.intervals.records import Interval, area_interval
from rocstats.stats.resampling.areas import AreaDraws, draw_mean_areas
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import cleared


class AreaRequest(NamedTuple):
    """Variance, interval and test of an area; ``plan`` only if the interval is resampled."""

    variance: Variance
    interval: Interval
    test: AreaTest
    plan: ResamplePlan | None
    over: AreaRange | None

    @property
    def span(self) -> AreaRange:
        """The range of the area."""
        return self.over or FULL_RANGE

    def n_resamples_of(self, used: str) -> int:
        """Return the number of resamples behind the interval in use: 0 behind a closed form."""
        return self.plan.n_resamples if self.plan and area_interval(used).resampled else 0


def area_rows(
    question: Question, sample: Sample, g: int, k: int, request: AreaRequest
) -> list[dict[str, Any]]:
    """Return the row of a whole area, or the three rows of a partial one."""
    row = _row(question, sample, g, k, request)
    if request.over is None:
        return [{**row, **FULL_AREA}]
    over = request.over
    return [
        {**row, **range_columns(over), "quantity": quantity, **_moved(row, offset, scale)}
        for quantity, offset, scale in over.quantities()
    ]


def _moved(row: dict[str, Any], offset: float, scale: float) -> dict[str, Any]:
    # Limits are made once, for the mean rate. Every quantity of a range is linear in that rate, so
    # that its limits are the images of those limits (equivariance), and the test is the same.
    places = ("estimate", "ci_low", "ci_high", "null_value")
    sizes = ("se", BINNING_ERROR)
    return {
        **{name: offset + scale * row[name] for name in places},
        **{name: scale * row[name] for name in sizes},
        "ends": (offset, offset + scale),
    }


def _row(
    question: Question, sample: Sample, g: int, k: int, request: AreaRequest
) -> dict[str, Any]:
    row = {**request.test.columns(), **class_sizes(sample), "n_resamples": 0}
    if lacks_class(sample):
        return unanswered(question, row, ["one-class", *row_codes(sample)])
    require_fold_classes(sample)
    if sample.sample_weight is not None and request.plan is None:
        value = estimates.weighted_area(sample.cases, k, np.nan, request.span).value
        # A sum of weights is no number of cases: no closed-form variance is valid for it.
        codes = ["weights-need-bootstrap", *row_codes(sample)]
        return unanswered(question, {**row, "estimate": value}, codes)
    return {**row, **_with_interval(sample, g, k, request)}


def _with_interval(sample: Sample, g: int, k: int, request: AreaRequest) -> dict[str, Any]:
    weighted = sample.sample_weight is not None
    # The stream is keyed by the places of group and predictor, so that a predictor has the same
    # draws whatever other predictors the study has.
    with enough_valid_resamples():
        plan = request.plan
        draws = draw_mean_areas(sample.cases, k, plan.at(g), request.span) if plan else None
    estimate, span = _estimate(sample, k, request, draws), request.span
    resampled, codes = _resampled(sample, k, request, estimate, draws)
    inference = request.test.infer(estimate, request.interval, resampled)
    variance = "resamples" if weighted else estimates.variance_name(sample.cases, request.variance)
    return {
        **inferred_columns(estimate, inference),
        BINNING_ERROR: area_error(sample, k, span),
        "n_resamples": request.n_resamples_of(inference.method),
        "method": f"{variance}/{inference.method}",
        "note": [
            *inference.codes,
            *codes,
            *estimates.range_codes(sample.cases, k, request.span),
            *estimates.size_codes(sample.cases, request.variance, unequal=True),
            *row_codes(sample),
        ],
    }


def _estimate(sample: Sample, k: int, request: AreaRequest, draws: AreaDraws | None) -> Area:
    """Return the area with its variance: under weights, that of the resamples."""
    if sample.sample_weight is not None and draws is not None:
        variance = cleared(float(np.var(draws.values, ddof=1)))
        return estimates.weighted_area(sample.cases, k, variance, request.span)
    # Only effective sample sizes need the spread; other intervals are spared its cost.
    spread = area_interval(request.interval).needs_spread
    return estimates.estimate_area(sample.cases, k, request.variance, request.span, spread=spread)


def _resampled(
    sample: Sample, k: int, request: AreaRequest, estimate: Area, draws: AreaDraws | None
) -> tuple[IntervalMethod | None, tuple[str, ...]]:
    """Return the method of a resampled interval and the notes of its draws."""
    from_draws = area_interval(request.interval).from_draws
    if draws is None or from_draws is None:
        return None, ()
    method = from_draws(draws.values, sample.cases, k, estimate.value, request.span)
    if method is None:
        # BCa's z0 is infinite where all draws lie on one side of the estimate: percentile limits
        # replace it. Where there is no variance either, another note says that nothing varies.
        codes = ("infinite-bias",) if estimate.variance > 0 else ()
        return percentile(draws.values), (*codes, *draws.notes)
    return method, draws.notes
