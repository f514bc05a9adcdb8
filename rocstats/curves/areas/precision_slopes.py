"""Derivatives of the areas under the precision-recall curve in its rates and in the prevalence."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import spans

# Below this the closed forms of the integrals over a segment cancel; nine terms of their series
# leave 1e-18.
_SHORT = 0.01
_TERMS = 9  # of each series


class Rates(NamedTuple):
    """True and false positive rates at each distinct score, and the prevalence."""

    tpr: FloatArray
    fpr: FloatArray
    prevalence: float


class Steps(NamedTuple):
    """Some steps of the curve: rates at their starts and ends, and the prevalence."""

    tpr0: FloatArray
    fpr0: FloatArray
    tpr: FloatArray
    fpr: FloatArray
    prevalence: float


class Slopes(NamedTuple):
    """Derivatives of an area, which is a sum over the steps of the curve, one at each score.

    ``own`` (2 x d) are those of a step in the TPR and the FPR at its end, ``start`` those of a step
    in a shift of both its ends; ``prevalence`` is that of the area.
    """

    own: FloatArray
    start: FloatArray
    prevalence: float

    def influence(self) -> FloatArray:
        """Return the influence of a positive, and of a negative, at each score, but for a constant.

        A case at a score moves the end of its own step and both ends of all later steps.
        """
        later = np.zeros_like(self.start)
        later[:, :-1] = np.cumsum(self.start[:, :0:-1], axis=1)[:, ::-1]
        return self.own + later


def slopes_of(quantity: str, at: Rates) -> Slopes:
    """Return the derivatives of an area in its rates and in the prevalence."""
    tpr0, fpr0 = (np.concatenate(([0.0], rate[:-1])) for rate in (at.tpr, at.fpr))
    own, start = np.empty((2, len(at.tpr))), np.empty((2, len(at.tpr)))
    prevalence = 0.0
    for block in spans(len(at.tpr)):
        starts, ends = (tpr0[block], fpr0[block]), (at.tpr[block], at.fpr[block])
        found = _SLOPES[quantity](Steps(*starts, *ends, at.prevalence))
        own[:, block], start[:, block] = found.own, found.start
        prevalence += found.prevalence
    return Slopes(own, start, prevalence)


def _average_precision(at: Steps) -> Slopes:
    """Return the derivatives of sum (t_k - t_(k-1)) g(t_k, f_k), g = pi t/(pi t + (1 - pi) f)."""
    t, f, pi = at.tpr, at.fpr, at.prevalence
    called = pi * t + (1 - pi) * f
    squares, step = called**2, t - at.tpr0
    by_rate = pi * (1 - pi) * _ratio(np.array([f, -t]), squares)
    start = step * by_rate
    own = start.copy()
    own[0] += _ratio(pi * t, called)
    return Slopes(own, start, float(np.sum(step * _ratio(t * f, squares))))


def _pr_area(at: Steps) -> Slopes:
    """Return the derivatives of the area under the interpolated curve.

    A step adds dt H, H the mean of (a + x da)/(b + x db) over x in [0, 1], where a = pi t and
    b = pi t + (1 - pi) f at its start and da, db are what it adds to them.
    """
    t0, f0, t, f, pi = at
    dt, df = t - t0, f - f0
    a, b = pi * t0, pi * t0 + (1 - pi) * f0
    da, db = pi * dt, pi * dt + (1 - pi) * df
    j0, j1, k0, k1, k2 = _means(b, db)
    # The first step starts at 0 / 0, where the precision is constant: da/db.
    mean = a * j0 + da * j1
    in_b, in_db = -(a * k0 + da * k1), -(a * k1 + da * k2)
    own = np.array([mean + dt * pi * (j1 + in_db), dt * (1 - pi) * in_db])
    start = np.array([dt * pi * (j0 + in_b), dt * (1 - pi) * in_b])
    prevalence = j0 * t0 + j1 * dt + in_b * (t0 - f0) + in_db * (dt - df)
    return Slopes(own, start, float(np.sum(dt * prevalence)))


_SLOPES: dict[str, Callable[[Steps], Slopes]] = {
    "average_precision": _average_precision,
    "pr_auc": _pr_area,
}
"""The derivatives of each area by its quantity, for some of its steps."""


def _means(b: FloatArray, db: FloatArray) -> tuple[FloatArray, ...]:
    """Return the means over x of 1/c, x/c, 1/c^2, x/c^2 and x^2/c^2 with c = b + x db.

    Infinite ones, where b = 0, are 0: no case above the first step could move its start.
    """
    u, rest = _ratio(db, b), _ratio(b, b + db)
    log = np.where((b > 0) & (u == 0), 1.0, _ratio(np.log1p(u), u))
    j0, k0 = _ratio(log, b), _ratio(rest, b**2)
    j1, k1 = _ratio(1 - log, db), _ratio(log - rest, b * db)
    k2 = _ratio(1 - 2 * log + rest, db**2)
    short = (b > 0) & (u < _SHORT)
    near, start = u[short], b[short]
    j1[short] = _series(near, lambda i: 1 / (i + 2)) / start
    k1[short] = _series(near, lambda i: (i + 1) / (i + 2)) / start**2
    k2[short] = _series(near, lambda i: (i + 1) / (i + 3)) / start**2
    return j0, j1, k0, k1, k2


def _series(u: FloatArray, term: Callable[[int], float]) -> FloatArray:
    """Return the sum of term(i) (-u)^i, by Horner's rule."""
    total = np.zeros_like(u)
    for i in reversed(range(_TERMS)):
        total *= -u
        total += term(i)
    return total


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return above/below, 0 where below is 0."""
    return np.divide(above, below, out=np.zeros(np.shape(above)), where=below > 0)
