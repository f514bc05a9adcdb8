"""Confusion tables as counts or as rows with frequencies, and the names of classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.columns import read_columns
from rocstats.sample.inputs.points.thresholds import is_whole
from rocstats.sample.inputs.vectors import as_narwhals, read_scores, require_unique

CELLS = ("tp", "fn", "fp", "tn")
RENAME = "Rename the classifiers, or leave rows out."

_MEND = (
    " Pass a dict of (tp, fn, fp, tn) or of dicts with these keys, or a frame with these columns."
)


class ConfusionTables(NamedTuple):
    """The confusion tables of k classifiers: counts as float64, each of shape (k,)."""

    names: tuple[str, ...]
    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


def read_confusion_tables(tables: Any) -> ConfusionTables:
    """Return named tables: from a dict of cells by name, or a frame with a row a classifier."""
    if isinstance(tables, Mapping):
        names = [str(name) for name in tables]
        cells = [_cells(name, table) for name, table in tables.items()]
        # float64, since products of counts (below_diagonal) could overflow integers.
        counts = np.array(cells, dtype=np.float64).reshape(-1, len(CELLS))
    else:
        names = row_names(tables, "tables")
        columns = read_columns(tables, CELLS, "tables")
        counts = np.column_stack([read_scores(column) for column in columns.values()])
    if not names:
        raise InputError("`tables` must hold at least one classifier; got none. Pass its counts.")
    require_unique(names, "tables", RENAME)
    _require_counts(names, counts)
    return ConfusionTables(tuple(names), *counts.T)


def confusion_rows(
    *, tp: float, fn: float, fp: float, tn: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return labels, scores (1 = called positive) and frequencies of the four cells."""
    for name, count in {"tp": tp, "fn": fn, "fp": fp, "tn": tn}.items():
        if not is_whole(count, 0):
            raise InputError(
                f"`{name}` must be a whole number >= 0; got {count!r}. Pass the count of cases."
            )
    labels = np.array([1.0, 1.0, 0.0, 0.0])
    scores = np.array([1.0, 0.0, 1.0, 0.0])
    return labels, scores, np.array([tp, fn, fp, tn], dtype=np.float64)


def column_names(table: Any, argument: str) -> list[str]:
    """Return the names of the columns of a dict or of any eager frame."""
    if isinstance(table, Mapping):
        return [str(name) for name in table]
    if isinstance(table, pd.DataFrame):
        return [str(name) for name in table.columns]
    import narwhals as nw

    frame = as_narwhals(table, argument)
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            f"`{argument}` must be a dict or a dataframe held in memory; got"
            f" {type(table).__name__}. Name the classifiers in a dict."
        )
    return list(frame.columns)


def row_names(frame: Any, argument: str) -> list[str]:
    """Return the names of the rows: the column ``predictor``, else the index of a pandas frame."""
    if "predictor" in column_names(frame, argument):
        column = read_columns(frame, ["predictor"], argument)["predictor"]
        return [str(name) for name in column.values]
    if isinstance(frame, pd.DataFrame):
        return [str(name) for name in frame.index]
    raise InputError(
        f"`{argument}` must name its rows; got the columns {column_names(frame, argument)[:20]}."
        " Add a column predictor."
    )


def _cells(name: Any, table: Any) -> list[float]:
    """Return the counts of a table in the order of CELLS."""
    if isinstance(table, Mapping):
        lacking = [cell for cell in CELLS if cell not in table]
        if lacking:
            raise InputError(
                f"`tables` must give tp, fn, fp, tn; got {name!r} without {lacking}.{_MEND}"
            )
        table = [table[cell] for cell in CELLS]
    try:
        cells = [float(cell) for cell in table]
    except (TypeError, ValueError):
        cells = []
    if len(cells) != len(CELLS):
        raise InputError(f"`tables` must give four counts; got {table!r} for {name!r}.{_MEND}")
    return cells


def _require_counts(names: list[str], counts: FloatArray) -> None:
    wrong = np.argwhere(~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"`tables` must hold whole numbers >= 0; got {CELLS[column]} ="
            f" {counts[row, column]:g} for {names[row]!r}. Pass counts of cases."
        )
