"""Write the cases of calibration: ``python validation/calibration/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import Expected, derived, write_case

FOLDER = Path(__file__).parent
COMMAND = "python validation/calibration/make.py"
Y = [1] * 8 + [0] * 10
D1 = [0.91, 0.85, 0.85, 0.77, 0.64, 0.58, 0.58, 0.41,
      0.72, 0.64, 0.58, 0.45, 0.41, 0.33, 0.33, 0.21, 0.15, 0.08]  # fmt: skip
D2 = [0.80, 0.62, 0.71, 0.55, 0.66, 0.49, 0.30, 0.52,
      0.60, 0.51, 0.49, 0.58, 0.35, 0.44, 0.27, 0.30, 0.19, 0.22]  # fmt: skip
README = """# {title}

{text}

All rows are `derived`: digits worked out while the methods were specified, in Python and in R.

Source of the methods: Cox DR. Biometrika 1958;45:562-5; Spiegelhalter DJ. Stat Med 1986;5:421-33;
Austin PC, Steyerberg EW. Stat Med 2019;38:4051-65; Dimitriadis T et al. PNAS 2021;118:e2016191118.

Made by `{command}`, run from the root of the repository.
"""
DRAWN = {"rng": 1, "n_resamples": 100}
# Question, quantity, column and digits.
C200 = (
    ("calibration", "observed_expected_ratio", ".877068914", ".063226591"),
    ("calibration", "calibration_intercept", "-.364194993", ".190163665"),
    ("calibration", "calibration_slope", ".686510824", ".120401010"),
    ("probability_scores", "brier_score", ".202433974", ".016253171"),
    ("probability_scores", "scaled_brier_score", ".176344321", ".068600411"),
    ("probability_scores", "log_score", ".595833097", ".042835673"),
    ("probability_scores", "miscalibration", ".015718236", None),
    ("probability_scores", "discrimination", ".059059261", None),
    ("probability_scores", "uncertainty", ".245775", None),
    ("calibration", "ici", ".076754553", None),
    ("calibration", "spiegelhalter_z", "2.63172891", None),
)
OF_D1 = (
    ("calibration", "observed_expected_ratio", ".842992624", ".183665522"),
    ("calibration", "calibration_intercept", "-.431124508", None),
    ("calibration", "calibration_slope", "1.857532331", ".895576529"),
    ("probability_scores", "brier_score", ".159016667", ".035886385"),
    ("probability_scores", "scaled_brier_score", ".3559825", ".157855394"),
    ("probability_scores", "miscalibration", ".038646296", None),
    ("probability_scores", "discrimination", ".126543210", None),
)


def full(digits: str) -> str:
    """Return digits with the 0 before the point."""
    return digits.replace(".", "0.", 1) if digits.lstrip("-").startswith(".") else digits


def rows_of(
    table: tuple[tuple[str, str, str, str | None], ...], predictor: str
) -> Iterator[Expected]:
    """Yield the rows of a table."""
    for question, quantity, estimate, se in table:
        more = {}
        if quantity in ("ici", "spiegelhalter_z"):
            more = {"quantities": [quantity], **DRAWN}
        where = {"predictor": predictor, "quantity": quantity}
        yield derived(question, where, "estimate", full(estimate), **more)
        if se is not None:
            yield derived(question, where, "se", full(se), **more)


def c200() -> None:
    """Write the case of 200 risks."""
    risk = [((37 * k) % 199 + 1) / 201 for k in range(1, 201)]
    true = [1 / (1 + math.exp(0.3 - 0.7 * math.log(p / (1 - p)))) for p in risk]
    y = [int(((101 * k) % 211 + 0.5) / 211 < q) for k, q in enumerate(true, start=1)]
    assert sum(y) == 87
    joint, z = {"quantity": "intercept_and_slope"}, {"quantity": "spiegelhalter_z"}
    asked = {"quantities": ["spiegelhalter_z"], **DRAWN}
    expected = [
        *rows_of(C200, "risk"),
        derived("calibration", joint, "statistic", "10.247765887"),
        derived("calibration", joint, "p_value", "0.005952863"),
        derived("calibration", z, "p_value", "0.008495162", **asked),
    ]
    text = "Risks between 1/201 and 199/201, of which 87 are events; the true slope is .7."
    _write("c200", "200 overfitted risks", text, {"y": y, "risk": risk}, "risk", expected)


def d1_d2() -> None:
    """Write the case of two small predictors."""
    joint = {"predictor": "a", "quantity": "intercept_and_slope"}
    difference = {"predictor": "a", "reference": "b"}
    name = "compare_probability_scores"
    expected = [
        *rows_of(OF_D1, "a"),
        derived("calibration", joint, "statistic", "1.919097271"),
        derived(name, difference, "estimate", "-0.025827778"),
        derived(name, difference, "se", "0.027929269"),
    ]
    text = "The worked data of docs/methods/index.md as risks, with ties."
    _write(
        "d1_d2",
        "Two risks of eighteen cases",
        text,
        {"y": Y, "a": D1, "b": D2},
        ["a", "b"],
        expected,
    )


def _write(
    name: str,
    title: str,
    text: str,
    columns: dict[str, list[int] | list[float]],
    scores: str | list[str],
    expected: list[Expected],
) -> None:
    folder = FOLDER / name
    write_case(
        folder,
        study={"y_true": "y", "y_score": scores},
        columns=columns,
        expected=expected,
        command=COMMAND,
        packages=(),
    )
    filled = README.format(title=title, text=text, command=COMMAND)
    (folder / "README.md").write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    c200()
    d1_d2()
