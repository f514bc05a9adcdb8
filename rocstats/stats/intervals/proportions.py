"""One proportion: limits and the exact test against a goal."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocstats.stats.intervals.quantiles import Alternative

ProportionInterval = Literal["clopper-pearson", "wilson"]
PROPORTION_INTERVALS: dict[ProportionInterval, str] = {
    "clopper-pearson": "beta",
    "wilson": "wilson",
}
"""Intervals by the names that statsmodels has for them."""


def wilson(count: float, size: float, quantile: float) -> float:
    """Return Wilson's limit of a proportion at a normal quantile (negative: the lower one)."""
    p, z2 = count / size, quantile**2
    root = np.sqrt(p * (1 - p) / size + z2 / (4 * size**2))
    limit = (p + z2 / (2 * size) + quantile * root) / (1 + z2 / size)
    return float(np.clip(limit, 0.0, 1.0))


def proportion_limits(
    count: float,
    size: float,
    interval: ProportionInterval,
    confidence_level: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """Return both limits; a one-sided alternative moves the other one to 0 or 1."""
    from statsmodels.stats.proportion import proportion_confint

    tails = 1 if alternative == "two-sided" else 2
    low, high = proportion_confint(
        count, size, alpha=tails * (1 - confidence_level), method=PROPORTION_INTERVALS[interval]
    )
    # Wilson's limits of 0 and of all cases miss 0 and 1 by rounding.
    low = 0.0 if alternative == "less" or count == 0 else max(float(low), 0.0)
    high = 1.0 if alternative == "greater" or count == size else min(float(high), 1.0)
    return low, high


def binomial_p_value(count: float, size: float, goal: float, alternative: Alternative) -> float:
    """Return the exact p value of a proportion against a goal; two-sided, twice the smaller tail.

    So it is the test that Clopper-Pearson limits invert.
    """
    from scipy.stats import binomtest

    if alternative != "two-sided":
        return float(binomtest(int(count), int(size), goal, alternative=alternative).pvalue)
    tails = [binomial_p_value(count, size, goal, side) for side in ("greater", "less")]
    return min(1.0, 2 * min(tails))
