"""Engines E2 and E5: stratified bootstrap areas from the count table alone.

E2 draws multinomial counts of the distinct scores: exact, and cheap when scores are tied. E5 draws
counts of blocks of neighbouring scores, ties never split: the mean is exact, the standard error
short by a known fraction, and the cost independent of n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, part_to_the_right
from rocstats.curves.areas.whole import area
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.areas.variances import bootstrap
from rocstats.stats.resampling.streams import ResamplePlan

# The standard error is short by about 0.6/M^2 with M blocks (docs/methods/resampling.md,
# "Engines"): 1.5e-5, where 2000 resamples have a Monte-Carlo error of 1/sqrt(4000), or 1.6e-2.
N_BLOCKS = 200

Counts = npt.NDArray[np.int64]


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


def table_areas(
    counts: ScoreCounts, plan: ResamplePlan, *, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return n_resamples areas of stratified resamples (E2); ``over`` is a range of FPRs."""

    def place(neg: Counts) -> FloatArray:
        above = np.cumsum(neg, axis=1) / neg.sum(axis=1, keepdims=True)
        before = above - neg / neg.sum(axis=1, keepdims=True)
        if over.full:  # ties count half: the mean of both ends of the piece
            return np.asarray(1 - (above + before) / 2)
        return part_to_the_right(before, above, over.low, over.high)

    return _areas(counts.n_pos, counts.n_neg, place, plan)


def blocked_areas(counts: ScoreCounts, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples areas of stratified resamples of blocks (E5)."""
    n_pos, n_neg, within = _blocks(counts)

    def place(neg: Counts) -> FloatArray:
        below = counts.total_neg - np.cumsum(neg, axis=1)
        return np.asarray((below + neg * within) / counts.total_neg)

    return _areas(n_pos, n_neg, place, plan)


def blocked_shortfall(counts: ScoreCounts) -> float:
    """Return the share of the standard error that the blocked engine loses."""
    pos, neg, within = _blocks(counts)
    return float(1 - np.sqrt(_variance(pos, neg, within) / bootstrap(counts)))


def _areas(
    n_pos: FloatArray, n_neg: FloatArray, place: Callable[[Counts], FloatArray], plan: ResamplePlan
) -> FloatArray:
    """Return areas of resampled cells; ``place`` gives the placement of a positive in each cell."""
    areas = np.empty(plan.n_resamples)
    for part, pos, neg in multinomial_tables(n_pos, n_neg, plan):
        areas[part] = np.einsum("ij,ij->i", pos, place(neg)) / n_pos.sum()
    return areas


def _blocks(counts: ScoreCounts) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return positives, negatives and inner area of blocks with about equally many cases."""
    cumulative = np.cumsum(counts.n_pos + counts.n_neg)
    # A tie that spans several blocks gives the same edge several times: a single block.
    edges = np.searchsorted(cumulative, cumulative[-1] * np.arange(N_BLOCKS) / N_BLOCKS, "right")
    starts = np.unique(edges)
    pos = np.add.reduceat(counts.n_pos, starts)
    neg = np.add.reduceat(counts.n_neg, starts)
    ends = np.append(starts[1:], len(counts.score))
    within = np.array(
        [_inner_area(counts, start, end) for start, end in zip(starts, ends, strict=True)]
    )
    return pos, neg, within


def _inner_area(counts: ScoreCounts, start: int, end: int) -> float:
    pos, neg = counts.n_pos[start:end], counts.n_neg[start:end]
    if pos.sum() == 0 or neg.sum() == 0:
        return 0.5  # any number: it is multiplied by 0 pairs
    return area(ScoreCounts(counts.score[start:end], pos, neg))


def _variance(n_pos: FloatArray, n_neg: FloatArray, within: FloatArray) -> float:
    """Return the ideal bootstrap variance of an area whose kernel is ``within`` inside a cell."""
    # Hoeffding's components with the divisors m and n of the empirical distributions
    # (docs/methods/areas.md, "The ideal bootstrap").
    m, n = n_pos.sum(), n_neg.sum()
    below = n - np.cumsum(n_neg)
    above = np.cumsum(n_pos) - n_pos
    v10 = (below + within * n_neg) / n
    v01 = (above + within * n_pos) / m
    theta = np.dot(n_pos, v10) / m
    inside = n_pos * n_neg
    squared = (np.dot(n_pos, below) + np.dot(inside, within**2)) / (m * n)
    spread_10 = np.dot(n_pos, (v10 - theta) ** 2) / m
    spread_01 = np.dot(n_neg, (v01 - theta) ** 2) / n
    total = (squared - theta**2) + (n - 1) * spread_10 + (m - 1) * spread_01
    return float(total / (m * n))
