"""Youden's index of kernel-smoothed distributions, with influence values of cases or clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.stats.binormal.fit import class_moments
from rocstats.stats.points.smooth_youden import SmoothCut, no_cut
from rocstats.tolerances import SAME_TO_ROUNDING

# The grid only brackets the maximum, which a root search then finds; of maxima with less than 1/256
# of the cases between them it may take the lower one.
_N_STEPS = 256


def bandwidth(score: FloatArray, counts: FloatArray) -> float:
    """Return 0.9 min(sd, IQR/1.34) n^(-1/5) of a class; with the sd alone where the IQR is 0."""
    # Silverman 1986, (3.31); 1.34 is the interquartile range of the standard normal.
    _, variance, total = class_moments(score, counts)
    order = np.argsort(score)
    low, high = (
        score[way][np.searchsorted(np.cumsum(counts[way]), total / 4)]
        for way in (order, order[::-1])
    )
    sd = float(np.sqrt(variance))
    spread = min(sd, (high - low) / 1.34) if high > low else sd
    return float(0.9 * spread * total**-0.2)


class _Kernel(NamedTuple):
    """The scores of a class under a normal kernel: distribution F and density f at a threshold."""

    score: FloatArray
    share: FloatArray
    width: float

    @classmethod
    def of(cls, score: FloatArray, counts: FloatArray) -> _Kernel:
        """Return the kernel of a class from its counts at the scores."""
        held = counts > 0
        return cls(score[held], counts[held] / counts.sum(), bandwidth(score, counts))

    def below(self, cut: float) -> FloatArray:
        """Return the contribution of each score to F(cut)."""
        return np.asarray(sp.ndtr((cut - self.score) / self.width))

    def density(self, cut: float) -> FloatArray:
        """Return the contribution of each score to f(cut)."""
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
    """Return the cut of kernel-smoothed distributions, the bandwidths taken as given.

    ``gather`` sums the products of influence values (4 x scores; of a positive and of a negative at
    each score) over independent units. There is no cut where a class has no variance, or the
    highest index is not a maximum inside the scores.
    """
    of_pos, of_neg = _Kernel.of(score, n_pos), _Kernel.of(score, n_neg)
    if not (of_pos.width > 0 and of_neg.width > 0):
        return no_cut()
    cut = _highest(score, of_pos, of_neg, n_pos + n_neg)
    # At a maximum of F0 - F1 its second derivative f0' - f1' is negative; NaN fails the test too.
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
    # Implicit function theorem at f0(c) = f1(c); the chain rule takes both rates along.
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
    # Without a change of sign the best threshold is at an end of the scores, and no maximum.
    if not slope(low) > 0 > slope(high):
        return np.nan
    return float(brentq(slope, low, high, xtol=SAME_TO_ROUNDING * (high - low)))


def independent_products(n_pos: FloatArray, n_neg: FloatArray) -> Callable[..., FloatArray]:
    """Return the function that sums products over independent cases, with n/(n - 1) by class."""

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
    """Return the function that sums products over I clusters, with I/(I - 1)."""

    def gather(of_pos: FloatArray, of_neg: FloatArray) -> FloatArray:
        m, n = (float(frequency[is_positive == member].sum()) for member in (True, False))
        of_case = np.where(is_positive, of_pos[:, codes] / m, of_neg[:, codes] / n) * frequency
        # Codes of clusters that this group does not have are skipped.
        present, unit = np.unique(cluster, return_inverse=True)
        sums = np.stack([np.bincount(unit, row) for row in of_case])
        factor = len(present) / (len(present) - 1) if len(present) > 1 else np.nan
        return np.asarray(factor * sums @ sums.T)

    return gather
