"""The adjusted areas of the predictors of a sample, with their covariance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.inference.covariates.design import Design, extrapolated, read_design, read_score
from rocstats.inference.estimates.answers import class_sizes
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import size_codes
from rocstats.stats.areas.units import units_of
from rocstats.stats.covariates.adjusted import (
    AdjustedArea,
    Positives,
    Residuals,
    adjusted_area,
)
from rocstats.stats.influence.areas import AreaCovariance, covariance_of
from rocstats.stats.influence.values import ClassInfluence, FoldInfluence
from rocstats.stats.intervals.area import Area
from rocstats.tolerances import cleared

NO_SPREAD = "no-residual-spread"


class Adjusted(NamedTuple):
    """Adjusted areas of some predictors of the same cases, in the order asked for."""

    areas: list[AdjustedArea]
    result: AreaCovariance
    codes: list[str]

    def area(self, row: int, part: Sample) -> Area:
        """Return one of the areas for its interval, whose limits are normal."""
        variance = cleared(float(self.result.covariance[row, row]))
        return Area(self.areas[row].value, variance, np.inf, *units_of(part.cases))


def adjust(part: Sample, group: str, predictors: Sequence[int], residuals: Residuals) -> Adjusted:
    """Return the adjusted areas of predictors in a sample (a group) with both classes."""
    design = read_design(part, group)
    design.require_fit()
    areas = [_adjusted(part, k, design, residuals) for k in predictors]
    result = _covariance(part, areas, design)
    return Adjusted(areas, result, extrapolated(design, part))


def placements(part: Sample, group: str, k: int, residuals: Residuals) -> AdjustedArea:
    """Return the adjusted area of one predictor, with the placements of the positives."""
    design = read_design(part, group)
    design.require_fit()
    return _adjusted(part, k, design, residuals)


def word_of(part: Sample, residuals: Residuals) -> str:
    """Return the first word of ``method``."""
    return f"adjusted-{residuals}{'' if part.cluster is None else '-cluster'}"


def about(part: Sample, codes: Sequence[str]) -> dict[str, Any]:
    """Return the columns of sizes and of notes."""
    sizes = [code for code in size_codes(part.cases) if code in ("few-cases", "few-clusters")]
    return {**class_sizes(part), "note": [*codes, *sizes, *row_codes(part)]}


def _adjusted(part: Sample, k: int, design: Design, residuals: Residuals) -> AdjustedArea:
    score = read_score(part, k, design)
    own = part.is_positive
    positives = Positives(score[own], design.matrix[own], design.weight[own])
    return adjusted_area(positives, design.fit(score), residuals)


def _covariance(part: Sample, areas: Sequence[AdjustedArea], design: Design) -> AreaCovariance:
    own = part.is_positive
    sides = [
        ClassInfluence(np.stack(values), None if part.frequency is None else design.weight[rows])
        for values, rows in (
            ([area.of_positives for area in areas], own),
            ([area.of_negatives for area in areas], ~own),
        )
    ]
    values = np.array([area.value for area in areas])
    return covariance_of(part.cases, FoldInfluence(values, *sides))
