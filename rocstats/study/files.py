"""Frames from the data files of users, whatever program wrote them.

Text files are read here: their encoding, their separator, and the cells between. Workbooks and
files of statistics packages are read in ``cells``. Files with more rows than memory should hold are
left unread, for a data engine.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, compress, islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, require_choice, require_name, require_possible
from rocstats.facts.arrays import IntArray
from rocstats.facts.tolerances import MOST_LABELS
from rocstats.study.cells import (
    PACKAGE_READERS,
    CellColumns,
    codes_of,
    label_cells,
    named_columns,
    read_cell_columns,
    read_package,
    read_sheet,
    require_unique_names,
)
from rocstats.study.file_labels import is_of_labels, label_of, said_of_blanks, texts_of
from rocstats.study.forms import read_names

# --- Reading a file -------------------------------------------------------------------------------

# The separator that the ending of a text file promises.
_USUAL_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
ENDINGS = (*_USUAL_SEPARATORS, ".xlsx", ".parquet", *PACKAGE_READERS)


# What may be told of a file, by the reader of its format.
_TOLD = ("separator", "decimal", "encoding", "sheet", "sheets", "value_labels", "stripped")


class _ReadOptions(NamedTuple):
    """What the user said of a file; None is to be found."""

    sep: str | None
    decimal: str | None
    thousands: str | None
    encoding: str | None
    sheet: str | int | None
    text: Collection[str]


class _FileColumns(NamedTuple):
    """The columns of a file, what is told of it in ``attrs``, and the numbers of its rows.

    Rows are counted from 1 as a spreadsheet does, the header and empty rows too. None is of formats
    without a header in a row: the first case is row 1.
    """

    columns: Mapping[Any, Any]
    told: dict[str, Any]
    rows: IntArray | None = None


def read_table(
    path: str | PathLike[str],
    *,
    sep: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    text: str | Sequence[str] = (),
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
        separators, can be meant in two ways, and so can 1.234 where each number with a point has
        one to three digits before it (not a lone zero) and three behind: the file is refused until
        the mark is given. Between commas as separators, 1.234 is a decimal if all numbers of its
        column have a point.
    thousands : {".", ","}, optional
        Mark that divides thousands; the decimal mark is then the other one.
    encoding : str, optional
        Encoding of a text file, or of a file of a statistics package that does not tell its own. By
        default UTF-8 (with byte order mark or without), UTF-16 with byte order mark, and cp1252
        (Western European Windows) for text that is not UTF-8.
    sheet : str or int, optional
        Sheet of a workbook: its name, or its number from 1. By default the first that holds a
        table, which has two columns and a row at least.
    text : str or sequence of str, optional
        Columns of labels: those of the roles ``fold``, ``cluster``, ``group``, ``case``,
        ``reader`` and ``modality``, and outcomes in words. In a text file they stay text as it is
        written, so that 010 and 10, or 1.1 and 1.10, are different labels; elsewhere a cell keeps
        its type. Blanks at the ends of a label are no part of it.

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
        workbook), ``value_labels`` (the word of each code, by column), ``stripped`` (the number of
        labels with blanks at their ends, by column), ``rows`` and ``columns``; None where it does
        not apply.

    Raises
    ------
    InputError
        If there is no such file, its ending is another, its reader is not installed (``pip install
        "rocstats[files]"``), an argument does not belong to its format, two columns have one name,
        a column with data has none, a line has another number of fields than the header, lines of
        text come before the header, separator or decimal mark cannot be told, or ``text`` names no
        column.

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
    labels = read_names(text, "text")
    frame, _ = read_file(
        path,
        sep=sep,
        decimal=decimal,
        thousands=thousands,
        encoding=encoding,
        sheet=sheet,
        text=labels,
    )
    for name in labels:
        require_name("text", name, list(frame.columns))
    return frame


def read_file(
    path: str | PathLike[str],
    *,
    sep: str | None,
    decimal: str | None,
    thousands: str | None,
    encoding: str | None,
    sheet: str | int | None,
    text: Collection[str],
) -> tuple[pd.DataFrame, pd.Index[Any]]:
    """Return the table of a data file, as ``read_table``, and the numbers of its rows in the file.

    ``text`` may name columns that the file lacks.
    """
    if not isinstance(path, (str, PathLike)):
        raise InputError(
            f"`path` must be the name of a file; got {type(path).__name__}. Pass a name or a Path."
        )
    file = Path(path)
    require_possible(file)
    form = "text" if str(file) == "-" else file.suffix.lower()
    read = _reader(file, form)
    # On a command line a tab is hard to type.
    sep = "\t" if sep in ("tab", "\\t") else sep
    options = _ReadOptions(
        sep=sep, decimal=decimal, thousands=thousands, encoding=encoding, sheet=sheet, text=text
    )
    _require_fitting(options, file, form)
    options = options._replace(decimal=_decimal_mark(decimal, thousands))
    found = _guarded(read, file, form, options)
    frame = pd.DataFrame(found.columns)
    frame.attrs["rocstats"] = {
        "function": "read_table",
        "version": __version__,
        "file": file.name,
        "format": form.removeprefix("."),
        **dict.fromkeys(_TOLD),
        **found.told,
        "rows": frame.shape[0],
        "columns": frame.shape[1],
    }
    rows = pd.RangeIndex(1, len(frame) + 1) if found.rows is None else pd.Index(found.rows)
    return frame, rows


def _decimal_mark(decimal: str | None, thousands: str | None) -> str | None:
    """Return the decimal mark that is given, or is not the one that divides thousands."""
    decimal = require_choice("decimal", decimal, (None, ".", ","))
    thousands = require_choice("thousands", thousands, (None, ".", ","))
    if decimal is not None and decimal == thousands:
        raise InputError(
            f"`thousands` must be another mark than `decimal`; got {thousands!r} for both. Leave"
            " one of them out."
        )
    return decimal if thousands is None else "," if thousands == "." else "."


def said_of_reading(frame: pd.DataFrame) -> str:
    """Return a sentence on how a file was read where it was not read by default, "" elsewhere."""
    told = frame.attrs["rocstats"]
    usual = _USUAL_SEPARATORS.get(f".{told['format']}", ",")
    sep, sheets = told["separator"] or usual, [repr(name) for name in told["sheets"] or []]
    parts = {
        f"separated by {spoken(sep)}": sep != usual,
        "decimal comma": told["decimal"] == ",",
        str(told["encoding"]): told["encoding"] not in (None, "utf-8", "utf-8-sig"),
        f"sheet {told['sheet']!r} of {', '.join(sheets)}": len(sheets) > 1,
    }
    said = [part for part, unusual in parts.items() if unusual]
    for name, number in (told["stripped"] or {}).items():
        said.append(said_of_blanks(name, number))
    for name, folded in told.get("folded", {}).items():
        counted = ", ".join(f"{label!r} as {kept!r}" for label, kept in folded.items())
        said.append(f"{counted} in {name!r}")
    return f"read {told['file']}: {', '.join(said)}" if said else ""


def _reader(file: Path, form: str) -> Callable[[Path, str, _ReadOptions], _FileColumns]:
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
    if form in PACKAGE_READERS:
        return _read_package
    return {".xlsx": _read_xlsx, ".parquet": _read_parquet}.get(form, _read_text)


def _require_fitting(options: _ReadOptions, file: Path, form: str) -> None:
    """Raise InputError for an argument that is wrong, or that the format does not have."""
    of_format = {".xlsx": {"decimal", "thousands", "sheet"}, ".parquet": set[str]()}
    of_format |= {ending: {"encoding"} for ending in PACKAGE_READERS}
    fitting = of_format.get(form, {"sep", "decimal", "thousands", "encoding"})
    for argument, value in options._asdict().items():
        if value is not None and argument not in (*fitting, "text"):
            raise InputError(
                f"`{argument}` must be left out for this kind of file; got {value!r} for"
                f" {file.name!r}. Leave it out."
            )
    if options.sep is not None and not re.fullmatch(r'[^\w\s."]|[\t ]', str(options.sep)):
        raise InputError(
            f"`sep` must be one character that no number has, such as ';'; got {options.sep!r}."
            " Pass ',', ';', '|' or 'tab', or none to have it found."
        )


def _guarded(
    read: Callable[[Path, str, _ReadOptions], _FileColumns],
    file: Path,
    form: str,
    options: _ReadOptions,
) -> _FileColumns:
    """Return what a reader finds; a file that it cannot read is an InputError."""
    try:
        return read(file, form, options)
    except InputError:
        raise
    except ImportError as problem:
        raise InputError(
            f"`path` must be of a kind whose reader is installed; got {file.name!r} ({problem})."
            ' Install it with: pip install "rocstats[files]".'
        ) from None
    # A broken xlsx raises whatever its broken part makes of it: BadZipFile, KeyError, ParseError.
    except Exception as problem:
        # Some, such as MemoryError, have no text.
        told = " ".join(str(problem).split()) or type(problem).__name__
        raise InputError(
            f"`path` must be a readable {form} file; got {file.name!r} ({told})."
            " Save it again, or as csv."
        ) from None


def _read_text(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    content = sys.stdin.buffer.read() if form == "text" else file.read_bytes()
    usual = _USUAL_SEPARATORS.get(form, ",")
    text = read_text(content, file.name, sep=options.sep, encoding=options.encoding, usual=usual)
    cells = named_columns(text.columns, file.name)
    read = read_cell_columns(
        cells, options.decimal, file.name, separator=text.separator, text=options.text
    )
    told = {"separator": text.separator, "encoding": text.encoding}
    return _FileColumns(read.columns, {**told, **_told_of(read)}, text.rows)


def _read_xlsx(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    sheet = read_sheet(file, options.sheet)
    cells = named_columns(sheet.columns, file.name)
    read = read_cell_columns(cells, options.decimal, file.name, text=options.text)
    told = {"sheet": sheet.name, "sheets": sheet.names}
    return _FileColumns(read.columns, {**told, **_told_of(read)}, sheet.rows)


def _told_of(read: CellColumns) -> dict[str, Any]:
    return {"decimal": read.decimal, "stripped": read.stripped or None}


def _read_parquet(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    # Nullable types: to NumPy's, integers beside a missing value would become floats, and tie.
    from pyarrow.parquet import read_schema  # type: ignore[import-untyped]

    # pandas would refuse in pyarrow's words
    require_unique_names(read_schema(file).names, file.name)
    frame = pd.read_parquet(file, dtype_backend="numpy_nullable")
    columns = {str(name): column for name, column in frame.items()}
    return _without_blanks(columns, options.text)


def _read_package(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    columns, words = read_package(file, form, options.encoding)
    found = _without_blanks(columns, options.text)
    return _FileColumns(found.columns, {**found.told, "value_labels": words})


def _without_blanks(columns: dict[str, Any], text: Collection[str]) -> _FileColumns:
    """Return typed columns, the labels of which are texts without blanks at their ends."""
    stripped: dict[str, int] = {}
    for name in dict.fromkeys(text):
        cells = pd.Series(columns.get(name, ()))
        if name in columns and is_of_labels(cells):
            columns[name], number = label_cells(texts_of(cells))
            if number:
                stripped[name] = number
    return _FileColumns(columns, {"stripped": stripped or None})


# --- Text files -----------------------------------------------------------------------------------

SEPARATORS = (",", ";", "\t", "|")
# Lines in which a separator must show itself: enough for a file whose first rows are incomplete.
_HEAD_LINES = 100
# The order matters: the mark of UTF-16 is two bytes that no text in UTF-8 begins with.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# The line with which Excel is told the separator; it stays as an empty line, and is counted.
_SEPARATOR_LINE = re.compile(r"\ufeff?sep=(.)(?=\r?\n)", re.IGNORECASE)


class Text(NamedTuple):
    """The columns of a text file, the header first, how they were written, and rows of the data.

    Rows are counted as a spreadsheet does: from 1, empty ones too.
    """

    columns: list[list[Any]]
    rows: IntArray
    separator: str
    encoding: str


def read_text(
    content: bytes, file: str, *, sep: str | None, encoding: str | None, usual: str
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
    """
    beginning, encoding = _decoded(content, file, encoding)
    if hint := _SEPARATOR_LINE.match(beginning):
        sep = sep or hint[1]
    separator = _separator(partial(_text_lines, content, encoding), file, sep, usual)
    columns, rows = _text_columns(_text_lines(content, encoding), separator, file)
    return Text(columns, rows, separator, encoding)


def _text_lines(content: bytes, encoding: str) -> Iterator[str]:
    """Return the lines of a text, without a byte order mark."""
    stream = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")
    first = stream.readline().lstrip("\ufeff")
    return chain([_SEPARATOR_LINE.sub("", first)], stream)


def _decoded(content: bytes, file: str, encoding: str | None) -> tuple[str, str]:
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
                " encoding='utf-8', 'utf-16' or 'cp1252', or none to have it found."
            ) from None
        except UnicodeError:
            continue
        _require_no_nul(text, file)
        return text[:9], name
    tried = " or ".join(candidates or ["utf-8", "cp1252"])
    raise InputError(
        f"`encoding` must be that of the file; got {file!r}, which is no text in {tried}. Pass"
        " another encoding, such as encoding='latin-1', or save the file in UTF-8."
    )


def _require_no_nul(text: str, file: str) -> None:
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise InputError(
            f"`path` must be text; got a binary file {file!r} (a NUL character in line {line})."
            " Save it as csv in UTF-8."
        )


def _separator(lines: Callable[[], Iterator[str]], file: str, sep: str | None, usual: str) -> str:
    """Return the separator of a file."""
    heads = {mark: _first_lines(lines(), mark) for mark in dict.fromkeys([*SEPARATORS, sep or ","])}
    dividing = [mark for mark, head in heads.items() if head and len(head[0][1]) > 1]
    if sep is not None:
        if dividing and sep not in dividing:
            raise InputError(
                f"`sep` must divide the header; got {sep!r} and one column in {file!r}. It looks"
                f" separated by {spoken(dividing[0])}: pass sep={dividing[0]!r}."
            )
        return sep
    if usual == "\t" and usual in dividing:
        return usual
    if len(dividing) > 1:
        return _only_even(dividing, heads, file)
    if not dividing:
        # A separator with which no line has text, or can be read: its columns say so.
        dividing = [mark for mark, head in heads.items() if not head] or [usual]
        _require_no_title(heads, file)
    return dividing[0]


def _first_lines(lines: Iterator[str], sep: str) -> list[tuple[int, list[str]]]:
    """Return the fields of the first lines with their numbers; none where a line is not so written.

    That line is the last.
    """
    reader = csv.reader(lines, delimiter=sep, strict=True)
    head: list[tuple[int, list[str]]] = []
    try:  # what comes before a broken line stays in the list
        head.extend(
            (reader.line_num, fields) for fields in islice(filter(any, reader), _HEAD_LINES)
        )
    except csv.Error:
        head.append((reader.line_num, []))
    return head


def _only_even(
    dividing: list[str], heads: dict[str, list[tuple[int, list[str]]]], file: str
) -> str:
    even = [mark for mark in dividing if len({len(fields) for _, fields in heads[mark]}) == 1]
    if len(even) != 1:
        both = " and ".join(map(spoken, even or dividing))
        raise InputError(
            f"`sep` must be given where several separators divide the header; got {both} in"
            f" {file!r}. Pass {' or '.join(f'sep={mark!r}' for mark in even or dividing)}."
        )
    return even[0]


def _require_no_title(heads: dict[str, list[tuple[int, list[str]]]], file: str) -> None:
    """Raise InputError if no separator divides the first line, and one a later line."""
    for mark, head in heads.items():
        line = next((line for line, fields in head if len(fields) > 1), None)
        if line is not None:
            raise InputError(
                f"`path` must begin with its header; got the title {head[0][1][0][:40]!r} in line"
                f" {head[0][0]} of {file!r}, and the first line with {spoken(mark)} is {line}."
                f" Remove the lines above the header. If the file has one column, pass a separator"
                " that it does not have."
            )


def spoken(sep: str) -> str:
    """Return a separator as a sentence has it."""
    return "tab" if sep == "\t" else sep


def _text_columns(lines: Iterator[str], sep: str, file: str) -> tuple[list[list[Any]], IntArray]:
    """Return the columns of a text, the header first, and the rows of the others.

    Lines without any text are left out, and counted; a quoted field of several lines is in one row.
    """
    cells: list[str] = []  # of all rows: a list for each row would take twice the time
    empty: list[int] = []
    width = row = 0
    for row, fields in enumerate(csv.reader(lines, delimiter=sep, strict=True), 1):
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
    rows = np.delete(np.arange(1, row + 1), np.array(empty, dtype=np.intp) - 1)
    if columns and "" in columns[0]:  # most tables need no look at each row
        filled = [any(fields) for fields in zip(*columns, strict=True)]
        columns = [list(compress(column, filled)) for column in columns]
        rows = rows[filled]
    return columns, rows[1:]


# --- Files too large for memory -------------------------------------------------------------------

# A study of ten million rows keeps and sorts some 40 bytes a row and score: it fits into the memory
# of any machine, in seconds. From there on counting by an engine is faster, and memory stays small.
MOST_ROWS = 10**7
_ENGINES = ("duckdb", "polars")
# A start of a text of many thousand rows, by which the number of all rows is guessed.
_SAMPLED_BYTES = 2**20


def is_large(file: Path) -> bool:
    """Return whether a file has more rows than are read into memory."""
    if str(file) == "-" or not file.is_file():
        return False
    if file.suffix.lower() == ".parquet":
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq

        try:
            return int(pq.read_metadata(file).num_rows) > MOST_ROWS
        except pa.ArrowInvalid:  # who reads the file says what is wrong with it
            return False
    if file.suffix.lower() != ".csv":
        return False
    with file.open("rb") as text:
        start = text.read(_SAMPLED_BYTES)
    # The rows of the whole file, if all are as long as the first ones.
    return file.stat().st_size / max(len(start), 1) * start.count(b"\n") > MOST_ROWS


def require_clear_marks(file: Path, sep: str | None, text: Collection[str]) -> None:
    """Raise InputError if numbers at the start of a text file can be meant in two ways."""
    if file.suffix.lower() != ".csv":
        return
    with file.open("rb") as stream:
        start = stream.read(_SAMPLED_BYTES)
    start = start[: start.rfind(b"\n") + 1]
    # A quoted field may go on behind the start: an engine reads it.
    with suppress(csv.Error):
        read = read_text(start, file.name, sep=sep, encoding=None, usual=",")
        cells = named_columns(read.columns, file.name)
        read_cell_columns(cells, None, file.name, separator=read.separator, text=text)


class Unread(NamedTuple):
    """The rows of a file that an engine is to read, the engine, and labels.

    ``labels`` are those of outcome and groups as they are written, with their numbers of rows.
    """

    rows: Any
    engine: str
    labels: Mapping[str, Mapping[Any, int]]


def unread_rows(
    file: Path, sep: str | None, *, outcome: str, group: Collection[str], cluster: str | None
) -> Unread:
    """Return the rows of a file, unread; labels in a text file are text without blanks around."""
    engine = next((name for name in _ENGINES if find_spec(name) is not None), None)
    if engine is None:
        raise InputError(
            f"`FILE` must have at most {MOST_ROWS:,} rows to be read into memory; got more in"
            f" {file.name!r}. Install an engine that counts them: pip install 'rocstats[duckdb]'."
        )
    scan, title = {"duckdb": (_by_duckdb, "DuckDB"), "polars": (_by_polars, "Polars")}[engine]
    rows = scan(file, sep, ())
    few = [name for name in dict.fromkeys([outcome, *group]) if name in _names_of(rows)]
    text: list[str] = []
    if file.suffix.lower() == ".csv":
        text = [*few, *(name for name in _names_of(rows) if name == cluster)]
        rows = scan(file, sep, text)
    labels = {name: _labels_in(rows, name) for name in few}
    return Unread(_stripped(rows, text), title, labels)


def _by_duckdb(file: Path, sep: str | None, labels: Collection[str]) -> Any:
    duckdb = import_module("duckdb")  # an extra: checks of types have no such module
    if file.suffix.lower() != ".csv":
        return duckdb.read_parquet(str(file))
    by: dict[str, Any] = {} if sep is None else {"sep": sep}
    if labels:
        by["dtype"] = dict.fromkeys(labels, "VARCHAR")
    return duckdb.read_csv(str(file), **by)


def _by_polars(file: Path, sep: str | None, labels: Collection[str]) -> Any:
    import polars as pl

    if file.suffix.lower() != ".csv":
        return pl.scan_parquet(str(file))
    by: dict[str, Any] = {} if sep is None else {"separator": sep}
    return pl.scan_csv(str(file), **by, schema_overrides=dict.fromkeys(labels, pl.String))


def _names_of(rows: Any) -> list[str]:
    import narwhals as nw

    return list(nw.from_native(rows).collect_schema().names())


def _stripped(rows: Any, labels: Sequence[str]) -> Any:
    """Return unread rows with labels that have no blanks at their ends; an empty one is missing."""
    import narwhals as nw

    if not labels:
        return rows
    columns = {name: nw.col(name).str.strip_chars() for name in labels}
    known = (
        nw.when(column != nw.lit("")).then(column).alias(name) for name, column in columns.items()
    )
    return nw.from_native(rows).with_columns(*known).to_native()


def label_in(unread: Unread, column: str, text: str | None) -> Any:
    """Return the label of the outcome of unread rows that a text means; by convention without."""
    if column not in unread.labels:
        return text
    cut = (label.strip() if isinstance(label, str) else label for label in unread.labels[column])
    labels = [*dict.fromkeys(label for label in cut if not (pd.isna(label) or label == ""))]
    if text is not None:
        found = pd.DataFrame({column: pd.Series(labels, dtype=object)})
        found.attrs["rocstats"] = {"value_labels": None}
        return label_of(found, column, text)
    codes = codes_of(labels, ".")
    # Of labels that an engine reads as text, 1 (true) is positive as it is of numbers.
    if codes is not labels and set(codes) <= {-1, 0, 1}:
        return next((label for label, code in zip(labels, codes, strict=True) if code == 1), None)
    return None


def _labels_in(rows: Any, column: str) -> dict[Any, int]:
    """Return the first labels of a column of unread rows, with their numbers of rows."""
    import narwhals as nw

    # Not by unique(), for which DuckDB holds all rows in memory.
    frame = nw.from_native(rows)
    number = "n" if column != "n" else "number"
    labels = frame.group_by(column).agg(nw.len().alias(number)).head(MOST_LABELS).collect()
    return dict(zip(labels[column].to_list(), labels[number].to_list(), strict=True))
