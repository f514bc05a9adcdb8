"""Bars of a rate: of one curve at a threshold, or of a mean over curves. Arrays only.

``size`` is the number of independent cases that a limit allows for; it need not be whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.sample.arrays import BoolArray, CodeArray, FloatArray, IntArray
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.intervals.rates.proportions import RateInterval, rate_interval
from rocstats.stats.resampling.streams import percentile_limits

_NO_SPREAD = 1e-12


@dataclass(frozen=True, eq=False)
class Bars:
    """Limits, standard errors and effective sizes (NaN where none was used) of G rates.

    ``replaced`` marks where limits asked for would have no width, and Wilson's stand instead.
    """

    low: FloatArray
    high: FloatArray
    se: FloatArray
    size: FloatArray
    replaced: BoolArray


def no_bars(n_places: int) -> Bars:
    """Return bars of which nothing is known."""
    nothing = np.full(n_places, np.nan)
    return Bars(nothing, nothing, nothing, nothing, np.zeros(n_places, dtype=bool))


def mean_size(sizes: Sequence[float]) -> float:
    """Return n for which p(1 - p)/n is the variance of the unweighted mean of K binomial rates."""
    return float(len(sizes) ** 2 / np.sum(1 / np.asarray(sizes, dtype=np.float64)))


def each_level(confidence_level: float, n_axes: int = 2) -> float:
    """Return the level of each of some independent intervals that jointly hold with a level."""
    return float(confidence_level ** (1 / n_axes))


def rate_limits(
    rate: FloatArray, size: FloatArray | float, interval: RateInterval, confidence_level: float
) -> tuple[FloatArray, FloatArray]:
    """Return limits of rates within [0, 1]; the counts behind them need not be whole."""
    from statsmodels.stats.proportion import proportion_confint

    sizes = np.broadcast_to(np.asarray(size, dtype=np.float64), np.shape(rate)).copy()
    low, high = proportion_confint(
        rate * sizes, sizes, alpha=1 - confidence_level, method=rate_interval(interval).statsmodels
    )
    # Limits of 0 and of all cases miss 0 and 1 by rounding.
    low = np.where(rate == 0, 0.0, np.maximum(low, 0.0))
    return low, np.where(rate == 1, 1.0, np.minimum(high, 1.0))


def binomial_bars(
    rate: FloatArray, size: FloatArray | float, interval: RateInterval, confidence_level: float
) -> Bars:
    """Return binomial bars; normal limits of 0 and 1, which have no width, become Wilson's."""
    rate = np.asarray(rate, dtype=np.float64)
    sizes = np.broadcast_to(np.asarray(size, dtype=np.float64), rate.shape)
    low, high = rate_limits(rate, sizes, interval, confidence_level)
    se = np.sqrt(rate * (1 - rate) / sizes)
    return _never_without_width(Bars(low, high, se, sizes, low == high), rate, confidence_level)


def effective_bars(
    rate: FloatArray, size: FloatArray | float, variance: FloatArray, confidence_level: float
) -> Bars:
    """Return Wilson bars with the sample size that the variance of a rate amounts to.

    With z of the level and p = (size rate + z^2/2)/(size + z^2) the variance is taken as at least
    p(1 - p)/(size + z^2), and n_eff = p(1 - p)/variance.
    """
    z2 = quantile((1 + confidence_level) / 2, np.inf) ** 2
    rate = np.asarray(rate, dtype=np.float64)
    adjusted = (size * rate + z2 / 2) / (size + z2)
    spread = adjusted * (1 - adjusted)
    floored = np.maximum(variance, spread / (size + z2))
    effective = spread / floored
    low, high = rate_limits(rate, effective, "wilson", confidence_level)
    return Bars(low, high, np.sqrt(floored), effective, np.zeros(rate.shape, dtype=bool))


def clustered_bars(
    rate: FloatArray,
    n_clusters: FloatArray | float,
    variance: FloatArray,
    interval: RateInterval,
    confidence_level: float,
) -> Bars:
    """Return bars with n = p(1 - p)/variance; a cluster counts once where clusters do not vary."""
    rate = np.asarray(rate, dtype=np.float64)
    still = ~(variance > _NO_SPREAD)
    effective = np.broadcast_to(np.asarray(n_clusters, dtype=np.float64), rate.shape).copy()
    np.divide(rate * (1 - rate), variance, out=effective, where=~still)
    low, high = rate_limits(rate, effective, interval, confidence_level)
    se = np.where(np.isnan(variance), np.nan, np.sqrt(np.maximum(variance, 0.0)))
    return _never_without_width(Bars(low, high, se, effective, still), rate, confidence_level)


def t_bars(values: FloatArray, size: float, confidence_level: float) -> Bars:
    """Return t limits of the means over K curves (rows); Wilson's with ``size`` without spread."""
    n_curves, n_places = values.shape
    rate = values.mean(axis=0)
    if n_curves == 1:
        return no_bars(n_places)
    se = values.std(axis=0, ddof=1) / np.sqrt(n_curves)
    reach = quantile((1 + confidence_level) / 2, n_curves - 1) * se
    low, high = np.maximum(rate - reach, 0.0), np.minimum(rate + reach, 1.0)
    return _never_without_width(
        Bars(low, high, se, np.full(n_places, np.nan), se <= _NO_SPREAD),
        rate,
        confidence_level,
        size,
    )


def percentile_bars(values: FloatArray, size: float, confidence_level: float) -> Bars:
    """Return order statistics of K curves (rows); Wilson's with ``size`` where they do not differ.

    The lower limit is order statistic ceil((K + 1) alpha/2), the upper one its mirror image.
    """
    n_curves, n_places = values.shape
    low, high = percentile_limits(values, confidence_level)
    se = values.std(axis=0, ddof=1) if n_curves > 1 else np.full(n_places, np.nan)
    bars = Bars(low, high, se, np.full(n_places, np.nan), high - low <= _NO_SPREAD)
    return _never_without_width(bars, values.mean(axis=0), confidence_level, size)


def _never_without_width(
    bars: Bars, rate: FloatArray, confidence_level: float, size: float | None = None
) -> Bars:
    """Return bars with Wilson's limits at the places that are marked, or have no width."""
    empty = bars.replaced | (bars.high <= bars.low)
    if not empty.any():
        return bars
    sizes = bars.size if size is None else np.where(empty, size, bars.size)
    low, high = rate_limits(rate, np.where(np.isnan(sizes), 1.0, sizes), "wilson", confidence_level)
    return Bars(
        np.where(empty, low, bars.low), np.where(empty, high, bars.high), bars.se, sizes, empty
    )


@dataclass(frozen=True, eq=False)
class ClassRows:
    """The cases of one class under a curve: where their scores stand, their cluster and frequency.

    At place g the scores before ``vertex[g]`` of the count table are called positive.
    """

    codes: CodeArray
    cluster: IntArray
    frequency: FloatArray
    vertex: IntArray


def clustered_rate_variance(curves: Sequence[ClassRows]) -> FloatArray:
    """Return the variance at each place of the mean over curves of the rate called positive.

    The ratio estimator: influences are summed by cluster over all curves, and the variance is
    I/(I - 1) times the sum of their squares over the I clusters; NaN for one cluster.
    """
    present, codes = np.unique(np.concatenate([one.cluster for one in curves]), return_inverse=True)
    n = len(present)
    factor = n / (n - 1) if n > 1 else np.nan
    variance = np.empty(len(curves[0].vertex))
    for g in range(len(variance)):
        influence = np.concatenate([_influence(one, g) for one in curves]) / len(curves)
        variance[g] = factor * np.sum(np.bincount(codes, weights=influence, minlength=n) ** 2)
    return variance


def _influence(rows: ClassRows, g: int) -> FloatArray:
    total = rows.frequency.sum()
    called = (rows.codes < rows.vertex[g]).astype(np.float64)
    rate = np.dot(rows.frequency, called) / total
    return np.asarray(rows.frequency * (called - rate) / total)


@dataclass(frozen=True, eq=False)
class DifferenceBars:
    """Limits and standard errors of differences; ``unpaired`` marks places without pairing."""

    low: FloatArray
    high: FloatArray
    se: FloatArray
    unpaired: BoolArray


def no_differences(n_places: int) -> DifferenceBars:
    """Return bars of differences of which nothing is known."""
    nothing = np.full(n_places, np.nan)
    return DifferenceBars(nothing, nothing, nothing, np.zeros(n_places, dtype=bool))


def paired_t_bars(differences: FloatArray, confidence_level: float) -> DifferenceBars:
    """Return t limits within [-1, 1] of mean differences over K pairs of curves (rows).

    NaN where the differences do not vary.
    """
    n_curves, n_places = differences.shape
    if n_curves == 1:
        return no_differences(n_places)
    mean = differences.mean(axis=0)
    se = differences.std(axis=0, ddof=1) / np.sqrt(n_curves)
    reach = quantile((1 + confidence_level) / 2, n_curves - 1) * se
    still = se <= _NO_SPREAD
    low, high = np.maximum(mean - reach, -1.0), np.minimum(mean + reach, 1.0)
    return DifferenceBars(np.where(still, np.nan, low), np.where(still, np.nan, high), se, still)


def mover_bars(
    rates: FloatArray, bars: tuple[Bars, Bars], covariance: FloatArray, variances: FloatArray
) -> DifferenceBars:
    """Return limits of rates[0] - rates[1] from the bars of both and their correlation.

    With phi the correlation of resamples: D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2)
    + (u2 - p2)^2), the upper limit likewise. Where that has no width phi is 0.
    """
    first, second = bars
    spread = np.sqrt(variances[0] * variances[1])
    phi = np.divide(covariance, spread, out=np.zeros(len(covariance)), where=spread > _NO_SPREAD)
    phi = np.clip(phi, -1.0, 1.0)
    se2 = np.maximum(variances[0] + variances[1] - 2 * covariance, 0.0)

    def limits(phi: FloatArray) -> tuple[FloatArray, FloatArray]:
        down1, up1 = rates[0] - first.low, first.high - rates[0]
        down2, up2 = rates[1] - second.low, second.high - rates[1]
        below = np.sqrt(np.maximum(down1**2 - 2 * phi * down1 * up2 + up2**2, 0.0))
        above = np.sqrt(np.maximum(up1**2 - 2 * phi * up1 * down2 + down2**2, 0.0))
        value = rates[0] - rates[1]
        return np.maximum(value - below, -1.0), np.minimum(value + above, 1.0)

    unpaired = se2 <= _NO_SPREAD
    low, high = limits(np.where(unpaired, 0.0, phi))
    return DifferenceBars(low, high, np.sqrt(se2), unpaired)


def rounded_to_ends(rate: FloatArray) -> FloatArray:
    """Return rates of which those that miss 0 or 1 by rounding are 0 or 1."""
    nearest = np.rint(rate)
    return np.asarray(np.where(np.abs(rate - nearest) < _NO_SPREAD, nearest, rate))
