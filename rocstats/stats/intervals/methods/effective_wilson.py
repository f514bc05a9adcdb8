"""Wilson limits with an effective sample size: ours, simulated, not peer-reviewed.

An AUC behaves like a proportion of n_eff = A(1 - A)/v independent pairs. Half a pseudo-observation
of a prior variance keeps n_eff finite where few pairs are discordant. The variance is evaluated at
the limit, as in Wilson's interval.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.stats.intervals.area import Area, Spread
from rocstats.stats.intervals.methods.score import TAKES_ONE_WHOLE_AREA
from rocstats.stats.intervals.record import AreaInterval


class EffectiveWilson(NamedTuple):
    """Roots of (A - theta)^2 = q^2 V theta (1 - theta), V one over the effective sample size."""

    student: bool = False

    def df(self, area: Area) -> float:
        """Return the degrees of freedom; infinite for the normal form."""
        spread = _spread(area)
        if not self.student:
            return np.inf
        if spread.df is not None:
            return spread.df
        # Satterthwaite's df of v + eps V0, split into the parts a and b of the two classes
        # (docs/methods/effective-size.md, "Recipe of the effective sample size").
        m, n = spread.n_pos, spread.n_neg
        weight = _weight(spread) / (2 * m * n * (m + n))
        a = spread.variance_pos + weight * (n**2 + m)
        b = spread.variance_neg + weight * (m**2 + n)
        return (a + b) ** 2 / (a**2 / (m - 1) + b**2 / (n - 1))

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        a, k = area.value, quantile**2 * variance_share(area)
        # The quadratic has the root 1 exactly, which rounding misses.
        if (a == 1 and quantile > 0) or (a == 0 and quantile < 0):
            return a
        # (1 + k) theta^2 - (2 a + k) theta + a^2 = 0: Wilson's (1927) equation with 1/n = V.
        root = np.sqrt(k * a * (1 - a) + k**2 / 4)
        return float((a + k / 2 + np.sign(quantile) * root) / (1 + k))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        spread = np.sqrt(variance_share(area) * null_value * (1 - null_value))
        return float((area.value - null_value) / spread)


def variance_share(area: Area) -> float:
    """Return V = 1/n_eff = (v + eps V0) / (A(1 - A) + eps); V0 where v is 0."""
    spread = _spread(area)
    m, n, eps = spread.n_pos, spread.n_neg, _weight(spread)
    # V0 of pair correlations n/(2N) and m/(2N): the smaller class carries the uncertainty.
    prior = (m**2 + n**2 + m + n) / (2 * m * n * (m + n))
    if area.variance == 0:  # placements do not vary: the data say nothing of n_eff
        return prior
    return (area.variance + eps * prior) / (area.value * (1 - area.value) + eps)


def _weight(spread: Spread) -> float:
    """Return eps, the weight of the prior: (1/m + 1/n)/2."""
    # Half a pseudo-observation of each class; vanishes in large samples.
    return (1 / spread.n_pos + 1 / spread.n_neg) / 2


def _spread(area: Area) -> Spread:
    if area.spread is None:
        raise ValueError("the effective sample size needs the parts of DeLong's variance")
    return area.spread


def _fails(area: Area) -> bool:
    """Return whether a class has one case, so that DeLong's variance has no parts."""
    return bool(np.isnan(area.variance))


EFFECTIVE_WILSON = AreaInterval(
    "effective-wilson",
    "by the method of Wilson with an effective sample size",
    EffectiveWilson(),
    fails=_fails,
    variances=("delong",),
    needs_spread=True,
    refuses=TAKES_ONE_WHOLE_AREA,
    published=False,
)
EFFECTIVE_WILSON_T = EFFECTIVE_WILSON._replace(
    word="effective-wilson-t",
    phrase=f"{EFFECTIVE_WILSON.phrase} and quantiles of the t distribution",
    method=EffectiveWilson(student=True),
)
