"""Differences of two estimates on the same patients, with limits and test."""

from __future__ import annotations

import numpy as np

from rocstats.stats.calibration.results import normal_result
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.point_tests import PointComparison, undefined, without_variance
from rocstats.stats.survival.areas import variance_of
from rocstats.stats.survival.follow_up import FollowUp
from rocstats.stats.survival.status import Ratio


def difference(
    follow_up: FollowUp,
    first: Ratio,
    second: Ratio,
    plan: HypothesisPlan,
    word: str,
    *,
    unbiased: bool = True,
) -> PointComparison:
    """Return the first estimate minus the second, from the differences of influence values."""
    value = first.value - second.value
    # Not a sum of variances less twice the covariance, which cancels for predictors nearly alike.
    variance = variance_of(follow_up, first.influence - second.influence, unbiased=unbiased)
    if np.isnan(variance):
        return undefined("few-clusters", value)
    if variance == 0:
        return without_variance(value, 0.0, plan)
    return normal_result(value, float(np.sqrt(variance)), plan, word, (-1.0, 1.0))
