"""Confusion table against chance: exact tests, and limits of the difference of both rates."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.estimate.proportions import mover_limit, wilson_limit_of_proportion
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray

TableTest = Literal["fisher", "mid-p", "boschloo"]
TABLE_TESTS = ("fisher", "mid-p", "boschloo")
_WINDOW = 40  # standard deviations: exp(-40^2/2) is below the least number in floating point

# Two-sided p values sum the tables that are no more probable than the observed one. Equal
# probabilities differ by rounding; R's fisher.test has the same factor.
_SAME = 1 + 1e-7

_REACH = 10  # standard deviations of a binomial count: tails below 1e-22
_NEAR_BEST = 0.8  # of the largest value at half standard deviations: peaks between may be higher


class TwoByTwoTable(NamedTuple):
    """Cases called positive among m positives and n negatives."""

    tp: float
    fp: float
    n_pos: float
    n_neg: float

    @property
    def tpr(self) -> float:
        """True positive rate."""
        return self.tp / self.n_pos

    @property
    def fpr(self) -> float:
        """False positive rate."""
        return self.fp / self.n_neg


def two_by_two_p_value(table: TwoByTwoTable, method: TableTest, alternative: Alternative) -> float:
    """Return the p value of tpr = fpr; "greater" is tpr > fpr."""
    if method == "boschloo":
        return _boschloo(table, alternative)
    called = table.tp + table.fp
    total = table.n_pos + table.n_neg
    tp = _likely_counts(table, called, total)
    mass = _hypergeometric(tp, table, called)
    here = float(mass[tp == table.tp].sum())
    if alternative == "two-sided":
        p = float(mass[mass <= here * _SAME].sum())
    else:
        as_good = tp >= table.tp if alternative == "greater" else tp <= table.tp
        p = float(mass[as_good].sum())
    return min(1.0, p - here / 2 if method == "mid-p" else p)


def _likely_counts(table: TwoByTwoTable, called: float, total: float) -> FloatArray:
    """Return the numbers of true positives whose probability is above 0 in floating point."""
    mean = called * table.n_pos / total
    variance = mean * (table.n_neg / total) * (total - called) / max(total - 1, 1)
    reach = _WINDOW * float(np.sqrt(variance)) + 1
    least = max(0.0, called - table.n_neg, np.floor(mean - reach))
    most = min(called, table.n_pos, np.ceil(mean + reach))
    return np.arange(least, most + 1)


def _hypergeometric(tp: FloatArray, table: TwoByTwoTable, called: float) -> FloatArray:
    """Return the probabilities of numbers of true positives, each one more than the one before."""
    k = tp[:-1]
    ratio = (table.n_pos - k) * (called - k) / ((k + 1) * (table.n_neg - called + k + 1))
    # From the most probable number outwards, where products of ratios only fall.
    top = int(np.count_nonzero(ratio >= 1))
    below = np.cumprod(1 / ratio[:top][::-1])[::-1]
    relative = np.concatenate([below, [1.0], np.cumprod(ratio[top:])])
    return np.asarray(relative / relative.sum())


def _boschloo(table: TwoByTwoTable, alternative: Alternative) -> float:
    """Return Boschloo's p value; the classes are the columns, whose totals are fixed."""
    pos, neg = (int(table.tp), int(table.n_pos)), (int(table.fp), int(table.n_neg))
    called = pos[0] + neg[0]
    if called in (0, pos[1] + neg[1]):  # all cases, or none, are called positive
        return 1.0
    if alternative != "two-sided":
        return _boschloo_less(pos, neg) if alternative == "less" else _boschloo_less(neg, pos)
    return min(1.0, 2 * min(_boschloo_less(pos, neg), _boschloo_less(neg, pos)))


def _boschloo_less(low: tuple[int, int], high: tuple[int, int]) -> float:
    """Return Boschloo's one-sided p value of the first count of cases being few, (count, size)."""
    (x, m), (y, n) = low, high
    counts = np.arange(m + 1)[:, np.newaxis] + np.arange(n + 1)
    logs = _log_choices(m)[:, np.newaxis] + _log_choices(n) - _log_choices(m + n)[counts]
    mass = np.exp(logs)
    tail = mass.copy()  # Fisher's p value of each table: P(X <= x) given x + y
    # One table of the same margins after the other, for all margins at once.
    if m <= n:
        for row in range(1, m + 1):
            tail[row, :-1] += tail[row - 1, 1:]
    else:
        for column in range(n - 1, -1, -1):
            tail[1:, column] += tail[:-1, column + 1]
    # Logarithms of factorials of all cases are known to some units of their last place.
    rejected = tail <= tail[x, y] * (1 + 4e-15 * float(sp.gammaln(m + n + 1)))
    given = np.bincount(counts[rejected], mass[rejected], minlength=m + n + 1)
    return min(1.0, _largest_binomial_mixture(np.asarray(given, dtype=np.float64)))


def _log_choices(n: int) -> FloatArray:
    """Return the logarithms of the binomial coefficients of n."""
    k = np.arange(n + 1.0)
    return np.asarray(sp.gammaln(n + 1) - sp.gammaln(k + 1) - sp.gammaln(n - k + 1))


def _largest_binomial_mixture(given: FloatArray) -> float:
    """Return the maximum over rates of the mean of ``given[k]`` with k binomial."""
    from scipy.optimize import minimize_scalar

    n = len(given) - 1
    choices = _log_choices(n)

    def mean(angle: float) -> float:
        rate = float(np.sin(angle)) ** 2
        reach = _REACH * (float(np.sqrt(n * rate * (1 - rate))) + _REACH)
        least, most = max(0, int(n * rate - reach)), min(n, int(n * rate + reach))
        k = np.arange(least, most + 1.0)
        logs = choices[least : most + 1] + sp.xlogy(k, rate) + sp.xlog1py(n - k, -rate)
        return float(given[least : most + 1] @ np.exp(logs))

    # The arcsine scale, on which a binomial share has the standard deviation 1/(2 sqrt(n)).
    angles = np.linspace(0, np.pi / 2, int(6 * np.sqrt(n)) + 20)
    means = np.array([mean(angle) for angle in angles])
    inner = means[1:-1]
    peaks = np.flatnonzero((inner >= means[:-2]) & (inner >= means[2:])) + 1
    best = float(means.max())
    # A peak between two angles is higher than both by some percent at most.
    for peak in peaks[means[peaks] > _NEAR_BEST * best]:
        ends = (float(angles[peak - 1]), float(angles[peak + 1]))
        found = minimize_scalar(lambda angle: -mean(angle), bounds=ends, method="bounded")
        best = max(best, -float(found.fun))
    return best


def pooled_z(table: TwoByTwoTable) -> float:
    """Return the z of tpr - fpr with pooled variance; 0 where all cases are called alike."""
    called = (table.tp + table.fp) / (table.n_pos + table.n_neg)
    variance = called * (1 - called) * (1 / table.n_pos + 1 / table.n_neg)
    return (table.tpr - table.fpr) / float(np.sqrt(variance)) if variance > 0 else 0.0


def newcombe_rate_difference_limits(
    table: TwoByTwoTable, confidence_level: float, alternative: Alternative
) -> tuple[float, float]:
    """Return Newcombe's hybrid limits of tpr - fpr, from the Wilson limits of both rates."""
    tpr, fpr = table.tpr, table.fpr

    def limit(at: float) -> float:
        # Newcombe 1998, method 10.
        of_tpr = wilson_limit_of_proportion(table.tp, table.n_pos, at) - tpr
        of_fpr = wilson_limit_of_proportion(table.fp, table.n_neg, -at) - fpr
        return mover_limit(tpr - fpr, of_tpr, of_fpr, 0.0, at)

    return limits_at_both_quantiles(limit, confidence_level, alternative)
