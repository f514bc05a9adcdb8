"""Make the cases of two classifiers on the same cases: ``python validation/paired_tables/make.py``.

Sums of fractions, bisection in forty digits, derivatives of logarithms by hand; nothing is taken
from the package.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import (
    Expected,
    Numbers,
    as_columns,
    as_limits,
    computed,
    derived,
    printed,
    write_case,
)

QUESTION = "compare_operating_points"
Z = Decimal("1.9599639845400542355245944305205515279555500")
CELLS = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0))
"""Truth, call of the first, call of the second."""

getcontext().prec = 40
Counts = tuple[int, ...]


def two_sided(z: float) -> float:
    """Return the two-sided p value of a normal z."""
    return math.erfc(abs(z) / math.sqrt(2))


def score(n: int, b: int, c: int, t: Decimal) -> Decimal:
    """Return Tango's z at the difference t."""
    half = -b - c + (2 * n - b + c) * t
    root = (half * half + 8 * n * c * t * (1 - t)).sqrt()
    q = (root - half) / (4 * n)
    return (b - c - n * t) / (n * (2 * q + t * (1 - t))).sqrt()


def tango(n: int, b: int, c: int) -> tuple[float, float]:
    """Return the limits at which the score is z, by bisection."""
    d = Decimal(b - c) / n
    tiny = Decimal(10) ** -30
    low = _bisect(lambda t: score(n, b, c, t) - Z, Decimal(-1) + tiny, d - tiny)
    high = _bisect(lambda t: score(n, b, c, t) + Z, d + tiny, Decimal(1) - tiny)
    return float(low), float(high)


def _bisect(decreasing: Callable[[Decimal], Decimal], low: Decimal, high: Decimal) -> Decimal:
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if decreasing(middle) > 0 else (low, middle)
    return (low + high) / 2


def wilson(x: int, n: int) -> tuple[float, float]:
    """Return Wilson's limits."""
    z, p = float(Z), x / n
    centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


def newcombe(a: int, b: int, c: int, d: int) -> tuple[float, float]:
    """Return the limits of method 10."""
    n = a + b + c + d
    p1, p2 = (a + b) / n, (a + c) / n
    (l1, u1), (l2, u2) = wilson(a + b, n), wilson(a + c, n)
    margins, cross = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
    corrected = max(cross - n / 2, 0) if cross > 0 else cross
    phi = corrected / math.sqrt(margins) if margins else 0.0
    low = (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    high = (p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2
    return p1 - p2 - math.sqrt(low), p1 - p2 + math.sqrt(high)


def mcnemar(b: int, c: int) -> dict[str, float]:
    """Return the two-sided p values."""
    n = b + c
    mass = [Fraction(comb(n, i), 2**n) for i in range(n + 1)]
    least = min(b, c)
    exact = min(Fraction(1), 2 * sum(mass[: least + 1]))
    mid = 2 * sum(mass[: least + 1]) - mass[least]
    z = (b - c) / math.sqrt(n) if n else 0.0
    return {"exact": float(exact), "mid-p": float(mid), "asymptotic": two_sided(z)}


def word_of(quantity: str) -> str:
    """Return the word of a comparison: those that are no ratios and no tests are differences."""
    if quantity.endswith("_ratio") or quantity == "both_rates":
        return quantity
    return f"{quantity}_difference"


def rows_of(quantity: str, columns: Numbers, **asked: Any) -> list[Expected]:
    """Return the computed row of a quantity at the only threshold."""
    where = {"predictor": "t1", "reference": "t2", "quantity": word_of(quantity)}
    return computed(QUESTION, where, columns, threshold=1, **asked)


def digits(quantity: str, columns: Mapping[str, str], **asked: Any) -> list[Expected]:
    """Return the digits of one row that were worked out elsewhere."""
    return derived(QUESTION, {"quantity": word_of(quantity)}, columns, threshold=1, **asked)


def rate_rows(quantity: str, table: Counts) -> Iterator[Expected]:
    """Yield a difference of rates of (both, first alone, second alone, neither)."""
    a, b, c, d = table
    n = sum(table)
    se = math.sqrt(b + c - (b - c) ** 2 / n) / n
    yield from rows_of(quantity, {"estimate": Fraction(b - c, n), "se": se})
    for interval, limits in (("tango", tango(n, b, c)), ("newcombe", newcombe(a, b, c, d))):
        yield from rows_of(quantity, as_limits(limits), interval=interval)
    for test, p in mcnemar(b, c).items():
        yield from rows_of(quantity, {"p_value": p}, test=test)
    z = (b - c) / math.sqrt(b + c) if b + c else 0.0
    yield from rows_of(quantity, {"statistic": z})
    at = float(score(n, b, c, Decimal("-0.1")))
    against_margin = {"statistic": at, "p_value": math.erfc(at / math.sqrt(2)) / 2}
    asked: dict[str, Any] = {"hypothesis": "non-inferiority", "margin": 0.1}
    yield from rows_of(quantity, against_margin, **asked)


def ratio_score(a: int, b: int, c: int, t: Decimal) -> Decimal:
    """Return the z of Tang, Tang and Chan at the ratio t."""
    called = a + b + c
    half = a + b + 2 * c - (a + c) * t * t
    root = (half * half - 4 * (1 + t) * c * (1 - t) * called).sqrt()
    q = (half + root) / (2 * (1 + t))
    return (a + b - t * (a + c)) / ((1 + t) * q + (t - 1) * called).sqrt()


def tang(a: int, b: int, c: int) -> tuple[float, float]:
    """Return the limits at which the score is z, by bisection."""
    r, tiny = Decimal(a + b) / (a + c), Decimal(10) ** -30
    low = _bisect(lambda t: ratio_score(a, b, c, t) - Z, tiny, r * (1 - tiny))
    high = _bisect(lambda t: ratio_score(a, b, c, t) + Z, r * (1 + tiny), Decimal(1000))
    return float(low), float(high)


def more_rows(counts: Counts) -> Iterator[Expected]:
    """Yield relative rates, accuracy and Youden's index, which are not there by default."""
    for quantity, (a, b, c) in (("tpr_ratio", counts[:3]), ("fpr_ratio", counts[4:7])):
        ratio, z = (a + b) / (a + c), (b - c) / math.sqrt(b + c)
        se = ratio * math.sqrt((b + c) / ((a + b) * (a + c)))
        numbers = {"estimate": ratio, "se": se, **as_limits(tang(a, b, c))}
        numbers["p_value"] = two_sided(z)
        yield from rows_of(quantity, numbers, quantities=[quantity])
    # Right calls of both, of the first alone, of the second alone, in both classes.
    b, c, n = counts[1] + counts[6], counts[2] + counts[5], sum(counts)
    numbers = {"estimate": (b - c) / n, **as_limits(tango(n, b, c))}
    numbers["p_value"] = mcnemar(b, c)["mid-p"]
    yield from rows_of("accuracy", numbers, quantities=["accuracy"])
    parts = [(sum(counts[:4]), counts[1], counts[2]), (sum(counts[4:]), counts[6], counts[5])]
    gaps = [(b - c) / n for n, b, c in parts]
    ends = list(zip(*(tango(*part) for part in parts), strict=True))
    low, high = (math.hypot(*(g - end for g, end in zip(gaps, of, strict=True))) for of in ends)
    numbers = {"estimate": sum(gaps), "ci_low": sum(gaps) - low, "ci_high": sum(gaps) + high}
    yield from rows_of("youden", numbers, quantities=["youden"])


def kosinski(counts: Counts, *, positive: int) -> tuple[Fraction, float]:
    """Return the difference of a predictive value and the weighted generalised score z."""
    rows = [(*cell, count) for cell, count in zip(CELLS, counts, strict=True)]
    n1 = sum(n for _, first, _, n in rows if first == positive)
    n2 = sum(n for _, _, second, n in rows if second == positive)
    x1 = sum(n for truth, first, _, n in rows if first == positive == truth)
    x2 = sum(n for truth, _, second, n in rows if second == positive == truth)
    both = [(truth, n) for truth, first, second, n in rows if first == second == positive]
    right = sum(n for truth, n in both if truth == positive)
    wrong = sum(n for truth, n in both if truth != positive)
    pooled = Fraction(x1 + x2, n1 + n2)
    common = (right * (1 - pooled) ** 2 + wrong * pooled**2) / (n1 + n2)
    variance = (pooled * (1 - pooled) - 2 * common) * (Fraction(1, n1) + Fraction(1, n2))
    gap = Fraction(x1, n1) - Fraction(x2, n2)
    return gap, float(gap) / math.sqrt(variance)


def log_ratio(counts: Counts, quantity: str) -> tuple[float, float]:
    """Return a ratio and the standard error of its logarithm.

    The logarithm of a ratio is a sum of logarithms of counts; its derivative by the count of a cell
    is the sum of their reciprocals, and its variance the sum of counts times squared derivatives
    (the derivatives times the counts sum to 0 in each class).
    """
    predictive = quantity in ("ppv", "npv")
    v = 1 if quantity in ("ppv", "lr_positive") else 0
    terms: list[tuple[int, list[bool]]] = []
    for call, sign in ((1, 1), (2, -1)):
        if predictive:
            above = [cell[0] == v == cell[call] for cell in CELLS]
            below = [cell[call] == v for cell in CELLS]
        else:
            above = [cell[0] == 1 and cell[call] == v for cell in CELLS]
            below = [cell[0] == 0 and cell[call] == v for cell in CELLS]
        terms += [(sign, above), (-sign, below)]
    sizes = [
        sum(n for n, inside in zip(counts, cells, strict=True) if inside) for _, cells in terms
    ]
    ratio, slopes = Fraction(1), [Fraction(0)] * len(CELLS)
    for (sign, cells), size in zip(terms, sizes, strict=True):
        ratio *= Fraction(size) ** sign
        slopes = [s + Fraction(sign * c, size) for s, c in zip(slopes, cells, strict=True)]
    variance = sum(slope**2 * n for slope, n in zip(slopes, counts, strict=True))
    return float(ratio), math.sqrt(variance)


def cohort_rows(counts: Counts) -> Iterator[Expected]:
    """Yield the predictive values, likelihood ratios and the joint test."""
    z = [(b - c) / math.sqrt(b + c) for b, c in ((counts[1], counts[2]), (counts[6], counts[5]))]
    chi2 = z[0] ** 2 + z[1] ** 2
    yield from rows_of("both_rates", {"statistic": chi2, "p_value": math.exp(-chi2 / 2)})
    for quantity, positive in (("ppv", 1), ("npv", 0)):
        gap, statistic = kosinski(counts, positive=positive)
        p = two_sided(statistic)
        yield from rows_of(quantity, {"estimate": gap, "statistic": statistic, "p_value": p})
    for quantity in ("ppv", "npv", "lr_positive", "lr_negative"):
        ratio, se = log_ratio(counts, quantity)
        numbers = {
            "estimate": ratio,
            "se": ratio * se,
            "ci_low": ratio * math.exp(-float(Z) * se),
            "ci_high": ratio * math.exp(float(Z) * se),
            "statistic": math.log(ratio) / se,
            "p_value": two_sided(math.log(ratio) / se),
        }
        yield from rows_of(f"{quantity}_ratio", numbers)


def make(name: str, counts: Counts, known: Sequence[Expected]) -> None:
    """Write a case of eight counts; the first test is the predictor."""
    write_case(
        __file__,
        name,
        study={"y_true": "truth", "y_score": ["t1", "t2"], "frequency": "n"},
        columns={**as_columns(("truth", "t1", "t2"), CELLS), "n": counts},
        expected=[
            *known,
            *rate_rows("tpr", counts[:4]),
            # Among the healthy the calls that are right are the negative ones.
            *rate_rows("tnr", (counts[7], counts[6], counts[5], counts[4])),
            *cohort_rows(counts),
            *more_rows(counts),
        ],
        packages=(),
    )


def main() -> None:
    """Make every case."""
    make(
        "small_21",
        (1, 1, 7, 12, 2, 3, 4, 6),
        [
            *digits("tpr", {"estimate": "-0.2857142857"}),
            *digits("tpr", as_limits(("-0.517232276", "-0.026003032")), interval="tango"),
            *digits("tpr", as_limits(("-0.506920227", "-0.025559124")), interval="newcombe"),
            *digits("tpr", {"p_value": "0.0390625"}, test="mid-p"),
            *digits("tpr", {"p_value": "0.0703125"}, test="exact"),
            *digits("tpr", {"p_value": "0.0338948535"}, test="asymptotic"),
            *printed(
                QUESTION,
                {"quantity": "tpr_ratio"},
                as_limits(("0.065", "0.907")),
                threshold=1,
                quantities=["tpr_ratio"],
            ),
        ],
    )
    make(
        "cohort_712",
        (319, 78, 22, 32, 31, 53, 22, 155),
        [
            *digits("tpr", {"estimate": "0.1241685144"}),
            *digits("tpr", as_limits(("0.0827495694", "0.1673204489"))),
            *digits("tpr", as_limits(("0.0820281239", "0.1666491508")), interval="newcombe"),
            *digits("tnr", {"estimate": "-0.1187739464", "ci_low": "-0.1832436023"}),
            *digits("tnr", as_limits(("-0.1820531610", "-0.0544943041")), interval="newcombe"),
            *digits("lr_positive_ratio", as_limits(("0.5664428142", "0.9525973101"))),
            *digits("lr_positive_ratio", {"estimate": "0.7345691942", "p_value": "0.0200091015"}),
            *digits("lr_negative_ratio", as_limits(("0.4407135989", "0.7551371474"))),
            *digits("lr_negative_ratio", {"estimate": "0.5768875193"}),
            *digits("ppv_ratio", {"estimate": "1.0486069378"}, reference="t1"),
            *digits("ppv_ratio", as_limits(("1.0084705030", "1.0903407752")), reference="t1"),
            *digits("npv_ratio", {"estimate": "0.8536403369"}, reference="t1"),
            *digits("npv_ratio", as_limits(("0.7926257887", "0.9193516475")), reference="t1"),
        ],
    )
    make(
        "rates_60",
        (30, 12, 4, 14, 9, 6, 11, 40),
        [
            *digits("tpr", {"p_value": "0.0768127"}, test="exact"),
            *digits("tpr", {"p_value": "0.0490417"}, test="mid-p"),
            *digits("tpr", {"estimate": "0.1333333"}),
        ],
    )
    make("agreeing_40", (14, 1, 1, 4, 3, 0, 2, 15), [])


if __name__ == "__main__":
    main()
