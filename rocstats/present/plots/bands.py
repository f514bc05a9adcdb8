"""Bands around curves, and the band of the difference between two curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.frames.labels import in_print
from rocstats.present.plots.shared.axes import draw_legend, new_axes, set_unit_ticks
from rocstats.present.plots.shared.lines import CHANCE, DASHES, WIDE, FloatArray, colour_of
from rocstats.present.plots.shared.series import Series, pieces_of, pieces_of_curves, require_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Opacity of a band: where two overlap, both colours remain. Around one curve three kinds of band
# can overlap (simultaneous, pointwise, future): each has half the opacity, and an edge.
_BAND, _BAND_OF_SEVERAL = 0.2, 0.1

# Room above and below the bands, as a share of their span.
_ROOM = 0.05

_DIFFERENCE = ("predictor", "reference", "fpr", "estimate", "ci_low", "ci_high", "note")


def draw_bands(ax: Axes, band: pd.DataFrame, names: Sequence[Series]) -> dict[str, Line2D]:
    """Draw bands around curves; return the legend's lines by label where a curve has several.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    band : pandas.DataFrame
        Bands with ``predictor, [group], fpr, tpr_low, tpr_high, [scope, method]``.
    names : sequence of Series
        The curves, in the order of their colours.

    Raises
    ------
    InputError
        If a band belongs to no curve.
    """
    bands = [
        (name, kind, piece)
        for name, rows in pieces_of_curves("band", band, names)
        for kind, piece in pieces_of(rows, ["predictor", "method", "scope"])
    ]
    kinds = list(dict.fromkeys(kind[1:] for _, kind, _ in bands))
    several = len(bands) > len({name for name, *_ in bands})
    lines: dict[str, Line2D] = {}
    for name, (_, method, scope), piece in bands:
        index, kind = names.index(name), kinds.index((method, scope))
        x, low, high = (piece[column].to_numpy() for column in ("fpr", "tpr_low", "tpr_high"))
        if not several:
            _fill(ax, x, low, high, colour_of(index))
            continue
        # With one curve, kinds of bands differ in colour too; with several, colour means the curve.
        colour = colour_of(index if len(names) > 1 else kind + 1)
        _fill(ax, x, low, high, colour, alpha=_BAND_OF_SEVERAL)
        lines.setdefault(_label(method, scope), _draw_edges(ax, piece, colour, kind))
    return lines


def _fill(
    ax: Axes, x: FloatArray, low: FloatArray, high: FloatArray, colour: str, alpha: float = _BAND
) -> None:
    # Below all curves (2 and up), above the dotted line of chance (1).
    ax.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, zorder=1.5)


def _draw_edges(ax: Axes, piece: pd.DataFrame, colour: str, kind: int) -> Line2D:
    lines = [
        ax.plot(
            piece["fpr"].to_numpy(),
            piece[edge].to_numpy(),
            color=colour,
            linewidth=1.0,
            linestyle=DASHES[kind % len(DASHES)],
            zorder=1.8,
        )[0]
        for edge in ("tpr_low", "tpr_high")
    ]
    return lines[0]


def _label(method: str, scope: str) -> str:
    # A band is simultaneous unless its label says otherwise.
    if scope in ("", "simultaneous"):
        return f"{method} band"
    return f"{method} limits" if method == scope else f"{method} ({scope})"


def plot_roc_difference(
    difference: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw differences between ROC curves with their bands, and return the axes.

    Parameters
    ----------
    difference : pandas.DataFrame
        Bands of differences from ``study.roc_difference_band()``.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    Each pair (and group) has a line with a translucent band. A thick line along the dotted line of
    no difference marks the false positive rates at which the band excludes 0.

    References
    ----------
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 0, 0, 0], {"a": [6, 5, 3, 4, 2, 1], "b": [6, 4, 1, 5, 3, 2]})
    >>> ax = rs.plot_roc_difference(study.roc_difference_band(rng=1))
    >>> ax.get_ylabel()
    'Difference of true positive rates'
    """
    require_frame("difference", difference, _DIFFERENCE, "study.roc_difference_band()")
    difference, _ = in_print(labels, difference)
    ax = new_axes() if ax is None else ax
    draw_differences(ax, difference, "fpr")
    ax.set(
        xlabel="False positive rate (1 − specificity)",
        ylabel="Difference of true positive rates",
    )
    return ax


def draw_differences(ax: Axes, difference: pd.DataFrame, along: str) -> None:
    """Draw differences between curves with bands, the line of no difference, and a legend.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    difference : pandas.DataFrame
        Bands with ``predictor, reference, [group], estimate, ci_low, ci_high`` and ``along``.
    along : str
        Column of the horizontal axis, with values from 0 to 1.
    """
    ax.axhline(0, **CHANCE)
    lines, labels = [], []
    pieces = pieces_of(difference, ["predictor", "reference", "group"])
    for index, ((predictor, reference, group), piece) in enumerate(pieces):
        x, colour = piece[along].to_numpy(), colour_of(index)
        low, high = piece["ci_low"].to_numpy(), piece["ci_high"].to_numpy()
        _fill(ax, x, low, high, colour)
        (line,) = ax.plot(
            x,
            piece["estimate"].to_numpy(),
            color=colour,
            linewidth=WIDE,
            linestyle=DASHES[index % len(DASHES)],
            zorder=3,
        )
        # NaN breaks the line where the band holds 0.
        differs = np.where((low > 0) | (high < 0), 0.0, np.nan)
        ax.plot(x, differs, color=colour, linewidth=4, solid_capstyle="butt", zorder=2)
        lines.append(line)
        labels.append(f"{predictor} − {reference}" + (f", {group}" if group else ""))
    set_unit_ticks(ax, x=True, y=False)
    ax.set(ylim=_span(difference))
    draw_legend(ax, lines, labels, loc="best")


def _span(difference: pd.DataFrame) -> tuple[float, float]:
    """Return the limits of the axis, with room for the bands wherever they exclude a value."""
    # A band from -1 to 1 excludes nothing, and would flatten all others.
    narrower = difference[(difference["ci_low"] > -1) | (difference["ci_high"] < 1)]
    shown = narrower if len(narrower) else difference
    low = np.nanmin(shown[["ci_low", "estimate"]].to_numpy(), initial=0.0)
    high = np.nanmax(shown[["ci_high", "estimate"]].to_numpy(), initial=0.0)
    room = _ROOM * (high - low) or _ROOM
    return float(max(low - room, -1)), float(min(high + room, 1))
