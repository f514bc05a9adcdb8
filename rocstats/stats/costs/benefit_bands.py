"""Simultaneous bands of net benefits: their MOVER limits with a larger quantile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.comparison.simultaneous import correlation_root, largest_normal
from rocstats.stats.costs.net_benefit import Benefit
from rocstats.stats.influence.values import products
from rocstats.stats.resampling.streams import ResamplePlan, sup_quantile
from rocstats.stats.word import Word

# Draws of the largest of correlated normal variables: the error of the quantile of a 95% band is
# about 0.02 then, under 1 % of the width.
DRAWS = 10_000
# So few variables are integrated, in the time of the draws and without their error.
_INTEGRATED = 6

BAND = "mover-max-normal"
PRINTED = (
    Word(
        BAND,
        "limits by MOVER from counts, the normal quantile replaced by that of the largest of"
        " correlated normal variables with the correlation of influence values",
        ("zou-2008",),
        published=False,
    ),
)
"""The word for bands of net benefits."""


def benefit_band(
    benefits: Sequence[Benefit], confidence_level: float, draws: ResamplePlan
) -> Limits:
    """Return limits that hold at all risk thresholds together with the level."""
    influence = np.stack([benefit.influence for benefit in benefits])
    c = band_quantile(products(influence, influence), confidence_level, draws)
    low, high = ([benefit.limit(at) for benefit in benefits] for at in (-c, c))
    return np.array(low), np.array(high)


def band_quantile(covariance: FloatArray, level: float, draws: ResamplePlan) -> float:
    """Return the quantile of the largest absolute value of normal variables, each standardised.

    Variables without variance have no part; if none has any, the quantile is that of one variable.
    """
    varies = np.flatnonzero(np.diag(covariance) > 0)
    if not len(varies):
        return float(sp.ndtri((1 + level) / 2))
    kept = covariance[np.ix_(varies, varies)]
    if len(varies) <= _INTEGRATED:
        return largest_normal(kept, two_sided=True).quantile(level)
    root, rng = correlation_root(kept), draws.stream(3)
    largest = np.empty(draws.n_resamples)
    for part in draws.chunks(len(varies)):
        normal = rng.standard_normal((part.stop - part.start, root.shape[1]))
        largest[part] = np.abs(normal @ root.T).max(axis=1)
    return sup_quantile(largest, level)
