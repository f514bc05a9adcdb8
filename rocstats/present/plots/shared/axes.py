"""Axes and legend, alike on all graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.shared.series import Series
from rocstats.present.text import format_estimate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Place = Literal["lower right", "upper right", "best"]

# Characters on a line of the legend: 46 in small print, with their piece of line, fill 80% of the
# width of square axes.
_LABEL_WIDTH = 46

# Six entries of two lines fill 56% of the height of square axes in small print; more are set in
# "xx-small", in which ten fill 63%.
_MOST_IN_SMALL = 6

FRAME = 0.8
"""Width in points of the frame around a graph, half of that of a curve."""


def new_axes(figsize: tuple[float, float] = (5, 5)) -> Axes:
    """Return axes in a new pyplot figure of a size in inches, which a notebook shows."""
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(figsize=figsize, layout="constrained")
    return ax


def set_unit_ticks(ax: Axes, *, x: bool, y: bool) -> None:
    """Set one axis, or both, to run from 0 to 1 with the same ticks on every graph."""
    ticks = np.linspace(0, 1, 6)  # 0, 0.2, ... 1, which one decimal labels
    if x:
        ax.set(xlim=(0, 1), xticks=ticks)
    if y:
        ax.set(ylim=(0, 1), yticks=ticks)
    ax.spines[:].set_linewidth(FRAME)


def series_labels(
    names: Sequence[Series],
    texts: Mapping[Series, list[str]] | None = None,
    *,
    argument: str = "",
    what: str = "",
) -> list[str]:
    """Return the label of each series in the legend, with its estimate if there are ``texts``.

    Parameters
    ----------
    names : sequence of Series
        Predictors and groups.
    texts : mapping of Series to list of str, optional
        Estimates as text, see ``estimate_texts``.
    argument, what : str
        Name of the argument that gave the texts, and of its quantity, for the InputError when a
        series has no estimate or several.
    """
    labels = []
    for predictor, group in names:
        name = f"{predictor}, {group}" if group else predictor
        label = _shortened(name)
        if texts is not None:
            estimates = texts.get((predictor, group), [])
            if len(estimates) != 1:
                raise InputError(
                    f"`{argument}` must have one {what} for each curve; got {len(estimates)} for"
                    f" {name!r}. Pass {argument}() of the study that gave the curve."
                )
            fits = len(label) + len(estimates[0]) < _LABEL_WIDTH
            label = f"{label}{' ' if fits else chr(10)}{estimates[0]}"
        labels.append(label)
    return labels


def _shortened(name: str) -> str:
    """Return a name that fits a line of the legend: the two ends of a long name."""
    # Names made by a pipeline often differ only in their last characters: 12 of them stay.
    return name if len(name) <= _LABEL_WIDTH else f"{name[: _LABEL_WIDTH - 13]}…{name[-12:]}"


def estimate_texts(frame: pd.DataFrame, quantity: str, style: str) -> dict[Series, list[str]]:
    """Return the estimates of a quantity as text, by series; without a level, no interval."""
    texts: dict[Series, list[str]] = {}
    for _, row in frame[frame["quantity"] == quantity].iterrows():
        text = format_estimate(
            row["estimate"],
            row["ci_low"],
            row["ci_high"],
            confidence_level=row["confidence_level"],
            style=style,
            guard=(0, 1),
        )
        texts.setdefault((str(row["predictor"]), str(row.get("group", ""))), []).append(text)
    return texts


def draw_legend(
    ax: Axes,
    lines: Sequence[Line2D],
    labels: Sequence[str],
    *,
    title: str | None = None,
    loc: Place = "lower right",
) -> None:
    """Draw the legend: a line and a label for each series, labels printed literally.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    lines : sequence of matplotlib.lines.Line2D
        The line of each series.
    labels : sequence of str
        See ``series_labels``.
    title : str, optional
        Quantity of the numbers in the labels.
    loc : {"lower right", "upper right", "best"}, default "lower right"
        A corner that the curves leave free; "best" where that depends on them.
    """
    legend = ax.legend(
        lines,
        # Placeholders: older matplotlib leaves out a label that starts with "_".
        [str(i) for i in range(len(lines))],
        loc=loc,
        title=title,
        alignment="left",
        framealpha=0.8,
        edgecolor="none",
        handlelength=3.2,  # 27 points in small print, more than the longest dash pattern (20)
        fontsize="small" if len(lines) <= _MOST_IN_SMALL else "xx-small",
        title_fontsize="small",
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        # A "$" in a name is a dollar, not the start of a formula.
        text.set_parse_math(False)
        text.set_text(label)
