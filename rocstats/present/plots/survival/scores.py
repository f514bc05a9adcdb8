"""The distribution of a score by status at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.labels import about_of, in_print
from rocstats.present.plots.cutpoints import score_edges
from rocstats.present.plots.shared.axes import series_names
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.palette import (
    CUTOFF,
    EDGE,
    PALETTE,
    TEXT,
    WITHOUT,
    text_colour,
)
from rocstats.present.plots.shared.series import pieces_of, require_frame
from rocstats.present.plots.shared.sizes import NOTE, Width, dress, new_axes
from rocstats.present.text import format_count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_CURVE = ("predictor", "time", "direction", "threshold", "fp", "tp", "censored")
_RATIO = 0.8  # height by width, as of other distributions

# Beyond the bars is a line of words.
_ROOM = 1.3

# Most characters of a score's name below the axis: with its direction, 8 points high, a column.
_SCORE_NAME = 28

# The outline of unknown status is seen on white and on the bars of both other groups.
_UNKNOWN: dict[str, Any] = {"color": CUTOFF, "linewidth": 1.5 * EDGE, "linestyle": (0, (1, 1))}


def plot_survival_scores(
    curve: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of a score by status at a time, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        The curve of one predictor (in one group) at one time from ``SurvivalStudy.roc_curve()``:
        its thresholds are the scores.
    labels : mapping of str to str, optional
        What predictors are called; by default the labels of the study. Names that the frame lacks
        are passed over.
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
        If the frame lacks columns or rows, or is of several predictors, groups or times, or of a
        time without cases or controls.

    Notes
    -----
    Patients with the event by the time are above the axis, those without below, each as a share of
    their weights, which stand for the censored too. The dotted outline, drawn on both sides, is of
    the patients who were censored by the time: where it differs from both, censoring depends on the
    score. Up to 30 distinct scores, well apart, each have a bar; others are grouped in bins.
    Infinite scores are not drawn.

    References
    ----------
    - Uno, Cai, Tian & Wei (2007), weights [uno-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> months, died = [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 1, 0, 1, 0]
    >>> study = rs.SurvivalStudy(months, died, [3, 1, 2, 5, 2, 1, 4, 2], predictor="marker")
    >>> rs.plot_survival_scores(study.roc_curve(time=10)).get_xlabel()
    'marker (high is positive)'
    """
    require_frame("curve", curve, _CURVE, "study.roc_curve(time=...)")
    _require_one(curve)
    curve, _ = in_print(labels, curve)
    ax = new_axes(width, ratio=_RATIO) if ax is None else ax
    score = curve["threshold"].to_numpy()
    finite = np.isfinite(score)
    # Counts along a curve are cumulative: their steps are the patients with each score.
    counts = {
        name: np.diff(curve[name].to_numpy(), prepend=0.0) for name in ("tp", "fp", "censored")
    }
    bars = _bars(score[finite])
    shares = {name: _shares(score[finite], n[finite], bars) for name, n in counts.items()}
    for name, sign, colour in (("tp", 1, PALETTE[0]), ("fp", -1, WITHOUT)):
        height, width_of = sign * shares[name] / counts[name].sum(), bars[1] - bars[0]
        look: dict[str, Any] = {"color": colour, "edgecolor": "white", "linewidth": 0.4}
        ax.bar(bars[0], height, width_of, align="edge", **look)
    unknown = float(counts["censored"].sum())
    if unknown:
        _draw_unknown(ax, bars, shares["censored"] / unknown)
    _finish(ax, curve, {name: float(n.sum()) for name, n in counts.items()})
    return ax


def _require_one(curve: pd.DataFrame) -> None:
    """Raise InputError unless the frame is a single curve with rates."""
    pieces = pieces_of(curve, ["predictor", "group", "time"])
    if len(pieces) > 1:
        names = ", ".join(" ".join(filter(None, keys)) for keys, _ in pieces[:4])
        raise InputError(
            f"`curve` must be a curve of one predictor, in one group, at one time; got"
            f" {len(pieces)}: {names}. Choose rows of one."
        )
    if curve["tpr"].isna().any() or curve["fpr"].isna().any():
        raise InputError(
            f"`curve` must have cases and controls; got none at the time {curve['time'].iloc[0]:g}."
            " Choose an earlier or a later time."
        )


def _bars(score: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the left and the right ends of bars: bins, or one for each of few scores."""
    edges = score_edges(score, None)
    if len(edges):
        return edges[:-1], edges[1:]
    distinct = np.unique(score)
    gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
    return distinct - 0.4 * gap, distinct + 0.4 * gap


def _shares(
    score: FloatArray, count: FloatArray, bars: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return the counts in each bar; a score at the last right end belongs to the last bar."""
    place = np.searchsorted(bars[0], score, side="right") - 1
    return np.asarray(np.bincount(place, weights=count, minlength=len(bars[0])), dtype=np.float64)


def _draw_unknown(ax: Axes, bars: tuple[FloatArray, FloatArray], share: FloatArray) -> None:
    """Draw the outline of patients of unknown status on both sides of the axis."""
    x = np.stack(bars, axis=1).ravel()
    for sign in (1, -1):
        y = np.repeat(sign * share, 2)
        ends = np.concatenate([[0.0], y, [0.0]])
        ax.plot(np.concatenate([x[:1], x, x[-1:]]), ends, **_UNKNOWN, zorder=3)


def _finish(ax: Axes, curve: pd.DataFrame, number: Mapping[str, float]) -> None:
    """Write numbers in the corners, and set axes with room for them."""
    low, high = ax.get_ylim()
    reach = _ROOM * max(-low, high)
    time, is_high = curve["time"].iloc[0], curve["direction"].iloc[0] == ">="
    event = about_of(curve).get("outcome") or "the event"
    words = (
        (f"about {number['tp']:.0f} with {event} by {time:g}", PALETTE[0], is_high, 1.0),
        (f"about {number['fp']:.0f} without", WITHOUT, not is_high, 0.0),
        (f"dotted: {format_count(number['censored'])} censored", CUTOFF, is_high, 0.0),
    )
    for text, colour, right, y in words:
        ax.annotate(
            text, (float(right), y), (-2 if right else 2, -2 if y else 2),
            xycoords="axes fraction", textcoords="offset points",
            ha="right" if right else "left", va="top" if y else "bottom",
            fontsize=NOTE, color=text_colour(colour), parse_math=False,
        )  # fmt: skip
    ax.axhline(0, color=TEXT, linewidth=EDGE, zorder=3)
    ax.set(ylim=(-reach, reach), ylabel="Share of the group")
    ax.yaxis.set_major_formatter(lambda share, _: f"{abs(share):.6g}")
    (name,) = series_names([(str(curve["predictor"].iloc[0]), "")], most=_SCORE_NAME)
    ax.set_xlabel(f"{name} ({'high' if is_high else 'low'} is positive)", parse_math=False)
    dress(ax)
