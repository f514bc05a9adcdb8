"""Which cutpoint is chosen in a group: the criterion, its numbers, and the resamples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.points.cutpoints import (
    Criterion,
    CriterionName,
    CutpointRequest,
    Value,
    make_criterion,
)
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.cutpoints import CutpointDraws, draw_cutpoints
from rocstats.stats.resampling.streams import ResamplePlan


class CutpointPlan(NamedTuple):
    """The criterion of the cutpoint and the resamples of its choice; 0 resamples for none."""

    criterion: CriterionName | Value
    request: CutpointRequest
    resamples: ResamplePlan

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

    def draw(self, part: ScoredCases, g: int, k: int) -> CutpointDraws:
        """Return the cutpoints of resamples of predictor ``k`` in group ``g``."""
        criterion, _ = self.of(part)
        # A stream for each group and predictor: a further predictor does not change the others,
        # and ``cutpoints`` and ``cutpoint_draws`` have the same draws.
        return draw_cutpoints(part, k, criterion, self.resamples.at(g, k))


def curve_point(curve: RocPoints, vertex: int, threshold: float) -> dict[str, float]:
    """Return the columns of a vertex of the curve: threshold, rates and counts."""
    rates = {name: float(getattr(curve, name)[vertex]) for name in ("fpr", "tpr", "fp", "tp")}
    return {"threshold": threshold, **rates}
