"""Frames from the data files of users, whatever program wrote them.

The ending of a file gives its format. ``file_formats`` reads text, workbooks and files of
packages, pandas reads parquet. ``large_files`` leaves rows to a data engine.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, require_choice, require_name, require_possible_path
from rocstats.facts.arrays import IntArray
from rocstats.study.cells import (
    is_column_of_labels,
    label_cells,
    label_texts_of_column,
    named_columns,
    read_cell_columns,
    require_unique_names,
    stripped_in_words,
)
from rocstats.study.file_formats import (
    PACKAGE_READERS,
    read_package,
    read_sheet,
    read_text,
    separator_in_words,
)
from rocstats.study.forms import read_names
from rocstats.study.marks import (
    AboveLimit,
    BelowLimit,
    Marks,
    empty_marked_cells,
    marks_in_words,
    numbers_with_limits,
    read_mark_options,
    without_percent_signs,
)
from rocstats.study.selection import selection_in_words

# The separator that the ending of a text file promises.
_USUAL_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
DATA_ENDINGS = (*_USUAL_SEPARATORS, ".xlsx", ".parquet", *PACKAGE_READERS)


def read_table(
    path: str | PathLike[str],
    *,
    sep: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    sheet: str | int | None = None,
    text: str | Sequence[str] = (),
    header_row: int = 1,
    footer_rows: int | None = None,
    na: str | Sequence[str] = (),
    below_limit: BelowLimit | None = None,
    above_limit: AboveLimit | None = None,
) -> pd.DataFrame:
    r"""Return the table in a data file; a row is one case (or a count of cases).

    Use this function for data in text, Excel, parquet, SPSS, Stata or SAS format. For frames of
    this package, saved as csv, use :func:`read_csv`.

    Parameters
    ----------
    path : str or path-like
        The file. Its extension determines the format: .csv, .tsv, .txt; .xlsx; .parquet; .sav,
        .zsav (SPSS); .dta (Stata); .sas7bdat, .xpt (SAS). "-" reads text from standard input.
    sep : str, optional
        Separator of a text file, one character or "tab". By default the separator is detected: the
        comma, semicolon, tab or vertical bar that divides the header. If several separators divide
        the header, the first 100 lines must have equal numbers of fields. If not exactly one
        separator meets this condition, the file is refused.
    decimal : {".", ","}, optional
        Decimal mark of text and of numbers that a sheet stores as text; the other mark may divide
        thousands (1,234.5). By default the mark is detected: with this mark every column of numbers
        can be read. Ambiguous files are refused unless ``decimal`` is passed. 1,234 is ambiguous in
        a file with other numbers with points, or with commas as separators. 1.234 is ambiguous if
        every number with a point could have a point for thousands: one to three digits (not a
        single zero) before the point and three digits after it. With commas as separators, 1.234 is
        a decimal number if all numbers of its column have a point.
    thousands : {".", ","}, optional
        Mark that divides thousands; the other mark is then the decimal mark.
    encoding : str, optional
        Encoding of a text file, or of a file of a statistics package without a stated encoding. By
        default UTF-8 (with or without byte order mark) or UTF-16 with byte order mark; text that is
        not UTF-8 is read as cp1252 (Western European Windows).
    sheet : str or int, optional
        Sheet of a workbook: its name, or its number from 1. By default the first sheet with a table
        of at least two columns and one row.
    text : str or sequence of str, optional
        Columns of labels; they are kept as text. Pass the columns for ``fold``, ``cluster``,
        ``group``, ``case``, ``reader`` and ``modality``, and columns of outcomes in words. In a
        text file 010 and 10, or 1.1 and 1.10, are then different labels. In other files a cell
        keeps its type. Blanks at the ends of a label are removed.
    header_row : int >= 1, default 1
        Line of a text file, or row of a sheet, with the names of the columns. Lines above it, such
        as a title or names of groups of columns, are left out.
    footer_rows : int >= 0, optional
        Number of rows at the end to leave out, such as totals. By default none is left out, and a
        file whose last row begins with a word for a total (Total, Sum, Summe, Mean, ...) is
        refused; 0 keeps such a row.
    na : str or sequence of str, optional
        Texts that mean a missing value, in every column. "auto" stands for common marks (``n/a``,
        ``-``, ``?``, blanks, ...) in columns whose other cells are numbers.
    below_limit : {"lowest"}, optional
        Meaning of ``<0.5`` among numbers, a result below the limit of detection. "lowest": below
        all numbers of its column and tied with its like (minus infinity). A ROC curve needs ranks
        only; methods that need the values refuse infinite scores. By default such a column is text.
    above_limit : {"highest"}, optional
        Meaning of ``>100`` among numbers: above all numbers, tied (infinity).

    Returns
    -------
    pandas.DataFrame
        Columns of numbers, booleans, text, dates or categories. An empty cell is missing. In a
        column of numbers NA, NaN and . are missing too; in a column of text they are labels. A
        column of percentages is read without the signs: 30.8% is 30.8. Empty lines, an empty column
        without a name, and a first column without a name (row numbers) are omitted. Blanks at the
        ends of a name are removed. A named index of pandas in a parquet file is a column. Codes of
        SPSS and Stata become their value labels, as categories in the order of the codes, if each
        code in the column has a different label. Values that the file declares as missing are
        missing. ``attrs["rocstats"]`` describes the file: ``file`` (its name), ``format``,
        ``separator``, ``decimal``, ``encoding``, ``sheet``, ``sheets`` (all sheets of the
        workbook), ``value_labels`` (the label of each code, by column), ``variable_labels`` (of
        SPSS, Stata and SAS, by column), ``stripped`` (the number of labels with blanks at their
        ends, by column), ``percentages`` (columns that were read without percent signs),
        ``missing_marks`` and ``limits`` (how often each mark was read, by column), ``header_row``,
        ``footer_rows``, ``rows`` and ``columns``. An entry is None if not applicable.

    Raises
    ------
    InputError
        If the file does not exist; if its extension is unsupported; or if the library for this
        format is not installed (``pip install "rocstats[files]"``). If an argument is not for this
        format, or if a column of ``text`` is not in the file. If two columns have the same name; if
        a column with data has no name; if a line and the header differ in the number of fields; if
        lines of text precede the header; or if the separator or decimal mark is ambiguous. If the
        last row looks like totals, or a number lies beyond a limit of detection of its column.

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
        header_row=header_row,
        footer_rows=footer_rows,
        marks=read_mark_options(na, below_limit, above_limit),
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
    header_row: int,
    footer_rows: int | None,
    marks: Marks,
) -> tuple[pd.DataFrame, pd.Index[Any]]:
    """Return the table of a data file, as ``read_table``, and the numbers of its rows in the file.

    ``text`` may name columns that the file lacks.
    """
    if not isinstance(path, (str, PathLike)):
        raise InputError(
            f"`path` must be the name of a file; got {type(path).__name__}. Pass a name or a Path."
        )
    file = Path(path)
    require_possible_path(file)
    form = "text" if str(file) == "-" else file.suffix.lower()
    read = _reader_of_file_format(file, form)
    # On a command line a tab is hard to type.
    sep = "\t" if sep in ("tab", "\\t") else sep
    options = _ReadOptions(
        sep=sep,
        decimal=decimal,
        thousands=thousands,
        encoding=encoding,
        sheet=sheet,
        text=text,
        header_row=_read_number_of_rows("header_row", header_row, 1),
        footer_rows=_read_number_of_rows("footer_rows", footer_rows, 0),
        marks=marks,
    )
    _require_read_options_of_format(options, file, form)
    options = options._replace(decimal=_decimal_mark_option(decimal, thousands))
    found = _read_file_or_input_error(read, file, form, options)
    frame = pd.DataFrame(found.columns)
    frame.attrs["rocstats"] = {
        "function": "read_table",
        "version": __version__,
        "file": file.name,
        "format": form.removeprefix("."),
        **dict.fromkeys(_DETAILS),
        **found.details,
        "rows": frame.shape[0],
        "columns": frame.shape[1],
    }
    rows = pd.RangeIndex(1, len(frame) + 1) if found.rows is None else pd.Index(found.rows)
    return frame, rows


def reading_in_words(frame: pd.DataFrame) -> str:
    """Return a sentence on how a file was read where it was not read by default, "" elsewhere."""
    unusual = unusual_reading(frame)
    return f"read {frame.attrs['rocstats']['file']}: {', '.join(unusual)}" if unusual else ""


def unusual_reading(frame: pd.DataFrame) -> list[str]:
    """Return in words what of a file was not read by default, and what was changed in reading."""
    about = frame.attrs["rocstats"]
    usual = _USUAL_SEPARATORS.get(f".{about['format']}", ",")
    sep, sheets = about["separator"] or usual, [repr(name) for name in about["sheets"] or []]
    parts = {
        f"separated by {separator_in_words(sep)}": sep != usual,
        "decimal comma": about["decimal"] == ",",
        str(about["encoding"]): about["encoding"] not in (None, "utf-8", "utf-8-sig"),
        f"sheet {about['sheet']!r} of {', '.join(sheets)}": len(sheets) > 1,
    }
    unusual = [part for part, is_unusual in parts.items() if is_unusual]
    if (about["header_row"] or 1) > 1:
        unusual.append(f"names of columns in row {about['header_row']}")
    if about["footer_rows"]:
        rows = "row" if about["footer_rows"] == 1 else f"{about['footer_rows']} rows"
        unusual.append(f"without the last {rows}")
    unusual += [f"without the percent signs in {name!r}" for name in about["percentages"] or []]
    unusual += marks_in_words(about["missing_marks"], about["limits"])
    unusual += selection_in_words(about)
    for name, number in (about["stripped"] or {}).items():
        unusual.append(stripped_in_words(name, number))
    for name, folded in about.get("folded", {}).items():
        pairs = ", ".join(f"{label!r} as {kept!r}" for label, kept in folded.items())
        unusual.append(f"{pairs} in {name!r}")
    return unusual


# --- The reader of a format, and the options that it has ------------------------------------------


class _ReadOptions(NamedTuple):
    """The options of reading; None is to be found."""

    sep: str | None
    decimal: str | None
    thousands: str | None
    encoding: str | None
    sheet: str | int | None
    text: Collection[str]
    header_row: int | None
    footer_rows: int | None
    marks: Marks


def _reader_of_file_format(
    file: Path, form: str
) -> Callable[[Path, str, _ReadOptions], _FileColumns]:
    """Return the reader of a format; refuse other formats, and files that are not there."""
    if form == ".xls":
        raise InputError(
            f"`path` must not be an old .xls file; got {file.name!r}. Save it as xlsx or csv."
        )
    if form not in ("text", *DATA_ENDINGS):
        raise InputError(
            f"`path` must end in {', '.join(DATA_ENDINGS)}; got {file.name!r}."
            " Save the data as csv."
        )
    if form != "text" and not file.is_file():
        raise InputError(f"`path` must be a file; got {str(file)!r}. Check the name.")
    if form in PACKAGE_READERS:
        return _read_package
    return {".xlsx": _read_xlsx, ".parquet": _read_parquet}.get(form, _read_text)


def _require_read_options_of_format(options: _ReadOptions, file: Path, form: str) -> None:
    """Raise InputError for an argument that is wrong, or that the format does not have."""
    of_cells = {"decimal", "thousands", "header_row", "footer_rows", *Marks._fields}
    of_format = {".xlsx": {*of_cells, "sheet"}, ".parquet": set[str]()}
    of_format |= {ending: {"encoding"} for ending in PACKAGE_READERS}
    fitting = of_format.get(form, {*of_cells, "sep", "encoding"})
    given = {**options._asdict(), **options.marks._asdict()}
    usual = {"text": given["text"], "marks": given["marks"], "header_row": 1, "na": frozenset()}
    for argument, value in given.items():
        if value != usual.get(argument) and argument not in fitting:
            raise InputError(
                f"`{argument}` must be left out for this kind of file; got {value!r} for"
                f" {file.name!r}. Leave it out."
            )
    if options.sep is not None and not re.fullmatch(r'[^\w\s."]|[\t ]', str(options.sep)):
        raise InputError(
            f"`sep` must be one character that no number has, such as ';'; got {options.sep!r}."
            " Pass ',', ';', '|' or 'tab', or leave it out."
        )


def _read_number_of_rows(argument: str, number: Any, least: int) -> int | None:
    """Return a number of rows; raise InputError for a wrong one."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise InputError(
            f"`{argument}` must be a whole number from {least} on; got {number!r}. Count the rows"
            " as a spreadsheet does."
        )
    return int(number)


def _decimal_mark_option(decimal: str | None, thousands: str | None) -> str | None:
    """Return the decimal mark that is given, or is not the one that divides thousands."""
    decimal = require_choice("decimal", decimal, (None, ".", ","))
    thousands = require_choice("thousands", thousands, (None, ".", ","))
    if decimal is not None and decimal == thousands:
        raise InputError(
            f"`thousands` must be a different mark from `decimal`; got {thousands!r} for both."
            " Leave one of them out."
        )
    return decimal if thousands is None else "," if thousands == "." else "."


def _read_file_or_input_error(
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
            f"`path` must have a format that is installed; got {file.name!r} ({problem})."
            ' Install it with: pip install "rocstats[files]".'
        ) from None
    # A broken xlsx raises whatever its broken part makes of it: BadZipFile, KeyError, ParseError.
    except Exception as problem:
        # Some, such as MemoryError, have no text.
        reason = " ".join(str(problem).split()) or type(problem).__name__
        raise InputError(
            f"`path` must be a readable {form} file; got {file.name!r} ({reason})."
            " Save it again, or as csv."
        ) from None


# --- Readers --------------------------------------------------------------------------------------

# Entries of ``attrs``: a format has some of them, the others are None.
_DETAILS = (
    *("separator", "decimal", "encoding", "sheet", "sheets", "value_labels", "stripped"),
    *("variable_labels", "percentages", "missing_marks", "limits", "header_row", "footer_rows"),
)


class _FileColumns(NamedTuple):
    """The columns of a file, its details for ``attrs``, and the numbers of its rows.

    Rows are counted from 1 as a spreadsheet does, the header and empty rows too. None is of formats
    without a header in a row: the first case is row 1.
    """

    columns: Mapping[Any, Any]
    details: dict[str, Any]
    rows: IntArray | None = None


def _read_text(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    content = sys.stdin.buffer.read() if form == "text" else file.read_bytes()
    usual = _USUAL_SEPARATORS.get(form, ",")
    text = read_text(
        content,
        file.name,
        sep=options.sep,
        encoding=options.encoding,
        usual=usual,
        header_row=options.header_row or 1,
    )
    details = {"separator": text.separator, "encoding": text.encoding}
    return _typed_columns(text.columns, text.rows, details, file, options)


def _read_xlsx(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    sheet = read_sheet(file, options.sheet, options.header_row or 1)
    details = {"sheet": sheet.name, "sheets": sheet.names}
    return _typed_columns(sheet.columns, sheet.rows, details, file, options)


def _typed_columns(
    columns: Sequence[list[Any]],
    rows: IntArray,
    details: dict[str, Any],
    file: Path,
    options: _ReadOptions,
) -> _FileColumns:
    """Return columns of cells, the header first, as numbers, booleans, words and labels."""
    named = named_columns(columns, file.name)
    n_left_out = _number_of_footer_rows(named, rows, options.footer_rows)
    if n_left_out:
        named = {name: cells[:-n_left_out] for name, cells in named.items()}
        rows = rows[:-n_left_out]
    plain, percentages = without_percent_signs(named, options.marks, options.text)
    cells = empty_marked_cells(plain, options.marks, options.text)
    read = read_cell_columns(
        cells.columns,
        options.decimal,
        file.name,
        separator=details.get("separator"),
        text=options.text,
    )
    limits = {
        name: numbers_with_limits(read.columns[name], at, read.decimal, name)
        for name, at in cells.limits.items()
    }
    found = {
        **details,
        "decimal": read.decimal,
        "stripped": read.stripped or None,
        "percentages": percentages or None,
        "missing_marks": cells.missing or None,
        "limits": {name: dict(Counter(at.values())) for name, at in cells.limits.items()} or None,
        "header_row": options.header_row,
        "footer_rows": n_left_out,
    }
    return _FileColumns(read.columns | limits, found, rows)


# Words at the beginning of a row of totals, as spreadsheets in several languages have them.
_TOTALS = frozenset(
    {"total", "totals", "sum", "sums", "mean", "average", "count", "summe", "gesamt", "gesamtsumme"}
    | {"mittelwert", "anzahl", "moyenne", "suma", "media", "totale", "totaal"}
)


def _number_of_footer_rows(
    columns: Mapping[str, list[Any]], rows: IntArray, footer_rows: int | None
) -> int:
    """Return how many rows at the end are left out; InputError if the last looks like totals."""
    if footer_rows is not None:
        return min(footer_rows, len(rows))
    last = [cells[-1] for cells in columns.values()] if len(rows) else []
    first = next((cell for cell in last if cell != ""), "")
    if isinstance(first, str) and first.strip().rstrip(":").casefold() in _TOTALS and "" in last:
        raise InputError(
            f"`path` must end with a case; got {first!r} in its last row, {rows[-1]}, which looks"
            " like totals. Pass footer_rows=1 to leave it out, or footer_rows=0 to keep it."
        )
    return 0


def _read_parquet(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    # Nullable types: to NumPy's, integers beside a missing value would become floats, and tie.
    from pyarrow.parquet import read_schema  # type: ignore[import-untyped]

    # pandas would refuse in pyarrow's words
    require_unique_names([name.strip() for name in read_schema(file).names], file.name)
    frame = pd.read_parquet(file, dtype_backend="numpy_nullable")
    # An index without a name is row numbers; one with a name is a column that pandas set apart.
    if named := [name for name in frame.index.names if name is not None]:
        names = [str(name).strip() for name in (*named, *frame.columns)]
        require_unique_names(names, file.name)
        frame = frame.reset_index(named)
    columns = {str(name).strip(): column for name, column in frame.items()}
    return _file_columns_without_label_blanks(columns, options.text)


def _read_package(file: Path, form: str, options: _ReadOptions) -> _FileColumns:
    columns, words, labels = read_package(file, form, options.encoding)
    found = _file_columns_without_label_blanks(columns, options.text)
    details = {**found.details, "value_labels": words, "variable_labels": labels or None}
    return found._replace(details=details)


def _file_columns_without_label_blanks(
    columns: dict[str, Any], text: Collection[str]
) -> _FileColumns:
    """Return typed columns, the labels of which are texts without blanks at their ends."""
    stripped: dict[str, int] = {}
    for name in dict.fromkeys(text):
        cells = pd.Series(columns.get(name, ()))
        if name in columns and is_column_of_labels(cells):
            columns[name], number = label_cells(label_texts_of_column(cells))
            if number:
                stripped[name] = number
    return _FileColumns(columns, {"stripped": stripped or None})
