"""Which cutpoint is chosen in a group: the criterion, its numbers, and the resamples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.chosen_vertices import AlikeThresholds, ThresholdAt, reported_at
from rocstats.curves.points.cutpoints import (
    Criterion,
    CriterionName,
    CutpointRequest,
    make_criterion,
)
from rocstats.curves.points.own_criterion import OwnCriterion
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.cutpoints import CutpointDraws, draw_cutpoints
from rocstats.stats.resampling.streams import ResamplePlan


class PlacedDraws(NamedTuple):
    """Cutpoints of resamples with their thresholds.

    The vertices of ``draws`` are those of the thresholds in the sample; ``alike`` are the
    thresholds that call the same cases of the resample positive, ``at`` which of them is reported.
    """

    draws: CutpointDraws
    threshold: FloatArray
    alike: AlikeThresholds
    at: ThresholdAt


class CutpointPlan(NamedTuple):
    """The criterion of the cutpoint and the resamples of its choice; 0 resamples for none.

    ``prevalence`` is that of the predictive values; None for none.
    """

    criterion: CriterionName | OwnCriterion
    request: CutpointRequest
    resamples: ResamplePlan
    threshold_at: ThresholdAt = "midpoint"
    prevalence: float | None = None

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

    def draw(self, part: ScoredCases, curve: RocPoints, g: int, k: int) -> PlacedDraws:
        """Return the cutpoints of resamples of predictor ``k``, of this curve, in group ``g``."""
        criterion, _ = self.of(part)
        # A stream for each group and predictor: a further predictor does not change the others,
        # and ``cutpoints`` and ``cutpoint_draws`` have the same draws.
        draws = draw_cutpoints(part, k, criterion, self.resamples.at(g, k))
        at = reported_at(curve.threshold[1:], self.threshold_at)
        alike = AlikeThresholds.of(curve, draws.vertex, draws.last)
        threshold = alike.at(at)
        # The sample may have scores between the observed score and the midpoint.
        placed = np.where(threshold == alike.strict, draws.vertex, vertex_at(curve, threshold))
        return PlacedDraws(draws._replace(vertex=placed), threshold, alike, at)


def curve_point(curve: RocPoints, vertex: int, threshold: float) -> dict[str, float]:
    """Return the columns of a vertex of the curve: threshold, rates and counts."""
    rates = {name: float(getattr(curve, name)[vertex]) for name in ("fpr", "tpr", "fp", "tp")}
    return {"threshold": threshold, **rates}
