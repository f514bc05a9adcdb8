"""Cost curves, and who is superior over the range of relative costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.bands import draw_differences
from rocstats.present.plots.common import (
    CHANCE,
    FloatArray,
    Series,
    colour_of,
    draw_legend,
    draw_lines,
    new_axes,
    pieces_of,
    require_frame,
    series_labels,
    series_of,
    set_unit_ticks,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COST = ("predictor", "fold", "probability_cost", "normalized_cost")
_CURVE = ("predictor", "fold", "fpr", "tpr")
_SUPERIORITY = ("predictor", "cost_share_low", "cost_share_high")
_DIFFERENCE = ("predictor", "reference", "probability_cost", "estimate", "ci_low", "ci_high")
_MOST_LINES = 40


def plot_cost(
    cost: pd.DataFrame, *, curve: pd.DataFrame | None = None, ax: Axes | None = None
) -> Axes:
    """Return the axes on which cost curves are drawn.

    Parameters
    ----------
    cost : pandas.DataFrame
        Cost curves as ``study.cost_curve()`` gives them: a line for each predictor, group and fold.
    curve : pandas.DataFrame, optional
        ROC curves of the same predictors as ``study.roc_curve()`` gives them: the cost line of each
        point is drawn thin; of long curves some 40 lines, evenly spread along the curve.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure, so that a notebook shows them.
        Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or ``curve`` has a predictor that ``cost`` lacks.

    Notes
    -----
    Lower is better. The dotted triangle is what calling nobody (left) or everybody (right) positive
    costs, so that no cost curve is above it; the vertical axis ends at its top, 0.5, and cuts the
    thin lines. Lines differ in colour, grey value and dashes.

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
    require_frame("cost", cost, _COST, "study.cost_curve()")
    names = series_of(cost)
    if curve is not None:
        require_frame("curve", curve, _CURVE, "study.roc_curve()")
    ax = new_axes() if ax is None else ax
    ax.plot([0, 0.5, 1], [0, 0.5, 0], **CHANCE)
    if curve is not None:
        _draw_cost_lines(ax, curve, names)
    lines = draw_lines(ax, cost, names, _costs)
    set_unit_ticks(ax, x=True, y=False)
    ax.set(
        ylim=(0, 0.5),
        yticks=np.linspace(0, 0.5, 6),
        xlabel="Probability cost, PC(+)",
        ylabel="Normalized expected cost",
    )
    if len(names) > 1:
        labels = series_labels(names)
        draw_legend(ax, [lines[name] for name in names], labels, loc="upper right")
    return ax


def _costs(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return piece["probability_cost"].to_numpy(), piece["normalized_cost"].to_numpy()


def _draw_cost_lines(ax: Axes, curve: pd.DataFrame, names: Sequence[Series]) -> None:
    from matplotlib.collections import LineCollection

    for (predictor, group), piece in pieces_of(curve, ["predictor", "group"]):
        if (predictor, group) not in names:
            raise InputError(
                f"`curve` must be of predictors (and groups) in `cost`; got {predictor!r}."
                " Pass the curves of the same study."
            )
        for _, points in pieces_of(piece, ["fold"]):
            fpr, tpr = points["fpr"].to_numpy(), points["tpr"].to_numpy()
            at = _spread(fpr + tpr)
            ends = [[(0.0, fpr[i]), (1.0, 1 - tpr[i])] for i in at]
            colour = colour_of(names.index((predictor, group)))
            ax.add_collection(
                LineCollection(ends, colors=colour, linewidths=0.5, alpha=0.25, zorder=2),
                autolim=False,
            )


def _spread(along: FloatArray) -> Sequence[int]:
    """Return all points of a short curve, and evenly spread ones of a long curve."""
    if len(along) <= _MOST_LINES:
        return range(len(along))
    wanted = np.linspace(along[0], along[-1], _MOST_LINES)
    return sorted(set(np.searchsorted(along, wanted).tolist()))


def plot_cost_difference(difference: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Return the axes on which differences of cost curves are drawn with their bands.

    Parameters
    ----------
    difference : pandas.DataFrame
        Bands of differences as ``study.cost_difference_band()`` gives them.
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
    A line for each pair (and group), its band translucent; below the dotted line of no difference
    the first of the pair costs less. A thick line along it marks where the band excludes 0.

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
    require_frame("difference", difference, _DIFFERENCE, "study.cost_difference_band()")
    ax = new_axes() if ax is None else ax
    draw_differences(ax, difference, "probability_cost")
    ax.set(xlabel="Probability cost, PC(+)", ylabel="Difference of normalized expected costs")
    return ax


def plot_superiority(superiority: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Return the axes on which bars say which predictor loses least at which cost share.

    Parameters
    ----------
    superiority : pandas.DataFrame
        Ranges as ``study.superiority_curve()`` gives them: a row of bars for each predictor (and
        group) that wins somewhere, one for ties.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure, so that a notebook shows them.
        Nothing is shown or saved here.

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
    The bars of a group fill the range from 0 to 1 without overlap. Hatched bars are ties: several
    predictors lose the same, mostly because calling everybody (left) or nobody (right) positive is
    best. A predictor without a row never is alone the best. A group that lacks a class has no bars.
    Rows say whose the bars are, so all have one colour.

    References
    ----------
    - Adams & Hand (1999) [adams-1999]
    - Fawcett (2004), section 7.5.3 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> ax = rs.plot_superiority(study.superiority_curve())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['late', 'early']
    """
    require_frame("superiority", superiority, _SUPERIORITY, "study.superiority_curve()")
    defined = superiority[superiority["cost_share_low"].notna()]
    rows = _rows(defined)
    if ax is None:
        ax = new_axes()
        ax.figure.set_size_inches(6, 1 + 0.4 * len(rows))  # type: ignore[union-attr]
    for name, piece in pieces_of(defined, ["predictor", "group"]):
        tie = not name[0]
        ax.barh(
            rows.index(name),
            piece["cost_share_high"] - piece["cost_share_low"],
            left=piece["cost_share_low"],
            height=0.6,
            color="white" if tie else colour_of(0),
            edgecolor="0.4" if tie else "black",
            hatch="////" if tie else None,
            linewidth=0.8,
        )
    set_unit_ticks(ax, x=True, y=False)
    labels = series_labels([(name or "(tie)", group) for name, group in rows])
    ax.set_yticks(range(len(rows)), labels, parse_math=False)
    ax.set(
        ylim=(len(rows) - 0.4, -0.6),
        xlabel="Cost share of a false positive, cost_fp / (cost_fp + cost_fn)",
    )
    ax.tick_params(axis="y", length=0)
    return ax


def _rows(superiority: pd.DataFrame) -> list[Series]:
    """Return what has a row of bars: groups in order, in each the predictors, then ties."""
    names = series_of(superiority)
    groups = list(dict.fromkeys(group for _, group in names))
    return sorted(names, key=lambda name: (groups.index(name[1]), name[0] == ""))
