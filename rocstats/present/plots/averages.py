"""Averaged curves in ROC space, and error bars or rectangles around points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import BAND, BAND_OF_SEVERAL, EDGE
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


class Crosses(NamedTuple):
    """Points of ROC space with limits on both axes, NaN on the FPR axis where the FPR is given.

    ``joint`` means that both intervals of a point hold simultaneously: they span a rectangle.
    ``thresholds`` are those of the points, NaN where a rate is given.
    """

    x: FloatArray
    y: FloatArray
    x_limits: FloatArray
    y_limits: FloatArray
    joint: bool
    thresholds: FloatArray


def draw_average(ax: Axes, average: pd.DataFrame, looks: Looks) -> dict[Series, Line2D]:
    """Draw averaged curves with bars, or several with bands; return the line of each series.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    average : pandas.DataFrame
        Averages from ``study.roc_average()``.
    looks : Looks
        The series and their looks.
    """
    lines = {}
    pieces = pieces_of_curves("average", average, looks.drawn)
    for name, piece in pieces:
        vertical = (piece["kind"] == "vertical").all()
        crosses = _of_rates(piece) if vertical else crosses_of(piece, "average")
        look = looks.line(name)
        (lines[name],) = ax.plot(crosses.x, crosses.y, **look, zorder=4, clip_on=False)
        if vertical and len(pieces) > 1:
            _draw_limits(ax, crosses, look)
        else:
            draw_bars(ax, crosses, look["color"])
    return lines


def _draw_limits(ax: Axes, crosses: Crosses, look: dict[str, Any]) -> None:
    """Join the limits at the rates of an average: bars of several averages hide each other."""
    ax.fill_between(
        crosses.x, *crosses.y_limits, color=look["color"], alpha=BAND_OF_SEVERAL, linewidth=0,
        zorder=1.5,
    )  # fmt: skip
    for limits in crosses.y_limits:
        ax.plot(crosses.x, limits, **{**look, "linewidth": EDGE}, zorder=1.8)


def _of_rates(piece: pd.DataFrame) -> Crosses:
    """Return the points of a vertical average, by ascending false positive rate."""
    piece = piece.sort_values("fpr", kind="stable")
    x = piece["fpr"].to_numpy()
    y, y_limits = _estimates(piece)
    given = np.full((2, len(x)), np.nan)
    return Crosses(x, y, given, y_limits, joint=False, thresholds=given[0])


def crosses_of(piece: pd.DataFrame, argument: str) -> Crosses:
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
    # The level of joint intervals is in the note; limits for every threshold are joint themselves.
    joint = bool(
        fpr["note"].astype(str).str.contains("joint-level=").any()
        or fpr["method"].astype(str).str.endswith("/dkw").any()
    )
    return Crosses(x[order], y[order], x_limits[:, order], y_limits[:, order], joint, at_fpr[order])


def _estimates(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return rows["estimate"].to_numpy(), rows[["ci_low", "ci_high"]].to_numpy().T


def draw_bars(ax: Axes, crosses: Crosses, colour: Any) -> None:
    """Draw the limits of points as bars, or as rectangles where they are simultaneous."""
    if crosses.joint:
        _draw_rectangles(ax, crosses, colour)
        return
    ax.errorbar(
        crosses.x,
        crosses.y,
        # matplotlib takes lengths of bars, not limits.
        xerr=np.abs(crosses.x_limits - crosses.x),
        yerr=np.abs(crosses.y_limits - crosses.y),
        fmt="none",
        ecolor=colour,
        elinewidth=EDGE,
        capsize=2,
        zorder=5,
        clip_on=False,
    )


def _draw_rectangles(ax: Axes, crosses: Crosses, colour: Any) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    for (left, right), (low, high) in zip(crosses.x_limits.T, crosses.y_limits.T, strict=True):
        if np.isfinite([left, right, low, high]).all():
            ax.add_patch(
                Rectangle(
                    (left, low),
                    right - left,
                    high - low,
                    facecolor=(*to_rgb(colour), BAND),  # alpha would fade the edge too
                    edgecolor=colour,
                    linewidth=EDGE,
                    zorder=2.5,
                    clip_on=False,
                )
            )
