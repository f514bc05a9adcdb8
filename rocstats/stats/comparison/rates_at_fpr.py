"""Sensitivities at given false positive rates, and their differences, from resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.comparison.hypotheses import HypothesisPlan, hardest_test
from rocstats.stats.comparison.point_tests import PointComparison, without_variance
from rocstats.stats.intervals.quantiles import limits_between
from rocstats.stats.intervals.rates.mover import (
    effective_wilson_limit,
    inverted_statistic,
    mover_limit,
)
from rocstats.stats.resampling.curves.fixed_fpr import fixed_fpr_draws, tpr_at_fpr
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import cleared


@dataclass(frozen=True, eq=False)
class ResampledRate:
    """A rate with its resamples; ``size`` is the number of independent cases behind it."""

    value: float
    draws: FloatArray
    size: float

    @cached_property
    def variance(self) -> float:
        """Variance over the resamples."""
        return cleared(float(np.var(self.draws, ddof=1)))


def resampled_difference(
    first: ResampledRate, second: ResampledRate, plan: HypothesisPlan, *, paired: bool
) -> PointComparison:
    """Return a difference of resampled rates: MOVER on Wilson limits of effective size."""
    estimate = first.value - second.value
    v1, v2 = first.variance, second.variance
    variance = v1 + v2
    if paired:
        variance = cleared(float(np.var(first.draws - second.draws, ddof=1)), v1 + v2)
    scale = float(np.sqrt(v1 * v2))
    # var(D) = v1 + v2 - 2 phi sqrt(v1 v2), solved for phi.
    correlation = (v1 + v2 - variance) / (2 * scale) if paired and scale > 0 else 0.0
    if variance == 0 and v1 + v2 > 0:  # both move together in every resample
        return without_variance(estimate, 0.0, plan)

    def reach(rate: ResampledRate, at: float) -> float:
        limit = effective_wilson_limit(rate.value, rate.size, rate.variance, at)
        return limit - rate.value

    def limit(at: float) -> float:
        return mover_limit(estimate, reach(first, at), reach(second, -at), correlation, at)

    low, high = limits_between(limit, plan.confidence_level, plan.alternative)
    z, p = hardest_test(plan, lambda null: inverted_statistic(limit, estimate, null))
    se = float(np.sqrt(variance))
    return PointComparison(estimate, se, low, high, z, np.inf, p, "resamples/wilson-mover")


class RatesAtFpr(NamedTuple):
    """TPRs of k predictors at g false positive rates with their resamples (k, g, resamples)."""

    value: FloatArray
    draws: FloatArray
    n_pos: float
    n_units: float
    n_redrawn: int

    def rate(self, k: int, place: int) -> ResampledRate:
        """Return one rate; where resamples do not vary, a cluster counts once."""
        draws = self.draws[k, place]
        size = self.n_pos if np.ptp(draws) > 0 else self.n_units
        return ResampledRate(float(self.value[k, place]), draws, size)


def rates_at_fpr(sample: ScoredCases, fpr: FloatArray, plan: ResamplePlan) -> RatesAtFpr:
    """Return the TPRs of all predictors of a sample at false positive rates."""
    everyone = range(sample.n_predictors)
    drawn = fixed_fpr_draws(sample, everyone, fpr, plan)
    n_units = sample.n_pos if sample.cluster is None else float(cluster_numbers(sample)[0])
    value = tpr_at_fpr(sample, everyone, fpr)
    return RatesAtFpr(value, drawn.values, sample.n_pos, n_units, drawn.n_redrawn)


def compare_rates(
    first: RatesAtFpr, second: RatesAtFpr, k: Sequence[int], plan: HypothesisPlan, *, paired: bool
) -> list[PointComparison]:
    """Return the difference of predictors ``k`` (of first and second) at each rate."""
    return [
        resampled_difference(first.rate(k[0], place), second.rate(k[1], place), plan, paired=paired)
        for place in range(first.value.shape[1])
    ]
