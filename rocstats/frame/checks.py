"""Checks of frames that a user passes for a table, a figure or a brief."""

from __future__ import annotations

import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.columns import GLOSSARY

ANSWERS = "the answer of a study, such as study.auc()"


def require_frame(frame: object, argument: str = "frame", source: str = ANSWERS) -> pd.DataFrame:
    """Return ``frame``; raise InputError unless it is a pandas frame that can be read.

    Parameters
    ----------
    frame : object
        What the user passed.
    argument : str, default "frame"
        Name of the argument, as the user wrote it.
    source : str
        What returns such a frame, for the message.

    Raises
    ------
    InputError
        If it is no frame of pandas, a name is that of two columns, or a column of the glossary
        holds texts in the place of numbers, or numbers in the place of the words of quantities.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError(
            f"`{argument}` must be a pandas frame; got {type(frame).__name__}. Pass {source}."
        )
    if frame.columns.nlevels > 1:
        raise InputError(
            f"`{argument}` must have one name for each column; got {frame.columns.nlevels} levels"
            f" of names. Pass {source}."
        )
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(
            f"`{argument}` must have each column once; got {twice[0]!r} twice. Leave one out:"
            " frame.loc[:, ~frame.columns.duplicated()]."
        )
    for name in frame.columns:
        if name in GLOSSARY and GLOSSARY[name].kind != "text":
            _require_numbers(frame[name], argument, source)
    if "quantity" in frame and frame["quantity"].dtype.kind in "biufc":
        raise InputError(
            f"`{argument}` must have words in the column 'quantity'; got"
            f" {frame['quantity'].iloc[:1].tolist()}. Pass {source}."
        )
    return frame


def _require_numbers(column: pd.Series, argument: str, source: str) -> None:
    """Raise InputError unless the values of a column are numbers, or missing."""
    if column.dtype.kind in "biuf":
        return
    wrong = column[pd.to_numeric(column, errors="coerce").isna() & column.notna()]
    texts = wrong if len(wrong) else column[column.map(lambda value: isinstance(value, str))]
    if len(texts) or column.dtype.kind not in "O":
        got = texts.iloc[0] if len(texts) else column.dtype
        raise InputError(
            f"`{argument}` must have numbers in the column {column.name!r}; got {got!r}. Pass"
            f" {source}, or read its csv file with rocstats.read_csv."
        )
