"""Bootstrap of an optimal cutpoint: the vertex chosen in each resample, and its rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.points.chosen_vertices import candidates, choose, last_alike
from rocstats.curves.points.cutpoints import Criterion
from rocstats.sample.arrays import FloatArray, IntArray, cumulated
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.curves.blocks import takes_blocks
from rocstats.stats.resampling.curves.rotated import resampled_cells
from rocstats.stats.resampling.curves.staged import staged_cutpoints
from rocstats.stats.resampling.streams import ResamplePlan


class CutpointDraws(NamedTuple):
    """Cutpoint chosen in each resample.

    ``vertex`` is its place in the count table of the sample, and ``last`` that of the last vertex
    that calls the same cases of the resample positive; the rates are those of the resample, whose
    classes have ``n_pos`` and ``n_neg`` members. ``codes`` are notes on how they were drawn.
    """

    vertex: IntArray
    last: IntArray
    fpr: FloatArray
    tpr: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray
    codes: tuple[str, ...] = ()


def draw_cutpoints(
    sample: ScoredCases, k: int, criterion: Criterion, plan: ResamplePlan
) -> CutpointDraws:
    """Return the cutpoints of resamples of predictor ``k``: cases by class, or clusters whole.

    Very many distinct scores without clusters are resampled by blocks.
    """
    counts = sample.counts(k)
    if sample.cluster is None and takes_blocks(len(counts.score)):
        return _blocked(counts, criterion, plan)
    return case_cutpoints(sample, k, criterion, plan)


def case_cutpoints(
    sample: ScoredCases, k: int, criterion: Criterion, plan: ResamplePlan
) -> CutpointDraws:
    """Return the cutpoints of resampled cases, or clusters, however many distinct scores there are.

    Exact for any ties, as the cells are the distinct scores.
    """
    # Scores that a resample lacks stay as empty cells: vertices keep their places in the sample.
    counts, codes = sample.counts(k), sample.codes(k).astype(np.intp)
    columns = candidates(counts, criterion)
    vertex, last = np.empty((2, plan.n_resamples), dtype=np.intp)
    points = np.empty((4, plan.n_resamples))
    for part, pos, neg in resampled_cells(sample, codes, counts.n_pos, counts.n_neg, plan):
        tp, fp = cumulated(pos), cumulated(neg)
        chosen = choose(fp, tp, columns, criterion)
        rows = np.arange(len(chosen))
        n_pos, n_neg = tp[:, -1], fp[:, -1]  # with clusters the class sizes vary
        vertex[part], last[part] = chosen, last_alike(fp, tp, chosen)
        points[:, part] = fp[rows, chosen] / n_neg, tp[rows, chosen] / n_pos, n_pos, n_neg
    of_fpr, of_tpr, of_pos, of_neg = points
    return CutpointDraws(vertex, last, of_fpr, of_tpr, of_pos, of_neg)


def _blocked(counts: ScoreCounts, criterion: Criterion, plan: ResamplePlan) -> CutpointDraws:
    """Return the cutpoints of resamples drawn by blocks, each with its own score only."""
    vertex, fpr, tpr = staged_cutpoints(counts, criterion, plan)
    n_pos, n_neg = (np.full(len(vertex), total) for total in (counts.total_pos, counts.total_neg))
    # The next score that a resample lacks is a case or two away, among very many.
    return CutpointDraws(vertex, vertex, fpr, tpr, n_pos, n_neg, ("blocked-resamples",))
