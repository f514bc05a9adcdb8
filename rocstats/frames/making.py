"""The only maker of frames: columns checked against the glossary, ordered and typed.

One row is one estimate of one quantity with one interval. Column names, their order and their
types are fixed per question, whatever its arguments.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames.about import About
from rocstats.frames.columns import Labels as Labels
from rocstats.frames.columns import (
    assembled,
    text_column,
    text_dtype,
    typed_column,
    typed_numbers,
)
from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.notes import NOTES
from rocstats.frames.questions import Question
from rocstats.frames.screen import Answer
from rocstats.references import require_keys


def make_frame(
    question: Question,
    columns: Mapping[str, Any],
    *,
    grouped: bool,
    seed: int | None = None,
    n_resamples: int | None = None,
    shown: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Return the frame of a question, its columns checked, ordered and typed.

    Parameters
    ----------
    question : Question
        The question; the frame has its columns, and the keys of its references in
        ``attrs["rocstats"]["references"]`` (a key that is not in the bibliography is a KeyError).
    columns : mapping of str to array, list, Labels or scalar
        Exactly the columns of the question (``group`` only if ``grouped``).
    grouped : bool
        Whether the study has groups.
    seed, n_resamples : int, optional
        The integer that repeats the draws, and their number; None for closed forms.
    shown : mapping, optional
        Labels of the study in print, see ``rocstats.frames.labels``; they join the ``attrs``.
    """
    names = question.columns_of(grouped=grouped)
    # A mistake of ours, not of the user: KeyError, not InputError.
    if set(names) != set(columns):
        odd = set(names) ^ set(columns)
        raise KeyError(f"{question.name}: columns {odd} do not fit the schema")
    frame = assembled(tuple(names), columns)
    about = {
        "function": question.name,
        "version": __version__,
        "seed": seed,
        "n_resamples": n_resamples,
        "references": require_keys(question.references),
    }
    copies = {name: copy(words) for name, words in (shown or {}).items()}
    frame.attrs["rocstats"] = About(about, **copies)
    return frame


def estimate_frame(
    question: Question,
    rows: Sequence[Mapping[str, Any]],
    *,
    grouped: bool,
    said: set[str] | None = None,
    seed: int | None = None,
    n_resamples: int | None = None,
    shown: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Return a frame of estimates from one mapping a row, and warn once per code of doubt.

    Parameters
    ----------
    question : Question
        The question; the frame has its columns and references.
    rows : sequence of mapping
        The rows; the entry ``note`` is a sequence of codes of ``NOTES``.
    grouped : bool
        Whether the study has groups; without them an entry ``group`` is left out.
    said : set of str, optional
        The doubts that the study has warned of, which are not warned of again.
    seed, n_resamples : int, optional
        The integer that repeats the draws, and their number; None for closed forms.
    shown : mapping, optional
        Labels of the study in print, see ``make_frame``.
    """
    warn_of([code for row in rows for code in row["note"]], said)
    names = question.columns_of(grouped=grouped)
    columns = {name: [row[name] for row in rows] for name in names}
    # dict.fromkeys drops repeats and keeps the order, as a set would not.
    columns["note"] = ["; ".join(dict.fromkeys(row["note"])) for row in rows]
    return make_frame(
        question,
        columns,
        grouped=grouped,
        seed=seed,
        n_resamples=n_resamples,
        shown=shown,
    )


def warn_of(codes: Iterable[str], said: set[str] | None = None) -> None:
    """Issue one StatisticalWarning for each distinct code that stands for a doubt.

    Parameters
    ----------
    codes : iterable of str
        Codes of the column ``note``; what follows a "=" is a count, not part of the code.
    said : set of str, optional
        The doubts that the study has warned of: the others are added.
    """
    said = set() if said is None else said
    for code in dict.fromkeys(code.partition("=")[0] for code in codes):
        if NOTES[code].doubt and code not in said:
            said.add(code)
            message = f"{code}: {NOTES[code].meaning}"
            warnings.warn(message, StatisticalWarning, stacklevel=_level_of_the_caller())


def _level_of_the_caller() -> int:
    """Return the stacklevel, seen from ``warn_of``, of the first frame outside this package."""
    # The warning then names the line of the user, and Python's filters by module work on it.
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "rocstats":
        frame, level = frame.f_back, level + 1
    return level


def count_frame(
    question: Question,
    groups: Mapping[str, Sequence[str]],
    columns: Mapping[str, Any],
    about: Mapping[str, Any],
) -> pd.DataFrame:
    """Return a count table: the columns of the user that name the groups, then the counts.

    Parameters
    ----------
    question : Question
        What made the table, and its columns; ``score_high`` is left out of exact tables.
    groups : mapping of str to sequence of str
        Label of each row in each column of groups.
    columns : mapping of str to array
        The counts, and the scores that they are of.
    about : mapping
        Where the counts are from, joined to ``attrs["rocstats"]``.
    """
    n_rows = len(columns["score"])
    used = [name for name in question.columns if name in columns]
    typed = {name: text_column(values).copy() for name, values in groups.items()}
    typed |= {name: typed_column(name, columns[name], n_rows) for name in used}
    frame = Answer(typed, index=pd.RangeIndex(n_rows), copy=False)
    frame.attrs["rocstats"] = {
        "function": question.name,
        "version": __version__,
        "references": require_keys(question.references),
        **about,
    }
    return frame


def text_frame(columns: Mapping[str, Sequence[str]], *, footnotes: Sequence[str]) -> pd.DataFrame:
    """Return a frame of strings for print, its footnotes in ``attrs["rocstats"]["footnotes"]``.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Headings and cells.
    footnotes : sequence of str
        Sentences that belong under the table.
    """
    frame = pd.DataFrame(dict(columns), dtype=text_dtype())
    frame.attrs["rocstats"] = {
        "function": "format_table",
        "version": __version__,
        "footnotes": list(footnotes),
    }
    return frame


def stacked(*frames: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of several answers of a study one below the other, for one graph."""
    found = pd.concat(frames, ignore_index=True)
    found.attrs = frames[0].attrs
    return found


def data_frame(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return the columns of a user's data as a frame, as they are."""
    return pd.DataFrame(columns)


def read_csv(path: str | PathLike[str]) -> pd.DataFrame:
    r"""Read a frame of this package back from csv, every column in its glossary type.

    Writing with ``frame.to_csv(path, index=False)`` and reading with this function gives the same
    values, bit for bit; ``pandas.read_csv`` alone would turn a group called "NA" into a missing
    value and a fold called "1" into a number.

    Parameters
    ----------
    path : str or path-like
        The csv file, its header the columns of a frame made here.

    Returns
    -------
    pandas.DataFrame
        The frame; ``attrs`` are not part of a csv file and stay empty.

    Raises
    ------
    InputError
        If a column is not in the glossary.

    References
    ----------
    - The page "Columns" of the documentation lists the glossary

    Examples
    --------
    >>> import io
    >>> import rocstats as rs
    >>> rs.read_csv(io.StringIO("predictor,threshold,fpr\nNA,inf,0.1\n"))
      predictor threshold    fpr
    0        NA       inf  0.100
    [1 row, 3 columns in all]
    """
    # All as text first: pandas would guess a type for each column, and drop "NA".
    raw = pd.read_csv(path, dtype=str, keep_default_na=False)
    unknown = [name for name in raw.columns if name not in GLOSSARY]
    if unknown:
        raise InputError(
            f"`path` must hold columns of the glossary; got {unknown}."
            " Read other files with pandas.read_csv."
        )
    columns: dict[str, Any] = {}
    for name in raw.columns:
        if GLOSSARY[name].kind == "text":
            columns[name] = raw[name].astype(text_dtype())
        else:
            # Python's float rounds correctly; the default parser of pandas may err in the last bit.
            values = np.array([float(value or "nan") for value in raw[name].tolist()])
            columns[name] = typed_numbers(name, values)
    return Answer(columns)
