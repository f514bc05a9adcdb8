"""Ticks of axes, and the words of a key, alike on all graphs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.shared.series import Series
from rocstats.present.plots.shared.sizes import dress
from rocstats.present.text import format_estimate, format_interval, format_level

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Characters on a line of the key: 38 of 7 points, with their piece of line, fill 85% of the width
# of square axes in a column.
LINE = 38
"""Most characters on a line of the key in a figure of one column."""


# Limits are cut beyond three usual half widths from all estimates: one small group would squeeze
# the others into a tenth of the axis.
_WIDEST = 3.0

# Room at the ends of the axis, as a share of its length.
_MARGIN = 0.04


class Values(NamedTuple):
    """The estimates of each series as text, and the heading that they stand under."""

    heading: str
    texts: dict[Series, list[str]]


def set_unit_ticks(ax: Axes, *, x: bool, y: bool) -> None:
    """Set one axis, or both, to run from 0 to 1 with the same ticks on every graph."""
    ticks = np.linspace(0, 1, 6)  # 0, 0.2, ... 1, which one decimal labels
    if x:
        ax.set(xlim=(0, 1), xticks=ticks)
    if y:
        ax.set(ylim=(0, 1), yticks=ticks)
    dress(ax)


def set_square_ticks(ax: Axes) -> None:
    """Set closed square axes, both from 0 to 1, with ticks at halves and quarters."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([0, 0.5, 1], ["0", "0.5", "1"])
        axis.set_ticks([0.25, 0.75], minor=True)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    dress(ax, closed=True)


def ends_of_axis(frame: pd.DataFrame, line: float | None, ratio: bool) -> tuple[float, float]:
    """Return the ends of an axis for estimates with their limits, logarithmic for a ratio."""
    numbers = frame[["ci_low", "estimate", "ci_high"]].to_numpy(dtype=np.float64)
    with np.errstate(divide="ignore"):
        low, middle, high = np.log(numbers).T if ratio else numbers.T
    half = (high - low)[np.isfinite(high - low)] / 2
    reach = _WIDEST * float(np.median(half)) if len(half) else 0.0
    held = middle[np.isfinite(middle)]
    if line is not None:
        held = np.append(held, math.log(line) if ratio else line)
    limits = np.concatenate([low, high])
    limits = limits[(limits >= held.min() - reach) & (limits <= held.max() + reach)]
    ends = np.append(held, limits)
    room = _MARGIN * float(np.ptp(ends)) or _MARGIN
    first, last = float(ends.min() - room), float(ends.max() + room)
    return (math.exp(first), math.exp(last)) if ratio else (first, last)


def set_ratio_ticks(ax: Axes, low: float, high: float) -> None:
    """Set a logarithmic horizontal axis with plain numbers at 1, 2 and 5 and their tens."""
    ax.set_xscale("log")
    tens = 10.0 ** np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = (tens[:, None] * [1, 2, 5] if high < 100 * low else tens[:, None]).ravel()
    ax.set_xticks([tick for tick in ticks if low <= tick <= high])
    ax.set_xticks([], minor=True)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlim(low, high)


def series_names(names: Sequence[Series], *, most: int = LINE) -> list[str]:
    """Return the name of each series in print; one longer than ``most`` lacks its middle."""
    texts = [f"{predictor}, {group}" if group else predictor for predictor, group in names]
    return [short_name(text, most) for text in texts]


def series_values(
    names: Sequence[Series], values: Values, *, argument: str, what: str
) -> list[str]:
    """Return the estimate of each series; raise InputError for a series with none, or several.

    Parameters
    ----------
    names : sequence of Series
        Predictors and groups.
    values : Values
        See ``estimate_texts``.
    argument, what : str
        Name of the argument that gave the estimates, and of its quantity.
    """
    for name in names:
        found = len(values.texts.get(name, []))
        if found != 1:
            text = ", ".join(part for part in name if part)
            raise InputError(
                f"`{argument}` must have one {what} for each curve; got {found} for {text!r}."
                f" Pass {argument}() of the study that gave the curve."
            )
    return [values.texts[name][0] for name in names]


def short_name(name: str, most: int = LINE) -> str:
    """Return a name that fits a line: the two ends of a long name."""
    # Names made by a pipeline often differ only in their last characters: 12 of them stay.
    return name if len(name) <= most else f"{name[: most - 13]}…{name[-12:]}"


def estimate_texts(frame: pd.DataFrame, quantity: str, heading: str, style: str) -> Values:
    """Return the estimates of a quantity as text, by series, with the level in the heading.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows with ``predictor, [group], quantity, estimate, ci_low, ci_high, confidence_level``.
    quantity, heading : str
        The rows to take, and what they are called.
    style : str
        Name of a style, see ``rocstats.present.styles``.
    """
    rows = frame[frame["quantity"] == quantity]
    levels = rows["confidence_level"].dropna().unique()
    # One level is said once. Several (as after Bonferroni) are said with each interval.
    if len(levels) == 1:
        heading = f"{heading} ({format_level(levels[0])} CI)"
    texts: dict[Series, list[str]] = {}
    for _, row in rows.iterrows():
        text = _estimate_text(row, style, once=len(levels) == 1)
        texts.setdefault((str(row["predictor"]), str(row.get("group", ""))), []).append(text)
    return Values(heading, texts)


def _estimate_text(row: pd.Series, style: str, *, once: bool) -> str:
    """Return an estimate with its interval, and with the level unless it is said ``once``."""
    low, high, level = (float(row[name]) for name in ("ci_low", "ci_high", "confidence_level"))
    guard = (0, 1)
    if not once or math.isnan(level):
        return format_estimate(
            row["estimate"], low, high, confidence_level=level, style=style, guard=guard
        )
    number = format_estimate(
        row["estimate"], low, high, confidence_level=math.nan, style=style, guard=guard
    )
    return f"{number} ({format_interval(low, high, style=style, guard=guard)})"
