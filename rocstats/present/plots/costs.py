"""Cost curves, their differences, and the best predictor at each ratio of costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.frames.labels import in_print, labels_in
from rocstats.present.plots.bands import draw_differences
from rocstats.present.plots.shared.axes import series_names, set_unit_ticks
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.lines import FloatArray, draw_lines
from rocstats.present.plots.shared.looks import Colors, Looks, looks_of
from rocstats.present.plots.shared.palette import CHANCE, SECOND_TEXT, colour_of
from rocstats.present.plots.shared.room import Room
from rocstats.present.plots.shared.series import (
    Series,
    pieces_of,
    pieces_of_curves,
    require_frame,
    series_of,
)
from rocstats.present.plots.shared.sizes import NOTE, WIDTHS, Width, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COST = ("predictor", "fold", "probability_cost", "normalized_cost")
_CURVE = ("predictor", "fold", "fpr", "tpr")
_SUPERIORITY = ("predictor", "cost_share_low", "cost_share_high")
_DIFFERENCE = ("predictor", "reference", "probability_cost", "estimate", "ci_low", "ci_high")

# Cost lines of an ROC curve: 40 lines of half a point start about 15 points apart on the sides of
# square axes; many more merge into a grey area, which hides the lower envelope that they form.
_MOST_LINES = 40

# Height in inches of a row of bars, and of the axis with its label below them.
_ROW_HEIGHT, _AXIS_HEIGHT = 0.25, 0.7


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
    and cuts the thin lines. Lines differ in colour, grey value and dashes.

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
    require_frame("cost", cost, _COST, "study.cost_curve()")
    if curve is not None:
        require_frame("curve", curve, _CURVE, "study.roc_curve()")
    cost, curve = in_print(labels, cost, curve)
    looks = looks_of(cost, colors, labels_in(labels, cost, curve))
    ax = new_axes(width) if ax is None else ax
    ax.plot([0, 0.5, 1], [0, 0.5, 0], **CHANCE)
    if curve is not None:
        _draw_cost_lines(ax, curve, looks)
    lines = draw_lines(ax, cost, looks, _costs)
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
    if len(looks.drawn) > 1:
        room = Room(ax)
        for text in trivial:
            room.take(text.get_window_extent())
        shown = [lines[name] for name in looks.drawn]
        draw_words(ax, shown, series_names(looks.drawn), loc="upper right", room=room)
    return ax


def _costs(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return piece["probability_cost"].to_numpy(), piece["normalized_cost"].to_numpy()


def _draw_cost_lines(ax: Axes, curve: pd.DataFrame, looks: Looks) -> None:
    from matplotlib.collections import LineCollection

    for name, piece in pieces_of_curves("curve", curve, looks.drawn, drawn="cost"):
        for _, points in pieces_of(piece, ["fold"]):
            fpr, tpr = points["fpr"].to_numpy(), points["tpr"].to_numpy()
            # Drummond & Holte 2006: a point of ROC space is the line from (0, FPR) to (1, FNR).
            ends = [[(0.0, fpr[i]), (1.0, 1 - tpr[i])] for i in _spread(fpr + tpr)]
            colour = looks.colour(name)
            ax.add_collection(
                LineCollection(ends, colors=colour, linewidths=0.5, alpha=0.25, zorder=2),
                autolim=False,  # the axes end at the triangle
            )


def _spread(along: FloatArray) -> Sequence[int]:
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
    require_frame("difference", difference, _DIFFERENCE, "study.cost_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = new_axes(width) if ax is None else ax
    ax.set(
        xlabel="Weight of missed positives, PC(+)", ylabel="Difference of normalized expected costs"
    )
    draw_differences(ax, difference, "probability_cost", "costs less", worse=True)
    return ax


def plot_superiority(
    superiority: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw bars for the predictor with the least loss at each cost share, and return the axes.

    Parameters
    ----------
    superiority : pandas.DataFrame
        Ranges from ``study.superiority_curve()``: a row of bars for each predictor (and group) with
        the least loss somewhere, and a row for ties.
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
    The bars of a group fill the range from 0 to 1 without overlap. Hatched bars are ties: several
    predictors have the same loss, mostly because calling everybody (left) or nobody (right)
    positive is best. A predictor without a row is nowhere the only best. A group that lacks a
    class has no bars.

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
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['late', 'early']
    """
    require_frame("superiority", superiority, _SUPERIORITY, "study.superiority_curve()")
    superiority, _ = in_print(labels, superiority)
    defined = superiority[superiority["cost_share_low"].notna()]
    rows = _rows(defined)
    ratio = (_AXIS_HEIGHT + _ROW_HEIGHT * len(rows)) / WIDTHS["column"]
    ax = new_axes(width, ratio=ratio) if ax is None else ax
    for name, piece in pieces_of(defined, ["predictor", "group"]):
        tie = not name[0]  # rows of ties name no predictor
        ax.barh(
            rows.index(name),
            piece["cost_share_high"] - piece["cost_share_low"],
            left=piece["cost_share_low"],
            height=0.6,
            color="white" if tie else colour_of(0),
            edgecolor="0.4" if tie else "black",
            hatch="////" if tie else None,
            linewidth=0.8,
        )
    set_unit_ticks(ax, x=True, y=False)
    texts = series_names([(name or "(tie)", group) for name, group in rows])
    ax.set_yticks(range(len(rows)), texts, parse_math=False)
    ax.set(
        ylim=(len(rows) - 0.4, -0.6),  # the first row on top
        xlabel="Cost share of a false positive,\ncost_fp / (cost_fp + cost_fn)",
    )
    ax.tick_params(axis="y", length=0)
    return ax


def _rows(superiority: pd.DataFrame) -> list[Series]:
    """Return the rows of bars: groups in order, in each its predictors, then ties."""
    names = series_of(superiority)
    groups = list(dict.fromkeys(group for _, group in names))
    return sorted(names, key=lambda name: (groups.index(name[1]), name[0] == ""))
