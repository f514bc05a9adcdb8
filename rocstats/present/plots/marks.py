"""What is marked on ROC curves: operating points, cutpoints, and the range of a partial area."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.present.plots.averages import Crosses, crosses_of, draw_bars
from rocstats.present.plots.shared.keys import write_beside
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import BAND, BAND_OF_SEVERAL
from rocstats.present.plots.shared.series import Series, pieces_of, pieces_of_curves
from rocstats.present.text import format_number

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocstats.present.plots.shared.room import Room

POINT_COLUMNS = ("predictor", "quantity", "threshold", "estimate", "ci_low", "ci_high", "note")

# More points than this are not labelled: in a column there is no room for their words.
_MOST_LABELS = 4

_SIZE = 5.0  # of marks in points, three times the width of a curve
_GAPS = (5.0, 10.0, 18.0)  # between a mark and its words: beyond its bars, if it must be


class Mark(NamedTuple):
    """A point of a curve: its words, its rates, and the line that draws its mark."""

    words: str
    rates: FloatArray
    line: Line2D


def draw_points(ax: Axes, points: pd.DataFrame, looks: Looks) -> list[Mark]:
    """Draw operating points or cutpoints on their curves; return a mark for each point.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    points : pandas.DataFrame
        Points from ``study.operating_points()`` (filled marks with crosses, or rectangles where the
        intervals are joint) or ``study.cutpoints()`` (rings on the curve; the crosses are at the
        corrected rates).
    looks : Looks
        The series and their looks.
    """
    marks = []
    for name, piece in pieces_of_curves("points", points, looks.drawn):
        colour = looks.colour(name)
        chosen = "apparent" in piece
        crosses = _corrected(piece) if chosen else crosses_of(piece, "points")
        places = _on_curve(piece) if chosen else (crosses.x, crosses.y)
        (line,) = ax.plot(
            *places,
            linestyle="none",
            marker=looks.marker(name),
            markersize=_SIZE,
            markerfacecolor="white" if chosen else colour,
            color=colour,
            zorder=6,
            clip_on=False,
        )
        rates = zip(crosses.thresholds, crosses.y, 1 - crosses.x, strict=True)
        at = np.column_stack(places)
        marks += [Mark(_words(*rate), at[i], line) for i, rate in enumerate(rates)]
        draw_bars(ax, crosses, colour)
    return marks


def label_points(ax: Axes, marks: list[Mark], room: Room) -> list[Mark]:
    """Write the words of few points beside them; return those that have no room, for the key."""
    if len(marks) > _MOST_LABELS:
        return []
    at = [ax.transData.transform(mark.rates[np.newaxis]) for mark in marks]
    left = []
    for i, mark in enumerate(marks):
        others = [place for j, place in enumerate(at) if j != i]
        broken = mark.words.replace(": ", ":\n").replace(", ", ",\n")
        written = any(
            write_beside(
                ax, words, mark.line.get_color(), at[i], room, others, gap=gap, over_dotted=over
            )
            # Words on the line of chance are the last resort.
            for over in (False, True)
            for gap in _GAPS
            for words in (mark.words, broken)
        )
        left += [] if written else [mark]
    return left


def _corrected(piece: pd.DataFrame) -> Crosses:
    """Return the rates of cutpoints, corrected for their choice, with their limits."""
    tpr, tnr = (piece[piece["quantity"] == rate] for rate in ("tpr", "tnr"))
    limits = ["ci_low", "ci_high"]
    return Crosses(
        1 - tnr["estimate"].to_numpy(),
        tpr["estimate"].to_numpy(),
        1 - tnr[limits].to_numpy().T[::-1],
        tpr[limits].to_numpy().T,
        joint=False,
        thresholds=tpr["threshold"].to_numpy(dtype=np.float64),
    )


def _on_curve(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    rows = piece[piece["quantity"] == "tpr"]
    return rows["fpr"].to_numpy(), rows["tpr"].to_numpy()


def _words(threshold: float, sensitivity: float, specificity: float) -> str:
    """Return "19.3: sensitivity 74%, specificity 71%"; a point at a given rate has no threshold."""
    at = "" if np.isnan(threshold) else f"{threshold:.5g}: ".replace("-", "−").replace("inf", "∞")
    return f"{at}sensitivity {_percent(sensitivity)}, specificity {_percent(specificity)}"


def _percent(rate: float) -> str:
    # Whole, with a digit under 10; 0% and 100% only if exact.
    percent = 100 * float(rate)
    return f"{format_number(percent, 0 if percent >= 10 else 1, guard=(0, 100))}%"


def draw_partial_areas(ax: Axes, areas: pd.DataFrame, curve: pd.DataFrame, looks: Looks) -> None:
    """Shade the range of partial areas under (or beside) whole curves.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    areas : pandas.DataFrame
        Rows of ``study.auc(fpr_range=...)`` or ``tpr_range``, of which "partial_auc" is drawn.
    curve : pandas.DataFrame
        The curves.
    looks : Looks
        The series and their looks.
    """
    partial = areas[areas["quantity"] == "partial_auc"]
    alpha = BAND if len(partial) == 1 else BAND_OF_SEVERAL
    whole = curve[curve["fold"] == ""]
    pieces: dict[Series, pd.DataFrame] = {
        (predictor, group): piece
        for (predictor, group), piece in pieces_of(whole, ["predictor", "group"])
    }
    for name, rows in pieces_of_curves("auc", partial, looks.drawn) if len(partial) else []:
        if name not in pieces:
            continue
        fpr, tpr = (pieces[name][rate].to_numpy() for rate in ("fpr", "tpr"))
        for _, row in rows.iterrows():
            look: dict[str, Any] = {"color": looks.colour(name), "alpha": alpha, "linewidth": 0}
            low, high = float(row["range_low"]), float(row["range_high"])
            if row["range_axis"] == "fpr":
                ax.fill_between(*_within(fpr, tpr, low, high), 0, **look, zorder=1.4)
            else:
                ax.fill_betweenx(*_within(tpr, fpr, low, high), 1, **look, zorder=1.4)


def _within(
    along: FloatArray, across: FloatArray, low: float, high: float
) -> tuple[FloatArray, FloatArray]:
    """Return the part of a line from low to high, cut between its points."""
    inside = (along >= low) & (along <= high)
    ends = np.interp([low, high], along, across)
    return (
        np.concatenate([[low], along[inside], [high]]),
        np.concatenate([ends[:1], across[inside], ends[1:]]),
    )


def range_words(areas: pd.DataFrame) -> str:
    """Return the range of partial areas in words: "FPR 0 to 0.2"; "" if there is not one range."""
    columns = ["range_axis", "range_low", "range_high"]
    ranges = areas.loc[areas["quantity"] == "partial_auc", columns].drop_duplicates()
    if len(ranges) != 1:
        return ""
    axis, low, high = ranges.iloc[0]
    return f"{str(axis).upper()} {low:g} to {high:g}"
