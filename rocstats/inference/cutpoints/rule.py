"""How a cutpoint is chosen in a group and in its resamples, and which threshold is reported.

``cutpoints`` and ``cutpoint_draws`` choose it by the same rule, and read the same resamples: in
each, the chosen vertex and its rates.

With very many distinct scores cutpoints are drawn in two stages, the second where the first found
good ones (E7). Each block of neighbouring scores is represented by the sample's best vertex in it,
so that the cost of a resample depends on the number of blocks (docs/methods/resampling.md,
"Cutpoints in two stages").
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
    best_vertices,
    candidate_vertices,
    last_vertex_calling_alike,
    make_criterion,
    threshold_place_reported,
    vertex_of_first_best_merit,
)
from rocstats.curves.roc import RocPoints
from rocstats.estimate.resample import (
    LEAST_BLOCKS,
    ResamplePlan,
    Streams,
    block_starts,
    draw_few_or_many_in_cells,
    resampled_cells,
    takes_blocks,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, cumulated
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- Cutpoints of resampled cases, or clusters ----------------------------------------------------


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
        return staged_cutpoints(counts, criterion, plan)
    return case_cutpoints(sample, k, criterion, plan)


def case_cutpoints(
    sample: ScoredCases, k: int, criterion: Criterion, plan: ResamplePlan
) -> CutpointDraws:
    """Return the cutpoints of resampled cases, or clusters, however many distinct scores there are.

    Exact for any ties, as the cells are the distinct scores.
    """
    # Scores that a resample lacks stay as empty cells: vertices keep their places in the sample.
    counts, codes = sample.counts(k), sample.codes(k).astype(np.intp)
    columns = candidate_vertices(counts, criterion)
    vertex, last = np.empty((2, plan.n_resamples), dtype=np.intp)
    points = np.empty((4, plan.n_resamples))
    for part, pos, neg in resampled_cells(sample, codes, counts.n_pos, counts.n_neg, plan):
        tp, fp = cumulated(pos), cumulated(neg)
        chosen = best_vertices(fp, tp, columns, criterion)
        rows = np.arange(len(chosen))
        n_pos, n_neg = tp[:, -1], fp[:, -1]  # with clusters the class sizes vary
        vertex[part], last[part] = chosen, last_vertex_calling_alike(fp, tp, chosen)
        points[:, part] = fp[rows, chosen] / n_neg, tp[rows, chosen] / n_pos, n_pos, n_neg
    of_fpr, of_tpr, of_pos, of_neg = points
    return CutpointDraws(vertex, last, of_fpr, of_tpr, of_pos, of_neg)


# --- Engine E7: cutpoints in two stages -----------------------------------------------------------

# A stretch of a few blocks of 512 is cut into 2048 again; it is where any of 500 resamples has its
# best, and one block more on each side, so that hardly any of thousands has it outside.
_PILOT_BLOCKS = 512
_PILOT_DRAWS = 500  # see above
# A block may hold a better vertex than the one that represents it, by what resamples vary within
# it. Three standard deviations, as the best of 500 pilot draws is looked for, not of one.
_SLACK = 3.0


def staged_cutpoints(
    counts: ScoreCounts, criterion: Criterion, plan: ResamplePlan
) -> CutpointDraws:
    """Return the cutpoints that a criterion chooses in stratified resamples drawn by blocks."""
    curve = _CandidateVertices.of(counts, criterion)
    first, beyond = _promising_scores(curve, plan)
    places = curve.represented(first, beyond, LEAST_BLOCKS)
    of_pos, of_neg = plan.streams(1), plan.streams(0)
    vertex = np.empty(plan.n_resamples, dtype=np.intp)
    rates = np.empty((2, plan.n_resamples))
    for part in plan.chunks(len(places.vertex)):
        fpr, tpr = places.draw(of_pos, of_neg, part.stop - part.start)
        best = vertex_of_first_best_merit(
            criterion.merit(fpr, tpr, *_class_sizes_for_criterion(counts))
        )
        rows = np.arange(len(best))
        vertex[part], rates[:, part] = places.vertex[best], (fpr[rows, best], tpr[rows, best])
    n_pos, n_neg = (np.full(len(vertex), total) for total in (counts.total_pos, counts.total_neg))
    # ``last`` is the vertex itself: the next score that a resample lacks is a case or two away,
    # among very many.
    return CutpointDraws(vertex, vertex, rates[0], rates[1], n_pos, n_neg, ("blocked-resamples",))


class _CandidateVertices(NamedTuple):
    """Vertices that a criterion may choose, with their merits in the sample."""

    counts: ScoreCounts
    criterion: Criterion
    columns: IntArray
    merit: FloatArray
    share: FloatArray

    @classmethod
    def of(cls, counts: ScoreCounts, criterion: Criterion) -> _CandidateVertices:
        m, n = counts.total_pos, counts.total_neg
        columns = candidate_vertices(counts, criterion)
        tpr, fpr = (
            np.append(0.0, np.cumsum(of)).take(columns)[np.newaxis] / total
            for of, total in ((counts.n_pos, m), (counts.n_neg, n))
        )
        merit = criterion.merit(fpr, tpr, *_class_sizes_for_criterion(counts))[0]
        return cls(counts, criterion, columns, merit, counts.n_pos / m + counts.n_neg / n)

    def represented(self, first: int, beyond: int, n_blocks: int) -> _RepresentativeVertices:
        """Return vertex 0 and the best vertex of each block of the scores from first to beyond."""
        starts = first + block_starts(self.share[first:beyond], n_blocks)
        # Vertex v calls the v most positive scores positive: it ends with score v - 1.
        inside = slice(*np.searchsorted(self.columns, [first + 1, beyond + 1]))
        columns, merit = self.columns[inside], self.merit[inside]
        block = np.searchsorted(starts, columns - 1, "right")
        opens = np.flatnonzero(np.diff(block, prepend=-1))
        best = np.maximum.reduceat(merit, opens) if len(opens) else merit
        is_best = np.flatnonzero(merit == np.repeat(best, np.diff(opens, append=len(block))))
        chosen = is_best[np.flatnonzero(np.diff(block[is_best], prepend=-1))]
        return _RepresentativeVertices.of(self.counts, np.append(0, columns[chosen]))


class _RepresentativeVertices(NamedTuple):
    """Increasing vertices, the first 0, and the cases after each of them up to the next."""

    vertex: IntArray
    n_pos: FloatArray
    n_neg: FloatArray

    @classmethod
    def of(cls, counts: ScoreCounts, vertex: IntArray) -> _RepresentativeVertices:
        pos, neg = (
            np.diff(np.append(0.0, np.cumsum(of)).take(np.append(vertex, len(of))))
            for of in (counts.n_pos, counts.n_neg)
        )
        return cls(vertex, pos, neg)

    def draw(self, of_pos: Streams, of_neg: Streams, size: int) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR of so many resamples at the vertices."""
        fpr, tpr = (
            _resampled_rates_at_vertices(draw_few_or_many_in_cells(streams, weight, size))
            for streams, weight in ((of_neg, self.n_neg), (of_pos, self.n_pos))
        )
        return fpr, tpr


def _promising_scores(curve: _CandidateVertices, plan: ResamplePlan) -> tuple[int, int]:
    """Return the first score, and that beyond the last, between which resamples are cut."""
    counts = curve.counts
    places = curve.represented(0, len(counts.score), _PILOT_BLOCKS)
    fpr, tpr = places.draw(plan.streams(4), plan.streams(3), _PILOT_DRAWS)
    drawn = curve.criterion.merit(fpr, tpr, *_class_sizes_for_criterion(counts))
    of_sample = curve.merit[np.searchsorted(curve.columns, places.vertex)]
    with np.errstate(invalid="ignore"):  # the function of a user may be infinite
        kept = drawn + _merit_slack_of_vertex_blocks(drawn - of_sample, counts) >= drawn.max(
            axis=1, keepdims=True
        )
    return _kept_scores(kept.any(axis=0), places.vertex, len(counts.score))


def _merit_slack_of_vertex_blocks(noise: FloatArray, counts: ScoreCounts) -> FloatArray:
    """Return how much better the best vertex of each block may be than its representative."""
    steps = np.diff(noise, axis=1)
    steps[~np.isfinite(steps)] = 0.0
    within = np.append(steps.std(axis=0), 0.0)
    within[1:] = np.maximum(within[1:], within[:-1])
    # Of a merit that changes as the rates do: the standard deviation of J within a block, twice.
    rates = 2 / _PILOT_BLOCKS * (1 / counts.total_pos + 1 / counts.total_neg)
    return np.asarray(np.maximum(_SLACK * within, 2 * np.sqrt(rates)))


def _kept_scores(kept: BoolArray, vertex: IntArray, n_scores: int) -> tuple[int, int]:
    """Return the scores from the vertex before the first kept one to the vertex after the last."""
    # Vertex 0 has no scores before it, and stays a choice whatever the stretch.
    found = np.flatnonzero(kept[1:]) + 1
    first, last = (found[0], found[-1]) if len(found) else (1, 1)
    ends = np.append(vertex, n_scores)
    return int(ends[first - 1]), int(ends[min(last + 1, len(vertex))])


def _resampled_rates_at_vertices(drawn: FloatArray) -> FloatArray:
    """Return the shares of the sums of each row before each column."""
    upto = np.cumsum(drawn, axis=1)
    rates = np.zeros(drawn.shape)
    np.divide(upto[:, :-1], upto[:, -1:], out=rates[:, 1:])
    # Normal counts may be below 0, which rates are not: criteria are functions of rates.
    return np.clip(rates, 0.0, 1.0, out=rates)


def _class_sizes_for_criterion(counts: ScoreCounts) -> tuple[FloatArray, FloatArray]:
    """Return the class sizes as criteria take them, a row for all resamples."""
    return np.array([[counts.total_pos]]), np.array([[counts.total_neg]])


# --- How a cutpoint is chosen ---------------------------------------------------------------------


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
    """The criterion with its numbers, and the choice among equivalent thresholds."""

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
