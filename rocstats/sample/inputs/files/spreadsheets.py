"""Workbooks: which sheet is read, and its cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from rocstats.errors import InputError

# Rows in which a sheet shows whether it holds a table or a text.
_HEAD = 20


class Sheet(NamedTuple):
    """The columns of a sheet, the header first, its name and those of all sheets."""

    columns: list[list[Any]]
    name: str
    names: list[str]


def read_sheet(file: Path, sheet: str | int | None) -> Sheet:
    """Return the cells of a sheet: by name, by number from 1, or the first with two columns.

    A missing cell is "", and rows without any cell are left out.
    """
    with pd.ExcelFile(file, engine="openpyxl") as book:
        names = [str(name) for name in book.sheet_names]
        if sheet is None:
            tables = (name for name in names if _is_table(_cells(book, name, _HEAD)))
            name = next(tables, names[0])
        else:
            name = _chosen(names, sheet, file)
        cells = _cells(book, name)
    return Sheet(cells.T.tolist(), name, names)


def _cells(book: pd.ExcelFile, name: str, rows: int | None = None) -> Any:
    frame = pd.read_excel(book, name, header=None, dtype=object, na_filter=False, nrows=rows)
    cells = frame.to_numpy(dtype=object)
    return cells[(cells != "").any(axis=1)]


def _is_table(cells: Any) -> bool:
    """Return whether cells have a row below a header of two names or more."""
    return len(cells) > 1 and bool(((cells != "").sum(axis=1)[:2] > 1).any())


def _chosen(names: list[str], sheet: str | int, file: Path) -> str:
    if sheet in names:
        return str(sheet)
    # A command line has texts only: there 2 is a number unless a sheet has that name.
    number = int(sheet) if isinstance(sheet, str) and sheet.isdecimal() else sheet
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number <= len(names):
        return names[number - 1]
    raise InputError(
        f"`sheet` must be the name of a sheet, or its number from 1 to {len(names)}; got {sheet!r}."
        f" The sheets of {file.name!r} are {', '.join(map(repr, names))}."
    )
