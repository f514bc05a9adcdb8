"""The columns of a table by name, and the rows that vectors must have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.words import did_you_mean
from rocstats.study.vectors import Vector, as_narwhals, describe_rows, read_vector


def require_one_column(
    argument: str, source: str, name: Any, count: int, names: Sequence[str]
) -> None:
    """Raise InputError unless ``count``, the columns of ``source`` with a name, is 1."""
    if count != 1:
        problem = "no column" if count == 0 else f"{count} columns"
        meant = did_you_mean(name, names) if count == 0 and isinstance(name, str) else ""
        raise InputError(
            f"`{argument}` must name one column of `{source}`; got {name!r}, of which there"
            f" {'are' if count > 1 else 'is'} {problem}. The columns are {list(names)[:20]}.{meant}"
        )


class Columns:
    """Columns of a table by name: a pandas frame, a dict, or any eager frame narwhals reads."""

    def __init__(self, table: Any, argument: str = "data") -> None:
        known = isinstance(table, (pd.DataFrame, Mapping))
        self._data = table if known else _as_narwhals_frame(table, argument)
        # Names are compared as text, and a column is taken by its own key, which may be a number.
        self._keys: dict[str, list[Any]] = {}
        for key in _column_names(self._data):
            self._keys.setdefault(str(key), []).append(key)
        self.names = [str(key) for key in _column_names(self._data)]

    def vector(self, name: str, argument: str) -> Vector:
        """Return the column ``name`` of ``data`` as the vector ``argument``."""
        require_one_column(argument, "data", name, len(self._keys.get(name, ())), self.names)
        return self.column(name, argument)

    def part(self, names: Sequence[str]) -> Any:
        """Return the table of some columns in that order; None if a name has no column of its own.

        It is of the kind of the table: a pandas frame, a dict, or a narwhals frame.
        """
        found: list[Sequence[Any]] = [self._keys.get(name, ()) for name in names]
        if not all(len(keys) == 1 for keys in found):
            return None
        keys = [one[0] for one in found]
        if isinstance(self._data, Mapping):
            return {key: self._data[key] for key in keys}
        if names == self.names:
            return self._data
        if isinstance(self._data, pd.DataFrame):
            # By place: keys may be True and False, which would choose rows.
            places = {name: k for k, name in enumerate(self.names)}
            return self._data.iloc[:, [places[name] for name in names]]
        return self._data[keys]

    def column(self, name: str, argument: str) -> Vector:
        """Return the existing column ``name`` as the vector ``argument``."""
        column = self._data[self._keys[name][0]]
        # A column of a narwhals frame is a narwhals series; read_vector knows the native ones.
        native = getattr(column, "to_native", None)
        return read_vector(column if native is None else native(), argument)


def is_frame(obj: Any) -> bool:
    """Return whether an object is a pandas frame, or any eager frame narwhals reads."""
    # narwhals is imported for objects of other libraries only: the import would cost every study.
    if isinstance(obj, pd.DataFrame):
        return True
    if type(obj).__module__.partition(".")[0] in {"numpy", "builtins", "pandas"}:
        return False
    import narwhals as nw

    return isinstance(as_narwhals(obj, "y_score"), nw.DataFrame)


def _as_narwhals_frame(table: Any, argument: str) -> Any:
    """Return a table of another library as an eager narwhals frame; else raise InputError."""
    import narwhals as nw

    frame = as_narwhals(table, argument)
    if isinstance(frame, nw.LazyFrame):
        raise InputError(
            f"`{argument}` must be held in memory; got a lazy frame. Call its collect() first."
        )
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            f"`{argument}` must be a dataframe or a dict of columns; got {type(table).__name__}."
            " Pass a pandas or polars frame."
        )
    return frame


def _column_names(frame: Any) -> Sequence[Any]:
    return list(frame) if isinstance(frame, Mapping) else list(frame.columns)


def read_columns(data: Any, names: Sequence[str], argument: str) -> dict[str, Vector]:
    """Return the named columns of a table passed as ``argument``."""
    columns = Columns(data, argument)
    if any(columns.names.count(name) != 1 for name in names):
        raise InputError(
            f"`{argument}` must have one column for each of {list(names)}; got columns"
            f" {columns.names[:20]}. Rename the columns."
        )
    vectors = {name: columns.column(name, f"{argument}[{name!r}]") for name in names}
    require_rows(list(vectors.values()))
    return vectors


def require_rows(vectors: Sequence[Vector]) -> None:
    """Raise InputError unless vectors have rows, all the same number, and equal indexes if any."""
    first = vectors[0]
    if len(first) == 0:
        raise InputError(
            f"`{first.argument}` must have at least one row; got shape (0,). Pass the data."
        )
    for other in vectors[1:]:
        if len(other) != len(first):
            raise InputError(
                f"`{other.argument}` must have as many rows as `{first.argument}`; got shapes"
                f" ({len(other)},) and ({len(first)},). Pass one value per row."
            )
    # Rows are paired by position; an index that says otherwise must not be ignored silently.
    indexed = [vector for vector in vectors if vector.index is not None]
    for other in indexed[1:]:
        if not indexed[0].index.equals(other.index):  # type: ignore[union-attr]
            raise InputError(
                f"`{other.argument}` must have the same index as `{indexed[0].argument}`; got"
                " Series with unequal indexes, which are never paired by position. Align them,"
                " or pass .to_numpy() of both if the rows do correspond."
            )


def count_rows(X: Any) -> int:
    """Return the number of rows of features ``X``, which are passed on unread."""
    try:
        # A sparse matrix has no len().
        return int(X.shape[0] if hasattr(X, "shape") else len(X))
    except (TypeError, IndexError):
        raise InputError(
            f"`X` must have one row for each case; got {X!r}. Pass an array, a frame or a list."
        ) from None


def require_complete(vector: Vector) -> None:
    """Raise InputError if a vector has missing values, where no ``nan_policy`` applies."""
    if vector.missing is not None:
        rows = np.flatnonzero(vector.missing)
        raise InputError(
            f"`{vector.argument}` must have no missing values; got {len(rows)}"
            f" ({describe_rows(rows)}). Fill them in, or leave these rows out."
        )
