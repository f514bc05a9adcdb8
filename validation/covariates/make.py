"""Write the case of adjusted areas: ``python validation/covariates/make.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import Expected, derived, printed, write_case

README = """# 30 negatives and 20 positives with one covariate

Scores x and a covariate z from integer sequences: negatives k = 1..30 have z = (17k mod 31)/10 and
x = round(1 + .6 z + ((11k mod 29) - 14)/10, 3), positives k = 1..20 z = (13k mod 23)/7 and
x = round(1.8 + .6 z + ((7k mod 19) - 9)/8, 3).

`printed` estimates are those of the R package ROCnReg for these data, noted when the methods were
specified; ROCnReg is not run again here. It has no closed-form standard errors: those, and the
limits, are `derived` from the influence values of docs/methods/covariates.md. The case bootstrap
of the empirical area has the standard error .0693, beside .0673.

ROCnReg counts residuals of negatives at or below a positive (<=), this package counts equal ones
one half; here no residuals are equal.

ROCnReg's data `psa` are under the GPL and do not ship. Of the last visit of each man (71 cancers,
70 others), log(marker1) on age, it prints adjusted areas of .888767151 (normal) and .897585513
(empirical), pooled .877665996, and .899206356 at age 60; its bootstrap standard errors of the
first two are .0263 and .0265. When the methods were specified the formulas here gave the same
areas, with standard errors .026509985 and .026361355. No test repeats that.

Source of the methods: Janes H, Pepe MS. Biometrika 2009;96:371-82; Faraggi D. The Statistician
2003;52:179-92.
"""


def a50() -> dict[str, list[float]]:
    """Return the columns: class, score, covariate."""
    columns: dict[str, list[float]] = {"y": [*[0] * 30, *[1] * 20], "x": [], "z": []}
    for k in range(1, 31):
        z = (17 * k % 31) / 10
        columns["z"].append(z)
        columns["x"].append(round(1 + 0.6 * z + ((11 * k % 29) - 14) / 10, 3))
    for k in range(1, 21):
        z = (13 * k % 23) / 7
        columns["z"].append(z)
        columns["x"].append(round(1.8 + 0.6 * z + ((7 * k % 19) - 9) / 8, 3))
    return columns


def rows() -> Iterator[Expected]:
    """Yield the expected numbers."""
    here = {"predictor": "x"}
    for residuals, estimate, se in (
        ("normal", "0.765436235", "0.064366306"),
        ("empirical", "0.761666667", "0.067264369"),
    ):
        yield from printed("adjusted_auc", here, {"estimate": estimate}, residuals=residuals)
        yield from derived("adjusted_auc", here, {"se": se}, residuals=residuals)
    for residuals, fpr, tpr in (
        ("normal", 0.1, "0.40"),
        ("normal", 0.2, "0.55"),
        ("empirical", 0.2, "0.50"),
    ):
        asked = {"residuals": residuals, "fpr": [fpr]}
        yield from printed("adjusted_roc_curve", {**here, "fpr": fpr}, {"tpr": tpr}, **asked)
    yield from printed("covariate_auc", here, {"estimate": "0.782479186"}, at={"z": 1})
    digits = {"se": "0.073927090", "ci_low": "0.613341184", "ci_high": "0.898517402"}
    yield from derived("covariate_auc", here, digits, at={"z": 1})


if __name__ == "__main__":
    write_case(
        __file__,
        "a50",
        study={"y_true": "y", "y_score": "x", "covariate": "z"},
        columns=a50(),
        expected=rows(),
        packages=(),
        readme=README,
    )
