"""Random classifiers in ROC space, behind the points and curves that should stand out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.present.plots.common import (
    colour_of,
    draw_legend,
    new_axes,
    pieces_of,
    require_frame,
    series_labels,
    series_of,
)
from rocstats.present.plots.roc import draw_roc, draw_square

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

    from rocstats.present.plots.common import Series

_NEEDED = {
    "points": ("fpr", "tpr"),
    "found": ("predictor", "fpr", "tpr"),
    "curve": ("predictor", "fold", "fpr", "tpr"),
}
_SOURCE = {
    "points": "study.random_points()",
    "found": "study.operating_points_versus_random(...)",
    "curve": "study.roc_curve()",
}


def plot_random_points(
    points: pd.DataFrame,
    *,
    curve: pd.DataFrame | None = None,
    found: pd.DataFrame | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Return the axes on which random classifiers are scattered, with what was found before them.

    Parameters
    ----------
    points : pandas.DataFrame
        Random classifiers as ``study.random_points()`` gives them: small grey points.
    curve : pandas.DataFrame, optional
        Curves as ``study.roc_curve()`` gives them.
    found : pandas.DataFrame, optional
        Operating points of classifiers: columns ``predictor, [group], fpr, tpr``, for instance
        those of ``study.operating_points_versus_random(...)``.
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
        If a frame lacks columns or rows.

    Notes
    -----
    Draw as many random classifiers as were tried, or many more to see where they lie. A point has
    the colour of its predictor's curve if there is one.

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
    frames = {"points": points, "curve": curve, "found": found}
    for argument, frame in frames.items():
        if argument == "points" or frame is not None:
            require_frame(argument, frame, _NEEDED[argument], _SOURCE[argument])
    ax = new_axes() if ax is None else ax
    if curve is None:
        draw_square(ax)
    else:
        draw_roc(ax, curve)
    rates = points["fpr"].to_numpy(), points["tpr"].to_numpy()
    ax.scatter(*rates, s=9, c="0.6", linewidths=0, zorder=0.5, clip_on=False)
    if found is not None:
        _draw_found(ax, found, [] if curve is None else series_of(curve))
    return ax


def _draw_found(ax: Axes, found: pd.DataFrame, of_curves: Sequence[Series]) -> None:
    """Draw the points of each predictor; without curves the legend names them."""
    own = series_of(found)
    names = list(dict.fromkeys([*of_curves, *own]))
    marks = []
    for name, piece in pieces_of(found, ["predictor", "group"]):
        x, y = piece["fpr"].to_numpy(), piece["tpr"].to_numpy()
        colour = colour_of(names.index((name[0], name[1])))
        marks += ax.plot(x, y, "o", color=colour, markersize=7, zorder=4, clip_on=False)
    if not of_curves:
        draw_legend(ax, marks, series_labels(own, None, argument="found", what="point"))
