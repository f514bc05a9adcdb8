"""Series of a graph: the rows of each predictor and group in a checked frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocstats.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Series = tuple[str, str]
"""Predictor and group ("" without groups), which share a colour and a line of the legend."""


def require_frame(argument: str, frame: Any, needed: Sequence[str], source: str) -> None:
    """Raise InputError unless ``frame`` has the needed columns, and rows.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : object
        The value that the user passed.
    needed : sequence of str
        Columns that the graph reads.
    source : str
        The call that returns such a frame.
    """
    columns = list(getattr(frame, "columns", []))
    if not set(needed) <= set(columns):
        got = f"columns {', '.join(map(str, columns))}" if columns else type(frame).__name__
        raise InputError(
            f"`{argument}` must have columns {', '.join(needed)}; got {got}. Pass {source}."
        )
    if len(frame) == 0:
        raise InputError(f"`{argument}` must have rows; got 0. Pass {source}.")


def series_of(frame: pd.DataFrame) -> list[Series]:
    """Return the predictors and groups of a frame, in the order of their first rows."""
    keys = [name for name in ("predictor", "group") if name in frame]
    pairs = frame[keys].drop_duplicates().astype(str)
    groups = pairs["group"] if "group" in pairs else [""] * len(pairs)
    # Once more without duplicates: labels 1 and "1" are equal only as text.
    return list(dict.fromkeys(zip(pairs["predictor"], groups, strict=True)))


def pieces_of(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[Any, pd.DataFrame]]:
    """Return the rows of each combination of keys in order; a key that is no column is ""."""
    present = [key for key in keys if key in frame]
    pieces = []
    for values, piece in frame.groupby(present, sort=False):
        labels = dict(zip(present, values, strict=True))
        pieces.append((tuple(str(labels.get(key, "")) for key in keys), piece))
    return pieces


def pieces_of_curves(
    argument: str, frame: pd.DataFrame, names: Sequence[Series], *, drawn: str = "curve"
) -> list[tuple[Series, pd.DataFrame]]:
    """Return the rows of each predictor and group; raise InputError for one that is not drawn.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : pandas.DataFrame
        The frame that the user passed, with ``predictor, [group]``.
    names : sequence of Series
        The curves that are drawn.
    drawn : str, default "curve"
        Name of the argument that gave those curves.
    """
    pieces = []
    for (predictor, group), piece in pieces_of(frame, ["predictor", "group"]):
        if (predictor, group) not in names:
            raise InputError(
                f"`{argument}` must be of predictors (and groups) in `{drawn}`; got {predictor!r}."
                f" Pass the {argument} of the same study."
            )
        pieces.append(((predictor, group), piece))
    return pieces
