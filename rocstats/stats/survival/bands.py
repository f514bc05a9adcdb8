"""Bands of areas over several times, from the correlation of their influence values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.simultaneous import largest_normal
from rocstats.stats.influence.values import products
from rocstats.stats.survival.follow_up import FollowUp
from rocstats.stats.survival.status import Ratio
from rocstats.tolerances import NO_VARIANCE


def band_level(follow_up: FollowUp, areas: Sequence[Ratio], level: float) -> float:
    """Return the level of each interval at which all of them together are a simultaneous band.

    The quantile is that of the largest of correlated normal variables. An area without variance,
    whose limits are none of the normal ones, counts as independent.
    """
    if len(areas) == 1:
        return level
    units = follow_up.units(np.stack([area.influence for area in areas]))
    covariance = products(units, units)
    if not np.isfinite(covariance).all():  # a single cluster has no variance
        return level
    c = largest_normal(_cleared(covariance), two_sided=True).quantile(level)
    return float(1 - 2 * sp.ndtr(-c))


def _cleared(covariance: FloatArray) -> FloatArray:
    still = np.diag(covariance) <= NO_VARIANCE
    return np.where(still | still[:, np.newaxis], 0.0, covariance)
