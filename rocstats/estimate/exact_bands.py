"""Guaranteed bands: every point of the true curve within limits of both rates.

The classes are independent, so limits of all rates of each class at the square root of the level
hold jointly at the level [campbell-1994]: Kolmogorov's, or beta limits of equal local levels
[owen-1995]. They bound the true point of every threshold, given how many cases of each class it
calls. At a score that both classes have, the true curve is a straight segment between two such
points, and the edges of the band are straight too. See docs/methods/bands.md, "Joint bands".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from rocstats.curves.roc import roc_points
from rocstats.estimate.band_record import (
    Band,
    BandMethod,
    BandRequest,
    largest_empirical_tpr_at_fpr,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray, Limits
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- Limits of the curve --------------------------------------------------------------------------

LowerLimit = Callable[[FloatArray], FloatArray]
"""The lower limit of a rate, by the number of cases of the class that are called.

The upper limit is its mirror image: 1 less the lower limit of the rate of those not called.
"""


def kolmogorov_joint_band_limits(counts: ScoreCounts, fpr: FloatArray, level: float) -> Limits:
    """Return limits of the TPR at false positive rates by Kolmogorov's bands (Campbell 1994).

    U(t) = R(t + d0) + d1 and L(t) = R(t - d0) - d1 of the empirical curve R, read at the top of
    its vertical steps for U and at their foot for L.
    """

    def least(n: int) -> LowerLimit:
        distance = kolmogorov_quantile(n, np.sqrt(level))
        return lambda called: called / n - distance

    return _joint_band_limits(counts, fpr, least)


def local_level_joint_band_limits(counts: ScoreCounts, fpr: FloatArray, level: float) -> Limits:
    """Return limits of the TPR at false positive rates by bands of equal local levels.

    Where k of n cases are called, their rate lies between the quantile g/2 of Beta(k, n - k + 1)
    and the quantile 1 - g/2 of Beta(k + 1, n - k), g the local level at which all hold at once.
    """

    def least(n: int) -> LowerLimit:
        g = local_level_of_beta_limits(n, np.sqrt(level))

        def limits(called: FloatArray) -> FloatArray:
            # Most rates share their counts, and the inverse is the dearest step of the band.
            k, place = np.unique(called, return_inverse=True)
            inverse = sp.betaincinv(np.maximum(k, 1), n + 1 - k, g / 2)
            return np.asarray(np.where(k > 0, inverse, 0.0)[place])

        return limits

    return _joint_band_limits(counts, fpr, least)


def _joint_band_limits(
    counts: ScoreCounts, fpr: FloatArray, least: Callable[[int], LowerLimit]
) -> Limits:
    """Return both limits; the lower one is the upper one of the curve seen from (1, 1)."""
    points = roc_points(counts)
    fp, tp = points.fp, points.tp
    of_neg, of_pos = least(int(fp[-1])), least(int(tp[-1]))
    high = _upper_joint_band_limit(fp, tp, of_neg, of_pos, fpr)
    low = 1 - _upper_joint_band_limit(fp[-1] - fp[::-1], tp[-1] - tp[::-1], of_neg, of_pos, 1 - fpr)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def _upper_joint_band_limit(
    fp: FloatArray, tp: FloatArray, of_neg: LowerLimit, of_pos: LowerLimit, fpr: FloatArray
) -> FloatArray:
    """Return the upper limit: the curve through (least FPR, largest TPR) of every vertex.

    The last vertex whose least FPR is reached is found by halving: few limits are ever computed.
    """
    last, beyond = np.zeros(len(fpr), dtype=np.intp), np.full(len(fpr), len(fp))
    while (beyond - last > 1).any():
        middle = (last + beyond) // 2
        reached = of_neg(fp[middle]) <= fpr
        last, beyond = np.where(reached, middle, last), np.where(reached, beyond, middle)
    following = np.minimum(beyond, len(fp) - 1)
    # Both edges are straight between vertices: so is the true curve at a score of both classes.
    start, gap = of_neg(fp[last]), of_neg(fp[following]) - of_neg(fp[last])
    share = np.divide(fpr - start, gap, out=np.zeros(len(fpr)), where=gap > 0)
    foot, top = (1 - of_pos(tp[-1] - tp[vertex]) for vertex in (last, following))
    return np.asarray(foot + share * (top - foot))


# --- Quantiles: Kolmogorov's, and the local level of beta limits ----------------------------------

LARGEST_EXACT = 2000
"""Cases of a class up to which ``local_level_of_beta_limits`` is exact."""

# Three sizes for the three terms of the continuation, a factor of 4 apart.
_SIZES = np.array([LARGEST_EXACT // 16, LARGEST_EXACT // 4, LARGEST_EXACT])
_NEGLIGIBLE = 1e-20  # 2000 steps of sums of such terms add up to the rounding error of 1

# To import scipy.stats costs more than to solve for two classes of 1000 cases.
_MOST_SOLVED = 1000
_LEAST_SOLVED = 0.5  # below, both sides are often passed at once and the start is far off
_ONE_SIDED = 0.5  # the curve cannot be as far above and below at once
_FAR = 1e-4  # both sides are passed in exp(-6 n d^2), here 1e-13, of these cases
_MOST_STEPS = 50  # the slope is a limit: each step leaves a tenth of the error or less
_SETTLED = 1e-10  # of the quantile: in the tail, the rounding of the share is some 1e-11 of it


@lru_cache(maxsize=256)
def kolmogorov_quantile(n: int, level: float) -> float:
    """Return the exact quantile of max abs(F_n - F) for n cases of a continuous distribution F."""
    if n > _MOST_SOLVED or level < _LEAST_SOLVED:
        from scipy.stats import kstwo

        return float(kstwo.ppf(level, n))
    return _solved_kolmogorov_quantile(n, level)


def _solved_kolmogorov_quantile(n: int, level: float) -> float:
    """Return the quantile where ``p_order_statistics_within_limits`` is the level."""
    steps = np.arange(1, n + 1) / n
    # Exact where the distance is passed on one side only: nearly so in the tail.
    d = float(sp.smirnovi(n, (1 - level) / 2))
    if d >= _ONE_SIDED or 1 - level <= _FAR:
        return d
    for _ in range(_MOST_STEPS):
        miss = 1 - p_order_statistics_within_limits(np.clip(steps - d, 0.0, None))
        # The slope of the logarithm of the limit 2 exp(-2 n d^2) (Smirnov 1944) is -4 n d.
        change = float(np.log(miss / (1 - level))) / (4 * n * d)
        d += change
        if abs(change) <= _SETTLED * d:
            break
    return d


@lru_cache(maxsize=256)
def local_level_of_beta_limits(n: int, level: float) -> float:
    """Return the g at which all n beta limits hold at once with probability ``level``.

    Exact up to ``LARGEST_EXACT`` cases. Beyond, minus the logarithm of the probability is continued
    through exact values as a + b log n + c / sqrt n (log-odds, in which limits are passed at a
    constant rate, reach as far as log n). That is on the safe side: of n = 10^4 and 10^5 the share
    missed is below 1 - ``level`` by 0.2 % and 0.6 % of it.
    """
    from scipy.optimize import brentq

    def excess(log_g: float) -> float:
        # All limits hold with a probability that is 0 or 1 to rounding where the level is.
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.log(_beta_limits_hazard(n, np.exp(log_g)) / -np.log(level)))

    # The widest bracket: full dependence and Bonferroni. 0.1 covers rounding and the continuation.
    # The limits of one order statistic are missed with probability g, any with at most n g.
    low, high = np.log((1 - level) / n) - 0.1, np.log(1 - level) + 0.1
    if not excess(low) < 0 < excess(high):  # of such a level: Bonferroni is on the safe side
        return float(np.exp(low))
    # 1e-10 of log g is 1e-10 of g, relatively: limits move by less.
    return float(np.exp(brentq(excess, low, high, xtol=1e-10)))


def _beta_limits_hazard(n: int, g: float) -> float:
    """Return minus the logarithm of the probability that all n beta limits hold."""
    if n <= LARGEST_EXACT:
        return -float(np.log(p_order_statistics_within_limits(_beta_lower_limits(n, g))))
    # Weights with which any a + b log n + c/sqrt(n) is its value at n from those at the sizes.
    weights = np.linalg.solve(
        _local_level_continuation_terms(_SIZES), _local_level_continuation_terms(np.array([n]))
    )[:, 0]
    return float(np.dot(weights, [_beta_limits_hazard(int(size), g) for size in _SIZES]))


def _local_level_continuation_terms(sizes: IntArray) -> FloatArray:
    return np.array([np.ones(len(sizes)), np.log(sizes), 1 / np.sqrt(sizes)], dtype=np.float64)


def _beta_lower_limits(n: int, g: float) -> FloatArray:
    order = np.arange(1.0, n + 1)
    return np.asarray(sp.betaincinv(order, n + 1 - order, g / 2), dtype=np.float64)


# --- The probability that all order statistics of uniforms lie within their limits ----------------


def p_order_statistics_within_limits(lower: FloatArray) -> float:
    """Return P(lower_k <= U_k <= 1 - lower_(n+1-k) for all k), U the order statistics of uniforms.

    n uniforms are a Poisson process of rate n on (0, 1) given that it has n points. The
    distribution of its count is carried from limit to limit up to 1/2, and cut there to the counts
    allowed; the other half is the mirror image. All terms are positive: none cancel.
    """
    n = len(lower)
    x, least, most = _order_statistics_corridor(lower)
    terms, reach = _poisson_probabilities(n * np.diff(x, prepend=0.0))
    chances, first = np.ones(1), 0
    for i in range(len(x)):
        # Cf. Khmaladze & Shinjikashvili 2001, Moscovich & Nadler 2017.
        chances = np.convolve(chances, terms[i, : reach[i]])[least[i] - first : most[i] - first + 1]
        first = least[i]
        if len(chances) == 0:
            return 0.0
    half = np.zeros(n + 1)
    half[first : first + len(chances)] = chances
    return float(np.dot(half, half[::-1]) / np.exp(sp.xlogy(n, n) - n - sp.gammaln(n + 1)))


def _order_statistics_corridor(lower: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return all limits up to 1/2 and, last, 1/2, with the least and largest count at each."""
    upper = 1 - lower[::-1]
    below, above = lower[lower <= 0.5], upper[upper <= 0.5]
    x = np.concatenate([below, above, [0.5]])
    order = np.argsort(x, kind="stable")
    # At the k-th lower limit itself at most k - 1 uniforms may lie below.
    is_lower = (np.arange(len(x)) < len(below))[order]
    is_upper = (np.arange(len(x)) >= len(below))[order]
    is_upper &= order < len(x) - 1
    least = np.cumsum(is_upper, dtype=np.int64)
    return x[order], least, np.cumsum(is_lower, dtype=np.int64) - is_lower


def _poisson_probabilities(means: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return Poisson probabilities (a row a mean), and how many of each row matter."""
    largest = float(means.max())
    # 12 standard deviations, and 30 where the mean is small: beyond, terms are below 1e-20.
    k = np.arange(int(largest + 12 * np.sqrt(largest)) + 30)
    mean = means[:, np.newaxis]
    # On the log scale, as k! overflows from k = 171.
    terms = np.exp(sp.xlogy(k, mean) - mean - sp.gammaln(k + 1))
    return terms, len(k) - np.argmax(terms[:, ::-1] > _NEGLIGIBLE, axis=1)


# --- The records ----------------------------------------------------------------------------------


def _maker_of_joint_band(
    limits: Callable[..., Limits],
) -> Callable[[ScoredCases, int, BandRequest], Band]:
    """Return the function that makes a band from limits of a count table, without resamples."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band:
        low, high = limits(cases.counts(k), request.at, request.confidence_level)
        return Band(largest_empirical_tpr_at_fpr(cases, k, request.at), low, high)

    return make


joint = _maker_of_joint_band(kolmogorov_joint_band_limits)


JOINT = BandMethod(
    "joint",
    "joint bands of both classes' Kolmogorov limits",
    joint,
    resamples=False,
    clusters=False,
    guaranteed=True,
    references=("campbell-1994",),
)
JOINT_EXACT = BandMethod(
    "joint-exact",
    "joint bands of both classes' limits of equal local levels",
    _maker_of_joint_band(local_level_joint_band_limits),
    resamples=False,
    clusters=False,
    guaranteed=True,
    references=("owen-1995",),
)
