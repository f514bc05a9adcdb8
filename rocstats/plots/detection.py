"""Detection error tradeoff (DET): both error rates on axes of normal deviates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.facts.scipy_special import ndtr, ndtri
from rocstats.facts.words import quantity_title
from rocstats.plots.axes import (
    NULL_BAND,
    Width,
    axes_for,
    chance_look,
    inks,
    note_size,
    set_look_of_axes,
    write_labels,
)
from rocstats.plots.labels import LegendPlace, Room, name_series, require_legend
from rocstats.plots.lines import draw_lines
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_FRAMES: dict[str, Needed] = {
    "curve": (("predictor", "fold", "fpr", "fnr"), "study.det_curve()"),
}

# Percentages 0.5 to 0.8 normal deviates apart, so that labels keep almost even distances.
_PERCENT = (0.001, 0.01, 0.1, 1.0, 5.0, 20.0, 50.0, 80.0, 95.0, 99.0, 99.9, 99.99, 99.999)

# On square axes a step of 1/400 is 0.8 points, half the width of a line: the corners between
# chords stay inside the line. With 200 a step is as long as the line is wide.
_POINTS = 400

# Of more than nine labels every second is shown: nine have 24 points each in a column, and "99.9%"
# is 22 points wide.
_MOST_LABELS = 9

# Axes of curves of which nothing is seen reach from 5% to 95%.
_LEAST_RATE = 0.05

# Lines that run to infinity are cut one normal deviate beyond the axes, where nothing is seen.
_BEYOND = 1.0

# Room beyond the data, as shares of an axis: at the high end, and at the low end, where 7% of 60 mm
# are the 12 points of a line of words.
_HIGH_ROOM, _LOW_ROOM = 0.04, 0.07

# Normal deviates of an axis: two labels at least.
_LEAST_SPAN = 1.7

# Height by width of a figure: curves of one small rate would make it a strip.
_RATIOS = (0.6, 1.3)


class _DeviateAxis(NamedTuple):
    """One axis, in normal deviates: its ends, and the rate of one error.

    ``one`` is NaN for curves whose number of cases is not known.
    """

    low: float
    high: float
    one: float


def plot_det(
    curve: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw detection error tradeoff (DET) curves, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.det_curve()``: one line for each predictor, group and fold.
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
        The axes, in normal deviates with labels in percent; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    If a class has n cases (in the largest group or fold), one error is the rate 1 / n. The axes
    include all rates from 1 / n upwards; lower rates are shaded. Rates of 0 and 1 have infinite
    deviates, so that lines leave the axes at the edge. Ties between classes give a curved line: a
    straight line of rates is curved on the scale of normal deviates. The dotted diagonal is chance.

    References
    ----------
    - Martin, Doddington, Kamm, Ordowski & Przybocki (1997) [martin-1997]
    - Fawcett (2004), section 7.5.1 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_det(study.det_curve())
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['5%', '20%', '50%', '80%']
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, curve=curve)
    curve = frames["curve"]
    looks = looks_of(curve, colors, names, line, ax)
    across, up = _deviate_axes_of_curves(curve)
    ratio = float(np.clip((up.high - up.low) / (across.high - across.low), *_RATIOS))
    ax = axes_for(ax, width, ratio=ratio)
    reach = 1 + max(abs(end) for axis in (across, up) for end in axis)
    ax.plot([-reach, reach], [reach, -reach], **chance_look())

    def trace(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
        fpr, fnr = dense_error_rates_of_det_curve(
            piece["fpr"].to_numpy(), piece["fnr"].to_numpy(), reach
        )
        return np.clip(ndtri(fpr), -reach, reach), np.clip(ndtri(fnr), -reach, reach)

    lines = draw_lines(ax, curve, looks, trace, clip=True)
    ax.set(xlim=across[:2], ylim=up[:2], aspect="equal")
    ax.set_xticks(*_percent_ticks_of_deviate_axis(across))
    ax.set_yticks(*_percent_ticks_of_deviate_axis(up))
    set_look_of_axes(ax, closed=True)
    ax.tick_params(labelsize=note_size(ax))
    write_labels(ax, quantity_title("fpr"), quantity_title("fnr"))
    room = _mark_under_one_error(ax, across.one, up.one)
    if len(lines) > 1:
        name_series(ax, lines, loc="upper right", room=room, legend=legend)
    return ax


def dense_error_rates_of_det_curve(
    fpr: FloatArray, fnr: FloatArray, high: float
) -> tuple[FloatArray, FloatArray]:
    """Return rates along a curve, dense enough to join their normal deviates by straight lines.

    Parameters
    ----------
    fpr, fnr : array of float
        Rates at the vertices; ``fpr`` never falls, ``fnr`` never rises.
    high : float
        Normal deviate at which the axes end.

    Returns
    -------
    fpr, fnr : array of float
        The vertices and the points at 400 evenly spaced deviates of each rate.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.plots.detection import dense_error_rates_of_det_curve
    >>> fpr, fnr = dense_error_rates_of_det_curve(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 3.0)
    >>> len(fpr) > 400, bool(np.allclose(fpr + fnr, 1))
    (True, True)
    """
    # A class without members leaves NaN.
    if not (fpr[-1] == 1 and fnr[0] == 1):
        return fpr, fnr
    at = np.arange(len(fpr), dtype=np.float64)
    grid = ndtr(np.linspace(-high, high, _POINTS))
    # Where a rate is constant, `interp` may return any of its vertices: all vertices are kept.
    between = np.concatenate((at, np.interp(grid, fpr, at), np.interp(grid, fnr[::-1], at[::-1])))
    place = np.unique(between)
    return np.interp(place, at, fpr), np.interp(place, at, fnr)


def _deviate_axes_of_curves(curve: pd.DataFrame) -> tuple[_DeviateAxis, _DeviateAxis]:
    """Return the axes for all rates of at least one error of each kind."""
    pieces = [piece for _, piece in frame_pieces_by_keys(curve, ["predictor", "group", "fold"])]
    fpr, fnr = ([piece[rate].to_numpy() for piece in pieces] for rate in ("fpr", "fnr"))
    # The last row of a curve calls everybody positive: its counts are the totals.
    totals = [piece[["fp", "tp"]].iloc[-1] for piece in pieces if {"fp", "tp"} <= set(piece)]
    ones = [
        _one_error(np.concatenate(rates), max((total[name] for total in totals), default=0.0))
        for rates, name in ((fpr, "fp"), (fnr, "tp"))
    ]
    high = 1 - float(ndtri(min(least for least, _ in ones)))
    dense = [dense_error_rates_of_det_curve(*rates, high) for rates in zip(fpr, fnr, strict=True)]
    points = np.concatenate([np.stack(rates) for rates in dense], axis=1)
    # A rate of one error is found again up to rounding.
    leasts = np.array([[least] for least, _ in ones])
    seen = (points >= (1 - 1e-9) * leasts).all(axis=0)
    across, up = (
        _deviate_axis(rate[seen], one) for rate, (_, one) in zip(points, ones, strict=True)
    )
    return across, up


def _one_error(rates: FloatArray, cases: float) -> tuple[float, float]:
    """Return the least observed rate, and the rate of one error (0: unknown)."""
    inside = rates[(rates > 0) & (rates < 1)]
    least = float(inside.min(initial=_LEAST_RATE))
    # Without 3 cases, one error is a rate of 50% or more; weights count no errors.
    if cases < 3 or least < (1 - 1e-9) / cases:
        return least, float("nan")
    return 1 / cases, float(ndtri(1 / cases))


def _deviate_axis(rates: FloatArray, one: float) -> _DeviateAxis:
    """Return the axis for rates between 0 and 1, with the deviate of one error (or NaN)."""
    rates = rates[rates < 1]
    if len(rates) == 0:
        end = float(ndtri(1 - _LEAST_RATE))
        return _DeviateAxis(-end, end, float("nan"))
    low, high = ndtri(np.array([rates.min(), rates.max()]))
    low = np.fmin(low, one)
    span = max(float(high - low), _LEAST_SPAN)
    return _DeviateAxis(float(low - _LOW_ROOM * span), float(low + (1 + _HIGH_ROOM) * span), one)


def _percent_ticks_of_deviate_axis(axis: _DeviateAxis) -> tuple[FloatArray, list[str]]:
    """Return places and texts of the percentages that label an axis."""
    percent = np.array(_PERCENT)
    deviates = ndtri(percent / 100)
    inside = (deviates > axis.low - 1e-9) & (deviates < axis.high + 1e-9)  # up to rounding
    step = 2 if inside.sum() > _MOST_LABELS else 1
    return deviates[inside][::step], [f"{value:g}%" for value in percent[inside][::step]]


def _mark_under_one_error(ax: Axes, across: float, up: float) -> Room:
    """Shade the rates below one error; return the free room."""
    shade: dict[str, Any] = {**NULL_BAND, "zorder": 0.5}
    (left, _), (bottom, _) = ax.get_xlim(), ax.get_ylim()
    room = Room(ax)
    strips = [ax.axvspan(left, across, **shade)] if across == across else []
    strips += [ax.axhspan(bottom, up, **shade)] if up == up else []
    look: dict[str, Any] = {"fontsize": note_size(ax), "color": inks().second}
    inner = np.nanmax([left, across]), np.nanmax([bottom, up])
    for shaded, x, y, turned in (
        (up, inner[0], (bottom + up) / 2, False),
        (across, (left + across) / 2, inner[1], True),
    ):
        if shaded != shaded:
            continue
        text = ax.text(
            x, y, " under one error", **look, rotation=90 * turned, rotation_mode="anchor",
            ha="left", va="center",
        )  # fmt: skip
        box = text.get_window_extent()
        if room.holds(box):
            room.take(box)
        else:
            text.remove()
    for strip in strips:
        room.take(strip.get_window_extent())
    return room
