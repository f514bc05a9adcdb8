"""The best predictor at each ratio of costs, as a strip."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.plots.axes import (
    EDGE,
    WIDTHS,
    Width,
    axes_for,
    inks,
    make_layout,
    note_size,
    set_look_of_axes,
    text_colour_on,
    write_labels,
)
from rocstats.plots.labels import WIDER, write_names_on_lines_or_in_key
from rocstats.plots.series import (
    Colors,
    Looks,
    Needed,
    Series,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of_predictors,
    series_names,
    series_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle


_FRAMES: dict[str, Needed] = {
    "superiority": (
        ("predictor", "cost_share_low", "cost_share_high"),
        "study.superiority_curve()",
    ),
}

# The strip of superiority ends where one mistake is 20 times as bad as the other: beyond, calling
# everybody, or nobody, positive is mostly best.
_DEAREST = 20.0
_RATIO_WORDS = ["1 : 20", "1 : 5", "1 : 1", "5 : 1", "20 : 1"]
_COST_RATIO = "Cost of a false positive : cost of a false negative"

# Height in inches of a strip, and of the axis with its label below; a strip fills 0.7 of its row.
_ROW_HEIGHT, _AXIS_HEIGHT, _THICK = 0.32, 0.55, 0.7


def plot_superiority(
    superiority: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the predictor with the lowest loss at each ratio of costs, and return the axes.

    Parameters
    ----------
    superiority : pandas.DataFrame
        Ranges from ``study.superiority_curve()``: a bar (for each group) with a labelled segment
        for each range.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    The axis is the ratio of both costs, cost_fp : cost_fn, from 1 : 20 to 20 : 1; cost shares under
    1/21 or over 20/21 are not drawn. Hatched segments are ties: several predictors have the same
    loss. In most ties the best rule calls every case (left) or no case (right) positive. Names that
    do not fit their segments are in a key. A group that lacks a class has no bar.

    References
    ----------
    - Adams & Hand (1999) [adams-1999]
    - Fawcett (2004), section 7.5.3 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> ax = rs.plot_superiority(study.superiority_curve())
    >>> [text.get_text() for text in ax.texts]
    ['late', 'early']
    """
    frames, names = frames_in_print(_FRAMES, labels, superiority=superiority)
    defined = frames["superiority"][frames["superiority"]["cost_share_low"].notna()]
    named = defined[defined["predictor"] != ""]
    looks = looks_of_predictors(named, colors, names)
    groups = list(dict.fromkeys(group for _, group in series_of(defined)))
    ratio = (_AXIS_HEIGHT + _ROW_HEIGHT * max(len(groups), 1)) / WIDTHS["column"]
    ax = axes_for(ax, width, ratio=ratio)
    ax.set(xscale="log", xlim=(1 / _DEAREST, _DEAREST))
    ax.set_xticks([1 / _DEAREST, 0.2, 1, 5, _DEAREST], _RATIO_WORDS)
    ax.set_xticks([], minor=True)
    ax.set_yticks(range(len(groups)), groups, parse_math=False)
    ax.set_ylim(len(groups) - 0.6, -0.4)  # the first group on top
    set_look_of_axes(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    write_labels(ax, _COST_RATIO, "")
    pieces = {
        name: _draw_cost_ratio_ranges(ax, name, piece, groups.index(name[1]), looks)
        for name, piece in frame_pieces_by_keys(defined, ["predictor", "group"])
    }
    _name_pieces(ax, {name: bars for name, bars in pieces.items() if bars})
    return ax


def _draw_cost_ratio_ranges(
    ax: Axes, name: Series, piece: pd.DataFrame, row: int, looks: Looks
) -> list[Rectangle]:
    """Draw the ranges of one predictor, or of ties (without a name), on the strip of a group."""
    shares = piece[["cost_share_low", "cost_share_high"]].to_numpy(dtype=np.float64)
    with np.errstate(divide="ignore"):  # a share of 1 is an infinite ratio
        low, high = np.clip(shares / (1 - shares), 1 / _DEAREST, _DEAREST).T
    seen = high > low
    look: dict[str, Any] = {"facecolor": inks().ground, "edgecolor": "0.4", "hatch": "////"}
    if name[0]:
        look = {"facecolor": looks.colour((name[0], "")), "edgecolor": inks().ground}
    bars = ax.barh(
        np.full(seen.sum(), row), (high - low)[seen], left=low[seen], height=_THICK, linewidth=EDGE,
        **look,
    )  # fmt: skip
    return list(bars)


def _name_pieces(ax: Axes, pieces: Mapping[Series, Sequence[Rectangle]]) -> None:
    """Write the name of each piece inside it; predictors that have room in none are in a key."""
    make_layout(ax)
    unnamed: dict[str, Rectangle] = {}
    named = set()
    for name, bars in pieces.items():
        # The group is named beside its strip.
        (text,) = series_names([(name[0] or "tie", "")])
        colour = text_colour_on(bars[0].get_facecolor()) if name[0] else inks().text
        written = [_write_inside_strip_piece(ax, bar, text, colour) for bar in bars]
        if any(written):
            named.add(text)
        else:
            unnamed.setdefault(text, bars[0])
    key: Any = {text: bar for text, bar in unnamed.items() if text not in named}
    if key:
        write_names_on_lines_or_in_key(ax, [*key.values()], [*key], on_lines=False)


def _write_inside_strip_piece(ax: Axes, bar: Rectangle, words: str, colour: Any) -> bool:
    """Write words in the middle of a piece of a logarithmic axis, if they have room there."""
    middle = math.sqrt(bar.get_x() * (bar.get_x() + bar.get_width()))
    text = ax.text(
        middle, bar.get_y() + bar.get_height() / 2, words, fontsize=note_size(ax), color=colour,
        ha="center", va="center", parse_math=False,
        bbox={"facecolor": bar.get_facecolor(), "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip
    if WIDER * float(text.get_window_extent().width) <= float(bar.get_window_extent().width):
        return True
    text.remove()
    return False
