"""Survival studies: ROC curves at a time, areas over time, and a score by status at a time.

Several times have a panel each; areas over time have bands or intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import about_of, in_print, labels_in
from rocstats.plots.axes import (
    CUTOFF,
    EDGE,
    WITHOUT,
    Width,
    axes_for,
    axes_in_rows,
    chance_look,
    colour_of_series,
    inks,
    set_look_of_axes,
    write_labels,
    write_title,
)
from rocstats.plots.cutpoints import (
    score_bars,
    score_bin_edges,
    score_name_with_positive_side,
    set_mirrored_axis_of_shares,
    write_in_corner,
)
from rocstats.plots.labels import LegendPlace, name_series, require_legend
from rocstats.plots.lines import draw_limits_around_series, draw_lines, trace_of
from rocstats.plots.roc import plot_roc
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    require_drawable,
    require_single,
)
from rocstats.tables.text import format_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- ROC curves at a time -------------------------------------------------------------------------

_CURVE_COLUMNS = ("predictor", "time", "fpr", "tpr")
_AUC_COLUMNS = (
    "predictor",
    "time",
    "quantity",
    "estimate",
    "ci_low",
    "ci_high",
    "confidence_level",
)
_TIMES_IN_A_ROW = {"column": 1, "page": 2}


def plot_survival_roc(
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of a survival study, a panel for each time, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``SurvivalStudy.roc_curve()``: a line for each predictor and group.
    auc : pandas.DataFrame, optional
        Areas from ``SurvivalStudy.auc()`` at the same times, for the key.
    labels : mapping of str to str, optional
        Printed names of predictors; by default the labels of the study. Names absent from the
        frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    line : mapping, optional
        Options of matplotlib lines, for all curves or by predictor (or group); see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Position of the names; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm. For more than one time, "column" has one panel per row,
        and "page" has two panels per row.
    ax : matplotlib.axes.Axes, optional
        Axes for the curves of a single time; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes (the first of several panels); the figure is ``ax.figure``, which is neither shown
        nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows; if ``auc`` does not have one area for each curve; or if
        ``ax`` is passed for curves of several times.

    Notes
    -----
    Curves show estimated rates: weights for censoring make steps of unequal height. The dotted
    diagonal is chance.

    References
    ----------
    - Uno, Cai, Tian & Wei (2007) [uno-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> months, died = [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 1, 0, 1, 0]
    >>> study = rs.SurvivalStudy(months, died, [3, 1, 2, 5, 2, 1, 4, 2], predictor="marker")
    >>> rs.plot_survival_roc(study.roc_curve(time=10)).get_title(loc="left")
    'At 10'
    """
    require_drawable("curve", curve, _CURVE_COLUMNS, "study.roc_curve(time=...)")
    if auc is not None:
        require_drawable("auc", auc, _AUC_COLUMNS, "study.auc(time=...)")
    known = labels_in(labels, curve, auc)
    times = curve["time"].unique().tolist()
    if ax is not None and len(times) > 1:
        raise InputError(
            f"`curve` must have a single time if `ax` is passed; got {len(times)} times. Choose the"
            " rows of one time, or leave `ax` out: each time then has a panel."
        )
    axes = [ax] if ax is not None else axes_in_rows(len(times), width, _TIMES_IN_A_ROW)
    for panel, time in zip(axes, times, strict=True):
        at = curve[curve["time"] == time].assign(fold="")
        areas = None if auc is None else auc[auc["time"] == time]
        looks: dict[str, Any] = {"colors": colors, "line": line, "legend": legend}
        plot_roc(at, auc=areas, labels=known, **looks, ax=panel)
        write_title(panel, f"At {time:g}")
    return axes[0]


# --- Areas over time ------------------------------------------------------------------------------

_AREA_FRAMES: dict[str, Needed] = {
    "frame": (
        ("predictor", "time", "estimate", "ci_low", "ci_high"),
        "study.auc_band(time=[...])",
    ),
}
_AREA_RATIO = 0.75  # height by width

# Intervals of several predictors at one time stand side by side, this share of the axis apart.
_APART = 0.008


def plot_auc_over_time(
    frame: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw areas under the curve over time with their limits, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Areas at several times from ``SurvivalStudy.auc_band()``: their simultaneous limits are
        drawn as a band. Pointwise limits from ``SurvivalStudy.auc()`` are drawn as bars.
    labels : mapping of str to str, optional
        Printed names of predictors; by default the labels of the study. Names absent from the frame
        are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    line : mapping, optional
        Options of matplotlib lines, for all curves or by predictor (or group); see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Position of the names; see ``plot_roc``.
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
    The area at a time compares patients with the event up to that time with patients without it;
    both sets change along the axis. Lines join the estimates and the limits of a band, which is
    simultaneous at the times of the frame only. The dotted line is chance.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013) [blanche-2013]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> ax = rs.plot_auc_over_time(study.auc_band(time=[6, 8, 10, 12, 14]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Time', 'AUC')
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_AREA_FRAMES, labels, frame=frame)
    frame = frames["frame"]
    if "reference" in frame:
        raise InputError(
            "`frame` must hold areas; got differences, with a column 'reference'. Pass"
            " study.auc_band(time=[...])."
        )
    looks = looks_of(frame, colors, names, line, ax)
    ax = axes_for(ax, width, ratio=_AREA_RATIO)
    ax.axhline(0.5, **chance_look())
    lines = draw_lines(ax, frame, looks, trace_of("time", "estimate"), clip=True)
    joint = "scope" in frame and (frame["scope"] == "simultaneous").all()
    if joint:
        draw_limits_around_series(
            ax, frame_pieces_by_keys(frame, ["predictor", "group"]), looks, "time"
        )
    else:
        _draw_bars_at_times(ax, frame, looks)
    low = float(np.nanmin([0.5, *frame["ci_low"]]))
    # Tenths: the lowest limit is never on the axis itself.
    ax.set_ylim(max(np.floor(10 * low - 1e-9) / 10, 0.0), 1.0)
    set_look_of_axes(ax)
    write_labels(ax, "Time", "AUC")
    if len(lines) > 1:
        name_series(ax, lines, legend=legend)
    return ax


def _draw_bars_at_times(ax: Axes, frame: pd.DataFrame, looks: Looks) -> None:
    span = float(np.ptp(frame["time"])) or 1.0
    middle = (len(looks.drawn) - 1) / 2
    for i, (name, piece) in enumerate(frame_pieces_by_keys(frame, ["predictor", "group"])):
        x = piece["time"] + (i - middle) * _APART * span
        look: dict[str, Any] = {"color": looks.colour(name), "zorder": 3}
        ax.vlines(x, piece["ci_low"], piece["ci_high"], linewidth=EDGE, **look)
        ax.plot(x, piece["estimate"], looks.marker(name), markersize=3.5, **look)


# --- The distribution of a score by status at a time ----------------------------------------------

_SCORE_COLUMNS = ("predictor", "time", "direction", "threshold", "fp", "tp", "censored")
_SCORES_RATIO = 0.8  # height by width, as of other distributions

# Beyond the bars is a line of words.
_HEADROOM = 1.3

# The outline of unknown status is seen on white and on the bars of both other groups.
_UNKNOWN: dict[str, Any] = {"color": CUTOFF, "linewidth": 1.5 * EDGE, "linestyle": (0, (1, 1))}


def plot_survival_scores(
    curve: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of a score by status at a time, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        The curve of one predictor (in one group) at one time from ``SurvivalStudy.roc_curve()``:
        its thresholds are the scores.
    labels : mapping of str to str, optional
        Printed names of predictors; by default the labels of the study. Names absent from the frame
        are ignored.
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
        If the frame lacks columns or rows; if it has several predictors, groups or times; or if a
        time has no cases or no controls.

    Notes
    -----
    Patients with the event up to the time are above the axis, and patients without the event are
    below. Bars are weighted shares; the weights account for censored patients. The dotted outline
    on both sides shows the patients censored up to the time. If this outline differs from both
    distributions, censoring depends on the score. If there are at most 30 distinct scores, well
    separated, each score has a bar. Otherwise scores are grouped in bins. Infinite scores are not
    drawn.

    References
    ----------
    - Uno, Cai, Tian & Wei (2007), weights [uno-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> months, died = [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 1, 0, 1, 0]
    >>> study = rs.SurvivalStudy(months, died, [3, 1, 2, 5, 2, 1, 4, 2], predictor="marker")
    >>> rs.plot_survival_scores(study.roc_curve(time=10)).get_xlabel()
    'marker (high is positive)'
    """
    require_drawable("curve", curve, _SCORE_COLUMNS, "study.roc_curve(time=...)")
    _require_one_time(curve)
    curve, _ = in_print(labels, curve)
    ax = axes_for(ax, width, ratio=_SCORES_RATIO)
    score = curve["threshold"].to_numpy()
    finite = np.isfinite(score)
    # Counts along a curve are cumulative: their steps are the patients with each score.
    counts = {
        name: np.diff(curve[name].to_numpy(), prepend=0.0) for name in ("tp", "fp", "censored")
    }
    left, right = score_bars(np.unique(score[finite]), score_bin_edges(score[finite], None))
    # A score at the last right end belongs to the last bar.
    bar = np.searchsorted(left, score[finite], side="right") - 1
    heights = {
        name: np.bincount(bar, weights=n[finite], minlength=len(left)) for name, n in counts.items()
    }
    numbers = {name: float(n.sum()) for name, n in counts.items()}
    for name, sign, colour in (("tp", 1, colour_of_series(0)), ("fp", -1, WITHOUT)):
        look: dict[str, Any] = {"color": colour, "edgecolor": inks().ground, "linewidth": 0.4}
        share = sign * heights[name] / numbers[name]
        ax.bar(left, share, right - left, align="edge", **look)
    if numbers["censored"]:
        share = heights["censored"] / numbers["censored"]
        _draw_patients_of_unknown_status(ax, left, right, share)
    _write_patient_numbers_by_status(ax, curve, numbers)
    set_mirrored_axis_of_shares(ax, _HEADROOM)
    set_look_of_axes(ax)
    write_labels(ax, score_name_with_positive_side(curve), "Share of the group")
    return ax


def _require_one_time(curve: pd.DataFrame) -> None:
    """Raise InputError unless the frame is a single curve with rates."""
    what = "a curve of one predictor, in one group, at one time"
    keys = ("predictor", "group", "time")
    require_single("curve", curve, keys, what, "Choose rows of one.")
    if curve["tpr"].isna().any() or curve["fpr"].isna().any():
        raise InputError(
            f"`curve` must have cases and controls; got none at the time {curve['time'].iloc[0]:g}."
            " Choose an earlier or a later time."
        )


def _draw_patients_of_unknown_status(
    ax: Axes, left: FloatArray, right: FloatArray, share: FloatArray
) -> None:
    """Draw the outline of patients of unknown status on both sides of the axis."""
    x = np.stack((left, right), axis=1).ravel()
    for sign in (1, -1):
        y = np.repeat(sign * share, 2)
        ends = np.concatenate([[0.0], y, [0.0]])
        ax.plot(np.concatenate([x[:1], x, x[-1:]]), ends, **_UNKNOWN, zorder=3)


def _write_patient_numbers_by_status(
    ax: Axes, curve: pd.DataFrame, number: Mapping[str, float]
) -> None:
    """Write the number of patients of each status in a corner."""
    time, is_high = curve["time"].iloc[0], curve["direction"].iloc[0] == ">="
    event = about_of(curve).get("outcome") or "the event"
    positive = f"about {number['tp']:.0f} with {event} by {time:g}"
    write_in_corner(ax, positive, colour_of_series(0), right=is_high, top=True)
    negative = f"about {number['fp']:.0f} without"
    write_in_corner(ax, negative, WITHOUT, right=not is_high, top=False)
    unknown = f"dotted: {format_count(number['censored'])} censored"
    write_in_corner(ax, unknown, CUTOFF, right=is_high, top=False)
