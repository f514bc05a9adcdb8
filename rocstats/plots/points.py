"""Measures of operating points against the threshold, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import RATIOS, range_of
from rocstats.facts.tolerances import SAME
from rocstats.facts.words import as_known, quantity_text, quantity_title
from rocstats.plots.axes import (
    BAND_OF_SEVERAL,
    Width,
    axes_for,
    colour_of_series,
    dashes_of_series,
    set_look_of_axes,
    set_unit_ticks,
    width_of_curves,
    write_labels,
)
from rocstats.plots.cutpoints import cutpoint_row_of_frame, draw_cutpoint_with_interval
from rocstats.plots.labels import name_ends, write_names_on_lines_or_in_key
from rocstats.plots.series import frame_pieces_by_keys, require_drawable, series_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


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

ESTIMATE, RATIO_AXIS = "Estimate", "Ratio"
"""Labels of the axis of measures of at most 1, and of ratios; others have their name."""

# Of a logarithmic axis: room above the highest number, and a place that is off it.
_ROOM, _BEYOND = 1.3, 100.0

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
        Measures in the order of their colours, with a line for each prevalence. They must fit one
        axis. Likelihood ratios and odds ratios have a logarithmic axis. The number needed to
        diagnose has a separate logarithmic axis from 1. All other measures have an axis from 0 (or
        the lowest negative value) to 1.
    cutpoints : pandas.DataFrame, optional
        The cutpoint from ``study.cutpoints(...)``, drawn as a line with a band for its interval.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns, rows or a quantity; if it has several predictors or groups; if
        ``quantities`` do not fit one axis; or if there is nothing to draw.

    Notes
    -----
    The shaded area joins pointwise intervals of single thresholds; it is not a confidence band for
    the whole line. With all thresholds of a curve, lines are steps: between two scores a measure
    keeps the value of the stricter threshold. If the frame has only some thresholds, points are
    joined by straight lines. Thresholds beyond all scores and undefined values are omitted.
    Predictive values from fewer than 10 calls (or fewer than 5% of the cases, if that is less) are
    omitted too. A line has a gap if its value is infinite; an infinite limit is drawn at the end of
    the axis. Names are at the ends of lines.

    References
    ----------
    - Fawcett (2004), section 6.2, averages at thresholds [fawcett-2004]

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
    require_drawable("frame", frame, NEEDED, _SOURCE)
    _require_one_predictor(frame)
    present = list(dict.fromkeys(frame["quantity"]))
    quantities = [as_known(name, present) for name in quantities]
    axis = _axis_label_of_required_quantities(present, quantities)
    cut = cutpoint_row_of_frame(cutpoints, frame)
    ax = axes_for(ax, width, ratio=RATIO)
    # Only whole curves have the threshold beyond all scores.
    every = bool(np.isinf(frame["threshold"]).any())
    shown = frame[np.isfinite(frame["threshold"]) & ~_is_predictive_value_of_few_calls(frame)]
    top = (
        None
        if axis == ESTIMATE
        else _top_of_logarithmic_measure_axis(shown[shown["quantity"].isin(quantities)])
    )
    if top is not None:
        shown = shown.assign(ci_high=shown["ci_high"].replace(np.inf, _BEYOND * top))
    series = [
        (quantity, prevalence, piece)
        for quantity in quantities
        for (prevalence,), piece in _measure_rows_by_prevalence(
            shown[shown["quantity"] == quantity]
        )
        if len(piece)
    ]
    if not series:
        raise InputError(
            "`frame` must have a finite threshold, and for predictive values enough calls; got none"
            f" for {', '.join(quantities)}. Pass more thresholds."
        )
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
    label_axes(ax, "Threshold", axis)
    if top is not None:
        ax.set_ylim(top=top)
    if axis == ESTIMATE and min(range_of(quantity)[0] for quantity in quantities) < 0:
        numbers = shown.loc[shown["quantity"].isin(quantities), ["ci_low", "estimate"]]
        _start_axis_at_lowest_measure(ax, float(np.nanmin(numbers.to_numpy(), initial=0.0)))
    if cut is not None:
        draw_cutpoint_with_interval(ax, cut)
    if not name_ends(ax, lines, labels):
        write_names_on_lines_or_in_key(ax, lines, labels, loc="best", gaps=_GAPS)
    return ax


def _require_one_predictor(frame: pd.DataFrame) -> None:
    names = series_of(frame)
    if len(names) > 1:
        listed = ", ".join(", ".join(part for part in name if part) for name in names)
        raise InputError(
            "`frame` must be of one predictor in one group, since predictors have different"
            f" scales; got {listed}. Pass the rows of one predictor and group."
        )


def _axis_label_of_required_quantities(present: Sequence[str], quantities: Sequence[str]) -> str:
    """Return the label of the axis of quantities; raise InputError if missing, or of several."""
    missing = [name for name in quantities if name not in present]
    if missing or not len(quantities):
        raise InputError(
            f"`quantities` must be among the measures of the frame, {', '.join(present)}; got"
            f" {list(quantities)!r}. Pass these measures to operating_points()."
        )
    axes = {_axis_label_of_quantity(name) for name in quantities}
    if len(axes) > 1:
        raise InputError(
            "`quantities` must share an axis: ratios alone, the number needed to diagnose alone,"
            f" or measures of at most 1; got {list(quantities)!r}. Draw them on separate axes."
        )
    return axes.pop()


def _axis_label_of_quantity(quantity: str) -> str:
    """Return the label of the axis of a quantity, by its range."""
    if quantity in RATIOS:
        return RATIO_AXIS
    return quantity_title(quantity) if range_of(quantity)[1] > 1 else ESTIMATE


def _top_of_logarithmic_measure_axis(rows: pd.DataFrame) -> float | None:
    """Return the top of a logarithmic axis on which an upper limit is infinite; None if none is."""
    if not np.isinf(rows["ci_high"]).any():
        return None
    numbers = rows[["ci_low", "estimate", "ci_high"]].to_numpy()
    return _ROOM * float(np.max(numbers, initial=1.0, where=np.isfinite(numbers)))


def _is_predictive_value_of_few_calls(frame: pd.DataFrame) -> Any:
    """Return which rows are predictive values of few calls."""
    if not {"fp", "tp", "n_pos", "n_neg"} <= set(frame):
        return np.full(len(frame), False)
    called, cases = frame["fp"] + frame["tp"], frame["n_pos"] + frame["n_neg"]
    few = np.minimum(_FEW_CALLED, _FIRST * cases)
    positive, negative = (frame["quantity"] == name for name in ("ppv", "npv"))
    return (positive & (called < few)) | (negative & (cases - called < few))


def _measure_rows_by_prevalence(rows: pd.DataFrame) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    if rows["prevalence"].isna().all():
        return [(("",), rows)]
    return frame_pieces_by_keys(rows, ["prevalence"])


def draw_measure(
    ax: Axes, x: FloatArray, piece: pd.DataFrame, colour: int, dashes: int, step: Step
) -> Line2D:
    """Draw estimates against ``x`` with their intervals as a band; return the line.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    x : array of float
        Thresholds or prevalences, ascending.
    piece : pandas.DataFrame
        Rows with ``estimate, ci_low, ci_high``.
    colour, dashes : int
        Places in the order of colours, and of dashes.
    step : {"pre", "post"} or None
        Whether the line has steps, and which end of a step has the value.
    """
    # An infinite value has no place on the axis; NaN leaves a gap there.
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
        color=colour_of_series(colour),
        alpha=BAND_OF_SEVERAL,
        linewidth=0,
    )
    (line,) = ax.plot(
        x,
        value,
        color=colour_of_series(colour),
        linestyle=dashes_of_series(dashes),
        linewidth=width_of_curves(),
        zorder=3,
        drawstyle="default" if step is None else f"steps-{step}",
    )
    return line


def label_axes(ax: Axes, x: str, axis: str = ESTIMATE) -> None:
    """Label the axes; the vertical one runs from 0 to 1, or is logarithmic without an upper end."""
    if axis == ESTIMATE:
        set_unit_ticks(ax, x=False, y=True)
    else:
        # A ratio of 0 has no logarithm: "clip" would draw a line down to the edge.
        ax.set_yscale("log", nonpositive="mask")
        set_look_of_axes(ax)
    if axis not in (ESTIMATE, RATIO_AXIS):
        ax.set_ylim(bottom=1)
        ax.yaxis.set_major_formatter("{x:g}")
    write_labels(ax, x, axis)
    ax.margins(x=0)


def _start_axis_at_lowest_measure(ax: Axes, low: float) -> None:
    """Start the vertical axis at the lowest value that is drawn, with ticks below 0."""
    ticks = ax.get_yticks()
    step = ticks[1] - ticks[0]
    below = -step * np.arange(np.floor(-low / step + SAME), 0, -1)
    ax.set(ylim=(low, 1), yticks=[*below, *ticks])
