"""Bootstrap curves of a locally smoothed pair of distributions, in rotated coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.curves.average import AnyCounts, Rotation, corner_counts, turned_curve
from rocstats.estimate.permute import midranks, shares_in_ties
from rocstats.estimate.resample import (
    CASES_PER_CELL,
    ResamplePlan,
    Streams,
    draw_weights,
    multinomial_tables,
    require_valid_resamples,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.cases import ScoredCases

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


class RankedCases(NamedTuple):
    """Single cases with mid-ranks by each predictor (k x n), and their clusters."""

    is_positive: BoolArray
    ranks: FloatArray
    unit: IntArray | None


def ranked_cases(cases: ScoredCases, predictors: Sequence[int]) -> RankedCases:
    """Return the cases of a sample ranked by some predictors; a frequency is so many cases."""
    rows = np.arange(len(cases.is_positive))
    if cases.frequency is not None:
        rows = np.repeat(rows, cases.frequency.astype(np.intp))
    ranks = np.array([midranks(cases, k)[rows] for k in predictors])
    unit = None
    if cases.cluster is not None:
        unit = np.unique(cases.cluster.codes[rows], return_inverse=True)[1]
    return RankedCases(cases.is_positive[rows], ranks, unit)


def in_order(cases: RankedCases) -> tuple[FloatArray, IntArray]:
    """Return the labels of the cases by the first predictor, lowest first, and their tie blocks."""
    order = np.argsort(cases.ranks[0], kind="stable")
    block = np.unique(cases.ranks[0], return_inverse=True)[1]
    return cases.is_positive[order].astype(np.float64), block[order]


def two_sample_distance(first: FloatArray, second: FloatArray, prevalence: float) -> float:
    """Return the integral over s of the absolute difference of two samples' error rates.

    ``first`` and ``second`` are 1 for positive cases and 0 for negative ones, from the lowest score
    up; within a tie the share of positives.
    """
    # As e + s = 2 kappa F + 1 - kappa, the difference of e at equal s is 2 kappa times that of F.
    (below, at), (other_below, other_at) = (
        _positives_below(labels, prevalence) for labels in (first, second)
    )
    places = np.sort(np.concatenate([at, other_at]))
    gap = np.interp(places, at, below) - np.interp(places, other_at, other_below)
    left, right, size = gap[:-1], gap[1:], np.abs(gap)
    total = size[:-1] + size[1:]
    height = total / 2
    crossing = left * right < 0
    # Where the sign changes within a piece, the area is that of two triangles:
    # (l^2 + r^2)/(2(|l| + |r|)) = (|l| + |r|)/2 - |l r|/(|l| + |r|).
    height[crossing] += (left * right)[crossing] / total[crossing]
    return float(2 * prevalence * np.dot(np.diff(places), height))


def _positives_below(labels: FloatArray, prevalence: float) -> tuple[FloatArray, FloatArray]:
    """Return the share of positives, and of the mixture, at or below each cut."""
    positives = np.concatenate([[0.0], np.cumsum(labels)])
    negatives = np.arange(len(labels) + 1) - positives
    share = positives / positives[-1]
    return share, prevalence * share + (1 - prevalence) * (negatives / negatives[-1])


def _places(labels: FloatArray, block: IntArray, prevalence: float) -> FloatArray:
    """Return the place of each case in the mixture of its sample: tied cases have their mean."""
    return shares_in_ties(_positives_below(shares_in_ties(labels, block), prevalence)[1][1:], block)


def two_sample_draws(
    first: tuple[FloatArray, IntArray],
    second: tuple[FloatArray, IntArray],
    prevalence: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the distance with cases exchanged between samples, within their class, at random.

    ``first`` and ``second`` are labels and tie blocks, from the lowest score up. A case is
    represented by its place s in the mixture of its own sample, so that both samples are on one
    scale. All places have one fixed order: tied cases stay tied, equal places of the two samples
    are ordered at random.
    """
    place = np.concatenate([_places(*sample, prevalence) for sample in (first, second)])
    labels = np.concatenate([first[0], second[0]])
    block = np.concatenate([first[1], second[1] + len(first[1])])
    # One lot for all cases of a block: they stay together.
    lots = plan.stream(6).random(int(block.max()) + 1)[block]
    order = np.lexsort((lots, place))
    labels, block, in_first = labels[order], block[order], order < len(first[0])
    classes = ((labels == 1, plan.stream(1)), (labels == 0, plan.stream(0)))
    draws = np.empty(plan.n_resamples)
    # A distance also fills some eight arrays of this length.
    for part in plan.chunks(8 * len(place)):
        size = part.stop - part.start
        exchanged = np.empty((size, len(place)), dtype=bool)
        for chosen, rng in classes:
            members = np.broadcast_to(in_first[chosen], (size, int(chosen.sum())))
            exchanged[:, chosen] = rng.permuted(members, axis=1)
        for row, member in enumerate(exchanged):
            draws[part.start + row] = two_sample_distance(
                shares_in_ties(labels[member], block[member]),
                shares_in_ties(labels[~member], block[~member]),
                prevalence,
            )
    return draws


def stratified_curves(
    smoothed_pos: FloatArray,
    smoothed_neg: FloatArray,
    tied: BoolArray,
    grid: FloatArray,
    plan: ResamplePlan,
) -> FloatArray:
    """Return lam of each resample at each h of the grid; the classes keep their sizes.

    Parameters
    ----------
    smoothed_pos, smoothed_neg : ndarray of float64, shape (j,)
        Expected numbers in each bin, the most positive bin first; they add up to the class sizes.
    tied : ndarray of bool, shape (j,)
        Bins whose cases share a score: a sloped piece of the curve.
    grid : ndarray of float64, shape (g,)
        Values of h.
    plan
        As in the other engines.
    """
    # Places have a stream of their own: the counts of bins are those of a draw without places.
    of_pos, of_neg, of_place = (plan.stream(key) for key in (1, 0, 3))
    m, n = smoothed_pos.sum(), smoothed_neg.sum()
    rotation = Rotation(float(np.sqrt(m)), float(np.sqrt(n)))
    curves = np.empty((plan.n_resamples, len(grid)))
    each = len(tied) if tied.all() else round(m + n)
    for part in plan.chunks(max(each, len(grid))):
        size = part.stop - part.start
        pos = multinomial_cells(of_pos, smoothed_pos, size)
        neg = multinomial_cells(of_neg, smoothed_neg, size)
        if not tied.all():
            pos, neg = _spread(of_place, pos, neg, tied)
        curves[part] = on_grid(*turned_curve(pos, neg, rotation), grid)
    return curves


def _spread(
    rng: np.random.Generator, pos: AnyCounts, neg: AnyCounts, tied: BoolArray
) -> tuple[IntArray, IntArray]:
    """Return counts between vertices, with a vertex for each case in spread bins, in random order.

    The cases of a tied bin are all counted at its first place; its other places have counts of 0.
    """
    # Every resample has m + n cases, so that rows of all resamples form one array.
    size, n_bins = pos.shape
    both = np.stack([pos, neg], axis=2).astype(np.intp)
    in_bin = both.sum(axis=2).ravel()
    bins = np.repeat(np.tile(np.arange(n_bins), size), in_bin).reshape(size, -1)
    is_pos = np.repeat(np.tile([True, False], size * n_bins), both.ravel()).reshape(size, -1)
    # Bins are whole: noise below 1 orders the cases within a bin only. Any sort does, as equal
    # keys have probability 0.
    order = np.argsort(bins + rng.random(bins.shape), axis=1)
    is_pos = np.take_along_axis(is_pos, order, axis=1)
    counts = is_pos.astype(np.intp), (~is_pos).astype(np.intp)
    if tied.any():
        first = np.ones(bins.shape, dtype=bool)
        np.not_equal(bins[:, 1:], bins[:, :-1], out=first[:, 1:])
        in_tie = tied.take(bins)
        rows, columns = np.nonzero(first & in_tie)
        for count, of_bin in zip(counts, (pos, neg), strict=True):
            count[in_tie] = 0
            count[rows, columns] = of_bin[rows, bins[rows, columns]]
    return counts


def clustered_curves(
    sample: ScoredCases,
    bins: IntArray,
    pseudo: FloatArray,
    tied: BoolArray,
    n_pseudo: float,
    grid: FloatArray,
    plan: ResamplePlan,
) -> FloatArray:
    """Return lam of resamples of whole clusters at each h of the grid.

    Parameters
    ----------
    sample : ScoredCases
        Cases with clusters.
    bins : ndarray of int, shape (cases,)
        Bin of each case.
    pseudo : ndarray of float64, shape (j,)
        Shares of the bins in the pseudo-cases.
    tied : ndarray of bool, shape (j,)
        Bins whose cases share a score.
    n_pseudo : float
        Pseudo-cases in each class: a drawn case takes the bin of one of them with probability
        n_pseudo/(size of its class + n_pseudo).
    grid, plan
        As in ``stratified_curves``.
    """
    streams = plan.streams(2)
    rng = streams[0]
    m, n = sample.n_pos, sample.n_neg
    rotation = Rotation(float(np.sqrt(m)), float(np.sqrt(n)))
    redraw = np.where(sample.is_positive, n_pseudo / (m + n_pseudo), n_pseudo / (n + n_pseudo))
    curves, n_redrawn = np.empty((plan.n_resamples, len(grid))), 0
    for part in plan.chunks(len(bins)):
        # Row by row: resamples of clusters have different numbers of cases.
        for row in range(part.start, part.stop):
            while (cases := _drawn_cases(streams, sample)) is None:
                n_redrawn += 1
                require_valid_resamples(row, n_redrawn, "bands")
            drawn = bins.take(cases)
            anew = rng.random(len(cases)) < redraw.take(cases)
            drawn[anew] = rng.choice(len(pseudo), size=int(anew.sum()), p=pseudo)
            pos, neg = (
                np.bincount(drawn[of], minlength=len(pseudo))[np.newaxis]
                for of in (sample.is_positive.take(cases), ~sample.is_positive.take(cases))
            )
            if not tied.all():
                pos, neg = _spread(rng, pos, neg, tied)
            curves[row] = on_grid(*turned_curve(pos, neg, rotation), grid)[0]
    return curves


def _drawn_cases(streams: Streams, sample: ScoredCases) -> IntArray | None:
    """Return the rows of a resample of clusters, as often as drawn; None if it lacks a class."""
    weight = draw_weights(streams, sample, 1, stratified=False)[0].astype(np.intp)
    drawn = weight > 0
    if not (drawn[sample.is_positive].any() and drawn[~sample.is_positive].any()):
        return None
    return np.repeat(np.arange(len(weight)), weight)
