"""The cells of a file as numbers, booleans or words, and the labels in its columns.

The decimal mark is that with which every column of numbers can be read. Labels stay as written;
what text on a command line means is compared with them. Dates are no labels of groups.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray
from rocstats.facts.words import spelled_alike
from rocstats.study.vectors import (
    BOOLEAN_WORDS,
    CONVENTIONAL_LABELS,
    EXACT_INTEGERS,
    MISSING_MARKS,
)

# --- Columns of cells -----------------------------------------------------------------------------


def named_columns(columns: Sequence[list[Any]], file: str) -> dict[str, list[Any]]:
    """Return the cells of each column by its name: the first cell, without blanks at its ends.

    A first column without a name is left out (pandas and R write the numbers of rows so), and so is
    an empty one.
    """
    if not columns:
        raise InputError(f"`path` must have a header; got the empty file {file!r}. Check the file.")
    names = [str(column[0]).strip() for column in columns]
    require_unique_names(names, file)
    for k, column in enumerate(columns[1:], 2):
        first = next((cell for cell in column if cell != ""), "")
        if names[k - 1] == "" and first != "":
            raise nameless_column_error(k, file, first, names[0])
    return {name: column[1:] for name, column in zip(names, columns, strict=True) if name}


def nameless_column_error(k: int, file: str, cell: Any, above: Any, where: str = "") -> InputError:
    """Return the error of a column with data that has no name in the header."""
    return InputError(
        f"`path` must have a name for each column with data; got none for column {k} of {file!r},"
        f" which begins with {str(cell)[:40]!r}{where}. Name the column, or clear it. If this"
        f" cell is the name, the header is below the line with {str(above)[:40]!r}: pass"
        " header_row= with the number of the header's line."
    )


def require_unique_names(names: Sequence[str], file: str) -> None:
    """Raise InputError if two columns have one name."""
    twice = sorted(name for name, number in Counter(names).items() if name and number > 1)
    if twice:
        raise InputError(
            f"`path` must have a different name for each column; got {twice} more than once in"
            f" {file!r}. Rename the columns."
        )


class CellColumns(NamedTuple):
    """Columns as arrays, the decimal mark of their numbers, the cells of labels with blanks cut."""

    columns: dict[str, Any]
    decimal: str
    stripped: dict[str, int]


def read_cell_columns(
    columns: Mapping[str, list[Any]],
    decimal: str | None,
    file: str,
    *,
    separator: str | None = None,
    text: Collection[str] = (),
) -> CellColumns:
    """Return the columns as arrays: numbers, booleans or words, and labels as they are written.

    Parameters
    ----------
    columns : mapping of str to list
        Texts and numbers; a missing cell is "".
    decimal : {".", ","} or None
        The mark; the other one may divide thousands. If None, the mark is found: the one with which
        each column can be read that can be read as numbers at all. Where both can be meant (1,234
        or 1.234), InputError is raised.
    file : str
        Name of the file, for messages.
    separator : str or None
        Separator of a text file, None of a sheet. Between other separators than the comma, 1,234
        is a decimal unless numbers with points are beside it. Between commas 1.234 is one if all
        numbers of its column have a point: thousands under 1000 would have none.
    text : collection of str
        Columns of labels, which stay text: 010 and 10 differ.
    """
    labels = {name: label_cells(cells) for name, cells in columns.items() if name in text}
    others = {name: cells for name, cells in columns.items() if name not in text}
    read, decimal = _arrays_of_cell_columns(others, decimal, file, separator)
    read |= {name: cells for name, (cells, _) in labels.items()}
    stripped = {name: number for name, (_, number) in labels.items() if number}
    return CellColumns({name: read[name] for name in columns}, decimal, stripped)


# --- Numbers, and their decimal mark --------------------------------------------------------------


# By decimal mark, a number whose thousands the other mark divides: "0,123" is none, nor "12,34".
_GROUPED = {
    ".": re.compile(r"\s*[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?\s*"),
    ",": re.compile(r"\s*[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?\s*"),
}


def _arrays_of_cell_columns(
    columns: Mapping[str, list[Any]], decimal: str | None, file: str, separator: str | None
) -> tuple[dict[str, Any], str]:
    """Return columns of numbers, booleans or words as arrays, and the decimal mark.

    Among words all marks for missing numbers but the empty cell are labels.
    """
    read = {name: _typed_cells(cells, decimal) for name, cells in columns.items()}
    if decimal is not None:
        return read, decimal
    numbers = {name: column.dtype.kind in "if" for name, column in read.items()}
    marks = {name: _possible_decimal_marks(columns[name]) for name in columns if not numbers[name]}
    if not any(marks.values()):
        pointed = {name: columns[name] for name in columns if read[name].dtype.kind == "f"}
        if _points_may_divide_thousands(pointed, always=separator == ","):
            raise _ambiguous_mark_error(pointed, file)
        return read, "."
    marks |= {name: _possible_decimal_marks(columns[name]) for name in columns if numbers[name]}
    marked = {name: columns[name] for name in columns if marks[name]}
    decimal = _common_decimal_mark(set(marks.values()) - {""}, marked, separator in (None, ","))
    if decimal is None:
        raise _ambiguous_mark_error(marked, file)
    # What was read with points has no other reading here: the rest is read with the mark.
    rest = {name: cells for name, cells in marked.items() if not numbers[name]}
    return read | {name: _typed_cells(cells, decimal) for name, cells in rest.items()}, decimal


def _possible_decimal_marks(cells: list[Any]) -> str:
    """Return the marks that can be the decimal of the numbers of a column, "" if none is in it."""
    texts = (cell for cell in cells if isinstance(cell, str) and cell not in MISSING_MARKS)
    first = [next(texts, "")]  # a million words are known as words by the first
    possible = [mark for mark in ".," if cells_are_numbers(first, mark)]
    known = first + list(texts) if possible else []
    if not any("," in cell or "." in cell for cell in known):
        return ""
    return "".join(mark for mark in possible if cells_are_numbers(known, mark))


def _points_may_divide_thousands(columns: Mapping[str, list[Any]], *, always: bool) -> bool:
    """Return whether all points in columns of numbers may divide thousands: 1.234 beside 900.

    With ``always`` they do not where all numbers of these columns have one.
    """
    n_pointed = n_without = 0
    for cells in columns.values():
        texts = [cell for cell in cells if isinstance(cell, str) and cell not in MISSING_MARKS]
        pointed = (cell for cell in texts if "." in cell)
        number = 0
        for cell in pointed:  # in most files the first ends it
            if not _GROUPED[","].fullmatch(cell):
                return False
            number += 1
        n_pointed += number
        n_without += len(texts) - number if number else 0
    return n_pointed > 0 and (n_without > 0 or not always)


def _common_decimal_mark(
    possible: set[str], marked: Mapping[str, list[Any]], commas_divide: bool
) -> str | None:
    """Return the decimal mark of a file by the possible marks of its columns; None if in doubt."""
    if "." in possible and not _first_cell_with_decimal_mark(",", marked):
        return "."  # 12.345.678 is a label where 0.5 is a number
    if ".," not in possible:
        return possible.pop() if len(possible) == 1 else None
    # 1,234 or 1.234 in every cell of a column: the other columns may tell, or the separator.
    if _first_cell_with_decimal_mark(".", marked):
        return None
    commas_fit = "," in possible or not commas_divide
    return "," if commas_fit and "." not in possible else None


def _first_cell_with_decimal_mark(
    mark: str, marked: Mapping[str, list[Any]]
) -> tuple[str, str] | None:
    """Return the first cell with a mark, and its column."""
    for name, cells in marked.items():
        for cell in cells:
            if isinstance(cell, str) and mark in cell and cell not in MISSING_MARKS:
                return cell, name
    return None


def _ambiguous_mark_error(marked: Mapping[str, list[Any]], file: str) -> InputError:
    seen = [found for mark in ",." if (found := _first_cell_with_decimal_mark(mark, marked))]
    got = " and ".join(f"{cell!r} in column {name!r}" for cell, name in dict.fromkeys(seen))
    return InputError(
        f"`decimal` must be given for ambiguous numbers; got {got} of {file!r}. Pass"
        " decimal=',' or decimal='.' (or thousands=); the other mark then divides thousands, or the"
        " column is read as words."
    )


# --- The cells of one column ----------------------------------------------------------------------

# A cell, or several in a row if each is a number.
_WHOLE_NUMBERS = re.compile(r"[\s+-]*[0-9][\s+0-9-]*")


def _typed_cells(cells: list[Any], decimal: str | None) -> Any:
    """Return the cells of a column as numbers, booleans or text, whichever all of them are."""
    filled = any(cell != "" for cell in cells)
    if filled and all(cell == "" or str(cell) in BOOLEAN_WORDS for cell in cells):
        return pd.array([BOOLEAN_WORDS.get(str(cell)) for cell in cells], dtype="boolean")
    known = np.ones(len(cells), dtype=np.bool_)
    if not MISSING_MARKS.isdisjoint(cells):  # most columns are complete: in one step
        known = np.array([cell not in MISSING_MARKS for cell in cells])
    if known.any():
        try:
            numbers = _cells_as_numbers(
                cells if known.all() else list(compress(cells, known)), decimal
            )
            return cell_numbers_with_missing(numbers, known)
        except (TypeError, ValueError):
            pass  # a column of words
    return np.array([None if cell == "" else cell for cell in cells], dtype=object)


def cell_numbers_with_missing(numbers: npt.NDArray[Any], known: BoolArray) -> Any:
    """Return the numbers of the known cells among missing ones."""
    if known.all():
        return numbers
    whole = numbers.dtype == np.int64
    missing = 0 if whole else None if numbers.dtype == object else np.nan
    column = np.full(len(known), missing, dtype=numbers.dtype)
    column[known] = numbers
    return pd.arrays.IntegerArray(column, ~known) if whole else column


def cells_are_numbers(cells: list[Any], decimal: str) -> bool:
    """Return whether all cells are numbers."""
    try:
        _cells_as_numbers(cells, decimal)
    except (TypeError, ValueError):
        return False
    return True


def _cells_as_numbers(cells: list[Any], decimal: str | None) -> npt.NDArray[Any]:
    """Return cells as numbers, exact; raise ValueError or TypeError if one is none."""
    text = None
    with suppress(TypeError):  # the numbers of a sheet are no texts
        text = "".join(cells)
    if text is not None:
        if "_" in text or decimal == "," or (decimal and "," in text):
            cells, decimal = _cell_numbers_as_python(cells, decimal), None
            text = "".join(cells)
        values = np.fromiter(map(float, cells), np.float64, len(cells))
        # Whole numbers this large are not exact as floats: they are read one by one.
        if not (np.abs(values) >= EXACT_INTEGERS).any():
            return values.astype(np.int64) if _WHOLE_NUMBERS.fullmatch(text) else values
    numbers = [cell_as_number(cell, decimal) for cell in cells]
    whole = [number for number in numbers if isinstance(number, int)]
    if any(abs(number) > EXACT_INTEGERS for number in whole):
        return np.array(numbers, dtype=object)  # unchanged: as floats they could tie
    return np.array(numbers, dtype=np.int64 if len(whole) == len(numbers) else np.float64)


def cell_as_number(cell: Any, decimal: str | None) -> int | float:
    """Return a cell as a number; raise ValueError or TypeError if it is none."""
    if isinstance(cell, str):
        cell = _cell_number_as_python(cell, decimal)
        return int(cell) if _WHOLE_NUMBERS.fullmatch(cell) else float(cell)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        raise TypeError
    return cell


def _cell_numbers_as_python(cells: list[str], decimal: str | None) -> list[str]:
    """Return the numbers of a file as Python writes them, where they are not written so already."""
    text = "\0".join(cells)  # no file that is read has this character
    if decimal == "," and "." not in text and "_" not in text:  # a million cells in one step
        return text.replace(",", ".").split("\0")
    return [_cell_number_as_python(cell, decimal) for cell in cells]


def _cell_number_as_python(cell: str, decimal: str | None) -> str:
    """Return a number of a file as Python writes it; raise ValueError if it can be none.

    Without a decimal mark it is written so already.
    """
    if "_" in cell:  # float("1_0") is 10 in Python, and text elsewhere
        raise ValueError
    if decimal is None or (decimal == "." and "," not in cell):
        return cell
    other = "," if decimal == "." else "."
    if _GROUPED[decimal].fullmatch(cell):
        cell = cell.replace(other, "")
    elif other in cell:
        raise ValueError
    return cell.replace(decimal, ".")


# --- Labels ---------------------------------------------------------------------------------------


def label_cells(cells: list[Any]) -> tuple[Any, int]:
    """Return labels as they are written but for blanks at the ends, and how many had blanks.

    Cells that are no text (of a sheet) keep their type. An empty cell is missing; so is a mark for
    a missing number among numbers.
    """
    texts = [cell for cell in cells if isinstance(cell, str) and cell != ""]
    if not texts:
        return _typed_cells(cells, None), 0
    stripped = sum(cell != cell.strip() for cell in texts)
    if stripped:
        cells = [cell.strip() if isinstance(cell, str) else cell for cell in cells]
    missing = {""}
    if not MISSING_MARKS.isdisjoint(texts):
        known = [cell for cell in cells if cell not in MISSING_MARKS]
        if any(cells_are_numbers(known, mark) for mark in ".,"):
            missing |= MISSING_MARKS
    return np.array([None if cell in missing else cell for cell in cells], dtype=object), stripped


def outcome_codes_of_labels(labels: list[Any], decimal: str) -> Any:
    """Return the labels of an outcome as an array of numbers or booleans if that is what they are.

    They are if they are a conventional pair (0 and 1, -1 and 1, true and false), or if each is
    written as its number is (2 or 2.0, but not 02), and no two are written differently for one
    number. Others are returned as they are.
    """
    known = [label for label in labels if label is not None]
    if not known or not all(isinstance(label, str) for label in known):
        return labels
    column = _typed_cells(["" if label is None else label for label in labels], decimal)
    if column.dtype == "boolean":
        return column
    if column.dtype.kind not in "if":
        return labels
    number_of = dict(zip(known, column[[label is not None for label in labels]], strict=True))
    values = set(number_of.values())
    if len(values) < len(number_of):
        return labels
    written_plainly = all(
        text in (f"{number:.0f}", str(float(number)).replace(".", decimal))
        for text, number in number_of.items()
    )
    conventional = any(values <= pair for pair in CONVENTIONAL_LABELS)  # 1, 1.0 or +1
    return column if written_plainly or conventional else labels


# --- Labels meant by text on a command line -------------------------------------------------------


def is_column_of_labels(column: pd.Series[Any]) -> bool:
    """Return whether a column of a file holds texts, not numbers, dates or codes with words."""
    return column.dtype.kind == "O" and not isinstance(column.dtype, pd.CategoricalDtype)


def label_texts_of_column(column: pd.Series[Any]) -> list[Any]:
    """Return the cells of a column, "" where they are missing."""
    return [cell if known else "" for cell, known in zip(column, column.notna(), strict=True)]


def read_codes(frame: pd.DataFrame, column: str) -> None:
    """Make numbers or booleans of the labels of an outcome that was read as text, if they are."""
    if column in frame.columns and is_column_of_labels(frame[column]):
        labels = [None if pd.isna(label) else label for label in frame[column]]
        codes = outcome_codes_of_labels(labels, frame.attrs["rocstats"]["decimal"] or ".")
        if codes is not labels:
            frame[column] = pd.Series(codes, index=frame.index)


def label_meant(frame: pd.DataFrame, column: str, text: str | None) -> Any:
    """Return the label of a column of a file that a text means: as written, or by its code."""
    if text is None or column not in frame.columns:
        return text
    about, labels = frame.attrs["rocstats"], frame[column].dropna().unique().tolist()
    found = spelled_label(labels, text, any_case=column in about.get("folded", {}))
    # A file of SPSS or Stata has a word for each code; both are known to its users.
    words = (about["value_labels"] or {}).get(column, {})
    return words.get(text, text) if found is None else found


def spelled_label(labels: Collection[Any], text: str, *, any_case: bool = False) -> Any:
    """Return the label that a text spells, in any case if labels were folded; else None."""
    for label in labels:
        # A file may hold the labels 0 and 1 as 0.0 and 1.0: "1" means 1.0 then.
        if text in (str(label), f"{label:g}" if isinstance(label, float) else None):
            return label
        # The words of booleans are not kept: TRUE means True, as any of its spellings does.
        if isinstance(label, bool) and BOOLEAN_WORDS.get(text) is label:
            return label
    alike = (label for label in labels if str(label).casefold() == text.casefold())
    return next(alike, None) if any_case else None


def strip_file_labels(frame: pd.DataFrame, columns: Collection[str]) -> None:
    """Take the blanks at the ends of the labels of columns that hold labels, not numbers."""
    for name in columns:
        if name in frame.columns and is_column_of_labels(frame[name]):
            labels, number = label_cells(label_texts_of_column(frame[name]))
            frame[name] = pd.Series(labels, index=frame.index)
            if number:
                about = frame.attrs["rocstats"]
                about["stripped"] = {**(about["stripped"] or {}), name: number}


def label_counts(labels: Iterable[Any]) -> dict[Any, int]:
    """Return the number of rows of each label that is a text."""
    return Counter(label for label in labels if isinstance(label, str))


def label_spellings_with_counts(numbers: Mapping[Any, int]) -> list[dict[str, int]]:
    """Return the spellings, with their numbers of rows, of each label that has several.

    That of most rows is first, of as many the first in the order of the alphabet: engines give
    labels in any order, and the order of rows says nothing.
    """
    of: Counter[str] = Counter()
    for label, number in numbers.items():
        if isinstance(label, str):
            of[label.strip()] += number
    ordered = sorted(of, key=lambda label: (-of[label], label))
    return [{label: of[label] for label in alike} for alike in spelled_alike(ordered)]


def fold_labels(frame: pd.DataFrame, column: str) -> None:
    """Give labels of a column that differ by case alone the spelling that most rows have."""
    folded: dict[str, str] = {}
    for numbers in label_spellings_with_counts(label_counts(frame[column])):
        kept, *others = numbers
        folded |= dict.fromkeys(others, kept)
    if folded:
        frame[column] = frame[column].replace(folded)
        frame.attrs["rocstats"].setdefault("folded", {})[column] = folded


def label_has_blanks(label: Any) -> bool:
    """Return whether a label has blanks at its ends."""
    return isinstance(label, str) and label != label.strip()


def stripped_in_words(column: str, number: int) -> str:
    """Return in words for how many labels of a column blanks at the ends were left out."""
    labels = "1 label" if number == 1 else f"{number:,} labels"
    return f"without the blanks at the ends of {labels} in {column!r}"


# --- Dates ----------------------------------------------------------------------------------------

_DATE = re.compile(r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4}([ T][\d:.]+)?\s*")


def require_no_dates(frame: pd.DataFrame, column: str, option: str) -> None:
    """Raise InputError if the labels of a column are dates, each of which would be a group."""
    if column not in frame.columns:
        return
    known = frame[column].dropna()
    dates = known.map(
        lambda label: isinstance(label, date) or (isinstance(label, str) and _DATE.fullmatch(label))
    )
    if len(known) and dates.astype(bool).all():
        raise InputError(
            f"`{option}` must not be dates; got {str(known.iloc[0])!r} in column {column!r}. Make a"
            " column of years or periods, and pass that."
        )
