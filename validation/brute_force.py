"""Areas, their variances and limits by definition: slow, exact, and sharing no code with rocstats.

Sums run over all pairs, triples or quadruples of cases in rational numbers; only roots, quantiles
and tails are floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import TypeVar

from scipy import stats

Matrix = list[list[int]]
Number = TypeVar("Number", float, Fraction)
Case = tuple[float, bool, int]
"""Score, whether positive, and how many such cases there are."""

Vertex = tuple[float, int | Fraction, int | Fraction]
"""Threshold, and what is at or above it of negatives and of positives."""


@dataclass(frozen=True)
class Pairs:
    """Twice the kernel, 2 psi(x_i, y_j): 2 if x_i > y_j, 1 if they are equal, else 0."""

    twice: Matrix

    @classmethod
    def of(cls, pos: Sequence[float], neg: Sequence[float]) -> Pairs:
        """Compare every positive with every negative."""
        return cls([[2 if x > y else int(x == y) for y in neg] for x in pos])

    @property
    def m(self) -> int:
        """Number of positives."""
        return len(self.twice)

    @property
    def n(self) -> int:
        """Number of negatives."""
        return len(self.twice[0])

    @property
    def area(self) -> Fraction:
        """Mean of the kernel."""
        return Fraction(sum(map(sum, self.twice)), 2 * self.m * self.n)

    @property
    def of_pos(self) -> list[Fraction]:
        """Placement of each positive: the share of negatives it outranks."""
        return [Fraction(sum(row), 2 * self.n) for row in self.twice]

    @property
    def of_neg(self) -> list[Fraction]:
        """Placement of each negative: the share of positives that outrank it."""
        columns = zip(*self.twice, strict=True)
        return [Fraction(sum(column), 2 * self.m) for column in columns]


def sample_covariance(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """Return the covariance of two lists with the divisor n - 1."""
    mean_a, mean_b = sum(a, Fraction()) / len(a), sum(b, Fraction()) / len(b)
    products = ((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    return sum(products, Fraction()) / (len(a) - 1)


def delong_parts(one: Pairs, two: Pairs) -> tuple[Fraction, Fraction]:
    """Return S10/m and S01/n of two predictors on the same cases (DeLong et al. 1988)."""
    s10 = sample_covariance(one.of_pos, two.of_pos)
    s01 = sample_covariance(one.of_neg, two.of_neg)
    return s10 / one.m, s01 / one.n


def delong(one: Pairs, two: Pairs | None = None) -> Fraction:
    """Return DeLong's variance of an area, or covariance of two."""
    return sum(delong_parts(one, one if two is None else two), Fraction())


def delong_difference(one: Pairs, two: Pairs) -> Fraction:
    """Return DeLong's variance of the difference of two areas."""
    return delong(one) + delong(two) - 2 * delong(one, two)


def ledell(folds: Sequence[Pairs]) -> Fraction:
    """Return the influence-function variance of a cross-validated area (LeDell et al. 2015).

    sigma^2 / N, sigma^2 the mean over folds of the mean squared influence value, which is
    (V10 - A_v) N / P for a positive and (V01 - A_v) N / Q for a negative, P and Q of all N cases.
    """
    positives, negatives = sum(p.m for p in folds), sum(p.n for p in folds)
    total = positives + negatives
    squares = Fraction()
    for p in folds:
        values = [(v - p.area) * total / positives for v in p.of_pos]
        values += [(v - p.area) * total / negatives for v in p.of_neg]
        squares += sum((v * v for v in values), Fraction()) / len(values)
    return squares / len(folds) / total


def jackknife(pairs: Pairs) -> Fraction:
    """Return the two-sample delete-one jackknife variance, each area computed anew."""
    total = Fraction()
    for twice in (pairs.twice, [list(column) for column in zip(*pairs.twice, strict=True)]):
        size = len(twice)
        left = [Pairs(twice[:i] + twice[i + 1 :]).area for i in range(size)]
        total += sample_covariance(left, left) * (size - 1) ** 2 / size
    return total


def unbiased(pairs: Pairs) -> Fraction:
    """Return the unbiased variance: A^2 minus the mean of k_ij k_ab over i != a and j != b."""
    k, m, n = pairs.twice, pairs.m, pairs.n
    total = 0
    for i in range(m):
        for a in range(m):
            if a != i:
                row, other = k[i], k[a]
                total += sum(row[j] * other[b] for j in range(n) for b in range(n) if b != j)
    return pairs.area**2 - Fraction(total, 4 * m * (m - 1) * n * (n - 1))


def bootstrap(pairs: Pairs) -> Fraction:
    """Return the variance of A* when both classes are resampled, over all index patterns.

    Two of the mn terms of A* share both indices, the positive, the negative, or neither.
    """
    k, m, n = pairs.twice, pairs.m, pairs.n
    both = Fraction(sum(v * v for row in k for v in row), 4 * m * n)
    same_pos = Fraction(sum(u * v for row in k for u in row for v in row), 4 * m * n * n)
    columns = [list(column) for column in zip(*k, strict=True)]
    same_neg = Fraction(sum(u * v for c in columns for u in c for v in c), 4 * n * m * m)
    second = both + (n - 1) * same_pos + (m - 1) * same_neg
    return (second + (m - 1) * (n - 1) * pairs.area**2) / (m * n) - pairs.area**2


def _both_above(one: int, two: int) -> Fraction:
    """Return P(two scores outrank a third), from twice their kernels; ties split at random."""
    if one == two == 1:
        return Fraction(1, 3)
    return Fraction(one * two, 4)


def data_terms(pairs: Pairs) -> tuple[Fraction, Fraction]:
    """Return Q1 and Q2 of Hanley & McNeil (1982) over all triples, drawn with replacement."""
    k, m, n = pairs.twice, pairs.m, pairs.n
    columns = [list(column) for column in zip(*k, strict=True)]
    q1 = sum((_both_above(u, v) for c in columns for u in c for v in c), Fraction())
    q2 = sum((_both_above(u, v) for row in k for u in row for v in row), Fraction())
    return q1 / (n * m * m), q2 / (m * n * n)


def hanley_mcneil_data(pairs: Pairs) -> Fraction:
    """Return the variance of Hanley & McNeil (1982), Q1 and Q2 from the data."""
    area, (q1, q2) = pairs.area, data_terms(pairs)
    return _three_terms(area, q1, q2, pairs.m, pairs.n)


def hanley_mcneil(area: Number, m: int, n: int) -> Number:
    """Return the variance of Hanley & McNeil (1982) for exponential scores."""
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    return _three_terms(area, q1, q2, m, n)


def newcombe(area: float, m: int, n: int) -> float:
    """Return the variance of Newcombe's (2006) method 5."""
    half = (m + n) / 2 - 1
    inside = 1 + half * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) / (m * n) * inside


def _three_terms(area: Number, q1: Number, q2: Number, m: int, n: int) -> Number:
    first = area * (1 - area)
    return (first + (m - 1) * (q1 - area * area) + (n - 1) * (q2 - area * area)) / (m * n)


VARIANCES: dict[str, Callable[[Pairs], Fraction]] = {
    "delong": delong,
    "hanley-mcneil": lambda pairs: hanley_mcneil(pairs.area, pairs.m, pairs.n),
    "hanley-mcneil-data": hanley_mcneil_data,
    "unbiased": unbiased,
    "bootstrap": bootstrap,
}


def z_of(level: float) -> float:
    """Return the standard normal quantile of a two-sided level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def t_of(level: float, df: float) -> float:
    """Return the quantile of Student's t of a two-sided level."""
    return float(stats.t.ppf((1 + level) / 2, df))


def normal_tail(z: float) -> float:
    """Return P(Z > z)."""
    return math.erfc(z / math.sqrt(2)) / 2


def satterthwaite(parts: Sequence[Fraction], df: Sequence[int | Fraction]) -> Fraction:
    """Return (sum of parts)^2 / sum(part^2 / df)."""
    below = sum((part * part / d for part, d in zip(parts, df, strict=True)), Fraction())
    return sum(parts, Fraction()) ** 2 / below


def wald_limits(area: float, se: float, z: float) -> tuple[float, float]:
    """Return A -+ z se, not clipped."""
    return area - z * se, area + z * se


def logit(p: float) -> float:
    """Return log(p / (1 - p))."""
    return math.log(p) - math.log1p(-p)


def logit_limits(area: float, se: float, z: float) -> tuple[float, float]:
    """Return Wald limits of the log odds, taken back."""
    half = z * se / (area * (1 - area))
    low, high = (1 / (1 + math.exp(-(logit(area) + step))) for step in (-half, half))
    return low, high


def probit_limits(area: float, se: float, z: float) -> tuple[float, float]:
    """Return Wald limits of the normal deviate, taken back."""
    normal = NormalDist()
    middle = normal.inv_cdf(area)
    half = z * se / normal.pdf(middle)
    return normal_tail(half - middle), normal_tail(-half - middle)


def score_limits(
    area: float, m: int, n: int, z: float, variance: Callable[[float, int, int], float]
) -> tuple[float, float]:
    """Return the two roots of (A - theta)^2 = z^2 variance(theta), by halving.

    At A = 1 the root 1 is divided out, at A = 0 the root 0.
    """

    def excess(theta: float) -> float:
        return (area - theta) ** 2 - z * z * variance(theta, m, n)

    low = high = area
    if area == 1:
        low = _halve(lambda t: 1 - t - z * z * variance(t, m, n) / (1 - t), 0.0, 1 - 1e-9)
    elif area > 0:
        low = _halve(excess, 0.0, area)
    if area == 0:
        high = _halve(lambda t: t - z * z * variance(t, m, n) / t, 1e-9, 1.0)
    elif area < 1:
        high = _halve(excess, area, 1.0)
    return low, high


def _halve(f: Callable[[float], float], low: float, high: float) -> float:
    rises = f(high) > 0
    if rises == (f(low) > 0):
        raise ValueError("no change of sign")
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if (f(middle) > 0) == rises else (middle, high)
    return low


def root_of(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a falling function by bisection."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's limits, the roots of (p - q)^2 = z^2 q (1 - q)/n in q."""
    a, b, c = 1 + z * z / n, 2 * p + z * z / n, p * p
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return (b - root) / (2 * a), (b + root) / (2 * a)


def tango_z(b: int, c: int, n: int, t: float) -> float:
    """Return Tango's z at the difference t of b and c cases of n, by the largest likelihood."""

    def slope(q: float) -> float:
        # Of b log(q + t) + c log(q) + (n - b - c) log(1 - t - 2 q), c's share being q.
        terms = ((b, q + t, 1), (c, q, 1), (n - b - c, 1 - t - 2 * q, -2))
        return sum(times * count / max(share, 1e-300) for count, share, times in terms)

    q = root_of(slope, max(0.0, -t), (1 - t) / 2)
    return (b - c - n * t) / math.sqrt(max(n * (2 * q + t - t * t), 1e-300))


def tango_limit(b: int, c: int, n: int, z: float) -> float:
    """Return Tango's upper limit, where his z is -z; his lower limit for a negative z."""
    difference = (b - c) / n
    ends = (difference, 1.0) if z > 0 else (-1.0, difference)
    return root_of(lambda t: tango_z(b, c, n, t) + z, *ends)


def vertices_of(cases: Sequence[Case]) -> list[Vertex]:
    """Return the vertices of a curve: for every score, count the cases at or above it."""
    thresholds = [math.inf, *sorted({score for score, _, _ in cases}, reverse=True)]
    return [
        (
            threshold,
            sum(n for score, positive, n in cases if score >= threshold and not positive),
            sum(n for score, positive, n in cases if score >= threshold and positive),
        )
        for threshold in thresholds
    ]


def trapezoids(vertices: Sequence[Vertex]) -> Fraction:
    """Return the area under the vertices in the unit square."""
    _, n_neg, n_pos = vertices[-1]
    areas = (Fraction(b[1] - a[1]) * (a[2] + b[2]) / 2 for a, b in pairwise(vertices))
    return sum(areas, Fraction()) / (n_pos * n_neg)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the step-down adjusted p values of Holm (1979)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[i]))
        adjusted[i] = largest
    return adjusted
