"""Write the cases of calibration: ``python validation/calibration/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import D1, D2, Expected, Y, derived, write_case

SOURCE = """
All rows are `derived`: digits worked out while the methods were specified, in Python and in R.

Source of the methods: Cox DR. Biometrika 1958;45:562-5; Spiegelhalter DJ. Stat Med 1986;5:421-33;
Austin PC, Steyerberg EW. Stat Med 2019;38:4051-65; Dimitriadis T et al. PNAS 2021;118:e2016191118.
"""
DRAWN = {"rng": 1, "n_resamples": 100}
# Question, quantity, estimate and standard error.
C200 = (
    ("calibration", "observed_expected_ratio", "0.877068914", "0.063226591"),
    ("calibration", "calibration_intercept", "-0.364194993", "0.190163665"),
    ("calibration", "calibration_slope", "0.686510824", "0.120401010"),
    ("probability_scores", "brier_score", "0.202433974", "0.016253171"),
    ("probability_scores", "scaled_brier_score", "0.176344321", "0.068600411"),
    ("probability_scores", "log_score", "0.595833097", "0.042835673"),
    ("probability_scores", "miscalibration", "0.015718236", None),
    ("probability_scores", "discrimination", "0.059059261", None),
    ("probability_scores", "uncertainty", "0.245775", None),
    ("calibration", "ici", "0.076754553", None),
    ("calibration", "spiegelhalter_z", "2.63172891", None),
)
OF_D1 = (
    ("calibration", "observed_expected_ratio", "0.842992624", "0.183665522"),
    ("calibration", "calibration_intercept", "-0.431124508", None),
    ("calibration", "calibration_slope", "1.857532331", "0.895576529"),
    ("probability_scores", "brier_score", "0.159016667", "0.035886385"),
    ("probability_scores", "scaled_brier_score", "0.3559825", "0.157855394"),
    ("probability_scores", "miscalibration", "0.038646296", None),
    ("probability_scores", "discrimination", "0.126543210", None),
)


def rows_of(
    table: tuple[tuple[str, str, str, str | None], ...], predictor: str
) -> Iterator[Expected]:
    """Yield the rows of a table."""
    for question, quantity, estimate, se in table:
        more = {}
        if quantity in ("ici", "spiegelhalter_z"):
            more = {"quantities": [quantity], **DRAWN}
        where = {"predictor": predictor, "quantity": quantity}
        columns = {"estimate": estimate}
        if se is not None:
            columns["se"] = se
        yield from derived(question, where, columns, **more)


def c200() -> None:
    """Write the case of 200 risks."""
    risk = [((37 * k) % 199 + 1) / 201 for k in range(1, 201)]
    true = [1 / (1 + math.exp(0.3 - 0.7 * math.log(p / (1 - p)))) for p in risk]
    y = [int(((101 * k) % 211 + 0.5) / 211 < q) for k, q in enumerate(true, start=1)]
    assert sum(y) == 87
    joint, z = {"quantity": "intercept_and_slope"}, {"quantity": "spiegelhalter_z"}
    test = {"statistic": "10.247765887", "p_value": "0.005952863"}
    asked = {"quantities": ["spiegelhalter_z"], **DRAWN}
    expected = [
        *rows_of(C200, "risk"),
        *derived("calibration", joint, test),
        *derived("calibration", z, {"p_value": "0.008495162"}, **asked),
    ]
    text = "Risks between 1/201 and 199/201, of which 87 are events; the true slope is .7."
    write_case(
        __file__,
        "c200",
        study={"y_true": "y", "y_score": "risk"},
        columns={"y": y, "risk": risk},
        expected=expected,
        packages=(),
        readme=f"# 200 overfitted risks\n\n{text}\n{SOURCE}",
    )


def d1_d2() -> None:
    """Write the case of two small predictors."""
    joint = {"predictor": "a", "quantity": "intercept_and_slope"}
    difference = {"predictor": "a", "reference": "b"}
    numbers = {"estimate": "-0.025827778", "se": "0.027929269"}
    expected = [
        *rows_of(OF_D1, "a"),
        *derived("calibration", joint, {"statistic": "1.919097271"}),
        *derived("compare_probability_scores", difference, numbers),
    ]
    text = "The worked data of docs/methods/index.md as risks, with ties."
    write_case(
        __file__,
        "d1_d2",
        study={"y_true": "y", "y_score": ["a", "b"]},
        columns={"y": Y, "a": D1, "b": D2},
        expected=expected,
        packages=(),
        readme=f"# Two risks of eighteen cases\n\n{text}\n{SOURCE}",
    )


if __name__ == "__main__":
    c200()
    d1_d2()
