"""Files with more rows than memory should hold, left unread for a data engine."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rocstats.errors import InputError
from rocstats.sample.inputs.files.reading import label_of

# A study of ten million rows keeps and sorts some 40 bytes a row and score: it fits into the memory
# of any machine, in seconds. From there on counting by an engine is faster, and memory stays small.
MOST_ROWS = 10**7
_ENGINES = ("duckdb", "polars")
# A start of a text of many thousand rows, by which the number of all rows is guessed.
_SAMPLED_BYTES = 2**20
# A column with more labels than this is not of classes.
_MOST_LABELS = 1000


def is_large(file: Path) -> bool:
    """Return whether a file has more rows than are read into memory."""
    if str(file) == "-" or not file.is_file():
        return False
    if file.suffix.lower() == ".parquet":
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

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


def unread_rows(file: Path, sep: str | None) -> tuple[Any, str]:
    """Return the rows of a file, unread, and the name of the engine that is to read them."""
    engine = next((name for name in _ENGINES if find_spec(name) is not None), None)
    by: dict[str, Any]
    name, is_text = str(file), file.suffix.lower() == ".csv"
    if engine == "duckdb":
        duckdb = import_module("duckdb")  # an extra: checks of types have no such module
        by = {} if sep is None else {"sep": sep}
        return duckdb.read_csv(name, **by) if is_text else duckdb.read_parquet(name), "DuckDB"
    if engine == "polars":
        import polars as pl

        by = {} if sep is None else {"separator": sep}
        return pl.scan_csv(name, **by) if is_text else pl.scan_parquet(name), "Polars"
    raise InputError(
        f"`FILE` must have at most {MOST_ROWS:,} rows to be read into memory; got more in"
        f" {file.name!r}. Install an engine that counts them: pip install 'rocstats[duckdb]'."
    )


def label_in(rows: Any, column: str, text: str | None) -> Any:
    """Return the label of a column of unread rows that a text means."""
    import narwhals as nw

    frame = nw.from_native(rows)
    if text is None or column not in frame.collect_schema().names():
        return text
    # Not by unique(), for which DuckDB holds all rows in memory.
    labels = frame.group_by(column).agg(nw.len().alias("n")).head(_MOST_LABELS)
    found = labels.collect().to_pandas()
    found.attrs["rocstats"] = {"value_labels": None}
    return label_of(found, column, text)
