"""Make the cases of classes in an order: ``python validation/ordinal/make.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from scipy import stats

from validation.reference import Expected, computed, write_case

README = """# Forty-eight cases of four grades, two tests

Unequal grades, tied scores, clusters of two cases in the second case.

Source: Virtanen P, et al. SciPy 1.0: fundamental algorithms for scientific computing in Python.
Nat Methods 2020;17:261-272: `somersd`, of which the concordance is (1 + D) / 2. Volumes are counted
over all sets of one case of each grade, in fractions. Standard errors are from loops: for each case
over the pairs, or the sets, with this case. All rows are `computed`.
"""
GRADES = [0] * 20 + [1] * 14 + [2] * 9 + [3] * 5
SCORES = {
    name: [(i * step) % 11 + gain * grade for i, grade in enumerate(GRADES)]
    for name, step, gain in (("sharp", 7, 4), ("blunt", 5, 2))
}


def volume(score: list[int]) -> tuple[Fraction, float]:
    """Return the share of sets of one case of each grade in order, and its standard error.

    A run of t equal scores counts 1/t!.
    """
    total, number = Fraction(0), 0
    sums = [Fraction(0)] * len(score)
    grades = [[i for i, g in enumerate(GRADES) if g == k] for k in range(4)]
    for places in product(*grades):
        values = [score[i] for i in places]
        number += 1
        if values == sorted(values):
            runs = [values.count(value) for value in set(values)]
            share = Fraction(1, prod(map(factorial, runs)))
            total += share
            for i in places:
                sums[i] += share
    parts = []
    for rows_of_grade in grades:
        own = [float(sums[i] * len(rows_of_grade) / number) for i in rows_of_grade]
        parts.append(np.var(own, ddof=1) / len(rows_of_grade))
    return total / number, float(np.sqrt(sum(parts)))


def residuals(score: list[int]) -> list[float]:
    """Return the derivative of the concordance in the weight of each case."""
    n, found, pairs = len(score), [], 0
    value = (1 + stats.somersd(GRADES, score).statistic) / 2
    for i in range(n):
        total = 0.0
        for j in range(n):
            if GRADES[i] != GRADES[j]:
                pairs += 1
                order = np.sign((score[i] - score[j]) * (GRADES[i] - GRADES[j]))
                total += (1 + order) / 2 - value
        found.append(total)
    return [2 * total / pairs for total in found]


def standard_error(derivatives: list[float], size: int) -> float:
    """Return the standard error with clusters of so many cases."""
    sums = np.reshape(derivatives, (-1, size)).sum(axis=1)
    return float(np.sqrt(len(sums) / (len(sums) - 1) * (sums**2).sum()))


def rows(size: int) -> Iterator[Expected]:
    """Yield what scipy and the loops say."""
    of_cases = {}
    for name, score in SCORES.items():
        of_cases[name] = residuals(score)
        columns = {
            "estimate": (1 + stats.somersd(GRADES, score).statistic) / 2,
            "se": standard_error(of_cases[name], size),
        }
        yield from computed("concordance", {"predictor": name}, columns)
        value, se = volume(score)
        errors = {"se": se} if size == 1 else {}
        yield from computed("vus", {"predictor": name}, {"estimate": float(value), **errors})
    apart = [a - b for a, b in zip(*of_cases.values(), strict=True)]
    yield from computed("compare_concordance", {}, {"se": standard_error(apart, size)})


def main() -> None:
    """Write both cases."""
    for name, role, size in (("grades_48", {}, 1), ("grades_48_clusters", {"cluster": "unit"}, 2)):
        write_case(
            __file__,
            name,
            study={
                "constructor": "OrdinalStudy",
                "y_true": "grade",
                "y_score": ["sharp", "blunt"],
                **role,
            },
            columns={"grade": GRADES, **SCORES, "unit": [i // 2 for i in range(len(GRADES))]},
            expected=rows(size),
            readme=README,
            packages=("numpy", "scipy"),
        )


if __name__ == "__main__":
    main()
