"""Frames from data files: csv, tsv, parquet and xlsx."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import compress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.making import data_frame
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.vectors import EXACT_INTEGERS

ENDINGS = (".csv", ".tsv", ".parquet", ".xlsx")
# A cell, or several in a row if each is a number.
_WHOLE = re.compile(r"[\s+-]*[0-9][\s+0-9-]*")
_BOOLEANS = {"True": True, "TRUE": True, "true": True}
_BOOLEANS |= {"False": False, "FALSE": False, "false": False}
# An empty cell, and what R, pandas, SAS and Stata write for a missing number. Among words all but
# the empty cell are labels.
_MISSING_NUMBERS = frozenset({"", "NA", "NaN", "nan", "."})


def read_table(path: str | PathLike[str]) -> pd.DataFrame:
    """Return the table of a data file, whose ending gives the format.

    An empty cell is missing. In a column of numbers NA, NaN and . are missing too; in a column of
    words they are labels. Columns without a name are left out.

    Raises InputError if the file does not exist, has another ending, cannot be read in its format,
    has two columns of one name or a line of another length, or needs a library that is not
    installed.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"`path` must end in {', '.join(ENDINGS)}; got {file.name!r}. Save the data as csv."
        )
    if not file.is_file():
        raise InputError(f"`path` must be a file; got {str(file)!r}. Check the name.")
    try:
        if ending == ".parquet":
            return _read_parquet(file)
        return _table(_read_xlsx(file) if ending == ".xlsx" else _read_text(file, ending), file)
    except InputError:
        raise
    except ImportError as problem:
        raise InputError(
            f"`path` must be of a kind whose reader is installed; got {file.name!r} ({problem})."
            ' Install it with: pip install "rocstats[files]".'
        ) from None
    # A broken xlsx raises whatever its broken part makes of it: BadZipFile, KeyError, ParseError.
    except Exception as problem:
        told = " ".join(str(problem).split())
        raise InputError(
            f"`path` must be a readable {ending} file; got {file.name!r} ({told})."
            " Save it again, or as csv."
        ) from None


def _read_parquet(file: Path) -> pd.DataFrame:
    # Nullable types: to NumPy's, integers beside a missing value would become floats, and tie.
    from pyarrow.parquet import read_schema  # type: ignore[import-untyped]

    _require_unique_names(read_schema(file).names, file)  # pandas would refuse in pyarrow's words
    return pd.read_parquet(file, dtype_backend="numpy_nullable")


def _read_xlsx(file: Path) -> list[list[Any]]:
    """Return the columns of the first sheet, the header first; an empty cell is ""."""
    cells = pd.read_excel(file, header=None, dtype=object, na_filter=False)
    return cells.to_numpy(dtype=object).T.tolist()


def _read_text(file: Path, ending: str) -> list[list[Any]]:
    """Return the columns of a text file, the header first."""
    cells: list[str] = []  # of all lines: a list for each line would take twice the time
    width = 0
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter="\t" if ending == ".tsv" else ",", strict=True)
        for fields in filter(None, reader):  # an empty line has no fields
            width = width or len(fields)
            if len(fields) != width:
                raise InputError(
                    f"`path` must have as many fields in each line as in its header, {width}; got"
                    f" {len(fields)} in line {reader.line_num} of {file.name!r}. Remove or add a"
                    " separator there, or quote the field that holds one."
                )
            cells += fields
    return [cells[k::width] for k in range(width)]


def _table(columns: list[list[Any]], file: Path) -> pd.DataFrame:
    """Return the named ones of columns, of which the first cell is the name."""
    if not columns:
        raise InputError(
            f"`path` must have a header; got the empty file {file.name!r}. Check the file."
        )
    names = [str(column[0]) for column in columns]
    if any("\0" in name for name in names):
        raise InputError(
            f"`path` must be text in UTF-8; got a binary file {file.name!r}. Save it as csv."
        )
    _require_unique_names(names, file)
    return data_frame(
        {name: _typed(column[1:]) for name, column in zip(names, columns, strict=True) if name}
    )


def _require_unique_names(names: Sequence[str], file: Path) -> None:
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            f"`path` must have another name for each column; got {twice} more than once in"
            f" {file.name!r}. Rename the columns."
        )


def _typed(cells: Sequence[Any]) -> Any:
    """Return the cells of a column as numbers, booleans or text, whichever all of them are."""
    filled = any(cell != "" for cell in cells)
    if filled and all(cell == "" or str(cell) in _BOOLEANS for cell in cells):
        return pd.array([_BOOLEANS.get(str(cell)) for cell in cells], dtype="boolean")
    known = np.ones(len(cells), dtype=np.bool_)
    if not _MISSING_NUMBERS.isdisjoint(cells):  # most columns are complete: in one step
        known = np.array([cell not in _MISSING_NUMBERS for cell in cells])
    if known.any():
        try:
            return _with_missing(_numbers(list(compress(cells, known))), known)
        except (TypeError, ValueError):
            pass  # a column of words
    return np.array([None if cell == "" else cell for cell in cells], dtype=object)


def _numbers(cells: list[Any]) -> npt.NDArray[Any]:
    """Return cells as numbers, exact; raise ValueError or TypeError if one is none."""
    if set(map(type, cells)) == {str}:
        text = "".join(cells)
        if "_" in text:  # float("1_0") is 10 in Python, and text to everybody else
            raise ValueError
        values = np.fromiter(map(float, cells), np.float64, len(cells))
        # Whole numbers this large are not exact as floats: they are read one by one.
        if not (np.abs(values) >= EXACT_INTEGERS).any():
            return values.astype(np.int64) if _WHOLE.fullmatch(text) else values
    numbers = [_number(cell) for cell in cells]
    whole = [number for number in numbers if isinstance(number, int)]
    if any(abs(number) > EXACT_INTEGERS for number in whole):
        return np.array(numbers, dtype=object)  # kept as they are: whoever reads them sees ties
    return np.array(numbers, dtype=np.int64 if len(whole) == len(numbers) else np.float64)


def _number(cell: Any) -> int | float:
    """Return a cell as a number; raise ValueError or TypeError if it is none."""
    if isinstance(cell, str):
        if "_" in cell:
            raise ValueError
        return int(cell) if _WHOLE.fullmatch(cell) else float(cell)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        raise TypeError
    return cell


def _with_missing(numbers: npt.NDArray[Any], known: BoolArray) -> Any:
    """Return the numbers of the known cells among missing ones."""
    if known.all():
        return numbers
    whole = numbers.dtype == np.int64
    missing = 0 if whole else None if numbers.dtype == object else np.nan
    column = np.full(len(known), missing, dtype=numbers.dtype)
    column[known] = numbers
    return pd.arrays.IntegerArray(column, ~known) if whole else column
