"""What all graphs of curves share: one look, one legend, one way to refuse a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.present.text import format_estimate

FloatArray = np.ndarray[Any, np.dtype[np.float64]]

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

PALETTE = ("#17204f", "#a8321a", "#3f9fd4", "#dba92a")
"""Dark to light, so that the lines differ in grey, and apart for colour-blind readers."""

DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (7, 2, 1.5, 2)), (0, (2, 1.5)))

CHANCE: dict[str, Any] = {"color": "0.4", "linewidth": 1.0, "linestyle": ":", "zorder": 1}
"""The look of what an uninformative predictor would do."""

_VISIBLE = 2000
_LABEL_WIDTH = 46

Place = Literal["lower right", "lower left", "upper right", "best"]

Series = tuple[str, str]
"""Predictor and group ("" without groups): what has one colour and one line of the legend."""


def new_axes() -> Axes:
    """Return square axes in a new pyplot figure, which a notebook shows."""
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(figsize=(5, 5), layout="constrained")
    return ax


def require_frame(argument: str, frame: Any, needed: Sequence[str], source: str) -> None:
    """Raise InputError unless ``frame`` has the needed columns, and rows.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : object
        What the user passed.
    needed : sequence of str
        Columns that are read.
    source : str
        The call that gives such a frame.
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
    """Return the predictors and groups of a frame in order."""
    keys = [name for name in ("predictor", "group") if name in frame]
    found = frame[keys].drop_duplicates().astype(str)
    groups = found["group"] if "group" in found else [""] * len(found)
    return list(dict.fromkeys(zip(found["predictor"], groups, strict=True)))


def pieces_of(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[Any, pd.DataFrame]]:
    """Return the rows of each combination of keys in order; a key that is no column is ""."""
    present = [key for key in keys if key in frame]
    pieces = []
    for values, piece in frame.groupby(present, sort=False):
        labels = dict(zip(present, values, strict=True))
        pieces.append((tuple(str(labels.get(key, "")) for key in keys), piece))
    return pieces


def colour_of(index: int) -> str:
    """Return the colour of a series by its place."""
    return PALETTE[index % len(PALETTE)]


def dashes_of(index: int) -> Any:
    """Return the dashes of a series by its place."""
    # Each time the colours are used up, the dashes shift by one against them.
    return DASHES[(index + index // len(PALETTE)) % len(DASHES)]


def draw_lines(
    ax: Axes,
    curve: pd.DataFrame,
    names: Sequence[Series],
    trace: Callable[[pd.DataFrame], tuple[FloatArray, FloatArray]],
    *,
    clip: bool = False,
    fold_alpha: float = 1.0,
) -> dict[Series, Line2D]:
    """Draw a line for each predictor, group and fold; return the one the legend shows of each.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve : pandas.DataFrame
        Curves with ``predictor, [group], fold``.
    names : sequence of Series
        What has one colour, in order.
    trace : callable
        Gives the x and y of the rows of one curve.
    clip : bool, default False
        Whether lines end at the axes; otherwise a line along an axis keeps its full width.
    fold_alpha : float in (0, 1], default 1.0
        How much colour curves of single folds have.
    """
    lines: dict[Series, Line2D] = {}
    for (predictor, group, fold), piece in pieces_of(curve, ["predictor", "group", "fold"]):
        index = names.index((predictor, group))
        x, y = visible_points(*trace(piece))
        (line,) = ax.plot(
            x,
            y,
            color=colour_of(index),
            linestyle=dashes_of(index),
            linewidth=0.7 if fold else 1.6,
            alpha=fold_alpha if fold else 1.0,
            zorder=2 if fold else 3,
            clip_on=clip,
        )
        if not fold or (predictor, group) not in lines:
            lines[predictor, group] = line
    return lines


def visible_points(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points of a line that are needed to draw it.

    Parameters
    ----------
    x, y : array of float
        Coordinates along the line.

    Returns
    -------
    x, y : array of float
        Some of the points, first and last included; at most 8004 of a line that never falls.

    Notes
    -----
    The rectangle that the line fills is cut into cells of 1/2000 of its sides, which is finer than
    a printed line. Of points that follow each other in one cell, the first and the last are kept,
    and the line between them stays in the cell: no part of it moves by more than the width of a
    cell. Between cells the segments are the original ones. Without this, a curve of 10^6 rows takes
    seconds to draw and a vector file of 30 megabytes.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.present.plots.common import visible_points
    >>> line = np.linspace(0, 1, 1_000_001)
    >>> len(visible_points(line, line)[0]) < 8004
    True
    """
    column, row = _cell(x), _cell(y)
    changes = (column[1:] != column[:-1]) | (row[1:] != row[:-1])
    keep = np.append(changes, True) | np.append(True, changes)
    return x[keep], y[keep]


def _cell(values: FloatArray) -> FloatArray:
    extent = float(np.ptp(values)) or 1.0
    return np.asarray(np.floor(_VISIBLE * ((values - values.min()) / extent)))


def series_labels(
    names: Sequence[Series],
    texts: Mapping[Series, list[str]] | None = None,
    *,
    argument: str = "",
    what: str = "",
) -> list[str]:
    """Return the legend's words for each series, with its estimate if there are ``texts``.

    Parameters
    ----------
    names : sequence of Series
        Predictors and groups.
    texts : mapping of Series to list of str, optional
        Estimates in print, see ``estimate_texts``.
    argument, what : str
        Name of the argument that gave the texts, and of one of them, for the InputError when a
        series has none or several.
    """
    labels = []
    for predictor, group in names:
        name = f"{predictor}, {group}" if group else predictor
        label = _shortened(name)
        if texts is not None:
            found = texts.get((predictor, group), [])
            if len(found) != 1:
                raise InputError(
                    f"`{argument}` must have one {what} for each curve; got {len(found)} for"
                    f" {name!r}. Pass {argument}() of the study that gave the curve."
                )
            fits = len(label) + len(found[0]) < _LABEL_WIDTH
            label = f"{label}{' ' if fits else chr(10)}{found[0]}"
        labels.append(label)
    return labels


def _shortened(name: str) -> str:
    """Return a name that leaves room for the curves: its ends, if it is long."""
    return name if len(name) <= _LABEL_WIDTH else f"{name[: _LABEL_WIDTH - 13]}…{name[-12:]}"


def estimate_texts(frame: pd.DataFrame, quantity: str, style: str) -> dict[Series, list[str]]:
    """Return the estimates of a quantity in print, without an interval where none was asked for."""
    texts: dict[Series, list[str]] = {}
    for _, row in frame[frame["quantity"] == quantity].iterrows():
        text = format_estimate(
            row["estimate"],
            row["ci_low"],
            row["ci_high"],
            confidence_level=row["confidence_level"],
            style=style,
            guard=(0, 1),
        )
        texts.setdefault((str(row["predictor"]), str(row.get("group", ""))), []).append(text)
    return texts


def set_unit_ticks(ax: Axes, *, x: bool, y: bool) -> None:
    """Let an axis, or both, run from 0 to 1 with the same ticks on every graph."""
    ticks = np.linspace(0, 1, 6)
    if x:
        ax.set(xlim=(0, 1), xticks=ticks)
    if y:
        ax.set(ylim=(0, 1), yticks=ticks)
    ax.spines[:].set_linewidth(0.8)


def draw_legend(
    ax: Axes,
    lines: Sequence[Line2D],
    labels: Sequence[str],
    *,
    title: str | None = None,
    loc: Place = "lower right",
) -> None:
    """Draw the legend: a line and a label for each series, names as they are.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    lines : sequence of matplotlib.lines.Line2D
        The line that stands for each series.
    labels : sequence of str
        See ``series_labels``.
    title : str, optional
        What the numbers in the labels are.
    loc : {"lower right", "lower left", "upper right", "best"}, default "lower right"
        A corner that the curves leave free; "best" where that depends on them.
    """
    legend = ax.legend(
        lines,
        # Placeholders: older matplotlib leaves out a label that starts with "_".
        [str(i) for i in range(len(lines))],
        loc=loc,
        title=title,
        alignment="left",
        framealpha=0.8,
        edgecolor="none",
        handlelength=3.2,
        fontsize="small" if len(lines) < 7 else "xx-small",
        title_fontsize="small",
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
