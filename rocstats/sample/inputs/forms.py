"""Labels, scores and roles given as arrays, dicts, frames, or names of columns of ``data``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.blocks import (
    ScoreBlock,
    block_of_frame,
    block_of_matrix,
    distinct_vectors,
)
from rocstats.sample.inputs.columns import Columns, is_frame, require_rows
from rocstats.sample.inputs.traps import require_no_outcome, require_no_pair_of_probabilities
from rocstats.sample.inputs.vectors import (
    Vector,
    as_array,
    read_vector,
    require_unique,
)

# Roles of which a study may have several columns.
_OF_COLUMNS = ("group", "covariate")


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
    def group_names(self) -> list[str]:
        """Names of the columns of the groups."""
        return [name for name in self.group if name]

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
    require_no_outcome(labels, scores)
    given = {
        role: one_vector(value, role, columns)
        for role, value in roles.items()
        if value is not None and role not in _OF_COLUMNS
    }
    group, covariate = (
        role_vectors(roles.get(role), role, columns, len(labels)) for role in _OF_COLUMNS
    )
    inputs = Inputs(labels, scores, given, group, columns.names if columns else (), covariate)
    require_rows([labels, *distinct_vectors(scores).values(), *inputs.of_roles])
    return inputs


def role_vectors(value: Any, role: str, columns: Columns | None, n_rows: int) -> dict[str, Vector]:
    """Return the columns of groups, or of covariates, by name: none, one, or several."""
    if value is None:
        return {}
    if columns is not None and _names_of_columns(value, columns, n_rows):
        require_unique(list(value), role)
        return {name: columns.vector(name, role) for name in value}
    if isinstance(value, Mapping) or is_frame(value):
        table = Columns(value, role)
        require_unique(table.names, role)
        if not table.names:
            raise InputError(f"`{role}` must have at least one column; got none. Leave it out.")
        return {name: table.column(name, role) for name in table.names}
    if is_matrix(value):
        matrix = value if isinstance(value, np.ma.MaskedArray) else as_array(value, role)
        return {f"{role}_{k + 1}": read_vector(matrix[:, k], role) for k in range(matrix.shape[1])}
    vector = one_vector(value, role, columns)
    return {value if isinstance(value, str) else vector.name or "": vector}


def _names_of_columns(value: Any, columns: Columns, n_rows: int) -> bool:
    """Return whether a list is of names of columns, and not the group of each row."""
    if not _is_names(value) or isinstance(value, str):
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
    if columns is not None and _is_names(y_score):
        names = [y_score] if isinstance(y_score, str) else list(y_score)
        _require_no_names(naming)
        require_unique(names, naming.scores)
        return _columns_of(columns, names, naming.scores)
    if isinstance(y_score, str):
        one_vector(y_score, naming.scores, None)  # raises: a name needs data=
    if isinstance(y_score, Mapping) or is_frame(y_score):
        return _scores_of_frame(y_score, naming)
    if is_matrix(y_score):
        return _scores_of_matrix(y_score, naming)
    vector = read_vector(y_score, naming.scores)
    names = [vector.name or "score"] if naming.names is None else _names(naming, 1)
    return {names[0]: vector}


def _is_names(y_score: Any) -> bool:
    if isinstance(y_score, str):
        return True
    return (
        isinstance(y_score, (list, tuple))
        and len(y_score) > 0
        and all(isinstance(name, str) for name in y_score)
    )


def is_matrix(obj: Any) -> bool:
    """Return whether an object has two dimensions."""
    shape = getattr(obj, "shape", None)  # np.ndim would convert a series of another library
    try:
        return (np.ndim(obj) if shape is None else len(shape)) == 2
    except ValueError:  # rows of unequal length: read_vector says so
        return False


def _require_no_names(naming: Naming) -> None:
    if naming.names is not None:
        raise InputError(
            f"`{naming.argument}` must stay None when `{naming.scores}` has names of its own;"
            f" got {naming.names!r}. Rename the columns instead."
        )


def _columns_of(columns: Columns, names: Sequence[str], argument: str) -> Mapping[str, Vector]:
    """Return columns of a table, read at once if they are several and of plain numbers."""
    table = columns.part(names) if len(names) > 1 else None
    block = None if table is None else block_of_frame(names, table, argument)
    if block is not None:
        return block
    return {name: columns.vector(name, argument) for name in names}


def _scores_of_frame(frame: Any, naming: Naming) -> Mapping[str, Vector]:
    _require_no_names(naming)
    columns = Columns(frame)
    require_unique(columns.names, naming.scores)
    if not columns.names:
        raise InputError(
            f"`{naming.scores}` must have at least one column; got none. Pass the scores."
        )
    return _columns_of(columns, columns.names, naming.scores)


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
    names = naming.default(width) if naming.names is None else _names(naming, width)
    block = block_of_matrix(names, matrix, naming.scores)
    if block is not None:
        return block
    return {name: read_vector(matrix[:, k], naming.scores) for k, name in enumerate(names)}


def read_names(names: Any, argument: str) -> list[str]:
    """Return a name, or a list of names, as a list of texts; whole numbers are names too."""
    if isinstance(names, str):
        return [names]
    listed = isinstance(names, (list, tuple, np.ndarray, pd.Index, pd.Series))
    if not listed or not all(isinstance(name, (str, Real)) for name in names):
        raise InputError(
            f"`{argument}` must be a name, or a list of names; got {names!r}. Pass texts."
        )
    return [str(name) for name in names]


def _names(naming: Naming, width: int) -> list[str]:
    names = read_names(naming.names, naming.argument)
    if len(names) != width:
        raise InputError(
            f"`{naming.argument}` must name each of the {width} columns of `{naming.scores}`; got"
            f" {len(names)} names. Pass one name per column."
        )
    require_unique(names, naming.scores)
    return names
