"""Make the case of three curves by their vertices: the bars of their mean.

Command: ``python validation/fawcett/make_bars.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path

from scipy.stats import beta
from scipy.stats import t as student

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import wilson, z_of
from validation.oracle_rows import clip
from validation.reference import (
    Expected,
    as_columns,
    as_limits,
    computed,
    derived,
    write_case,
)

LEVEL = 0.95
Z = z_of(LEVEL)
CURVES = {
    "c1": (20, ["0 0", "0 0.4", "0.2 0.6", "0.5 0.9", "1 1"]),
    "c2": (25, ["0 0", "0.1 0.5", "0.4 0.8", "1 1"]),
    "c3": (30, ["0 0", "0 0.2", "0.3 0.7", "0.6 0.9", "1 1"]),
}
"""Number of positives, and vertices as fpr and tpr."""

Vertex = tuple[Fraction, Fraction]
PRINTED = {
    (0.25, "normal"): ("0.5286842", "0.7490936"),
    (0.25, "wilson"): ("0.5243051", "0.7395812"),
    (0.25, "clopper-pearson"): ("0.5180012", "0.7481244"),
    (0.25, "t"): ("0.5910816", "0.6866961"),
    (0.5, "wilson"): ("0.7571743", "0.9183744"),
}
"""Limits worked out beforehand, seven digits."""


def vertices(texts: Sequence[str]) -> list[Vertex]:
    """Return the vertices of a curve as fractions."""
    return [(Fraction(x), Fraction(y)) for x, y in (text.split() for text in texts)]


def tpr_at(curve: Sequence[Vertex], fpr: Fraction) -> Fraction:
    """Return the highest TPR of a curve at an FPR, linear between vertices."""
    here = [y for x, y in curve if x == fpr]
    if here:
        return max(here)
    (x1, y1), (x2, y2) = next((one, two) for one, two in pairwise(curve) if one[0] < fpr < two[0])
    return y1 + (y2 - y1) * (fpr - x1) / (x2 - x1)


def normal(p: float, n: float) -> tuple[float, float]:
    """Return p -+ z sqrt(p(1 - p)/n)."""
    reach = Z * sqrt(p * (1 - p) / n)
    return p - reach, p + reach


def clopper_pearson(p: float, n: float) -> tuple[float, float]:
    """Return beta quantiles; the count p n need not be whole."""
    count, tail = p * n, (1 - LEVEL) / 2
    low = beta.ppf(tail, count, n - count + 1)
    return float(low), float(beta.ppf(1 - tail, count + 1, n - count))


def over_curves(values: Sequence[Fraction]) -> tuple[float, float]:
    """Return the t limits of the mean."""
    k = len(values)
    mean = sum(values, Fraction()) / k
    variance = sum((value - mean) ** 2 for value in values) / (k - 1)
    reach = student.ppf((1 + LEVEL) / 2, k - 1) * sqrt(variance / k)
    return float(mean) - reach, float(mean) + reach


def rows() -> Iterator[Expected]:
    """Yield means and bars at FPR 0, .25 and .5."""
    curves = [(size, vertices(texts)) for size, texts in CURVES.values()]
    n = float(Fraction(len(curves) ** 2) / sum(Fraction(1, size) for size, _ in curves))
    for text in ("0", "0.25", "0.5"):
        fpr, where = float(text), {"fpr": float(text)}
        values = [tpr_at(curve, Fraction(text)) for _, curve in curves]
        mean = float(sum(values, Fraction()) / len(values))
        asked = {"at": [0.0, 0.25, 0.5]}
        row = {"estimate": mean, "n_effective": n}
        yield from computed("vertex_average", where, row, **asked, bars="wilson")
        found = {
            "wilson": wilson(mean, n, Z),
            "normal": normal(mean, n),
            "clopper-pearson": clopper_pearson(mean, n),
            "t": over_curves(values),
        }
        for bars, limits in found.items():
            row = as_limits(clip(limits))
            yield from computed("vertex_average", where, row, **asked, bars=bars)
            if (fpr, bars) in PRINTED:
                known = as_limits(PRINTED[fpr, bars])
                yield from derived("vertex_average", where, known, **asked, bars=bars)


if __name__ == "__main__":
    points = [
        (name, size, *text.split()) for name, (size, texts) in CURVES.items() for text in texts
    ]
    write_case(
        __file__,
        "three_curves",
        study={"constructor": "columns"},
        columns=as_columns(("curve", "n_pos", "fpr", "tpr"), points),
        expected=rows(),
    )
