"""The columns of a table by name, and the rows that arguments must have in common.

Rows are paired by position. Arguments with an index (Series and frames of pandas) must have equal
indexes, of the same labels in the same order: they are never aligned, and never paired by position
against their indexes. Arguments without an index (arrays, lists, frames of Polars and other
libraries) say nothing of their rows, and are paired by position with all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import IntArray
from rocstats.facts.words import did_you_mean
from rocstats.study.vectors import (
    Vector,
    as_narwhals,
    dense_array_of_sparse_matrix,
    describe_rows,
    index_of,
    is_of_other_library,
    read_vector,
    require_in_memory,
)

# --- The columns of a table -----------------------------------------------------------------------


class Columns:
    """Columns of a table by name: a pandas frame, a dict, or any eager frame narwhals reads."""

    def __init__(self, table: Any, argument: str = "data") -> None:
        # Sparse matrices are no tables, though one of their kinds is a mapping.
        known = isinstance(dense_array_of_sparse_matrix(table), (pd.DataFrame, Mapping))
        self._data = table if known else _eager_frame_of_table(table, argument)
        # Names are compared as text. A column is taken by its place: True and 1 are equal keys.
        self._places: dict[str, list[int]] = {}
        self._keys = list(self._data if isinstance(self._data, Mapping) else self._data.columns)
        self.names = [str(key) for key in self._keys]
        for place, name in enumerate(self.names):
            self._places.setdefault(name, []).append(place)

    def vector(self, name: str, argument: str) -> Vector:
        """Return the column ``name`` of ``data`` as the vector ``argument``."""
        require_one_column(argument, "data", name, len(self._places.get(name, ())), self.names)
        return self.column(name, argument)

    def part(self, names: Sequence[str]) -> Any:
        """Return the table of some columns in that order; None if a name has no column of its own.

        It is of the kind of the table: a pandas frame, a dict, or a narwhals frame.
        """
        found: list[Sequence[int]] = [self._places.get(name, ()) for name in names]
        if not all(len(places) == 1 for places in found):
            return None
        places = [one[0] for one in found]
        keys = [self._keys[place] for place in places]
        if isinstance(self._data, Mapping):
            return {key: self._data[key] for key in keys}
        if names == self.names:
            return self._data
        if isinstance(self._data, pd.DataFrame):
            return self._data.iloc[:, places]
        return self._data[keys]

    def column(self, name: str, argument: str) -> Vector:
        """Return the existing column ``name`` as the vector ``argument``."""
        place = self._places[name][0]
        if isinstance(self._data, pd.DataFrame):
            column = self._data.iloc[:, place]
        else:
            column = self._data[self._keys[place]]
        return replace(read_vector(column, argument), name=name)


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


def is_frame(obj: Any, argument: str) -> bool:
    """Return whether an object is a pandas frame, or any eager frame narwhals reads."""
    if isinstance(obj, pd.DataFrame):
        return True
    if not is_of_other_library(obj):
        return False
    import narwhals as nw

    frame = as_narwhals(obj, argument)
    require_in_memory(frame, argument)
    return isinstance(frame, nw.DataFrame)


def _eager_frame_of_table(table: Any, argument: str) -> Any:
    """Return a table of another library as an eager narwhals frame, or as pandas' own in it."""
    import narwhals as nw

    frame = as_narwhals(table, argument)
    require_in_memory(frame, argument)
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            f"`{argument}` must be a dataframe or a dict of columns; got {type(table).__name__}."
            " Pass a pandas or polars frame."
        )
    native = frame.to_native()
    return native if isinstance(native, pd.DataFrame) else frame


def read_columns(data: Any, names: Sequence[str], argument: str) -> dict[str, Vector]:
    """Return the named columns of a table passed as ``argument``."""
    columns = Columns(data, argument)
    if any(columns.names.count(name) != 1 for name in names):
        raise InputError(
            f"`{argument}` must have one column for each of {list(names)}; got columns"
            f" {columns.names[:20]}. Rename the columns."
        )
    vectors = {name: columns.column(name, f"{argument}[{name!r}]") for name in names}
    require_equal_rows(list(vectors.values()))
    return vectors


# --- Rows that arguments have in common -----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of an argument whose values are not read: their number, and their index if any."""

    argument: str
    number: int
    index: pd.Index[Any] | None
    name: str | None = None

    def __len__(self) -> int:
        return self.number

    @classmethod
    def of(cls, obj: Any, argument: str) -> Self:
        """Return the rows of features, which are passed on unread."""
        return cls(argument, count_rows(obj, argument), index_of(obj))


def require_equal_rows(vectors: Sequence[Vector | Rows]) -> None:
    """Raise InputError unless all have rows, the same number of them, and equal indexes if any."""
    first, *others = vectors
    if len(first) == 0:
        raise InputError(
            f"`{first.argument}` must have at least one row; got shape (0,). Pass the data."
        )
    for other in others:
        if len(other) != len(first):
            one, two = _names_of_two_arguments(other, first)
            raise InputError(
                f"`{one}` must have as many rows as `{two}`; got shapes"
                f" ({len(other)},) and ({len(first)},). Pass one value per row."
            )
    require_equal_indexes(vectors)


def require_equal_indexes(vectors: Sequence[Vector | Rows]) -> None:
    """Raise InputError unless all indexes are equal: the same labels in the same order."""
    indexed = [vector for vector in vectors if vector.index is not None]
    for other in indexed[1:]:
        require_same_index(
            *_names_of_two_arguments(other, indexed[0]), other.index, indexed[0].index
        )


def require_same_index(name: str, other_name: str, index: Any, other: Any) -> None:
    """Raise InputError if two arguments have unequal indexes; None is no index."""
    if index is not None and other is not None and not _are_equal_indexes(index, other):
        raise InputError(
            f"`{name}` must have the same index as `{other_name}`; got unequal indexes"
            f"{_first_unequal_index_labels(index, other)}, which are never paired by position."
            " Align them, or"
            " pass .to_numpy() of both if the rows do correspond."
        )


def _are_equal_indexes(index: pd.Index[Any], other: pd.Index[Any]) -> bool:
    # Of other dtypes as objects: pandas takes its nullable integers for unequal to integers.
    return index.equals(other) or (
        index.dtype != other.dtype and index.astype(object).equals(other.astype(object))
    )


def _names_of_two_arguments(one: Vector | Rows, other: Vector | Rows) -> tuple[str, str]:
    """Return the names of two arguments, with those of their columns if both are of one."""
    if one.argument != other.argument:
        return one.argument, other.argument
    return f"{one.argument}[{one.name!r}]", f"{other.argument}[{other.name!r}]"


def _first_unequal_index_labels(index: Any, other: Any) -> str:
    """Return the labels of the first row in which two indexes differ; "" if only lengths do."""
    for row, (mine, theirs) in enumerate(zip(index.tolist(), other.tolist(), strict=False)):
        # By their text first: a missing label equals nothing.
        if repr(mine) != repr(theirs) and (mine == theirs) is not True:
            return f" ({mine!r} and {theirs!r} in row {row})"
    return ""


def joined_index(indexes: Sequence[Any]) -> pd.Index[Any] | None:
    """Return the index of rows below one another; None unless all have one."""
    if any(index is None for index in indexes):
        return None
    first, *others = indexes
    joined: pd.Index[Any] = first.append(others)
    return joined


def count_rows(X: Any, argument: str = "X") -> int:
    """Return the number of rows of features, which are passed on unread."""
    try:
        # A sparse matrix has no len().
        return int(X.shape[0] if hasattr(X, "shape") else len(X))
    except (TypeError, IndexError):
        raise InputError(
            f"`{argument}` must have one row for each case; got {X!r}. Pass an array, a frame or a"
            " list."
        ) from None


def rows_of_features(X: Any, rows: IntArray) -> Any:
    """Return some rows of features: of a frame, a sparse matrix, an array or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, (list, tuple)):
        return np.asarray(X)[rows]
    # As scikit-learn does: some sparse matrices cannot be indexed.
    return X.tocsr()[rows] if hasattr(X, "tocsr") else X[rows]


def require_complete(vector: Vector) -> None:
    """Raise InputError if a vector has missing values, where no ``nan_policy`` applies."""
    if vector.missing is not None:
        rows = np.flatnonzero(vector.missing)
        raise InputError(
            f"`{vector.argument}` must have no missing values; got {len(rows)}"
            f" ({describe_rows(rows, vector.index)}). Fill them in, or leave these rows out."
        )
