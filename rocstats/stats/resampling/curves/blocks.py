"""Engine E6: the largest distance of bootstrap curves drawn by blocks of neighbouring scores.

The cost of a resample depends on the number of blocks, not on that of cases. At the edges of blocks
curves are those of resampled cases but for normal counts; between them the largest distance is that
of a Brownian bridge (docs/methods/resampling.md, "Blocks of a curve").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.bands.rotated import AnyCounts, Rotation, corner_counts, turned_curve
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.rotated import Lookup, on_grid, sup_distances
from rocstats.stats.resampling.streams import ResamplePlan, Streams

# The supremum misses O(1/D + n^(-1/4) D^(-1/2)) of itself with D blocks: below .3 % in
# validation/blocks/bands.csv, where 2000 resamples have a Monte-Carlo error of 1.5 %.
LEAST_BLOCKS = 2048
# Curves of fewer straight pieces a block are resampled by cases, or by pieces: a bridge between the
# ends of a block is too rough a model of few pieces (with 2 to 5 the mean misses up to .6 %).
_CELLS_PER_BLOCK = 8
_FEWEST_CELLS = 8  # a block of fewer has its largest distance, but for little, at an end
# A resample is rough inside a block, and so is the sample's own curve at the place to which the
# resample has moved the block: two independent parts of one variance.
_ROUGH_CURVES = 2.0
_FEW_EXPECTED = 10.0  # a normal count is below 0 with a probability of 1 in 1000 there
_WINDOW = 2.0  # in h, to each side: some 4 cases in sqrt(n) give the slope, as in smoothed bands
_REACH = 4.0  # a bridge exceeds both ends by 4 s with probability below exp(-32)


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


def curve_distances(cases: ScoredCases, k: int, plan: ResamplePlan) -> tuple[FloatArray, bool]:
    """Return sup over h of abs(lam* - lam) of each resample, and whether blocks were drawn.

    Clusters cross blocks: they are drawn whole, at the cost of all their cases.
    """
    if cases.cluster is None:
        _, n_pos, n_neg = corner_counts(cases.counts(k))
        if takes_blocks(len(n_pos)):
            return blocked_distances(n_pos, n_neg, plan), True
    return sup_distances(cases, k, plan), False


class BlockedCurve(NamedTuple):
    """The curve of a sample, and what of it lies in each of its blocks.

    ``spread`` is the standard deviation s of the bridge in a block, ``corners`` are the h of the
    ends of blocks that are one tie of both classes.
    """

    curve: Lookup
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
        curve = Lookup.of(turned_curve(n_pos, n_neg, rotation))
        # sqrt(n) blocks keep what is missed o(1) as n grows.
        n_blocks = max(LEAST_BLOCKS, int(np.sqrt(m + n)))
        starts = block_starts(n_pos / m + n_neg / n, n_blocks)
        pos, neg = (np.add.reduceat(of, starts) for of in (n_pos, n_neg))
        n_cells = np.diff(starts, append=len(n_pos))
        ends = np.append(curve.h[starts], curve.h[-1])
        middle = (ends[1:] + ends[:-1]) / 2
        slope = _slope(curve, middle)
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
        found = largest_between(distance, self.spread, rng)
        if len(self.corners):
            at_corners = on_grid(h, lam, self.corners) - self.curve.between(self.corners)
            found = np.maximum(found, np.abs(at_corners).max(axis=1))
        return found


def largest_between(
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


def blocked_distances(n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan) -> FloatArray:
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


def normal_counts(rng: np.random.Generator, weight: FloatArray, size: int) -> FloatArray:
    """Return size x cells normal numbers with the weights as means and variances.

    Shares of their sum have the covariances of multinomial counts, and the same limits.
    """
    # Counts below 0 stay: cut at 0, blocks of 12 cases would raise the 95% quantile by a fifth.
    counts = rng.standard_normal((size, len(weight)))
    counts *= np.sqrt(weight)
    counts += weight
    return counts


def few_or_many(streams: Streams, weight: FloatArray, size: int) -> FloatArray:
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


def _slope(curve: Lookup, h: FloatArray) -> FloatArray:
    """Return the slope of the curve around each h."""
    above, below = np.minimum(h + _WINDOW, curve.h[-1]), np.maximum(h - _WINDOW, 0.0)
    return np.asarray((curve.between(above) - curve.between(below)) / (above - below))
