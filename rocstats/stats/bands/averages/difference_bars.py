"""Bars of differences of rates: over pairs of curves, or from the bars of both rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, Limits
from rocstats.stats.bands.bars import Bars
from rocstats.stats.intervals.quantiles import quantile
from rocstats.tolerances import NO_SPREAD


class DifferenceBars(NamedTuple):
    """Limits and standard errors of differences; ``unpaired`` marks places without pairing."""

    low: FloatArray
    high: FloatArray
    se: FloatArray
    unpaired: BoolArray


def no_differences(n_places: int) -> DifferenceBars:
    """Return bars of differences that are all NaN."""
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
    # The differences of K pairs are K independent values, whatever the pairing inside each.
    reach = quantile((1 + confidence_level) / 2, n_curves - 1) * se
    still = se <= NO_SPREAD
    low, high = np.maximum(mean - reach, -1.0), np.minimum(mean + reach, 1.0)
    return DifferenceBars(np.where(still, np.nan, low), np.where(still, np.nan, high), se, still)


def mover_bars(
    rates: FloatArray, bars: tuple[Bars, Bars], covariance: FloatArray, variances: FloatArray
) -> DifferenceBars:
    """Return limits of rates[0] - rates[1] from the bars of both and their correlation.

    With phi the correlation of resamples the lower limit is
    D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2), the upper limit likewise
    (Newcombe 1998, method 10; Zou & Donner 2008). Where that has no width phi is 0.
    """
    first, second = bars
    spread = np.sqrt(variances[0] * variances[1])
    phi = np.divide(covariance, spread, out=np.zeros(len(covariance)), where=spread > NO_SPREAD)
    # Covariance and variances are those of resamples: rounding can take |phi| past 1.
    phi = np.clip(phi, -1.0, 1.0)
    se2 = np.maximum(variances[0] + variances[1] - 2 * covariance, 0.0)

    def limits(phi: FloatArray) -> Limits:
        down1, up1 = rates[0] - first.low, first.high - rates[0]
        down2, up2 = rates[1] - second.low, second.high - rates[1]
        below = np.sqrt(np.maximum(down1**2 - 2 * phi * down1 * up2 + up2**2, 0.0))
        above = np.sqrt(np.maximum(up1**2 - 2 * phi * up1 * down2 + down2**2, 0.0))
        value = rates[0] - rates[1]
        return np.maximum(value - below, -1.0), np.minimum(value + above, 1.0)

    # Curves that move together in every resample would leave limits without width.
    unpaired = se2 <= NO_SPREAD
    low, high = limits(np.where(unpaired, 0.0, phi))
    return DifferenceBars(low, high, np.sqrt(se2), unpaired)
