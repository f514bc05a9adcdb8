"""Lines of curves and the areas between limits, the square of ROC space, and dots in columns.

Lines are thinned to what can be seen. The square has the diagonal of chance. Each dot of a column
is a share of a distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import QUANTITIES
from rocstats.plots.axes import (
    BAND,
    BAND_OF_SEVERAL,
    CHANCE,
    EDGE,
    THIN,
    Looks,
    Series,
    pieces_of,
    set_square_ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# --- Lines ----------------------------------------------------------------------------------------


def draw_lines(
    ax: Axes,
    curve: pd.DataFrame,
    looks: Looks,
    trace: Callable[[pd.DataFrame], tuple[FloatArray, FloatArray]],
    *,
    clip: bool = False,
    fold_alpha: float = 1.0,
) -> dict[Series, Line2D]:
    """Draw a line for each predictor, group and fold; return the line that the legend shows.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve : pandas.DataFrame
        Curves with ``predictor, [group], fold``.
    looks : Looks
        The series and their looks.
    trace : callable
        Returns x and y of the rows of one curve.
    clip : bool, default False
        Whether lines end at the axes; otherwise a line along an axis keeps its full width.
    fold_alpha : float in (0, 1], default 1.0
        Opacity of the curves of single folds.
    """
    lines: dict[Series, Line2D] = {}
    for (predictor, group, fold), piece in pieces_of(curve, ["predictor", "group", "fold"]):
        x, y = visible_points(*trace(piece))
        (line,) = ax.plot(x, y, **looks.line((predictor, group)), zorder=3, clip_on=clip)
        if fold:
            line.set(linewidth=THIN, alpha=fold_alpha, zorder=2)
        # The legend shows the curve of all folds, or the first fold where there are only folds.
        if not fold or (predictor, group) not in lines:
            lines[predictor, group] = line
    return lines


def draw_limits(
    ax: Axes, pieces: Sequence[tuple[Series, pd.DataFrame]], looks: Looks, x: str
) -> None:
    """Shade the area between the limits of each series over column ``x``; edges if several."""
    alpha = BAND if len(pieces) == 1 else BAND_OF_SEVERAL
    for name, piece in pieces:
        at, low, high = (piece[column].to_numpy() for column in (x, "ci_low", "ci_high"))
        # Below all curves (2 and up), above the dotted line of chance or no benefit (1).
        ax.fill_between(
            at, low, high, color=looks.colour(name), alpha=alpha, linewidth=0, zorder=1.5
        )
        if len(pieces) > 1:
            edge = {**looks.line(name), "linewidth": EDGE, "zorder": 1.8}
            for limit in (low, high):
                ax.plot(at, limit, **edge)


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
    column, row = _cell(x), _cell(y)
    changes = (column[1:] != column[:-1]) | (row[1:] != row[:-1])
    keep = np.append(changes, True) | np.append(True, changes)
    return x[keep], y[keep]


# The sides of square axes are about 310 points at most: a cell is 0.15 points wide, a tenth of a
# line, and less than a pixel of a print at 300 dpi (0.24 points).
_VISIBLE = 2000


def _cell(values: FloatArray) -> FloatArray:
    # A line along an axis has no extent in the other direction. With a NaN all cells are NaN, which
    # differs from itself: all points of an undefined curve are kept.
    extent = float(np.ptp(values)) or 1.0
    return np.asarray(np.floor(_VISIBLE * ((values - values.min()) / extent)))


def rates_of(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the rows of a curve."""
    return piece["fpr"].to_numpy(), piece["tpr"].to_numpy()


# --- The square of ROC space ----------------------------------------------------------------------


def draw_square(ax: Axes) -> None:
    """Draw the axes of ROC space, with the diagonal of chance."""
    ax.plot([0, 1], [0, 1], **CHANCE)
    set_square_ticks(ax)
    ax.set(xlabel=QUANTITIES["fpr"].axis, ylabel=QUANTITIES["tpr"].axis)


# --- Dots in columns ------------------------------------------------------------------------------

# Points: the largest dot, as a mark on a curve, and the least that is still one.
_LARGEST_DOT, _LEAST_DOT = 6.0, 1.0

# Dots side by side where values are far apart: fives are counted at a glance.
_ACROSS = 5


def stacked_dots(
    ax: Axes, values: FloatArray, span: float, *, below: float
) -> tuple[FloatArray, FloatArray, float, float]:
    """Return places of dots, their size, and the height of the axes in dots.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes; the dots are as large as the highest column lets them be.
    values : array of float, ascending
        Finite values, one for each dot.
    span : float
        Length of the horizontal axis.
    below : float
        Room under the dots, in dots.

    Returns
    -------
    x, y : array of float
        Places; heights are counted in dots.
    dot : float
        Diameter of a dot in points.
    top : float
        End of the vertical axis, which starts at ``-below``.
    """
    box = ax.get_window_extent()
    wide, tall = (72 * size / ax.figure.dpi for size in (box.width, box.height))
    dot = _LARGEST_DOT
    x, y = _columns(values, dot * span / wide)
    while dot > _LEAST_DOT and (y.max(initial=0) + below + 1) * dot > tall:
        dot *= 0.95
        x, y = _columns(values, dot * span / wide)
    return x, y, dot, tall / dot - below


def _columns(values: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return places of dots of a width: values nearer than a dot are in one column."""
    gaps = np.diff(np.unique(values))
    with np.errstate(divide="ignore"):  # the width of a dot can be below the least number
        # A column and a gap as wide fit between the values.
        across = int(np.clip(gaps.min(initial=np.inf) / (2 * width), 1, _ACROSS))
    x, y = np.empty(len(values)), np.empty(len(values))
    start = 0
    while start < len(values):
        end = max(int(np.searchsorted(values, values[start] + width)), start + 1)
        row, place = np.divmod(np.arange(end - start), across)
        middle = (values[start] + values[end - 1]) / 2
        x[start:end] = middle + width * (place - (across - 1) / 2)
        y[start:end] = row + 0.5
        start = end
    return x, y
