"""Make the cases of the other comparisons of areas: ``python validation/comparisons/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
from scipy import integrate, stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.reference import (
    D1,
    D2,
    Expected,
    Y,
    as_limits,
    by_class,
    computed,
    derived,
    write_case,
)

(POS_1, NEG_1), (POS_2, NEG_2) = by_class(D1), by_class(D2)
ONE, TWO = bf.Pairs.of(POS_1, NEG_1), bf.Pairs.of(POS_2, NEG_2)
PAIR = {"predictor": "d1", "reference": "d2"}


def sign(x: float) -> int:
    """Return -1, 0 or 1."""
    return (x > 0) - (x < 0)


def test_rows(estimate: float, se: float, arguments: Mapping[str, object]) -> list[Expected]:
    """Return the lines of a z test and its interval."""
    z, limits = estimate / se, as_limits(bf.wald_limits(estimate, se, bf.z_of(0.95)))
    answer = {"se": se, "statistic": z, **limits, "p_value": 2 * bf.normal_tail(abs(z))}
    return computed("compare_auc", PAIR, answer, **arguments)


def ranks(scores: Sequence[float]) -> list[int]:
    """Return twice the mid-rank of each case among all."""
    return [sum(1 + sign(x - y) for y in scores) for x in scores]


def exchange_rows() -> Iterator[Expected]:
    """Yield the permutation test: the difference after each of the 2^18 exchanges of ranks."""
    first, second = np.array(ranks(D1)), np.array(ranks(D2))
    m, every = ONE.m, list[int]()
    for swapped in np.array_split(np.array(list(product((False, True), repeat=len(Y)))), 64):
        one, two = np.where(swapped, second, first), np.where(swapped, first, second)
        wins = [np.sign(s[:, :m, None] - s[:, None, m:]).sum(axis=(1, 2)) for s in (one, two)]
        every += (wins[0] - wins[1]).tolist()
    observed = every[0]
    spread = Fraction(sum(d * d for d in every), len(every))
    z = observed / math.sqrt(spread)
    for method, p in (
        ("permutation", Fraction(sum(abs(d) >= abs(observed) for d in every), len(every))),
        ("permutation-asymptotic", 2 * bf.normal_tail(abs(z))),
    ):
        yield from computed("compare_auc", PAIR, {"statistic": z, "p_value": p}, method=method)
    greater = Fraction(sum(d >= observed for d in every), len(every))
    asked = {"method": "permutation", "alternative": "greater"}
    yield from computed("compare_auc", PAIR, {"p_value": greater}, **asked)
    yield from derived("compare_auc", PAIR, {"p_value": "0.6904296875"}, method="permutation")
    digits = {"statistic": "0.4595037486", "p_value": "0.6458724607"}
    yield from derived("compare_auc", PAIR, digits, method="permutation-asymptotic")


def bootstrap_rows() -> list[Expected]:
    """Return the bootstrap of the difference: the expectation over resampled pairs of indices."""
    kernel = [
        [Fraction(sign(a - c) - sign(b - d), 2) for c, d in zip(NEG_1, NEG_2, strict=True)]
        for a, b in zip(POS_1, POS_2, strict=True)
    ]
    m, n = len(kernel), len(kernel[0])
    cells = [(i, j) for i in range(m) for j in range(n)]
    mean = sum(kernel[i][j] for i, j in cells) / (m * n)
    square = sum(kernel[i][j] ** 2 for i, j in cells) / (m * n)
    rows = sum((sum(row) / n) ** 2 for row in kernel) / m
    columns = sum((sum(row[j] for row in kernel) / m) ** 2 for j in range(n)) / n
    # m n draws of a pair: two of them share both cases, one, or (in expectation mean^2) none
    second = (square + (n - 1) * rows + (m - 1) * columns + (m - 1) * (n - 1) * mean**2) / (m * n)
    variance = second - mean**2
    if variance != Fraction("0.007189453125"):
        raise ValueError("docs/methods/areas.md prints .007189453125")
    return test_rows(float(mean), math.sqrt(variance), {"method": "bootstrap", "interval": "wald"})


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the product-moment correlation."""
    a, b = ([v - sum(values) / len(values) for v in values] for values in (x, y))
    products = [sum(p * q for p, q in zip(*both, strict=True)) for both in ((a, b), (a, a), (b, b))]
    return products[0] / math.sqrt(products[1] * products[2])


def kendall(x: Sequence[float], y: Sequence[float]) -> float:
    """Return Kendall's tau-b."""
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    signs = [(sign(x[i] - x[j]), sign(y[i] - y[j])) for i, j in pairs]
    size = sum(a * a for a, _ in signs) * sum(b * b for _, b in signs)
    return sum(a * b for a, b in signs) / math.sqrt(size)


def both_below(q: float, r: float) -> float:
    """Return Phi2(q, q; r) by integrating over the first variable."""

    def density(x: float) -> float:
        return float(stats.norm.pdf(x) * stats.norm.cdf((q - r * x) / math.sqrt(1 - r * r)))

    return float(integrate.quad(density, -12, q, epsabs=1e-15, epsrel=1e-13, limit=400)[0])


def hanley_mcneil_rows() -> Iterator[Expected]:
    """Yield the tests of Hanley and McNeil (1983), by docs/methods/comparison.md."""
    m, n = ONE.m, ONE.n
    areas = [float(ONE.area), float(TWO.area)]
    ses = [math.sqrt(bf.hanley_mcneil(area, m, n)) for area in areas]
    mean = sum(areas) / 2
    q = float(stats.norm.ppf(mean))

    def excess(r: float) -> float:
        return both_below(q, r / 2) - mean**2

    for name, correlation, digits in (
        ("pearson", pearson, ("0.5137411", "0.5047179")),
        ("kendall", kendall, ("0.4565971", "0.4530973")),
    ):
        of_pos, of_neg = correlation(POS_1, POS_2), correlation(NEG_1, NEG_2)
        averaged = excess((of_pos + of_neg) / 2) / excess(1)
        by_class = (excess(of_pos) / m + excess(of_neg) / n) / (excess(1) * (1 / m + 1 / n))
        for word, r, printed in zip(
            (name, f"{name}-by-class"), (averaged, by_class), digits, strict=True
        ):
            se = math.sqrt(ses[0] ** 2 + ses[1] ** 2 - 2 * r * ses[0] * ses[1])
            asked = {"method": "hanley-mcneil", "correlation": word}
            yield from test_rows(areas[0] - areas[1], se, asked)
            yield from derived("compare_auc", PAIR, {"statistic": printed}, **asked)


def margin_rows() -> Iterator[Expected]:
    """Yield the tests against margins, by DeLong's variance in rational arithmetic."""
    d = float(ONE.area - TWO.area)
    se = math.sqrt(bf.delong_difference(ONE, TWO))
    for margin, z_digits, tost_digits in (
        (0.2, "2.8052719", "0.0274671"),
        (0.1, "1.624105", "0.2301875"),
    ):
        below, above = (d + margin) / se, (d - margin) / se
        asked = {"interval": "wald", "hypothesis": "non-inferiority", "margin": margin}
        test = {"statistic": below, "p_value": bf.normal_tail(below)}
        yield from computed("compare_auc", PAIR, test, **asked)
        yield from derived("compare_auc", PAIR, {"statistic": z_digits}, **asked)
        both = {"interval": "wald", "hypothesis": "equivalence", "margin": margin}
        p = max(bf.normal_tail(below), bf.normal_tail(-above))
        yield from computed("compare_auc", PAIR, {"p_value": p}, **both)
        yield from derived("compare_auc", PAIR, {"p_value": tost_digits}, **both)
        limits = bf.wald_limits(d, se, bf.z_of(0.9))
        yield from computed("compare_auc", PAIR, as_limits(limits), **both)
    better = {"interval": "wald", "hypothesis": "superiority"}
    yield from computed("compare_auc", PAIR, {"p_value": bf.normal_tail(d / se)}, **better)


def write_d1_d2() -> None:
    """Write two markers on the same cases, compared by every method."""
    write_case(
        __file__,
        "d1_d2",
        study={"y_true": "positive", "y_score": ["d1", "d2"]},
        columns={"positive": Y, "d1": D1, "d2": D2},
        expected=[*exchange_rows(), *bootstrap_rows(), *hanley_mcneil_rows(), *margin_rows()],
    )


def write_shared_cases() -> None:
    """Write two groups of cases, some of them in both: their covariance is over these alone."""
    shared_pos, shared_neg = 5, 4
    covariance = Fraction(0)
    for shared, first, second in (
        (shared_pos, ONE.of_pos, TWO.of_pos),
        (shared_neg, ONE.of_neg, TWO.of_neg),
    ):
        size = len(first)
        both = zip(first[:shared], second[:shared], strict=True)
        products = ((a - ONE.area) * (b - TWO.area) for a, b in both)
        covariance += sum(products, Fraction()) / (size * (size - 1))
    se = math.sqrt(bf.delong(ONE) + bf.delong(TWO) - 2 * covariance)
    d = float(ONE.area - TWO.area)
    where = {"group": "first", "reference": "second"}
    limits = as_limits(bf.wald_limits(d, se, bf.z_of(0.95)))
    answer = {"estimate": d, "se": se, "statistic": d / se, **limits}
    of_second = [*range(5), 100, 101, 102, *range(8, 12), *range(103, 109)]
    write_case(
        __file__,
        "shared_cases",
        study={"y_true": "positive", "y_score": "score", "group": "reading", "cluster": "case"},
        columns={
            "positive": Y * 2,
            "score": D1 + D2,
            "reading": ["first"] * 18 + ["second"] * 18,
            "case": [*range(18), *of_second],
        },
        expected=computed("compare_auc", where, answer, across="groups", interval="wald"),
    )


if __name__ == "__main__":
    write_d1_d2()
    write_shared_cases()
