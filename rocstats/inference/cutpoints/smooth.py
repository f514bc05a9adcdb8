"""Youden's cutpoint of smoothed score distributions: normal in each class, or kernel-smoothed.

Scores are such that higher ones mean positive. The cutpoint has the highest TPR - FPR of the
smoothed distributions [fluss-2005]. Estimates and limits are those of the optimal cutpoint, not of
a cutpoint chosen in the data. Normal distributions have a closed form and delta-method limits.
Kernels have percentiles of resamples, each with its bandwidths.
Derivations: docs/methods/points.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import roc_points
from rocstats.estimate.binormal import score_moments_of_class
from rocstats.estimate.estimate import Result
from rocstats.estimate.quantiles import order_rank, t_quantile
from rocstats.estimate.resample import ResamplePlan, resampled_cells
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, binary_unit, in_unit
from rocstats.facts.columns import POINT
from rocstats.facts.measures import RATES, range_of
from rocstats.facts.tolerances import NO_SPREAD, SAME, SAME_TO_ROUNDING
from rocstats.inference.cutpoints.rule import cutpoint_columns
from rocstats.study.sample import Sample

# --- Methods and quantities -----------------------------------------------------------------------

CutMethod = Literal["empirical", "normal-theory", "kernel"]
# The order of the values of a smooth cut.
CUTPOINT_MEASURES = ("threshold", "tpr", "tnr", "youden")


# --- Measures of one predictor with limits --------------------------------------------------------

# Smoothing moves the crossing of skewed densities (docs/points/cutpoints.md, "Smoothed cutpoints").
# Of classes of 50 normal scores 1 in 200 has a larger skewness, of log-normal ones 98 in 100.
_SKEWED = 1.0
SmoothResults = tuple[FloatArray, FloatArray, FloatArray]
"""Values of ``CUTPOINT_MEASURES``, their standard errors, and their limits (4 x 2)."""


def smooth_cutpoint_measures(
    part: Sample, k: int, method: CutMethod, plan: ResamplePlan, level: float
) -> Iterator[tuple[dict[str, Any], Result]]:
    """Yield the optimal cutpoint of the smoothed distributions of predictor ``k``, by measure."""
    counts, higher = part.cases.counts(k), part.higher_is_positive[k]
    unit = (1.0 if higher else -1.0) * binary_unit(counts.score)
    biased = False
    if method == "normal-theory":
        values, errors, limits = _normal_results(part, k, unit, level)
    else:
        classes = (counts.n_pos, counts.n_neg)
        biased = any(
            abs(class_score_skewness(in_unit(counts.score, unit), n)) > _SKEWED for n in classes
        )
        values, errors, limits = _kernel_results(part, k, unit, plan, level)
    threshold = unit * float(values[0])
    point: dict[str, float] = dict.fromkeys(POINT, np.nan)
    fit_notes = ["no-smooth-cutpoint"]
    if not np.isnan(threshold):
        curve = roc_points(counts, higher_is_positive=higher)
        point = cutpoint_columns(curve, int(vertex_at(curve, np.array([threshold]))[0]), threshold)
        fit_notes = []
    apparent = {
        "tpr": point["tpr"],
        "tnr": 1 - point["fpr"],
        "youden": point["tpr"] - point["fpr"],
    }
    rows = zip(CUTPOINT_MEASURES, (threshold, *values[1:].tolist()), errors, limits, strict=True)
    for quantity, value, error, ends in rows:
        # Distributions that hardly overlap: rates of 0 or 1 have no standard error.
        # A threshold has the unit of the scores, which may be as small as they please.
        size, least = (unit, 0.0) if quantity == "threshold" else (1.0, NO_SPREAD)
        low, high = sorted((ends * size).tolist())
        no_variance = not np.isnan(value) and not high - low > least
        notes = list(fit_notes)
        if no_variance:
            low, high = np.nan, np.nan
            notes.insert(0, "no-variance")
        # At its maximum the index changes only by the square of a shift of the cut.
        elif biased and quantity != "youden" and not np.isnan(low):
            notes.insert(0, "kernel-limits-short")
        word = "probit" if quantity in ("tpr", "tnr") else "wald"
        word = "percentile" if method == "kernel" else word
        about = {
            **point,
            "quantity": quantity,
            "target": "optimal",
            "apparent": apparent.get(quantity, np.nan),
            # The smoothed optimum estimates the population's directly: no choice flatters it.
            "optimism": np.nan,
        }
        se = 0.0 if no_variance else abs(size) * float(error)
        yield about, Result(value, se, low, high, method=f"{method}/{word}", codes=tuple(notes))


def _normal_results(part: Sample, k: int, unit: float, level: float) -> SmoothResults:
    """Return the measures of normal distributions, scores in ``unit``."""
    counts = part.cases.counts(k)
    cut = normal_youden(in_unit(counts.score, unit), counts.n_pos, counts.n_neg)
    limits = [
        smooth_cutpoint_limits(value, se, quantity, level)
        for value, se, quantity in zip(cut.values.tolist(), cut.se, CUTPOINT_MEASURES, strict=True)
    ]
    return cut.values, cut.se, np.array(limits)


def _kernel_results(
    part: Sample, k: int, unit: float, plan: ResamplePlan, level: float
) -> SmoothResults:
    """Return the measures of kernel-smoothed distributions; each resample has its bandwidths."""
    counts = part.cases.counts(k)
    # The most positive score comes first in a count table; ``unit`` makes it the highest.
    cut = kernel_youden(in_unit(counts.score[::-1], unit), counts.n_pos[::-1], counts.n_neg[::-1])
    if np.isnan(cut.values[0]):
        return cut.values, np.full(4, np.nan), np.full((4, 2), np.nan)
    draws = np.empty((4, plan.n_resamples))
    codes = part.cases.codes(k).astype(np.intp)
    for at, pos, neg in resampled_cells(part.cases, codes, counts.n_pos, counts.n_neg, plan):
        draws[:, at] = cut.resampled(pos[:, ::-1], neg[:, ::-1])
    rank, ordered = order_rank((1 - level) / 2, plan.n_resamples), np.sort(draws, axis=1)
    return cut.values, draws.std(axis=1, ddof=1), ordered[:, [rank - 1, -rank]]


# --- Normal distributions -------------------------------------------------------------------------

NormalMoments = tuple[float, float, float, float]
"""Mean and variance of the negatives, mean and variance of the positives."""
# Central differences of size h have a relative error of about h^2 = 1e-10 by curvature and of
# 1e-16/h = 1e-11 by rounding: near the best step, the cube root of 1e-16.
_DIFFERENCE_STEP = 1e-5


class SmoothCut(NamedTuple):
    """Threshold, TPR, TNR and Youden's index, and their covariance; NaN without a maximum."""

    values: FloatArray
    covariance: FloatArray

    @property
    def se(self) -> FloatArray:
        """Standard errors of the four."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def undefined_smooth_cutpoint() -> SmoothCut:
    """Return a cut that is all NaN."""
    return SmoothCut(np.full(4, np.nan), np.full((4, 4), np.nan))


def normal_cutpoint(moments: NormalMoments) -> float:
    """Return the threshold with the highest Youden index of two normal distributions.

    c = [m1 v0 - m0 v1 - s0 s1 sqrt((m0 - m1)^2 + (v0 - v1) ln(v0/v1))]/(v0 - v1), written as the
    quotient that stays exact as the variances meet, where it is (m0 + m1)/2.
    """
    m0, v0, m1, v1 = moments
    middle = m1 * v0 - m0 * v1
    root = np.sqrt(v0 * v1 * ((m0 - m1) ** 2 + (v0 - v1) * np.log(v0 / v1)))
    # Of the two forms of the root the one whose sum does not cancel.
    if middle + root <= 0:
        return float((middle - root) / (v0 - v1))
    product = m1**2 * v0 - m0**2 * v1 + v0 * v1 * np.log(v1 / v0)
    return float(product / (middle + root))


def _normal_cutpoint_and_rates(moments: NormalMoments) -> FloatArray:
    m0, v0, m1, v1 = moments
    cut = normal_cutpoint(moments)
    tpr, tnr = sp.ndtr((m1 - cut) / np.sqrt(v1)), sp.ndtr((cut - m0) / np.sqrt(v0))
    return np.array([cut, tpr, tnr, tpr + tnr - 1])


def normal_youden(score: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> SmoothCut:
    """Return the cut of normal distributions with the mean and variance of each class.

    Var(mean) = v/n and Var(v) = 2 v^2/(n - 1), all four independent; slopes by differences. The
    cut is NaN where the positives do not have the higher mean, or a class has no variance.
    """
    (m0, v0, n0), (m1, v1, n1) = (
        score_moments_of_class(score, counts) for counts in (n_neg, n_pos)
    )
    if not (m1 > m0 and v0 > 0 and v1 > 0):
        return undefined_smooth_cutpoint()
    # Free of origin and unit, so that the steps of the differences are fit for any scores.
    unit = np.sqrt(v0)
    moments = np.array([0.0, 1.0, (m1 - m0) / unit, v1 / v0])
    slopes = np.empty((4, 4))
    for i in range(4):
        step = _DIFFERENCE_STEP * max(1.0, moments[i])
        if i in (1, 3):  # variances, of which one may be tiny beside the other, stay positive
            step = min(step, moments[i] / 2)
        ends = []
        for sign in (-1, 1):
            moved = moments.copy()
            moved[i] += sign * step
            ends.append((moved[i], _normal_cutpoint_and_rates(tuple(moved))))
        slopes[:, i] = (ends[1][1] - ends[0][1]) / (ends[1][0] - ends[0][0])
    v = moments[3]
    # docs/methods/points.md, "Normal cutpoint", with the variance of the negatives as the unit.
    variance = np.array([1 / n0, 2 / (n0 - 1), v / n1, 2 * v**2 / (n1 - 1)])
    scale = np.array([unit, 1.0, 1.0, 1.0])
    values = _normal_cutpoint_and_rates(tuple(moments)) * scale + np.array([m0, 0.0, 0.0, 0.0])
    return SmoothCut(values, (slopes * variance) @ slopes.T * np.outer(scale, scale))


def smooth_cutpoint_limits(
    value: float, se: float, quantity: str, confidence_level: float
) -> tuple[float, float]:
    """Return limits by the delta method: on the probit scale for rates, else plain, in range."""
    z = t_quantile((1 + confidence_level) / 2, np.inf)
    if quantity in RATES:
        # A rate of 0 or 1, to rounding, has an infinite probit and no limits.
        if not SAME < value < 1 - SAME:
            return float("nan"), float("nan")
        # On the probit scale the slope is 1/phi: limits stay in (0, 1).
        middle = sp.ndtri(value)
        reach = z * se * np.sqrt(2 * np.pi) * np.exp(middle**2 / 2)
        return float(sp.ndtr(middle - reach)), float(sp.ndtr(middle + reach))
    low, high = value - z * se, value + z * se
    least, most = range_of(quantity)
    return max(low, least), min(high, most)


# --- Kernel-smoothed distributions: cuts of the sample --------------------------------------------


class _KernelClass(NamedTuple):
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
    width = kernel_bandwidths(score, counts)
    of_pos, of_neg = (
        _KernelClass(score, c / c.sum(), float(h)) for c, h in zip(counts, width, strict=True)
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
    cut = _kernel_threshold_of_highest_youden(of_pos, of_neg, counts.sum(axis=0), near)
    fnr, tnr = (of_class.below(cut) for of_class in (of_pos, of_neg))
    return replace(found, values=np.array([cut, 1 - fnr, tnr, tnr - fnr]))


def _kernel_threshold_of_highest_youden(
    of_pos: _KernelClass, of_neg: _KernelClass, size: FloatArray, near: float
) -> float:
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


def kernel_bandwidths(score: FloatArray, counts: Any) -> FloatArray:
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


def class_score_skewness(score: FloatArray, counts: FloatArray) -> float:
    """Return the third central moment of a class over the cube of its sd; 0 without variance."""
    share = counts / counts.sum()
    apart = score - share @ score
    variance = float(share @ apart**2)
    return float(share @ apart**3) / variance**1.5 if variance > 0 else 0.0


# --- Kernel-smoothed distributions: cuts of resamples on a grid -----------------------------------

# The grid has steps of a quarter of the narrower bandwidth: cuts of resamples err by less than a
# tenth of a standard error.
_STEPS_A_BANDWIDTH = 4
# The number of points is bounded for classes far apart, whose index is flat between them.
_FEWEST_POINTS, _MOST_POINTS = 2**6, 2**12
# Narrower kernels would ring: of one of two steps, 3e-9 are left at the highest frequency.
_LEAST_STEPS = 2
# Indices closer than what rings are alike; beside a maximum they differ by some 1e-3.
_RINGING = 1e-7
# Thresholds, quantiles of all scores, that are tried in the sample beside the cut of the grid.
_N_TRIED = 256
# Four times a bandwidth that is twice that of the sample: beyond are 3e-5 of a normal distribution.
_KERNEL_REACH = 8.0


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
            width = np.maximum(kernel_bandwidths(self.score, counts), _LEAST_STEPS * step)[
                :, np.newaxis
            ]
            share = np.ascontiguousarray(counts @ spread) / counts.sum(axis=1, keepdims=True)
            waves = np.fft.rfft(share) * np.exp(-((width * wave) ** 2) / 2)
            mass = np.fft.irfft(waves, len(grid))
            below.append((np.cumsum(mass, axis=1) - mass / 2)[:, inside])
        at = _peak_position(below[1] - below[0])
        fnr, tnr = (
            np.clip(_kernel_values_between_columns(of_class, at), 0.0, 1.0) for of_class in below
        )
        cut = grid[inside.start] + at * step
        return np.stack([cut, 1 - fnr, tnr, tnr - fnr])

    @cached_property
    def _grid(self) -> tuple[FloatArray, Any]:
        """The grid, and the matrix (scores x grid) that shares scores between neighbours."""
        from scipy.sparse import csr_array

        # The convolution is circular: twice the reach at both ends keeps these apart. Scores beyond
        # the reach are moved there, where they still count wholly as above, or below, every cut.
        window, (narrow, wide) = self.high - self.low, self.width
        wanted = (window + 4 * _KERNEL_REACH * wide) * _STEPS_A_BANDWIDTH / narrow
        size = int(2 ** np.ceil(np.log2(np.clip(wanted, _FEWEST_POINTS, _MOST_POINTS))))
        # Of a kernel of so many steps, too.
        reach = _KERNEL_REACH * max(wide, window / (size - 4 * _KERNEL_REACH))
        low, high = self.low - 2 * reach, self.high + 2 * reach
        step = (high - low) / size
        place = (np.clip(self.score, low + reach, high - reach) - low) / step
        cell = np.minimum(place.astype(np.intp), size - 2)
        upper, rows = place - cell, np.arange(len(place))
        ends = np.r_[1 - upper, upper], (np.r_[rows, rows], np.r_[cell, cell + 1])
        grid = np.asarray(low + step * np.arange(size), dtype=np.float64)
        return grid, csr_array(ends, shape=(len(rows), size))


def _peak_position(index: FloatArray) -> FloatArray:
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


def _kernel_values_between_columns(values: FloatArray, at: FloatArray) -> FloatArray:
    """Return the value of each row at a place between two columns."""
    column = np.minimum(at.astype(np.intp), values.shape[1] - 2)
    rows, part = np.arange(len(values)), at - column
    return np.asarray((1 - part) * values[rows, column] + part * values[rows, column + 1])
