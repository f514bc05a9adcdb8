"""Bands around curves, differences between curves, averaged curves, and error bars of points.

Averages are in ROC space; limits of points are bars, or rectangles where they are simultaneous.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import QUANTITIES
from rocstats.frame.make import in_print
from rocstats.plots.axes import (
    BAND,
    CHANCE,
    EDGE,
    NOTE,
    NULL_BAND,
    TEXT,
    Width,
    axes_for,
    colour_of,
    dashes_of,
    look_of,
    set_unit_ticks,
)
from rocstats.plots.labels import draw_words
from rocstats.plots.lines import shade_band
from rocstats.plots.series import (
    Looks,
    Series,
    pieces_of,
    pieces_of_curves,
    require_drawable,
    series_names,
)
from rocstats.tables.cells import threshold_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# --- Differences between two curves ---------------------------------------------------------------

_DIFFERENCE_COLUMNS = ("predictor", "reference", "fpr", "estimate", "ci_low", "ci_high", "note")


def plot_roc_difference(
    difference: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw differences between ROC curves with their bands, and return the axes.

    Parameters
    ----------
    difference : pandas.DataFrame
        Bands of differences from ``study.roc_difference_band()``, or differences of averages from
        ``study.roc_average_difference()``, whose limits at single rates are joined.
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
    Each pair (and group) has a line with a translucent band. A thick line along the dotted line of
    no difference marks the false positive rates at which the band excludes 0. The words above the
    axes say which of a single pair is better above 0, and which below; several pairs have a key.

    References
    ----------
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 0, 0, 0], {"a": [6, 5, 3, 4, 2, 1], "b": [6, 4, 1, 5, 3, 2]})
    >>> ax = rs.plot_roc_difference(study.roc_difference_band(rng=1))
    >>> ax.get_ylabel()
    'Difference of true positive rates'
    """
    require_drawable("difference", difference, _DIFFERENCE_COLUMNS, "study.roc_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = axes_for(ax, width)
    ax.set(
        xlabel=QUANTITIES["fpr"].axis,
        ylabel="Difference of true positive rates",
    )
    draw_differences(ax, difference, "fpr", "better")
    return ax


def draw_differences(
    ax: Axes, difference: pd.DataFrame, along: str, better: str, worse: bool = False
) -> None:
    """Draw differences between curves with bands, the line of no difference, and their names.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    difference : pandas.DataFrame
        Bands with ``predictor, reference, [group], estimate, ci_low, ci_high`` and ``along``.
    along : str
        Column of the horizontal axis, with values from 0 to 1.
    better : str
        What is said of the better one: "better", "costs less".
    worse : bool, default False
        Whether the first of a pair is the worse one above 0.
    """
    ax.axhline(0, **CHANCE)
    lines, labels = [], []
    pieces = pieces_of(difference, ["predictor", "reference", "group"])
    for index, ((predictor, reference, group), piece) in enumerate(pieces):
        x, colour = piece[along].to_numpy(), colour_of(index)
        limits = low, high = piece["ci_low"].to_numpy(), piece["ci_high"].to_numpy()
        # Limits of -1 and 1 exclude nothing: their edge would be a line along the frame.
        excludes_values = (low > -1) | (high < 1)
        dashes = dashes_of(index)
        for edge in shade_band(ax, x, limits, colour, dashes, several=len(pieces) > 1):
            edge.set_ydata(np.where(excludes_values, edge.get_ydata(), np.nan))
        (line,) = ax.plot(x, piece["estimate"].to_numpy(), **look_of(index), zorder=3)
        # NaN breaks the line where the band holds 0.
        differs = np.where((low > 0) | (high < 0), 0.0, np.nan)
        ax.plot(x, differs, color=colour, linewidth=4, solid_capstyle="butt", zorder=2)
        lines.append(line)
        labels.append((f"{predictor} − {reference}", group))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=_axis_ends(difference))
    if len(pieces) > 1:
        draw_words(ax, lines, series_names(labels), loc="best", on_lines=False)
        return
    (predictor, reference, group), _ = pieces[0]
    pair = [(reference, ""), (predictor, "")] if worse else [(predictor, ""), (reference, "")]
    first, second = series_names(pair)
    signs = (f"Above 0: {first} {better}", f"below 0: {second} {better}")
    excludes = (difference["ci_low"] > 0) | (difference["ci_high"] < 0)
    # Differences of averages have limits at single rates, which are no band.
    what = "limits exclude" if "kind" in difference else "band excludes"
    rule = [f"thick line: the {what} 0"] if excludes.any() else []
    words = "\n".join([*([group] if group else []), *signs, *rule])
    ax.set_title(words, loc="left", fontsize=NOTE, color=TEXT, parse_math=False)


# Room above and below the bands, as a share of their span.
_AXIS_MARGIN = 0.05


def _axis_ends(difference: pd.DataFrame) -> tuple[float, float]:
    """Return the limits of the axis, with room for the bands wherever they exclude a value."""
    # A band from -1 to 1 excludes nothing, and would flatten all others.
    narrower = difference[(difference["ci_low"] > -1) | (difference["ci_high"] < 1)]
    rows = narrower if len(narrower) else difference
    low = np.nanmin(rows[["ci_low", "estimate"]].to_numpy(), initial=0.0)
    high = np.nanmax(rows[["ci_high", "estimate"]].to_numpy(), initial=0.0)
    room = _AXIS_MARGIN * (high - low) or _AXIS_MARGIN
    return float(max(low - room, -1)), float(min(high + room, 1))


# --- Bands around curves --------------------------------------------------------------------------

Columns = tuple[str, str, str]
"""Where a band is, and its lower and upper limits there."""


def draw_bands(
    ax: Axes,
    band: pd.DataFrame,
    looks: Looks,
    columns: Columns = ("fpr", "tpr_low", "tpr_high"),
) -> dict[str, Line2D]:
    """Draw bands around curves; return the legend's lines by label where a curve has several.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : pandas.DataFrame
        Bands with ``predictor, [group], [scope, method]`` and ``columns``.
    looks : Looks
        The curves and their looks.
    columns : (str, str, str), default ("fpr", "tpr_low", "tpr_high")
        Columns of the place along a curve, and of the lower and the upper limit there.

    Raises
    ------
    InputError
        If a band belongs to no curve.
    """
    bands = [
        (name, kind, piece)
        for name, rows in pieces_of_curves("band", band, looks.drawn)
        for kind, piece in pieces_of(rows, ["predictor", "method", "scope"])
    ]
    kinds = list(dict.fromkeys(kind[1:] for _, kind, _ in bands))
    several = len(bands) > len({name for name, *_ in bands})
    lines: dict[str, Line2D] = {}
    for name, (_, method, scope), piece in bands:
        kind = kinds.index((method, scope))
        # With one curve, kinds of bands differ in colour too; with several, colour means the curve.
        alone = several and len(looks.drawn) == 1
        colour = colour_of(looks.place(name) + kind + 1) if alone else looks.colour(name)
        x, *limits = (piece[column].to_numpy() for column in columns)
        dashes = dashes_of(kind if several else looks.place(name))
        edges = shade_band(ax, x, limits, colour, dashes, several=len(bands) > 1)
        if several:
            lines.setdefault(_band_label(method, scope), edges[0])
    return lines


def _band_label(method: str, scope: str) -> str:
    # A band is simultaneous unless its label says otherwise.
    if scope in ("", "simultaneous"):
        return f"{method} band"
    return f"{method} limits" if method == scope else f"{method} ({scope})"


def draw_null_bands(ax: Axes, band: pd.DataFrame) -> None:
    """Draw the region of random scorers of each group; it is the same for all predictors."""
    from matplotlib.collections import PolyCollection

    for _, piece in pieces_of(band, ["group"]) if "group" in band else [("", band)]:
        rows = piece[piece["predictor"] == piece["predictor"].iloc[0]]
        # Limits on both axes: the band runs between the upper left and the lower right corners.
        above = rows[["fpr_low", "tpr_high"]].to_numpy()
        below = rows[["fpr_high", "tpr_low"]].to_numpy()
        outline = np.concatenate([above, below[::-1]])
        ax.add_collection(PolyCollection([outline], **NULL_BAND, zorder=0.5))


# --- Averages, and limits of points ---------------------------------------------------------------

AVERAGE_COLUMNS = (
    "predictor",
    "kind",
    "quantity",
    "threshold",
    "fpr",
    "estimate",
    "ci_low",
    "ci_high",
    "note",
)


def draw_average(ax: Axes, average: pd.DataFrame, looks: Looks) -> dict[Series, Line2D]:
    """Draw averaged curves with bars, or several with bands; return the line of each series.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    average : pandas.DataFrame
        Averages from ``study.roc_average()``.
    looks : Looks
        The series and their looks.
    """
    lines = {}
    pieces = pieces_of_curves("average", average, looks.drawn)
    for name, piece in pieces:
        vertical = (piece["kind"] == "vertical").all()
        crosses = _crosses_at_rates(piece) if vertical else crosses_of(piece, "average")
        look = looks.line(name)
        (lines[name],) = ax.plot(crosses.x, crosses.y, **look, zorder=4, clip_on=False)
        if vertical and len(pieces) > 1:
            # Bars of several averages would hide each other.
            limits = [*crosses.y_limits]
            shade_band(ax, crosses.x, limits, look["color"], look["linestyle"], several=True)
        else:
            draw_bars(ax, crosses, look["color"])
    return lines


def _crosses_at_rates(piece: pd.DataFrame) -> Crosses:
    """Return the points of a vertical average, by ascending false positive rate."""
    piece = piece.sort_values("fpr", kind="stable")
    x = piece["fpr"].to_numpy()
    y, y_limits = _estimates(piece)
    missing = np.full((2, len(x)), np.nan)
    return Crosses(x, y, missing, y_limits, joint=False, thresholds=[""] * len(x))


class Crosses(NamedTuple):
    """Points of ROC space with limits on both axes, NaN on the FPR axis where the FPR is given.

    ``joint`` means that both intervals of a point hold simultaneously: they span a rectangle.
    ``thresholds`` are those of the points in words, "" where a rate is given.
    """

    x: FloatArray
    y: FloatArray
    x_limits: FloatArray
    y_limits: FloatArray
    joint: bool
    thresholds: Sequence[str]


def texts_of_thresholds(rows: pd.DataFrame) -> list[str]:
    """Return the threshold of each row in words, "" of NaN."""
    beside = rows.get("next_score", pd.Series(np.nan, rows.index))
    return [
        "" if np.isnan(value) else threshold_text(value, other, 0)
        for value, other in zip(rows["threshold"], beside, strict=True)
    ]


def crosses_of(piece: pd.DataFrame, argument: str) -> Crosses:
    """Return the points at thresholds, by ascending FPR; a point is a row of each rate."""
    fpr, tpr = (piece[piece["quantity"] == axis] for axis in ("fpr", "tpr"))
    at_fpr, at_tpr = (rows["threshold"].to_numpy(dtype=np.float64) for rows in (fpr, tpr))
    # Points at a given rate have no threshold: NaN must equal NaN.
    if not np.array_equal(at_fpr, at_tpr, equal_nan=True):
        raise InputError(
            f"`{argument}` must have rows of both rates at each threshold; got {len(fpr)} of fpr"
            f" and {len(tpr)} of tpr. Pass the whole frame."
        )
    x, x_limits = _estimates(fpr)
    y, y_limits = _estimates(tpr)
    # The last key sorts first: by FPR, then by TPR, so that steps upward are drawn upward.
    order = np.lexsort((y, x))
    texts = texts_of_thresholds(fpr.iloc[order])
    # The level of joint intervals is in the note; limits for every threshold are joint themselves.
    joint = bool(
        fpr["note"].astype(str).str.contains("joint-level=").any()
        or fpr["method"].astype(str).str.endswith("/dkw").any()
    )
    return Crosses(x[order], y[order], x_limits[:, order], y_limits[:, order], joint, texts)


def _estimates(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return rows["estimate"].to_numpy(), rows[["ci_low", "ci_high"]].to_numpy().T


def draw_bars(ax: Axes, crosses: Crosses, colour: Any) -> None:
    """Draw the limits of points as bars, or as rectangles where they are simultaneous."""
    if crosses.joint:
        _draw_rectangles(ax, crosses, colour)
        return
    ax.errorbar(
        crosses.x,
        crosses.y,
        # matplotlib takes lengths of bars, not limits.
        xerr=np.abs(crosses.x_limits - crosses.x),
        yerr=np.abs(crosses.y_limits - crosses.y),
        fmt="none",
        ecolor=colour,
        elinewidth=EDGE,
        capsize=2,
        zorder=5,
        clip_on=False,
    )


def _draw_rectangles(ax: Axes, crosses: Crosses, colour: Any) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    for (left, right), (low, high) in zip(crosses.x_limits.T, crosses.y_limits.T, strict=True):
        if np.isfinite([left, right, low, high]).all():
            ax.add_patch(
                Rectangle(
                    (left, low),
                    right - left,
                    high - low,
                    facecolor=(*to_rgb(colour), BAND),  # alpha would fade the edge too
                    edgecolor=colour,
                    linewidth=EDGE,
                    zorder=2.5,
                    clip_on=False,
                )
            )
