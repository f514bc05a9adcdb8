"""Frames from data files: csv, tsv, parquet and xlsx."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames import data_frame
from rocstats.sample.inputs.vectors import EXACT_INTEGERS

ENDINGS = (".csv", ".tsv", ".parquet", ".xlsx")
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")
_BOOLEANS = {"True": True, "TRUE": True, "true": True}
_BOOLEANS |= {"False": False, "FALSE": False, "false": False}
# What R, pandas, SAS and Stata write for a missing number. Among words they are labels.
_MISSING_NUMBERS = frozenset({"NA", "NaN", "nan", "."})


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
    """Return the cells of the first sheet by row, the first row the header; "" if empty."""
    cells = pd.read_excel(file, header=None, dtype=object, na_filter=False)
    return cells.to_numpy(dtype=object).tolist()


def _read_text(file: Path, ending: str) -> list[list[Any]]:
    """Return the fields of a text file by line, the first line the header."""
    lines: list[list[Any]] = []
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter="\t" if ending == ".tsv" else ",", strict=True)
        for fields in filter(None, reader):  # an empty line has no fields
            if lines and len(fields) != len(lines[0]):
                raise InputError(
                    f"`path` must have as many fields in each line as in its header,"
                    f" {len(lines[0])}; got {len(fields)} in line {reader.line_num} of"
                    f" {file.name!r}. Remove or add a separator there, or quote the field that"
                    " holds one."
                )
            lines.append(fields)
    return lines


def _table(rows: list[list[Any]], file: Path) -> pd.DataFrame:
    """Return the named columns of rows, of which the first is the header."""
    if not rows:
        raise InputError(
            f"`path` must have a header; got the empty file {file.name!r}. Check the file."
        )
    if any("\0" in str(name) for name in rows[0]):
        raise InputError(
            f"`path` must be text in UTF-8; got a binary file {file.name!r}. Save it as csv."
        )
    names = [str(name) for name in rows[0]]
    _require_unique_names(names, file)
    columns = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(names)
    return data_frame(
        {name: _typed(cells) for name, cells in zip(names, columns, strict=True) if name}
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
    texts = [cell for cell in cells if cell != ""]
    if texts and all(str(cell) in _BOOLEANS for cell in texts):
        return pd.array([_BOOLEANS.get(str(cell)) for cell in cells], dtype="boolean")
    if any(cell not in _MISSING_NUMBERS for cell in texts):
        try:
            return _as_numbers([_number(cell) for cell in cells])
        except (TypeError, ValueError):
            pass  # a column of words
    return np.array([None if cell == "" else cell for cell in cells], dtype=object)


def _number(cell: Any) -> int | float | None:
    """Return a cell as a number, None if missing; raise ValueError or TypeError if it is none."""
    if isinstance(cell, str):
        if cell == "" or cell in _MISSING_NUMBERS:
            return None
        if "_" in cell:  # float("1_0") is 10 in Python, and text to everybody else
            raise ValueError(cell)
        return int(cell) if _WHOLE.fullmatch(cell) else float(cell)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        raise TypeError(cell)
    return cell


def _as_numbers(numbers: Sequence[int | float | None]) -> Any:
    whole = [number for number in numbers if isinstance(number, int)]
    if any(abs(number) > EXACT_INTEGERS for number in whole):
        return np.array(numbers, dtype=object)  # kept as they are: whoever reads them sees ties
    if len(whole) == len(numbers):
        return np.array(numbers, dtype=np.int64)
    if len(whole) == sum(number is not None for number in numbers):
        return pd.array(numbers, dtype="Int64")
    return np.array([np.nan if number is None else number for number in numbers])
