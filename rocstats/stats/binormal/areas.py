"""Points, areas and indices of a binormal curve, with their gradients in (a, b)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.binormal.fit import BinormalFit
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE_LIMITS
from rocstats.stats.intervals.methods.probit import PROBIT_LIMITS
from rocstats.stats.intervals.record import limits
from rocstats.tolerances import SAME_TO_ROUNDING, TINY

_INFINITE = 1e3  # a deviate whose normal tail is 0 in floating point, while products stay finite


class Index(NamedTuple):
    """A function of (a, b): its value and its gradient (2,)."""

    value: float
    gradient: FloatArray

    def se(self, fit: BinormalFit) -> float:
        """Return the standard error by the delta method."""
        return float(np.sqrt(self.gradient @ fit.covariance @ self.gradient))


def curve(fit: BinormalFit, fpr: FloatArray) -> FloatArray:
    """Return R(t) = Phi(a + b Phi^-1(t)), 0 at 0 and 1 at 1."""
    return np.asarray(sp.ndtr(fit.a + fit.b * sp.ndtri(fpr)))


def slope(fit: BinormalFit, fpr: FloatArray) -> FloatArray:
    """Return R'(t) = b phi(a + b z)/phi(z), z the probit of t, at rates inside (0, 1)."""
    z = sp.ndtri(fpr)
    return np.asarray(fit.b * np.exp((z**2 - (fit.a + fit.b * z) ** 2) / 2))


def area_deviate(fit: BinormalFit) -> Index:
    """Return the probit of the area: a/w, w^2 = 1 + b^2."""
    a, b, w = fit.a, fit.b, _w(fit)
    return Index(a / w, np.array([1 / w, -a * b / w**3]))


def area(fit: BinormalFit) -> Index:
    """Return the area under the curve, Phi(a/w)."""
    deviate = area_deviate(fit)
    return Index(float(sp.ndtr(deviate.value)), _density(deviate.value) * deviate.gradient)


def d_a(fit: BinormalFit) -> Index:
    """Return the distance of the means over the root mean square of the standard deviations."""
    # Simpson & Fitter's index: sqrt(2) a/w, so that the area is Phi(d_a/sqrt(2)).
    deviate = area_deviate(fit)
    return Index(np.sqrt(2) * deviate.value, np.sqrt(2) * deviate.gradient)


def delta_m(fit: BinormalFit) -> Index:
    """Return the distance of the means in standard deviations of the negatives: a/b."""
    a, b = fit.a, fit.b
    return Index(a / b, np.array([1 / b, -a / b**2]))


def d_e(fit: BinormalFit) -> Index:
    """Return the distance of the means over the mean of the standard deviations: 2a/(1 + b)."""
    a, b = fit.a, fit.b
    return Index(2 * a / (1 + b), np.array([2 / (1 + b), -2 * a / (1 + b) ** 2]))


def partial_area(fit: BinormalFit, low: float, high: float) -> Index:
    """Return the area under the curve over false positive rates from ``low`` to ``high``."""
    # Phi_2(a/w, z; -b/w) of Hillis & Metz 2012 at both ends. The sign of the first term of by_b was
    # settled by numerical derivatives (docs/methods/binormal.md, "Curve, areas and indices").
    a, b, w = fit.a, fit.b, _w(fit)
    z = sp.ndtri(np.array([low, high]))
    below = bivariate_normal(a / w, z, -b / w)
    c = w * z + a * b / w
    common = np.exp(-(a**2) / (2 * w**2))
    inner = float(np.diff(sp.ndtr(c))[0])
    edge = -float(np.diff(np.exp(-(c**2) / 2))[0])
    by_a = common / (np.sqrt(2 * np.pi) * w) * inner
    by_b = common * (edge / (2 * np.pi * w**2) - a * b * inner / (np.sqrt(2 * np.pi) * w**3))
    return Index(float(below[1] - below[0]), np.array([by_a, by_b]))


def area_limits(fit: BinormalFit, mean: Index, confidence_level: float) -> tuple[float, float, str]:
    """Return the probit limits of an area (or mean area over a range), and their name.

    At 0 and 1 (to rounding), where probit limits have no width, Newcombe's limits replace them.
    """
    m, n = fit.n_pos, fit.n_neg
    area = Area(mean.value, mean.se(fit) ** 2, np.inf, m, n, min(m, n))
    if SAME_TO_ROUNDING < mean.value < 1 - SAME_TO_ROUNDING:
        low, high = limits(PROBIT_LIMITS, area, confidence_level, "two-sided")
        if low < high:
            return low, high, "probit"
    area = area._replace(value=float(np.round(mean.value)), variance=0.0)
    return *limits(NEWCOMBE_LIMITS, area, confidence_level, "two-sided"), "newcombe"


def bivariate_normal(h: float, k: FloatArray, r: float) -> FloatArray:
    """Return P(X <= h, Y <= k) of standard normals with correlation ``r``, by Owen's T.

    Each k may be infinite; -1 < r < 1.
    """
    # Owen 1956: Phi_2 = (Phi(h) + Phi(k))/2 - T(h, .) - T(k, .), less 1/2 if h and k have different
    # signs. T is continuous where h or k is 0, but its second argument divides by them.
    x, y = h or TINY, np.where(k == 0, TINY, k)
    y = np.clip(y, -_INFINITE, _INFINITE)
    root = np.sqrt(1 - r**2)
    with np.errstate(over="ignore"):
        tails = sp.owens_t(x, (y - r * x) / (x * root)) + sp.owens_t(y, (x - r * y) / (y * root))
    across = np.where((x > 0) == (y > 0), 0.0, 0.5)
    return np.asarray(np.clip((sp.ndtr(x) + sp.ndtr(y)) / 2 - tails - across, 0.0, 1.0))


def _w(fit: BinormalFit) -> float:
    return float(np.sqrt(1 + fit.b**2))


def _density(z: float) -> float:
    return float(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))
