"""Averaged curves and operating points in ROC space, with error bars or rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.shared.lines import FloatArray, colour_of, look_of
from rocstats.present.plots.shared.series import Series, pieces_of_curves

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

AVERAGE_COLUMNS = (
    "predictor",
    "kind",
    "quantity",
    "threshold",
    "fpr",
    "estimate",
    "ci_low",
    "ci_high",
    "note",
)
POINT_COLUMNS = ("predictor", "quantity", "threshold", "estimate", "ci_low", "ci_high", "note")

# Distance between the bars of two vertical averages at the same FPR, which would hide each other:
# 3.7 points on square axes, more than the width of a bar. The shift misplaces the FPR by as much.
_SIDE_BY_SIDE = 0.012


class Crosses(NamedTuple):
    """Points of ROC space with limits on both axes, NaN on the FPR axis where the FPR is given.

    ``joint`` means that both intervals of a point hold simultaneously: they span a rectangle.
    """

    x: FloatArray
    y: FloatArray
    x_limits: FloatArray
    y_limits: FloatArray
    joint: bool


def draw_average(ax: Axes, average: pd.DataFrame, names: Sequence[Series]) -> dict[Series, Line2D]:
    """Draw averaged curves with their error bars; return the line of each series.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    average : pandas.DataFrame
        Averages from ``study.roc_average()``.
    names : sequence of Series
        The series in the order of their colours.
    """
    lines = {}
    pieces = pieces_of_curves("average", average, names)
    for place, (name, piece) in enumerate(pieces):
        vertical = (piece["kind"] == "vertical").all()
        crosses = _of_rates(piece) if vertical else _of_thresholds(piece, "average")
        index = names.index(name)
        look = look_of(index)
        (lines[name],) = ax.plot(crosses.x, crosses.y, **look, zorder=4, clip_on=False)
        shift = _SIDE_BY_SIDE * (place - (len(pieces) - 1) / 2) if vertical else 0.0
        _draw_bars(ax, crosses, colour_of(index), shift)
    return lines


def draw_points(ax: Axes, points: pd.DataFrame, names: Sequence[Series]) -> None:
    """Draw operating points with crosses, or with rectangles where the intervals are joint.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    points : pandas.DataFrame
        Points from ``study.operating_points()``; only "fpr" and "tpr" are drawn.
    names : sequence of Series
        The series in the order of their colours.
    """
    for name, piece in pieces_of_curves("points", points, names):
        crosses = _of_thresholds(piece, "points")
        colour = colour_of(names.index(name))
        ax.plot(
            crosses.x,
            crosses.y,
            linestyle="none",
            marker="o",
            markersize=6,
            markerfacecolor="white",
            markeredgecolor=colour,
            zorder=6,
            clip_on=False,
        )
        _draw_bars(ax, crosses, colour)


def _of_rates(piece: pd.DataFrame) -> Crosses:
    """Return the points of a vertical average, by ascending false positive rate."""
    piece = piece.sort_values("fpr", kind="stable")
    x = piece["fpr"].to_numpy()
    y, y_limits = _estimates(piece)
    return Crosses(x, y, np.full((2, len(x)), np.nan), y_limits, joint=False)


def _of_thresholds(piece: pd.DataFrame, argument: str) -> Crosses:
    """Return the points at thresholds, by ascending FPR; a point is a row of each rate."""
    fpr, tpr = (piece[piece["quantity"] == axis] for axis in ("fpr", "tpr"))
    at_fpr, at_tpr = (rows["threshold"].to_numpy(dtype=np.float64) for rows in (fpr, tpr))
    # Points at a given rate have no threshold: NaN must equal NaN.
    if not np.array_equal(at_fpr, at_tpr, equal_nan=True):
        raise InputError(
            f"`{argument}` must have rows of both rates at each threshold; got {len(fpr)} of fpr"
            f" and {len(tpr)} of tpr. Pass the whole frame."
        )
    x, x_limits = _estimates(fpr)
    y, y_limits = _estimates(tpr)
    # The last key sorts first: by FPR, then by TPR, so that steps upward are drawn upward.
    order = np.lexsort((y, x))
    # The level of joint intervals is in the note; the frame has no column for it.
    joint = bool(fpr["note"].astype(str).str.contains("joint-level=").any())
    return Crosses(x[order], y[order], x_limits[:, order], y_limits[:, order], joint)


def _estimates(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return rows["estimate"].to_numpy(), rows[["ci_low", "ci_high"]].to_numpy().T


def _draw_bars(ax: Axes, crosses: Crosses, colour: str, shift: float = 0.0) -> None:
    if crosses.joint:
        _draw_rectangles(ax, crosses, colour)
        return
    ax.errorbar(
        crosses.x + shift,
        crosses.y,
        # matplotlib takes lengths of bars, not limits.
        xerr=np.abs(crosses.x_limits - crosses.x),
        yerr=np.abs(crosses.y_limits - crosses.y),
        fmt="none",
        ecolor=colour,
        elinewidth=1.0,
        capsize=2.5,
        zorder=5,
        clip_on=False,
    )


def _draw_rectangles(ax: Axes, crosses: Crosses, colour: str) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    for (left, right), (low, high) in zip(crosses.x_limits.T, crosses.y_limits.T, strict=True):
        if np.isfinite([left, right, low, high]).all():
            ax.add_patch(
                Rectangle(
                    (left, low),
                    right - left,
                    high - low,
                    facecolor=(*to_rgb(colour), 0.12),  # alpha would fade the edge too
                    edgecolor=colour,
                    linewidth=0.9,
                    zorder=2.5,
                    clip_on=False,
                )
            )
