"""The reference cases: lines of expected.csv, and the files of a case.

A script of a case has the data, the independent computation and the source; all else is here.
Nothing here imports the package.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, SupportsFloat, TypeVar

from validation.files import ROOT, write_csv, write_json

RELATIVE_TOLERANCE = "1e-10"

Value = TypeVar("Value")
Numbers = Mapping[str, SupportsFloat]
"""Numbers of an answer by column."""

# The worked data of docs/methods/index.md: two markers of 8 positives, which come first, and 10
# negatives.
Y = [1] * 8 + [0] * 10
D1 = [
    *[0.91, 0.85, 0.85, 0.77, 0.64, 0.58, 0.58, 0.41],
    *[0.72, 0.64, 0.58, 0.45, 0.41, 0.33, 0.33, 0.21, 0.15, 0.08],
]
D2 = [
    *[0.80, 0.62, 0.71, 0.55, 0.66, 0.49, 0.30, 0.52],
    *[0.60, 0.51, 0.49, 0.58, 0.35, 0.44, 0.27, 0.30, 0.19, 0.22],
]


def by_class(values: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """Return the values of the positives and of the negatives among the worked data."""
    return list(values[:8]), list(values[8:])


@dataclass(frozen=True)
class Expected:
    """A line of expected.csv: one number of an answer."""

    question: str
    arguments: str
    where: str
    column: str
    expected: str
    tolerance: str
    origin: str


def computed(
    question: str, where: Mapping[str, Any], columns: Numbers, **arguments: Any
) -> list[Expected]:
    """Return the lines of numbers computed here, compared to a relative 1e-10.

    They are columns of the only row of the answer that has the values ``where``.
    """
    digits = {name: f"{float(value):.17g}" for name, value in columns.items()}
    return _lines(question, where, digits, arguments, "computed", lambda _: RELATIVE_TOLERANCE)


def printed(
    question: str, where: Mapping[str, Any], columns: Mapping[str, str], **arguments: Any
) -> list[Expected]:
    """Return the lines of numbers in print, compared to half a unit of their last digit."""
    return _lines(question, where, columns, arguments, "printed", _tolerance)


def derived(
    question: str, where: Mapping[str, Any], columns: Mapping[str, str], **arguments: Any
) -> list[Expected]:
    """Return the lines of digits worked out elsewhere, compared to half a unit of the last."""
    return _lines(question, where, columns, arguments, "derived", _tolerance)


def _lines(
    question: str,
    where: Mapping[str, Any],
    columns: Mapping[str, str],
    arguments: Mapping[str, Any],
    origin: str,
    tolerance: Callable[[str], str],
) -> list[Expected]:
    # JSON has no infinite number, which the threshold above all scores is.
    row = json.dumps({name: "inf" if value == math.inf else value for name, value in where.items()})
    asked = json.dumps(arguments)
    return [
        Expected(question, asked, row, column, digits, tolerance(digits), origin)
        for column, digits in columns.items()
    ]


def _tolerance(digits: str) -> str:
    return f"{half_unit(digits):.1g}"


def half_unit(digits: str) -> float:
    """Return half a unit of the last digit of a decimal number."""
    return 0.5 * 10.0 ** -len(digits.partition(".")[2])


def agree(value: SupportsFloat, digits: str) -> None:
    """Raise ValueError unless a number rounds to the digits: for figures no frame shows."""
    if abs(float(value) - float(digits)) > half_unit(digits) * 1.001:
        raise ValueError(f"{float(value):.17g} does not round to {digits}")


def as_limits(pair: Iterable[Value]) -> dict[str, Value]:
    """Return both limits of an interval by their columns."""
    low, high = pair
    return {"ci_low": low, "ci_high": high}


def as_columns(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return the columns of input.csv from its rows."""
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def write_case(
    script: str,
    name: str,
    *,
    study: Mapping[str, Any],
    columns: Mapping[str, Sequence[object]],
    expected: Iterable[Expected],
    packages: Sequence[str] = ("scipy",),
    readme: str = "",
) -> None:
    """Write the files of a case beside its script, whose ``__file__`` is given.

    README.md is written by hand, unless its text is given but for the last line. versions.json
    has the versions of the packages, and the command that runs the script.
    """
    folder = Path(script).parent / name
    command = f"python {Path(script).absolute().relative_to(ROOT.parent).as_posix()}"
    write_input(folder, study, columns)
    versions = {package: version(package) for package in packages}
    software = {"command": command, "python": platform.python_version(), **versions}
    write_json(folder / "versions.json", software)
    header = [field.name for field in fields(Expected)]
    write_csv(folder / "expected.csv", header, map(astuple, expected))
    if readme:
        write_readme(folder, readme, command)


def write_input(
    folder: Path, study: Mapping[str, Any], columns: Mapping[str, Sequence[object]]
) -> None:
    """Write the data of a case, and how the study reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "study.json", study)
    write_csv(folder / "input.csv", list(columns), zip(*columns.values(), strict=True))


def write_readme(folder: Path, text: str, command: str) -> None:
    """Write the README.md of a case; its last line is the command that makes the case."""
    made = f"Made by `{command}`, run from the root of the repository."
    (folder / "README.md").write_text(f"{text.strip()}\n\n{made}\n", encoding="utf-8")
