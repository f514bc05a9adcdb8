"""Which rows of a file a study uses: a condition on rows, and ranges that make groups of numbers.

A condition compares columns with numbers and labels. pandas evaluates it after every part was
checked: a condition cannot reach anything but the columns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_name
from rocstats.study.cells import is_column_of_labels, strip_file_labels

# --- Rows that meet a condition -------------------------------------------------------------------

_QUOTED_NAME = re.compile(r"`([^`]*)`")
_ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Compare),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.In, ast.NotIn),  # codespell:ignore notin
    *(ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple),
)
"""Parts of a condition; without calls and attributes it reads columns and nothing else."""


def rows_that_meet(frame: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Return the rows of a frame that meet a condition; missing values do not meet it.

    Parameters
    ----------
    frame : pandas.DataFrame
        What ``read_file`` returned.
    condition : str
        Comparisons (``==``, ``!=``, ``<``, ``<=``, ``>``, ``>=``, ``in``, ``not in``) of columns
        with numbers and quoted labels, joined by ``and``, ``or``, ``not`` and parentheses. A name
        with blanks stands in backticks.

    Returns
    -------
    pandas.DataFrame
        Those rows; ``attrs`` has the condition and the number of rows left out.

    Raises
    ------
    InputError
        If the condition has another part, names an unknown column, compares labels with numbers,
        or no row meets it.
    """
    columns = _columns_of_condition(frame, condition)
    strip_file_labels(frame, columns)
    used = frame[list(columns)].rename(columns=columns)
    plain = _QUOTED_NAME.sub(lambda found: columns[found[1]], condition)
    try:
        mask = used.eval(plain, engine="python", local_dict={}, global_dict={})
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"`filter` must compare numbers with numbers, and labels with labels in quotes; got"
            f" {condition!r} ({problem})."
        ) from None
    if not (isinstance(mask, pd.Series) and pd.api.types.is_bool_dtype(mask)):
        raise InputError(
            f"`filter` must be a condition on rows; got {condition!r}. Write for instance"
            " \"age >= 18 and sex == 'F'\"."
        )
    kept = mask.fillna(False).to_numpy(dtype=bool)
    if not kept.any():
        raise InputError(f"`filter` must keep a row; got {condition!r}, which no row meets.")
    found = frame[kept]
    found.attrs = frame.attrs
    found.attrs["rocstats"]["filter"] = condition
    found.attrs["rocstats"]["filtered"] = int((~kept).sum())
    return found


def _columns_of_condition(frame: pd.DataFrame, condition: str) -> dict[str, str]:
    """Return the columns that a condition names, each with a plain name for it."""
    quoted = list(dict.fromkeys(_QUOTED_NAME.findall(condition)))
    for name in quoted:
        require_name("filter", name, list(frame.columns))
    aliases = {name: f"quoted_column_{place}" for place, name in enumerate(quoted)}
    plain = _QUOTED_NAME.sub(lambda found: aliases[found[1]], condition)
    try:
        tree = ast.parse(plain.strip(), mode="eval")
    except (SyntaxError, ValueError):
        raise InputError(
            f"`filter` must be a condition such as \"age >= 18 and sex == 'F'\"; got {condition!r}."
            " Equality is ==, labels stand in quotes, names with blanks in backticks."
        ) from None
    for part in ast.walk(tree):
        if not isinstance(part, _ALLOWED):
            raise InputError(
                f"`filter` must compare columns with numbers and labels; got"
                f" {ast.unparse(part)!r} in {condition!r}. Use ==, !=, <, <=, >, >=, in, and, or,"
                " not."
            )
    names = [part.id for part in ast.walk(tree) if isinstance(part, ast.Name)]
    plain_names = [name for name in dict.fromkeys(names) if name not in aliases.values()]
    for name in plain_names:
        require_name("filter", name, list(frame.columns))
    return aliases | {name: name for name in plain_names}


def selection_in_words(about: Mapping[str, Any]) -> list[str]:
    """Return in words which rows of a file were kept."""
    if "filter" not in about:
        return []
    n_left_out = about["filtered"]
    rows = "1 row was" if n_left_out == 1 else f"{n_left_out:,} rows were"
    return [f"rows with {about['filter']} only ({rows} left out)"]


# --- Ranges of a column of numbers ----------------------------------------------------------------


def read_cut_points(texts: Sequence[str]) -> dict[str, list[float]]:
    """Return the cut points of each column from texts such as "age=40,60,80"."""
    found: dict[str, list[float]] = {}
    for text in texts:
        name, equals, values = text.rpartition("=")
        try:
            points = [float(value) for value in values.split(",")]
        except ValueError:
            points = []
        rising = all(low < high for low, high in pairwise(points))
        if not (equals and name and points and rising and np.isfinite(points).all()):
            raise InputError(
                f"`cut` must be a column and rising numbers, such as age=40,60,80; got {text!r}."
                " Write decimals with a point."
            )
        found[name] = points
    return found


def cut_into_ranges(frame: pd.DataFrame, ranges: Mapping[str, Sequence[float]]) -> None:
    """Put the name of its range in the place of each number of some columns."""
    for name, points in ranges.items():
        require_name("cut", name, list(frame.columns))
        if frame[name].dtype.kind not in "iuf":
            held = "labels" if is_column_of_labels(frame[name]) else frame[name].dtype.name
            raise InputError(
                f"`cut` must name a column of numbers; got {held} in column {name!r}. Name another."
            )
        numbers = pd.Series(frame[name]).to_numpy(dtype=np.float64, na_value=np.nan)
        labels = _range_labels(points)
        codes = np.searchsorted(points, numbers, side="right")
        frame[name] = pd.Series(
            [None if np.isnan(x) else labels[k] for x, k in zip(numbers, codes, strict=True)],
            index=frame.index,
            dtype=object,
        )


def _range_labels(points: Sequence[float]) -> list[str]:
    """Return the names of the ranges between cut points, each from its lower end on."""
    texts = [f"{point:g}" for point in points]
    inner = [f"{low} to under {high}" for low, high in pairwise(texts)]
    return [f"under {texts[0]}", *inner, f"{texts[-1]} and over"]
