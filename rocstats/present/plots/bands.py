"""Bands around curves, and the band of the difference between two curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.frames.labels import in_print
from rocstats.present.plots.shared.axes import series_names, set_unit_ticks
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import (
    BAND,
    BAND_OF_SEVERAL,
    CHANCE,
    EDGE,
    NULL_BAND,
    TEXT,
    colour_of,
    dashes_of,
    look_of,
)
from rocstats.present.plots.shared.series import pieces_of, pieces_of_curves, require_frame
from rocstats.present.plots.shared.sizes import NOTE, Width, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Room above and below the bands, as a share of their span.
_ROOM = 0.05

_DIFFERENCE = ("predictor", "reference", "fpr", "estimate", "ci_low", "ci_high", "note")


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
        _fill(ax, x, limits, colour, BAND if len(bands) == 1 else BAND_OF_SEVERAL)
        if len(bands) > 1:
            dashes = dashes_of(kind if several else looks.place(name))
            edge = _draw_edges(ax, x, limits, colour, dashes)
            if several:
                lines.setdefault(_label(method, scope), edge)
    return lines


def _fill(ax: Axes, x: FloatArray, limits: Sequence[FloatArray], colour: Any, alpha: float) -> None:
    # Below all curves (2 and up), above the dotted line of chance (1).
    ax.fill_between(x, limits[0], limits[1], color=colour, alpha=alpha, linewidth=0, zorder=1.5)


def _draw_edges(
    ax: Axes, x: FloatArray, limits: Sequence[FloatArray], colour: Any, dashes: Any
) -> Line2D:
    look = {"color": colour, "linewidth": EDGE, "linestyle": dashes, "zorder": 1.8}
    lines = [ax.plot(x, limit, **look)[0] for limit in limits]
    return lines[0]


def _label(method: str, scope: str) -> str:
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
    require_frame("difference", difference, _DIFFERENCE, "study.roc_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = new_axes(width) if ax is None else ax
    ax.set(
        xlabel="False positive rate (1 − specificity)",
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
        alpha = BAND if len(pieces) == 1 else BAND_OF_SEVERAL
        ax.fill_between(x, *limits, color=colour, alpha=alpha, linewidth=0, zorder=1.5)
        if len(pieces) > 1:
            look = {"color": colour, "linewidth": EDGE, "linestyle": dashes_of(index)}
            # Limits of -1 and 1 exclude nothing: their edge would be a line along the frame.
            said = (low > -1) | (high < 1)
            for edge in limits:
                ax.plot(x, np.where(said, edge, np.nan), **look, zorder=1.8)
        (line,) = ax.plot(x, piece["estimate"].to_numpy(), **look_of(index), zorder=3)
        # NaN breaks the line where the band holds 0.
        differs = np.where((low > 0) | (high < 0), 0.0, np.nan)
        ax.plot(x, differs, color=colour, linewidth=4, solid_capstyle="butt", zorder=2)
        lines.append(line)
        labels.append((f"{predictor} − {reference}", group))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=_span(difference))
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


def _span(difference: pd.DataFrame) -> tuple[float, float]:
    """Return the limits of the axis, with room for the bands wherever they exclude a value."""
    # A band from -1 to 1 excludes nothing, and would flatten all others.
    narrower = difference[(difference["ci_low"] > -1) | (difference["ci_high"] < 1)]
    shown = narrower if len(narrower) else difference
    low = np.nanmin(shown[["ci_low", "estimate"]].to_numpy(), initial=0.0)
    high = np.nanmax(shown[["ci_high", "estimate"]].to_numpy(), initial=0.0)
    room = _ROOM * (high - low) or _ROOM
    return float(max(low - room, -1)), float(min(high + room, 1))
