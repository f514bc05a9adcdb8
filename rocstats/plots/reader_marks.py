"""Readers in graphs: points in ROC space, and dots of areas one below the other.

Machines are beside the readers. Dots have a mark for each modality, and the averages below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.plots.axes import (
    CURVE,
    EDGE,
    NOTE,
    WITHOUT,
    axis_ends_for_estimates,
    inks,
    set_look_of_axes,
)
from rocstats.plots.labels import write_word
from rocstats.plots.lines import rates_of, visible_points
from rocstats.plots.series import Looks, frame_pieces_by_keys, short_name
from rocstats.tables.cells import SIGNS, threshold_text
from rocstats.tables.reader_frames import AVERAGE, EVERY, reader_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# --- Points and machines in ROC space -------------------------------------------------------------

_SIZE = 4.5  # points: of many marks, a little smaller than those of a single curve


def draw_reader_points(ax: Axes, points: pd.DataFrame, looks: Looks) -> dict[str, Line2D]:
    """Mark where each reader works; return the line of the key that says so."""
    readers = points[points["reader"] != EVERY]
    for (predictor, group), piece in frame_pieces_by_keys(readers, ["predictor", "group"]):
        name = (predictor, group)
        ax.plot(
            *_rates_of_reader_points(piece), looks.marker(name), color=looks.colour(name),
            markersize=_SIZE, markeredgecolor=inks().ground, markeredgewidth=0.5, zorder=6,
            clip_on=False,
        )  # fmt: skip
    (line,) = ax.plot([], [], "o", color=inks().second, markersize=_SIZE)
    return {f"Each reader{_common_threshold_of_readers(readers)}": line}


def _common_threshold_of_readers(points: pd.DataFrame) -> str:
    """Return " at ≥ 3" if all readers have one threshold."""
    columns = [name for name in ("direction", "threshold") if name in points]
    if len(columns) < 2 or len(points[columns].drop_duplicates()) > 1:
        return ""
    direction, threshold = points[columns].iloc[0]
    # What readers are asked at was given, and is printed as it was.
    text = threshold_text(threshold, np.nan, _DIGITS)
    return "" if np.isnan(threshold) else f" at {SIGNS[direction]}{text}"


# Decimals of a threshold that is not whole.
_DIGITS = 3


def draw_machine(ax: Axes, machine: pd.DataFrame, looks: Looks) -> dict[str, Line2D]:
    """Draw the curves or points of machines; return their lines by name."""
    lines = {}
    for (predictor,), piece in frame_pieces_by_keys(machine, ["predictor"]):
        name = (predictor, "")
        looks = looks.with_series([name])
        if "quantity" in piece:
            rates = _rates_of_reader_points(piece.assign(reader=EVERY))
            (line,) = ax.plot(
                *rates, looks.marker(name), color=looks.colour(name), markersize=2 * _SIZE,
                markerfacecolor=inks().ground, markeredgewidth=2 * EDGE, zorder=7, clip_on=False,
            )  # fmt: skip
        else:
            x, y = visible_points(*rates_of(piece))
            (line,) = ax.plot(x, y, **{"zorder": 5, "clip_on": False, **looks.line(name)})
        lines[predictor] = line
    return lines


def _rates_of_reader_points(piece: pd.DataFrame) -> tuple[Any, Any]:
    """Return false and true positive rates of the readers of a modality."""
    rates = {}
    for rate in ("fpr", "tnr", "tpr"):
        rows = piece[piece["quantity"] == rate]
        if rows["reader"].duplicated().any():
            raise InputError(
                f"`points` must have one point for each reader; got {len(rows)} rows of {rate} for"
                f" {rows['reader'].nunique()} readers. Choose a threshold."
            )
        rates[rate] = rows.set_index("reader")["estimate"]
    fpr = rates["fpr"] if len(rates["fpr"]) else 1 - rates["tnr"]
    both = rates["tpr"].index.intersection(fpr.index, sort=False)
    if not len(both):
        raise InputError(
            "`points` must have rows of both rates; got quantities"
            f" {', '.join(piece['quantity'].unique())}. Pass readers.operating_points()."
        )
    return fpr[both].to_numpy(), rates["tpr"][both].to_numpy()


# --- Dots of areas --------------------------------------------------------------------------------

# Points: a mark, as those of operating points; between the label of the axis and the words.
_MARK, _APART_OF_WORDS = 5.0, 6.0

# Rows: from the last reader to the rule, and from one average to the next.
_APART, _STEP = 0.8, 0.45

# Characters: a name beside a column; a line of words under half a page.
_BESIDE, _LINE = 12, 56

# Most characters of a name beside the axes, and of one above its dots.
_NAMES = {False: 20, True: 40}

# Rows from the dots to a name above them.
_NAME_ABOVE = 0.45


def draw_reader_dots(
    ax: Axes, areas: pd.DataFrame, looks: Looks, label: str, *, apart: bool
) -> None:
    """Draw the areas of readers one below the other, and their averages with limits.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    areas : pandas.DataFrame
        Rows of one quantity with ``predictor, [group], reader, estimate, ci_low, ci_high``.
    looks : Looks
        The series and their looks.
    label : str
        Name of the quantity.
    apart : bool
        Whether names are above their dots, inside the axes, not beside them.
    """
    readers = areas[areas["reader"] != EVERY]
    names = list(dict.fromkeys(readers["reader"].astype(str)))
    rule = len(names) - 1 + _APART
    if "group" not in areas:
        _join_readers(ax, readers, names)
    _draw_readers(ax, readers, names, looks)
    last = _draw_averages_below_reader_dots(ax, areas[areas["reader"] == EVERY], rule, looks)
    ax.axhline(rule, color=inks().second, linewidth=EDGE)
    middle = (rule + last) / 2
    ax.set(ylim=(last, -_APART), xlim=_ends_of_readers(areas))
    texts = [short_name(reader_text(name), _NAMES[apart]) for name in names]
    beside = [] if apart else texts
    ax.set_yticks([*range(len(beside)), middle], [*beside, AVERAGE])
    for y, text in enumerate(texts if apart else []):
        write_word(ax, text, 0, 0, y - _NAME_ABOVE, "left", inks().text)
    ax.set_xlabel(label, parse_math=False)
    set_look_of_axes(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=WITHOUT, alpha=0.25, linewidth=EDGE)
    ax.set_axisbelow(True)
    for tick in ax.get_yticklabels():
        tick.set_parse_math(False)
    ax.get_yticklabels()[-1].set_fontweight("bold")


def _ends_of_readers(areas: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis: it holds all readers, and the limits of the averages."""
    limits = areas[["ci_low", "ci_high"]].where(areas["reader"] == EVERY)
    return axis_ends_for_estimates(
        areas.assign(ci_low=limits["ci_low"], ci_high=limits["ci_high"]), None, False
    )


def _join_readers(ax: Axes, readers: pd.DataFrame, names: Sequence[str]) -> None:
    for y, name in enumerate(names):
        values = readers.loc[readers["reader"] == name, "estimate"].dropna()
        ax.plot([values.min(), values.max()], [y, y], color=WITHOUT, linewidth=EDGE, zorder=2)


def _draw_readers(ax: Axes, readers: pd.DataFrame, names: Sequence[str], looks: Looks) -> None:
    for (predictor, group), piece in frame_pieces_by_keys(readers, ["predictor", "group"]):
        name = (predictor, group)
        at = [names.index(str(reader)) for reader in piece["reader"]]
        ax.plot(
            piece["estimate"], at, looks.marker(name), color=looks.colour(name), markersize=_MARK,
            zorder=3, clip_on=False,
        )  # fmt: skip


def _draw_averages_below_reader_dots(
    ax: Axes, rows: pd.DataFrame, rule: float, looks: Looks
) -> float:
    """Draw averages with their limits below the rule; return where the axis ends."""
    y = rule
    for (predictor, group), piece in frame_pieces_by_keys(rows, ["predictor", "group"]):
        name, y = (predictor, group), y + _STEP
        row: Any = piece.iloc[0]
        look = {"color": looks.colour(name), "zorder": 3}
        ax.plot([row["ci_low"], row["ci_high"]], [y, y], linewidth=0.75 * CURVE, **look)
        ax.plot(row["estimate"], y, looks.marker(name), markersize=_MARK + 1, **look)
    return y + _STEP


def reader_names_need_own_rows(areas: pd.DataFrame, width: str) -> bool:
    """Return whether names beside the axes would leave a column too little room for these."""
    names = areas.loc[areas["reader"] != EVERY, "reader"].astype(str).unique()
    longest = max((len(reader_text(name)) for name in names), default=0)
    return width == "column" and longest > _BESIDE


def n_rows_of_reader_dots(areas: pd.DataFrame, looks: Looks) -> float:
    """Return the number of rows of the axes, which sets the size of a figure."""
    names = areas.loc[areas["reader"] != EVERY, "reader"].nunique()
    return float(names + 2 * _APART + _STEP * (len(looks.drawn) + 1))


def write_words_below_reader_figure(ax: Axes, words: Sequence[str], left: float) -> None:
    """Write text at the foot of a figure of this package, whose layout has room for it.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes of the figure.
    words : sequence of str
        What is written, each on lines of its own.
    left : float in [0, 1)
        Where lines begin, as a share of the width.
    """
    lines = [line for text in words for line in wrap(text, _LINE)]
    if not lines:
        return
    figure: Any = ax.figure
    text = figure.text(
        left, 0, "\n".join(lines), ha="left", va="bottom", fontsize=NOTE, color=inks().text,
        parse_math=False,
    )  # fmt: skip
    # Words wider than the axes would make these narrower at each step of the layout.
    text.set_in_layout(False)
    high = (text.get_window_extent().height / figure.dpi * 72 + _APART_OF_WORDS) / 72
    share = high / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
