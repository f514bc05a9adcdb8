"""Bootstrap curves of a locally smoothed pair of distributions, in rotated coordinates.

A draw lands in a bin and, unless the bin is tied, at a uniform place within it: given the numbers
in a bin, every order of its positives and negatives is equally likely.
"""

from __future__ import annotations

import numpy as np

from rocstats.curves.bands.rotated import AnyCounts, Rotation, turned_curve
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.rotated import multinomial_cells, on_grid
from rocstats.stats.resampling.streams import ResamplePlan, Streams, require_valid_resamples
from rocstats.stats.resampling.weights import draw_weights


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
