"""Bands around curves, several at once, and the band of the difference of two curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.present.plots.common import (
    CHANCE,
    DASHES,
    Series,
    colour_of,
    draw_legend,
    new_axes,
    pieces_of,
    pieces_of_curves,
    require_frame,
    set_unit_ticks,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_DIFFERENCE = ("predictor", "reference", "fpr", "estimate", "ci_low", "ci_high", "note")


def draw_bands(ax: Axes, band: pd.DataFrame, names: Sequence[Series]) -> dict[str, Line2D]:
    """Draw bands around curves; return a line for the legend by label if a curve has several.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : pandas.DataFrame
        Bands with ``predictor, [group], fpr, tpr_low, tpr_high, [scope, method]``.
    names : sequence of Series
        The curves, in the order of their colours.

    Raises
    ------
    InputError
        If a band is of no curve.
    """
    whole = [
        (name, kind, piece)
        for name, rows in pieces_of_curves("band", band, names)
        for kind, piece in pieces_of(rows, ["predictor", "method", "scope"])
    ]
    kinds = list(dict.fromkeys(kind[1:] for _, kind, _ in whole))
    several = len(whole) > len({name for name, *_ in whole})
    lines: dict[str, Line2D] = {}
    for name, (_, method, scope), piece in whole:
        index, kind = names.index(name), kinds.index((method, scope))
        if not several:
            fill_band(ax, piece, colour_of(index), zorder=1.5)
            continue
        # One curve: kinds differ in colour too. Several: the colour says of which curve.
        colour = colour_of(index if len(names) > 1 else kind + 1)
        fill_band(ax, piece, colour, zorder=1.5, alpha=0.1)
        lines.setdefault(_label(method, scope), _draw_edges(ax, piece, colour, kind))
    return lines


def fill_band(
    ax: Axes, band: pd.DataFrame, colour: str, *, zorder: float, alpha: float = 0.2
) -> None:
    """Fill the space between the limits of one band.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : pandas.DataFrame
        The rows of one band.
    colour : str
        Colour of the filling.
    zorder : float
        What it covers, as in matplotlib.
    alpha : float, default 0.2
        How much it covers.
    """
    ax.fill_between(
        band["fpr"].to_numpy(),
        band["tpr_low"].to_numpy(),
        band["tpr_high"].to_numpy(),
        color=colour,
        alpha=alpha,
        linewidth=0,
        zorder=zorder,
    )


def _draw_edges(ax: Axes, piece: pd.DataFrame, colour: str, kind: int) -> Line2D:
    lines = [
        ax.plot(
            piece["fpr"].to_numpy(),
            piece[edge].to_numpy(),
            color=colour,
            linewidth=1.0,
            linestyle=DASHES[kind % len(DASHES)],
            zorder=1.8,
        )[0]
        for edge in ("tpr_low", "tpr_high")
    ]
    return lines[0]


def _label(method: str, scope: str) -> str:
    if scope in ("", "simultaneous"):
        return f"{method} band"
    return f"{method} limits" if method == scope else f"{method} ({scope})"


def plot_roc_difference(difference: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Return the axes on which differences of curves are drawn with their bands.

    Parameters
    ----------
    difference : pandas.DataFrame
        Bands of differences as ``study.roc_difference_band()`` gives them.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure, so that a notebook shows
        them. Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    A line for each pair (and group), its band translucent. Along the dotted line of no difference a
    thick line marks the rates at which the band excludes 0.

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
    ax = new_axes() if ax is None else ax
    draw_differences(ax, difference, "fpr")
    ax.set(
        xlabel="False positive rate (1 − specificity)",
        ylabel="Difference of true positive rates",
    )
    return ax


def draw_differences(ax: Axes, difference: pd.DataFrame, along: str) -> None:
    """Draw differences of curves with their bands, the line of no difference, and a legend.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    difference : pandas.DataFrame
        Bands with ``predictor, reference, [group], estimate, ci_low, ci_high`` and ``along``.
    along : str
        The column of the horizontal axis, from 0 to 1.
    """
    ax.axhline(0, **CHANCE)
    lines, labels = [], []
    pieces = pieces_of(difference, ["predictor", "reference", "group"])
    for index, ((predictor, reference, group), piece) in enumerate(pieces):
        x, colour = piece[along].to_numpy(), colour_of(index)
        low, high = piece["ci_low"].to_numpy(), piece["ci_high"].to_numpy()
        ax.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0, zorder=1.5)
        (line,) = ax.plot(
            x,
            piece["estimate"].to_numpy(),
            color=colour,
            linewidth=1.6,
            linestyle=DASHES[index % len(DASHES)],
            zorder=3,
        )
        differs = np.where((low > 0) | (high < 0), 0.0, np.nan)
        ax.plot(x, differs, color=colour, linewidth=4, solid_capstyle="butt", zorder=2)
        lines.append(line)
        labels.append(f"{predictor} − {reference}" + (f", {group}" if group else ""))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=_span(difference))
    draw_legend(ax, lines, labels, loc="best")


def _span(difference: pd.DataFrame) -> tuple[float, float]:
    """Return the limits of the axis: all bands but for the rates where nothing is said."""
    said = difference[(difference["ci_low"] > -1) | (difference["ci_high"] < 1)]
    shown = said if len(said) else difference
    low = np.nanmin(shown[["ci_low", "estimate"]].to_numpy(), initial=0.0)
    high = np.nanmax(shown[["ci_high", "estimate"]].to_numpy(), initial=0.0)
    room = 0.05 * (high - low) or 0.05
    return float(max(low - room, -1)), float(min(high + room, 1))
