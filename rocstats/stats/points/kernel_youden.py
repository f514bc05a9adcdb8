"""Youden's index of kernel-smoothed distributions, in a sample and in its resamples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import SAME, SAME_TO_ROUNDING

# The grid has steps of a quarter of the narrower bandwidth: cuts of resamples err by less than a
# tenth of a standard error.
_STEPS_A_BANDWIDTH = 4
# The number of points is bounded for classes far apart, whose index is flat between them.
_FEWEST, _MOST = 2**6, 2**12
# Narrower kernels would ring: of one of two steps, 3e-9 are left at the highest frequency.
_LEAST_STEPS = 2
# Indices closer than what rings are alike; beside a maximum they differ by some 1e-3.
_RINGING = 1e-7
# Thresholds, quantiles of all scores, that are tried in the sample beside the cut of the grid.
_N_TRIED = 256
# Four times a bandwidth that is twice that of the sample: beyond are 3e-5 of a normal distribution.
_REACH = 8.0


def bandwidth(score: FloatArray, counts: Any) -> FloatArray:
    """Return 0.9 min(sd, IQR/1.34) n^(-1/5) of each row of counts; with the sd where the IQR is 0.

    Scores ascend.
    """
    # Silverman 1986, (3.31); 1.34 is the interquartile range of the standard normal.
    below = np.cumsum(counts, axis=1)
    total = below[:, -1]
    low = score[np.count_nonzero(below < total[:, np.newaxis] / 4, axis=1)]
    high = score[np.count_nonzero(below <= total[:, np.newaxis] * 3 / 4, axis=1)]
    # The sum of squares cancels where scores are far from 0.
    centred = score - score.mean()
    mean = counts @ centred / total
    variance = (counts @ centred**2 - total * mean**2) / np.maximum(total - 1, 1)
    sd = np.sqrt(np.maximum(variance, 0.0))
    spread = np.where(high > low, np.minimum(sd, (high - low) / 1.34), sd)
    # Equal scores have no variance, which the sum of squares would miss by rounding.
    return np.asarray(np.where(counts.max(axis=1) < total, 0.9 * spread * total**-0.2, 0.0))


def skewness(score: FloatArray, counts: FloatArray) -> float:
    """Return the third central moment of a class over the cube of its sd; 0 without variance."""
    share = counts / counts.sum()
    apart = score - share @ score
    variance = float(share @ apart**2)
    return float(share @ apart**3) / variance**1.5 if variance > 0 else 0.0


@dataclass(frozen=True, eq=False)
class KernelCut:
    """Threshold, TPR, TNR and Youden's index (NaN without a maximum), and those of resamples.

    ``score`` ascends; ``width`` is the narrower and the wider bandwidth. Cuts of resamples are
    sought from ``low`` to ``high``.
    """

    values: FloatArray
    score: FloatArray
    width: tuple[float, float]
    low: float
    high: float

    def resampled(self, n_pos: Any, n_neg: Any) -> FloatArray:
        """Return the values (4 x resamples) of rows of counts, each with its own bandwidths."""
        grid, spread = self._grid
        step = grid[1] - grid[0]
        wave = 2 * np.pi * np.fft.rfftfreq(len(grid), step)
        inside = slice(*np.searchsorted(grid, [self.low, self.high]))
        below = []
        for counts in (n_pos.astype(np.float64), n_neg.astype(np.float64)):
            width = np.maximum(bandwidth(self.score, counts), _LEAST_STEPS * step)[:, np.newaxis]
            share = np.ascontiguousarray(counts @ spread) / counts.sum(axis=1, keepdims=True)
            waves = np.fft.rfft(share) * np.exp(-((width * wave) ** 2) / 2)
            mass = np.fft.irfft(waves, len(grid))
            below.append((np.cumsum(mass, axis=1) - mass / 2)[:, inside])
        at = _position(below[1] - below[0])
        fnr, tnr = (np.clip(_between(of_class, at), 0.0, 1.0) for of_class in below)
        cut = grid[inside.start] + at * step
        return np.stack([cut, 1 - fnr, tnr, tnr - fnr])

    @cached_property
    def _grid(self) -> tuple[FloatArray, Any]:
        """The grid, and the matrix (scores x grid) that shares scores between neighbours."""
        from scipy.sparse import csr_array

        # The convolution is circular: twice the reach at both ends keeps these apart. Scores beyond
        # the reach are moved there, where they still count wholly as above, or below, every cut.
        window, (narrow, wide) = self.high - self.low, self.width
        wanted = (window + 4 * _REACH * wide) * _STEPS_A_BANDWIDTH / narrow
        size = int(2 ** np.ceil(np.log2(np.clip(wanted, _FEWEST, _MOST))))
        # Of a kernel of so many steps, too.
        reach = _REACH * max(wide, window / (size - 4 * _REACH))
        low, high = self.low - 2 * reach, self.high + 2 * reach
        step = (high - low) / size
        place = (np.clip(self.score, low + reach, high - reach) - low) / step
        cell = np.minimum(place.astype(np.intp), size - 2)
        upper, rows = place - cell, np.arange(len(place))
        ends = np.r_[1 - upper, upper], (np.r_[rows, rows], np.r_[cell, cell + 1])
        grid = np.asarray(low + step * np.arange(size), dtype=np.float64)
        return grid, csr_array(ends, shape=(len(rows), size))


def _position(index: FloatArray) -> FloatArray:
    """Return where each row is largest, by a parabola; the middle of the first places alike."""
    alike = index >= index.max(axis=1, keepdims=True) - _RINGING
    first = alike.argmax(axis=1)
    columns = np.arange(index.shape[1])
    other = ~alike & (columns > first[:, np.newaxis])
    last = np.where(other.any(axis=1), other.argmax(axis=1), index.shape[1]) - 1
    rows, middle = np.arange(len(index)), np.clip(first, 1, index.shape[1] - 2)
    before, here, after = (index[rows, middle + k] for k in (-1, 0, 1))
    bend = before - 2 * here + after
    single = (first == last) & (first == middle)
    # At its only maximum the index bends down.
    shift = (before - after) / (2 * np.where(single, bend, 1.0))
    return np.asarray(np.where(single, first + shift, (first + last) / 2))


def _between(values: FloatArray, at: FloatArray) -> FloatArray:
    """Return the value of each row at a place between two columns."""
    column = np.minimum(at.astype(np.intp), values.shape[1] - 2)
    rows, part = np.arange(len(values)), at - column
    return np.asarray((1 - part) * values[rows, column] + part * values[rows, column + 1])


class _Kernel(NamedTuple):
    """The scores of a class under a normal kernel: distribution F and density f at a threshold."""

    score: FloatArray
    share: FloatArray
    width: float

    def below(self, cut: float) -> float:
        """Return F(cut)."""
        return float(self.share @ sp.ndtr((cut - self.score) / self.width))

    def density(self, cut: float) -> float:
        """Return f(cut) width sqrt(2 pi)."""
        u = (cut - self.score) / self.width
        return float(self.share @ np.exp(-(u**2) / 2))


def kernel_youden(score: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> KernelCut:
    """Return the cut of kernel-smoothed distributions; scores ascend.

    There is no cut where a class has no variance but for rounding, or the highest index is not a
    maximum inside the scores.
    """
    counts = np.stack([n_pos, n_neg])
    width = bandwidth(score, counts)
    of_pos, of_neg = (
        _Kernel(score, c / c.sum(), float(h)) for c, h in zip(counts, width, strict=True)
    )
    # The best cut of a resample has TPR and TNR of its index at least. Its index is nearly always
    # over half of the sample's before smoothing, for which the bandwidths allow.
    below_pos, below_neg = np.cumsum(of_pos.share), np.cumsum(of_neg.share)
    # An index of 0 to rounding is none.
    index = float((below_neg - below_pos).max())
    half = index / 2 if index > SAME else 0.0
    low = score[np.argmax(below_neg >= half)] - 3 * of_neg.width
    high = score[np.argmax(below_pos >= 1 - half - SAME)] + 3 * of_pos.width
    nothing = np.full(4, np.nan)
    found = KernelCut(nothing, score, (float(width.min()), float(width.max())), low, high)
    # The grid needs places between scores that are adjacent numbers.
    if width.min() <= _STEPS_A_BANDWIDTH * np.spacing(np.abs(score).max()):
        return found
    near = float(found.resampled(counts[:1], counts[1:])[0, 0])
    cut = _highest(of_pos, of_neg, counts.sum(axis=0), near)
    fnr, tnr = (of_class.below(cut) for of_class in (of_pos, of_neg))
    return replace(found, values=np.array([cut, 1 - fnr, tnr, tnr - fnr]))


def _highest(of_pos: _Kernel, of_neg: _Kernel, size: FloatArray, near: float) -> float:
    """Return the threshold with the highest index, NaN if that is at an end of the scores.

    The best of quantiles of all scores and of ``near``, then the root of f0 - f1 beside it.
    """
    from scipy.optimize import brentq

    def slope(cut: float) -> float:
        return of_neg.density(cut) / of_neg.width - of_pos.density(cut) / of_pos.width

    score, above = of_pos.score, np.cumsum(size)
    at = np.searchsorted(above, np.linspace(0, above[-1], _N_TRIED + 1))
    beside = np.array([-1, 0, 1]) * min(of_pos.width, of_neg.width) / _STEPS_A_BANDWIDTH
    tried = np.unique(np.r_[score[np.minimum(at, len(score) - 1)], near + beside])
    tried = tried[(tried >= score[0]) & (tried <= score[-1])]
    best = int(np.argmax([of_neg.below(cut) - of_pos.below(cut) for cut in tried]))
    # Around the maximum the index rises, then falls; between them it may be flat to rounding. At
    # an end of the scores there is no maximum.
    low = next((cut for cut in tried[best::-1].tolist() if slope(cut) > 0), None)
    high = next((cut for cut in tried[best:].tolist() if slope(cut) < 0), None)
    if low is None or high is None:
        return np.nan
    return float(brentq(slope, low, high, xtol=SAME_TO_ROUNDING * (high - low)))
