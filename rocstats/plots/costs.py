"""Cost curves, with the cost lines of the points of ROC curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.plots.axes import (
    Width,
    axes_for,
    chance_look,
    inks,
    note_size,
    set_unit_ticks,
    write_labels,
)
from rocstats.plots.labels import LegendPlace, name_series, require_legend
from rocstats.plots.lines import draw_lines, trace_of
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    pieces_of_curves,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_FRAMES: dict[str, Needed] = {
    "cost": (("predictor", "fold", "probability_cost", "normalized_cost"), "study.cost_curve()"),
    "curve": (("predictor", "fold", "fpr", "tpr"), "study.roc_curve()"),
}

# Cost lines of an ROC curve: 40 lines of half a point start about 15 points apart on the sides of
# square axes; many more merge into a grey area, which hides the lower envelope that they form.
_MOST_LINES = 40

# The costs of calling nobody, and everybody, positive: no cost curve is above the lesser of them.
_TRIANGLE = [(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)]


def plot_cost(
    cost: pd.DataFrame,
    *,
    curve: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw cost curves, and return the axes.

    Parameters
    ----------
    cost : pandas.DataFrame
        Cost curves from ``study.cost_curve()``: a line for each predictor, group and fold.
    curve : pandas.DataFrame, optional
        ROC curves of the same predictors from ``study.roc_curve()``. Each point is drawn as a thin
        cost line; long curves have about 40 evenly spaced lines.
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
        If a frame lacks columns or rows, or ``curve`` has a predictor that is not in ``cost``.

    Notes
    -----
    Lower is better. The dotted triangle is the cost of calling no case (left) or every case (right)
    positive; no cost curve is above it. The vertical axis ends at 0.5, the top of the triangle, and
    thin lines end at the triangle. Lines differ in colour, grey value and dashes.

    References
    ----------
    - Drummond & Holte (2006) [drummond-2006]
    - Fawcett (2004), section 7.5.2 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_cost(study.cost_curve(), curve=study.roc_curve())
    >>> ax.get_ylim() == (0, 0.5)
    True
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, cost=cost, curve=curve)
    looks = looks_of(frames["cost"], colors, names, line, ax)
    ax = axes_for(ax, width)
    ax.plot(*np.transpose(_TRIANGLE), **chance_look())
    if "curve" in frames:
        _draw_cost_lines(ax, frames["curve"], looks)
    lines = draw_lines(ax, frames["cost"], looks, trace_of("probability_cost", "normalized_cost"))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=(0, 0.5), yticks=np.linspace(0, 0.5, 6))
    write_labels(ax, "Weight of missed positives, PC(+)", "Normalized expected cost")
    for x, words, side in ((0.02, "call nobody", "left"), (0.98, "call everybody", "right")):
        ax.text(x, 0.49, words, fontsize=note_size(ax), color=inks().second, ha=side, va="top")
    if len(lines) > 1:
        name_series(ax, lines, loc="upper right", legend=legend)
    return ax


def _draw_cost_lines(ax: Axes, curve: pd.DataFrame, looks: Looks) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    for name, piece in pieces_of_curves("curve", curve, looks.drawn, drawn="cost"):
        for _, points in frame_pieces_by_keys(piece, ["fold"]):
            fpr, tpr = points["fpr"].to_numpy(), points["tpr"].to_numpy()
            # Drummond & Holte 2006: a point of ROC space is the line from (0, FPR) to (1, FNR).
            ends = [
                [(0.0, fpr[i]), (1.0, 1 - tpr[i])]
                for i in _places_of_evenly_spread_points(fpr + tpr)
            ]
            colour = looks.colour(name)
            rays = LineCollection(ends, colors=colour, linewidths=0.5, alpha=0.25, zorder=2)
            ax.add_collection(rays, autolim=False)  # the axes end at the triangle
            # Above the triangle a point is worse than calling nobody, or everybody, positive.
            rays.set_clip_path(Polygon(_TRIANGLE, transform=ax.transData))


def _places_of_evenly_spread_points(along: FloatArray) -> Sequence[int]:
    """Return the places of all points of a short curve, or of evenly spread ones."""
    if len(along) <= _MOST_LINES:
        return range(len(along))
    # FPR + TPR never falls along a curve, so that it can be searched.
    wanted = np.linspace(along[0], along[-1], _MOST_LINES)
    return sorted(set(np.searchsorted(along, wanted).tolist()))
