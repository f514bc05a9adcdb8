"""Engine E8: curves of a locally smoothed pair of distributions, without places for their cases.

Bins are drawn. Within a bin a resample is a bridge around the straight line between its ends, as
every order of its cases is equally likely; its value at the grid is drawn.
"""

from __future__ import annotations

import numpy as np

from rocstats.curves.bands.rotated import Rotation, turned_curve
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.stats.resampling.curves.blocks import few_or_many
from rocstats.stats.resampling.streams import ResamplePlan


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
