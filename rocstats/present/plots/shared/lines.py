"""Lines of curves, thinned to what can be seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import THIN
from rocstats.present.plots.shared.series import Series, pieces_of

FloatArray = np.ndarray[Any, np.dtype[np.float64]]

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# The sides of square axes are about 310 points at most: a cell is 0.15 points wide, a tenth of a
# line, and less than a pixel of a print at 300 dpi (0.24 points).
_VISIBLE = 2000


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
