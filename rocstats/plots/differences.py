"""Differences between ROC curves, or between cost curves, with their bands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.facts.measures import QUANTITIES
from rocstats.frame.make import in_print
from rocstats.plots.axes import (
    Width,
    axes_for,
    chance_look,
    colour_of_series,
    dashes_of_series,
    look_of_series_line,
    set_unit_ticks,
    write_labels,
    write_title,
)
from rocstats.plots.labels import write_names_on_lines_or_in_key
from rocstats.plots.lines import shade_band
from rocstats.plots.series import frame_pieces_by_keys, require_drawable, series_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_ROC_DIFFERENCE = ("predictor", "reference", "fpr", "estimate", "ci_low", "ci_high", "note")
_COST_DIFFERENCE = ("predictor", "reference", "probability_cost", "estimate", "ci_low", "ci_high")

# Room above and below the bands, as a share of their span.
_AXIS_MARGIN = 0.05


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
        ``study.roc_average_difference()``. For averages, a line joins the limits at single rates.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
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
    Each pair (and group) has a line with a translucent band. On the dotted line of no difference, a
    thick line marks the false positive rates at which the band excludes 0. For a single pair, text
    above the axes names the better predictor above and below 0. Several pairs are named in a key.

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
    require_drawable("difference", difference, _ROC_DIFFERENCE, "study.roc_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = axes_for(ax, width)
    _draw_differences(ax, difference, "fpr", "better")
    write_labels(ax, QUANTITIES["fpr"].axis, "Difference of true positive rates")
    return ax


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
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
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
    Each pair (and group) has a line with a translucent band. Below the dotted line of no
    difference, the first predictor of the pair costs less. Text above the axes states this. A thick
    part of the dotted line marks where the band excludes 0.

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
    require_drawable("difference", difference, _COST_DIFFERENCE, "study.cost_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = axes_for(ax, width)
    _draw_differences(ax, difference, "probability_cost", "costs less", worse=True)
    write_labels(ax, "Weight of missed positives, PC(+)", "Difference of normalized expected costs")
    return ax


def _draw_differences(
    ax: Axes, difference: pd.DataFrame, along: str, better: str, worse: bool = False
) -> None:
    """Draw differences between curves with bands, the line of no difference, and their names.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    difference : pandas.DataFrame
        Bands with ``predictor, reference, [group], estimate, ci_low, ci_high`` and ``along``.
    along : str
        Column of the horizontal axis, with values from 0 to 1.
    better : str
        What is said of the better one: "better", "costs less".
    worse : bool, default False
        Whether the first of a pair is the worse one above 0.
    """
    ax.axhline(0, **chance_look())
    lines, labels = [], []
    pieces = frame_pieces_by_keys(difference, ["predictor", "reference", "group"])
    for index, ((predictor, reference, group), piece) in enumerate(pieces):
        x, colour = piece[along].to_numpy(), colour_of_series(index)
        limits = low, high = piece["ci_low"].to_numpy(), piece["ci_high"].to_numpy()
        # Limits of -1 and 1 exclude nothing: their edge would be a line along the frame.
        excludes_values = (low > -1) | (high < 1)
        dashes = dashes_of_series(index)
        for edge in shade_band(ax, x, limits, colour, dashes, several=len(pieces) > 1):
            edge.set_ydata(np.where(excludes_values, edge.get_ydata(), np.nan))
        (line,) = ax.plot(x, piece["estimate"].to_numpy(), **look_of_series_line(index), zorder=3)
        # NaN breaks the line where the band holds 0.
        differs = np.where((low > 0) | (high < 0), 0.0, np.nan)
        ax.plot(x, differs, color=colour, linewidth=4, solid_capstyle="butt", zorder=2)
        lines.append(line)
        labels.append((f"{predictor} − {reference}", group))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=_axis_ends_of_curve_differences(difference))
    if len(pieces) > 1:
        write_names_on_lines_or_in_key(ax, lines, series_names(labels), loc="best", on_lines=False)
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
    write_title(ax, words)


def _axis_ends_of_curve_differences(difference: pd.DataFrame) -> tuple[float, float]:
    """Return the limits of the axis, with room for the bands wherever they exclude a value."""
    # A band from -1 to 1 excludes nothing, and would flatten all others.
    narrower = difference[(difference["ci_low"] > -1) | (difference["ci_high"] < 1)]
    rows = narrower if len(narrower) else difference
    low = np.nanmin(rows[["ci_low", "estimate"]].to_numpy(), initial=0.0)
    high = np.nanmax(rows[["ci_high", "estimate"]].to_numpy(), initial=0.0)
    room = _AXIS_MARGIN * (high - low) or _AXIS_MARGIN
    return float(max(low - room, -1)), float(min(high + room, 1))
