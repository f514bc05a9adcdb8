"""Measures of operating points against the threshold, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.facts.words import as_known, quantity_text
from rocstats.plots.axes import (
    BAND_OF_SEVERAL,
    CURVE,
    Width,
    axes_for,
    colour_of,
    dashes_of,
    dress,
    pieces_of,
    require_frame,
    series_of,
    set_unit_ticks,
)
from rocstats.plots.cutpoints import cut_of, mark_cut
from rocstats.plots.labels import draw_words, name_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


RATIOS = ("lr", "lr_positive", "lr_negative", "odds_ratio")
"""Measures without an upper bound, drawn on a logarithmic axis."""

NEEDED = (
    "predictor",
    "quantity",
    "direction",
    "threshold",
    "prevalence",
    "estimate",
    "ci_low",
    "ci_high",
)
_SOURCE = 'study.operating_points(threshold="all")'

RATIO = 0.7
"""Height by width: axes with different units need not be square as in ROC space."""

# Predictive values of fewer calls than 10, or than 5% of few cases, are noise that fills the graph.
_FEW_CALLED, _FIRST = 10.0, 0.05

# Points: a band around the line leaves no room right beside it.
_GAPS = (3.0, 6.0, 9.0)

Step = Literal["pre", "post"] | None


def plot_measures(
    frame: pd.DataFrame,
    quantities: Sequence[str] = ("tpr", "tnr"),
    *,
    cutpoints: pd.DataFrame | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw measures against the threshold with their intervals, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Points of one predictor (in one group), preferably from
        ``study.operating_points(threshold="all")``.
    quantities : sequence of str, default ("tpr", "tnr")
        Measures in the order of their colours, with a line for each prevalence. Likelihood ratios
        and odds ratios need a logarithmic axis and cannot be combined with other measures.
    cutpoints : pandas.DataFrame, optional
        The cutpoint from ``study.cutpoints(...)``: a line, and a band for its interval.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns, rows, or a quantity, is of several predictors or groups, whose
        thresholds have different scales, or if ``quantities`` mixes ratios with other measures.

    Notes
    -----
    The band joins pointwise intervals of single thresholds; it is not a band for the whole line.
    With all thresholds of a curve, lines are steps: between two scores a measure keeps the value of
    the stricter threshold. With some thresholds only, points are joined by straight lines.
    Thresholds beyond all scores and undefined values are left out, and predictive values of fewer
    than 10 calls, or than 5% of the cases if that is fewer. Names are where their lines end.

    References
    ----------
    - Fawcett (2004), section 6.2, thresholds as what can be set [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> ax = rs.plot_measures(study.operating_points(threshold="all"))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Threshold', 'Estimate')
    """
    require_frame("frame", frame, NEEDED, _SOURCE)
    _require_one_predictor(frame)
    present = list(dict.fromkeys(frame["quantity"]))
    quantities = [as_known(name, present) for name in quantities]
    ratios = _require_quantities(present, quantities)
    cut = cut_of(cutpoints, frame)
    ax = axes_for(ax, width, ratio=RATIO)
    # Only whole curves have the threshold beyond all scores.
    every = bool(np.isinf(frame["threshold"]).any())
    shown = frame[np.isfinite(frame["threshold"]) & ~_rests_on_few(frame)]
    series = [
        (quantity, prevalence, piece)
        for quantity in quantities
        for (prevalence,), piece in _by_prevalence(shown[shown["quantity"] == quantity])
    ]
    lines, labels = [], []
    for index, (quantity, prevalence, piece) in enumerate(series):
        piece = piece.sort_values("threshold", kind="stable")
        step: Step = None
        if every:
            # Thresholds between two scores call positive what the stricter of the two does.
            step = "pre" if piece["direction"].iloc[0] == ">=" else "post"
        lines.append(draw_measure(ax, piece["threshold"].to_numpy(), piece, index, index, step))
        several = sum(other == quantity for other, _, _ in series) > 1
        at = f", prevalence {float(prevalence):g}" if several else ""
        labels.append(f"{quantity_text(piece.iloc[0])}{at}")
    label_axes(ax, "Threshold", ratios)
    # Youden's J and Matthews' correlation may be negative: the axis starts at the lowest limit.
    if any((shown["quantity"] == q).any() and q in ("youden", "mcc") for q in quantities):
        low = float(np.nanmin([0.0, *shown.loc[shown["quantity"].isin(quantities), "ci_low"]]))
        ax.set_ylim(low, 1)
    if cut is not None:
        mark_cut(ax, cut)
    if not name_ends(ax, lines, labels):
        draw_words(ax, lines, labels, loc="best", gaps=_GAPS)
    return ax


def _require_one_predictor(frame: pd.DataFrame) -> None:
    names = series_of(frame)
    if len(names) > 1:
        listed = ", ".join(", ".join(part for part in name if part) for name in names)
        raise InputError(
            f"`frame` must be of one predictor in one group, thresholds of others having their own"
            f" scale; got {listed}. Pass the rows of one."
        )


def _require_quantities(present: Sequence[str], quantities: Sequence[str]) -> bool:
    """Return whether all quantities are ratios; raise InputError if missing, or only some are."""
    missing = [name for name in quantities if name not in present]
    if missing or not len(quantities):
        raise InputError(
            f"`quantities` must be some of those in the frame, {', '.join(present)}; got"
            f" {list(quantities)!r}. Ask operating_points() for them."
        )
    ratios = [name in RATIOS for name in quantities]
    if any(ratios) and not all(ratios):
        raise InputError(
            "`quantities` must be ratios alone or other measures alone, which need two axes; got"
            f" {list(quantities)!r}. Draw them on axes of their own."
        )
    return ratios[0]


def _rests_on_few(frame: pd.DataFrame) -> Any:
    """Return which rows are predictive values of few calls."""
    if not {"fp", "tp", "n_pos", "n_neg"} <= set(frame):
        return np.full(len(frame), False)
    called, cases = frame["fp"] + frame["tp"], frame["n_pos"] + frame["n_neg"]
    few = np.minimum(_FEW_CALLED, _FIRST * cases)
    positive, negative = (frame["quantity"] == name for name in ("ppv", "npv"))
    return (positive & (called < few)) | (negative & (cases - called < few))


def _by_prevalence(rows: pd.DataFrame) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    if rows["prevalence"].isna().all():
        return [(("",), rows)]
    return pieces_of(rows, ["prevalence"])


def draw_measure(
    ax: Axes, x: FloatArray, piece: pd.DataFrame, colour: int, dashes: int, step: Step
) -> Line2D:
    """Draw estimates against ``x`` with their intervals as a band; return the line.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    x : array of float
        Thresholds or prevalences, ascending.
    piece : pandas.DataFrame
        Rows with ``estimate, ci_low, ci_high``.
    colour, dashes : int
        Places in the order of colours, and of dashes.
    step : {"pre", "post"} or None
        Whether the line has steps, and which end of a step has the value.
    """
    # An infinite ratio has no place on the axis; NaN leaves a gap there.
    low, value, high = (
        np.where(np.isinf(numbers), np.nan, numbers)
        for numbers in (piece[name].to_numpy() for name in ("ci_low", "estimate", "ci_high"))
    )
    band = np.isfinite(low) & np.isfinite(high)
    ax.fill_between(
        x,
        low,
        high,
        where=band,
        step=step,
        color=colour_of(colour),
        alpha=BAND_OF_SEVERAL,
        linewidth=0,
    )
    (line,) = ax.plot(
        x,
        value,
        color=colour_of(colour),
        linestyle=dashes_of(dashes),
        linewidth=CURVE,
        zorder=3,
        drawstyle="default" if step is None else f"steps-{step}",
    )
    return line


def label_axes(ax: Axes, x: str, ratios: bool) -> None:
    """Label the axes; the vertical one runs from 0 to 1, or is logarithmic for ratios."""
    if ratios:
        # A ratio of 0 has no logarithm: "clip" would draw a line down to the edge.
        ax.set_yscale("log", nonpositive="mask")
        dress(ax)
    else:
        set_unit_ticks(ax, x=False, y=True)
    ax.set(xlabel=x, ylabel="Ratio" if ratios else "Estimate")
    ax.margins(x=0)
