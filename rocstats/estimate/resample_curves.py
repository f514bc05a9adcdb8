"""Random curves for bands: bootstrap curves at false positive rates, and the limit process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.average import AnyCounts, Rotation, corner_counts, tpr_at, turned_curve
from rocstats.curves.convex_hull import hull_of
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.resample import (
    Columns,
    ResamplePlan,
    Streams,
    ValidDraws,
    draw_weights,
    fold_rows,
    multinomial_tables,
    score_columns,
)
from rocstats.estimate.resample_bands import Lookup, on_grid, sup_distances
from rocstats.facts import special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, cumulated
from rocstats.facts.tolerances import WHOLE
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

Tables = FloatArray | npt.NDArray[np.int64]
"""Counts of r resamples (rows) at each of d scores, the most positive first."""


def crossed_ties(counts: ScoreCounts) -> bool:
    """Return whether a positive and a negative have the same score: the curve has a slope."""
    return bool(np.any((counts.n_pos > 0) & (counts.n_neg > 0)))


def table_curves(counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples of one count table (E2)."""
    draws = np.empty((plan.n_resamples, len(fpr)))
    parts = multinomial_tables(counts.n_pos, counts.n_neg, plan)
    for part, pos, neg in parts:
        draws[part] = tpr_of_tables(pos, neg, fpr)
    return draws


def tpr_of_tables(pos: Tables, neg: Tables, fpr: FloatArray) -> FloatArray:
    """Return r x g TPRs of r tables given as counts (r x d), all rows in one search.

    NaN where a table lacks a class.
    """
    # float64 for whole counts too: offsets and weights are added to them.
    fp, tp = (cumulated(np.asarray(table, dtype=np.float64)) for table in (neg, pos))
    size, width = fp.shape
    rows = np.arange(size)[:, np.newaxis]
    # Rows laid end to end increase: one search serves all. f n is often whole but for rounding;
    # the last vertex there is the top of the step.
    offset = rows * (fp[:, -1].max(initial=0.0) + 1)
    wanted = fpr * fp[:, -1:]
    last = np.searchsorted((fp + offset).ravel(), wanted + offset + WHOLE, "right") - 1
    following = np.minimum(last + 1, rows * width + width - 1)
    start, foot = fp.take(last), tp.take(last)
    beyond, gap = wanted - start, fp.take(following) - start
    sloped = (beyond > WHOLE) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(wanted.shape), where=sloped)
    both = (tp[:, -1:] > 0) & (fp[:, -1:] > 0)
    total = np.where(both, tp[:, -1:], np.nan)
    return np.asarray((foot + share * (tp.take(following) - foot)) / total)


def tpr_of_columns(weights: FloatArray, columns: Sequence[Columns], fpr: FloatArray) -> FloatArray:
    """Return r x k x g TPRs of resamples given as r x rows weights."""
    curves = [tpr_of_tables(pos.tables(weights), neg.tables(weights), fpr) for pos, neg in columns]
    return np.stack(curves, axis=1)


# Shares are multiples of 1/m: what is left below this is rounding. As a mass, even 10^6 of them
# move a quantile's level by less than 1e-9.
_NEGLIGIBLE = 1e-15


def tpr_draws(counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples at increasing FPRs (E3).

    The cost is independent of n: the resampled thresholds are order statistics of n uniform
    indices; given them, positives fall between thresholds as a multinomial.
    """
    above, m, n = positives_above(counts), counts.total_pos, int(counts.total_neg)
    ranks = threshold_ranks(counts, fpr)
    inner = np.unique(ranks[ranks < n])  # rates with equal ranks share one order statistic
    of_pos, of_neg = plan.streams(1), plan.stream(0)
    draws = np.ones((plan.n_resamples, len(fpr)))
    if len(inner) == 0:
        return draws
    column = np.searchsorted(inner, ranks)
    for part in plan.chunks(len(inner) + 1):
        size = part.stop - part.start
        thresholds = _order_statistics(of_neg, inner, n, size)
        shares = np.diff(above[thresholds] / m, axis=1, prepend=0.0)
        tpr = np.cumsum(_sequential_binomials(of_pos, shares, int(m)), axis=1) / m
        kept = ranks < n
        draws[part][:, kept] = tpr[:, column[kept]]
    return draws


def exact_tpr_variance(counts: ScoreCounts, fpr: FloatArray) -> FloatArray:
    """Return the variance of the step-read bootstrap TPR at each FPR, infinitely many resamples.

    Given the index of the resampled threshold the TPR is Binomial(m, p)/m, with p the observed TPR
    there. The variance is that of p over the index, plus the mean of p(1 - p)/m.
    """
    m, n = counts.total_pos, int(counts.total_neg)
    share = positives_above(counts) / m
    variance = np.zeros(len(fpr))
    for g, rank in enumerate(threshold_ranks(counts, fpr)):
        if rank < n:
            weight = threshold_weights(int(rank), n)
            mean = np.dot(weight, share)
            within = np.dot(weight, share * (1 - share)) / m
            # Squared deviations, as the mean square less the squared mean would cancel.
            variance[g] = np.dot(weight, (share - mean) ** 2) + within
    return variance


def threshold_weights(rank: int, n: int) -> FloatArray:
    """Return the distribution of the (rank + 1)-th smallest of n indices drawn from 0..n-1."""
    # P(index < i) is the Beta(rank + 1, n - rank) distribution function at i/n. Its tails beyond 12
    # deviations (normal) and 45 places (exponential, at the ends) are below 1e-16: left at 0.
    share = (rank + 1) / (n + 1)
    reach = 12 * np.sqrt(n * share * (1 - share)) + 45
    first = max(0, int(n * share - reach))
    last = min(n, int(n * share + reach) + 1)
    upper = sp.betainc(rank + 1, n - rank, np.arange(first, last + 1) / n)
    weights = np.zeros(n)
    weights[first:last] = np.diff(upper)
    return weights


def positives_above(counts: ScoreCounts) -> FloatArray:
    """Return the number of positives above each negative, from the highest negative down."""
    strictly_above = np.cumsum(counts.n_pos) - counts.n_pos
    return np.repeat(strictly_above, counts.n_neg.astype(np.intp))


def threshold_ranks(counts: ScoreCounts, fpr: FloatArray) -> IntArray:
    """Return the number of negatives that may be called positive at each rate."""
    # 0.29 * 100 is 29 less a rounding error.
    return np.floor(np.asarray(fpr) * counts.total_neg + WHOLE).astype(np.intp)


def _order_statistics(rng: np.random.Generator, ranks: IntArray, n: int, size: int) -> IntArray:
    """Return size x g indices: jointly the (rank + 1)-th smallest of n draws from 0..n-1."""
    # Uniform spacings are ratios of exponentials, and sums of these are Gamma variables (Devroye
    # 1986, chapter V): a draw a rank, not one a negative.
    steps = np.diff(ranks + 1, prepend=0)
    gammas = rng.standard_gamma(np.append(steps, n - ranks[-1]), size=(size, len(ranks) + 1))
    cumulative = np.cumsum(gammas, axis=1)
    uniform = cumulative[:, :-1] / cumulative[:, -1:]
    return np.minimum((n * uniform).astype(np.intp), n - 1)  # a ratio may round to 1


def _sequential_binomials(streams: Streams, shares: FloatArray, m: int) -> IntArray:
    """Return size x g multinomial counts of m draws over cells with these shares."""
    # Shares differ by row: as a chain of binomials, all rows take one call a cell, from its stream.
    counts = np.empty(shares.shape, dtype=np.intp)
    left = np.full(len(shares), m)
    remaining = np.ones(len(shares))
    for g in range(shares.shape[1]):
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = np.where(remaining > _NEGLIGIBLE, shares[:, g] / remaining, 0.0)
        counts[:, g] = streams[g].binomial(left, np.clip(chance, 0.0, 1.0))
        left = left - counts[:, g]
        remaining = remaining - shares[:, g]
    return counts


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


Reading = Callable[[Sequence[RocPoints]], FloatArray]
"""Statistics of the hulls of all predictors in one resample."""


def hull_draws(cases: ScoredCases, read: Reading, plan: ResamplePlan) -> ValidDraws:
    """Return statistics of the hulls of all predictors in resamples that they share.

    ``stratified`` keeps the numbers of positives and negatives; else cases are drawn whatever
    their class. Clusters are always drawn whole, and weights go with their cases. The sample has
    no folds. Resamples that lack a class are drawn again.
    """
    everyone = np.arange(len(cases.is_positive))
    columns = [score_columns(cases, everyone, k) for k in range(cases.n_predictors)]
    streams = plan.streams(2)
    by_class = plan.stratified and cases.cluster is None

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=by_class)
        weights = weights[_holds_both(weights, cases.is_positive)]
        resamples = zip(*(_hulls(column, weights) for column in columns), strict=True)
        return np.array([read(hulls) for hulls in resamples])

    return plan.valid(len(everyone), draw, "curves")


def _holds_both(weights: FloatArray, is_positive: BoolArray) -> BoolArray:
    drawn = weights > 0
    return np.asarray((drawn & is_positive).any(axis=1) & (drawn & ~is_positive).any(axis=1))


def _hulls(columns: Columns, weights: FloatArray) -> Iterator[RocPoints]:
    """Yield the hull of each resample; its thresholds are numbers of scores called."""
    tp, fp = (cumulated(side.tables(weights)) for side in columns)
    # The number of scores called positive stands for a threshold of any direction: hulls of
    # resamples and of the sample then share their thresholds.
    called = np.arange(float(tp.shape[1]))
    for of_pos, of_neg in zip(tp, fp, strict=True):
        yield hull_of(RocPoints(called, of_neg, of_pos))


def tpr_at_fpr(cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray) -> FloatArray:
    """Return the TPR of each predictor at each FPR: the top of a step, linear between vertices."""
    curves = [
        roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        for k in predictors
    ]
    return np.stack([tpr_at(curve.fpr, curve.tpr, fpr) for curve in curves])


def fixed_fpr_draws(
    cases: ScoredCases,
    predictors: Sequence[int],
    fpr: FloatArray,
    plan: ResamplePlan,
    scored: Sequence[IntArray] | None = None,
) -> ValidDraws:
    """Return TPRs of resamples that the predictors share; classes are resampled apart.

    ``scored`` are the rows that each predictor has a score of, by default all. Clusters are drawn
    whole, and resamples in which a predictor lacks a class drawn again.
    """
    everyone, stratified = np.arange(len(cases.is_positive)), cases.cluster is None
    rows = [everyone for _ in predictors] if scored is None else scored
    streams = plan.streams(8)
    columns = [score_columns(cases, own, k) for k, own in zip(predictors, rows, strict=True)]

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = tpr_of_columns(weights, columns, fpr)
        # NaN at all rates where a class was not drawn.
        return np.asarray(tpr[~np.isnan(tpr[:, :, 0]).any(axis=1)])

    draws = plan.valid(len(everyone), draw, "rates" if scored is None else "reader-rates")
    return draws._replace(values=np.ascontiguousarray(draws.values.transpose(1, 2, 0)))


class AverageSpread(NamedTuple):
    """Bootstrap covariances (FPRs x predictors x predictors) of averaged curves.

    ``n_resamples`` is 0 for a closed form; ``n_redrawn`` resamples lacked a class.
    """

    covariance: FloatArray
    n_resamples: int
    n_redrawn: int


def average_variance(
    cases: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan
) -> AverageSpread:
    """Return the bootstrap variance of the averaged curve of predictor ``k`` at each FPR.

    Folds without ties across classes have a closed form; others, and clusters, are resampled.
    """
    if cases.cluster is not None:
        return average_covariance(cases, [k], fpr, plan.at(k))
    # Folds are resampled apart: the variance of their mean is the sum of variances over V^2.
    folds = [part.counts(k) for _, part in cases.by_fold()]
    variance, resampled = np.zeros(len(fpr)), False
    for v, counts in enumerate(folds):
        if crossed_ties(counts):
            resampled = True
            variance += table_curves(counts, fpr, plan.at(k, v)).var(axis=0, ddof=1)
        else:
            variance += exact_tpr_variance(counts, fpr)
    covariance = (variance / len(folds) ** 2)[:, np.newaxis, np.newaxis]
    return AverageSpread(covariance, plan.n_resamples if resampled else 0, 0)


def average_covariance(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> AverageSpread:
    """Return the bootstrap covariances of the averaged curves of predictors at each FPR."""
    draws = average_draws(cases, predictors, fpr, plan)
    centred = draws.values - draws.values.mean(axis=0)
    covariance = np.einsum("big,bjg->gij", centred, centred) / (plan.n_resamples - 1)
    return AverageSpread(covariance, plan.n_resamples, draws.n_redrawn)


def average_draws(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> ValidDraws:
    """Return the averaged curves of predictors at each FPR in resamples that they share.

    Cases of each class are resampled in each fold apart, or clusters whole across folds. A resample
    of clusters that leaves a fold without a class is drawn again.
    """
    stratified = cases.cluster is None
    folds = [[score_columns(cases, rows, k) for k in predictors] for rows in fold_rows(cases)]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = np.mean([tpr_of_columns(weights, fold, fpr) for fold in folds], axis=0)
        # NaN in all places if any fold lacks a class: one place of each resample decides.
        return np.asarray(tpr[~np.isnan(tpr[:, 0, 0])])

    return plan.valid(len(cases.is_positive), draw, "curves")


def chord_curves(
    smoothed_pos: FloatArray,
    smoothed_neg: FloatArray,
    tied: BoolArray,
    grid: FloatArray,
    plan: ResamplePlan,
) -> FloatArray:
    """Return lam of each resample at each h of the grid, as ``stratified_curves`` does."""
    of_pos, of_neg, of_place = plan.streams(1), plan.streams(0), plan.stream(3)
    rotation = Rotation(float(np.sqrt(smoothed_pos.sum())), float(np.sqrt(smoothed_neg.sum())))
    curves = np.empty((plan.n_resamples, len(grid)))
    for part in plan.chunks(max(len(tied), len(grid))):
        size = part.stop - part.start
        pos, neg = few_or_many(of_pos, smoothed_pos, size), few_or_many(of_neg, smoothed_neg, size)
        h, lam = turned_curve(pos, neg, rotation)
        left, rows = _bin_at(h, grid), np.arange(size)[:, np.newaxis]
        vertex, drawn = left + rows * h.shape[1], left + rows * len(tied)
        start, foot = h.take(vertex), lam.take(vertex)
        length = h.take(vertex + 1) - start
        place = np.divide(grid - start, length, out=np.zeros(left.shape), where=length > 0)
        place = np.clip(place, 0.0, 1.0)
        chord = foot + place * (lam.take(vertex + 1) - foot)
        spread = _spread(pos.take(drawn), neg.take(drawn), rotation)
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


def _spread(pos: FloatArray, neg: FloatArray, rotation: Rotation) -> FloatArray:
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


# Both engines draw the same distribution: the bound decides the time only. It is below that of an
# area (CASES_PER_CELL), as E1 here also gathers and sums the weights of cases by score.
_CASES_PER_SCORE = 10


def curve_draws(sample: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan) -> ValidDraws:
    """Return resampled curves of predictor ``k`` at increasing FPRs; folds are pooled.

    A curve is read at the top of its vertical steps and along the sloped segments of ties. Classes
    are resampled apart, clusters whole.
    """
    counts = sample.counts(k)
    cases = counts.total_pos + counts.total_neg
    of_cases = sample.cluster is not None or sample.sample_weight is not None
    # Without ties across classes curves are steps, drawn at a cost that does not grow with n (E3);
    # with them the segment of a tie varies, so that tables (E2) or cases (E1) are drawn.
    if not of_cases and not crossed_ties(counts):
        return ValidDraws(tpr_draws(counts, fpr, plan))
    if not of_cases and (
        sample.frequency is not None or cases > _CASES_PER_SCORE * len(counts.score)
    ):
        return ValidDraws(table_curves(counts, fpr, plan))
    draws = average_draws(sample.pooled(), [k], fpr, plan)
    return draws._replace(values=draws.values[:, 0])


def limit_process_sups(
    fpr: FloatArray,
    tpr: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the largest abs(G)/sd over the FPRs of each path of the limit process of a curve.

    G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), with independent Brownian bridges and r the slope
    of the curve R (Hsieh & Turnbull 1996). The rates increase; where sd is 0 the path is 0.
    """
    sd = limit_process_sd(fpr, tpr, slope, n_pos, n_neg)
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    sups = np.empty(plan.n_resamples)
    for part in plan.chunks(len(fpr) + 1):
        size = part.stop - part.start
        path = _brownian_bridges(of_pos, tpr, size) / np.sqrt(n_pos)
        path += slope * _brownian_bridges(of_neg, fpr, size) / np.sqrt(n_neg)
        scaled = np.divide(np.abs(path), sd, out=np.zeros(path.shape), where=sd > 0)
        sups[part] = scaled.max(axis=1)
    return sups


def limit_process_sd(
    fpr: FloatArray, tpr: FloatArray, slope: FloatArray, n_pos: float, n_neg: float
) -> FloatArray:
    """Return the standard deviation of the limit process of a curve at each FPR."""
    variance = tpr * (1 - tpr) / n_pos + slope**2 * fpr * (1 - fpr) / n_neg
    return np.asarray(np.sqrt(variance))


def _brownian_bridges(rng: np.random.Generator, at: FloatArray, size: int) -> FloatArray:
    """Return size Brownian bridges at increasing times in [0, 1]."""
    # W(t) - t W(1): exact at the given times, so that their grid adds no discretisation error.
    steps = np.sqrt(np.diff(at, prepend=0.0, append=1.0))
    motion = np.cumsum(rng.standard_normal((size, len(at) + 1)) * steps, axis=1)
    return np.asarray(motion[:, :-1] - at * motion[:, -1:])
