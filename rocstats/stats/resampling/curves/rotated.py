"""Bootstrap curves in rotated coordinates, and their largest distance from the sample's curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rocstats.curves.bands.rotated import AnyCounts, Rotation, corner_counts, turned_curve
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.streams import CASES_PER_CELL, ResamplePlan, require_valid_resamples
from rocstats.stats.resampling.table import multinomial_tables
from rocstats.stats.resampling.weights import draw_weights

# Places to look a curve up; results do not depend on it, as the vertices that may be the farthest
# are measured exactly. A power of two: products with it are exact.
_STEP = 1 / 256


def sup_distances(cases: ScoredCases, k: int, plan: ResamplePlan) -> FloatArray:
    """Return sup over h of abs(lam* - lam) of each resample, over all vertices of both curves.

    Cells are the straight pieces of the curve. Cases are resampled within their class, clusters
    whole.
    """
    # Both curves have slopes -+ 1/2 except within mixed ties. Without them lam* - lam grows towards
    # an end of each piece of lam*, so that the vertices of lam* suffice.
    counts = cases.counts(k)
    cell_of_score, n_pos, n_neg = corner_counts(counts)
    rotation = Rotation.of(counts)
    curve = Lookup.of(turned_curve(n_pos, n_neg, rotation))
    mixed = bool(np.any((n_pos > 0) & (n_neg > 0)))
    distances = np.empty(plan.n_resamples)
    for part, pos, neg in resampled_cells(
        cases, cell_of_score.take(cases.codes(k)), n_pos, n_neg, plan
    ):
        distances[part] = farthest(turned_curve(pos, neg, rotation), curve, both=mixed)
    return distances


@dataclass(frozen=True, eq=False)
class Lookup:
    """Curve lam(h) with its values on a fine grid; the nearest value is at most ``error`` off."""

    h: FloatArray
    lam: FloatArray
    at_steps: FloatArray

    @classmethod
    def of(cls, curve: tuple[FloatArray, FloatArray]) -> Lookup:
        """Return the curve with its values on the grid."""
        steps = np.arange(int(curve[0][-1] / _STEP) + 3) * _STEP
        return cls(*curve, np.interp(steps, *curve))

    error = _STEP / 4  # slopes of at most 1/2 over half a step

    def nearly(self, h: FloatArray) -> FloatArray:
        """Return lam at each h, up to the error: ten times as fast as interpolation."""
        return self.at_steps.take((h * (1 / _STEP) + 0.5).astype(np.intp))

    def between(self, h: FloatArray) -> FloatArray:
        """Return lam at each h, linear between the values; beyond an end its value."""
        place = np.clip(h * (1 / _STEP), 0.0, len(self.at_steps) - 1.5)
        left = place.astype(np.int32)
        place -= left
        low = self.at_steps.take(left)
        left += 1
        place *= self.at_steps.take(left) - low
        return np.asarray(low + place)


def farthest(drawn: tuple[FloatArray, FloatArray], curve: Lookup, *, both: bool) -> FloatArray:
    """Return the largest distance in lam of each drawn curve (h and lam by rows) from a curve.

    Over the vertices of the drawn curve; ``both`` adds those of the other curve.
    """
    # Interpolation costs ten times the lookup: it measures only vertices that may be the farthest.
    # Their looked-up distances and that of the true farthest are each off by up to the error.
    h, lam = drawn
    nearly = np.abs(lam - curve.nearly(h))
    rows, columns = np.nonzero(nearly >= nearly.max(axis=1, keepdims=True) - 2 * curve.error)
    places = h[rows, columns]
    exact = np.abs(lam[rows, columns] - np.interp(places, curve.h, curve.lam))
    distance = np.maximum.reduceat(exact, np.searchsorted(rows, np.arange(len(h))))
    if not both:
        return np.asarray(distance)
    at_vertices = np.abs(on_grid(h, lam, curve.h) - curve.lam).max(axis=1)
    return np.asarray(np.maximum(distance, at_vertices))


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
    streams, n_redrawn = plan.streams(2), 0
    for part in plan.chunks(len(cell)):
        pos, neg = (np.empty((part.stop - part.start, n_cells)) for _ in range(2))
        filled = 0
        while filled < len(pos):
            weight = draw_weights(streams, cases, len(pos) - filled, stratified=False)
            drawn = [
                _weighted_cells(weight[:, rows], cell[rows], n_cells)
                for rows in (cases.is_positive, ~cases.is_positive)
            ]
            both = drawn[0].any(axis=1) & drawn[1].any(axis=1)
            kept = slice(filled, filled + int(both.sum()))
            pos[kept], neg[kept] = drawn[0][both], drawn[1][both]
            n_redrawn += len(weight) - (kept.stop - filled)
            filled = kept.stop
            require_valid_resamples(part.start + filled, n_redrawn, "bands")
        yield part, pos, neg


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


def on_grid(h: FloatArray, lam: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the curves (one a row) at the points of a grid, shape (rows, grid points)."""
    rows = len(h)
    # Rows laid end to end are one increasing sequence, which takes one call.
    offset = (np.arange(rows) * (h[:, -1].max() + 1))[:, np.newaxis]
    queries = (grid + offset).ravel()
    curves = np.interp(queries, (h + offset).ravel(), lam.ravel())
    return np.asarray(curves.reshape(rows, len(grid)))
