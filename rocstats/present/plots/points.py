"""Measures against the threshold, and predictive values against the prevalence, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.common import (
    FloatArray,
    colour_of,
    dashes_of,
    draw_legend,
    pieces_of,
    require_frame,
    series_of,
    set_unit_ticks,
)
from rocstats.present.wording import quantity_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

RATIOS = ("lr_positive", "lr_negative", "odds_ratio")
"""Measures without an upper end, which are drawn on a logarithmic axis."""

_NEEDED = (
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
_BAND = 0.16

Step = Literal["pre", "post"] | None


def plot_measures(
    frame: pd.DataFrame, quantities: Sequence[str] = ("tpr", "tnr"), *, ax: Axes | None = None
) -> Axes:
    """Return the axes on which measures are drawn against the threshold, with bands.

    Parameters
    ----------
    frame : pandas.DataFrame
        Points of one predictor (in one group), best as
        ``study.operating_points(threshold="all")`` gives them.
    quantities : sequence of str, default ("tpr", "tnr")
        Which measures, in the order of their colours; at several prevalences each has a line for
        each. Likelihood ratios and odds ratios, whose axis is logarithmic, stand by themselves.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure, so that a notebook shows them.
        Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If the frame lacks columns, rows, or a quantity, is of several predictors or groups, whose
        thresholds have other scales, or ratios are asked for with other measures.

    Notes
    -----
    The band joins the intervals of single thresholds: it covers each point by itself, not the whole
    line. Of every threshold of a curve, lines are steps: between two scores a measure is that of
    the stricter calls. Of some thresholds only they are straight between them. Thresholds beyond
    every score and undefined values are left out.

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
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Sensitivity', 'Specificity']
    """
    require_frame("frame", frame, _NEEDED, _SOURCE)
    _require_one_predictor(frame)
    ratios = _require_quantities(frame, quantities)
    ax = _new_axes() if ax is None else ax
    every = bool(np.isinf(frame["threshold"]).any())
    shown = frame[np.isfinite(frame["threshold"])]
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
            step = "pre" if piece["direction"].iloc[0] == ">=" else "post"
        lines.append(_draw(ax, piece["threshold"].to_numpy(), piece, index, index, step))
        several = sum(other == quantity for other, _, _ in series) > 1
        at = f", prevalence {float(prevalence):g}" if several else ""
        labels.append(f"{quantity_text(piece.iloc[0])}{at}")
    _label(ax, "Threshold", ratios)
    if any((shown["quantity"] == q).any() and q in ("youden", "mcc") for q in quantities):
        low = float(np.nanmin([0.0, *shown.loc[shown["quantity"].isin(quantities), "ci_low"]]))
        ax.set_ylim(low, 1)
    draw_legend(ax, lines, labels, loc="best")
    return ax


def plot_predictive_values(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Return the axes on which predictive values are drawn against the prevalence, with bands.

    Parameters
    ----------
    frame : pandas.DataFrame
        Points at several prevalences: ``study.operating_points(threshold=..., prevalence=[...])``;
        rows of other quantities than "ppv" and "npv" are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure, so that a notebook shows them.
        Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If the frame lacks columns or rows, or has no predictive values at two prevalences or more.

    Notes
    -----
    A colour is a quantity, dashes are a point (of a predictor, in a group). The band holds at each
    prevalence by itself.

    References
    ----------
    - Mercaldo, Lau & Zhou (2007), predictive values at a prevalence [mercaldo-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=46, fn=4, fp=9, tn=91)
    >>> points = study.operating_points(threshold=1, prevalence=np.linspace(0.01, 0.5, 50))
    >>> ax = rs.plot_predictive_values(points)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Positive predictive value', 'Negative predictive value']
    """
    needed = (*_NEEDED, "fpr", "tpr")
    require_frame("frame", frame, needed, "study.operating_points(threshold=..., prevalence=[...])")
    values = frame[frame["quantity"].isin(["ppv", "npv"])]
    if values["prevalence"].nunique() < 2:
        raise InputError(
            "`frame` must have predictive values at two prevalences or more; got"
            f" {values['prevalence'].nunique()}. Pass prevalence=[...] to operating_points()."
        )
    ax = _new_axes() if ax is None else ax
    keys = ["predictor", "group", "threshold", "fpr", "tpr"]
    points = list(dict.fromkeys(_point(row, keys) for _, row in values.iterrows()))
    lines, labels = [], []
    for index, quantity in enumerate(("ppv", "npv")):
        rows = values[values["quantity"] == quantity]
        own = [_point(row, keys) for _, row in rows.iterrows()]
        for place, point in enumerate(points):
            piece = rows[[one == point for one in own]]
            if len(piece) == 0:
                continue
            piece = piece.sort_values("prevalence", kind="stable")
            lines.append(_draw(ax, piece["prevalence"].to_numpy(), piece, index, place, None))
            labels.append(quantity_text(piece.iloc[0]) + _words(piece, points))
    _label(ax, "Prevalence", ratios=False)
    draw_legend(ax, lines, labels, loc="best")
    return ax


def _new_axes() -> Axes:
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(figsize=(6, 4.2), layout="constrained")
    return ax


def _require_one_predictor(frame: pd.DataFrame) -> None:
    names = series_of(frame)
    if len(names) > 1:
        found = ", ".join(", ".join(part for part in name if part) for name in names)
        raise InputError(
            f"`frame` must be of one predictor in one group, thresholds of others having their own"
            f" scale; got {found}. Pass the rows of one."
        )


def _require_quantities(frame: pd.DataFrame, quantities: Sequence[str]) -> bool:
    """Return whether ratios are asked for; raise InputError unless all are there, and alike."""
    present = list(dict.fromkeys(frame["quantity"]))
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


def _by_prevalence(rows: pd.DataFrame) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    if rows["prevalence"].isna().all():
        return [(("",), rows)]
    return pieces_of(rows, ["prevalence"])


def _draw(
    ax: Axes, x: FloatArray, piece: pd.DataFrame, colour: int, dashes: int, step: Step
) -> Line2D:
    """Draw a line and its band; return the line."""
    low, value, high = (
        np.where(np.isinf(numbers), np.nan, numbers)
        for numbers in (piece[name].to_numpy() for name in ("ci_low", "estimate", "ci_high"))
    )
    band = np.isfinite(low) & np.isfinite(high)
    ax.fill_between(
        x, low, high, where=band, step=step, color=colour_of(colour), alpha=_BAND, linewidth=0
    )
    (line,) = ax.plot(
        x,
        value,
        color=colour_of(colour),
        linestyle=dashes_of(dashes),
        linewidth=1.6,
        zorder=3,
        drawstyle="default" if step is None else f"steps-{step}",
    )
    return line


def _label(ax: Axes, x: str, ratios: bool) -> None:
    if ratios:
        ax.set_yscale("log", nonpositive="mask")
        ax.spines[:].set_linewidth(0.8)
    else:
        set_unit_ticks(ax, x=False, y=True)
    ax.set(xlabel=x, ylabel="Ratio" if ratios else "Estimate")
    ax.margins(x=0)


def _point(row: pd.Series, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row.get(key, "")) for key in keys)


def _words(piece: pd.DataFrame, points: Sequence[tuple[str, ...]]) -> str:
    """Return what tells a point from the others."""
    if len(points) == 1:
        return ""
    row = piece.iloc[0]
    threshold = float(row["threshold"])
    where = f"threshold {threshold:g}"
    if np.isnan(threshold):
        where = f"FPR {row['fpr']:.3g}, TPR {row['tpr']:.3g}"
    parts = [row["predictor"]] if len({point[0] for point in points}) > 1 else []
    parts += [row["group"]] if len({point[1] for point in points}) > 1 else []
    return ", ".join(["", *parts, where])
