"""Sensitivities of predictors at false positive rates, and their differences, from resamples.

The threshold of a rate is estimated with the curve, so that the curve is read in each resample. A
specificity at a sensitivity is a sensitivity at a false positive rate of the curve with the classes
exchanged. Limits of differences are MOVER's on Wilson limits of effective size [zou-2008].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.estimate.bars import ClusterUnits, cluster_units
from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.compare import PairToCompare
from rocstats.estimate.estimate import Result, result_without_variance
from rocstats.estimate.proportions import (
    effective_wilson_limit,
    mover_limit,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import limits_at_both_quantiles
from rocstats.estimate.resample import ResamplePlan, enough_valid_resamples
from rocstats.estimate.resample_curves import fixed_fpr_draws, tpr_at_fpr
from rocstats.estimate.shares import quantile_stretch_for_clusters
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import clear_rounding
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_sizes

# --- Rates of all predictors of a group -----------------------------------------------------------


def resampled_tprs_of_pair(
    pair: PairToCompare,
    fpr: FloatArray,
    draws: ResamplePlan,
    resampled: dict[int, RatesAtFpr],
    *,
    mirrored: bool,
) -> tuple[RatesAtFpr, RatesAtFpr]:
    """Return the rates of both; ``resampled`` caches those of each group."""
    # All predictors of a group share its resamples, from a stream keyed by the group: pairs keep
    # their correlation, and groups are independent.
    for g, part in zip(pair.groups, pair.samples, strict=True):
        if g not in resampled:
            cases = part.cases.exchanged() if mirrored else part.cases
            with enough_valid_resamples():
                resampled[g] = _rates_at_fpr(cases, fpr, draws.at(g))
    first, second = pair.groups
    return resampled[first], resampled[second]


def tpr_differences_of_pair(pair: PairToCompare, fpr: FloatArray, *, mirrored: bool) -> FloatArray:
    """Return the difference of both rates at false positive rates."""
    first, second = (
        tpr_at_fpr(part.cases.exchanged() if mirrored else part.cases, [k], fpr)[0]
        for part, k in zip(pair.samples, pair.predictors, strict=True)
    )
    return np.asarray(first - second)


def _rates_at_fpr(sample: ScoredCases, fpr: FloatArray, plan: ResamplePlan) -> RatesAtFpr:
    """Return the TPRs of all predictors of a sample at false positive rates."""
    everyone = range(sample.n_predictors)
    drawn = fixed_fpr_draws(sample, everyone, fpr, plan)
    value = tpr_at_fpr(sample, everyone, fpr)
    n_units, unequal = float(sample.n_pos), None
    if sample.cluster is not None:
        # The threshold of a false positive rate is read from the negatives: both classes count.
        units = cluster_units(cluster_sizes(sample))
        n_units, unequal = float(units.effective[1]), units if units.unequal else None
    return RatesAtFpr(value, drawn.values, sample.n_pos, n_units, unequal, drawn.n_redrawn)


class RatesAtFpr(NamedTuple):
    """TPRs of k predictors at g false positive rates with their resamples (k, g, resamples)."""

    value: FloatArray
    draws: FloatArray
    n_pos: float
    n_units: float
    unequal: ClusterUnits | None
    n_redrawn: int

    def rate(self, k: int, place: int) -> ResampledRate:
        """Return one rate; where resamples do not vary, a cluster counts once."""
        draws = self.draws[k, place]
        size = self.n_pos if np.ptp(draws) > 0 else self.n_units
        return ResampledRate(float(self.value[k, place]), draws, size, self.unequal)


# --- Difference of two rates ----------------------------------------------------------------------


def resampled_difference(
    first: ResampledRate, second: ResampledRate, plan: HypothesisPlan, *, paired: bool
) -> Result:
    """Return a difference of resampled rates: MOVER on Wilson limits of effective size."""
    estimate = first.value - second.value
    v1, v2 = first.variance, second.variance
    variance = v1 + v2
    if paired:
        variance = clear_rounding(float(np.var(first.draws - second.draws, ddof=1)), v1 + v2)
    scale = float(np.sqrt(v1 * v2))
    # var(D) = v1 + v2 - 2 phi sqrt(v1 v2), solved for phi.
    correlation = (v1 + v2 - variance) / (2 * scale) if paired and scale > 0 else 0.0
    if variance == 0 and v1 + v2 > 0:  # both move together in every resample
        return result_without_variance(estimate, 0.0, plan)

    def reach(rate: ResampledRate, at: float) -> float:
        longer = at * quantile_stretch_for_clusters(rate.unequal, at)
        limit = effective_wilson_limit(rate.value, rate.size, rate.variance, longer)
        return limit - rate.value

    def limit(at: float) -> float:
        return mover_limit(estimate, reach(first, at), reach(second, -at), correlation, at)

    low, high = limits_at_both_quantiles(limit, plan.confidence_level, plan.alternative)
    z, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, estimate, null)
    )
    se = float(np.sqrt(variance))
    return Result(estimate, se, low, high, z, np.inf, p, "resamples/wilson-mover")


@dataclass(frozen=True, eq=False)
class ResampledRate:
    """A rate with its resamples; ``size`` is the number of independent cases behind it.

    Limits allow for ``unequal`` clusters.
    """

    value: float
    draws: FloatArray
    size: float
    unequal: ClusterUnits | None = None

    @cached_property
    def variance(self) -> float:
        """Variance over the resamples."""
        return clear_rounding(float(np.var(self.draws, ddof=1)))
