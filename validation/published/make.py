"""Make the cases of two published areas: differences, limits and tests by formula.

Command: ``python validation/published/make.py``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.reference import Expected, as_limits, computed, write_case

QUESTION = "compare_published_auc"
AREAS = {"auc": 0.85, "reference_auc": 0.78}
ERRORS = {"se": 0.03, "reference_se": 0.035}
SIZES = {"n_pos": 60, "n_neg": 90, "reference_n_pos": 45, "reference_n_neg": 80}


def exponential_se(area: float, m: int, n: int) -> float:
    """Return the standard error of Hanley and McNeil (1982), equation 3, in rational numbers."""
    a = Fraction(str(area))
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    variance = a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)
    return math.sqrt(variance / (m * n))


def rows(first: float, other: float) -> Iterator[Expected]:
    """Yield the row of two standard errors, with correlations, levels, sides and margins."""
    difference = AREAS["auc"] - AREAS["reference_auc"]

    def row(
        r: float, null: float, tail: float, level: float, side: int, **asked: Any
    ) -> list[Expected]:
        se = math.sqrt(first**2 + other**2 - 2 * r * first * other)
        z = (difference - null) / se
        p = NormalDist().cdf(-side * z) if side else 2 * NormalDist().cdf(-abs(z))
        limits = bf.wald_limits(difference, se, bf.z_of(level))
        numbers = {"estimate": difference, "se": se, "statistic": z, "p_value": p}
        shown = as_limits(limits) if tail == 2 else {"ci_low": limits[0]}
        return computed(QUESTION, {}, {**numbers, **shown}, **asked)

    for r in (0.0, 0.4, -0.2):
        yield from row(r, 0.0, 2, 0.95, 0, correlation=r)
    yield from row(0.4, 0.0, 2, 0.8, 0, correlation=0.4, confidence_level=0.8)
    yield from row(0.4, 0.1, 2, 0.95, 0, correlation=0.4, null_value=0.1)
    # A one-sided limit at 95% is that of a two-sided 90%.
    yield from row(0.4, 0.0, 1, 0.9, 1, correlation=0.4, alternative="greater")
    margin = {"correlation": 0.4, "margin": 0.05}
    yield from row(0.4, -0.05, 2, 0.95, 1, hypothesis="non-inferiority", **margin)
    yield from row(0.4, 0.05, 2, 0.95, 1, hypothesis="superiority", **margin)


if __name__ == "__main__":
    write_case(
        __file__,
        "standard_errors",
        study={"constructor": "columns"},
        columns={name: [value] for name, value in {**AREAS, **ERRORS}.items()},
        expected=rows(ERRORS["se"], ERRORS["reference_se"]),
        readme="""# Two areas with their standard errors

Areas of .85 and .78 with standard errors of .03 and .035, with several correlations of the areas.

Source: the test of Hanley JA, McNeil BJ. Radiology 1983;148:839-843.

- `computed`: difference, standard error, statistic, P value and normal limits by formula.
""",
    )
    write_case(
        __file__,
        "numbers_of_cases",
        study={"constructor": "columns"},
        columns={name: [value] for name, value in {**AREAS, **SIZES}.items()},
        expected=rows(
            exponential_se(AREAS["auc"], SIZES["n_pos"], SIZES["n_neg"]),
            exponential_se(
                AREAS["reference_auc"], SIZES["reference_n_pos"], SIZES["reference_n_neg"]
            ),
        ),
        readme="""# Two areas with their numbers of cases

Areas of .85 (60 positives, 90 negatives) and .78 (45 and 80), with several correlations.

Source: equation 3 of Hanley JA, McNeil BJ. Radiology 1982;143:29-36, and the test of the same
authors. Radiology 1983;148:839-843.

- `computed`: standard errors in rational numbers; difference, statistic, P value and normal limits
  by formula.
""",
    )
