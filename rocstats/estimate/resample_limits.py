"""Limits and the test of one value from its resamples: percentiles, bias-corrected or plain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.estimate import Result
from rocstats.estimate.intervals import PercentileLimits, median_bias
from rocstats.estimate.quantiles import limits_at_both_quantiles
from rocstats.estimate.resample_statistics import Jackknife, jackknife_acceleration
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import MOST_UNDEFINED, NO_SPREAD


def resampled_result(
    values: Sequence[FloatArray],
    deleted: Jackknife | None,
    tested: HypothesisPlan,
    ends: tuple[float, float] = (-np.inf, np.inf),
) -> Result:
    """Return a value with standard error, limits and test, or without where there are none.

    ``values`` are those of all cases, of resamples, and, for BCa limits, without each unit. BCa
    ranks are Phi(z0 + (z0 + z)/(1 - a (z0 + z))) of the resampled values [efron-1987]; the test
    inverts the limits. Up to 5% of the resamples may be NaN. A null value of NaN is not tested.
    """
    estimate, draws = float(values[0]), values[1][~np.isnan(values[1])]
    n_undefined = len(values[1]) - len(draws)
    codes = [f"undefined-resamples={n_undefined}"] if n_undefined else []
    if n_undefined > MOST_UNDEFINED * len(values[1]):
        return Result(estimate, codes=tuple(codes))
    with np.errstate(invalid="ignore"):  # infinite draws have no differences
        if np.ptp(draws) < NO_SPREAD:
            return Result(estimate, codes=("no-resampled-spread", *codes))
        method, word = PercentileLimits(np.sort(draws)), "percentile"
        if deleted is not None:
            z0, a = median_bias(draws, estimate), jackknife_acceleration(values[2], deleted)
            if np.isfinite([z0, a]).all():
                method, word = replace(method, z0=z0, a=a), "bca"
            else:
                codes = ["no-acceleration" if np.isfinite(z0) else "infinite-bias", *codes]
        # At levels near 0 the ranks of both limits may cross.
        low, high = sorted(
            limits_at_both_quantiles(
                method.draw_at, tested.confidence_level, tested.alternative, *ends
            )
        )
        z, p = hypothesis_test_with_largest_p(
            tested, lambda null: math.nan if math.isnan(null) else float(method.z_of(null))
        )
        se = float(np.std(draws, ddof=1))
    df = math.nan if math.isnan(z) else math.inf
    return Result(estimate, se, low, high, z, df, p, f"resamples/{word}", tuple(codes))
