"""Convex hulls in ROC space, with the iso-performance lines that touch them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.plots.axes import EDGE, MARKERS, TEXT, THIN, Width, axes_for, inks, width_of_curves
from rocstats.plots.labels import LegendPlace, Room, name_series, require_legend
from rocstats.plots.lines import draw_lines, draw_square_of_roc_space, rates_of
from rocstats.plots.roc import Mark, label_points
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    Series,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    series_of,
)
from rocstats.tables.cells import SIGNS, threshold_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


_FRAMES: dict[str, Needed] = {
    "hull": (
        ("hull", "predictor", "fpr", "tpr", "slope_low", "slope_high"),
        "study.roc_hull()",
    ),
    "curve": (("predictor", "fold", "fpr", "tpr"), "study.roc_curve()"),
}

# A curve on square axes is some 500 points long: 40 marks of 4.5 points leave gaps between them.
_MOST_MARKERS = 40


def plot_hull(
    hull: pd.DataFrame,
    *,
    curve: pd.DataFrame | None = None,
    slope: float | Sequence[float] | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw convex hulls of ROC curves, and return the axes.

    Parameters
    ----------
    hull : pandas.DataFrame
        Hulls from ``study.roc_hull()``: a line for each hull and group, with a marker at each
        vertex (up to 40 vertices).
    curve : pandas.DataFrame, optional
        Curves of the same predictors from ``study.roc_curve()``, drawn thin and grey.
    slope : float > 0 or sequence of float, optional
        Slopes of iso-performance lines. Each line is drawn where it touches a hull, at the point of
        least expected cost. ``study.optimal_points()`` computes slopes from costs.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    line : mapping, optional
        Options of matplotlib lines, for all curves or by predictor (or group); see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Position of the names; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new square axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows; if ``curve`` lacks a predictor of ``hull``; or if a slope
        is not finite and above 0.

    Notes
    -----
    Each predictor has one colour, dash pattern and marker. The hull across predictors is almost
    black; its vertices have the colour and marker of their predictor, which the legend names. A
    ring marks the vertex at which an iso-performance line touches the hull. Slope and threshold are
    next to the ring or in the key. If an edge has this slope, both ends of the edge are equally
    good. The dotted diagonal is chance.

    References
    ----------
    - Fawcett (2004), section 7.1 [fawcett-2004]
    - Provost & Fawcett (2001) [provost-2001]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_hull(study.roc_hull(), curve=study.roc_curve(), slope=1)
    >>> ax.texts[0].get_text()
    'best at slope 1: score ≥ 1'
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, hull=hull, curve=curve)
    of_predictors = frames["hull"][frames["hull"]["predictor"] != ""]
    if "curve" in frames:
        _require_curves(frames["curve"], series_of(of_predictors))
    looks = looks_of(frames.get("curve", of_predictors), colors, names, line, ax)
    slopes = _read_iso_performance_slopes(slope)
    ax = axes_for(ax, width)
    draw_square_of_roc_space(ax)
    if "curve" in frames:
        drawn = len(ax.lines)
        draw_lines(ax, frames["curve"], looks, rates_of)
        for thin in ax.lines[drawn:]:
            thin.set(linewidth=THIN, linestyle="-", zorder=2, color=inks().others)
    shown: dict[Series, Line2D] = {}
    best: list[Mark] = []
    for (name, group), piece in frame_pieces_by_keys(frames["hull"], ["hull", "group"]):
        if (piece["predictor"] == name).all():
            label, whole = name, draw_lines(ax, piece, looks, rates_of)[name, group]
        else:
            label, x, y = "all predictors", *rates_of(piece)
            look = {"color": _shared_colour(), "linewidth": width_of_curves()}
            (whole,) = ax.plot(x, y, **look, zorder=3, clip_on=False)
        shown[label, group] = whole
        marks = _draw_vertices(ax, piece, looks)
        shown.update({name: mark for name, mark in marks.items() if name not in shown})
        best += _draw_iso_performance(ax, piece, slopes, whole.get_color())
    room = Room(ax)
    rest = {mark.words: mark.line for mark in label_points(ax, best, room)}
    keyed = shown if len(shown) > 1 else {}
    if keyed or rest:
        name_series(ax, keyed, rest=rest, on_lines=False, room=room, legend=legend)
    return ax


def _require_curves(curve: pd.DataFrame, names: Sequence[Series]) -> None:
    """Raise InputError if a predictor of the hulls has no curve."""
    of_curves = series_of(curve)
    missing = [predictor for predictor, group in names if (predictor, group) not in of_curves]
    if missing:
        raise InputError(
            f"`curve` must have the predictors (and groups) of `hull`; got none for {missing[0]!r}."
            " Pass the curves of the same study."
        )


def _shared_colour() -> Any:
    """Return the colour of the hull across predictors, and of vertices of no single one."""
    return "0.15" if inks().text == TEXT else inks().text


def _read_iso_performance_slopes(slope: float | Sequence[float] | None) -> list[float]:
    if slope is None:
        return []
    try:
        values = np.ravel(np.asarray(slope, dtype=np.float64)).tolist()
    except (TypeError, ValueError):
        values = [math.nan]  # fails the test below, with the same message
    if not all(0 < value < math.inf for value in values):
        raise InputError(
            f"`slope` must be a positive and finite number, or several; got {slope!r}."
            " Pass cost_fp (1 - prevalence) / (cost_fn prevalence)."
        )
    return values


def _draw_vertices(ax: Axes, piece: pd.DataFrame, looks: Looks) -> dict[Series, Line2D]:
    """Mark the vertices of a hull by predictor, unless there are too many; return the marks."""
    marks: dict[Series, Line2D] = {}
    if len(piece) > _MOST_MARKERS:
        return marks
    for (predictor, group), part in frame_pieces_by_keys(piece, ["predictor", "group"]):
        # Vertices that all predictors share, such as (0, 0), name no predictor.
        owner = (predictor, group)
        (mark,) = ax.plot(
            *rates_of(part),
            linestyle="none",
            marker=looks.marker(owner) if predictor else MARKERS[0],
            markersize=4.5,
            color=looks.colour(owner) if predictor else _shared_colour(),
            zorder=3.5,
            clip_on=False,
        )
        if predictor:
            marks[predictor, group] = mark
    return marks


def _draw_iso_performance(
    ax: Axes, piece: pd.DataFrame, slopes: Sequence[float], colour: Any
) -> list[Mark]:
    """Draw the iso-performance line of each slope; return the best vertices with their words."""
    fpr, tpr = rates_of(piece)
    if np.isnan(fpr).all():
        return []
    touched: dict[int, list[str]] = {}
    for slope in slopes:
        # Expected cost is linear in FPR and TPR: it is least where the intercept is largest.
        best = int(np.argmax(tpr - slope * fpr))
        x, y = float(fpr[best]), float(tpr[best])
        start, end = max(0.0, x - y / slope), min(1.0, x + (1 - y) / slope)
        heights = [y + slope * (start - x), y + slope * (end - x)]
        ax.plot([start, end], heights, color=colour, linewidth=EDGE, zorder=2.5)
        touched.setdefault(best, []).append(f"{slope:.3g}")
    ring: dict[str, Any] = {"markersize": 10, "markerfacecolor": "none", "markeredgecolor": colour}
    marks = []
    for best, values in touched.items():
        at = np.array([fpr[best], tpr[best]])
        (line,) = ax.plot(*at, "o", **ring, color=colour, clip_on=False)
        plural = "s" if len(values) > 1 else ""
        words = f"best at slope{plural} {', '.join(values)}: {_vertex_words(piece.iloc[best])}"
        marks.append(Mark(words, at, line))
    return marks


def _vertex_words(vertex: pd.Series) -> str:
    """Return the rule of a vertex of a hull, as far as the frame has it."""
    if vertex["fpr"] == vertex["tpr"] == 0:
        return "call nobody"
    if vertex["fpr"] == vertex["tpr"] == 1:
        return "call everybody"
    whose = str(vertex["predictor"])
    if "threshold" not in vertex or not np.isfinite(vertex["threshold"]):
        return whose
    cut = threshold_text(vertex["threshold"], vertex.get("next_score", np.nan), 0)
    return f"{whose} {SIGNS[vertex['direction']]}{cut}"
