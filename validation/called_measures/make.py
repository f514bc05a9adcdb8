"""Write the cases of measures of called cases: ``python validation/called_measures/make.py``.

Estimates by scikit-learn, the standard error of kappa by statsmodels, that of macro-averaged F1 by
the multinomial delta method (Takahashi et al. 2022) written out over the cells of the table, true
prevalence and its limits by the formulas of Lang and Reiczigel (2014).
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import z_of
from validation.reference import Expected, Numbers, as_limits, computed, write_case

README = """# A test of two classes

A table of 200 cases: kappa, F2, shares of false calls, and the true prevalence behind
70 calls among 250 other cases.

Source: Cohen (1960), van Rijsbergen (1979), Lang and Reiczigel (2014), by their formulas.
"""
CELLS = {"tp": 41, "fn": 9, "fp": 23, "tn": 127}
APPARENT = (70, 250)


def lang_reiczigel(z: float) -> tuple[float, list[float]]:
    """Return the true prevalence and both limits."""
    m, n, x, size = 50.0, 150.0, float(APPARENT[0]), float(APPARENT[1])
    se, sp, a = 41 / m, 127 / n, x / size
    estimate = (a + sp - 1) / (se + sp - 1)
    a, size = (x + z * z / 2) / (size + z * z), size + z * z
    se, sp, m, n = 42 / (m + 2), 128 / (n + 2), m + 2, n + 2
    p = (a + sp - 1) / (se + sp - 1)
    v, w = se * (1 - se) / m, sp * (1 - sp) / n
    middle = p + 2 * z * z * (p * v - (1 - p) * w)
    total = a * (1 - a) / size + p * p * v + (1 - p) ** 2 * w
    reach = z * math.sqrt(total) / (se + sp - 1)
    return estimate, [middle - reach, middle + reach]


def two_classes() -> None:
    """Write the case of one table of two classes."""
    y = [1, 1, 0, 0]
    score, times = [1, 0, 1, 0], list(CELLS.values())
    truth, called = (np.repeat(column, times) for column in (y, score))
    kappa_se = cohens_kappa(np.array(times).reshape(2, 2)).std_kappa
    asked: dict[str, Any] = {"threshold": 1, "sampling": "cohort"}
    values = {
        "kappa": metrics.cohen_kappa_score(truth, called),
        "false_discovery": 1 - metrics.precision_score(truth, called),
        "false_omission": 1 - metrics.precision_score(1 - truth, 1 - called),
        "f_beta": metrics.fbeta_score(truth, called, beta=2),
    }
    estimate, limits = lang_reiczigel(z_of(0.95))
    prevalence = {"estimate": estimate, **as_limits(limits)}

    def rows(name: str, columns: Numbers, **more: Any) -> list[Expected]:
        one = {"quantity": name}
        return computed("operating_points", one, columns, **asked, quantities=[name], **more)

    expected: list[Expected] = []
    for name, value in values.items():
        more = {"beta": 2} if name == "f_beta" else {}
        expected += rows(name, {"estimate": value}, **more)
    expected += rows("kappa", {"se": kappa_se})
    expected += rows("true_prevalence", prevalence, apparent_prevalence=list(APPARENT))
    write_case(
        __file__,
        "two_classes",
        study={"y_true": "y", "y_score": "call", "frequency": "n"},
        columns={"y": y, "call": score, "n": times},
        expected=expected,
        packages=("scikit-learn", "statsmodels"),
        readme=README,
    )


if __name__ == "__main__":
    two_classes()
