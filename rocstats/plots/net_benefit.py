"""Decision curves: net benefit over risk thresholds, with bands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.words import quantity_title
from rocstats.plots.axes import (
    EDGE,
    Width,
    axes_for,
    chance_look,
    inks,
    set_look_of_axes,
    write_labels,
)
from rocstats.plots.labels import LegendPlace, name_series, require_legend
from rocstats.plots.lines import draw_limits_around_series, draw_lines, trace_of
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    pieces_of_curves,
    series_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


_FRAMES: dict[str, Needed] = {
    "frame": (("predictor", "quantity", "risk_threshold", "estimate"), "study.net_benefit()"),
    "band": (
        ("predictor", "reference", "risk_threshold", "ci_low", "ci_high"),
        "study.net_benefit_band()",
    ),
}
_TREAT_ALL = "treat-all"

_benefits = trace_of("risk_threshold", "estimate")

# Treating all falls without end as the risk threshold rises. What is worse than treating nobody by
# a quarter of the best net benefit is not to be told apart from what is worse by more.
_BELOW = 0.25
_ROOM = 0.05  # above the highest line, as a share of it


def plot_net_benefit(
    frame: pd.DataFrame,
    *,
    band: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw decision curves, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Net benefits from ``study.net_benefit()`` at several risk thresholds: a line for each
        predictor and group, and for treating all. The first quantity of the frame is drawn; to draw
        another quantity, pass only its rows.
    band : pandas.DataFrame, optional
        Bands of the same predictors from ``study.net_benefit_band()`` without a reference.
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
        If a frame lacks columns or rows; if ``band`` is for differences or for a quantity that is
        not drawn; or if ``band`` has a predictor that is not in ``frame``.

    Notes
    -----
    Higher is better. The dotted line is treating none, and the thin grey line is treating all. The
    axis starts at minus one quarter of the highest net benefit; lower values are not shown.

    References
    ----------
    - Vickers & Elkin (2006) [vickers-2006]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 0, 0, 0], [0.8, 0.4, 0.5, 0.2, 0.1, 0.1], predictor="risk")
    >>> ax = rs.plot_net_benefit(study.net_benefit(risk_threshold=[0.1, 0.2, 0.3]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Risk threshold', 'Net benefit')
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, frame=frame, band=band)
    quantity = str(frames["frame"]["quantity"].iloc[0])
    rows = frames["frame"][frames["frame"]["quantity"] == quantity]
    predicted = rows[rows["predictor"] != _TREAT_ALL]
    predicted.attrs = frames["frame"].attrs
    looks = looks_of(predicted, colors, names, line, ax)
    ax = axes_for(ax, width)
    lines = draw_lines(ax, predicted, looks, _benefits, clip=True)
    if "band" in frames:
        _require_net_benefits(frames["band"], quantity)
        pieces = pieces_of_curves("band", frames["band"], looks.drawn, drawn="frame")
        draw_limits_around_series(ax, pieces, looks, "risk_threshold")
    defaults = _draw_default_strategies(ax, rows)
    _set_axes_of_decision_curves(ax, predicted, frames.get("band"))
    write_labels(ax, "Risk threshold", quantity_title(quantity))
    name_series(ax, lines, rest=defaults, loc="upper right", legend=legend)
    return ax


def _require_net_benefits(band: pd.DataFrame, quantity: str) -> None:
    """Raise InputError for bands of differences or of another quantity."""
    if (band["reference"] != "").any() or quantity != "net_benefit":
        got = f"of {quantity}" if quantity != "net_benefit" else "with bands of differences"
        raise InputError(
            f"`band` must have the net benefits of the frame; got a frame {got}. Call"
            " net_benefit_band() without reference=, or leave `band` out."
        )


def _draw_default_strategies(ax: Axes, rows: pd.DataFrame) -> dict[str, Line2D]:
    """Draw treating all, of each group, and treating none; return their lines."""
    lines: dict[str, Line2D] = {}
    for (predictor, group), piece in frame_pieces_by_keys(rows, ["predictor", "group"]):
        if predictor == _TREAT_ALL:
            (words,) = series_names([("treat all", group)])
            look: dict[str, Any] = {"color": inks().second, "linewidth": EDGE, "zorder": 2}
            (lines[words],) = ax.plot(*_benefits(piece), **look)
    return {**lines, "treat none": ax.axhline(0, **chance_look())}


def _set_axes_of_decision_curves(
    ax: Axes, predicted: pd.DataFrame, band: pd.DataFrame | None
) -> None:
    x, y = _benefits(predicted)
    highs = [y] if band is None else [y, band["ci_high"].to_numpy()]
    lows = [y] if band is None else [y, band["ci_low"].to_numpy()]
    # A group without a class has no curve, and a bad predictor none above zero.
    top = float(np.nanmax(np.concatenate(highs), initial=0.0)) or 1.0
    low = float(np.nanmin(np.concatenate(lows), initial=0.0))
    ends = float(x.min()), float(x.max())
    if ends[0] < ends[1]:
        ax.set_xlim(ends)
    ax.set_ylim(max(low, -_BELOW * top) - _ROOM * top, (1 + _ROOM) * top)
    set_look_of_axes(ax)
