"""Dots in columns, each a share of a distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.present.plots.shared.lines import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Points: the largest dot, as a mark on a curve, and the least that is still one.
_LARGEST, _LEAST = 6.0, 1.0

# Dots side by side where values are far apart: fives are counted at a glance.
_ACROSS = 5


def stacked(
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
    dot = _LARGEST
    x, y = _columns(values, dot * span / wide)
    while dot > _LEAST and (y.max(initial=0) + below + 1) * dot > tall:
        dot *= 0.95
        x, y = _columns(values, dot * span / wide)
    return x, y, dot, tall / dot - below


def _columns(values: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return places of dots of a width: values nearer than a dot are in one column."""
    gaps = np.diff(np.unique(values))
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
