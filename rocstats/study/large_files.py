"""Files with more rows than memory should hold: left unread, for a data engine that counts them."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.tolerances import MOST_LABELS
from rocstats.study.cells import (
    named_columns,
    outcome_codes_of_labels,
    read_cell_columns,
    require_unique_names,
    spelled_label,
)
from rocstats.study.file_formats import read_text

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
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        try:
            return int(pq.read_metadata(file).num_rows) > MOST_ROWS
        except pa.ArrowInvalid:  # reading the file will say what is wrong with it
            return False
    if file.suffix.lower() != ".csv":
        return False
    start = _first_bytes_of_large_file(file)
    # The rows of the whole file, if all are as long as the first ones.
    return file.stat().st_size / max(len(start), 1) * start.count(b"\n") > MOST_ROWS


def require_clear_marks(file: Path, sep: str | None, text: Collection[str]) -> None:
    """Raise InputError if numbers at the start of a text file can be meant in two ways."""
    if file.suffix.lower() != ".csv":
        return
    start = _first_bytes_of_large_file(file)
    start = start[: start.rfind(b"\n") + 1]
    # A quoted field may go on behind the start: an engine reads it.
    with suppress(csv.Error):
        read = read_text(start, file.name, sep=sep, encoding=None, usual=",")
        cells = named_columns(read.columns, file.name)
        read_cell_columns(cells, None, file.name, separator=read.separator, text=text)


def _first_bytes_of_large_file(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(_SAMPLED_BYTES)


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
    import narwhals as nw

    engine = next((name for name in _ENGINES if find_spec(name) is not None), None)
    if engine is None:
        raise InputError(
            f"`FILE` must have at most {MOST_ROWS:,} rows to be read into memory; got more in"
            f" {file.name!r}. Install an engine that counts them: pip install 'rocstats[duckdb]'."
        )
    scan, title = {
        "duckdb": (_unread_rows_by_duckdb, "DuckDB"),
        "polars": (_unread_rows_by_polars, "Polars"),
    }[engine]
    rows = scan(file, sep, ())
    written = _column_names_of_unread_rows(rows)
    names = [name.strip() for name in written]
    require_unique_names(names, file.name)
    few = [name for name in dict.fromkeys([outcome, *group]) if name in names]
    text: list[str] = []
    if file.suffix.lower() == ".csv":
        text = [*few, *(name for name in names if name == cluster)]
        rows = scan(file, sep, [written[names.index(name)] for name in text])
    if names != written:
        rows = nw.from_native(rows).rename(dict(zip(written, names, strict=True))).to_native()
    labels = {name: _first_labels_of_unread_column(rows, name) for name in few}
    return Unread(_with_stripped_labels(rows, text), title, labels)


def label_in(unread: Unread, column: str, text: str | None) -> Any:
    """Return the label of the outcome of unread rows that a text means; by convention without."""
    if column not in unread.labels:
        return text
    cut = (label.strip() if isinstance(label, str) else label for label in unread.labels[column])
    labels = [*dict.fromkeys(label for label in cut if not (pd.isna(label) or label == ""))]
    if text is not None:
        found = spelled_label(labels, text)
        return text if found is None else found
    codes = outcome_codes_of_labels(labels, ".")
    # Of labels that an engine reads as text, 1 (true) is positive as it is of numbers.
    if codes is not labels and set(codes) <= {-1, 0, 1}:
        return next((label for label, code in zip(labels, codes, strict=True) if code == 1), None)
    return None


def _unread_rows_by_duckdb(file: Path, sep: str | None, labels: Collection[str]) -> Any:
    duckdb = import_module("duckdb")  # an extra: checks of types have no such module
    if file.suffix.lower() != ".csv":
        return duckdb.read_parquet(str(file))
    by: dict[str, Any] = {} if sep is None else {"sep": sep}
    if labels:
        by["dtype"] = dict.fromkeys(labels, "VARCHAR")
    return duckdb.read_csv(str(file), **by)


def _unread_rows_by_polars(file: Path, sep: str | None, labels: Collection[str]) -> Any:
    import polars as pl

    if file.suffix.lower() != ".csv":
        return pl.scan_parquet(str(file))
    by: dict[str, Any] = {} if sep is None else {"separator": sep}
    return pl.scan_csv(str(file), **by, schema_overrides=dict.fromkeys(labels, pl.String))


def _column_names_of_unread_rows(rows: Any) -> list[str]:
    import narwhals as nw

    return list(nw.from_native(rows).collect_schema().names())


def _first_labels_of_unread_column(rows: Any, column: str) -> dict[Any, int]:
    """Return the first labels of a column of unread rows, with their numbers of rows."""
    import narwhals as nw

    # Not by unique(), for which DuckDB holds all rows in memory.
    frame = nw.from_native(rows)
    number = "n" if column != "n" else "number"
    labels = frame.group_by(column).agg(nw.len().alias(number)).head(MOST_LABELS).collect()
    return dict(zip(labels[column].to_list(), labels[number].to_list(), strict=True))


def _with_stripped_labels(rows: Any, labels: Sequence[str]) -> Any:
    """Return unread rows with labels that have no blanks at their ends; an empty one is missing."""
    import narwhals as nw

    if not labels:
        return rows
    columns = {name: nw.col(name).str.strip_chars() for name in labels}
    known = (
        nw.when(column != nw.lit("")).then(column).alias(name) for name, column in columns.items()
    )
    return nw.from_native(rows).with_columns(*known).to_native()
