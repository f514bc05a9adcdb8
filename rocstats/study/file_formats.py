"""The columns of text files, of workbooks, and of files of SPSS, Stata and SAS.

Encoding, separator and sheet are found where they are not given. Cells stay text: ``cells`` makes
numbers, booleans or words of them. Codes of the packages may have words.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import IntArray
from rocstats.study.cells import cell_numbers_with_missing, nameless_column_error
from rocstats.study.vectors import EXACT_INTEGERS

# --- Files of SPSS, Stata and SAS -----------------------------------------------------------------

PACKAGE_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def read_package(
    file: Path, ending: str, encoding: str | None
) -> tuple[dict[str, Any], dict[str, dict[str, str]], dict[str, str]]:
    """Return the columns of a file, the word of each code where codes became words, and labels.

    What the author of the file declared missing is missing. Codes become words, in the order of the
    codes, if each code in the column has a word and no two the same; else the column keeps them.
    The labels are those of variables, by column.
    """
    import pyreadstat

    frame, about = getattr(pyreadstat, PACKAGE_READERS[ending])(str(file), encoding=encoding)
    columns: dict[str, Any] = {}
    words: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        labels = about.variable_value_labels.get(name, {})
        codes = sorted(frame[name].dropna().unique().tolist()) if labels else []
        found = [labels[code] for code in codes if code in labels]
        if codes and len(set(found)) == len(codes):
            places = pd.Categorical(frame[name], codes, ordered=True)
            columns[name] = places.rename_categories(labels)
            words[name] = {
                _text_of_package_code(code): word for code, word in zip(codes, found, strict=True)
            }
        else:
            columns[name] = _package_column(frame[name])
    labels = {
        name: label.strip()
        for name, label in about.column_names_to_labels.items()
        if label and label.strip()
    }
    return columns, words, labels


def _text_of_package_code(code: Any) -> str:
    # SPSS has floats only: its code 1 is 1.0.
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _package_column(values: pd.Series[Any]) -> Any:
    """Return a column without words: whole numbers as integers, an empty text as missing."""
    if values.dtype.kind == "f":
        known = values.notna().to_numpy()
        numbers = values.to_numpy()[known]
        whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < EXACT_INTEGERS)
        return cell_numbers_with_missing(numbers.astype(np.int64), known) if whole.all() else values
    if values.dtype.kind == "O":  # texts in every version of pandas, and dates
        return np.array([None if pd.isna(v) or v == "" else v for v in values], dtype=object)
    return values


# --- Text files -----------------------------------------------------------------------------------

SEPARATORS = (",", ";", "\t", "|")


class Text(NamedTuple):
    """The columns of a text file, the header first, how they were written, and rows of the data.

    Rows are counted as a spreadsheet does: from 1, empty ones too.
    """

    columns: list[list[Any]]
    rows: IntArray
    separator: str
    encoding: str


def read_text(
    content: bytes,
    file: str,
    *,
    sep: str | None,
    encoding: str | None,
    usual: str,
    header_row: int = 1,
) -> Text:
    """Return the columns of a text file; what is None is found.

    Parameters
    ----------
    content : bytes
        The file.
    file : str
        Its name, for messages.
    sep, encoding : str or None
        Separator and encoding; if None, UTF-8 and UTF-16 are known by their first bytes, UTF-8 by
        its form, and all else is cp1252; the separator is the one that divides the header, and if
        several do, the only one that divides the first lines alike.
    usual : str
        The separator that the ending promises: it is taken if it divides the header of a tsv.
    header_row : int, default 1
        Line of the header: the lines above it are left out.
    """
    beginning, encoding = _beginning_of_decoded_text(content, file, encoding)
    if hint := _SEPARATOR_LINE.match(beginning):
        sep = sep or hint[1]
    lines = partial(_text_lines, content, encoding, header_row)
    separator = _separator_of_text_file(lines, file, sep, usual)
    columns, rows = _text_columns(lines(), separator, file, header_row)
    return Text(columns, rows, separator, encoding)


# --- Encoding, and lines --------------------------------------------------------------------------

# The order matters: the mark of UTF-16 is two bytes that no text in UTF-8 begins with.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

# The line "sep=;", by which Excel finds the separator; it counts as an empty line.
_SEPARATOR_LENGTH = 9  # characters of a byte order mark and that line, at most
_SEPARATOR_LINE = re.compile(r"\ufeff?sep=(.)(?=\r?\n)", re.IGNORECASE)


def _beginning_of_decoded_text(content: bytes, file: str, encoding: str | None) -> tuple[str, str]:
    """Return the beginning of a text and its encoding, with which all of it is text."""
    # The lines are decoded again as they are read: io.StringIO would hold four bytes a letter.
    marks = (name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark))
    candidates = [encoding] if encoding else [found] if (found := next(marks, None)) else None
    for name in candidates or ["utf-8", "cp1252"]:
        try:
            text = content.decode(name)
        except LookupError:
            raise InputError(
                f"`encoding` must be an encoding that Python knows; got {name!r}. Pass"
                " encoding='utf-8', 'utf-16' or 'cp1252', or leave it out."
            ) from None
        except UnicodeError:
            continue
        _require_no_nul_in_text_file(text, file)
        return text[:_SEPARATOR_LENGTH], name
    tried = " or ".join(candidates or ["utf-8", "cp1252"])
    raise InputError(
        f"`encoding` must be the encoding of the file; got {file!r}, which cannot be read as"
        f" {tried}. Pass another encoding, such as encoding='latin-1', or save the file in UTF-8."
    )


def _require_no_nul_in_text_file(text: str, file: str) -> None:
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise InputError(
            f"`path` must be text; got a binary file {file!r} (a NUL character in line {line})."
            " Save it as csv in UTF-8."
        )


def _text_lines(content: bytes, encoding: str, first_line: int) -> Iterator[str]:
    """Return the lines of a text from a line on, without a byte order mark."""
    stream = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")
    first = stream.readline().lstrip("\ufeff")
    return islice(chain([_SEPARATOR_LINE.sub("", first)], stream), first_line - 1, None)


# --- The separator --------------------------------------------------------------------------------

# Lines in which a separator must show itself: enough for a file whose first rows are incomplete.
_N_FIRST_LINES = 100
_Lines = list[tuple[int, list[str]]]
"""Numbers and fields of lines."""


def _separator_of_text_file(
    lines: Callable[[], Iterator[str]], file: str, sep: str | None, usual: str
) -> str:
    """Return the separator: a given one, that of the ending, or the only one that fits."""
    heads = {
        mark: _first_lines_split_by_separator(lines(), mark)
        for mark in dict.fromkeys([*SEPARATORS, sep or ","])
    }
    dividing = [mark for mark, head in heads.items() if head and len(head[0][1]) > 1]
    if sep is not None:
        if dividing and sep not in dividing:
            raise InputError(
                f"`sep` must divide the header; got {sep!r} and one column in {file!r}. It looks"
                f" separated by {separator_in_words(dividing[0])}: pass sep={dividing[0]!r}."
            )
        return sep
    if usual == "\t" and usual in dividing:
        return usual
    if len(dividing) > 1:
        return _only_separator_dividing_evenly(dividing, heads, file)
    if not dividing:
        # A separator with which no line has text, or can be read: its columns say so.
        dividing = [mark for mark, head in heads.items() if not head] or [usual]
        _require_no_title_above_header(heads, file)
    return dividing[0]


def _first_lines_split_by_separator(lines: Iterator[str], sep: str) -> _Lines:
    """Return the fields of the first lines with their numbers; none where a line is not so written.

    That line is the last.
    """
    reader = csv.reader(lines, delimiter=sep, strict=True)
    head: _Lines = []
    try:  # what comes before a broken line stays in the list
        head.extend(
            (reader.line_num, fields) for fields in islice(filter(any, reader), _N_FIRST_LINES)
        )
    except csv.Error:
        head.append((reader.line_num, []))
    return head


def _only_separator_dividing_evenly(
    dividing: list[str], heads: Mapping[str, _Lines], file: str
) -> str:
    """Return the only separator that divides the first lines alike; InputError if several do."""
    even = [mark for mark in dividing if len({len(fields) for _, fields in heads[mark]}) == 1]
    if len(even) != 1:
        both = " and ".join(map(separator_in_words, even or dividing))
        raise InputError(
            f"`sep` must be given if several separators divide the header; got {both} in"
            f" {file!r}. Pass {' or '.join(f'sep={mark!r}' for mark in even or dividing)}."
        )
    return even[0]


def _require_no_title_above_header(heads: Mapping[str, _Lines], file: str) -> None:
    """Raise InputError if no separator divides the first line, and one a later line."""
    for mark, head in heads.items():
        line = next((line for line, fields in head if len(fields) > 1), None)
        if line is not None:
            raise InputError(
                f"`path` must begin with its header; got the title {head[0][1][0][:40]!r} in line"
                f" {head[0][0]} of {file!r}, and the first line with {separator_in_words(mark)} is"
                f" {line}. Pass header_row={line}, or remove the lines above the header. If the"
                " file has one column, pass a separator that it does not have."
            )


def separator_in_words(sep: str) -> str:
    """Return a separator as a sentence has it."""
    return "tab" if sep == "\t" else sep


# --- Fields ---------------------------------------------------------------------------------------


def _text_columns(
    lines: Iterator[str], sep: str, file: str, first_line: int
) -> tuple[list[list[Any]], IntArray]:
    """Return the columns of a text, the header first, and the rows of the others.

    Lines without any text are left out, and counted; a quoted field of several lines is in one row.
    """
    cells: list[str] = []  # of all rows: a list for each row would take twice the time
    empty: list[int] = []
    width = 0
    row = first_line - 1
    for row, fields in enumerate(csv.reader(lines, delimiter=sep, strict=True), first_line):
        width = width or (len(fields) if any(fields) else 0)
        if len(fields) == width and fields:
            cells += fields
        elif any(fields):
            raise InputError(
                f"`path` must have as many fields in each line as in its header, {width}; got"
                f" {len(fields)} in line {row} of {file!r}. Remove or add a separator there, or"
                " quote the field that holds one."
            )
        else:
            empty.append(row)
    columns = [cells[k::width] for k in range(width)]
    rows = np.delete(np.arange(first_line, row + 1), np.array(empty, np.intp) - first_line)
    if columns and "" in columns[0]:  # most tables need no look at each row
        filled = [any(fields) for fields in zip(*columns, strict=True)]
        columns = [list(compress(column, filled)) for column in columns]
        rows = rows[filled]
    return columns, rows[1:]


# --- Workbooks ------------------------------------------------------------------------------------

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


def read_sheet(file: Path, sheet: str | int | None, header_row: int = 1) -> Sheet:
    """Return the cells of a sheet: by name, by number from 1, or the first with two columns.

    A missing cell is "". Rows without any cell, and those above the header, are left out.
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
        rows = {number: row for number, row in rows.items() if number >= header_row}
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
    """Return whether rows begin with a header of two or more names, and go on."""
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
