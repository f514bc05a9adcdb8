"""Random classifiers in ROC space, behind the points and curves to compare with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rocstats.plots.axes import Width, axes_for, inks
from rocstats.plots.labels import LegendPlace, name_series, require_legend
from rocstats.plots.lines import draw_square_of_roc_space
from rocstats.plots.roc import plot_roc
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    Series,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    series_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# The columns that each frame needs, and where a user gets it.
_FRAMES: dict[str, Needed] = {
    "points": (("fpr", "tpr"), "study.random_points()"),
    "found": (("predictor", "fpr", "tpr"), "study.operating_points_versus_random(...)"),
    "curve": (("predictor", "fold", "fpr", "tpr"), "study.roc_curve()"),
}


def plot_random_points(
    points: pd.DataFrame,
    *,
    curve: pd.DataFrame | None = None,
    found: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw random classifiers in ROC space behind points and curves, and return the axes.

    Parameters
    ----------
    points : pandas.DataFrame
        Random classifiers from ``study.random_points()``, drawn as small grey points.
    curve : pandas.DataFrame, optional
        Curves from ``study.roc_curve()``.
    found : pandas.DataFrame, optional
        Operating points of classifiers, with the columns ``predictor, [group], fpr, tpr``, such as
        from ``study.operating_points_versus_random(...)``.
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
        If a frame lacks columns or rows.

    Notes
    -----
    Draw as many random classifiers as the number of classifiers that were tried, or many more to
    show their distribution. An operating point has the colour of its predictor's curve, if this
    curve is drawn.

    References
    ----------
    - Forman (2002), random classifiers as the baseline of the best of many [forman-2002]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> found = study.operating_points_versus_random(threshold=1)
    >>> ax = rs.plot_random_points(study.random_points(rng=1), found=found)
    >>> len(ax.collections[0].get_offsets())
    1000
    """
    legend = require_legend(legend)
    frames, known = frames_in_print(_FRAMES, labels, points=points, curve=curve, found=found)
    ax = axes_for(ax, width)
    # Behind curves and chance: a cloud of thousands would cover them.
    rates = points["fpr"].to_numpy(), points["tpr"].to_numpy()
    ax.scatter(*rates, s=4, c=[inks().others], linewidths=0, zorder=0.5, clip_on=False)
    # Predictors with a curve come first, so that their points take the colours of the curves.
    named = [frames[argument] for argument in ("curve", "found") if argument in frames]
    names = list(dict.fromkeys(name for frame in named for name in series_of(frame)))
    marks: dict[Series, Line2D] = {}
    if "found" in frames:
        looks = looks_of(named[0], colors, known, line, ax).with_series(names)
        marks = _draw_found_operating_points(ax, frames["found"], looks)
    if "curve" in frames:
        plot_roc(frames["curve"], colors=colors, line=line, legend=legend, ax=ax)
        return ax
    draw_square_of_roc_space(ax)
    if marks:
        name_series(ax, marks, on_lines=False, legend=legend)
    return ax


def _draw_found_operating_points(
    ax: Axes, found: pd.DataFrame, looks: Looks
) -> dict[Series, Line2D]:
    """Draw the operating points of each predictor; return a mark of each."""
    marks = {}
    for (predictor, group), piece in frame_pieces_by_keys(found, ["predictor", "group"]):
        name = (predictor, group)
        x, y = piece["fpr"].to_numpy(), piece["tpr"].to_numpy()
        look = {"marker": looks.marker(name), "color": looks.colour(name), "markersize": 6}
        (marks[name],) = ax.plot(x, y, linestyle="none", **look, zorder=4, clip_on=False)
    return marks
