"""Limits of one proportion, and of sums, differences and ratios of two terms (MOVER).

One proportion: Wilson [wilson-1927], Clopper-Pearson [clopper-1934], mid-p (Clopper and Pearson's
with half the chance of what was seen [lancaster-1961, berry-1995]), Agresti-Coull, Jeffreys, the
normal approximation, the DKW inequality [massart-1990], and the exact test against a goal. MOVER
[zou-2008] makes limits of sums, differences and ratios from the limits of their terms: of one pair,
or at many tables at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.estimate.crossing import find_root
from rocstats.estimate.quantiles import Alternative
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, Limits, spans
from rocstats.facts.methods import Word

# --- Intervals, as requested ----------------------------------------------------------------------

ProportionInterval = Literal["clopper-pearson", "wilson"]
PROPORTION_INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)
"""Intervals offered for a proportion against a goal: those whose test is known."""

RateInterval = Literal[
    "wilson", "clopper-pearson", "mid-p", "agresti-coull", "jeffreys", "normal", "wald", "dkw"
]


# --- Limits of one proportion, at many counts at once ---------------------------------------------


def _wilson_proportion_limits(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    return _wilson_limits_at_z(count, size, float(sp.ndtri(1 - tail)))


def _wilson_limits_at_z(count: FloatArray | float, size: FloatArray | float, z: float) -> Limits:
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
    return _normal_proportion_limits(count + z2 / 2, size + z2, tail)


def _jeffreys(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    a, b = count + 0.5, size - count + 0.5
    low, high = sp.betaincinv(a, b, tail), sp.betaincinv(a, b, 1 - tail)
    return np.asarray(low, dtype=float), np.asarray(high, dtype=float)


def _normal_proportion_limits(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    rate = count / size
    reach = float(sp.ndtri(1 - tail)) * np.sqrt(rate * (1 - rate) / size)
    return rate - reach, rate + reach


def _dkw_proportion_limits(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    # Massart 1990: P(sup |F_n - F| > e) <= 2 exp(-2 n e^2). Each class has half of the chance to
    # miss, which is one tail of it.
    rate, reach = count / size, np.sqrt(np.log(2 / tail) / (2 * size))
    return rate - reach, rate + reach


# --- Mid-p limits ---------------------------------------------------------------------------------

# Newton steps double the digits and bisections halve the bracket: 60 of these alone leave 1e-18.
_STEPS = 60


def mid_p_limits(count: FloatArray, size: FloatArray, tail: float) -> Limits:
    """Return the rates at which P(X > x) + P(X = x)/2 and P(X < x) + P(X = x)/2 are the tail.

    Counts and sizes need not be whole: tails are incomplete beta functions (Berry & Armitage 1995).
    """
    return _mid_p_lower(count, size - count, tail), 1 - _mid_p_lower(size - count, count, tail)


def _mid_p_lower(called: FloatArray, others: FloatArray, tail: float) -> FloatArray:
    """Return the lower limits of ``called`` among ``called + others`` cases; 0 of 0 cases."""
    low = np.zeros(np.shape(called))
    some, every = called > 0, others <= 0
    # P(X > n) is 0, so that half of p^n is the tail; never above 1, with less than one case.
    low[every & some] = np.minimum(2 * tail, 1.0) ** (1 / called[every & some])
    inside = some & ~every
    low[inside] = _mid_p_root(called[inside], others[inside], tail)
    return low


def _mid_p_root(x: FloatArray, rest: FloatArray, tail: float) -> FloatArray:
    """Return where the mean of P(X >= x) and P(X > x) is the tail; each alone brackets it."""
    low, high = sp.betaincinv(x, rest + 1, tail), sp.betaincinv(x + 1, rest, tail)
    rate = np.sqrt(low * high)
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            excess = (sp.betainc(x, rest + 1, rate) + sp.betainc(x + 1, rest, rate)) / 2 - tail
            low, high = np.where(excess < 0, rate, low), np.where(excess < 0, high, rate)
            next_rate = rate - excess / _mid_p_slope(x, rest, rate)
            within = (low <= next_rate) & (next_rate <= high)
            # Limits of less than one case differ by powers of ten: bisect their logarithms.
            next_rate = np.where(within, next_rate, np.sqrt(low * high))
            # Newton's error is about the square of its step: after 1e-10 only rounding is left.
            settled, rate = np.abs(next_rate - rate) <= 1e-10 * rate, next_rate
            if settled.all():
                break
    return np.asarray(rate)


def _mid_p_slope(x: FloatArray, rest: FloatArray, rate: FloatArray) -> FloatArray:
    """Return the slope of the tail in the rate: the mean of two beta densities."""
    n = x + rest
    log = sp.xlogy(x - 1, rate) + sp.xlogy(rest - 1, 1 - rate) + sp.gammaln(n + 1)
    shared = np.exp(log - sp.gammaln(x + 1) - sp.gammaln(rest + 1))
    # Beta(x, rest + 1) has the factor x(1 - rate), Beta(x + 1, rest) the factor rest rate.
    return np.asarray(shared * (x * (1 - rate) + rest * rate) / 2)


# --- The intervals by name ------------------------------------------------------------------------


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
    BinomialInterval(
        "wilson", _wilson_proportion_limits, "by the method of Wilson", "Wilson", ("wilson-1927",)
    ),
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
    BinomialInterval("normal", _normal_proportion_limits, "by the normal approximation"),
    BinomialInterval("wald", _normal_proportion_limits, "by the normal approximation", "Wald"),
    BinomialInterval(
        "dkw",
        _dkw_proportion_limits,
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


# --- One proportion: limits, and the exact test against a goal ------------------------------------


def wilson_limit_of_proportion(count: float, size: float, quantile: float) -> float:
    """Return Wilson's limit of a proportion at a normal quantile (negative: the lower one)."""
    return float(np.clip(_wilson_limits_at_z(count, size, -quantile)[0], 0.0, 1.0))


def wilson_centre(rate: FloatArray | float, size: FloatArray | float, z2: float) -> FloatArray:
    """Return the centre (n p + z^2/2)/(n + z^2) of Wilson's interval at a squared quantile."""
    return np.asarray((size * rate + z2 / 2) / (size + z2))


def binomial_limits_of_rates(
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
        return _limits_within_0_and_1(rates, of_interval(rates * sizes, sizes, tail))
    low, high = np.empty(rates.shape), np.empty(rates.shape)
    for some in spans(len(rates)):
        found = of_interval(rates[some] * sizes[some], sizes[some], tail)
        low[some], high[some] = _limits_within_0_and_1(rates[some], found)
    return low, high


def _limits_within_0_and_1(rates: FloatArray, found: Limits) -> Limits:
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
    low, high = binomial_limits_of_rates(count / size, size, interval, level)
    return (
        0.0 if alternative == "less" else float(low),
        1.0 if alternative == "greater" else float(high),
    )


def effective_wilson_limit(share: float, size: float, variance: float, at: float) -> float:
    """Return Wilson's limit of a share at a normal quantile, with an effective sample size.

    With p = (size share + z^2/2)/(size + z^2), z the quantile, n_eff = p(1 - p)/variance, at most
    ``size``.
    """
    z2 = at**2
    adjusted = float(wilson_centre(share, size, z2))
    spread = adjusted * (1 - adjusted)
    if spread == 0:  # a share of 0 or 1, and a quantile so near 0 that it moves nothing
        return share
    # No more than the cases at hand, whatever the quantile: with size + z^2, which grows with it,
    # limits of shares without a variance would reach no null value, and the test would print p = 0.
    effective = spread / max(variance, spread / size)
    # The share keeps its value: only the size changes.
    return wilson_limit_of_proportion(share * effective, effective, at)


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


# --- MOVER of one difference, and the test that its limits invert ---------------------------------

Limit = Callable[[float], float]
"""A confidence limit as a function of a normal quantile, negative for lower limits."""

LARGEST_Z = 38.0  # the normal tail beyond is under 3e-316, below the least normal double


def mover_limit(
    estimate: float,
    first: float,
    second: float,
    correlation: float,
    at: float,
    *,
    furthest: float = 1.0,
) -> float:
    """Return a limit of a difference of two measures from the limits of both (MOVER).

    ``first`` and ``second`` are the distances from each term to its own limit. A lower limit uses
    the lower limit of the first term and the upper limit of the second (Zou & Donner 2008).
    ``furthest`` is the largest possible difference, that of shares being 1.
    """
    # ``first`` and ``second`` have opposite signs, so that a positive correlation shortens.
    squares = first**2 + second**2 + 2 * correlation * first * second
    reach = float(np.sqrt(max(squares, 0.0)))
    return float(np.clip(estimate + np.sign(at) * reach, -furthest, furthest))


def z_where_limit_reaches_null(
    limit: Limit, estimate: float, null_value: float, beyond: float = LARGEST_Z
) -> float:
    """Return the z at which a limit reaches the null value; ``beyond`` (> 0) if none does."""
    if estimate == null_value:
        return 0.0
    sign = 1.0 if estimate > null_value else -1.0

    def distance(z: float) -> float:
        # Limits at z = 0 are the estimate, where the root searches of some limits have no bracket.
        reached = estimate if z == 0 else limit(-sign * z)
        return sign * (reached - null_value)

    if distance(LARGEST_Z) > 0:  # by default p is 0 to all digits
        return sign * beyond
    # The distance is above 0 at z = 0; an error of 1e-13 in z is under 1e-12 of p, relative to p,
    # while z is below 10.
    return sign * find_root(distance, 0.0, LARGEST_Z, xtol=1e-13)


# --- MOVER at many tables at once: sums and ratios from the limits of their terms -----------------


class MoverTerm(NamedTuple):
    """An estimate with its limits."""

    value: FloatArray
    low: FloatArray
    high: FloatArray

    def times(self, factor: FloatArray | float) -> MoverTerm:
        """Return the term times a number; a negative one exchanges the limits."""
        ends = self.low * factor, self.high * factor
        return MoverTerm(self.value * factor, np.minimum(*ends), np.maximum(*ends))

    @property
    def log(self) -> MoverTerm:
        """Natural logarithm of a term that is not negative."""
        # log 0 is -inf on purpose: ``mover_sum_limits`` knows what to do with infinite terms.
        with np.errstate(divide="ignore"):
            return MoverTerm(np.log(self.value), np.log(self.low), np.log(self.high))

    @property
    def logit(self) -> MoverTerm:
        """Logit of a share."""
        with np.errstate(divide="ignore"):
            # log1p keeps the digits of shares near 0.
            return MoverTerm(*(np.log(x) - np.log1p(-x) for x in (self.value, self.low, self.high)))


def mover_sum_limits(terms: Sequence[MoverTerm], correlation: FloatArray | float = 0.0) -> Limits:
    """Return the limits of a sum; the correlation is that of its first two terms.

    Where a term is infinite, both limits are the sums of the limits of the terms, which are never
    too narrow.
    """
    with np.errstate(invalid="ignore"):
        value = sum(term.value for term in terms)
        # Zou & Donner 2008: distances to the limits are added in squares, as variances are.
        low = value - _mover_reach_of_sum(
            [abs(term.value - term.low) for term in terms], correlation
        )
        high = value + _mover_reach_of_sum(
            [abs(term.value - term.high) for term in terms], correlation
        )
        low_edge, high_edge = sum(term.low for term in terms), sum(term.high for term in terms)
    return (
        np.where(np.isfinite(low), low, low_edge),
        np.where(np.isfinite(high), high, high_edge),
    )


def _mover_reach_of_sum(
    distances: Sequence[FloatArray], correlation: FloatArray | float
) -> FloatArray:
    squares = sum(distance**2 for distance in distances)
    shared = 2 * correlation * distances[0] * distances[1] if len(distances) > 1 else 0.0
    # A correlation of -1 with equal distances leaves less than 0 by rounding.
    return np.sqrt(np.maximum(squares + shared, 0.0))


def mover_ratio_limits(
    first: MoverTerm, second: MoverTerm, correlation: FloatArray | float = 0.0
) -> Limits:
    """Return the limits of first over second, both not negative, from those of their logarithms."""
    low, high = mover_sum_limits([first.log, second.log.times(-1.0)], -np.asarray(correlation))
    return np.exp(low), np.exp(high)


def mover_odds_ratio_limits(
    first: MoverTerm, second: MoverTerm, correlation: FloatArray | float = 0.0
) -> Limits:
    """Return the limits of the odds of one share over those of another."""
    low, high = mover_sum_limits([first.logit, second.logit.times(-1.0)], -np.asarray(correlation))
    return np.exp(low), np.exp(high)
