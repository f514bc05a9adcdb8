"""Resamples as counts in cells: distinct scores, straight pieces of a curve, bins or blocks.

Counts are multinomial, or those of drawn cases, or of whole clusters; of very many cells, normal
counts of blocks of neighbouring ones (docs/methods/resampling.md, "Blocks of a curve").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rocstats.curves.rotated import AnyCounts
from rocstats.estimate.resample import (
    Counts,
    ResamplePlan,
    Streams,
    draw_weights,
    resamples_with_both_classes,
)
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.cases import ScoredCases

# --- Counts of stratified resamples in cells: a cell is a distinct score, or a bin of scores ------

# A cell of a multinomial costs as much as some 15 counted cases, and each score is a cell of both
# classes: below 30 cases a score, counting cases is cheaper. Both draw the same distribution.
CASES_PER_CELL = 30


def multinomial_tables(
    n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan
) -> Iterator[tuple[slice, Counts, Counts]]:
    """Yield parts of stratified resamples with their positives and negatives in each cell."""
    # One stream a class: the negatives that are drawn do not depend on the positives.
    m, n = n_pos.sum(), n_neg.sum()
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    for part in plan.chunks(len(n_pos)):
        size = part.stop - part.start
        pos = of_pos.multinomial(int(m), n_pos / m, size=size)
        yield part, pos, of_neg.multinomial(int(n), n_neg / n, size=size)


def resampled_cells(
    cases: ScoredCases, cell: IntArray, n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan
) -> Iterator[tuple[slice, AnyCounts, AnyCounts]]:
    """Yield parts of the resamples with their counts of positives and negatives in each cell.

    ``cell`` is that of each case; the classes are resampled apart, clusters whole.
    """
    if cases.cluster is not None:
        yield from _clustered_cells(cases, cell, len(n_pos), plan)
        return
    total = n_pos.sum() + n_neg.sum()
    if total > CASES_PER_CELL * len(n_pos):
        yield from multinomial_tables(n_pos, n_neg, plan)
        return
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    for part in plan.chunks(int(total)):
        size = part.stop - part.start
        yield part, counted_cells(of_pos, n_pos, size), counted_cells(of_neg, n_neg, size)


def _clustered_cells(
    cases: ScoredCases, cell: IntArray, n_cells: int, plan: ResamplePlan
) -> Iterator[tuple[slice, AnyCounts, AnyCounts]]:
    """Yield parts of resamples of whole clusters with their counts in each cell.

    ``cell`` is the cell of each case. Class sizes vary; a resample that lacks a class is redrawn.
    """
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=False)
        weights = weights[resamples_with_both_classes(weights, cases.is_positive)]
        sides = (
            _weighted_cells(weights[:, rows], cell[rows], n_cells)
            for rows in (cases.is_positive, ~cases.is_positive)
        )
        return np.stack(tuple(sides), axis=1)

    for part, drawn, _ in plan.valid_parts(len(cell), draw, "bands"):
        yield part, drawn[:, 0], drawn[:, 1]


def _weighted_cells(weight: FloatArray, cell: IntArray, n_cells: int) -> FloatArray:
    """Return the sums of the weights of each row of a matrix by cell."""
    size = len(weight)
    place = cell + np.arange(0, size * n_cells, n_cells)[:, np.newaxis]
    sums = np.bincount(place.ravel(), weights=weight.ravel(), minlength=size * n_cells)
    return np.asarray(sums.reshape(size, n_cells), dtype=np.float64)


def multinomial_cells(rng: np.random.Generator, weight: FloatArray, size: int) -> AnyCounts:
    """Return size x cells multinomial counts of as many draws as the weights add up to."""
    total = weight.sum()
    return rng.multinomial(round(total), weight / total, size=size)  # smoothed weights: not whole


def counted_cells(rng: np.random.Generator, weight: FloatArray, size: int) -> AnyCounts:
    """Return multinomial counts by drawing and counting cases."""
    cell_of_case = np.repeat(np.arange(len(weight)), weight.astype(np.intp))
    total, cells = len(cell_of_case), len(weight)
    drawn = cell_of_case.take(rng.integers(0, total, size=(size, total)))
    drawn += np.arange(0, size * cells, cells)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * cells).reshape(size, cells)


# --- Blocks of neighbouring cells, and their normal counts ----------------------------------------

# The supremum misses O(1/D + n^(-1/4) D^(-1/2)) of itself with D blocks: below .3 % in
# validation/blocks/bands.csv, where 2000 resamples have a Monte-Carlo error of 1.5 %.
LEAST_BLOCKS = 2048
# Curves of fewer straight pieces a block are resampled by cases, or by pieces: a bridge between the
# ends of a block is too rough a model of few pieces (with 2 to 5 the mean misses up to .6 %).
_CELLS_PER_BLOCK = 8
_FEW_EXPECTED = 10.0  # a normal count is below 0 with a probability of 1 in 1000 there


def takes_blocks(n_cells: int) -> bool:
    """Return whether a curve of so many straight pieces is resampled by blocks."""
    return n_cells > _CELLS_PER_BLOCK * LEAST_BLOCKS


def block_starts(share: FloatArray, n_blocks: int) -> IntArray:
    """Return the first cell of each of about ``n_blocks`` blocks of neighbouring cells.

    Blocks have equal sums of shares. Cells are whole; one of half a block or more is a block by
    itself.
    """
    # Shares are those of a cell in the positives plus those in the negatives: a rare class is then
    # cut as finely as the other.
    upto = np.cumsum(share)
    edges = np.searchsorted(upto, upto[-1] * np.arange(n_blocks) / n_blocks, "right")
    heavy = np.flatnonzero(share >= upto[-1] / 2 / n_blocks)
    starts = np.unique(np.concatenate([[0], edges, heavy, heavy + 1]))
    return starts[starts < len(share)]


def normal_counts(rng: np.random.Generator, weight: FloatArray, size: int) -> FloatArray:
    """Return size x cells normal numbers with the weights as means and variances.

    Shares of their sum have the covariances of multinomial counts, and the same limits.
    """
    # Counts below 0 stay: cut at 0, blocks of 12 cases would raise the 95% quantile by a fifth.
    counts = rng.standard_normal((size, len(weight)))
    counts *= np.sqrt(weight)
    counts += weight
    return counts


def draw_few_or_many_in_cells(streams: Streams, weight: FloatArray, size: int) -> FloatArray:
    """Return size x cells numbers with the weights as means and variances, few of them whole.

    As ``normal_counts``, but Poisson where a normal number would be too coarse a count.
    """
    few = weight < _FEW_EXPECTED
    if few.all():
        return streams[1].poisson(weight, (size, len(weight))).astype(np.float64)
    # Normal numbers for all columns: to put most of them in place would take longer.
    counts = normal_counts(streams[0], weight, size)
    if few.any():
        counts[:, few] = streams[1].poisson(weight[few], (size, int(few.sum())))
    return counts


# --- Weights of rows added up by score: the count tables of many resamples of the same cases ------


class ScoreColumns(NamedTuple):
    """Rows of one class in the order of a predictor's scores, with the code of each score."""

    rows: IntArray
    codes: IntArray
    n_scores: int

    def tables(self, weights: FloatArray) -> FloatArray:
        """Return the weight at each score (r x d) of resamples of all rows."""
        sums = np.zeros((len(weights), self.n_scores))
        if len(self.rows):
            # Scores of the other class only get no start: reduceat does not sum an empty run to 0.
            starts = np.flatnonzero(np.diff(self.codes, prepend=-1))
            drawn = weights.take(self.rows, axis=1)
            sums[:, self.codes[starts]] = np.add.reduceat(drawn, starts, axis=1)
        return sums


Columns = tuple[ScoreColumns, ScoreColumns]
"""Positives and negatives by the scores of a predictor."""


def fold_rows(cases: ScoredCases) -> list[IntArray]:
    """Return the rows of each fold; all rows without folds."""
    if cases.fold is None:
        return [np.arange(len(cases.is_positive))]
    return [np.flatnonzero(cases.fold.codes == code) for code in cases.fold.present]


def score_columns(cases: ScoredCases, rows: IntArray, k: int) -> Columns:
    """Return the positives and the negatives among some rows for predictor ``k``."""
    kept, codes = np.unique(cases.codes(k)[rows], return_inverse=True)
    sides = []
    for positive in (True, False):
        members = np.flatnonzero(cases.is_positive[rows] == positive)
        # Stable: weights of a tie are summed in the order of rows, on every processor.
        order = members[np.argsort(codes[members], kind="stable")]
        sides.append(ScoreColumns(rows[order], codes[order], len(kept)))
    return sides[0], sides[1]
