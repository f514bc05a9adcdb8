"""The scale on which estimates are nearer to normal, and equality of estimates on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray


class Scale(NamedTuple):
    """A scale of estimates: its word, its rising function, the slope of it, and the way back."""

    word: str
    forward: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    back: Callable[[Any], Any]

    def between(self, low: float, high: float) -> Scale:
        """Return the scale of a quantity that has a part of [0, 1], moved and stretched."""
        width = high - low
        return Scale(
            self.word,
            lambda x: self.forward((x - low) / width),
            lambda x: self.slope((x - low) / width) / width,
            lambda v: low + width * self.back(v),
        )


def _slope_of_probit(x: Any) -> Any:
    # 1/phi(Phi^-1(x)), the derivative of the probit.
    return np.sqrt(2 * np.pi) * np.exp(sp.ndtri(x) ** 2 / 2)


def _back_of_reciprocal(v: Any) -> Any:
    # An index of 0 or below is a number of infinity.
    return np.divide(-1.0, v, out=np.full(np.shape(v), np.inf), where=np.less(v, 0))


IDENTITY = Scale("wald", lambda x: x, np.ones_like, lambda x: x)
LOGIT = Scale("logit", sp.logit, lambda x: 1 / (x * (1 - x)), sp.expit)
PROBIT = Scale("probit", sp.ndtri, _slope_of_probit, sp.ndtr)
LOG = Scale("log", np.log, lambda x: 1 / x, np.exp)
FISHER = Scale("fisher", np.arctanh, lambda x: 1 / (1 - x**2), np.tanh)
RECIPROCAL = Scale("reciprocal", lambda x: -1 / x, lambda x: 1 / x**2, _back_of_reciprocal)
SCALES = {scale.word: scale for scale in (IDENTITY, LOGIT, PROBIT, LOG, FISHER, RECIPROCAL)}


class EqualityTest(NamedTuple):
    """Welch's F; with infinite ``df``, the statistic times ``df_numerator`` is Cochran's Q."""

    statistic: float
    df_numerator: float
    df: float
    p_value: float


def equal_on_scale(
    scale: Scale, estimate: FloatArray, se: FloatArray, df: FloatArray
) -> EqualityTest:
    """Return Welch's test of "independent estimates are equal" on a scale (Welch 1951).

    ``df`` are the degrees of freedom of each variance, infinite where they are as if known. All but
    ``df_numerator`` is NaN where an estimate is at an end of the scale or has no standard error.
    """
    nan, k = float("nan"), len(estimate)
    with np.errstate(divide="ignore", invalid="ignore"):
        values, errors = scale.forward(estimate), se * scale.slope(estimate)
    if k < 2 or not np.all(np.isfinite(values) & np.isfinite(errors) & (errors > 0)):
        return EqualityTest(nan, k - 1.0, nan, nan)
    weights = errors**-2.0
    shares = weights / weights.sum()
    q = float(np.dot(weights, (values - np.dot(shares, values)) ** 2))
    # Weights that vary from sample to sample make Q larger than chi-square, by this to first order.
    spread = float(np.sum((1 - shares) ** 2 / df)) / (k**2 - 1)
    f = q / (k - 1) / (1 + 2 * (k - 2) * spread)
    if not spread > 0:
        return EqualityTest(f, k - 1.0, np.inf, float(sp.chdtrc(k - 1.0, q)))
    below = 1 / (3 * spread)
    return EqualityTest(f, k - 1.0, below, float(sp.fdtrc(k - 1.0, below, f)))
