"""Read and write csv and JSON files; nothing here imports the package."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent


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


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a JSON file."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file that a reader can read."""
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a csv file with line ends that are the same everywhere."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
