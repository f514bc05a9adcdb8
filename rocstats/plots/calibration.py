"""Calibration curves: the share of events at each predicted risk, with bands, and in bins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.methods import BINS
from rocstats.plots.axes import (
    EDGE,
    WITHOUT,
    Width,
    axes_for,
    chance_look,
    inks,
    set_square_ticks,
    write_labels,
)
from rocstats.plots.labels import LegendPlace, name_series, require_legend
from rocstats.plots.lines import draw_limits_around_series, draw_lines, trace_of
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    Series,
    frames_in_print,
    looks_of,
    pieces_of_curves,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


_FRAMES: dict[str, Needed] = {
    "frame": (("predictor", "risk", "estimate"), "study.calibration_curve()"),
    "band": (("predictor", "risk", "ci_low", "ci_high"), "study.calibration_band()"),
    "bins": (
        ("predictor", "risk", "estimate", "ci_low", "ci_high"),
        "study.calibration_curve(method='bins')",
    ),
    "risks": (("predictor", "fold", "threshold", "fp", "tp"), "study.roc_curve()"),
}

# Below the curve, each predictor has a strip of this height: cases with events upwards, others
# downwards from its middle, in bins of this width.
_STRIP, _BIN = 0.16, 0.02


def plot_calibration(
    frame: pd.DataFrame,
    *,
    band: pd.DataFrame | None = None,
    bins: pd.DataFrame | None = None,
    risks: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw calibration curves, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Curves from ``study.calibration_curve()``: a line for each predictor and group. Curves made
        with ``method="bins"`` are drawn as points with bars.
    band : pandas.DataFrame, optional
        Bands of the same predictors from ``study.calibration_band()``.
    bins : pandas.DataFrame, optional
        Shares in bins of the same predictors, from ``study.calibration_curve(method="bins")``,
        drawn as points with bars. Do not base conclusions on the bins: other bins show a different
        picture.
    risks : pandas.DataFrame, optional
        Curves of the same predictors from ``study.roc_curve()``, whose thresholds are the risks.
        They are drawn as a histogram below the curves: events upwards, other cases downwards.
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
        If a frame lacks columns or rows; if the method of ``band`` is not the method of ``frame``;
        or if ``band``, ``bins`` or ``risks`` has a predictor that is not in ``frame``.

    Notes
    -----
    The dotted diagonal is perfect calibration. Predicted risks are too high where the curve is
    below the diagonal, and too low where it is above. If the curve is above the diagonal at low
    risks and below it at high risks, predicted risks are too extreme, as from an overfitted model.

    References
    ----------
    - Austin & Steyerberg (2019) [austin-2019]
    - Dimitriadis, Gneiting & Jordan (2021) [dimitriadis-2021]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 40
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 40
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> ax = rs.plot_calibration(study.calibration_curve(), band=study.calibration_band())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Predicted risk', 'Share of events')
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, frame=frame, band=band, bins=bins, risks=risks)
    if "band" in frames:
        _require_same_calibration_method(frames["frame"], frames["band"])
    looks = looks_of(frames["frame"], colors, names, line, ax)
    ax = axes_for(ax, width)
    ax.plot([0, 1], [0, 1], **chance_look())
    lines: dict[Series, Line2D] = {}
    if "bins" in frames:
        lines = _draw_bins(ax, frames["bins"], looks, "bins")
    if _are_bins(frames["frame"]):
        lines = _draw_bins(ax, frames["frame"], looks, "frame")
    else:
        # A curve that could not be estimated has no line: its note says why.
        curves = frames["frame"][frames["frame"]["estimate"].notna()]
        lines |= draw_lines(ax, curves, looks, trace_of("risk", "estimate"))
    if "band" in frames:
        pieces = pieces_of_curves("band", frames["band"], looks.drawn, drawn="frame")
        draw_limits_around_series(ax, pieces, looks, "risk")
    set_square_ticks(ax)
    if "risks" in frames:
        _draw_histograms_of_risks(ax, frames["risks"], looks)
    write_labels(ax, "Predicted risk", "Share of events")
    if len(lines) > 1:
        name_series(ax, lines, legend=legend)
    return ax


def _are_bins(frame: pd.DataFrame) -> bool:
    return "method" in frame and bool(frame["method"].eq(BINS).all())


def _draw_bins(ax: Axes, frame: pd.DataFrame, looks: Looks, argument: str) -> dict[Series, Line2D]:
    """Draw the share of events of each bin as a point with its limits as a bar."""
    points: dict[Series, Line2D] = {}
    for name, piece in pieces_of_curves(argument, frame, looks.drawn, drawn="frame"):
        value = piece["estimate"].to_numpy()
        limits = piece[["ci_low", "ci_high"]].to_numpy().T
        bars = ax.errorbar(
            piece["risk"],
            value,
            yerr=np.abs(limits - value),  # lengths of bars; none where there are no limits
            fmt=looks.marker(name),
            markersize=3.5,
            color=looks.colour(name),
            elinewidth=EDGE,
            capsize=2,
            zorder=4,
            clip_on=False,
        )
        points[name] = bars.lines[0]
    return points


def _draw_histograms_of_risks(ax: Axes, frame: pd.DataFrame, looks: Looks) -> None:
    """Draw the numbers of cases at each risk below the axis, a strip for each predictor."""
    edges = np.linspace(0, 1, round(1 / _BIN) + 1)
    pooled = frame[frame["fold"] == ""]
    middle = 0.5 * _STRIP - 0.01
    for name, piece in pieces_of_curves("risks", pooled, looks.drawn, drawn="frame"):
        middle -= _STRIP
        risk = piece["threshold"].to_numpy(dtype=np.float64)[1:]
        # Rows count the cases from a threshold on.
        events, others = (
            np.histogram(risk, edges, weights=np.diff(piece[column].to_numpy(dtype=np.float64)))[0]
            for column in ("tp", "fp")
        )
        scale = 0.45 * _STRIP / max(events.max(), others.max(), 1.0)
        look: dict[str, Any] = {"width": _BIN, "align": "edge", "linewidth": 0, "zorder": 2}
        ax.bar(edges[:-1], scale * events, bottom=middle, color=looks.colour(name), **look)
        ax.bar(edges[:-1], -scale * others, bottom=middle, color=WITHOUT, **look)
        ax.axhline(middle, color=looks.colour(name), linewidth=EDGE, zorder=3)
    ax.axhline(0, color=inks().text, linewidth=EDGE, zorder=1)
    ax.set_ylim(middle - 0.5 * _STRIP, 1)


def _require_same_calibration_method(frame: pd.DataFrame, band: pd.DataFrame) -> None:
    """Raise InputError where a smooth curve has the band of a monotone one, or the reverse."""
    if _are_bins(frame):
        raise InputError(
            "`band` must be left out for bins, which already have limits; got a band. Leave it"
            " out, or pass the curve as frame and the bins as bins=."
        )
    stepped = [
        "method" in one and one["method"].isin(["isotonic", "consistency"]).any()
        for one in (frame, band)
    ]
    if stepped[0] != stepped[1]:
        names = ["isotonic" if one else "spline" for one in stepped]
        raise InputError(
            f"`band` must have the method of the curve, {names[0]!r}; got one of {names[1]!r}."
            f" Pass study.calibration_band(method={names[0]!r})."
        )
