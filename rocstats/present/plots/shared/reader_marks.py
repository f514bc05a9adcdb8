"""Curves of readers, where each of them works, and machines, in ROC space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import InputError
from rocstats.present.places import SIGNS, threshold_text
from rocstats.present.plots.shared.lines import visible_points
from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import EDGE, SECOND_TEXT, THIN
from rocstats.present.plots.shared.series import Series, pieces_of
from rocstats.present.plots.shared.square import rates_of
from rocstats.present.readers.frames import EVERY

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Curves of readers are behind their average, which is read first.
_FAINT = 0.5

_SIZE = 4.5  # points: of many marks, a little smaller than those of a single curve


def draw_lines(ax: Axes, curve: pd.DataFrame, looks: Looks) -> dict[Series, Line2D]:
    """Draw the curve of each reader, and the averages; return the line that the key shows."""
    lines: dict[Series, Line2D] = {}
    for (predictor, group, reader), piece in pieces_of(curve, ["predictor", "group", "reader"]):
        name = (predictor, group)
        x, y = visible_points(*rates_of(piece))
        (line,) = ax.plot(x, y, **looks.line(name), zorder=4, clip_on=False)
        if reader != EVERY:
            line.set(linewidth=THIN, alpha=_FAINT, zorder=2)
        if reader == EVERY or name not in lines:
            lines[name] = line
    return lines


def draw_points(ax: Axes, points: pd.DataFrame, looks: Looks) -> dict[str, Line2D]:
    """Mark where each reader works; return the line of the key that says so."""
    own = points[points["reader"] != EVERY]
    for (predictor, group), piece in pieces_of(own, ["predictor", "group"]):
        name = (predictor, group)
        ax.plot(
            *_rates_of_points(piece), looks.marker(name), color=looks.colour(name),
            markersize=_SIZE, markeredgecolor="white", markeredgewidth=0.5, zorder=6,
            clip_on=False,
        )  # fmt: skip
    (line,) = ax.plot([], [], "o", color=SECOND_TEXT, markersize=_SIZE)
    return {f"Each reader{_threshold_of(own)}": line}


def _rates_of_points(piece: pd.DataFrame) -> tuple[Any, Any]:
    """Return false and true positive rates of the readers of a modality."""
    rates = {}
    for rate in ("fpr", "tnr", "tpr"):
        rows = piece[piece["quantity"] == rate]
        if rows["reader"].duplicated().any():
            raise InputError(
                f"`points` must have one point for each reader; got {len(rows)} rows of {rate} for"
                f" {rows['reader'].nunique()} readers. Choose a threshold."
            )
        rates[rate] = rows.set_index("reader")["estimate"]
    fpr = rates["fpr"] if len(rates["fpr"]) else 1 - rates["tnr"]
    both = rates["tpr"].index.intersection(fpr.index, sort=False)
    if not len(both):
        raise InputError(
            "`points` must have rows of both rates; got quantities"
            f" {', '.join(piece['quantity'].unique())}. Pass readers.operating_points()."
        )
    return fpr[both].to_numpy(), rates["tpr"][both].to_numpy()


def _threshold_of(points: pd.DataFrame) -> str:
    """Return " at ≥ 3" if all readers have one threshold."""
    columns = [name for name in ("direction", "threshold") if name in points]
    if len(columns) < 2 or len(points[columns].drop_duplicates()) > 1:
        return ""
    direction, threshold = points[columns].iloc[0]
    return "" if np.isnan(threshold) else f" at {SIGNS[direction]}{threshold_text(threshold, 3)}"


def draw_machine(ax: Axes, machine: pd.DataFrame, looks: Looks) -> dict[str, Line2D]:
    """Draw the curves or points of machines; return their lines by name."""
    lines = {}
    for (predictor,), piece in pieces_of(machine, ["predictor"]):
        name = (predictor, "")
        looks = looks.with_series([name])
        if "quantity" in piece:
            place = _rates_of_points(piece.assign(reader=EVERY))
            (line,) = ax.plot(
                *place, looks.marker(name), color=looks.colour(name), markersize=2 * _SIZE,
                markerfacecolor="white", markeredgewidth=2 * EDGE, zorder=7, clip_on=False,
            )  # fmt: skip
        else:
            x, y = visible_points(*rates_of(piece))
            (line,) = ax.plot(x, y, **looks.line(name), zorder=5, clip_on=False)
        lines[predictor] = line
    return lines
