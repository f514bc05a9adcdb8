"""Areas of several learners, with a row for each fold or data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.columns import Columns
from rocstats.sample.inputs.vectors import Vector, read_scores, read_vector, require_unique

_ARGUMENT = "areas"


def read_learner_areas(areas: Any, least_rows: int) -> tuple[list[str], FloatArray]:
    """Return the names of the k learners and their areas, shape (n, k), in [0, 1]."""
    names, vectors = _columns(areas)
    if len(names) < 2:
        raise InputError(
            f"`areas` must have a column for each of two or more learners; got {len(names)}."
            " Pass a dict or a dataframe of columns."
        )
    _require_aligned(vectors)
    values = np.column_stack([read_scores(vector) for vector in vectors])
    if len(values) < least_rows:
        raise InputError(
            f"`areas` must have {least_rows} rows or more; got {len(values)}."
            " Pass a row for each fold, or each data set."
        )
    wrong = ~((values >= 0) & (values <= 1))  # NaN too
    if wrong.any():
        row, column = (int(i[0]) for i in np.nonzero(wrong))
        raise InputError(
            f"`areas` must be numbers in [0, 1], none missing; got {values[row, column]:g} in row"
            f" {row} of {names[column]!r} and {int(wrong.sum())} such values."
            " Leave out rows that lack a learner."
        )
    return names, values


def _columns(areas: Any) -> tuple[list[str], list[Vector]]:
    """Return the names of the learners and their columns, from a table or a matrix."""
    if isinstance(areas, Mapping) or hasattr(areas, "columns"):
        columns = Columns(areas, _ARGUMENT)
        require_unique(columns.names, _ARGUMENT)
        return columns.names, [columns.column(name, _ARGUMENT) for name in columns.names]
    try:
        matrix = np.asarray(areas)
    except ValueError:
        matrix = np.asarray(())
    if matrix.ndim != 2:
        raise InputError(
            f"`areas` must be a dict or a dataframe of columns, or two-dimensional; got"
            f" {type(areas).__name__}. Pass a column for each learner."
        )
    names = [f"learner_{k + 1}" for k in range(matrix.shape[1])]
    return names, [read_vector(matrix[:, k], _ARGUMENT) for k in range(matrix.shape[1])]


def _require_aligned(vectors: list[Vector]) -> None:
    """Raise InputError unless columns have the same length, and the same index if any."""
    lengths = {len(vector) for vector in vectors}
    if len(lengths) > 1:
        raise InputError(
            f"`areas` must have columns of one length; got {sorted(lengths)}."
            " Learners are compared row by row."
        )
    indexes = [vector.index for vector in vectors if vector.index is not None]
    if any(not index.equals(indexes[0]) for index in indexes):
        raise InputError(
            "`areas` must have columns with one index; got Series with different ones."
            " Align them, for instance in a dataframe."
        )
