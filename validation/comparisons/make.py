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
from validation.files import Expected, computed, derived, write_case

FOLDER = Path(__file__).parent
COMMAND = "python validation/comparisons/make.py"
POS = {
    "d1": [0.91, 0.85, 0.85, 0.77, 0.64, 0.58, 0.58, 0.41],
    "d2": [0.80, 0.62, 0.71, 0.55, 0.66, 0.49, 0.30, 0.52],
}
NEG = {
    "d1": [0.72, 0.64, 0.58, 0.45, 0.41, 0.33, 0.33, 0.21, 0.15, 0.08],
    "d2": [0.60, 0.51, 0.49, 0.58, 0.35, 0.44, 0.27, 0.30, 0.19, 0.22],
}
PAIR = {"predictor": "d1", "reference": "d2"}
Where = Mapping[str, str]


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def test_rows(estimate: float, se: float, arguments: Mapping[str, object]) -> list[Expected]:
    """Return the lines of a z test and its interval."""
    z = estimate / se
    low, high = bf.wald_limits(estimate, se, bf.z_of(0.95))
    answer = {"se": se, "statistic": z, "ci_low": low, "ci_high": high}
    answer["p_value"] = 2 * bf.normal_tail(abs(z))
    return [computed("compare_auc", PAIR, name, x, **arguments) for name, x in answer.items()]


def ranks(name: str) -> list[int]:
    """Return twice the mid-rank of each case among all."""
    scores = POS[name] + NEG[name]
    return [sum(1 + sign(x - y) for y in scores) for x in scores]


def exchange_rows() -> Iterator[Expected]:
    """Yield the permutation test: the difference after each of the 2^18 exchanges of ranks."""
    first, second = np.array(ranks("d1")), np.array(ranks("d2"))
    m, n = len(POS["d1"]), len(NEG["d1"])
    every: list[int] = []
    for swapped in np.array_split(np.array(list(product((False, True), repeat=m + n))), 64):
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
        yield computed("compare_auc", PAIR, "statistic", z, method=method)
        yield computed("compare_auc", PAIR, "p_value", float(p), method=method)
    greater = Fraction(sum(d >= observed for d in every), len(every))
    asked = {"method": "permutation", "alternative": "greater"}
    yield computed("compare_auc", PAIR, "p_value", float(greater), **asked)
    yield derived("compare_auc", PAIR, "p_value", "0.6904296875", method="permutation")
    for column, digits in (("statistic", "0.4595037486"), ("p_value", "0.6458724607")):
        yield derived("compare_auc", PAIR, column, digits, method="permutation-asymptotic")


def bootstrap_rows() -> list[Expected]:
    """Return the bootstrap of the difference: the expectation over resampled pairs of indices."""
    kernel = [
        [Fraction(sign(a - c) - sign(b - d), 2) for c, d in zip(NEG["d1"], NEG["d2"], strict=True)]
        for a, b in zip(POS["d1"], POS["d2"], strict=True)
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
    a, b = ([v - sum(values) / len(values) for v in values] for values in (x, y))
    products = [sum(p * q for p, q in zip(*both, strict=True)) for both in ((a, b), (a, a), (b, b))]
    return products[0] / math.sqrt(products[1] * products[2])


def kendall(x: Sequence[float], y: Sequence[float]) -> float:
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
    pairs = [bf.Pairs.of(POS[name], NEG[name]) for name in ("d1", "d2")]
    m, n = pairs[0].m, pairs[0].n
    areas = [float(one.area) for one in pairs]
    ses = [math.sqrt(bf.hanley_mcneil(area, m, n)) for area in areas]
    mean = sum(areas) / 2
    q = float(stats.norm.ppf(mean))

    def excess(r: float) -> float:
        return both_below(q, r / 2) - mean**2

    for name, correlation, digits in (
        ("pearson", pearson, ("0.5137411", "0.5047179")),
        ("kendall", kendall, ("0.4565971", "0.4530973")),
    ):
        of_pos, of_neg = (correlation(x["d1"], x["d2"]) for x in (POS, NEG))
        averaged = excess((of_pos + of_neg) / 2) / excess(1)
        by_class = (excess(of_pos) / m + excess(of_neg) / n) / (excess(1) * (1 / m + 1 / n))
        for word, r, printed in zip(
            (name, f"{name}-by-class"), (averaged, by_class), digits, strict=True
        ):
            se = math.sqrt(ses[0] ** 2 + ses[1] ** 2 - 2 * r * ses[0] * ses[1])
            asked = {"method": "hanley-mcneil", "correlation": word}
            yield from test_rows(areas[0] - areas[1], se, asked)
            yield derived("compare_auc", PAIR, "statistic", printed, **asked)


def margin_rows() -> Iterator[Expected]:
    """Yield the tests against margins, by DeLong's variance in rational arithmetic."""
    one, two = (bf.Pairs.of(POS[name], NEG[name]) for name in ("d1", "d2"))
    d = float(one.area - two.area)
    se = math.sqrt(bf.delong(one) + bf.delong(two) - 2 * bf.delong(one, two))
    for margin, z_digits, tost_digits in (
        (0.2, "2.8052719", "0.0274671"),
        (0.1, "1.624105", "0.2301875"),
    ):
        below, above = (d + margin) / se, (d - margin) / se
        asked = {"interval": "wald", "hypothesis": "non-inferiority", "margin": margin}
        yield computed("compare_auc", PAIR, "statistic", below, **asked)
        yield computed("compare_auc", PAIR, "p_value", bf.normal_tail(below), **asked)
        yield derived("compare_auc", PAIR, "statistic", z_digits, **asked)
        both = {"interval": "wald", "hypothesis": "equivalence", "margin": margin}
        p = max(bf.normal_tail(below), bf.normal_tail(-above))
        yield computed("compare_auc", PAIR, "p_value", p, **both)
        yield derived("compare_auc", PAIR, "p_value", tost_digits, **both)
        low, high = bf.wald_limits(d, se, bf.z_of(0.9))
        yield computed("compare_auc", PAIR, "ci_low", low, **both)
        yield computed("compare_auc", PAIR, "ci_high", high, **both)
    better = {"interval": "wald", "hypothesis": "superiority"}
    yield computed("compare_auc", PAIR, "p_value", bf.normal_tail(d / se), **better)


def write_d1_d2() -> None:
    """Write two markers on the same cases, compared by every method."""
    write_case(
        FOLDER / "d1_d2",
        study={"y_true": "positive", "y_score": ["d1", "d2"]},
        columns={
            "positive": [1] * 8 + [0] * 10,
            "d1": POS["d1"] + NEG["d1"],
            "d2": POS["d2"] + NEG["d2"],
        },
        expected=[*exchange_rows(), *bootstrap_rows(), *hanley_mcneil_rows(), *margin_rows()],
        command=COMMAND,
    )


def write_shared_cases() -> None:
    """Write two groups of cases, some of them in both: their covariance is over these alone."""
    shared_pos, shared_neg = 5, 4
    one, two = (bf.Pairs.of(POS[name], NEG[name]) for name in ("d1", "d2"))
    covariance = Fraction(0)
    for shared, placements, areas in (
        (shared_pos, (one.of_pos, two.of_pos), (one.area, two.area)),
        (shared_neg, (one.of_neg, two.of_neg), (one.area, two.area)),
    ):
        size = len(placements[0])
        centred = [
            [v - area for v in of_class[:shared]]
            for of_class, area in zip(placements, areas, strict=True)
        ]
        covariance += sum((a * b for a, b in zip(*centred, strict=True)), Fraction(0)) / (
            size * (size - 1)
        )
    se = math.sqrt(bf.delong(one) + bf.delong(two) - 2 * covariance)
    d = float(one.area - two.area)
    where = {"group": "first", "reference": "second"}
    low, high = bf.wald_limits(d, se, bf.z_of(0.95))
    answer = {"estimate": d, "se": se, "statistic": d / se, "ci_low": low, "ci_high": high}
    second = [*range(5), 100, 101, 102, *range(8, 12), *range(103, 109)]
    write_case(
        FOLDER / "shared_cases",
        study={"y_true": "positive", "y_score": "score", "group": "reading", "cluster": "case"},
        columns={
            "positive": ([1] * 8 + [0] * 10) * 2,
            "score": POS["d1"] + NEG["d1"] + POS["d2"] + NEG["d2"],
            "reading": ["first"] * 18 + ["second"] * 18,
            "case": [*range(18), *second],
        },
        expected=[
            computed("compare_auc", where, name, value, across="groups", interval="wald")
            for name, value in answer.items()
        ],
        command=COMMAND,
    )


if __name__ == "__main__":
    write_d1_d2()
    write_shared_cases()
