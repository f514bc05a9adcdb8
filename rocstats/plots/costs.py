"""Cost curves, their differences, and the best predictor at each ratio of costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import in_print
from rocstats.plots.axes import (
    CHANCE,
    EDGE,
    NOTE,
    SECOND_TEXT,
    TEXT,
    WIDTHS,
    Width,
    axes_for,
    dress,
    set_unit_ticks,
    text_colour_on,
)
from rocstats.plots.bands import draw_differences
from rocstats.plots.labels import WIDER, Room, draw_words, name_series
from rocstats.plots.lines import draw_lines
from rocstats.plots.series import (
    Colors,
    Looks,
    Needed,
    Series,
    frames_in_print,
    looks_of,
    looks_of_predictors,
    pieces_of,
    pieces_of_curves,
    require_drawable,
    series_names,
    series_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle


_FRAMES: dict[str, Needed] = {
    "cost": (("predictor", "fold", "probability_cost", "normalized_cost"), "study.cost_curve()"),
    "curve": (("predictor", "fold", "fpr", "tpr"), "study.roc_curve()"),
    "superiority": (
        ("predictor", "cost_share_low", "cost_share_high"),
        "study.superiority_curve()",
    ),
}
_DIFFERENCE = ("predictor", "reference", "probability_cost", "estimate", "ci_low", "ci_high")

# Cost lines of an ROC curve: 40 lines of half a point start about 15 points apart on the sides of
# square axes; many more merge into a grey area, which hides the lower envelope that they form.
_MOST_LINES = 40

# The costs of calling nobody, and everybody, positive: no cost curve is above the lesser of them.
_TRIANGLE = [(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)]

# The strip of superiority ends where one mistake is 20 times as bad as the other: beyond, calling
# everybody, or nobody, positive is mostly best.
_DEAREST = 20.0
_RATIO_WORDS = ["1 : 20", "1 : 5", "1 : 1", "5 : 1", "20 : 1"]
_COST_RATIO = "Cost of a false positive : cost of a false negative"

# Height in inches of a strip, and of the axis with its label below; a strip fills 0.7 of its row.
_ROW_HEIGHT, _AXIS_HEIGHT, _THICK = 0.32, 0.55, 0.7


def plot_cost(
    cost: pd.DataFrame,
    *,
    curve: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw cost curves, and return the axes.

    Parameters
    ----------
    cost : pandas.DataFrame
        Cost curves from ``study.cost_curve()``: a line for each predictor, group and fold.
    curve : pandas.DataFrame, optional
        ROC curves of the same predictors from ``study.roc_curve()``: the cost line of each point is
        drawn thin; for long curves about 40 lines, evenly spread along the curve.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or ``curve`` has a predictor that ``cost`` lacks.

    Notes
    -----
    Lower is better. The dotted triangle is the cost of calling nobody (left) or everybody (right)
    positive, as the words say: no cost curve is above it. The vertical axis ends at its top, 0.5,
    and the thin lines end at the triangle. Lines differ in colour, grey value and dashes.

    References
    ----------
    - Drummond & Holte (2006) [drummond-2006]
    - Fawcett (2004), section 7.5.2 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_cost(study.cost_curve(), curve=study.roc_curve())
    >>> ax.get_ylim() == (0, 0.5)
    True
    """
    frames, names = frames_in_print(_FRAMES, labels, cost=cost, curve=curve)
    looks = looks_of(frames["cost"], colors, names)
    ax = axes_for(ax, width)
    ax.plot(*np.transpose(_TRIANGLE), **CHANCE)
    if "curve" in frames:
        _draw_cost_lines(ax, frames["curve"], looks)
    lines = draw_lines(ax, frames["cost"], looks, _costs)
    set_unit_ticks(ax, x=True, y=False)
    ax.set(
        ylim=(0, 0.5),
        yticks=np.linspace(0, 0.5, 6),
        xlabel="Weight of missed positives, PC(+)",
        ylabel="Normalized expected cost",
    )
    trivial = [
        ax.text(x, 0.49, words, fontsize=NOTE, color=SECOND_TEXT, ha=side, va="top")
        for x, words, side in ((0.02, "call nobody", "left"), (0.98, "call everybody", "right"))
    ]
    if len(lines) > 1:
        room = Room(ax)
        for text in trivial:
            room.take(text.get_window_extent())
        name_series(ax, lines, loc="upper right", room=room)
    return ax


def _costs(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return piece["probability_cost"].to_numpy(), piece["normalized_cost"].to_numpy()


def _draw_cost_lines(ax: Axes, curve: pd.DataFrame, looks: Looks) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    for name, piece in pieces_of_curves("curve", curve, looks.drawn, drawn="cost"):
        for _, points in pieces_of(piece, ["fold"]):
            fpr, tpr = points["fpr"].to_numpy(), points["tpr"].to_numpy()
            # Drummond & Holte 2006: a point of ROC space is the line from (0, FPR) to (1, FNR).
            ends = [[(0.0, fpr[i]), (1.0, 1 - tpr[i])] for i in _evenly_spread(fpr + tpr)]
            colour = looks.colour(name)
            rays = LineCollection(ends, colors=colour, linewidths=0.5, alpha=0.25, zorder=2)
            ax.add_collection(rays, autolim=False)  # the axes end at the triangle
            # Above the triangle a point is worse than calling nobody, or everybody, positive.
            rays.set_clip_path(Polygon(_TRIANGLE, transform=ax.transData))


def _evenly_spread(along: FloatArray) -> Sequence[int]:
    """Return the places of all points of a short curve, or of evenly spread ones."""
    if len(along) <= _MOST_LINES:
        return range(len(along))
    # FPR + TPR never falls along a curve, so that it can be searched.
    wanted = np.linspace(along[0], along[-1], _MOST_LINES)
    return sorted(set(np.searchsorted(along, wanted).tolist()))


def plot_cost_difference(
    difference: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw differences between cost curves with their bands, and return the axes.

    Parameters
    ----------
    difference : pandas.DataFrame
        Bands of differences from ``study.cost_difference_band()``.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure.

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
    Each pair (and group) has a line with a translucent band. Below the dotted line of no difference
    the first of the pair costs less, as the words above the axes say. A thick line along it marks
    where the band excludes 0.

    References
    ----------
    - Drummond & Holte (2006), cost curves [drummond-2006]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 0, 0, 0], {"a": [6, 5, 3, 4, 2, 1], "b": [6, 4, 1, 5, 3, 2]})
    >>> ax = rs.plot_cost_difference(study.cost_difference_band(rng=1))
    >>> ax.get_ylabel()
    'Difference of normalized expected costs'
    """
    require_drawable("difference", difference, _DIFFERENCE, "study.cost_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = axes_for(ax, width)
    ax.set(
        xlabel="Weight of missed positives, PC(+)", ylabel="Difference of normalized expected costs"
    )
    draw_differences(ax, difference, "probability_cost", "costs less", worse=True)
    return ax


def plot_superiority(
    superiority: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw which predictor has the least loss at each ratio of costs, and return the axes.

    Parameters
    ----------
    superiority : pandas.DataFrame
        Ranges from ``study.superiority_curve()``: a strip (for each group) with a piece for each
        range, named inside.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure.

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
    The axis is the ratio of both costs, cost_fp : cost_fn, from 1 : 20 to 20 : 1; what is beyond
    (cost shares under 1/21 or over 20/21) is not drawn. Hatched pieces are ties: several predictors
    have the same loss, mostly because calling everybody (left) or nobody (right) positive is best.
    Names without room in their pieces are in a key. A group that lacks a class has no strip.

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
    ax.set(xscale="log", xlim=(1 / _DEAREST, _DEAREST), xlabel=_COST_RATIO)
    ax.set_xticks([1 / _DEAREST, 0.2, 1, 5, _DEAREST], _RATIO_WORDS)
    ax.set_xticks([], minor=True)
    ax.set_yticks(range(len(groups)), groups, parse_math=False)
    ax.set_ylim(len(groups) - 0.6, -0.4)  # the first group on top
    dress(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    pieces = {
        name: _draw_ranges(ax, name, piece, groups.index(name[1]), looks)
        for name, piece in pieces_of(defined, ["predictor", "group"])
    }
    _name_pieces(ax, {name: bars for name, bars in pieces.items() if bars})
    return ax


def _draw_ranges(
    ax: Axes, name: Series, piece: pd.DataFrame, row: int, looks: Looks
) -> list[Rectangle]:
    """Draw the ranges of one predictor, or of ties (without a name), on the strip of a group."""
    shares = piece[["cost_share_low", "cost_share_high"]].to_numpy(dtype=np.float64)
    with np.errstate(divide="ignore"):  # a share of 1 is an infinite ratio
        low, high = np.clip(shares / (1 - shares), 1 / _DEAREST, _DEAREST).T
    seen = high > low
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": "0.4", "hatch": "////"}
    if name[0]:
        look = {"facecolor": looks.colour((name[0], "")), "edgecolor": "white"}
    bars = ax.barh(
        np.full(seen.sum(), row), (high - low)[seen], left=low[seen], height=_THICK, linewidth=EDGE,
        **look,
    )  # fmt: skip
    return list(bars)


def _name_pieces(ax: Axes, pieces: Mapping[Series, Sequence[Rectangle]]) -> None:
    """Write the name of each piece inside it; predictors that have room in none are in a key."""
    figure: Any = ax.figure
    if figure.get_layout_engine() is not None:
        figure.get_layout_engine().execute(figure)
    unnamed: dict[str, Rectangle] = {}
    named = set()
    for name, bars in pieces.items():
        # The group is named beside its strip.
        (text,) = series_names([(name[0] or "tie", "")])
        colour = text_colour_on(bars[0].get_facecolor()) if name[0] else TEXT
        written = [_write_inside(ax, bar, text, colour) for bar in bars]
        if any(written):
            named.add(text)
        else:
            unnamed.setdefault(text, bars[0])
    key: Any = {text: bar for text, bar in unnamed.items() if text not in named}
    if key:
        draw_words(ax, [*key.values()], [*key], on_lines=False)


def _write_inside(ax: Axes, bar: Rectangle, words: str, colour: Any) -> bool:
    """Write words in the middle of a piece of a logarithmic axis, if they have room there."""
    middle = math.sqrt(bar.get_x() * (bar.get_x() + bar.get_width()))
    text = ax.text(
        middle, bar.get_y() + bar.get_height() / 2, words, fontsize=NOTE, color=colour,
        ha="center", va="center", parse_math=False,
        bbox={"facecolor": bar.get_facecolor(), "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip
    if WIDER * float(text.get_window_extent().width) <= float(bar.get_window_extent().width):
        return True
    text.remove()
    return False
