"""Exact coverage of limits of Youden's index at a fixed threshold, by the limits of both rates.

MOVER combines limits of sensitivity and specificity of one of ``INTERVALS``; "agresti-caffo" are
Wald's limits with a success and a failure added to each class. All of them can allow for clusters
with cases of both classes. Coverage is a sum over all tables of two classes of fixed sizes, at 2500
pairs of rates: no random numbers.

The rule was fixed before the run. Of the intervals that cover at least their level less .02 in
every setting, that with the least mean width is chosen. It becomes the default if the present one,
Wilson's, falls short and is at most 5 % shorter at every pair of sizes.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom, norm

from rocstats.estimate.proportions import (
    MoverTerm,
    RateInterval,
    binomial_limits_of_rates,
    mover_sum_limits,
)
from rocstats.facts.arrays import FloatArray
from validation.bounds import below_margin
from validation.simulation import Bound, Simulation, Variant, under_margin

TABLE = Path(__file__).with_name("youden.csv")
_MOVER: tuple[RateInterval, ...] = (
    "wilson",
    "mid-p",
    "agresti-coull",
    "jeffreys",
    "clopper-pearson",
)
INTERVALS = (*_MOVER, "agresti-caffo")
# An index is the same with its classes exchanged, so that m <= n are all pairs of sizes.
SIZES = tuple(combinations_with_replacement((10, 15, 20, 30, 50, 100), 2))
LEVELS = (0.90, 0.95, 0.99)
RATES = np.round(np.arange(0.50, 0.995, 0.01), 2)


class Limits(NamedTuple):
    """Limits of the index for every number of positives called (rows) and negatives not called."""

    low: FloatArray
    high: FloatArray


def index_limits(m: int, n: int, interval: str, level: float) -> Limits:
    """Return the limits of TPR + TNR - 1 in every table of m positives and n negatives."""
    if interval == "agresti-caffo":
        (tpr, of_pos), (tnr, of_neg) = _added(m), _added(n)
        index = tpr[:, np.newaxis] + tnr - 1
        reach = norm.ppf((1 + level) / 2) * np.sqrt(of_pos[:, np.newaxis] + of_neg)
        return Limits(np.maximum(index - reach, -1.0), np.minimum(index + reach, 1.0))
    pos, neg = (_rate(size, interval, level) for size in (m, n))
    across = MoverTerm(*(part[:, np.newaxis] for part in pos))
    low, high = mover_sum_limits([across, neg])
    return Limits(np.maximum(low - 1, -1.0), np.minimum(high - 1, 1.0))


def _added(size: int) -> tuple[FloatArray, FloatArray]:
    rate = (np.arange(size + 1) + 1) / (size + 2)
    return rate, rate * (1 - rate) / (size + 2)


def _rate(size: int, interval: Any, level: float) -> MoverTerm:
    rate = np.arange(size + 1) / size
    return MoverTerm(rate, *binomial_limits_of_rates(rate, size, interval, level))


def coverage(m: int, n: int, interval: str, level: float) -> tuple[FloatArray, FloatArray]:
    """Return coverage and mean width for every TPR (rows) and TNR of ``RATES``."""
    low, high = index_limits(m, n, interval, level)
    of_pos, of_neg = (
        np.asarray(binom.pmf(np.arange(size + 1), size, RATES[:, np.newaxis])) for size in (m, n)
    )
    covered = np.empty((len(RATES), len(RATES)))
    for i, tpr in enumerate(RATES):
        for j, tnr in enumerate(RATES):
            # The truth may be a limit but for rounding.
            held = np.abs(low + high - 2 * (tpr + tnr - 1)) <= high - low + 1e-12
            covered[i, j] = of_pos[i] @ held @ of_neg[j]
    return covered, of_pos @ (high - low) @ of_neg.T


def row_of(m: int, n: int, interval: str, level: float) -> dict[str, float | str]:
    """Return the least coverage and where it is, mean coverage and mean width over all rates."""
    covered, width = coverage(m, n, interval, level)
    # By symmetry two cells have the same least coverage, but for rounding: the first one is named.
    i, j = np.unravel_index(covered.round(10).argmin(), covered.shape)
    return {
        "n_pos": m,
        "n_neg": n,
        "level": level,
        "interval": interval,
        "least": round(float(covered.min()), 6),
        "tpr": RATES[i],
        "tnr": RATES[j],
        "mean": round(float(covered.mean()), 6),
        "short": round(float(below_margin(covered, level).mean()), 6),
        "mean_width": round(float(width.mean()), 6),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Exact coverage of limits of Youden's index, by the limits of both rates.",
    cells=[
        Variant(m, {"n": n, "interval": name, "level": level})
        for m, n in SIZES
        for level in LEVELS
        for name in INTERVALS
    ],
    rows=row_of,
    bounds=(Bound("least", under_margin, "level", samples=None),),
    ends=("shortfall",),
)
read_youden = SIMULATION.read
