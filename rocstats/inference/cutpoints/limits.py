"""Limits of measures at a cutpoint, corrected for the optimism of its choice.

Optimism is the mean over resamples of a measure at the cutpoint of the resample, minus its value at
the same cutpoint in the sample. Corrected rates have Wilson limits, functions of both rates MOVER
limits, predictive values logit limits.
Derivations: docs/methods/points.md, "Best cutpoints".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.curves.criteria import Criterion
from rocstats.curves.roc import RocPoints
from rocstats.estimate.measure_limits import npv_limits, ppv_limits
from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.tables import (
    RateVariances,
    measure_slopes_in_rates,
    small_sample_factor_of_clusters,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import Cells, cells_at, measure, range_of
from rocstats.facts.tolerances import NO_SPREAD
from rocstats.inference.cutpoints.rule import CutpointDraws
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers

# --- Effective numbers of cases of both rates -----------------------------------------------------


class RateSizes(NamedTuple):
    """Effective numbers of cases of TPR and FPR, and the correlation of both rates."""

    n_pos: float
    n_neg: float
    correlation: float = 0.0


def effective_rate_sizes(cases: ScoredCases, k: int, vertex: int) -> RateSizes:
    """Return the effective numbers of cases at a vertex; those of the sample without clusters.

    Clusters: the ratio estimator, as in ``clustered_rate_variance``, and the covariance likewise; a
    class whose rate does not vary between its clusters, or that has one cluster, counts clusters.
    """
    if cases.cluster is None:
        return RateSizes(cases.n_pos, cases.n_neg)
    sums, rates = _rate_influence_by_cluster(cases, k, vertex)
    of_pos, of_neg, of_both = cluster_numbers(cases)
    variances = [
        float(small_sample_factor_of_clusters(n)) * float(s @ s)
        for n, s in zip((of_pos, of_neg), sums, strict=True)
    ]
    sizes = [
        rate * (1 - rate) / variance if variance > NO_SPREAD else n
        for rate, variance, n in zip(rates, variances, (of_pos, of_neg), strict=True)
    ]
    spread = float(np.sqrt(variances[0] * variances[1]))
    # Clusters with one class only have a part in one sum: their product is 0.
    covariance = float(small_sample_factor_of_clusters(of_both)) * float(sums[0] @ sums[1])
    correlation = covariance / spread if spread > NO_SPREAD else 0.0
    return RateSizes(sizes[0], sizes[1], float(np.clip(correlation, -1.0, 1.0)))


def _rate_influence_by_cluster(
    cases: ScoredCases, k: int, vertex: int
) -> tuple[list[FloatArray], list[float]]:
    """Return the influence on TPR and on FPR summed by cluster, and both rates."""
    cluster = cases.cluster.codes  # type: ignore[union-attr]
    called = cases.codes(k) < vertex
    frequency = np.ones(len(called)) if cases.frequency is None else cases.frequency
    sums, rates = [], []
    for member in (cases.is_positive, ~cases.is_positive):
        weight = np.where(member, frequency, 0.0) / frequency[member].sum()
        rate = float(weight @ called)
        sums.append(np.bincount(cluster, weight * (called - rate)).astype(np.float64))
        rates.append(rate)
    return sums, rates


# --- Limits of corrected rates, and of functions of both ------------------------------------------

# Half of the interval of the central differences: criteria are smooth between 0 and 1, with errors
# of about 1e-10 by curvature and 1e-11 by rounding.
_HALF_STEP = 1e-5


class CorrectedRates(NamedTuple):
    """Both rates corrected for optimism, their effective sizes, and the level of limits."""

    fpr: float
    tpr: float
    sizes: RateSizes
    confidence_level: float

    def limits(self, rate: float, size: float) -> tuple[float, float]:
        """Return Wilson's limits of a rate."""
        z = t_quantile((1 + self.confidence_level) / 2, np.inf)
        # Wilson's limits of 0 and of 1 miss them by rounding.
        low = 0.0 if rate == 0 else wilson_limit_of_proportion(rate * size, size, -z)
        return low, 1.0 if rate == 1 else wilson_limit_of_proportion(rate * size, size, z)

    def function_limits(
        self, value: Callable[[float, float], float]
    ) -> tuple[float, float, float, float]:
        """Return a function of FPR and TPR, its standard error and its limits (MOVER) [zou-2008].

        The distance to a limit is sqrt(a^2 + b^2 + 2 phi a b), a and b the changes of the function
        at the limits of each rate, phi their correlation.
        """
        of_tpr, of_fpr = (
            self.limits(rate, size)
            for rate, size in ((self.tpr, self.sizes.n_pos), (self.fpr, self.sizes.n_neg))
        )
        here = value(self.fpr, self.tpr)
        by_tpr = np.array([value(self.fpr, limit) for limit in of_tpr]) - here
        by_fpr = np.array([value(limit, self.tpr) for limit in of_fpr]) - here
        down = self._reach(np.minimum(by_tpr, 0), np.minimum(by_fpr, 0))
        up = self._reach(np.maximum(by_tpr, 0), np.maximum(by_fpr, 0))
        return here, self._se(value), here - down, here + up

    def _reach(self, by_tpr: FloatArray, by_fpr: FloatArray) -> float:
        """Return the distance to a limit from the changes at both limits of each rate."""
        i, j = int(np.argmax(np.abs(by_tpr))), int(np.argmax(np.abs(by_fpr)))
        a, b = abs(by_tpr[i]), abs(by_fpr[j])
        # Changes at limits on the same side of both rates go together if the rates do.
        together = self.sizes.correlation if i == j else -self.sizes.correlation
        return float(np.sqrt(max(a**2 + b**2 + 2 * together * a * b, 0.0)))

    def _se(self, value: Callable[[float, float], float]) -> float:
        """Return the standard error by the delta method, slopes by differences inside [0, 1]."""
        sds = [
            float(np.sqrt(rate * (1 - rate) / size))
            for rate, size in ((self.fpr, self.sizes.n_neg), (self.tpr, self.sizes.n_pos))
        ]
        slopes = []
        for axis in (0, 1):
            ends = []
            for step in (-_HALF_STEP, _HALF_STEP):
                point = [self.fpr, self.tpr]
                # One-sided at 0 and 1, outside of which criteria are not defined.
                point[axis] = float(np.clip(point[axis] + step, 0.0, 1.0))
                ends.append((point[axis], value(point[0], point[1])))
            slopes.append((ends[1][1] - ends[0][1]) / (ends[1][0] - ends[0][0]))
        a, b = (slope * sd for slope, sd in zip(slopes, sds, strict=True))
        return float(np.sqrt(max(a**2 + b**2 + 2 * self.sizes.correlation * a * b, 0.0)))


# --- Estimates corrected for optimism -------------------------------------------------------------


class CorrectedMeasure(NamedTuple):
    """An apparent value, its optimism, and the corrected value with standard error and limits.

    ``adjusted``: the limits are those with z^2/2 more in every cell.
    """

    apparent: float
    optimism: float
    value: float
    se: float
    low: float
    high: float
    adjusted: bool = False


def corrected_estimates(
    curve: RocPoints,
    vertex: int,
    draws: CutpointDraws,
    criterion: Criterion,
    sizes: RateSizes,
    confidence_level: float,
) -> dict[str, CorrectedMeasure]:
    """Return TPR, TNR, Youden's index and the criterion's value at a chosen vertex."""
    fpr, tpr = float(curve.fpr[vertex]), float(curve.tpr[vertex])
    of_fpr, of_tpr = _optimism_of_rates(curve, draws)
    corrected = _optimism_corrected_rates(curve, vertex, draws, sizes, confidence_level)
    measures = {
        "tpr": _rate_measure(tpr, of_tpr, corrected.tpr, sizes.n_pos, corrected),
        "tnr": _rate_measure(1 - fpr, -of_fpr, 1 - corrected.fpr, sizes.n_neg, corrected),
        "youden": _corrected_function_of_rates(
            lambda x, y: y - x, tpr - fpr, of_tpr - of_fpr, corrected, range_of("youden")
        ),
    }
    if criterion.quantity not in ("", "youden"):
        at_point = _criterion_at_point(criterion, curve)
        in_resamples = criterion.value(draws.fpr, draws.tpr, draws.n_pos, draws.n_neg)
        # The value in the sample of the cutpoints that the resamples chose, at its class sizes.
        at_drawn = curve.fpr[draws.vertex], curve.tpr[draws.vertex]
        n_drawn = len(draws.vertex)
        totals = np.full(n_drawn, curve.tp[-1]), np.full(n_drawn, curve.fp[-1])
        in_sample = criterion.value(*at_drawn, *totals)
        optimism = float(np.mean(in_resamples - in_sample))
        measures[criterion.quantity] = _corrected_function_of_rates(
            at_point, at_point(fpr, tpr), optimism, corrected, range_of(criterion.quantity)
        )
    return measures


def _optimism_of_rates(curve: RocPoints, draws: CutpointDraws) -> tuple[float, float]:
    """Return the optimism of FPR and of TPR."""
    # docs/methods/points.md, "Best cutpoints": J*(c*) - J(c*), for each rate by itself.
    of_fpr, of_tpr = draws.fpr - curve.fpr[draws.vertex], draws.tpr - curve.tpr[draws.vertex]
    return float(np.mean(of_fpr)), float(np.mean(of_tpr))


def _optimism_corrected_rates(
    curve: RocPoints,
    vertex: int,
    draws: CutpointDraws,
    sizes: RateSizes,
    confidence_level: float,
) -> CorrectedRates:
    """Return the rates at a vertex less their optimism."""
    of_fpr, of_tpr = _optimism_of_rates(curve, draws)
    fpr, tpr = float(curve.fpr[vertex]) - of_fpr, float(curve.tpr[vertex]) - of_tpr
    fpr, tpr = (float(np.clip(rate, 0.0, 1.0)) for rate in (fpr, tpr))
    return CorrectedRates(fpr, tpr, sizes, confidence_level)


def _rate_measure(
    apparent: float, optimism: float, value: float, size: float, corrected: CorrectedRates
) -> CorrectedMeasure:
    """Return a corrected rate with Wilson's limits [wilson-1927]."""
    se = float(np.sqrt(value * (1 - value) / size))
    return CorrectedMeasure(apparent, optimism, value, se, *corrected.limits(value, size))


def _corrected_function_of_rates(
    value: Callable[[float, float], float],
    apparent: float,
    optimism: float,
    corrected: CorrectedRates,
    span: tuple[float, float],
) -> CorrectedMeasure:
    """Return a corrected function of both rates; its MOVER limits move with the estimate."""
    # A nonlinear criterion at corrected rates is not the corrected criterion: the limits keep
    # their distances from it.
    here, se, low, high = corrected.function_limits(value)
    centre = float(np.clip(apparent - optimism, *span))
    low, high = np.clip(np.array([low, high]) + (centre - here), *span)
    return CorrectedMeasure(apparent, optimism, centre, se, float(low), float(high))


def _criterion_at_point(criterion: Criterion, curve: RocPoints) -> Callable[[float, float], float]:
    """Return the criterion as a function of a point, at the class sizes of the sample."""
    totals = curve.tp[-1:], curve.fp[-1:]

    def value(fpr: float, tpr: float) -> float:
        return float(criterion.value(np.array([fpr]), np.array([tpr]), *totals)[0])

    return value


def corrected_predictive_values(
    curve: RocPoints,
    vertex: int,
    draws: CutpointDraws,
    sizes: RateSizes,
    confidence_level: float,
    prevalence: float,
) -> dict[str, CorrectedMeasure]:
    """Return PPV and NPV at a prevalence: those of the corrected rates, with logit limits.

    The limits are those of tables of the corrected rates, with the effective numbers of cases and
    the correlation of both rates [mercaldo-2007].
    """
    corrected = _optimism_corrected_rates(curve, vertex, draws, sizes, confidence_level)
    tpr, fpr = np.array([corrected.tpr]), np.array([corrected.fpr])
    cells = Cells(
        tpr * sizes.n_pos, (1 - tpr) * sizes.n_pos, fpr * sizes.n_neg, (1 - fpr) * sizes.n_neg
    )
    t, f = tpr * (1 - tpr) / sizes.n_pos, fpr * (1 - fpr) / sizes.n_neg
    spread = RateVariances(t, f, sizes.correlation * np.sqrt(t * f))
    at = slice(vertex, vertex + 1)
    found = {}
    for name, limits in (("ppv", ppv_limits), ("npv", npv_limits)):
        apparent = measure(name, cells_at(curve.tpr[at], curve.fpr[at], prevalence))
        value = measure(name, cells_at(tpr, fpr, prevalence))
        made = limits(cells, prevalence, confidence_level, correlation=sizes.correlation)
        with np.errstate(invalid="ignore", over="ignore"):
            se = np.sqrt(spread.of(measure_slopes_in_rates(name, tpr, fpr, prevalence)))
        # The adjusted cells move the centre of the limits, not the estimate; 0/0 has no limits.
        low, high = np.minimum(made.low, value), np.maximum(made.high, value)
        columns = np.stack([apparent, apparent - value, value, se, low, high])[:, 0].tolist()
        found[name] = CorrectedMeasure(*columns)._replace(adjusted=bool(made.adjusted[0]))
    return found
