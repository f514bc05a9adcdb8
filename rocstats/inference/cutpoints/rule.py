"""How a cutpoint is chosen in a group and in its resamples, and which threshold is reported.

``cutpoints`` and ``cutpoint_draws`` choose it by the same rule, and read the same resamples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.average import vertex_at
from rocstats.curves.criteria import (
    AlikeThresholds,
    Criterion,
    CriterionName,
    CutpointRequest,
    OwnCriterion,
    ThresholdAt,
    make_criterion,
    threshold_place_reported,
)
from rocstats.curves.roc import RocPoints
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_cutpoints import CutpointDraws, draw_cutpoints
from rocstats.facts.arrays import FloatArray
from rocstats.study.cases import ScoredCases


class PlacedDraws(NamedTuple):
    """Cutpoints of resamples with their thresholds.

    The vertices of ``draws`` are those of the thresholds in the sample; ``alike`` are the
    thresholds that call the same cases of the resample positive, ``at`` which of them is reported.
    """

    draws: CutpointDraws
    threshold: FloatArray
    alike: AlikeThresholds
    at: ThresholdAt


class CutpointRule(NamedTuple):
    """The criterion with its numbers, and which of the thresholds that decide alike is reported."""

    criterion: CriterionName | OwnCriterion
    request: CutpointRequest
    threshold_at: ThresholdAt = "midpoint"

    def of(self, part: ScoredCases) -> tuple[Criterion, CutpointRequest]:
        """Return the criterion in a group, at the prevalence of the group unless one was given."""
        request = self.request
        if np.isnan(request.prevalence):
            request = request._replace(prevalence=part.prevalence)
        criterion = make_criterion(self.criterion, request)
        # A prevalence in the row would say that Youden's cutpoint depends on it.
        if not criterion.uses_prevalence:
            request = request._replace(prevalence=np.nan)
        return criterion, request

    def draw(self, part: ScoredCases, curve: RocPoints, k: int, plan: ResamplePlan) -> PlacedDraws:
        """Return the cutpoints of resamples of predictor ``k``, whose curve this is."""
        criterion, _ = self.of(part)
        draws = draw_cutpoints(part, k, criterion, plan)
        at = threshold_place_reported(curve.threshold[1:], self.threshold_at)
        alike = AlikeThresholds.of(curve, draws.vertex, draws.last)
        threshold = alike.at(at)
        # The sample may have scores between the observed score and the midpoint.
        placed = np.where(threshold == alike.strict, draws.vertex, vertex_at(curve, threshold))
        return PlacedDraws(draws._replace(vertex=placed), threshold, alike, at)


def cutpoint_columns(curve: RocPoints, vertex: int, threshold: float) -> dict[str, float]:
    """Return the columns of a vertex of the curve: threshold, next score, rates and counts."""
    rates = {name: float(getattr(curve, name)[vertex]) for name in ("fpr", "tpr", "fp", "tp")}
    return {"threshold": threshold, "next_score": float(curve.next_score[vertex]), **rates}
