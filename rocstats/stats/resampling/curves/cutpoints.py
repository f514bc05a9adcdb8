"""Bootstrap of a cutpoint: the vertex that each resample chooses, and its rates there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rocstats.curves.bands.rotated import AnyCounts
from rocstats.curves.points.cutpoints import (
    Asked,
    Criterion,
    CriterionName,
    Value,
    candidates,
    choose,
    cumulated,
    make_criterion,
)
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.rotated import clustered_cells, stratified_cells


@dataclass(frozen=True, eq=False)
class CutpointDraws:
    """What each resample chooses.

    ``vertex`` stands in the count table of the sample; the rates are those of the resample, whose
    classes have ``n_pos`` and ``n_neg`` members.
    """

    vertex: IntArray
    fpr: FloatArray
    tpr: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray


@dataclass(frozen=True)
class CutpointPlan:
    """What is best, and the resamples that show how much was luck; 0 of them for none."""

    criterion: CriterionName | Value
    asked: Asked
    n_resamples: int
    seed: int
    progress: bool

    def of(self, part: ScoredCases) -> tuple[Criterion, Asked]:
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


def draw_cutpoints(
    sample: ScoredCases,
    k: int,
    criterion: Criterion,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> CutpointDraws:
    """Return the cutpoints of resamples of predictor ``k``: cases by class, or clusters whole.

    Exact for any ties: scores are the cells that are drawn and counted, by a multinomial where many
    cases share few scores.
    """
    columns = candidates(sample.counts(k), criterion)
    vertex = np.empty(n_resamples, dtype=np.intp)
    points = np.empty((4, n_resamples))
    for part, pos, neg in _draws(sample, k, n_resamples, seed, progress=progress):
        tp, fp = cumulated(pos), cumulated(neg)
        chosen = choose(fp, tp, columns, criterion)
        rows = np.arange(len(chosen))
        n_pos, n_neg = tp[:, -1], fp[:, -1]
        vertex[part] = chosen
        points[:, part] = fp[rows, chosen] / n_neg, tp[rows, chosen] / n_pos, n_pos, n_neg
    return CutpointDraws(vertex, *points)


def _draws(
    sample: ScoredCases, k: int, n_resamples: int, seed: tuple[int, ...], *, progress: bool
) -> Iterator[tuple[slice, AnyCounts, AnyCounts]]:
    """Return parts of the resamples with their counts at each score."""
    counts = sample.counts(k)
    if sample.cluster is None:
        return stratified_cells(counts.n_pos, counts.n_neg, n_resamples, seed, progress=progress)
    codes = sample.codes(k).astype(np.intp)
    return clustered_cells(sample, codes, len(counts.score), n_resamples, seed, progress=progress)
