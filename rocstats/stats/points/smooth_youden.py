"""Youden's index of smoothed laws: normal in each class, or kernel-smoothed. Delta method.

Scores are such that higher ones mean positive. The cutpoint is that of the best TPR - FPR of the
smoothed laws, and everything about it is of the optimal cutpoint, none of a chosen one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.sample.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.stats.intervals.quantiles import quantile

Moments = tuple[float, float, float, float]
"""Mean and variance of the negatives, mean and variance of the positives."""

_N_STEPS = 256
_STEP = 1e-5


@dataclass(frozen=True, eq=False)
class SmoothCut:
    """Threshold, TPR, TNR and Youden's index, and their covariance; NaN without a maximum."""

    values: FloatArray
    covariance: FloatArray

    @property
    def se(self) -> FloatArray:
        """Standard errors of the four."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def no_cut() -> SmoothCut:
    """Return a cut of which nothing is known."""
    return SmoothCut(np.full(4, np.nan), np.full((4, 4), np.nan))


def normal_cutpoint(moments: Moments) -> float:
    """Return the threshold with the highest Youden index of two normal laws.

    c = [m1 v0 - m0 v1 - s0 s1 sqrt((m0 - m1)^2 + (v0 - v1) ln(v0/v1))]/(v0 - v1), written as the
    quotient that stays exact as the variances meet, where it is (m0 + m1)/2.
    """
    m0, v0, m1, v1 = moments
    middle = m1 * v0 - m0 * v1
    root = np.sqrt(v0 * v1 * ((m0 - m1) ** 2 + (v0 - v1) * np.log(v0 / v1)))
    if middle + root <= 0:
        return float((middle - root) / (v0 - v1))
    product = m1**2 * v0 - m0**2 * v1 + v0 * v1 * np.log(v1 / v0)
    return float(product / (middle + root))


def _normal_values(moments: Moments) -> FloatArray:
    m0, v0, m1, v1 = moments
    cut = normal_cutpoint(moments)
    tpr, tnr = sp.ndtr((m1 - cut) / np.sqrt(v1)), sp.ndtr((cut - m0) / np.sqrt(v0))
    return np.array([cut, tpr, tnr, tpr + tnr - 1])


def normal_youden(score: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> SmoothCut:
    """Return the cut of normal laws with the means and variances of both classes.

    Var(mean) = v/n and Var(v) = 2 v^2/(n - 1), all four independent; slopes by differences. There
    is none where the positives do not have the higher mean, or a class has no variance.
    """
    found = [_moments(score, counts) for counts in (n_neg, n_pos)]
    (m0, v0, n0), (m1, v1, n1) = found
    if not (m1 > m0 and v0 > 0 and v1 > 0):
        return no_cut()
    # Free of origin and unit, so that the steps of the differences are fit for any scores.
    unit = np.sqrt(v0)
    moments = np.array([0.0, 1.0, (m1 - m0) / unit, v1 / v0])
    slopes = np.empty((4, 4))
    for i in range(4):
        ends = []
        for sign in (-1, 1):
            moved = moments.copy()
            moved[i] += sign * _STEP * max(1.0, moments[i])
            ends.append((moved[i], _normal_values(tuple(moved))))
        slopes[:, i] = (ends[1][1] - ends[0][1]) / (ends[1][0] - ends[0][0])
    v = moments[3]
    variance = np.array([1 / n0, 2 / (n0 - 1), v / n1, 2 * v**2 / (n1 - 1)])
    scale = np.array([unit, 1.0, 1.0, 1.0])
    values = _normal_values(tuple(moments)) * scale + np.array([m0, 0.0, 0.0, 0.0])
    return SmoothCut(values, (slopes * variance) @ slopes.T * np.outer(scale, scale))


def _moments(score: FloatArray, counts: FloatArray) -> tuple[float, float, float]:
    """Return mean, variance (ddof 1) and number of the scores of a class."""
    total = float(counts.sum())
    held = score[counts > 0]
    if total < 2 or held.min() == held.max():
        return float(held[0]), 0.0, total
    mean = float(counts @ score / total)
    return mean, float(counts @ (score - mean) ** 2 / (total - 1)), total


def bandwidth(score: FloatArray, counts: FloatArray) -> float:
    """Return 0.9 min(sd, IQR/1.34) n^(-1/5) of a class; the sd where the IQR is 0."""
    _, variance, total = _moments(score, counts)
    order = np.argsort(score)
    low, high = (
        score[one][np.searchsorted(np.cumsum(counts[one]), total / 4)]
        for one in (order, order[::-1])
    )
    sd = float(np.sqrt(variance))
    spread = min(sd, (high - low) / 1.34) if high > low else sd
    return float(0.9 * spread * total**-0.2)


@dataclass(frozen=True, eq=False)
class _Kernel:
    """The scores of a class under a normal kernel: its law F and density f at a threshold."""

    score: FloatArray
    share: FloatArray
    width: float

    @classmethod
    def of(cls, score: FloatArray, counts: FloatArray) -> _Kernel:
        """Return the kernel of a class from its counts at the scores."""
        held = counts > 0
        return cls(score[held], counts[held] / counts.sum(), bandwidth(score, counts))

    def below(self, cut: float) -> FloatArray:
        """Return what each score adds to F(cut)."""
        return np.asarray(sp.ndtr((cut - self.score) / self.width))

    def density(self, cut: float) -> FloatArray:
        """Return what each score adds to f(cut)."""
        u = (cut - self.score) / self.width
        return np.asarray(np.exp(-(u**2) / 2) / (np.sqrt(2 * np.pi) * self.width))

    def mean_below(self, cut: float) -> float:
        """Return F(cut)."""
        return float(self.share @ self.below(cut))

    def mean_density(self, cut: float) -> float:
        """Return f(cut)."""
        return float(self.share @ self.density(cut))

    def slope(self, cut: float) -> float:
        """Return f'(cut)."""
        u = (cut - self.score) / self.width
        return float(-self.share @ (u * self.density(cut)) / self.width)


def kernel_youden(
    score: FloatArray,
    n_pos: FloatArray,
    n_neg: FloatArray,
    gather: Callable[[FloatArray, FloatArray], FloatArray],
) -> SmoothCut:
    """Return the cut of kernel-smoothed laws, the bandwidths taken as given.

    ``gather`` sums the products of influence values (4 x scores; of a positive and of a negative at
    each score) over independent units. There is no cut where a class has no variance, or the
    highest index is not a maximum inside the scores.
    """
    of_pos, of_neg = _Kernel.of(score, n_pos), _Kernel.of(score, n_neg)
    if not (of_pos.width > 0 and of_neg.width > 0):
        return no_cut()
    cut = _highest(score, of_pos, of_neg, n_pos + n_neg)
    curvature = of_neg.slope(cut) - of_pos.slope(cut)
    if not curvature < 0:
        return no_cut()
    tpr, tnr = 1 - of_pos.mean_below(cut), of_neg.mean_below(cut)
    influence = _influence(score, of_pos, of_neg, cut, curvature)
    return SmoothCut(np.array([cut, tpr, tnr, tpr + tnr - 1]), gather(*influence))


def _influence(
    score: FloatArray, of_pos: _Kernel, of_neg: _Kernel, cut: float, curvature: float
) -> list[FloatArray]:
    """Return the influence (4 x scores) of a positive and of a negative at each score.

    The cut is the root of f0 - f1, whose slope there is the curvature of the index; both rates move
    with it.
    """
    density = of_pos.mean_density(cut), of_neg.mean_density(cut)
    found = []
    for kernel, sign in ((of_pos, 1.0), (of_neg, -1.0)):
        whole = _Kernel(score, kernel.share, kernel.width)
        of_cut = sign * (whole.density(cut) - kernel.mean_density(cut)) / curvature
        of_rate = whole.below(cut) - kernel.mean_below(cut)
        tpr, tnr = -density[0] * of_cut, density[1] * of_cut
        if sign > 0:
            tpr -= of_rate
        else:
            tnr += of_rate
        found.append(np.stack([of_cut, tpr, tnr, tpr + tnr]))
    return found


def _highest(score: FloatArray, of_pos: _Kernel, of_neg: _Kernel, size: FloatArray) -> float:
    """Return the threshold with the highest index, NaN if that is at an end of the scores.

    The best of a grid of quantiles of all scores, then the root of f0 - f1 beside it.
    """
    from scipy.optimize import brentq

    def slope(cut: float) -> float:
        return of_neg.mean_density(cut) - of_pos.mean_density(cut)

    order = np.argsort(score)
    above = np.cumsum(size[order])
    at = np.searchsorted(above, np.linspace(0, above[-1], _N_STEPS + 1))
    grid = np.unique(score[order][np.minimum(at, len(score) - 1)])
    best = int(np.argmax([of_neg.mean_below(cut) - of_pos.mean_below(cut) for cut in grid]))
    low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
    if not slope(low) > 0 > slope(high):
        return np.nan
    return float(brentq(slope, low, high, xtol=1e-14 * (high - low)))


def independent_products(n_pos: FloatArray, n_neg: FloatArray) -> Callable[..., FloatArray]:
    """Return the sum of products over independent cases, with n/(n - 1) for each class."""

    def gather(of_pos: FloatArray, of_neg: FloatArray) -> FloatArray:
        total = np.zeros((4, 4))
        for influence, counts in ((of_pos, n_pos), (of_neg, n_neg)):
            n = counts.sum()
            total += (influence * counts) @ influence.T / (n * (n - 1))
        return total

    return gather


def clustered_products(
    codes: CodeArray, is_positive: BoolArray, frequency: FloatArray, cluster: IntArray
) -> Callable[..., FloatArray]:
    """Return the sum of products over clusters, with I/(I - 1), I the number of clusters."""

    def gather(of_pos: FloatArray, of_neg: FloatArray) -> FloatArray:
        m, n = (float(frequency[is_positive == member].sum()) for member in (True, False))
        of_case = np.where(is_positive, of_pos[:, codes] / m, of_neg[:, codes] / n) * frequency
        present, unit = np.unique(cluster, return_inverse=True)
        sums = np.stack([np.bincount(unit, row) for row in of_case])
        factor = len(present) / (len(present) - 1) if len(present) > 1 else np.nan
        return np.asarray(factor * sums @ sums.T)

    return gather


def smooth_limits(
    value: float, se: float, quantity: str, confidence_level: float
) -> tuple[float, float]:
    """Return limits by the delta method: on the probit scale for rates, else plain, in range."""
    z = quantile((1 + confidence_level) / 2, np.inf)
    if quantity in ("tpr", "tnr"):
        middle = sp.ndtri(value)
        reach = z * se * np.sqrt(2 * np.pi) * np.exp(middle**2 / 2)
        return float(sp.ndtr(middle - reach)), float(sp.ndtr(middle + reach))
    low, high = value - z * se, value + z * se
    return (low, high) if quantity == "threshold" else (max(low, -1.0), min(high, 1.0))
