"""Colours and dashes of lines, and lines thinned to what can be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.present.plots.shared.series import Series, pieces_of

FloatArray = np.ndarray[Any, np.dtype[np.float64]]

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

PALETTE = ("#17204f", "#a8321a", "#3f9fd4", "#dba92a")
"""Colours from dark to light: they differ in grey value, and for colour-blind readers."""

# Lengths in line widths: solid, long, long with dot, short.
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (7, 2, 1.5, 2)), (0, (2, 1.5)))

CHANCE: dict[str, Any] = {"color": "0.4", "linewidth": 1.0, "linestyle": ":", "zorder": 1}
"""Look of reference lines, such as that of an uninformative predictor."""

WIDE, THIN = 1.6, 0.7
"""Widths in points of the line of a curve, and of the lines of its single folds."""

# The sides of square axes are about 310 points: a cell is 0.15 points wide, a tenth of a line, and
# less than a pixel of a print at 300 dpi (0.24 points).
_VISIBLE = 2000


def colour_of(index: int) -> str:
    """Return the colour of the series at a place."""
    return PALETTE[index % len(PALETTE)]


def dashes_of(index: int) -> Any:
    """Return the dashes of the series at a place."""
    # Each time the colours are used up, the dashes shift by one against them: 16 distinct lines.
    return DASHES[(index + index // len(PALETTE)) % len(DASHES)]


def look_of(index: int) -> dict[str, Any]:
    """Return colour, dashes and width of the line of the series at a place."""
    return {"color": colour_of(index), "linestyle": dashes_of(index), "linewidth": WIDE}


def draw_lines(
    ax: Axes,
    curve: pd.DataFrame,
    names: Sequence[Series],
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
    names : sequence of Series
        The series in the order of their colours.
    trace : callable
        Returns x and y of the rows of one curve.
    clip : bool, default False
        Whether lines end at the axes; otherwise a line along an axis keeps its full width.
    fold_alpha : float in (0, 1], default 1.0
        Opacity of the curves of single folds.
    """
    lines: dict[Series, Line2D] = {}
    for (predictor, group, fold), piece in pieces_of(curve, ["predictor", "group", "fold"]):
        index = names.index((predictor, group))
        x, y = visible_points(*trace(piece))
        (line,) = ax.plot(x, y, **look_of(index), zorder=3, clip_on=clip)
        if fold:
            line.set(linewidth=THIN, alpha=fold_alpha, zorder=2)
        # The legend shows the curve of all folds, or the first fold where there are only folds.
        if not fold or (predictor, group) not in lines:
            lines[predictor, group] = line
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
    >>> from rocstats.present.plots.shared.lines import visible_points
    >>> line = np.linspace(0, 1, 1_000_001)
    >>> len(visible_points(line, line)[0]) < 8004
    True
    """
    column, row = _cell(x), _cell(y)
    changes = (column[1:] != column[:-1]) | (row[1:] != row[:-1])
    keep = np.append(changes, True) | np.append(True, changes)
    return x[keep], y[keep]


def _cell(values: FloatArray) -> FloatArray:
    # A line along an axis has no extent in the other direction. With a NaN all cells are NaN, which
    # differs from itself: all points of an undefined curve are kept.
    extent = float(np.ptp(values)) or 1.0
    return np.asarray(np.floor(_VISIBLE * ((values - values.min()) / extent)))
