"""Make the case of worked plans: ``python validation/design/make.py``.

Numbers in print, and the formulas written out once more with the normal law of the standard
library; exact power by adding up binomial probabilities in rational arithmetic.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from statistics import NormalDist
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import Expected, agree, computed, derived, write_case

NORMAL = NormalDist()
Z = NORMAL.inv_cdf
HANLEY_MCNEIL = {
    (0.70, 0.75): ("652.933", "898.580", "1130.948"),
    (0.70, 0.80): ("158.880", "216.884", "271.575"),
    (0.75, 0.80): ("565.872", "776.950", "976.432"),
    (0.80, 0.90): ("110.630", "149.179", "185.350"),
}
"""Numbers a class of the 1982 table, one-sided 5%, powers .80, .90 and .95, before rounding."""


def obuchowski(auc: float, constant: float, root: float) -> tuple[float, float]:
    """Return the parts of the variance that a positive and a negative carry."""
    square = (root * Z(auc)) ** 2
    scale = constant * math.exp(-square / 2)
    return scale * (5 * square + 8), scale * (square + 8)


def exponential(auc: float) -> tuple[float, float]:
    """Return the parts of Hanley and McNeil's variance."""
    return 2 * auc**2 / (1 + auc) - auc**2, auc / (2 - auc) - auc**2


def number(null: float, assumed: float, distance: float, alpha: float, power: float) -> float:
    """Return the number of positives from the variances of one positive."""
    return (Z(1 - alpha) * math.sqrt(null) + Z(power) * math.sqrt(assumed)) ** 2 / distance**2


def size_rows(
    value: float, digits: str, kind: str, design: Mapping[str, Any], **asked: float
) -> Iterator[Expected]:
    """Yield the number of positives before rounding, in print and computed."""
    arguments = {"kind": kind, "design": design, **asked}
    yield from derived("sample_size", {}, {"n_pos_unrounded": digits}, **arguments)
    yield from computed("sample_size", {}, {"n_pos_unrounded": value}, **arguments)


def one_area() -> Iterator[Expected]:
    """Yield .7 against 1/2, ratio 1.5, power .9; first the number of rounded constants."""
    pos, neg = obuchowski(0.7, 0.0099, 1.414)
    agree(number(0.0792 * (1 + 1 / 1.5), pos + neg / 1.5, 0.2, 0.025, 0.9), "33.8044124")
    chance = (1 + 1 / 1.5) / 12
    exact = (1 / (32 * math.pi), math.sqrt(2))
    for variance, null_variance, parts, null, digits in (
        (
            "obuchowski",
            "model",
            obuchowski(0.7, *exact),
            sum(p / k for p, k in zip(obuchowski(0.5, *exact), (1, 1.5), strict=True)),
            "33.9651860",
        ),
        ("obuchowski", "mann-whitney", obuchowski(0.7, *exact), chance, "34.9424882"),
        ("hanley-mcneil", "mann-whitney", exponential(0.7), chance, "34.3461791"),
    ):
        value = number(null, parts[0] + parts[1] / 1.5, 0.2, 0.025, 0.9)
        design = {"auc": 0.7, "variance": variance, "null_variance": null_variance}
        yield from size_rows(value, digits, "OneAUC", design, power=0.9, ratio=1.5)
    # A half width of .05 at .85.
    for variance, parts, digits in (
        ("obuchowski", obuchowski(0.85, *exact), "150.83"),
        ("hanley-mcneil", exponential(0.85), "115.57"),
    ):
        value = Z(0.975) ** 2 * sum(parts) / 0.05**2
        design = {"auc": 0.85, "variance": variance}
        yield from size_rows(value, digits, "OneAUC", design, half_width=0.05)


def two_areas() -> Iterator[Expected]:
    """Yield the table of 1982, by whole numbers as printed there and before rounding."""
    for (reference, auc), row in HANLEY_MCNEIL.items():
        for power, digits in zip((0.8, 0.9, 0.95), row, strict=True):
            v1, v2 = (sum(exponential(a)) for a in (reference, auc))
            value = number(2 * v1, v1 + v2, auc - reference, 0.05, power)
            design = {
                "auc": auc,
                "reference_auc": reference,
                "alternative": "greater",
                "variance": "hanley-mcneil",
                "null_variance": "reference",
            }
            yield from size_rows(value, digits, "TwoAUCs", design, power=power)


def tail(n: int, least: int, p: Fraction) -> Fraction:
    """Return P(X >= least), X binomial."""
    terms = (comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(least, n + 1))
    return sum(terms, Fraction())


def rates() -> Iterator[Expected]:
    """Yield exact powers against a goal, and of McNemar's exact and mid-p tests."""
    rate, goal, level = Fraction(9, 10), Fraction(8, 10), Fraction(5, 100)
    for n in (20, 50, 94):
        least = next(k for k in range(n + 2) if tail(n, k, goal) <= level)
        asked: dict[str, Any] = {"kind": "OneRate", "n_pos": n}
        asked["design"] = {"quantity": "tpr", "rate": 0.9, "goal": 0.8}
        yield from computed("power", {}, {"power": tail(n, least, rate)}, **asked)
    for method in ("exact", "mid-p"):
        for n in (20, 60):
            asked = {"kind": "PairedRates", "n_neg": n}
            asked["design"] = {
                "quantity": "tnr",
                "only_predictor": 0.25,
                "only_reference": 0.0625,
                "method": method,
            }
            power = mcnemar(n, method == "mid-p")
            yield from computed("power", {}, {"power": power}, **asked)


def mcnemar(n: int, mid: bool) -> Fraction:
    """Return the chance of a table that rejects at 2.5% on the side of the predictor."""
    above, below, half = Fraction(1, 4), Fraction(1, 16), Fraction(1, 2)
    power = Fraction()
    for pairs in range(n + 1):
        share = comb(n, pairs) * (above + below) ** pairs * (1 - above - below) ** (n - pairs)
        for found in range(pairs + 1):
            p = tail(pairs, found, half) - mid * comb(pairs, found) * half**pairs / 2
            if p <= Fraction(25, 1000):
                power += share * tail(pairs, found, above / (above + below))
                break
    return power


if __name__ == "__main__":
    write_case(
        __file__,
        "worked",
        study={"constructor": "columns"},
        columns={
            "reference_auc": [a for a, _ in HANLEY_MCNEIL],
            "auc": [b for _, b in HANLEY_MCNEIL],
        },
        expected=[*one_area(), *two_areas(), *rates()],
        packages=(),
    )
