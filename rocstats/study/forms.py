"""Labels, scores and roles given as arrays, dicts, frames, or names of columns of ``data``.

Many columns of scores of plain numbers are read at once, as a block. What has the form of scores
and is something else is refused: both probabilities, the outcome itself, arguments out of place.
``read_subgroup_levels`` reads the variables that split the cases of a study into subgroups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError, require_writable
from rocstats.facts.arrays import BoolArray, Factor, FloatArray
from rocstats.study.columns import (
    Columns,
    Rows,
    is_frame,
    require_equal_indexes,
    require_equal_rows,
)
from rocstats.study.vectors import (
    EXACT_INTEGERS,
    Vector,
    as_array,
    dense_array_of_sparse_matrix,
    index_of,
    read_categories,
    read_factor,
    read_scores,
    read_vector,
    require_unique,
)

# --- Labels, scores and roles ---------------------------------------------------------------------

ONE_PREDICTOR = "score"
"""Name of the only predictor of a study, if its scores have none."""

# Roles of which a study may have several columns.
_ROLES_OF_COLUMNS = ("group", "covariate")


class Inputs(NamedTuple):
    """Labels, named scores and named roles, all with the same number of rows and index."""

    y_true: Vector
    scores: Mapping[str, Vector]
    roles: dict[str, Vector]
    # The columns of the role ``group``, of which there may be several; "" without a name.
    group: Mapping[str, Vector] = MappingProxyType({})
    columns: Sequence[str] = ()  # all names in ``data``
    covariate: Mapping[str, Vector] = MappingProxyType({})

    @property
    def of_roles(self) -> list[Vector]:
        """The vectors of all roles."""
        return [*self.roles.values(), *self.group.values(), *self.covariate.values()]

    @property
    def cases(self) -> Rows:
        """The rows of the cases, with the first index that an argument has."""
        vectors = [self.y_true, *distinct_vectors(self.scores).values(), *self.of_roles]
        first = next((one for one in vectors if one.index is not None), self.y_true)
        return Rows(first.argument, len(self.y_true), first.index, first.name)

    @property
    def group_names(self) -> list[str]:
        """Names of the columns of the groups."""
        return [name for name in self.group if name]

    @property
    def cluster_name(self) -> str:
        """Name of the column of clusters; "" without one."""
        return (self.roles["cluster"].name or "") if "cluster" in self.roles else ""

    def missing(self, *, each_own: bool = False) -> BoolArray | None:
        """Return a mask of the rows with a missing value, None if there are none.

        With ``each_own`` a missing score counts only where no predictor has one.
        """
        vectors = [self.y_true, *self.of_roles]
        masks = [vector.missing for vector in vectors if vector.missing is not None]
        of_scores = self._missing_scores
        known = [mask for mask in of_scores if mask is not None]
        if each_own and len(known) == len(of_scores):
            masks.append(np.asarray(np.all(known, axis=0)))
        if not each_own:
            masks += known
        return np.asarray(np.any(masks, axis=0)) if masks else None

    @property
    def _missing_scores(self) -> Sequence[BoolArray | None]:
        if isinstance(self.scores, ScoreBlock):
            return [None] if self.scores.missing is None else list(self.scores.missing)
        return [vector.missing for vector in self.scores.values()]


class Naming(NamedTuple):
    """The argument that names the columns of unnamed scores, and the default names.

    ``scores`` is the name of the argument that holds the scores, for messages.
    """

    argument: str
    names: Any
    default: Callable[[int], list[str]]
    scores: str = "y_score"


def predictor_naming(predictor: Any, scores: str = "y_score") -> Naming:
    """Return the naming of predictors: "score_1", "score_2", ... by default."""

    def default(width: int) -> list[str]:
        return [f"score_{k + 1}" for k in range(width)]

    return Naming("predictor", predictor, default, scores)


def read_inputs(
    y_true: Any, y_score: Any, *, data: Any, naming: Naming, roles: Mapping[str, Any]
) -> Inputs:
    """Return labels, scores and the given roles as vectors with the same rows."""
    columns = None if data is None else Columns(data)
    labels = one_vector(y_true, "y_true", columns)
    scores = named_scores(y_score, naming, columns)
    require_writable(scores, f"names of `{naming.scores}`")
    require_no_outcome(labels, scores)
    return inputs_with_roles(labels, scores, columns, roles)


def inputs_with_roles(
    labels: Vector,
    scores: Mapping[str, Vector],
    columns: Columns | None,
    roles: Mapping[str, Any],
) -> Inputs:
    """Return labels and scores with the given roles; raise InputError unless all rows agree."""
    given = {
        role: one_vector(value, role, columns)
        for role, value in roles.items()
        if value is not None and role not in _ROLES_OF_COLUMNS
    }
    group, covariate = (
        role_vectors(roles.get(role), role, columns, len(labels)) for role in _ROLES_OF_COLUMNS
    )
    for role, named in (("group", group), ("covariate", covariate)):
        require_writable(named, f"names of `{role}`")
    inputs = Inputs(labels, scores, given, group, columns.names if columns else (), covariate)
    require_equal_rows([labels, *distinct_vectors(scores).values(), *inputs.of_roles])
    return inputs


def role_vectors(value: Any, role: str, columns: Columns | None, n_rows: int) -> dict[str, Vector]:
    """Return the columns of groups, or of covariates, by name: none, one, or several."""
    if value is None:
        return {}
    value = dense_array_of_sparse_matrix(value)
    if columns is not None and _are_column_names(value, columns, n_rows):
        require_unique(list(value), role)
        return {name: columns.vector(name, role) for name in value}
    if isinstance(value, Mapping) or is_frame(value, role):
        table = Columns(value, role)
        require_unique(table.names, role)
        if not table.names:
            raise InputError(
                f"`{role}` must have at least one column; got none. Pass a column, or omit {role}."
            )
        return {name: table.column(name, role) for name in table.names}
    if is_matrix(value):
        matrix = value if isinstance(value, np.ma.MaskedArray) else as_array(value, role)
        return {f"{role}_{k + 1}": read_vector(matrix[:, k], role) for k in range(matrix.shape[1])}
    vector = one_vector(value, role, columns)
    return {value if isinstance(value, str) else vector.name or "": vector}


def _are_column_names(value: Any, columns: Columns, n_rows: int) -> bool:
    """Return whether a list is of names of columns, and not the group of each row."""
    if not is_list_of_names(value):
        return False
    # Groups of rows repeat, and there is one a row. A mistyped name is refused as a name.
    known = any(name in columns.names for name in value)
    return len(set(value)) == len(value) and (known or len(value) != n_rows)


def one_vector(value: Any, argument: str, columns: Columns | None) -> Vector:
    """Return an array, or the column of a name, as the vector ``argument``."""
    if not isinstance(value, str):
        return read_vector(value, argument)
    if columns is None:
        raise InputError(
            f"`{argument}` must be an array unless `data` is given; got the name {value!r}."
            " Pass data=, the frame that has this column."
        )
    return columns.vector(value, argument)


def named_scores(y_score: Any, naming: Naming, columns: Columns | None) -> Mapping[str, Vector]:
    """Return the vectors of scores by name, in the order given."""
    y_score = dense_array_of_sparse_matrix(y_score)
    if columns is not None and (isinstance(y_score, str) or is_list_of_names(y_score)):
        names = [y_score] if isinstance(y_score, str) else list(y_score)
        _require_no_predictor_names(naming)
        require_unique(names, naming.scores)
        return _vectors_of_columns(columns, names, naming.scores)
    if isinstance(y_score, str):
        one_vector(y_score, naming.scores, None)  # raises: a name needs data=
    if isinstance(y_score, Mapping) or is_frame(y_score, naming.scores):
        return _scores_of_frame(y_score, naming)
    if is_matrix(y_score):
        return _scores_of_matrix(y_score, naming)
    vector = read_vector(y_score, naming.scores)
    names = [vector.name or ONE_PREDICTOR] if naming.names is None else _predictor_names(naming, 1)
    return {names[0]: vector}


def is_list_of_names(value: Any) -> bool:
    """Return whether a value is a list of one text or more."""
    listed = isinstance(value, (list, tuple)) and len(value) > 0
    return listed and all(isinstance(name, str) for name in value)


def is_matrix(obj: Any) -> bool:
    """Return whether an object has two dimensions."""
    shape = getattr(obj, "shape", None)  # np.ndim would convert a series of another library
    try:
        return (np.ndim(obj) if shape is None else len(shape)) == 2
    except (TypeError, ValueError, RuntimeError):  # no array at all: read_vector says so
        return False


def _require_no_predictor_names(naming: Naming) -> None:
    if naming.names is not None:
        raise InputError(
            f"`{naming.argument}` must stay None when `{naming.scores}` has names; got"
            f" {naming.names!r}. Rename the columns instead."
        )


def _vectors_of_columns(
    columns: Columns, names: Sequence[str], argument: str
) -> Mapping[str, Vector]:
    """Return columns of a table, read at once if they are several and of plain numbers."""
    table = columns.part(names) if len(names) > 1 else None
    block = None if table is None else block_of_frame(names, table, argument)
    if block is not None:
        return block
    return {name: columns.vector(name, argument) for name in names}


def _scores_of_frame(frame: Any, naming: Naming) -> Mapping[str, Vector]:
    _require_no_predictor_names(naming)
    columns = Columns(frame)
    require_unique(columns.names, naming.scores)
    if not columns.names:
        raise InputError(
            f"`{naming.scores}` must have at least one column; got none. Pass the scores."
        )
    return _vectors_of_columns(columns, columns.names, naming.scores)


def _scores_of_matrix(y_score: Any, naming: Naming) -> Mapping[str, Vector]:
    # np.asarray would drop the mask, and with it which values are missing.
    matrix = y_score if isinstance(y_score, np.ma.MaskedArray) else as_array(y_score, naming.scores)
    width = matrix.shape[1]
    if width == 0:
        raise InputError(
            f"`{naming.scores}` must have at least one column; got shape {matrix.shape}."
            " Pass the scores."
        )
    if naming.names is None and naming.argument == "predictor" and naming.scores == "y_score":
        require_no_pair_of_probabilities(matrix)
    names = naming.default(width) if naming.names is None else _predictor_names(naming, width)
    block = block_of_matrix(names, matrix, naming.scores)
    if block is not None:
        return block
    return {name: read_vector(matrix[:, k], naming.scores) for k, name in enumerate(names)}


def read_names(names: Any, argument: str) -> list[str]:
    """Return a name, or a list of names, as a list of texts; whole numbers are names too."""
    if isinstance(names, str):
        return [names]
    # An array of no dimension, which np.char.add gives, is no list.
    listed = isinstance(names, (list, tuple, np.ndarray, pd.Index, pd.Series)) and not (
        isinstance(names, np.ndarray) and names.ndim == 0
    )
    if not listed or not all(isinstance(name, (str, Real)) for name in names):
        raise InputError(
            f"`{argument}` must be a name, or a list of names; got {names!r}. Pass texts."
        )
    return [str(name) for name in names]


def _predictor_names(naming: Naming, width: int) -> list[str]:
    names = read_names(naming.names, naming.argument)
    if len(names) != width:
        raise InputError(
            f"`{naming.argument}` must name each of the {width} columns of `{naming.scores}`; got"
            f" {len(names)} names. Pass one name per column."
        )
    require_unique(names, naming.scores)
    return names


# --- Inputs that are no scores --------------------------------------------------------------------

# Probabilities of both classes sum to 1 but for rounding, of single precision too.
_SUM_IS_ONE = 1e-5


def require_no_pair_of_probabilities(matrix: Any) -> None:
    """Raise InputError if an unnamed matrix holds the probabilities of both classes."""
    if matrix.shape[1] != 2 or matrix.dtype.kind != "f":
        return
    inside = ((matrix >= 0) & (matrix <= 1)).all()
    if inside and (np.abs(matrix.sum(axis=1) - 1) < _SUM_IS_ONE).all():
        raise InputError(
            "`y_score` must hold the scores of the positive class; got two columns that sum to 1 in"
            " every row, as predict_proba returns them. Pass y_score[:, 1], or name both columns"
            " with predictor= if these are two predictors."
        )


def require_no_outcome(
    labels: Vector, scores: Mapping[str, Vector], argument: str = "y_score"
) -> None:
    """Raise InputError if the outcome is among the scores, under its own name."""
    name = labels.name
    if name is None or name not in scores:
        return
    mine, theirs = np.asarray(labels.values), np.asarray(scores[name].values)
    if mine.shape == theirs.shape and bool(np.all(mine == theirs)):
        raise InputError(
            f"`{argument}` must not hold the outcome; got the column {name!r} in both. Leave it"
            f" out: {argument}.drop(columns={name!r})."
        )


def require_labels_first(y_true: Any, unnamed: tuple[Any, ...]) -> None:
    """Raise InputError if the outcome is a whole frame, or values follow the scores unnamed."""
    # Of a name that two columns have, pandas gives both as a frame: read_vector says so.
    if is_frame(y_true, "y_true") and len(set(y_true.columns)) == len(y_true.columns):
        raise InputError(
            f"`y_true` must be the labels, or the name of their column; got a frame"
            f" ({type(y_true).__name__}). Pass the names first:"
            " Study('outcome', ['marker'], data=frame)."
        )
    if unnamed:
        raise InputError(
            f"`data` and later arguments must be passed by name; got {len(unnamed)} unnamed"
            " arguments after the scores. Write data=, predictor=, pos_label=."
        )


# --- Many columns of plain numbers ----------------------------------------------------------------

_NUMBER_KINDS = "biuf"  # kinds of arrays that hold numbers, or booleans
_MOST_BYTES = 8  # bytes: wider numbers lose digits as float64


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


def read_category_words(scores: Mapping[str, Vector]) -> dict[str, tuple[str, ...]]:
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
    if type(matrix) is not np.ndarray or not _is_plain_number_dtype(matrix.dtype):
        return None
    return _block_of_rows(names, matrix.T, argument, None, whole=matrix.dtype.kind in "iu")


def block_of_frame(names: Sequence[str], table: Any, argument: str) -> ScoreBlock | None:
    """Return the columns of a table, whose keys are in the order of ``names``, as a block.

    ``table`` is a pandas frame, a dict of arrays, or a narwhals frame. None unless all columns are
    plain numbers, of which none loses a digit as float64.
    """
    if isinstance(table, pd.DataFrame):
        dtypes = table.dtypes.unique()
        if not all(
            isinstance(dtype, np.dtype) and _is_plain_number_dtype(dtype) for dtype in dtypes
        ):
            return None
        whole = any(dtype.kind in "iu" for dtype in dtypes)
        return _block_of_rows(
            names, table.to_numpy(dtype=np.float64).T, argument, table.index, whole=whole
        )
    if isinstance(table, Mapping):
        return _block_of_arrays(names, list(table.values()), argument)
    import narwhals as nw

    if not all(dtype in (nw.Float32, nw.Float64) for dtype in table.schema.values()):
        return None
    return _block_of_rows(names, table.to_numpy().T, argument, index_of(table), whole=False)


def _block_of_arrays(names: Sequence[str], arrays: list[Any], argument: str) -> ScoreBlock | None:
    if not all(type(array) is np.ndarray and array.ndim == 1 for array in arrays):
        return None
    dtypes = {array.dtype for array in arrays}
    if not all(map(_is_plain_number_dtype, dtypes)) or len(set(map(len, arrays))) > 1:
        return None
    whole = any(dtype.kind in "iu" for dtype in dtypes)
    return _block_of_rows(names, np.array(arrays, dtype=np.float64), argument, None, whole=whole)


def _block_of_rows(
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


def _is_plain_number_dtype(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in _NUMBER_KINDS and dtype.itemsize <= _MOST_BYTES


# --- Levels of subgroups --------------------------------------------------------------------------

# A table of more subgroups is no table, and a variable of more values is a number to be cut.
_MOST_LEVELS = 30


def read_subgroup_levels(by: Any, data: Any, cases: Rows, n_dropped: int) -> dict[str, Factor]:
    """Return the level of each row of a study in each variable, the code -1 where missing.

    Parameters
    ----------
    by : str, list of str, dict, dataframe or array-like
        Names of columns of ``data``, or the columns themselves.
    data : dataframe or None
        Frame with the named columns.
    cases : Rows
        The rows of the study.
    n_dropped : int
        Number of rows that the study left out.
    """
    if by is None or (isinstance(by, (list, tuple)) and not by):
        raise InputError(
            f"`by` must name at least one variable; got {by!r}. Pass by=['sex', 'site'],"
            " data=frame."
        )
    columns = None if data is None else Columns(data)
    vectors = role_vectors(by, "by", columns, len(cases))
    for name, vector in vectors.items():
        if len(vector) != len(cases):
            all_rows = len(cases) + n_dropped
            left = f" (of {all_rows}; the others were left out)" if n_dropped else ""
            raise InputError(
                f"`by` must have a value for each of the {len(cases)} rows of the study{left};"
                f" got {len(vector)} of {name or 'by'!r}. Pass the values of these rows."
            )
    require_equal_indexes([cases, *vectors.values()])
    return {
        name or "subgroup": _levels_of_subgroup_variable(name, vector)
        for name, vector in vectors.items()
    }


def _levels_of_subgroup_variable(name: str, vector: Vector) -> Factor:
    """Return the levels in the order of ordered categories, else of appearance."""
    factor = read_factor(vector)
    if len(factor.labels) > _MOST_LEVELS:
        raise InputError(
            f"`by` must have at most {_MOST_LEVELS} levels for each variable; got"
            f" {len(factor.labels)} of {name or 'by'!r}. Cut numbers into ranges, for"
            " instance with pandas.cut()."
        )
    if not isinstance(vector.values, pd.Categorical):
        return factor
    known = [str(label) for label in vector.values.categories]
    order = [factor.labels.index(label) for label in known if label in factor.labels]
    return factor.with_labels(np.array(order, dtype=np.intp))
