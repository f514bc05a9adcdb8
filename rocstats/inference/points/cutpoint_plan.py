"""Which cutpoint is looked for in each group, and the resamples that show how much was luck."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocstats.curves.points.cutpoints import (
    Criterion,
    CriterionName,
    CutpointRequest,
    Value,
    make_criterion,
)
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.cutpoints import CutpointDraws, draw_cutpoints


@dataclass(frozen=True)
class CutpointPlan:
    """What is best, and the resamples that show how much was luck; 0 of them for none."""

    criterion: CriterionName | Value
    asked: CutpointRequest
    n_resamples: int
    seed: int
    progress: bool

    def of(self, part: ScoredCases) -> tuple[Criterion, CutpointRequest]:
        """Return the criterion in a group, whose prevalence is taken where none was given."""
        asked = self.asked
        if np.isnan(asked.prevalence):
            asked = replace(asked, prevalence=part.prevalence)
        criterion = make_criterion(self.criterion, asked)
        if not criterion.uses_prevalence:
            asked = replace(asked, prevalence=np.nan)
        return criterion, asked

    def draw(self, part: ScoredCases, g: int, k: int) -> CutpointDraws:
        """Return the cutpoints of resamples of predictor ``k`` in group ``g``."""
        criterion, _ = self.of(part)
        keys = (self.seed, g, k)
        return draw_cutpoints(part, k, criterion, self.n_resamples, keys, progress=self.progress)
