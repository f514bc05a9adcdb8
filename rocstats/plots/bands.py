"""Bands around curves, averaged curves, and error bars of points.

Averages are in ROC space; limits of points are bars, or rectangles where they are simultaneous.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.plots.axes import BAND, EDGE, NULL_BAND, colour_of_series, dashes_of_series
from rocstats.plots.lines import shade_band
from rocstats.plots.series import Looks, Series, frame_pieces_by_keys, pieces_of_curves
from rocstats.tables.cells import SIGNS, threshold_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# --- Bands around curves --------------------------------------------------------------------------

Columns = tuple[str, str, str]
"""Where a band is, and its lower and upper limits there."""


def draw_bands(
    ax: Axes,
    band: pd.DataFrame,
    looks: Looks,
    columns: Columns = ("fpr", "tpr_low", "tpr_high"),
) -> dict[str, Line2D]:
    """Draw bands around curves; return the legend's lines by label where a curve has several.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    band : pandas.DataFrame
        Bands with ``predictor, [group], [scope, method]`` and ``columns``.
    looks : Looks
        The curves and their looks.
    columns : (str, str, str), default ("fpr", "tpr_low", "tpr_high")
        Columns of the place along a curve, and of the lower and the upper limit there.

    Raises
    ------
    InputError
        If a band belongs to no curve.
    """
    bands = [
        (name, kind, piece)
        for name, rows in pieces_of_curves("band", band, looks.drawn)
        for kind, piece in frame_pieces_by_keys(rows, ["predictor", "method", "scope"])
    ]
    kinds = list(dict.fromkeys(kind[1:] for _, kind, _ in bands))
    several = len(bands) > len({name for name, *_ in bands})
    lines: dict[str, Line2D] = {}
    for name, (_, method, scope), piece in bands:
        kind = kinds.index((method, scope))
        # With one curve, kinds of bands differ in colour too; with several, colour means the curve.
        alone = several and len(looks.drawn) == 1
        colour = colour_of_series(looks.place(name) + kind + 1) if alone else looks.colour(name)
        x, *limits = (piece[column].to_numpy() for column in columns)
        dashes = dashes_of_series(kind if several else looks.place(name))
        edges = shade_band(ax, x, limits, colour, dashes, several=len(bands) > 1)
        if several:
            lines.setdefault(_band_label(method, scope), edges[0])
    return lines


def _band_label(method: str, scope: str) -> str:
    # A band is simultaneous unless its label says otherwise.
    if scope in ("", "simultaneous"):
        return f"{method} band"
    return f"{method} limits" if method == scope else f"{method} ({scope})"


def draw_null_bands(ax: Axes, band: pd.DataFrame) -> None:
    """Draw the region of random scorers of each group; it is the same for all predictors."""
    from matplotlib.collections import PolyCollection

    for _, piece in frame_pieces_by_keys(band, ["group"]) if "group" in band else [("", band)]:
        rows = piece[piece["predictor"] == piece["predictor"].iloc[0]]
        # Limits on both axes: the band runs between the upper left and the lower right corners.
        above = rows[["fpr_low", "tpr_high"]].to_numpy()
        below = rows[["fpr_high", "tpr_low"]].to_numpy()
        outline = np.concatenate([above, below[::-1]])
        ax.add_collection(PolyCollection([outline], **NULL_BAND, zorder=0.5))


# --- Averages, and limits of points ---------------------------------------------------------------

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


def draw_average(ax: Axes, average: pd.DataFrame, looks: Looks) -> dict[Series, Line2D]:
    """Draw averaged curves with bars, or several with bands; return the line of each series.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    average : pandas.DataFrame
        Averages from ``study.roc_average()``.
    looks : Looks
        The series and their looks.
    """
    lines = {}
    pieces = pieces_of_curves("average", average, looks.drawn)
    for name, piece in pieces:
        vertical = (piece["kind"] == "vertical").all()
        crosses = (
            _crosses_of_vertical_average(piece)
            if vertical
            else roc_points_with_limits(piece, "average")
        )
        look = looks.line(name)
        (lines[name],) = ax.plot(crosses.x, crosses.y, **{"zorder": 4, "clip_on": False, **look})
        if vertical and len(pieces) > 1:
            # Bars of several averages would hide each other.
            limits = [*crosses.y_limits]
            shade_band(ax, crosses.x, limits, look["color"], look["linestyle"], several=True)
        else:
            draw_bars(ax, crosses, look["color"])
    return lines


def _crosses_of_vertical_average(piece: pd.DataFrame) -> RocPointsWithLimits:
    """Return the points of a vertical average, by ascending false positive rate."""
    piece = piece.sort_values("fpr", kind="stable")
    x = piece["fpr"].to_numpy()
    y, y_limits = _estimates_and_limits_of_rates(piece)
    missing = np.full((2, len(x)), np.nan)
    return RocPointsWithLimits(x, y, missing, y_limits, joint=False, thresholds=[""] * len(x))


class RocPointsWithLimits(NamedTuple):
    """Points of ROC space with limits on both axes, NaN on the FPR axis where the FPR is given.

    ``joint`` means that both intervals of a point hold simultaneously: they span a rectangle.
    ``thresholds`` are those of the points in words, "" where a rate is given.
    """

    x: FloatArray
    y: FloatArray
    x_limits: FloatArray
    y_limits: FloatArray
    joint: bool
    thresholds: Sequence[str]


def texts_of_thresholds(rows: pd.DataFrame) -> list[str]:
    """Return the threshold of each row in words with its side, "≥ 19.3"; "" of NaN."""
    beside = rows.get("next_score", pd.Series(np.nan, rows.index))
    sides = rows.get("direction", pd.Series("", rows.index))
    return [
        "" if np.isnan(value) else f"{SIGNS.get(side, '')}{threshold_text(value, other, 0)}"
        for value, other, side in zip(rows["threshold"], beside, sides, strict=True)
    ]


def roc_points_with_limits(piece: pd.DataFrame, argument: str) -> RocPointsWithLimits:
    """Return the points at thresholds, by ascending FPR; a point is a row of each rate."""
    fpr, tpr = (piece[piece["quantity"] == axis] for axis in ("fpr", "tpr"))
    at_fpr, at_tpr = (rows["threshold"].to_numpy(dtype=np.float64) for rows in (fpr, tpr))
    # Points at a given rate have no threshold: NaN must equal NaN.
    if not np.array_equal(at_fpr, at_tpr, equal_nan=True):
        raise InputError(
            f"`{argument}` must have rows of both rates at each threshold; got {len(fpr)} of fpr"
            f" and {len(tpr)} of tpr. Pass the whole frame."
        )
    x, x_limits = _estimates_and_limits_of_rates(fpr)
    y, y_limits = _estimates_and_limits_of_rates(tpr)
    # The last key sorts first: by FPR, then by TPR, so that steps upward are drawn upward.
    order = np.lexsort((y, x))
    texts = texts_of_thresholds(fpr.iloc[order])
    # The level of joint intervals is in the note; limits for every threshold are joint themselves.
    joint = bool(
        fpr["note"].astype(str).str.contains("joint-level=").any()
        or fpr["method"].astype(str).str.endswith("/dkw").any()
    )
    return RocPointsWithLimits(
        x[order], y[order], x_limits[:, order], y_limits[:, order], joint, texts
    )


def _estimates_and_limits_of_rates(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    return rows["estimate"].to_numpy(), rows[["ci_low", "ci_high"]].to_numpy().T


def draw_bars(ax: Axes, crosses: RocPointsWithLimits, colour: Any) -> None:
    """Draw the limits of points as bars, or as rectangles where they are simultaneous."""
    if crosses.joint:
        _draw_rectangles_of_limits(ax, crosses, colour)
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


def _draw_rectangles_of_limits(ax: Axes, crosses: RocPointsWithLimits, colour: Any) -> None:
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
