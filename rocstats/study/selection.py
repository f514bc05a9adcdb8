"""Which rows and values of a file a study uses: missing codes, a condition on rows, ranges.

A condition compares columns with numbers and labels. pandas evaluates it after every part was
checked: a condition cannot reach anything but the columns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_name
from rocstats.study.cells import is_column_of_labels, strip_file_labels

# --- Numbers that mean a missing value ------------------------------------------------------------


def empty_missing_codes(
    frame: pd.DataFrame, missing_codes: Sequence[float], *, but: Collection[str]
) -> None:
    """Make missing the numbers that mean so, in all columns of numbers but those named."""
    found: dict[str, dict[str, int]] = {}
    for name in frame.columns:
        if name in but or frame[name].dtype.kind not in "iuf":
            continue
        for code in missing_codes:
            is_code = (frame[name] == code).fillna(False).to_numpy(dtype=bool)
            if is_code.any():
                frame[name] = frame[name].mask(is_code)
                found.setdefault(str(name), {})[f"{code:g}"] = int(is_code.sum())
    if missing_codes and not found:
        raise InputError(
            f"`missing_code` must be in a column of numbers; got"
            f" {', '.join(f'{code:g}' for code in missing_codes)}, which no cell has. Check the"
            " code."
        )
    if found:
        about = frame.attrs["rocstats"]
        marks = about["missing_marks"] or {}
        about["missing_marks"] = marks | {
            name: marks.get(name, {}) | codes for name, codes in found.items()
        }


# --- Dates ----------------------------------------------------------------------------------------

_DATE = re.compile(r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4}([ T][\d:.]+)?\s*")


def require_no_dates(frame: pd.DataFrame, column: str, option: str) -> None:
    """Raise InputError if the labels of a column are dates, each of which would be a group."""
    if column not in frame.columns:
        return
    known = frame[column].dropna()
    dates = known.map(
        lambda label: isinstance(label, date) or (isinstance(label, str) and _DATE.fullmatch(label))
    )
    if len(known) and dates.astype(bool).all():
        raise InputError(
            f"`{option}` must not be dates; got {str(known.iloc[0])!r} in column {column!r}. Make a"
            " column of years or periods, and pass that."
        )


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


# --- A column for each reader ---------------------------------------------------------------------


def reads_of_reader_columns(
    frame: pd.DataFrame, patterns: Sequence[str], rating: str, reader: str
) -> pd.DataFrame:
    """Return a row for each read of a frame with a column for each reader.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row for each case, or for each case and modality.
    patterns : sequence of str
        Names of the columns of readers, or patterns of them such as "R*".
    rating, reader : str
        Names of the columns of the reads.

    Returns
    -------
    pandas.DataFrame
        The other columns repeated, the readers, and their ratings; an empty cell is no read. Rows
        keep their labels.

    Raises
    ------
    InputError
        If a pattern fits no column, or a name of the new columns is taken.
    """
    columns: list[str] = []
    for pattern in patterns:
        exact = [name for name in frame.columns if name == pattern]
        fitting = exact or [name for name in frame.columns if fnmatchcase(name, pattern)]
        if not fitting:
            raise InputError(
                f"`reader_column` must fit a column; got {pattern!r}. The columns are"
                f" {', '.join(map(repr, frame.columns))}."
            )
        columns += [name for name in fitting if name not in columns]
    others = [name for name in frame.columns if name not in columns]
    if taken := {rating, reader}.intersection(others):
        raise InputError(
            f"`reader_column` must be used for a file without a column {min(taken)!r}; got this"
            " column. Rename it, or pass --rating and --reader."
        )
    found = frame.melt(others, columns, var_name=reader, value_name=rating, ignore_index=False)
    found = found[found[rating].notna()]
    found.attrs = frame.attrs
    return found


def selection_in_words(about: Mapping[str, Any]) -> list[str]:
    """Return in words which rows of a file were kept."""
    if "filter" not in about:
        return []
    n_left_out = about["filtered"]
    rows = "1 row was" if n_left_out == 1 else f"{n_left_out:,} rows were"
    return [f"rows with {about['filter']} only ({rows} left out)"]
