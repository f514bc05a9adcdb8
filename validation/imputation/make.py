"""Write the case of pooled numbers: ``python validation/imputation/make.py``."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import derived, write_case

AREAS = [0.842, 0.857, 0.831, 0.866, 0.848], [0.0405, 0.0391, 0.0418, 0.0382, 0.0400]
DIFFERENCES = [0.051, 0.043, 0.066, 0.038, 0.057], [0.0251, 0.0263, 0.0247, 0.0258, 0.0255]
# Of 120 cases: 119 degrees of freedom, but those of differences are given, since their frames have
# some of their own. Infinite ones are Rubin's of 1987.
OF_AREAS = {
    "estimate": "0.849196240",
    "se": "0.042637568",
    "df": "75.122586938",
    "fraction_missing": "0.142571856",
    "ci_low": "0.743657983",
    "ci_high": "0.916180917",
}
OF_DIFFERENCES = {
    "se": "0.028244221",
    "df": "52.298889441",
    "ci_low": "-0.005668466",
    "ci_high": "0.107668466",
    "p_value": "0.076725319",
}
README = """# Pooled by hand

Five areas and five differences of areas, as of five imputed data sets of 120 cases, with their
standard errors.

The digits of `expected.csv` are `derived`: worked out from the formulas while the method was
specified, and equal to those of `pool.scalar` of the R package mice 3.15 to 13 digits. The question
`pooled_numbers` puts the numbers into the frames of areas.

Source: Rubin DB. Multiple Imputation for Nonresponse in Surveys. New York: Wiley; 1987. Barnard J,
Rubin DB. Biometrika 1999;86:948-55.
"""


if __name__ == "__main__":
    of_areas: dict[str, Any] = {"scale": "auc"}
    of_differences = {"scale": "difference", "df_complete": 119}
    of_rubin = {**of_areas, "df_complete": math.inf}
    write_case(
        __file__,
        "worked",
        study={"constructor": "columns"},
        columns={
            "scale": ["auc"] * 5 + ["difference"] * 5,
            "estimate": AREAS[0] + DIFFERENCES[0],
            "se": AREAS[1] + DIFFERENCES[1],
        },
        expected=[
            *derived("pooled_numbers", {}, OF_AREAS, **of_areas),
            *derived("pooled_numbers", {}, {"df": "277.572825365"}, **of_rubin),
            *derived("pooled_numbers", {}, OF_DIFFERENCES, **of_differences),
        ],
        packages=(),
        readme=README,
    )
