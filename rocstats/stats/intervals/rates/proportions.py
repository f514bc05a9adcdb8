"""One proportion: limits and the exact test against a goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.intervals.rates.mid_p import mid_p_limits
from rocstats.stats.word import Word
from rocstats.tolerances import spans

ProportionInterval = Literal["clopper-pearson", "wilson"]
PROPORTION_INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)
"""Intervals offered for a proportion against a goal: those whose test is known."""

RateInterval = Literal[
    "wilson", "clopper-pearson", "mid-p", "agresti-coull", "jeffreys", "normal", "wald", "dkw"
]


def _wilson(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    return _wilson_limits(count, size, float(sp.ndtri(1 - tail)))


def _wilson_limits(count: FloatArray | float, size: FloatArray | float, z: float) -> Limits:
    """Return Wilson's limits at the normal quantiles -z and z."""
    p, z2 = count / size, z**2
    middle, divisor = p + z2 / (2 * size), 1 + z2 / size
    reach = z * np.sqrt(p * (1 - p) / size + z2 / (4 * size**2))
    # Wilson 1927: the roots of (p - theta)^2 = z^2 theta(1 - theta)/n.
    return (middle - reach) / divisor, (middle + reach) / divisor


def _clopper_pearson(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    # Binomial tails are those of beta distributions; 1 for a parameter that would be 0.
    none, every = count == 0, count >= size
    low = sp.betaincinv(np.where(none, 1.0, count), size - count + 1, tail)
    high = sp.betaincinv(count + 1, np.where(every, 1.0, size - count), 1 - tail)
    return np.where(none, 0.0, low), np.where(every, 1.0, high)


def _agresti_coull(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    z2 = float(sp.ndtri(1 - tail)) ** 2
    return _normal(count + z2 / 2, size + z2, tail)


def _jeffreys(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    a, b = count + 0.5, size - count + 0.5
    return sp.betaincinv(a, b, tail), sp.betaincinv(a, b, 1 - tail)


def _normal(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    rate = count / size
    reach = float(sp.ndtri(1 - tail)) * np.sqrt(rate * (1 - rate) / size)
    return rate - reach, rate + reach


def _dkw(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    # Massart 1990: P(sup |F_n - F| > e) <= 2 exp(-2 n e^2). Each class has half of the chance to
    # miss, which is one tail of it.
    rate, reach = count / size, np.sqrt(np.log(2 / tail) / (2 * size))
    return rate - reach, rate + reach


class BinomialInterval(NamedTuple):
    """An interval for a proportion.

    ``limits`` are both at the counts, the sizes and the chance in each tail, not held within
    [0, 1]. ``name`` is the name in print, "" where the method is not used for limits of two rates
    together. ``phrase`` continues "Confidence intervals were computed".
    """

    word: str
    limits: Callable[[FloatArray, FloatArray, float], Limits]
    phrase: str
    name: str = ""
    references: tuple[str, ...] = ()
    published: bool = True


RATE_INTERVALS: tuple[BinomialInterval, ...] = (
    BinomialInterval("wilson", _wilson, "by the method of Wilson", "Wilson", ("wilson-1927",)),
    BinomialInterval(
        "clopper-pearson",
        _clopper_pearson,
        "by the method of Clopper and Pearson",
        "Clopper-Pearson",
        ("clopper-1934",),
    ),
    BinomialInterval(
        "mid-p",
        mid_p_limits,
        "by the mid-P method of Lancaster",
        "mid-P Clopper-Pearson",
        ("lancaster-1961", "berry-1995"),
    ),
    BinomialInterval(
        "agresti-coull", _agresti_coull, "by the method of Agresti and Coull", "Agresti-Coull"
    ),
    BinomialInterval("jeffreys", _jeffreys, "by the method of Jeffreys", "Jeffreys"),
    # Two words for the same interval: "normal" is said of averages, "wald" of tables.
    BinomialInterval("normal", _normal, "by the normal approximation"),
    BinomialInterval("wald", _normal, "by the normal approximation", "Wald"),
    BinomialInterval(
        "dkw",
        _dkw,
        "to hold for all thresholds and both rates at once, by the inequality of Dvoretzky, Kiefer"
        " and Wolfowitz with the constant of Massart",
        references=("dvoretzky-1956", "massart-1990"),
    ),
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
    return float(np.clip(_wilson_limits(count, size, -quantile)[0], 0.0, 1.0))


def rate_limits(
    rate: FloatArray | float,
    size: FloatArray | float,
    interval: RateInterval,
    confidence_level: float,
) -> Limits:
    """Return limits of rates within [0, 1]; the counts behind them need not be whole."""
    rates = np.asarray(rate, dtype=np.float64)
    sizes = np.broadcast_to(np.asarray(size, dtype=np.float64), rates.shape)
    of_interval, tail = rate_interval(interval).limits, (1 - confidence_level) / 2
    if rates.ndim == 0:
        return _within(rates, of_interval(rates * sizes, sizes, tail))
    low, high = np.empty(rates.shape), np.empty(rates.shape)
    for some in spans(len(rates)):
        found = of_interval(rates[some] * sizes[some], sizes[some], tail)
        low[some], high[some] = _within(rates[some], found)
    return low, high


def _within(rates: FloatArray, found: Limits) -> Limits:
    """Return limits within [0, 1]: normal ones go beyond, others miss 0 and 1 by rounding."""
    low = np.where(rates == 0, 0.0, np.maximum(found[0], 0.0))
    return low, np.where(rates == 1, 1.0, np.minimum(found[1], 1.0))


def proportion_limits(
    count: float,
    size: float,
    interval: ProportionInterval,
    confidence_level: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """Return both limits; a one-sided alternative moves the other limit to 0 or 1."""
    # The whole of alpha lies in the tail of a one-sided limit: that of a two-sided level.
    level = confidence_level if alternative == "two-sided" else 2 * confidence_level - 1
    low, high = rate_limits(count / size, size, interval, level)
    return (
        0.0 if alternative == "less" else float(low),
        1.0 if alternative == "greater" else float(high),
    )


def binomial_p_value(count: float, size: float, goal: float, alternative: Alternative) -> float:
    """Return the exact p value of a proportion against a goal: binomial tails."""
    # Binomial tails are those of beta distributions.
    at_least = 1.0 if count == 0 else float(sp.betainc(count, size - count + 1, goal))
    at_most = 1.0 if count == size else float(sp.betainc(size - count, count + 1, 1 - goal))
    if alternative != "two-sided":
        return at_least if alternative == "greater" else at_most
    # Twice the smaller tail is what Clopper-Pearson limits invert; the sum of all outcomes that are
    # as improbable can disagree with the limits.
    return min(1.0, 2 * min(at_least, at_most))
