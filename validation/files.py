"""Read and write the files of a case; nothing here imports the package."""

from __future__ import annotations

import csv
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
RELATIVE_TOLERANCE = "1e-10"


@dataclass(frozen=True)
class Expected:
    """One line of expected.csv."""

    question: str
    arguments: Mapping[str, Any]
    where: Mapping[str, Any]
    column: str
    expected: str
    tolerance: str
    origin: str

    def cells(self) -> list[str]:
        """Return the cells of the line."""
        return [
            self.question,
            json.dumps(dict(self.arguments)),
            json.dumps(dict(self.where)),
            self.column,
            self.expected,
            self.tolerance,
            self.origin,
        ]


def computed(
    question: str, where: Mapping[str, Any], column: str, value: float, **arguments: Any
) -> Expected:
    """Return a line for a number computed here, compared to a relative 1e-10."""
    text = f"{float(value):.17g}"
    return Expected(question, arguments, where, column, text, RELATIVE_TOLERANCE, "computed")


def printed(
    question: str, where: Mapping[str, Any], column: str, digits: str, **arguments: Any
) -> Expected:
    """Return a line for a number in print, compared to half a unit of its last digit."""
    return _digits(question, where, column, digits, arguments, "printed")


def derived(
    question: str, where: Mapping[str, Any], column: str, digits: str, **arguments: Any
) -> Expected:
    """Return a line for digits worked out elsewhere, compared to half a unit of the last one."""
    return _digits(question, where, column, digits, arguments, "derived")


def _digits(
    question: str,
    where: Mapping[str, Any],
    column: str,
    digits: str,
    arguments: Mapping[str, Any],
    origin: str,
) -> Expected:
    tolerance = f"{half_unit(digits):.1g}"
    return Expected(question, arguments, where, column, digits, tolerance, origin)


def half_unit(digits: str) -> float:
    """Return half a unit of the last digit of a decimal number."""
    return 0.5 * 10.0 ** -len(digits.partition(".")[2])


def agree(value: float, digits: str) -> None:
    """Raise ValueError unless a number rounds to the digits: for figures no frame shows."""
    if abs(float(value) - float(digits)) > half_unit(digits) * 1.001:
        raise ValueError(f"{float(value):.17g} does not round to {digits}")


def write_case(
    folder: Path,
    *,
    study: Mapping[str, Any],
    columns: Mapping[str, Sequence[object]],
    expected: Iterable[Expected],
    command: str,
    packages: Sequence[str] = ("scipy",),
) -> None:
    """Write the files of a case but its README.md, which is written by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "study.json", study)
    write_json(folder / "versions.json", versions(command, packages))
    write_csv(folder / "input.csv", list(columns), zip(*columns.values(), strict=True))
    write_csv(
        folder / "expected.csv",
        list(Expected.__dataclass_fields__),
        (line.cells() for line in expected),
    )


def versions(command: str, packages: Sequence[str]) -> dict[str, str]:
    """Return the software that makes a case, and the command that does."""
    found = {name: version(name) for name in packages}
    return {"command": command, "python": platform.python_version(), **found}


def read_input(path: Path) -> dict[str, list[Any]]:
    """Return the columns of input.csv: whole numbers, numbers to the last bit, or words."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {
        name: _narrowest(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }


def _narrowest(cells: Sequence[str]) -> list[Any]:
    for kind in (int, float):
        try:
            return [kind(cell) for cell in cells]
        except ValueError:
            continue
    return list(cells)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file that a reader can read."""
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a csv file with line ends that are the same everywhere."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
