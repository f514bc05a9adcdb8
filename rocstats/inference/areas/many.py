"""The areas of all predictors of a study as columns, without a row at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.questions import Question
from rocstats.inference.areas.area_rows import AreaRequest
from rocstats.inference.estimates.answers import answer_many, class_sizes
from rocstats.inference.estimates.area_inference import AreaTest
from rocstats.inference.estimates.direction import BELOW_CHANCE
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.arrays import BoolArray
from rocstats.sample.base import row_codes
from rocstats.sample.binned import is_binned
from rocstats.sample.counts.summed import SummedCases
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.areas.estimates import size_codes, variance_name
from rocstats.stats.areas.many import (
    Inferences,
    all_areas,
    has_limits_of_many,
    infer_many,
)
from rocstats.stats.areas.ranked import Areas

_OF_DIRECTION = ("delong", "logit-t", 0.95, "two-sided")


def can_be_columns(sample: Sample, request: AreaRequest) -> bool:
    """Return whether the areas of all predictors can be made at once."""
    return (
        request.over is None
        and sample.sample_weight is None
        and sample.own_dropped is None
        # Bins have a bound a row; cases known by sums have no rows to be sorted.
        and not is_binned(sample)
        and not isinstance(sample.all_cases, SummedCases)
        and has_limits_of_many(request.interval)
    )


def area_columns(question: Question, sample: Sample, request: AreaRequest) -> pd.DataFrame:
    """Return the frame of the areas of all predictors in all groups."""
    parts = []
    notes: list[tuple[str, ...]] = []
    for group, part in sample.by_group():
        columns, codes = _columns(question, part, request)
        parts.append({"predictor": list(sample.predictors), "group": group, **columns})
        notes += codes
    names = [name for name in question.columns if name != "note"]
    if len(parts) == 1:
        columns = {name: parts[0][name] for name in names}
        return answer_many(question, sample, columns, notes)
    n_rows = len(sample.predictors)
    columns = {name: _stacked([_whole(part[name], n_rows) for part in parts]) for name in names}
    return answer_many(question, sample, columns, notes)


def _columns(
    question: Question, sample: Sample, request: AreaRequest
) -> tuple[dict[str, Any], list[tuple[str, ...]]]:
    """Return the columns of one group, a scalar for what all rows share, and their codes."""
    row = {**request.test.columns(), **class_sizes(sample), "n_resamples": 0}
    n_rows = len(sample.predictors)
    if lacks_class(sample):
        row = unanswered(question, row, ["one-class", *row_codes(sample)])
        return {**row, **FULL_AREA}, [tuple(row["note"])] * n_rows
    require_fold_classes(sample)
    areas = all_areas(sample.cases, request.variance)
    found = infer_many(areas, request.interval, **request.test._asdict())
    name = variance_name(sample.cases, request.variance)
    methods = [f"{name}/{request.interval}"] * n_rows
    shared = (*size_codes(sample.cases, request.variance, unequal=True), *row_codes(sample))
    # One tuple for all rows alike: notes are then written once.
    kinds = (shared, (*shared, BELOW_CHANCE))
    below = _below_chance(sample, areas, found, request).tolist()
    notes = [kinds[each] for each in below]
    for k, inference in found.odd.items():
        methods[k] = f"{name}/{inference.method}"
        notes[k] = (*inference.codes, *notes[k])
    numbers = {name: getattr(found, name) for name in found._fields[:-1]}
    estimates = {"estimate": areas.value, "se": np.sqrt(areas.variance), **numbers}
    return {**row, **FULL_AREA, **estimates, "method": methods}, notes


def _below_chance(
    sample: Sample, areas: Areas, found: Inferences, request: AreaRequest
) -> BoolArray:
    """Return which predictors have an upper .95 limit below .5, as ``direction_codes`` says."""
    test = request.test
    if request.variance != "delong":
        areas = all_areas(sample.cases, "delong")
    below = areas.value < 0.5
    if (request.variance, request.interval, *test[:2]) == _OF_DIRECTION:
        return np.asarray(below & (found.ci_high < 0.5))
    rows = np.flatnonzero(below)
    if len(rows):
        usual = AreaTest(0.95, "two-sided", np.nan)
        below[rows] = infer_many(areas.take(rows), "logit-t", **usual._asdict()).ci_high < 0.5
    return below


def _whole(values: Any, n_rows: int) -> Any:
    """Return a column of all rows, of texts as a list."""
    if isinstance(values, str):
        return [values] * n_rows
    return values if isinstance(values, (list, np.ndarray)) else np.full(n_rows, float(values))


def _stacked(columns: list[Any]) -> Any:
    """Return the columns of several groups below each other."""
    if isinstance(columns[0], list):
        return [text for column in columns for text in column]
    return np.concatenate(columns)
