"""Two classifiers on the same cases of one class: McNemar's tests, limits of Tango, Newcombe, Tang.

Only discordant cases distinguish the two: b called by the first alone, c by the second alone.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.stats.crossing import crossing
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.stats.intervals.rates.mover import mover_limit
from rocstats.stats.intervals.rates.proportions import wilson

PairedTest = Literal["mid-p", "exact", "asymptotic"]
PAIRED_TESTS: tuple[PairedTest, ...] = ("mid-p", "exact", "asymptotic")
# On the log scale: a limit lies about z^2 times the number of cases beyond the ratio at most, and
# e^60 is 10^26.
_FURTHEST = 60.0


class PairedTable(NamedTuple):
    """Cases called by both classifiers, by the first alone, by the second alone, by neither."""

    both: float
    first: float
    second: float
    neither: float

    @property
    def size(self) -> float:
        """Number of cases."""
        return self.both + self.first + self.second + self.neither

    @property
    def share_first(self) -> float:
        """Share of cases that the first classifier calls."""
        return (self.both + self.first) / self.size

    @property
    def share_second(self) -> float:
        """Share of cases that the second classifier calls."""
        return (self.both + self.second) / self.size

    @property
    def difference(self) -> float:
        """Share of the first minus that of the second."""
        return (self.first - self.second) / self.size

    @property
    def se(self) -> float:
        """Standard error of the difference, unrestricted: sqrt(b + c - (b - c)^2/n)/n."""
        gap = self.first - self.second
        return float(np.sqrt(self.first + self.second - gap**2 / self.size)) / self.size

    @property
    def ratio(self) -> float:
        """Share of the first over that of the second: infinite over 0, NaN where both are 0."""
        first, second = self.both + self.first, self.both + self.second
        if second == 0:
            return np.inf if first > 0 else np.nan
        return first / second

    @property
    def log_ratio_se(self) -> float:
        """Standard error of the logarithm of the ratio; NaN where that is infinite."""
        product = (self.both + self.first) * (self.both + self.second)
        return float(np.sqrt((self.first + self.second) / product)) if product > 0 else np.nan

    def swapped(self) -> PairedTable:
        """Return the table with the classifiers exchanged."""
        return PairedTable(self.both, self.second, self.first, self.neither)


def mcnemar_p_value(table: PairedTable, test: PairedTest, alternative: Alternative) -> float:
    """Return the p value of equal shares; "greater" is a larger share of the first.

    Given b + c, b is Binomial(b + c, 1/2). "mid-p" counts half of the probability of the observed
    b; two-sided p values are twice the smaller tail.
    """
    b, c = table.first, table.second
    if test == "asymptotic":
        return p_value(tango_statistic(table, 0.0), np.inf, alternative)
    if alternative == "two-sided":
        sides = [mcnemar_p_value(table, test, side) for side in ("greater", "less")]
        return min(1.0, 2 * min(sides))
    fewer, n = (c, b + c) if alternative == "greater" else (b, b + c)
    tail = float(sp.bdtr(fewer, int(n), 0.5))  # McNemar 1947: a fair coin for each discordant case
    if test == "exact":
        return tail
    # Fagerland, Lydersen & Laake 2013: half of the probability of the table observed.
    here = tail - (float(sp.bdtr(fewer - 1, int(n), 0.5)) if fewer > 0 else 0.0)
    return tail - here / 2


def tango_statistic(table: PairedTable, null_value: float) -> float:
    """Return Tango's (1998) score z of the difference; at 0 its square is McNemar's chi-square."""
    distance = table.first - table.second - table.size * null_value
    # Inside (-1, 1) the variance is 0 only at 0 and without discordant cases.
    return float(distance / np.sqrt(_variance_at(table, null_value))) if distance != 0 else 0.0


def tango_limit(table: PairedTable, quantile: float) -> float:
    """Return Tango's limit of the difference at a normal quantile (negative: the lower one)."""
    if quantile > 0:  # the mirror image: the classifiers trade places
        return -tango_limit(table.swapped(), -quantile)
    n, estimate, z2 = table.size, table.difference, quantile**2
    # Where the variance is 0 at the estimate too, the root apart from it has a closed form.
    if table.first + table.second == 0:
        return -z2 / (n + z2)
    if table.first == n:
        return (n - z2) / (n + z2)
    if table.second == n:
        return -1.0

    def excess(t: float) -> float:
        return n * (estimate - t) + quantile * float(np.sqrt(_variance_at(table, t)))

    # Positive at -1, where the variance is 0; negative at the estimate, or 0 if the quantile is.
    return crossing(excess, -1.0, estimate, xtol=1e-15)


def _variance_at(table: PairedTable, t: float) -> float:
    """Return the variance of b - c when the difference is t, c's share estimated under it."""
    n, b, c = table.size, table.first, table.second
    # -B of Tango's quadratic 2n q^2 + B q - c t(1 - t) = 0 (docs/methods/paired-tables.md, "Limits
    # of paired differences").
    half = b + c - (2 * n - b + c) * t
    root = float(np.sqrt(max(half**2 + 8 * n * c * t * (1 - t), 0.0)))
    # Of the two forms of the root the one that does not cancel.
    q = (root + half) / (4 * n) if half >= 0 else 2 * c * t * (1 - t) / (root - half)
    return max(n * (2 * q + t * (1 - t)), 0.0)


def newcombe_limit(table: PairedTable, quantile: float) -> float:
    """Return the limit of the difference by Newcombe's (1998) method 10 at a normal quantile."""
    n = table.size
    counts = (table.both + table.first, table.both + table.second)
    first = wilson(counts[0], n, quantile) - table.share_first
    second = wilson(counts[1], n, -quantile) - table.share_second
    return mover_limit(table.difference, first, second, correlation(table), quantile)


def correlation(table: PairedTable) -> float:
    """Return phi of the two calls with Newcombe's correction for continuity; 0 if a margin is 0."""
    a, b, c, d = table.both, table.first, table.second, table.neither
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    if margins == 0:  # calls that do not vary: phi is 0/0
        return 0.0
    return (max(cross - table.size / 2, 0.0) if cross > 0 else cross) / float(np.sqrt(margins))


def tang_limit(table: PairedTable, quantile: float) -> float:
    """Return Tang's (2003) limit of the ratio of shares at a normal quantile.

    It inverts the score test, whose statistic at 1 is McNemar's. The lower limit of a ratio of 0 is
    0, the upper one of an infinite ratio infinite; cases that neither calls do not count.
    """
    if quantile < 0:  # the mirror image: the classifiers trade places
        upper = tang_limit(table.swapped(), -quantile)
        return 1 / upper
    a, b, c, z2 = table.both, table.first, table.second, quantile**2
    if a + c == 0:
        return np.inf
    # Where the variance is 0 at the estimate too, the root apart from it has a closed form.
    if a + b == 0:
        return z2 / c
    if b + c == 0:
        return 1 + z2 / a

    def excess(log_ratio: float) -> float:
        ratio = float(np.exp(log_ratio))
        distance = a + b - ratio * (a + c)
        return distance + quantile * float(np.sqrt(_variance_of_ratio(table, ratio)))

    start = float(np.log(table.ratio))
    return float(np.exp(crossing(excess, start, start + _FURTHEST, xtol=1e-14)))


def _variance_of_ratio(table: PairedTable, ratio: float) -> float:
    """Return the variance of x1 - ratio x2, the second's share alone estimated under the ratio."""
    a, b, c = table.both, table.first, table.second
    called = a + b + c
    # (1 + ratio) q^2 - half q + rest = 0 for the expected number q of calls of the second alone.
    half, rest = a + b + 2 * c - (a + c) * ratio**2, c * (1 - ratio) * called
    root = float(np.sqrt(max(half**2 - 4 * (1 + ratio) * rest, 0.0)))
    # Of the two forms of the root the one that does not cancel.
    q = (root + half) / (2 * (1 + ratio)) if half >= 0 else 2 * rest / (half - root)
    return max((1 + ratio) * q + (ratio - 1) * called, 0.0)
