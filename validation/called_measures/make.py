"""Write the cases of measures of called cases: ``python validation/called_measures/make.py``.

Estimates by scikit-learn, the standard error of kappa by statsmodels, that of macro-averaged F1 by
the multinomial delta method (Takahashi et al. 2022) written out over the cells of the table, true
prevalence and its limits by the formulas of Lang and Reiczigel (2014).
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import z_of
from validation.files import Expected, computed, write_case

FOLDER = Path(__file__).parent
COMMAND = "python validation/called_measures/make.py"
PACKAGES = ("scikit-learn", "statsmodels")
README = """# {title}

{text}

Source: Cohen (1960), van Rijsbergen (1979), Lang and Reiczigel (2014), by their formulas.

Made by `{command}`, run from the root of the repository.
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
    known = cohens_kappa(np.array(times).reshape(2, 2))
    asked = {"threshold": 1, "sampling": "cohort"}
    values = {
        "kappa": metrics.cohen_kappa_score(truth, called),
        "false_discovery": 1 - metrics.precision_score(truth, called),
        "false_omission": 1 - metrics.precision_score(1 - truth, 1 - called),
        "f_beta": metrics.fbeta_score(truth, called, beta=2),
    }
    expected: list[Expected] = []
    for name, value in values.items():
        more = {**asked, "quantities": [name], **({"beta": 2} if name == "f_beta" else {})}
        expected.append(computed("operating_points", {"quantity": name}, "estimate", value, **more))
    more = {**asked, "quantities": ["kappa"]}
    one = {"quantity": "kappa"}
    expected.append(computed("operating_points", one, "se", float(known.std_kappa), **more))
    more = {**asked, "quantities": ["true_prevalence"], "apparent_prevalence": list(APPARENT)}
    estimate, limits = lang_reiczigel(z_of(0.95))
    for column, value in zip(("estimate", "ci_low", "ci_high"), (estimate, *limits), strict=True):
        where = {"quantity": "true_prevalence"}
        expected.append(computed("operating_points", where, column, value, **more))
    write_case(
        FOLDER / "two_classes",
        study={"y_true": "y", "y_score": "call", "frequency": "n"},
        columns={"y": y, "call": score, "n": times},
        expected=expected,
        command=COMMAND,
        packages=PACKAGES,
    )
    text = "A table of 200 cases: kappa, F2, shares of false calls, and the true prevalence behind"
    text = f"{text}\n70 calls among 250 other cases."
    filled = README.format(title="A test of two classes", text=text, command=COMMAND)
    (FOLDER / "two_classes" / "README.md").write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    two_classes()
