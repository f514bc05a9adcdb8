"""Make the cases of several classes: areas, intervals and comparisons by loops and jackknives.

Command: ``python validation/multiclass/make.py``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import clip, estimate_rows
from validation.reference import Expected, as_limits, computed, write_case

CLASSES = "abc"
Z = bf.z_of(0.95)

Scores = Mapping[str, Sequence[int]]
"""A column for each class."""

Answer = dict[tuple[str, str], Fraction]
"""The area of each row."""


def cases(n: int) -> tuple[list[str], dict[str, Scores]]:
    """Return labels and two classifiers: remainders, higher for the own class."""
    y = [CLASSES[(i * i + i // 3) % 3] for i in range(n)]
    columns: dict[str, Scores] = {
        name: {
            c: [(i * step + 5 * k) % 13 + gain * (y[i] == c) for i in range(n)]
            for k, c in enumerate(CLASSES)
        }
        for name, step, gain in (("sharp", 7, 5), ("blunt", 11, 2))
    }
    return y, columns


def area(y: Sequence[str], score: Sequence[int], own: str, other: str) -> Fraction:
    """Return the area of a class against another or the rest, over all pairs."""
    pos = [s for label, s in zip(y, score, strict=True) if label == own]
    neg = [
        s for label, s in zip(y, score, strict=True) if other in (label, "rest") and label != own
    ]
    return bf.Pairs.of(pos, neg).area


def hand_till(y: Sequence[str], scores: Scores) -> Answer:
    """Return A(i, j) of each pair and their mean M."""
    pairs = {
        (i, j): (area(y, scores[i], i, j) + area(y, scores[j], j, i)) / 2
        for i, j in combinations(CLASSES, 2)
    }
    return {**pairs, ("all", ""): sum(pairs.values(), Fraction()) / len(pairs)}


def without(u: int, y: Sequence[str], scores: Scores) -> tuple[list[str], Scores]:
    """Return the cases but one."""
    left = {c: [s for i, s in enumerate(column) if i != u] for c, column in scores.items()}
    return [label for i, label in enumerate(y) if i != u], left


def jackknife(y: Sequence[str], answers: Sequence[Answer]) -> dict[tuple[str, str], Fraction]:
    """Return sum over classes of (n - 1)/n sum (A without the case - A)^2.

    ``answers`` are those of all cases, then those without each case in turn. A is linear in the
    cases of each class, so that A is the mean of the latter.
    """
    whole, *less = answers
    total = dict.fromkeys(whole, Fraction())
    for label, one in zip(y, less, strict=True):
        n = y.count(label)
        for key in whole:
            total[key] += Fraction(n - 1, n) * (one[key] - whole[key]) ** 2
    return total


def answers_of(y: Sequence[str], scores: Scores) -> list[Answer]:
    """Return the answer of all cases, then those without each case."""
    return [hand_till(y, scores), *(hand_till(*without(u, y, scores)) for u in range(len(y)))]


def area_rows(name: str, y: Sequence[str], answers: Sequence[Answer]) -> Iterator[Expected]:
    """Yield estimate, standard error, logit and Wald limits of each area by Hand and Till."""
    for (own, other), variance in jackknife(y, answers).items():
        where = {"predictor": name, "class": own, "versus": other}
        value, se = float(answers[0][own, other]), math.sqrt(variance)
        yield from estimate_rows("auc", where, value, se)
        wald = clip(bf.wald_limits(value, se, Z))
        yield from computed("auc", where, as_limits(wald), interval="wald")


def against_rest_rows(name: str, y: Sequence[str], scores: Scores) -> Iterator[Expected]:
    """Yield each class against the rest with DeLong's variance, and the weighted mean."""
    total, n = Fraction(), len(y)
    slopes = [Fraction() for _ in y]
    areas = {}
    for c in CLASSES:
        own, rest = ([i for i in range(n) if (y[i] == c) is yes] for yes in (True, False))
        pairs = bf.Pairs.of([scores[c][i] for i in own], [scores[c][i] for i in rest])
        where = {"predictor": name, "class": c, "versus": "rest"}
        value, se = float(pairs.area), math.sqrt(bf.delong(pairs))
        yield from estimate_rows("auc", where, value, se, method="ovr-weighted")
        areas[c], share = pairs.area, Fraction(len(own), n)
        total += share * pairs.area
        for inside, placements in ((own, pairs.of_pos), (rest, pairs.of_neg)):
            for i, v in zip(inside, placements, strict=True):
                slopes[i] += share * (v - pairs.area) / len(inside)
    variance = Fraction()
    for i, label in enumerate(y):
        slope = slopes[i] + (areas[label] - total) / n
        size = y.count(label)
        variance += slope**2 * Fraction(size, size - 1)
    where = {"predictor": name, "class": "all", "versus": ""}
    asked = {"method": "ovr-weighted"}
    yield from estimate_rows("auc", where, float(total), math.sqrt(variance), **asked)


def pair_rows(y: Sequence[str], one: list[Answer], two: list[Answer]) -> Iterator[Expected]:
    """Yield the difference of M, by the jackknife of the difference."""
    differences = [
        {("all", ""): a["all", ""] - b["all", ""]} for a, b in zip(one, two, strict=True)
    ]
    value = float(differences[0]["all", ""])
    se = math.sqrt(jackknife(y, differences)["all", ""])
    where = {"predictor": "sharp", "reference": "blunt"}
    wald = {"interval": "wald"}
    answer = {"estimate": value, "se": se, **as_limits(bf.wald_limits(value, se, Z))}
    answer |= {"statistic": value / se, "p_value": 2 * bf.normal_tail(abs(value / se))}
    yield from computed("compare_auc", where, answer, **wald)
    asked: dict[str, Any] = {**wald, "hypothesis": "non-inferiority", "margin": 0.05}
    p = bf.normal_tail((value + 0.05) / se)
    yield from computed("compare_auc", where, {"p_value": p}, **asked)


def average_rows(name: str, y: Sequence[str], scores: Scores) -> Iterator[Expected]:
    """Yield the area of all decisions, and the mean of the areas against the rest."""
    pos = [scores[c][i] for c in CLASSES for i in range(len(y)) if y[i] == c]
    neg = [scores[c][i] for c in CLASSES for i in range(len(y)) if y[i] != c]
    micro = float(bf.Pairs.of(pos, neg).area)
    macro = float(sum((area(y, scores[c], c, "rest") for c in CLASSES), Fraction()) / 3)
    for average, value in (("micro", micro), ("macro", macro)):
        yield from computed("curve_summary", {"predictor": name}, {"area": value}, average=average)


def main() -> None:
    """Write the case."""
    y, columns = cases(40)
    expected: list[Expected] = []
    answers = {name: answers_of(y, scores) for name, scores in columns.items()}
    for name, scores in columns.items():
        expected += area_rows(name, y, answers[name])
        expected += against_rest_rows(name, y, scores)
        expected += average_rows(name, y, scores)
    expected += pair_rows(y, answers["sharp"], answers["blunt"])
    names = {name: [f"{name}_{c}" for c in CLASSES] for name in columns}
    flat = {f"{name}_{c}": columns[name][c] for name in columns for c in CLASSES}
    write_case(
        __file__,
        "two_classifiers",
        study={
            "constructor": "MulticlassStudy",
            "y_true": "class",
            "y_score": names,
            "labels": list(CLASSES),
        },
        columns={"class": y, **flat},
        expected=expected,
    )


if __name__ == "__main__":
    main()
