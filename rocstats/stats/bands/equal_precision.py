"""Half-widths of bands of equal precision: the same number of standard deviations everywhere."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.resampling.streams import sup_quantile
from rocstats.tolerances import SAME


def resolved_rates(fpr: FloatArray, n_neg: float) -> BoolArray:
    """Return which rates lie from 1/n to 1 - 1/n, where n negatives tell thresholds apart."""
    return (fpr >= 1 / n_neg - SAME) & (fpr <= 1 - 1 / n_neg + SAME)


def equal_precision_reach(
    estimate: FloatArray, draws: FloatArray, floor: FloatArray, inside: BoolArray, level: float
) -> FloatArray:
    """Return q s at each place, simultaneous over the places ``inside``.

    s is the larger of the standard deviation of the draws (resamples x places) and of the floor, q
    the quantile of the largest abs(draw - estimate)/s.
    """
    s = np.maximum(draws.std(axis=0), floor)
    distance = (np.abs(draws - estimate) / s)[:, inside].max(axis=1)
    # Resamples of perfect curves do not vary: q must not fall below that of a single place.
    pointwise = float(sp.ndtri((1 + level) / 2))
    return np.asarray(max(sup_quantile(distance, level), pointwise) * s)
