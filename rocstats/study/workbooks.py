"""The cells of a workbook: which sheet is read, and its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.arrays import IntArray
from rocstats.study.cells import nameless_column_error

# Rows in which a sheet shows whether it holds a table or a text.
_FIRST_ROWS = 20


class Sheet(NamedTuple):
    """The columns of a sheet, the header first, rows of the data, its name and those of all sheets.

    Rows are counted from 1, empty ones too.
    """

    columns: list[list[Any]]
    rows: IntArray
    name: str
    names: list[str]


def read_sheet(file: Path, sheet: str | int | None) -> Sheet:
    """Return the cells of a sheet: by name, by number from 1, or the first with two columns.

    A missing cell is "", and rows without any cell are left out.
    """
    import openpyxl  # type: ignore[import-untyped]

    book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
    try:
        # A chart has a sheet of its own, without cells.
        sheets = {str(one.title): one for one in book.worksheets}
        names = list(sheets)
        if sheet is None:
            heads = ((name, _rows_of_sheet(sheets[name], _FIRST_ROWS)) for name in names)
            name = next(
                (name for name, head in heads if _sheet_rows_are_table([*head.values()])), names[0]
            )
        else:
            name = _sheet_name(names, sheet, file)
        rows = _rows_of_sheet(sheets[name])
    finally:
        book.close()
    return Sheet(
        _columns_of_sheet(rows, file.name), np.array([*rows][1:], dtype=np.intp), name, names
    )


def _columns_of_sheet(rows: Mapping[int, list[Any]], file: str) -> list[list[Any]]:
    """Return the columns of the rows of a sheet, the header first.

    A cell beyond the header is refused before all rows are made as long: it may be far away.
    """
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    header, *others = rows.values() if rows else [[]]
    for number, row in zip([*rows][1:], others, strict=True):
        if len(row) > len(header):
            k = next(k for k, cell in enumerate(row) if k >= len(header) and cell != "")
            where = f" in cell {get_column_letter(k + 1)}{number}"
            raise nameless_column_error(k + 1, file, row[k], header[0], where)
    width = max(map(len, others), default=0)
    cells = [row + [""] * (width - len(row)) for row in (header[:width], *others)]
    columns = [list(column) for column in zip(*cells, strict=True)]
    # Names without a cell below.
    return columns + [[name, *[""] * len(others)] for name in header[width:] if name != ""]


def _rows_of_sheet(sheet: Any, n_rows: int | None = None) -> dict[int, list[Any]]:
    """Return the rows that have cells, by their numbers from 1, of the whole sheet or its start."""
    # The dimensions that a file states may be wrong; without them rows end with their last cell.
    sheet.reset_dimensions()
    rows: dict[int, list[Any]] = {}
    for number, cells in enumerate(sheet.iter_rows(max_row=n_rows), 1):
        row = [_sheet_cell(cell) for cell in cells]
        while row and row[-1] == "":
            row.pop()
        if row:
            rows[number] = row
    return rows


def _sheet_cell(cell: Any) -> Any:
    """Return the value of a cell: a whole number as int, "" of an empty one, NaN of an error."""
    value = cell.value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is None:
        return ""
    return np.nan if cell.data_type == "e" else value


def _sheet_rows_are_table(rows: Sequence[list[Any]]) -> bool:
    """Return whether rows begin with a header of two names or more, and go on."""
    return len(rows) > 1 and any(sum(cell != "" for cell in row) > 1 for row in rows[:2])


def _sheet_name(names: list[str], sheet: str | int, file: Path) -> str:
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
