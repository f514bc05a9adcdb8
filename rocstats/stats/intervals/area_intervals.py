"""Confidence limits and tests for one area: every interval is the inversion of its test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import scipy.special as sp

from rocstats.stats.areas.variances import hanley_mcneil

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class Spread:
    """What the effective-sample-size intervals know besides: sizes and parts of the variance.

    ``n_pos`` and ``n_neg`` are effective numbers of cases; ``variance_pos`` and ``variance_neg``
    the parts of the variance that positives and negatives carry; ``df`` replaces their
    Satterthwaite degrees of freedom where it is given (clusters).
    """

    n_pos: float
    n_neg: float
    variance_pos: float
    variance_neg: float
    df: float | None = None


@dataclass(frozen=True)
class Area:
    """What an interval needs to know of an area in [0, 1].

    ``n_pos`` and ``n_neg`` are numbers of independent units (cases, or clusters with the class);
    ``n_pairs`` the largest number of positive-negative pairs that share none of them.
    """

    value: float
    variance: float
    df: float
    n_pos: float
    n_neg: float
    n_pairs: float
    spread: Spread | None = None

    @property
    def at_boundary(self) -> bool:
        """Whether every pair, or none, is ranked right."""
        return self.value in (0.0, 1.0)


class IntervalMethod(Protocol):
    """A limit for a quantile (negative: lower limit), and the statistic it is the inversion of."""

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        ...

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        ...

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        ...


@dataclass(frozen=True)
class Transformed:
    """Normal (or t) limits on a scale g: g(A) + q se g'(A), taken back."""

    forward: Callable[[float], Any]
    slope: Callable[[float], float]
    back: Callable[[float], Any]
    student: bool = False

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        return area.df if self.student else np.inf

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        step = quantile * np.sqrt(area.variance) * self.slope(area.value)
        return float(np.clip(self.back(self.forward(area.value) + step), 0.0, 1.0))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        distance = self.forward(area.value) - self.forward(null_value)
        return float(distance / (np.sqrt(area.variance) * self.slope(area.value)))


class Normal:
    """A method whose reference distribution is the normal."""

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution: infinite."""
        return np.inf


@dataclass(frozen=True)
class Score(Normal):
    """Score limits: the roots of (A - theta)^2 = z^2 v(theta), the variance taken at the limit."""

    variance: Callable[[float, float, float], float]

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        if quantile > 0:  # the mirror image: both classes trade places
            mirror = Area(1 - area.value, 0.0, area.df, area.n_neg, area.n_pos, area.n_pairs)
            return 1 - self.limit(mirror, -quantile)
        return self._lower(area, quantile**2)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        distance = area.value - null_value
        return float(distance / np.sqrt(self.variance(null_value, area.n_pos, area.n_neg)))

    def _lower(self, area: Area, z2: float) -> float:
        from scipy.optimize import brentq

        if area.value == 0:
            return 0.0

        def excess(theta: float) -> float:
            """Return (A - theta)^2 - z^2 v(theta), freed of the trivial root 1 when A is 1."""
            if area.value < 1:
                return (area.value - theta) ** 2 - z2 * self.variance(theta, area.n_pos, area.n_neg)
            return (1 - theta) - z2 * self.variance(theta, area.n_pos, area.n_neg) / (1 - theta)

        highest = area.value if area.value < 1 else 1 - 1e-12
        return float(brentq(excess, 0.0, highest, xtol=1e-15, rtol=1e-14))


@dataclass(frozen=True)
class Exact(Normal):
    """Logit limits inside (0, 1); at 0 and 1 the distribution-free bound.

    When all pairs are ranked right, so are ``n_pairs`` independent ones: P <= theta^n_pairs.
    """

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        if not area.at_boundary:
            return INTERVALS["logit"].limit(area, quantile)
        if area.value == 1:
            return float(sp.ndtr(quantile) ** (1 / area.n_pairs)) if quantile < 0 else 1.0
        return float(1 - sp.ndtr(-quantile) ** (1 / area.n_pairs)) if quantile > 0 else 0.0

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        if not area.at_boundary:
            return INTERVALS["logit"].statistic(area, null_value)
        if area.value == 1:
            return float(-sp.ndtri(null_value**area.n_pairs))
        return float(sp.ndtri((1 - null_value) ** area.n_pairs))


def newcombe_variance(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Newcombe's (2006) method 5: Hanley-McNeil made symmetric."""
    half = (n_pos + n_neg) / 2 - 1
    inner = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return theta * (1 - theta) * inner / (n_pos * n_neg)


def _identity(x: float) -> float:
    return x


INTERVALS: dict[str, IntervalMethod] = {
    "logit": Transformed(sp.logit, lambda a: 1 / (a * (1 - a)), sp.expit),
    "wald": Transformed(_identity, lambda a: 1.0, _identity),
    "probit": Transformed(
        sp.ndtri, lambda a: float(np.sqrt(2 * np.pi) * np.exp(sp.ndtri(a) ** 2 / 2)), sp.ndtr
    ),
    "logit-t": Transformed(sp.logit, lambda a: 1 / (a * (1 - a)), sp.expit, student=True),
    "newcombe": Score(newcombe_variance),
    "hanley-mcneil-score": Score(hanley_mcneil),
    "exact": Exact(),
}


def limits(
    method: IntervalMethod, area: Area, confidence_level: float, alternative: Alternative
) -> tuple[float, float]:
    """Return both limits; a one-sided alternative moves the other one to the end of the range."""
    tail = (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
    q = quantile(1 - tail, method.df(area))
    low = 0.0 if alternative == "less" else method.limit(area, -q)
    high = 1.0 if alternative == "greater" else method.limit(area, q)
    return low, high


def quantile(p: float, df: float) -> float:
    """Return a quantile of t with ``df`` degrees of freedom (normal when infinite)."""
    if np.isinf(df):
        return float(sp.ndtri(p))
    t = float(sp.stdtrit(df, p))
    # Older SciPy inverts t to nine digits only: one Newton step gives the others.
    log_density = sp.gammaln((df + 1) / 2) - sp.gammaln(df / 2) - np.log(df * np.pi) / 2
    density = np.exp(log_density - (df + 1) / 2 * np.log1p(t**2 / df))
    return t - float((sp.stdtr(df, t) - p) / density)


def p_value(statistic: float, df: float, alternative: Alternative) -> float:
    """Return the p value of a t statistic (z when ``df`` is infinite)."""

    def upper(x: float) -> float:
        return float(sp.ndtr(-x) if np.isinf(df) else sp.stdtr(df, -x))

    if np.isnan(statistic):
        return float("nan")
    if alternative == "greater":
        return upper(statistic)
    if alternative == "less":
        return upper(-statistic)
    return min(1.0, 2 * upper(abs(statistic)))
