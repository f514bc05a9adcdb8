"""One proportion: limits and the exact test against a goal."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.word import Word

ProportionInterval = Literal["clopper-pearson", "wilson"]
PROPORTION_INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)
"""Intervals offered for a proportion against a goal: those whose test is known."""

RateInterval = Literal[
    "wilson", "clopper-pearson", "mid-p", "agresti-coull", "jeffreys", "normal", "wald"
]


class BinomialInterval(NamedTuple):
    """An interval for a proportion.

    ``statsmodels`` is the name of the method there, "" if it has none (``mid_p``); ``name`` the
    name in print, "" where the method is not used for limits of two rates together. ``phrase``
    continues "Confidence intervals were computed".
    """

    word: str
    statsmodels: str
    phrase: str
    name: str = ""
    references: tuple[str, ...] = ()
    published: bool = True


RATE_INTERVALS: tuple[BinomialInterval, ...] = (
    BinomialInterval("wilson", "wilson", "by the method of Wilson", "Wilson"),
    BinomialInterval(
        "clopper-pearson", "beta", "by the method of Clopper and Pearson", "Clopper-Pearson"
    ),
    BinomialInterval(
        "mid-p",
        "",
        "by the mid-P method of Lancaster",
        "mid-P Clopper-Pearson",
        ("lancaster-1961", "berry-1995"),
    ),
    BinomialInterval(
        "agresti-coull", "agresti_coull", "by the method of Agresti and Coull", "Agresti-Coull"
    ),
    BinomialInterval("jeffreys", "jeffreys", "by the method of Jeffreys", "Jeffreys"),
    # Two words for the same interval: "normal" is said of averages, "wald" of tables.
    BinomialInterval("normal", "normal", "by the normal approximation"),
    BinomialInterval("wald", "normal", "by the normal approximation", "Wald"),
)
_BY_WORD = {record.word: record for record in RATE_INTERVALS}
PRINTED = (
    *(Word(rate.word, rate.phrase, rate.references, rate.published) for rate in RATE_INTERVALS),
    *(
        Word(
            f"mover-{rate.word}",
            f"by combining {rate.name} limits of both rates (MOVER)",
            (*rate.references, "zou-2008"),
            rate.published,
        )
        for rate in RATE_INTERVALS
        if rate.name
    ),
)
"""The words for limits of a rate, and of what two rates make."""


def rate_interval(word: str) -> BinomialInterval:
    """Return the interval for a proportion called ``word``."""
    return _BY_WORD[word]


def wilson(count: float, size: float, quantile: float) -> float:
    """Return Wilson's limit of a proportion at a normal quantile (negative: the lower one)."""
    p, z2 = count / size, quantile**2
    root = np.sqrt(p * (1 - p) / size + z2 / (4 * size**2))
    # Wilson 1927: the roots of (p - theta)^2 = z^2 theta(1 - theta)/n.
    limit = (p + z2 / (2 * size) + quantile * root) / (1 + z2 / size)
    return float(np.clip(limit, 0.0, 1.0))


def proportion_limits(
    count: float,
    size: float,
    interval: ProportionInterval,
    confidence_level: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """Return both limits; a one-sided alternative moves the other limit to 0 or 1."""
    from statsmodels.stats.proportion import proportion_confint

    # statsmodels knows two-sided limits only: a one-sided level is twice the alpha there.
    tails = 1 if alternative == "two-sided" else 2
    low, high = proportion_confint(
        count,
        size,
        alpha=tails * (1 - confidence_level),
        method=rate_interval(interval).statsmodels,
    )
    # Wilson's limits of 0 and of all cases miss 0 and 1 by rounding.
    low = 0.0 if alternative == "less" or count == 0 else max(float(low), 0.0)
    high = 1.0 if alternative == "greater" or count == size else min(float(high), 1.0)
    return low, high


def binomial_p_value(count: float, size: float, goal: float, alternative: Alternative) -> float:
    """Return the exact p value of a proportion against a goal: binomial tails."""
    from scipy.stats import binomtest

    # Twice the smaller tail is what Clopper-Pearson limits invert; SciPy's two-sided p value sums
    # all outcomes that are as improbable, and can disagree with the limits.
    if alternative != "two-sided":
        return float(binomtest(int(count), int(size), goal, alternative=alternative).pvalue)
    tails = [binomial_p_value(count, size, goal, side) for side in ("greater", "less")]
    return min(1.0, 2 * min(tails))
