"""The variables that split the cases of a study into subgroups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import Factor
from rocstats.sample.inputs.columns import Columns
from rocstats.sample.inputs.forms import role_vectors
from rocstats.sample.inputs.vectors import Vector, read_factor

# A table of more subgroups is no table, and a variable of more values is a number to be cut.
_MOST_LEVELS = 30


def read_levels(by: Any, data: Any, n_rows: int, n_dropped: int) -> dict[str, Factor]:
    """Return the level of each row of a study in each variable, the code -1 where missing.

    Parameters
    ----------
    by : str, list of str, dict, dataframe or array-like
        Names of columns of ``data``, or the columns themselves.
    data : dataframe or None
        Frame with the named columns.
    n_rows, n_dropped : int
        Number of rows that the study has, and that it left out.
    """
    if by is None or (isinstance(by, (list, tuple)) and not by):
        raise InputError(
            f"`by` must name one variable or more; got {by!r}. Pass by=['sex', 'site'], data=frame."
        )
    columns = None if data is None else Columns(data)
    vectors = role_vectors(by, "by", columns, n_rows)
    found = {}
    for name, vector in vectors.items():
        if len(vector) != n_rows:
            left = f" (of {n_rows + n_dropped}; the others were left out)" if n_dropped else ""
            raise InputError(
                f"`by` must have a value for each of the {n_rows} rows of the study{left}; got"
                f" {len(vector)} of {name or 'by'!r}. Pass the values of these rows."
            )
        found[name or "subgroup"] = _levels(name, vector)
    return found


def _levels(name: str, vector: Vector) -> Factor:
    """Return the levels in the order of ordered categories, else of appearance."""
    factor = read_factor(vector)
    if len(factor.labels) > _MOST_LEVELS:
        raise InputError(
            f"`by` must have at most {_MOST_LEVELS} levels a variable; got {len(factor.labels)} of"
            f" {name or 'by'!r}. Cut numbers into ranges, for instance with pandas.cut()."
        )
    if not isinstance(vector.values, pd.Categorical):
        return factor
    known = [str(label) for label in vector.values.categories]
    order = [factor.labels.index(label) for label in known if label in factor.labels]
    # The last place is that of the code -1, which stays.
    places = np.append(np.argsort(order), -1)
    return Factor(tuple(factor.labels[code] for code in order), places[factor.codes])
