"""Frames from the data files of users, whatever program wrote them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, require_choice
from rocstats.frames.making import data_frame
from rocstats.sample.inputs.files.cells import (
    named_columns,
    read_columns,
    require_unique_names,
)
from rocstats.sample.inputs.files.packages import READERS, read_package
from rocstats.sample.inputs.files.spreadsheets import read_sheet
from rocstats.sample.inputs.files.text import read_text, spoken

# The separator that the ending of a text file promises.
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
ENDINGS = (*_SEPARATORS, ".xlsx", ".parquet", *READERS)


class _Asked(NamedTuple):
    """What the user said of a file; None is to be found."""

    sep: str | None
    decimal: str | None
    encoding: str | None
    sheet: str | int | None


class _Found(NamedTuple):
    """The columns of a file, and what is told of it in ``attrs``."""

    columns: Mapping[Any, Any]
    told: dict[str, Any]


def read_table(
    path: str | PathLike[str],
    *,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
) -> pd.DataFrame:
    r"""Return the table of a data file: one row a case (or a count of cases), one column a name.

    For your own data, from text, Excel, parquet, SPSS, Stata or SAS. Frames of this package, saved
    as csv, are read by :func:`read_csv`.

    Parameters
    ----------
    path : str or path-like
        The file. Its ending gives the format: .csv, .tsv, .txt; .xlsx; .parquet; .sav, .zsav
        (SPSS); .dta (Stata); .sas7bdat, .xpt (SAS). "-" is text from standard input.
    sep : str, optional
        Separator of a text file, one character or "tab". By default found: the one of comma,
        semicolon, tab and vertical bar that divides the header; if several do, the only one that
        divides the first 100 lines alike.
    decimal : {".", ","}, optional
        Decimal mark of text and of numbers that a sheet holds as text; the other mark may divide
        thousands (1,234.5). By default found: the mark with which every column of numbers can be
        read. A number such as 1,234 in a file with points elsewhere, or between commas as
        separators, can be meant in two ways: the file is refused until the mark is given.
    encoding : str, optional
        Encoding of a text file, or of a file of a statistics package that does not tell its own. By
        default UTF-8 (with byte order mark or without), UTF-16 with byte order mark, and cp1252
        (Western European Windows) for text that is not UTF-8.
    sheet : str or int, optional
        Sheet of a workbook: its name, or its number from 1. By default the first that holds a
        table, which has two columns and a row at least.

    Returns
    -------
    pandas.DataFrame
        The columns as numbers, booleans, words, dates or categories. An empty cell is missing. In a
        column of numbers NA, NaN and . are missing too; among words they are labels. Lines without
        any text, an empty column without a name, and a first column without a name (numbers of
        rows) are left out. Codes of SPSS and Stata become their words, as categories in the order
        of the codes, if each code in the column has a word of its own; what the file declares
        missing is missing. ``attrs["rocstats"]`` tells what was found: ``file`` (its name),
        ``format``, ``separator``, ``decimal``, ``encoding``, ``sheet``, ``sheets`` (all of the
        workbook), ``value_labels`` (the word of each code, by column), ``rows`` and ``columns``;
        None where it does not apply.

    Raises
    ------
    InputError
        If there is no such file, its ending is another, its reader is not installed (``pip install
        "rocstats[files]"``), an argument does not belong to its format, two columns have one name,
        a column with data has none, a line has another number of fields than the header, lines of
        text come before the header, or separator or decimal mark cannot be told.

    References
    ----------
    - The page "From a file to a paper" of the documentation

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rocstats as rs
    >>> file = Path(tempfile.mkdtemp(), "patients.csv")
    >>> _ = file.write_text("Diagnose;Größe\nbösartig;2,5\ngutartig;1,25\n", encoding="cp1252")
    >>> rs.read_table(file)
       Diagnose  Größe
    0  bösartig   2.50
    1  gutartig   1.25
    >>> found = rs.read_table(file).attrs["rocstats"]
    >>> found["separator"], found["decimal"], found["encoding"]
    (';', ',', 'cp1252')
    """
    if not isinstance(path, (str, PathLike)):
        raise InputError(
            f"`path` must be the name of a file; got {type(path).__name__}. Pass a name or a Path."
        )
    file = Path(path)
    form = "text" if str(file) == "-" else file.suffix.lower()
    read = _reader(file, form)
    decimal = require_choice("decimal", decimal, (None, ".", ","))
    # On a command line a tab is hard to type.
    asked = _Asked("\t" if sep in ("tab", "\\t") else sep, decimal, encoding, sheet)
    _require_fitting(asked, file, form)
    found = _guarded(read, file, form, asked)
    frame = data_frame(found.columns)
    frame.attrs["rocstats"] = {
        "function": "read_table",
        "version": __version__,
        "file": file.name,
        "format": form.removeprefix("."),
        **dict.fromkeys(("separator", "decimal", "encoding", "sheet", "sheets", "value_labels")),
        **found.told,
        "rows": frame.shape[0],
        "columns": frame.shape[1],
    }
    return frame


def said_of_reading(frame: pd.DataFrame) -> str:
    """Return a sentence on how a file was read where it was not read by default, "" elsewhere."""
    told = frame.attrs["rocstats"]
    usual = _SEPARATORS.get(f".{told['format']}", ",")
    sep, sheets = told["separator"] or usual, [repr(name) for name in told["sheets"] or []]
    parts = {
        f"separated by {spoken(sep)}": sep != usual,
        "decimal comma": told["decimal"] == ",",
        str(told["encoding"]): told["encoding"] not in (None, "utf-8", "utf-8-sig"),
        f"sheet {told['sheet']!r} of {', '.join(sheets)}": len(sheets) > 1,
    }
    said = ", ".join(part for part, unusual in parts.items() if unusual)
    return said and f"read {told['file']}: {said}"


def label_of(frame: pd.DataFrame, column: str, text: str | None) -> Any:
    """Return the label of a column of a file that a text means: as written, or by its code."""
    if text is None or column not in frame.columns:
        return text
    # A file may hold the labels 0 and 1 as 0.0 and 1.0: "1" means 1.0 then.
    for label in frame[column].dropna().unique().tolist():
        if text in (str(label), f"{label:g}" if isinstance(label, float) else None):
            return label
    # A file of SPSS or Stata has a word for each code; both are known to its users.
    words = (frame.attrs["rocstats"]["value_labels"] or {}).get(column, {})
    return words.get(text, text)


def _reader(file: Path, form: str) -> Callable[[Path, str, _Asked], _Found]:
    """Return the reader of a format; refuse other formats, and files that are not there."""
    if form == ".xls":
        raise InputError(
            f"`path` must not be of the old kind .xls; got {file.name!r}. Save it as xlsx or csv."
        )
    if form not in ("text", *ENDINGS):
        raise InputError(
            f"`path` must end in {', '.join(ENDINGS)}; got {file.name!r}. Save the data as csv."
        )
    if form != "text" and not file.is_file():
        raise InputError(f"`path` must be a file; got {str(file)!r}. Check the name.")
    if form in READERS:
        return _read_package
    return {".xlsx": _read_xlsx, ".parquet": _read_parquet}.get(form, _read_text)


def _require_fitting(asked: _Asked, file: Path, form: str) -> None:
    """Raise InputError for an argument that is wrong, or that the format does not have."""
    of_format = {".xlsx": {"decimal", "sheet"}, ".parquet": set[str]()}
    of_format |= {ending: {"encoding"} for ending in READERS}
    fitting = of_format.get(form, {"sep", "decimal", "encoding"})
    for argument, value in asked._asdict().items():
        if value is not None and argument not in fitting:
            raise InputError(
                f"`{argument}` must be left out for this kind of file; got {value!r} for"
                f" {file.name!r}. Leave it out."
            )
    if asked.sep is not None and not re.fullmatch(r'[^\w\s."]|[\t ]', str(asked.sep)):
        raise InputError(
            f"`sep` must be one character that no number has, such as ';'; got {asked.sep!r}."
            " Pass ',', ';', '|' or 'tab', or none to have it found."
        )


def _guarded(
    read: Callable[[Path, str, _Asked], _Found], file: Path, form: str, asked: _Asked
) -> _Found:
    """Return what a reader finds; a file that it cannot read is an InputError."""
    try:
        return read(file, form, asked)
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
            f"`path` must be a readable {form} file; got {file.name!r} ({told})."
            " Save it again, or as csv."
        ) from None


def _read_text(file: Path, form: str, asked: _Asked) -> _Found:
    content = sys.stdin.buffer.read() if form == "text" else file.read_bytes()
    usual = _SEPARATORS.get(form, ",")
    text = read_text(content, file.name, sep=asked.sep, encoding=asked.encoding, usual=usual)
    cells = named_columns(text.columns, file.name)
    divide = text.separator == ","
    columns, decimal = read_columns(cells, asked.decimal, file.name, commas_divide=divide)
    told = {"separator": text.separator, "decimal": decimal, "encoding": text.encoding}
    return _Found(columns, told)


def _read_xlsx(file: Path, form: str, asked: _Asked) -> _Found:
    sheet = read_sheet(file, asked.sheet)
    cells = named_columns(sheet.columns, file.name)
    columns, decimal = read_columns(cells, asked.decimal, file.name)
    return _Found(columns, {"decimal": decimal, "sheet": sheet.name, "sheets": sheet.names})


def _read_parquet(file: Path, form: str, asked: _Asked) -> _Found:
    # Nullable types: to NumPy's, integers beside a missing value would become floats, and tie.
    from pyarrow.parquet import read_schema  # type: ignore[import-untyped]

    # pandas would refuse in pyarrow's words
    require_unique_names(read_schema(file).names, file.name)
    return _Found(dict(pd.read_parquet(file, dtype_backend="numpy_nullable").items()), {})


def _read_package(file: Path, form: str, asked: _Asked) -> _Found:
    columns, words = read_package(file, form, asked.encoding)
    return _Found(columns, {"value_labels": words})
