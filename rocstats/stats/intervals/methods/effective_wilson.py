"""Wilson limits with an effective sample size: ours, simulated, not peer-reviewed.

An AUC behaves like a proportion of 1/V independent pairs. V is the sum of the correlations of pairs
with a case in common, over the class sizes; each correlation is shrunk towards a prior one.
"""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.influence.areas import satterthwaite
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.score import TAKES_ONE_WHOLE_AREA
from rocstats.stats.intervals.record import AreaInterval, Refusal

# docs/methods/effective-size.md, "Recipe of the effective sample size", derives the constants.
# Uniform placements have the correlation 1/3 at an area of 1/2: 2/3 of half the cases.
_PRIOR = 2 / 3
# Half of the Hodges-Lehmann minimax prior of a proportion of H pairs: sqrt(1/H)/8.
_WEIGHT = 1 / 8
# The prior is worth this many degrees of freedom in each class: a flat optimum from 7 to 11.
_PRIOR_DF = 8


class EffectiveWilson:
    """Roots of (A - theta)^2 = q^2 V theta (1 - theta), V one over the effective sample size."""

    def df(self, area: Area) -> float:
        """Return Satterthwaite's degrees of freedom of V, the prior's included."""
        spread = area.parts
        # Clusters, not the cases that they are worth; in a range, the cases expected in it.
        units = np.minimum((area.n_pos, area.n_neg), (spread.n_pos, spread.n_neg))
        return satterthwaite(variance_shares(area), units - 1 + _PRIOR_DF)

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        a, k = area.value, quantile**2 * float(np.sum(variance_shares(area)))
        # The quadratic has the root 1 exactly, which rounding misses.
        if (a == 1 and quantile > 0) or (a == 0 and quantile < 0):
            return a
        # (1 + k) theta^2 - (2 a + k) theta + a^2 = 0: Wilson's (1927) equation with 1/n = V.
        root = np.sqrt(k * a * (1 - a) + k**2 / 4)
        return float((a + k / 2 + np.sign(quantile) * root) / (1 + k))

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        share = float(np.sum(variance_shares(area)))
        return float((area.value - null_value) / np.sqrt(share * null_value * (1 - null_value)))


def variance_shares(area: Area) -> FloatArray:
    """Return the parts of V that positives and negatives carry: (v + e p) / (A(1 - A) + e).

    v are the parts of DeLong's variance, p those of the prior: (2/3) n/(m (m + n)) and its mirror.
    """
    spread = area.parts
    m, n = spread.n_pos, spread.n_neg
    # The smaller class carries the uncertainty: its prior correlation has the larger class's share.
    prior = _PRIOR / (m + n) * np.array([n / m, m / n])
    if area.variance == 0:  # placements do not vary: the data say nothing of the correlations
        return prior
    # The correlations come from some 4 A(1 - A) H discordant cases, H the harmonic mean of m and n:
    # a weight that falls as 1/sqrt(H) still counts near 1 in large samples.
    weight = _WEIGHT * np.sqrt((1 / m + 1 / n) / 2)
    parts = np.array([spread.variance_pos, spread.variance_neg])
    return np.asarray((parts + weight * prior) / (area.value * (1 - area.value) + weight))


def _fails(area: Area) -> bool:
    """Return whether a class has one case, so that DeLong's variance has no parts."""
    return bool(np.isnan(area.variance))


EFFECTIVE_WILSON = AreaInterval(
    "effective-wilson",
    "by the method of Wilson with an effective sample size and quantiles of the t distribution",
    EffectiveWilson(),
    fails=_fails,
    variances=("delong",),
    needs_spread=True,
    refuses={
        "folds": TAKES_ONE_WHOLE_AREA["folds"],
        "clustered-partial": Refusal(
            "must rest on a variance or on resamples for a partial area of a study with clusters"
        ),
    },
    published=False,
)
