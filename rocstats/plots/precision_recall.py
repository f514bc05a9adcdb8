"""Precision-recall curves and lift curves, which are not straight between their points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.plots.axes import (
    Width,
    axes_for,
    chance_look,
    inks,
    set_square_ticks,
    set_unit_ticks,
    write_labels,
)
from rocstats.plots.bands import draw_bands
from rocstats.plots.labels import LegendPlace, Room, name_series, require_legend, write_beside
from rocstats.plots.lines import draw_lines
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    Series,
    estimate_texts,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Steps of the precision from 0 to its largest value: on square axes a step is 1.5 points long, just
# less than a line is wide (1.6 points), so that the corners between chords stay inside the line.
_STEPS = 200

# The lift of the strictest threshold is often the largest: 5% above it keep it off the frame.
_LIFT_ROOM = 1.05

# The precision of fewer than 10 calls, or of the first 5% of few cases, is noise that fills the
# graph.
_FEW_CALLED, _FIRST = 10.0, 0.05

# Shares of the same cases differ by rounding only.
_SAME_SHARE = 1e-9

_KEYS = ("predictor", "group", "fold")
_PR_FRAMES: dict[str, Needed] = {
    "curve": (("predictor", "fold", "threshold", "tpr", "ppv", "fp", "tp"), "study.pr_curve()"),
    "average_precision": (
        ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level"),
        "study.average_precision()",
    ),
    "band": (("predictor", "tpr", "ppv_low", "ppv_high", "prevalence"), "study.pr_band()"),
}
_LIFT_FRAMES: dict[str, Needed] = {
    "curve": (
        ("predictor", "fold", "threshold", "positive_rate", "tpr", "lift", "fp", "tp"),
        "study.lift_curve()",
    ),
}


def plot_pr(
    curve: pd.DataFrame,
    *,
    average_precision: pd.DataFrame | None = None,
    band: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw precision-recall curves, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.pr_curve()``: one line for each predictor, group and fold.
    average_precision : pandas.DataFrame, optional
        Average precisions from ``study.average_precision()``, for the legend: one for each
        predictor and group of ``curve``.
    band : pandas.DataFrame, optional
        Bands from ``study.pr_band()``, at the prevalence of the curves.
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
        If a frame lacks columns or rows; if ``curve`` contains only a part of a curve, or values at
        chosen recalls; if ``average_precision`` or ``band`` has predictors that are not in
        ``curve``; or if the prevalence of ``band`` is not the prevalence of ``curve``.

    Notes
    -----
    Between points the counts are linear but the precision is not, so that lines are curved. The
    dotted line is the prevalence, which is the precision of an uninformative predictor. If groups
    differ in prevalence, each group has a line in its colour. Folds are thin lines; their dotted
    line is the prevalence of all folds together. Lines start at 10 cases called positive (or 5% of
    the cases if that is fewer).

    References
    ----------
    - Davis & Goadrich (2006) [davis-2006]
    - Fawcett (2004), figure 5 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_pr(study.pr_curve(), average_precision=study.average_precision())
    >>> ax.get_legend().get_texts()[0].get_text()
    'score 0.565 (0.369-0.743)'
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(
        _PR_FRAMES, labels, curve=curve, average_precision=average_precision, band=band
    )
    curve = frames["curve"]
    _require_whole_precision_recall(curve, "study.pr_curve() without tpr=")
    looks = looks_of(curve, colors, names, line, ax)
    estimates, title = None, None
    if "average_precision" in frames:
        what = "average precision"
        texts = estimate_texts(
            frames["average_precision"], "average_precision", what.capitalize(), "plain"
        )
        estimates = texts.one_each(looks.drawn, argument="average_precision", what=what)
        title = texts.heading
    ax = axes_for(ax, width)
    shares = _draw_prevalence(ax, curve, looks)
    if "band" in frames:
        _require_band_at_prevalence_of_curve(frames["band"], shares)
        draw_bands(ax, frames["band"], looks, ("tpr", "ppv_low", "ppv_high"))
    lines = draw_lines(ax, curve, looks, _recall_and_precision)
    set_square_ticks(ax)
    write_labels(ax, "Recall (sensitivity)", "Precision (positive predictive value)")
    room = _name_chance(ax)
    if len(lines) > 1 or estimates is not None:
        # Good curves fill the upper right, poor ones the lower left.
        placed: dict[str, Any] = {"on_lines": False, "room": room, "legend": legend}
        name_series(ax, lines, estimates, title=title, loc="best", **placed)
    return ax


def plot_lift(
    curve: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw lift curves, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.lift_curve()``: one line for each predictor, group and fold.
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
        Axes to draw on; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows, or contains only a part of a curve.

    Notes
    -----
    Between points the counts are linear but the lift is not, so that lines are curved. The dotted
    line is the lift 1 of an uninformative predictor. Every curve ends on this line. Lines start at
    10 cases called positive (or 5% of the cases if that is fewer). For cumulative gains, draw
    ``tpr`` against ``positive_rate`` of the frame.

    References
    ----------
    - Vuk & Curk (2006) [vuk-2006]
    - Fawcett (2004), section 3.2 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_lift(study.lift_curve())
    >>> ax.get_ylabel()
    'Lift (precision / prevalence)'
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_LIFT_FRAMES, labels, curve=curve)
    curve = frames["curve"]
    _require_whole_precision_recall(curve, "study.lift_curve()")
    looks = looks_of(curve, colors, names, line, ax)
    ax = axes_for(ax, width)
    ax.plot([0, 1], [1, 1], **chance_look())
    lines = draw_lines(ax, curve, looks, _positive_rate_and_lift)
    set_unit_ticks(ax, x=True, y=False)
    write_labels(ax, "Share of cases called positive", "Lift (precision / prevalence)")
    drawn = np.concatenate([np.ones(1), *(line.get_ydata() for line in ax.lines)])
    ax.set_ylim(0, _LIFT_ROOM * float(np.nanmax(drawn)))
    room = _name_chance(ax)
    if len(lines) > 1:
        name_series(ax, lines, loc="upper right", on_lines=False, room=room, legend=legend)
    return ax


def dense_counts_for_precision(
    fp: FloatArray, tp: FloatArray, *, upright: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return counts along a curve, dense enough to join its precision by straight lines.

    Parameters
    ----------
    fp, tp : array of float
        False and true positives at the vertices; neither ever falls.
    upright : bool, default False
        Whether segments on which only ``fp`` rises are vertical and need no points between: they
        are over recall, but not over the share called positive.

    Returns
    -------
    fp, tp : array of float
        The vertices, with points between them at equal steps of the precision, each at most 1/200
        of the largest precision.

    Notes
    -----
    On a segment tp = a + b n for n cases called positive, so that the precision is b + a / n: equal
    steps of the precision are equal steps of 1 / n.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.plots.precision_recall import dense_counts_for_precision
    >>> fp, tp = dense_counts_for_precision(np.array([1.0, 1.0]), np.array([0.0, 3.0]))
    >>> len(tp), float((tp / (tp + fp))[100].round(9))
    (201, 0.375)
    """
    called = fp + tp
    precision = np.divide(tp, called, out=np.zeros(len(called)), where=called > 0)
    change = np.abs(np.diff(precision)) / (precision.max() or 1.0)
    # Along a segment from the start the precision is constant.
    straight = (called[:-1] == 0) | (upright & (np.diff(tp) == 0))
    steps = np.where(straight, 1, np.maximum(np.ceil(_STEPS * change), 1)).astype(np.intp)
    segment = np.repeat(np.arange(len(steps)), steps)
    number = np.arange(len(segment)) - np.repeat(np.cumsum(steps) - steps, steps)
    # After a share w of the steps, 1 / called is (1 - w) / before + w / after; `done` is the share
    # of the segment's cases. Multiplied out, nothing divides by `before`, which is 0 at the start.
    w, before, after = number / steps[segment], called[segment], called[segment + 1]
    done = np.divide(w * before, after - w * (after - before), out=np.zeros_like(w), where=w > 0)
    fp, tp = (
        np.append(counts[segment] + done * np.diff(counts)[segment], counts[-1])
        for counts in (fp, tp)
    )
    return fp, tp


def _recall_and_precision(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    fp, tp = dense_counts_for_precision(
        piece["fp"].to_numpy(), piece["tp"].to_numpy(), upright=True
    )
    fp, tp = _counts_from_enough_called_positive(fp, tp)
    precision = _precision_along_curve(fp, tp)
    return (tp / tp[-1] if tp[-1] > 0 else precision), precision


def _positive_rate_and_lift(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    fp, tp = dense_counts_for_precision(piece["fp"].to_numpy(), piece["tp"].to_numpy())
    fp, tp = _counts_from_enough_called_positive(fp, tp)
    precision, called = _precision_along_curve(fp, tp), fp + tp
    return (called / called[-1] if called[-1] > 0 else precision), precision / precision[-1]


def _name_chance(ax: Axes) -> Room:
    """Label the dotted line, if it is one and has room; return the free room."""
    room = Room(ax)
    dotted = [line for line in ax.lines if line.get_linestyle() == ":"]
    if len(dotted) == 1:
        x = np.linspace(0.02, 0.98, 60)
        height = float(np.asarray(dotted[0].get_ydata())[0])
        points = ax.transData.transform(np.column_stack([x, np.full(len(x), height)]))
        write_beside(ax, "if called at random", inks().second, points, room)
    return room


def _counts_from_enough_called_positive(
    fp: FloatArray, tp: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return counts along a curve from where enough cases are called positive."""
    called = fp + tp
    few = min(_FEW_CALLED, _FIRST * called[-1])
    first = int(np.searchsorted(called, few))
    # Up to its first point a curve has the precision of that point: nothing is left out.
    if called[:first].max(initial=0.0) == 0:
        return fp, tp
    fp, tp = (
        np.concatenate([[np.interp(few, called, counts)], counts[first:]]) for counts in (fp, tp)
    )
    return fp, tp


def _precision_along_curve(fp: FloatArray, tp: FloatArray) -> FloatArray:
    """Return the precision along a curve, NaN when a class has no members."""
    called = fp + tp
    if not (fp[-1] > 0 and tp[-1] > 0):
        return np.full_like(called, np.nan)
    # 0 / 0 where nobody is called positive: the curve starts at its first precision.
    first = int(np.argmax(called > 0))
    precision = tp[first:] / called[first:]
    return np.concatenate((np.full(first, precision[0]), precision))


def _require_whole_precision_recall(curve: pd.DataFrame, source: str) -> None:
    last = [piece["tpr"].iloc[-1] for _, piece in frame_pieces_by_keys(curve, _KEYS)]
    if curve["threshold"].isna().any() or any(tpr < 1 for tpr in last):
        raise InputError(
            "`curve` must hold whole curves, a row for every threshold; got only a part of them."
            f" Pass {source}."
        )


def _require_band_at_prevalence_of_curve(
    band: pd.DataFrame, shares: Mapping[Series, float]
) -> None:
    for (predictor, group), piece in frame_pieces_by_keys(band, ("predictor", "group")):
        share, given = shares.get((predictor, group), np.nan), piece["prevalence"].iloc[0]
        if abs(share - given) > _SAME_SHARE:
            raise InputError(
                f"`band` must be at the prevalence of the curve, {share:.4g}; got {given:.4g}."
                " Pass study.pr_band() without prevalence=."
            )


def _draw_prevalence(ax: Axes, curve: pd.DataFrame, looks: Looks) -> dict[Series, float]:
    """Draw the prevalence of each group, the precision of an uninformative predictor; return it."""
    totals: dict[Series, FloatArray] = {}
    for (predictor, group, _), piece in frame_pieces_by_keys(curve, _KEYS):
        # The last row calls everybody positive: its counts are the totals, summed over folds.
        total = piece[["tp", "fp"]].to_numpy()[-1]
        totals[predictor, group] = totals.get((predictor, group), 0) + total
    shares = {name: total[0] / total.sum() for name, total in totals.items() if total.sum() > 0}
    for prevalence in dict.fromkeys(shares.values()):
        (line,) = ax.plot([0, 1], [prevalence, prevalence], **chance_look())
        if len(set(shares.values())) > 1:
            first = next(name for name in looks.drawn if shares.get(name) == prevalence)
            line.set_color(looks.colour(first))
    return shares
