"""Limits of a rate at many places: of one curve, or of a mean over curves. Arrays only.

``size`` is the number of independent cases behind the rate; it need not be whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.estimate.proportions import RateInterval, binomial_limits_of_rates, wilson_centre
from rocstats.estimate.quantiles import t_quantile, t_quantiles
from rocstats.estimate.resample import percentile_limits_of_draws
from rocstats.facts.arrays import BoolArray, FloatArray, effective_size, equal_clusters
from rocstats.facts.tolerances import NO_SPREAD


class Bars(NamedTuple):
    """Limits, standard errors and effective sizes (NaN where none was used) of G rates.

    ``replaced`` marks places where the method has no width, so that Wilson's limits replace its.
    """

    low: FloatArray
    high: FloatArray
    se: FloatArray
    size: FloatArray
    replaced: BoolArray


def undefined_bars(n_places: int) -> Bars:
    """Return bars that are all NaN."""
    nothing = np.full(n_places, np.nan)
    return Bars(nothing, nothing, nothing, nothing, np.zeros(n_places, dtype=bool))


def binomial_size_of_mean_rate(sizes: Sequence[float]) -> float:
    """Return n for which p(1 - p)/n is the variance of the unweighted mean of K binomial rates."""
    return float(len(sizes) ** 2 / np.sum(1 / np.asarray(sizes, dtype=np.float64)))


def sidak_level_of_each_axis(confidence_level: float, n_axes: int = 2) -> float:
    """Return the Sidak level of each of k independent intervals: level ** (1 / k)."""
    return float(confidence_level ** (1 / n_axes))


def binomial_bars(
    rate: FloatArray, size: FloatArray | float, interval: RateInterval, confidence_level: float
) -> Bars:
    """Return binomial bars; normal limits of 0 and 1, which have no width, become Wilson's."""
    rate = np.asarray(rate, dtype=np.float64)
    sizes = np.broadcast_to(np.asarray(size, dtype=np.float64), rate.shape)
    low, high = binomial_limits_of_rates(rate, sizes, interval, confidence_level)
    se = np.sqrt(rate * (1 - rate) / sizes)
    return _bars_with_wilson_where_no_width(
        Bars(low, high, se, sizes, low == high), rate, confidence_level
    )


def effective_size_bars(
    rate: FloatArray, size: FloatArray | float, variance: FloatArray, confidence_level: float
) -> Bars:
    """Return Wilson bars with the sample size that the variance of a rate amounts to.

    With z of the level and p = (size rate + z^2/2)/(size + z^2) the variance is taken as at least
    p(1 - p)/(size + z^2), and n_eff = p(1 - p)/variance.
    """
    # docs/methods/averages.md, "Effective bars": Wilson's limits with n_eff = p(1 - p)/V.
    z2 = t_quantile((1 + confidence_level) / 2, np.inf) ** 2
    rate = np.asarray(rate, dtype=np.float64)
    adjusted = wilson_centre(rate, size, z2)
    spread = adjusted * (1 - adjusted)
    floored = np.maximum(variance, spread / (size + z2))
    # p is inside (0, 1), so that n_eff is finite and positive for a rate of 0 or 1 too.
    effective = spread / floored
    low, high = binomial_limits_of_rates(rate, effective, "wilson", confidence_level)
    return Bars(low, high, np.sqrt(floored), effective, np.zeros(rate.shape, dtype=bool))


_LEAST_TAIL = 1e-100  # beyond it older SciPy misses quantiles of t; of z it is that of 21
_LARGEST_TAIL = 0.5 - 1e-8  # nearer to 1/2 quantiles are rounding, and their ratio is 0/0
_LARGEST_STRETCH = 1e50  # squared, it leaves every size above 0
_FEW_RATES = 8  # up to which one quantile after the other is faster than arrays of them


class ClusterUnits(NamedTuple):
    """The clusters behind G rates: their number, the effective one, and one for the df.

    ``effective`` is Kish's number, ``equal`` the number of equal clusters with as many degrees of
    freedom; both are ``number`` where clusters are equal.
    """

    number: FloatArray
    effective: FloatArray
    equal: FloatArray

    @property
    def unequal(self) -> bool:
        """Whether the clusters of a rate have fewer degrees of freedom than equal ones."""
        return bool((self.equal < self.number).any())

    def stretch(self, tail: float) -> FloatArray:
        """Return t_{J-1} / t_{I-1} of limits with a probability beyond each.

        Limits with I clusters worth J equal ones are those of a normal quantile so much longer.
        """
        p = min(max(tail, _LEAST_TAIL), _LARGEST_TAIL)
        many, few = (np.maximum(number - 1, 1.0) for number in (self.number, self.equal))
        if len(few) <= _FEW_RATES:
            ratio = np.array(
                [t_quantile(p, a) / t_quantile(p, b) for a, b in zip(few, many, strict=True)]
            )
        else:
            ratio = t_quantiles(p, few) / t_quantiles(p, many)
        return np.asarray(np.minimum(ratio, _LARGEST_STRETCH))

    def t_share(self, confidence_level: float) -> FloatArray:
        """Return (t_{I-1} / t_{J-1})^2 of the limits of a level, for I clusters worth J equal ones.

        An effective sample size times this share allows for the degrees of freedom that unequal
        clusters lose (Korn & Graubard 1998).
        """
        return np.asarray(self.stretch((1 - confidence_level) / 2) ** -2.0)


def cluster_units(sizes: FloatArray) -> ClusterUnits:
    """Return the units of G rates from the numbers of cases of their c clusters (G x c)."""
    each = [(np.count_nonzero(row), effective_size(row), equal_clusters(row)) for row in sizes]
    return ClusterUnits(*np.array(each, dtype=np.float64).T)


def clustered_bars(
    rate: FloatArray,
    units: ClusterUnits,
    variance: FloatArray,
    interval: RateInterval,
    confidence_level: float,
) -> Bars:
    """Return bars with n = p(1 - p)/variance times ``t_share``.

    Where clusters do not vary their effective number is in its place: a cluster counts once.
    """
    rate = np.asarray(rate, dtype=np.float64)
    # "not >" takes NaN, the variance of a single cluster, for none.
    still = ~(variance > NO_SPREAD)
    effective = np.broadcast_to(units.effective, rate.shape).astype(np.float64)
    np.divide(rate * (1 - rate), variance, out=effective, where=~still)
    effective *= units.t_share(confidence_level)
    low, high = binomial_limits_of_rates(rate, effective, interval, confidence_level)
    se = np.where(np.isnan(variance), np.nan, np.sqrt(np.maximum(variance, 0.0)))
    return _bars_with_wilson_where_no_width(
        Bars(low, high, se, effective, still), rate, confidence_level
    )


def t_bars(values: FloatArray, size: float, confidence_level: float) -> Bars:
    """Return t limits of the means over K curves (rows); Wilson's with ``size`` without spread."""
    n_curves, n_places = values.shape
    rate = values.mean(axis=0)
    if n_curves == 1:
        return undefined_bars(n_places)
    se = values.std(axis=0, ddof=1) / np.sqrt(n_curves)
    # Curves of disjoint test sets are the independent units, not their cases: K - 1 df.
    reach = t_quantile((1 + confidence_level) / 2, n_curves - 1) * se
    low, high = np.maximum(rate - reach, 0.0), np.minimum(rate + reach, 1.0)
    return _bars_with_wilson_where_no_width(
        Bars(low, high, se, np.full(n_places, np.nan), se <= NO_SPREAD),
        rate,
        confidence_level,
        size,
    )


def percentile_bars(values: FloatArray, size: float, confidence_level: float) -> Bars:
    """Return order statistics of K curves (rows); Wilson's with ``size`` where they do not differ.

    The lower limit is order statistic ceil((K + 1) alpha/2), the upper one its mirror image.
    """
    n_curves, n_places = values.shape
    # Rank ceil((K + 1) alpha/2): docs/methods/resampling.md, "Order statistics as limits".
    low, high = percentile_limits_of_draws(values, confidence_level)
    se = values.std(axis=0, ddof=1) if n_curves > 1 else np.full(n_places, np.nan)
    bars = Bars(low, high, se, np.full(n_places, np.nan), high - low <= NO_SPREAD)
    return _bars_with_wilson_where_no_width(bars, values.mean(axis=0), confidence_level, size)


def _bars_with_wilson_where_no_width(
    bars: Bars, rate: FloatArray, confidence_level: float, size: float | None = None
) -> Bars:
    """Return bars with Wilson's limits at the places that are marked, or have no width."""
    empty = bars.replaced | (bars.high <= bars.low)
    if not empty.any():
        return bars
    sizes = bars.size if size is None else np.where(empty, size, bars.size)
    # 1 is a dummy size: the limits of these places are not used.
    low, high = binomial_limits_of_rates(
        rate, np.where(np.isnan(sizes), 1.0, sizes), "wilson", confidence_level
    )
    return Bars(
        np.where(empty, low, bars.low), np.where(empty, high, bars.high), bars.se, sizes, empty
    )


def rates_snapped_to_0_and_1(rate: FloatArray) -> FloatArray:
    """Return rates, snapped to 0 or 1 within 1e-12 (rounding)."""
    # Means of interpolated rates may be 1 - 1e-16, from which limits would not reach 1.
    nearest = np.rint(rate)
    return np.asarray(np.where(np.abs(rate - nearest) < NO_SPREAD, nearest, rate))
