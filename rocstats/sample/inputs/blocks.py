"""Many columns of scores of plain numbers, read at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.inputs.vectors import EXACT_INTEGERS, Vector, read_categories, read_scores

_PLAIN = "biuf"  # kinds of arrays that hold numbers, or booleans
_WIDEST = 8  # bytes: wider numbers lose digits as float64


class ScoreBlock(Mapping[str, Vector]):
    """Named columns of numbers as rows of one matrix; a column becomes a vector when asked for.

    ``missing`` has a row for each column; None if nothing is missing.
    """

    def __init__(
        self, names: Sequence[str], matrix: FloatArray, argument: str, index: pd.Index[Any] | None
    ) -> None:
        self._places = {name: k for k, name in enumerate(names)}
        missing = np.isnan(matrix)
        self.matrix, self.index, self._argument = matrix, index, argument
        self.missing: BoolArray | None = missing if missing.any() else None

    def __getitem__(self, name: str) -> Vector:
        k = self._places[name]
        gone = None if self.missing is None or not self.missing[k].any() else self.missing[k]
        return Vector(self._argument, self.matrix[k], gone, self.index, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def read_score_rows(scores: Mapping[str, Vector]) -> FloatArray:
    """Return the scores of each predictor as a row, NaN where missing."""
    if isinstance(scores, ScoreBlock):
        return scores.matrix
    rows = [read_scores(vector) for vector in scores.values()]
    # A new array already: one predictor needs no copy into a matrix.
    return np.stack(rows) if len(rows) > 1 else rows[0][np.newaxis]


def read_words(scores: Mapping[str, Vector]) -> dict[str, tuple[str, ...]]:
    """Return the words of ordered categories, by predictor; numbers have none."""
    if isinstance(scores, ScoreBlock):
        return {}
    words = {name: read_categories(vector) for name, vector in scores.items()}
    return {name: each for name, each in words.items() if each}


def distinct_vectors(scores: Mapping[str, Vector]) -> dict[str, Vector]:
    """Return the vectors of scores that can differ in length, index or missing values."""
    if isinstance(scores, ScoreBlock) and scores.missing is None:
        first = next(iter(scores))
        return {first: scores[first]}
    return dict(scores)


def block_of_matrix(names: Sequence[str], matrix: Any, argument: str) -> ScoreBlock | None:
    """Return the columns of an array; None unless it is of plain numbers, all exact."""
    if type(matrix) is not np.ndarray or not _is_plain(matrix.dtype):
        return None
    return _block(names, matrix.T, argument, None, whole=matrix.dtype.kind in "iu")


def block_of_frame(names: Sequence[str], table: Any, argument: str) -> ScoreBlock | None:
    """Return the columns of a table, whose keys are in the order of ``names``, as a block.

    ``table`` is a pandas frame, a dict of arrays, or a narwhals frame. None unless all columns are
    plain numbers, of which none loses a digit as float64.
    """
    if isinstance(table, pd.DataFrame):
        dtypes = table.dtypes.unique()
        if not all(isinstance(dtype, np.dtype) and _is_plain(dtype) for dtype in dtypes):
            return None
        whole = any(dtype.kind in "iu" for dtype in dtypes)
        return _block(names, table.to_numpy(dtype=np.float64).T, argument, table.index, whole=whole)
    if isinstance(table, Mapping):
        return _block_of_arrays(names, list(table.values()), argument)
    import narwhals as nw

    if not all(dtype in (nw.Float32, nw.Float64) for dtype in table.schema.values()):
        return None
    return _block(names, table.to_numpy().T, argument, None, whole=False)


def _block_of_arrays(names: Sequence[str], arrays: list[Any], argument: str) -> ScoreBlock | None:
    if not all(type(array) is np.ndarray and array.ndim == 1 for array in arrays):
        return None
    dtypes = {array.dtype for array in arrays}
    if not all(map(_is_plain, dtypes)) or len(set(map(len, arrays))) > 1:
        return None
    whole = any(dtype.kind in "iu" for dtype in dtypes)
    return _block(names, np.array(arrays, dtype=np.float64), argument, None, whole=whole)


def _block(
    names: Sequence[str],
    rows: npt.NDArray[Any],
    argument: str,
    index: pd.Index[Any] | None,
    *,
    whole: bool,
) -> ScoreBlock | None:
    # A copy: the array is the caller's. By rows, since each predictor is sorted by itself.
    matrix = np.array(rows, dtype=np.float64, order="C")
    # Large whole numbers may have been rounded: they are read one by one, and refused by name.
    if whole and ((np.abs(matrix) >= EXACT_INTEGERS) & np.isfinite(matrix)).any():
        return None
    return ScoreBlock(names, matrix, argument, index)


def _is_plain(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in _PLAIN and dtype.itemsize <= _WIDEST
