"""The closed-form intervals of an area for thousands of data sets at once.

The same formulas as the package's, on arrays; tests/simulations/coverage/test_heldout.py compares
the two. Placements are counted in whole numbers, so a variance of 0 is exactly 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri
from scipy.stats import t as t_law

from rocstats.facts.arrays import FloatArray

IntArray = npt.NDArray[np.int64]

LEVEL = 0.95
_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class AreaBatch:
    """Areas of many data sets of the same size, with the two parts of DeLong's variances.

    ``wins`` are the areas times 2 ``n_pos`` ``n_neg``, which are whole numbers.
    """

    n_pos: int
    n_neg: int
    wins: IntArray
    part_pos: FloatArray
    part_neg: FloatArray
    level: float = LEVEL

    @property
    def tail(self) -> float:
        """Probability under the upper limit's quantile."""
        return (1 + self.level) / 2

    @cached_property
    def value(self) -> FloatArray:
        """Areas."""
        return self.wins / (2 * self.n_pos * self.n_neg)

    @cached_property
    def variance(self) -> FloatArray:
        """DeLong's variances."""
        return self.part_pos + self.part_neg

    @cached_property
    def varies(self) -> npt.NDArray[np.bool_]:
        """Whether the variance is above 0."""
        return self.variance > 0

    @cached_property
    def newcombe_limits(self) -> FloatArray:
        """Newcombe's limits of method 5, found once for each area that occurs."""
        wins, place = np.unique(self.wins, return_inverse=True)
        value = wins / (2 * self.n_pos * self.n_neg)
        z2 = ndtri(self.tail) ** 2
        low = _newcombe_low(value, self.n_pos, self.n_neg, z2)
        high = 1 - _newcombe_low(1 - value, self.n_neg, self.n_pos, z2)
        return np.stack([low, high], axis=1)[place]


def areas_of(scores: FloatArray, n_pos: int, level: float = LEVEL) -> AreaBatch:
    """Return the areas of the rows of ``scores``, whose first ``n_pos`` columns are positives."""
    n_neg = scores.shape[1] - n_pos
    order = np.argsort(scores, axis=1)
    first, last = _ties(np.take_along_axis(scores, order, axis=1))
    is_pos = order < n_pos
    # Twice the placement of a case: cases of the other class below it and at or below it.
    twice_pos = _below_and_upto(~is_pos, first, last) * is_pos
    twice_neg = (2 * n_pos - _below_and_upto(is_pos, first, last)) * ~is_pos
    return AreaBatch(
        n_pos,
        n_neg,
        twice_pos.sum(axis=1),
        _part(twice_pos, n_pos, 2 * n_neg),
        _part(twice_neg, n_neg, 2 * n_pos),
        level,
    )


def _ties(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """Return where the run of equal scores of each sorted case begins, and where it ends."""
    place = np.arange(ordered.shape[1])
    edge = np.ones((len(ordered), 1), dtype=bool)
    new = ordered[:, 1:] != ordered[:, :-1]
    begins = np.where(np.hstack([edge, new]), place, 0)
    ends = np.where(np.hstack([new, edge]), place + 1, ordered.shape[1])
    first = np.maximum.accumulate(begins, axis=1)
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return first, last


def _below_and_upto(counted: npt.NDArray[np.bool_], first: IntArray, last: IntArray) -> IntArray:
    total = np.zeros((counted.shape[0], counted.shape[1] + 1), dtype=np.int64)
    np.cumsum(counted, axis=1, out=total[:, 1:])
    upto = np.take_along_axis(total, last, axis=1)
    return np.asarray(np.take_along_axis(total, first, axis=1) + upto)


def _part(twice: IntArray, size: int, scale: int) -> FloatArray:
    """Return the variance of the mean of ``size`` placements, each times ``scale`` in ``twice``."""
    squares = size * (twice**2).sum(axis=1) - twice.sum(axis=1) ** 2
    return np.asarray(squares / (size**2 * (size - 1) * scale**2))


def newcombe(areas: AreaBatch) -> FloatArray:
    """Return Newcombe's limits of method 5."""
    return areas.newcombe_limits


def _newcombe_low(value: FloatArray, m: int, n: int, z2: float) -> FloatArray:
    """Return the root of (A - theta)^2 = z^2 v(theta) below A by halving, 0 where A is 0."""
    low, high = np.zeros_like(value), value.copy()
    half = (m + n) / 2 - 1
    for _ in range(_HALVINGS):
        theta = (low + high) / 2
        inner = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        share = z2 * inner / (m * n)
        # At an area of 1 both sides are divided by 1 - theta, freed of the root 1.
        excess = np.where(
            value < 1,
            (value - theta) ** 2 - share * theta * (1 - theta),
            (1 - theta) - share * theta,
        )
        low, high = np.where(excess > 0, theta, low), np.where(excess > 0, high, theta)
    return (low + high) / 2


def wald(areas: AreaBatch) -> FloatArray:
    """Return Wald limits, Newcombe's without a variance."""
    step = ndtri(areas.tail) * np.sqrt(areas.variance)
    return _or_newcombe(areas, areas.value - step, areas.value + step)


def _quantile(df: FloatArray, p: float) -> FloatArray:
    """Return quantiles of t: one Newton step, as older SciPy inverts t to nine digits only."""
    rough = t_law.ppf(p, df)
    return np.asarray(rough - (t_law.cdf(rough, df) - p) / t_law.pdf(rough, df))


def on_logits(areas: AreaBatch, *, student: bool) -> FloatArray:
    """Return limits on the logit scale by z or t, Newcombe's without a variance."""
    inside = np.where(areas.varies, areas.value, 0.5)
    df = _satterthwaite(areas, areas.part_pos, areas.part_neg, -1)
    q = _quantile(df, areas.tail) if student else ndtri(areas.tail)
    step = q * np.sqrt(areas.variance) / (inside * (1 - inside))
    return _or_newcombe(areas, expit(logit(inside) - step), expit(logit(inside) + step))


def _or_newcombe(areas: AreaBatch, low: FloatArray, high: FloatArray) -> FloatArray:
    limits = np.clip(np.stack([low, high], axis=1), 0.0, 1.0)
    return np.where(areas.varies[:, np.newaxis], limits, newcombe(areas))


def _satterthwaite(areas: AreaBatch, pos: FloatArray, neg: FloatArray, more: float) -> FloatArray:
    """Return degrees of freedom of the sum of two parts; 1 where both are 0, which none uses."""
    below = pos**2 / (areas.n_pos + more) + neg**2 / (areas.n_neg + more)
    safe = np.where(below > 0, below, 1.0)
    return np.asarray(np.where(below > 0, (pos + neg) ** 2 / safe, 1.0))


def effective_wilson(areas: AreaBatch) -> FloatArray:
    """Return Wilson limits at the effective sample size."""
    m, n, a = areas.n_pos, areas.n_neg, areas.value
    e = np.sqrt((1 / m + 1 / n) / 2) / 8
    # Correlations of pairs with a positive, and with a negative, in common
    # (docs/methods/effective-size.md, "Recipe of the effective sample size").
    prior = 2 * n / (3 * (m + n)), 2 * m / (3 * (m + n))
    of_data = (m * areas.part_pos, n * areas.part_neg)
    r10, r01 = (
        np.where(areas.varies, (s + e * p) / (a * (1 - a) + e), p)
        for s, p in zip(of_data, prior, strict=True)
    )
    df = _satterthwaite(areas, r10 / m, r01 / n, 7)
    k = _quantile(df, areas.tail) ** 2 * (r10 / m + r01 / n)
    root = np.sqrt(k * a * (1 - a) + k**2 / 4)
    low = np.where(a == 0, 0.0, (a + k / 2 - root) / (1 + k))
    high = np.where(a == 1, 1.0, (a + k / 2 + root) / (1 + k))
    return np.stack([low, high], axis=1)


METHODS: dict[str, Callable[[AreaBatch], FloatArray]] = {
    "logit": lambda areas: on_logits(areas, student=False),
    "logit-t": lambda areas: on_logits(areas, student=True),
    "newcombe": newcombe,
    "wald": wald,
    "effective-wilson": effective_wilson,
}
"""The closed-form intervals with DeLong's variance, by their names in ``Study.auc``."""
