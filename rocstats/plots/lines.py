"""Lines of curves, bands between limits, the square of ROC space, and its panels.

Lines are thinned to what can be seen. The square has the diagonal of chance. More curves than can
be told apart have a panel each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import QUANTITIES
from rocstats.plots.axes import (
    BAND,
    BAND_OF_SEVERAL,
    EDGE,
    THIN,
    Width,
    chance_look,
    inks,
    label_panels_once,
    new_panels,
    set_square_ticks,
    write_labels,
)
from rocstats.plots.series import (
    Curves,
    Looks,
    Series,
    frame_pieces_by_keys,
    is_of_series,
    panel_titles,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# --- Lines ----------------------------------------------------------------------------------------


Trace = Callable[[pd.DataFrame], tuple[FloatArray, FloatArray]]
"""Returns x and y of the rows of one curve."""


def draw_lines(
    ax: Axes,
    curve: pd.DataFrame,
    looks: Looks,
    trace: Trace,
    *,
    clip: bool = False,
    parts: str = "fold",
    whole: str = "",
    part_alpha: float = 1.0,
    zorder: float = 3,
) -> dict[Series, Line2D]:
    """Draw a line for each predictor, group and fold; return the line that the legend shows.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    curve : pandas.DataFrame
        Curves with ``predictor, [group]`` and ``parts``.
    looks : Looks
        The series and their looks.
    trace : Trace
        Returns x and y of the rows of one curve, see ``trace_of``.
    clip : bool, default False
        Whether lines end at the axes; otherwise a line along an axis keeps its full width.
    parts, whole : str, default "fold" and ""
        Column of the parts of a series, whose curves are thin, and its word for the whole.
    part_alpha : float in (0, 1], default 1.0
        Opacity of the curves of parts.
    zorder : float, default 3
        Place of whole curves among what is drawn; those of parts are behind them.
    """
    lines: dict[Series, Line2D] = {}
    for (predictor, group, part), piece in frame_pieces_by_keys(
        curve, ["predictor", "group", parts]
    ):
        name = (predictor, group)
        x, y = visible_points(*trace(piece))
        look = {"zorder": zorder, "clip_on": clip, **looks.line(name)}
        if part != whole:
            thin = {"linewidth": THIN, "alpha": part_alpha, "zorder": 2}
            look |= thin | dict(looks.options_of(name))
        (line,) = ax.plot(x, y, **look)
        # The legend shows the curve of the whole, or the first part where there are only parts.
        if part == whole or name not in lines:
            lines[name] = line
    return lines


def visible_points(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points of a line that are needed to draw it.

    Parameters
    ----------
    x, y : array of float
        Coordinates along the line.

    Returns
    -------
    x, y : array of float
        Some of the points, first and last included; at most 8004 of a line that never falls.

    Notes
    -----
    The rectangle around the line is cut into cells of 1/2000 of its sides. Of consecutive points in
    one cell the first and the last are kept: no part of the line moves by more than the width of a
    cell, and segments between cells are the original ones. Without this, a curve of 10^6 rows takes
    seconds to draw and a vector file of 30 megabytes.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.plots.lines import visible_points
    >>> line = np.linspace(0, 1, 1_000_001)
    >>> len(visible_points(line, line)[0]) < 8004
    True
    """
    column, row = _drawing_grid_cell_of_values(x), _drawing_grid_cell_of_values(y)
    changes = (column[1:] != column[:-1]) | (row[1:] != row[:-1])
    keep = np.append(changes, True) | np.append(True, changes)
    return x[keep], y[keep]


# The sides of square axes are about 310 points at most: a cell is 0.15 points wide, a tenth of a
# line, and less than a pixel of a print at 300 dpi (0.24 points).
_VISIBLE = 2000


def _drawing_grid_cell_of_values(values: FloatArray) -> FloatArray:
    # A line along an axis has no extent in the other direction. With a NaN all cells are NaN, which
    # differs from itself: all points of an undefined curve are kept.
    extent = float(np.ptp(values)) or 1.0
    return np.asarray(np.floor(_VISIBLE * ((values - values.min()) / extent)))


def trace_of(x: str, y: str) -> Trace:
    """Return the trace whose points are in two columns."""
    return lambda piece: (piece[x].to_numpy(), piece[y].to_numpy())


rates_of = trace_of("fpr", "tpr")
"""The trace of ROC curves."""


# --- Bands between limits -------------------------------------------------------------------------


def shade_band(
    ax: Axes,
    x: FloatArray,
    limits: Sequence[FloatArray],
    colour: Any,
    dashes: Any,
    *,
    several: bool,
) -> list[Line2D]:
    """Shade the area between two limits; a band of several has edges, which are returned."""
    alpha = BAND_OF_SEVERAL if several else BAND
    # Below all curves (2 and up), above the dotted line of chance or no benefit (1).
    low, high = limits
    ax.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, zorder=1.5)
    look = {"color": colour, "linestyle": dashes, "linewidth": EDGE, "zorder": 1.8}
    return [ax.plot(x, limit, **look)[0] for limit in limits] if several else []


def draw_limits_around_series(
    ax: Axes, pieces: Sequence[tuple[Series, pd.DataFrame]], looks: Looks, x: str
) -> None:
    """Shade the area between the limits of each series over column ``x``; edges if several."""
    for name, piece in pieces:
        at, *limits = (piece[column].to_numpy() for column in (x, "ci_low", "ci_high"))
        look = looks.line(name)
        shade_band(ax, at, limits, look["color"], look["linestyle"], several=len(pieces) > 1)


# --- The square of ROC space ----------------------------------------------------------------------


def draw_square_of_roc_space(ax: Axes) -> None:
    """Draw the axes of ROC space, with the diagonal of chance."""
    ax.plot([0, 1], [0, 1], **chance_look())
    set_square_ticks(ax)
    write_labels(ax, QUANTITIES["fpr"].axis, QUANTITIES["tpr"].axis)


def draw_panels(
    figure: Curves,
    others: pd.DataFrame,
    draw: Callable[[Axes, Curves], dict[str, Line2D]],
    width: Width,
    *,
    shown: bool,
) -> Axes:
    """Draw a panel for each series, the others in grey; return the first panel.

    Parameters
    ----------
    figure : Curves
        The curves, and what is drawn with them.
    others : pandas.DataFrame
        The curves that are grey in the panels of other series.
    draw : callable
        Draws the curves of one series; returns lines of the key that the panels share.
    width : {"column", "page"}
        85 or 174 mm.
    shown : bool
        Whether a notebook shows the figure.
    """
    names = figure.looks.drawn
    axes = new_panels(panel_titles(names, figure.estimates), width, shown=shown)
    key: dict[str, Line2D] = {}
    for ax, name in zip(axes, names, strict=True):
        draw_square_of_roc_space(ax)
        rest = others[~is_of_series(others, name)]
        for _, other in frame_pieces_by_keys(rest, ["predictor", "group", "fold"]):
            ax.plot(
                *visible_points(*rates_of(other)), color=inks().others, linewidth=THIN, zorder=1.2
            )
        key |= draw(ax, figure.of_series(name))
    label_panels_once(axes, heading=figure.heading, key=key)
    return axes[0]
