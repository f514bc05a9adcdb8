"""Bootstrap curves in rotated coordinates: their largest distances from a curve, smoothed curves.

The coordinates are h = TPR sqrt(m) + FPR sqrt(n) and lam = (TPR sqrt(m) - FPR sqrt(n))/2, with m
positives and n negatives. Largest distances are drawn by case, or by blocks of neighbouring scores
(E6); smoothed curves with a place for each case, by whole clusters, or by chords of bins (E8).
See docs/methods/resampling.md, "Blocks of a curve" and "Bins of the smoothed band".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.curves.rotated import (
    AnyCounts,
    Rotation,
    counts_of_straight_curve_pieces,
    turned_curve,
)
from rocstats.estimate.resample import (
    LEAST_BLOCKS,
    ResamplePlan,
    block_starts,
    draw_few_or_many_in_cells,
    draw_weights,
    multinomial_cells,
    normal_counts,
    resampled_cells,
    resamples_with_both_classes,
    takes_blocks,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.cases import ScoredCases

# --- The largest distance of resampled curves from the curve of the sample ------------------------


def rotated_sup_distances(cases: ScoredCases, k: int, plan: ResamplePlan) -> FloatArray:
    """Return sup over h of abs(lam* - lam) of each resample, over all vertices of both curves.

    Cells are the straight pieces of the curve. Cases are resampled within their class, clusters
    whole.
    """
    # Both curves have slopes -+ 1/2 except within mixed ties. Without them lam* - lam grows towards
    # an end of each piece of lam*, so that the vertices of lam* suffice.
    counts = cases.counts(k)
    cell_of_score, n_pos, n_neg = counts_of_straight_curve_pieces(counts)
    rotation = Rotation.of(counts)
    curve = RotatedCurveLookup.of(turned_curve(n_pos, n_neg, rotation))
    mixed = bool(np.any((n_pos > 0) & (n_neg > 0)))
    distances = np.empty(plan.n_resamples)
    for part, pos, neg in resampled_cells(
        cases, cell_of_score.take(cases.codes(k)), n_pos, n_neg, plan
    ):
        distances[part] = farthest_rotated_distances(
            turned_curve(pos, neg, rotation), curve, both=mixed
        )
    return distances


# Places to look a curve up; results do not depend on it, as the vertices that may be the farthest
# are measured exactly. A power of two: products with it are exact.
_LOOKUP_STEP = 1 / 256


@dataclass(frozen=True, eq=False)
class RotatedCurveLookup:
    """Curve lam(h) with its values on a fine grid; the nearest value is at most ``error`` off."""

    h: FloatArray
    lam: FloatArray
    at_steps: FloatArray

    @classmethod
    def of(cls, curve: tuple[FloatArray, FloatArray]) -> RotatedCurveLookup:
        """Return the curve with its values on the grid."""
        steps = np.arange(int(curve[0][-1] / _LOOKUP_STEP) + 3) * _LOOKUP_STEP
        return cls(*curve, np.interp(steps, *curve))

    error = _LOOKUP_STEP / 4  # slopes of at most 1/2 over half a step

    def nearly(self, h: FloatArray) -> FloatArray:
        """Return lam at each h, up to the error: ten times as fast as interpolation."""
        return self.at_steps.take((h * (1 / _LOOKUP_STEP) + 0.5).astype(np.intp))

    def between(self, h: FloatArray) -> FloatArray:
        """Return lam at each h, linear between the values; beyond an end its value."""
        place = np.clip(h * (1 / _LOOKUP_STEP), 0.0, len(self.at_steps) - 1.5)
        left = place.astype(np.int32)
        place -= left
        low = self.at_steps.take(left)
        left += 1
        place *= self.at_steps.take(left) - low
        return np.asarray(low + place)


def farthest_rotated_distances(
    drawn: tuple[FloatArray, FloatArray], curve: RotatedCurveLookup, *, both: bool
) -> FloatArray:
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
    at_vertices = np.abs(rotated_curves_on_grid(h, lam, curve.h) - curve.lam).max(axis=1)
    return np.asarray(np.maximum(distance, at_vertices))


def rotated_curves_on_grid(h: FloatArray, lam: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the curves (one a row) at the points of a grid, shape (rows, grid points)."""
    rows = len(h)
    # Rows laid end to end are one increasing sequence, which takes one call.
    offset = (np.arange(rows) * (h[:, -1].max() + 1))[:, np.newaxis]
    queries = (grid + offset).ravel()
    curves = np.interp(queries, (h + offset).ravel(), lam.ravel())
    return np.asarray(curves.reshape(rows, len(grid)))


def rotated_curve_distances(
    cases: ScoredCases, k: int, plan: ResamplePlan
) -> tuple[FloatArray, bool]:
    """Return sup over h of abs(lam* - lam) of each resample, and whether blocks were drawn.

    Clusters cross blocks: they are drawn whole, at the cost of all their cases.
    """
    if cases.cluster is None:
        _, n_pos, n_neg = counts_of_straight_curve_pieces(cases.counts(k))
        if takes_blocks(len(n_pos)):
            return blocked_rotated_distances(n_pos, n_neg, plan), True
    return rotated_sup_distances(cases, k, plan), False


# --- Engine E6: the largest distance of curves drawn by blocks of neighbouring scores -------------
# The cost of a resample depends on the number of blocks, not on that of cases. At the edges of
# blocks curves are those of resampled cases but for normal counts; between them the largest
# distance is that of a Brownian bridge (docs/methods/resampling.md, "Blocks of a curve").

_FEWEST_CELLS = 8  # a block of fewer has its largest distance, but for little, at an end
# A resample is rough inside a block, and so is the sample's own curve at the place to which the
# resample has moved the block: two independent parts of one variance.
_ROUGH_CURVES = 2.0
# In h, to each side: some 4 cases in sqrt(n) give the slope, as in smoothed bands.
_SLOPE_WINDOW = 2.0
_REACH = 4.0  # a bridge exceeds both ends by 4 s with probability below exp(-32)


class BlockedCurve(NamedTuple):
    """The curve of a sample, and what of it lies in each of its blocks.

    ``spread`` is the standard deviation s of the bridge in a block, ``corners`` are the h of the
    ends of blocks that are one tie of both classes.
    """

    curve: RotatedCurveLookup
    rotation: Rotation
    starts: IntArray
    n_pos: FloatArray
    n_neg: FloatArray
    spread: FloatArray
    corners: FloatArray

    @classmethod
    def of(cls, n_pos: FloatArray, n_neg: FloatArray) -> BlockedCurve:
        """Return the blocks of the straight pieces of a curve."""
        m, n = n_pos.sum(), n_neg.sum()
        rotation = Rotation(float(np.sqrt(m)), float(np.sqrt(n)))
        curve = RotatedCurveLookup.of(turned_curve(n_pos, n_neg, rotation))
        # sqrt(n) blocks keep what is missed o(1) as n grows.
        n_blocks = max(LEAST_BLOCKS, int(np.sqrt(m + n)))
        starts = block_starts(n_pos / m + n_neg / n, n_blocks)
        pos, neg = (np.add.reduceat(of, starts) for of in (n_pos, n_neg))
        n_cells = np.diff(starts, append=len(n_pos))
        ends = np.append(curve.h[starts], curve.h[-1])
        middle = (ends[1:] + ends[:-1]) / 2
        slope = _slope_of_rotated_curve(curve, middle)
        # lam* - lam(h*) moves by (1/2 - slope)/sqrt(m) with a positive and by
        # -(1/2 + slope)/sqrt(n) with a negative.
        variance = (0.5 - slope) ** 2 * pos / m + (0.5 + slope) ** 2 * neg / n
        spread = np.where(n_cells < _FEWEST_CELLS, 0.0, np.sqrt(_ROUGH_CURVES * variance))
        tied = np.flatnonzero((n_cells == 1) & (pos > 0) & (neg > 0))
        corners = np.unique(np.concatenate([ends[tied], ends[tied + 1]]))
        return cls(curve, rotation, starts, pos, neg, spread, corners)

    def largest(self, pos: AnyCounts, neg: AnyCounts, rng: np.random.Generator) -> FloatArray:
        """Return the largest distance in lam of curves given by rows of counts in the blocks."""
        h, lam = turned_curve(pos, neg, self.rotation)
        distance = lam - self.curve.between(h)
        found = largest_of_bridges_between(distance, self.spread, rng)
        if len(self.corners):
            at_corners = rotated_curves_on_grid(h, lam, self.corners) - self.curve.between(
                self.corners
            )
            found = np.maximum(found, np.abs(at_corners).max(axis=1))
        return found


def largest_of_bridges_between(
    distance: FloatArray, spread: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Return the largest absolute value of each row of bridges between the given values.

    ``spread`` is the standard deviation of the steps that a bridge adds up, in each gap.
    """
    size = np.abs(distance)
    largest = size.max(axis=1)
    near = np.maximum(size[:, 1:], size[:, :-1])
    near += _REACH * spread
    rows, gaps = np.nonzero((near >= largest[:, np.newaxis]) & (spread > 0))
    a, b, s = distance[rows, gaps], distance[rows, gaps + 1], spread[gaps]
    # The maximum x of a bridge from a to b has P(more than x) = exp(-2 (x - a)(x - b)/s^2)
    # (Borodin & Salminen 2002), here on the side of the end that is farther from 0.
    raised = np.sqrt((a - b) ** 2 + 2 * s**2 * rng.standard_exponential(len(s)))
    np.maximum.at(largest, rows, (np.abs(a + b) + raised) / 2)
    return np.asarray(largest)


def blocked_rotated_distances(
    n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan
) -> FloatArray:
    """Return sup over h of abs(lam* - lam) of each stratified resample of the pieces of a curve."""
    blocked = BlockedCurve.of(n_pos, n_neg)
    # Bridges have a stream of their own: counts of blocks do not depend on how many there are.
    of_pos, of_neg, of_bridge = (plan.stream(key) for key in (1, 0, 3))
    distances = np.empty(plan.n_resamples)
    for part in plan.chunks(len(blocked.n_pos)):
        size = part.stop - part.start
        pos = normal_counts(of_pos, blocked.n_pos, size)
        neg = normal_counts(of_neg, blocked.n_neg, size)
        distances[part] = blocked.largest(pos, neg, of_bridge)
    return distances


def _slope_of_rotated_curve(curve: RotatedCurveLookup, h: FloatArray) -> FloatArray:
    """Return the slope of the curve around each h."""
    above, below = np.minimum(h + _SLOPE_WINDOW, curve.h[-1]), np.maximum(h - _SLOPE_WINDOW, 0.0)
    return np.asarray((curve.between(above) - curve.between(below)) / (above - below))


# --- Curves of a locally smoothed pair of distributions -------------------------------------------
# A draw lands in a bin and, unless the bin is tied, at a uniform place within it: given the numbers
# in a bin, every order of its positives and negatives is equally likely.


def stratified_rotated_curves(
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
            pos, neg = _spread_in_bins(of_place, pos, neg, tied)
        curves[part] = rotated_curves_on_grid(*turned_curve(pos, neg, rotation), grid)
    return curves


def _spread_in_bins(
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


def clustered_rotated_curves(
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
        As in ``stratified_rotated_curves``.
    """
    streams = plan.streams(2)
    rng = streams[0]
    m, n = sample.n_pos, sample.n_neg
    rotation = Rotation(float(np.sqrt(m)), float(np.sqrt(n)))
    redraw = np.where(sample.is_positive, n_pseudo / (m + n_pseudo), n_pseudo / (n + n_pseudo))

    def curve() -> list[FloatArray]:
        """Return the curve of one resample, or no curve if the resample lacks a class."""
        weights = draw_weights(streams, sample, 1, stratified=False)
        if not resamples_with_both_classes(weights, sample.is_positive)[0]:
            return []
        cases = np.repeat(np.arange(len(bins)), weights[0].astype(np.intp))
        drawn = bins.take(cases)
        anew = rng.random(len(cases)) < redraw.take(cases)
        drawn[anew] = rng.choice(len(pseudo), size=int(anew.sum()), p=pseudo)
        pos, neg = (
            np.bincount(drawn[of], minlength=len(pseudo))[np.newaxis]
            for of in (sample.is_positive.take(cases), ~sample.is_positive.take(cases))
        )
        if not tied.all():
            pos, neg = _spread_in_bins(rng, pos, neg, tied)
        return [rotated_curves_on_grid(*turned_curve(pos, neg, rotation), grid)[0]]

    # One by one: resamples of clusters have different numbers of cases.
    def draw(size: int) -> FloatArray:
        return np.array([found for _ in range(size) for found in curve()])

    return plan.valid(len(bins), draw, "bands").values


# --- Engine E8: smoothed curves without places for their cases ------------------------------------
# Bins are drawn. Within a bin a resample is a bridge around the straight line between its ends, as
# every order of its cases is equally likely; its value at the grid is drawn.


def chord_rotated_curves(
    smoothed_pos: FloatArray,
    smoothed_neg: FloatArray,
    tied: BoolArray,
    grid: FloatArray,
    plan: ResamplePlan,
) -> FloatArray:
    """Return lam of each resample at each h of the grid, as ``stratified_rotated_curves`` does."""
    of_pos, of_neg, of_place = plan.streams(1), plan.streams(0), plan.stream(3)
    rotation = Rotation(float(np.sqrt(smoothed_pos.sum())), float(np.sqrt(smoothed_neg.sum())))
    curves = np.empty((plan.n_resamples, len(grid)))
    for part in plan.chunks(max(len(tied), len(grid))):
        size = part.stop - part.start
        pos, neg = (
            draw_few_or_many_in_cells(of_pos, smoothed_pos, size),
            draw_few_or_many_in_cells(of_neg, smoothed_neg, size),
        )
        h, lam = turned_curve(pos, neg, rotation)
        left, rows = _bin_at(h, grid), np.arange(size)[:, np.newaxis]
        vertex, drawn = left + rows * h.shape[1], left + rows * len(tied)
        start, foot = h.take(vertex), lam.take(vertex)
        length = h.take(vertex + 1) - start
        place = np.divide(grid - start, length, out=np.zeros(left.shape), where=length > 0)
        place = np.clip(place, 0.0, 1.0)
        chord = foot + place * (lam.take(vertex + 1) - foot)
        spread = _bridge_sd(pos.take(drawn), neg.take(drawn), rotation)
        spread[tied.take(left)] = 0.0
        curves[part] = chord + spread * _bridges(of_place, left, place)
    return curves


def _bin_at(h: FloatArray, grid: FloatArray) -> IntArray:
    """Return the bin of each row, given by its vertices, that each point of the grid lies in."""
    # Rows laid end to end increase: one search serves all. Normal counts below 0 turn a vertex
    # back by less than a bin, which leaves the search in the bin or next to it.
    offset = (np.arange(len(h)) * (h[:, -1].max() + 1))[:, np.newaxis]
    found = np.searchsorted((h + offset).ravel(), grid + offset, "right") - 1
    found -= np.arange(len(h))[:, np.newaxis] * h.shape[1]
    return np.asarray(np.clip(found, 0, h.shape[1] - 2))


def _bridge_sd(pos: FloatArray, neg: FloatArray, rotation: Rotation) -> FloatArray:
    """Return the standard deviation of the bridge of lam in bins of so many cases."""
    # Of p and q cases in random order, the positives among the first share t have the variance
    # t (1 - t) p q/(p + q); a positive in place of a negative moves lam at constant h by
    # (b/sqrt(m) + a/sqrt(n))/(a + b), with a = p/sqrt(m) and b = q/sqrt(n).
    pos, neg = np.maximum(pos, 0.0), np.maximum(neg, 0.0)
    a, b = pos / rotation.root_pos, neg / rotation.root_neg
    both = (pos > 0) & (neg > 0)
    moved = np.divide(
        b / rotation.root_pos + a / rotation.root_neg, a + b, out=np.zeros(a.shape), where=both
    )
    swapped = np.divide(pos * neg, pos + neg, out=np.zeros(a.shape), where=both)
    return np.asarray(moved * np.sqrt(swapped))


def _bridges(rng: np.random.Generator, bins: IntArray, place: FloatArray) -> FloatArray:
    """Return a standard Brownian bridge of each bin at its increasing places in [0, 1]."""
    noise = rng.standard_normal(place.shape)
    values = np.sqrt(place * (1 - place)) * noise
    # A further place in the same bin follows the one before it. A chain of many is rare, as points
    # of the grid are about half a bin apart, or more.
    shares = np.zeros(bins.shape, dtype=bool)
    np.equal(bins[:, 1:], bins[:, :-1], out=shares[:, 1:])
    following = ~shares
    while True:
        following[:, 1:] = following[:, :-1] & shares[:, 1:]
        following[:, 0] = False
        rows, at = np.nonzero(following)
        if len(rows) == 0:
            return values
        before, here = place[rows, at - 1], place[rows, at]
        left = np.divide(1 - here, 1 - before, out=np.zeros(len(here)), where=before < 1)
        sd = np.sqrt(np.maximum(here - before, 0.0) * left)
        values[rows, at] = left * values[rows, at - 1] + sd * noise[rows, at]
