"""A cutpoint among the scores of both classes, and among the cutpoints of resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.errors import InputError
from rocstats.present.plots.common import (
    CHANCE,
    PALETTE,
    FloatArray,
    draw_legend,
    new_axes,
    pieces_of,
    require_frame,
)
from rocstats.present.text import format_level, format_number

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd
    from matplotlib.axes import Axes

_CURVE = ("predictor", "fold", "direction", "threshold", "fp", "tp")
_DRAWS = ("predictor", "direction", "resample", "threshold")
_CUT = ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")
_FEW_VALUES = 30
_N_BINS = 40
_FEWEST_BINS = 10
_CASES_PER_BIN = 5
_NEGATIVES, _POSITIVES = PALETTE[2], PALETTE[1]
_CUT_COLOUR = PALETTE[0]


def plot_scores(
    curve: pd.DataFrame, *, cutpoints: pd.DataFrame | None = None, ax: Axes | None = None
) -> Axes:
    """Return the axes on which the scores of both classes are drawn, with the cutpoint.

    Parameters
    ----------
    curve : pandas.DataFrame
        The curve of one predictor (in one group) as ``study.roc_curve()`` gives it: its thresholds
        are the scores, and its counts rise by the cases that have them.
    cutpoints : pandas.DataFrame, optional
        The cutpoint as ``study.cutpoints(...)`` gives it: a line, and a band for its interval.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure, so that a notebook shows
        them. Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or is of several predictors, groups or folds.

    Notes
    -----
    Heights are shares of a class: up to 30 distinct scores, well apart, each have a bar; others are
    put into 10 to 40 bins. Infinite scores have no place; the legend counts them.

    References
    ----------
    - Bossuyt et al (2015), STARD item 23: the distribution of the index test by the reference
      standard [bossuyt-2015]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> ax = rs.plot_scores(study.roc_curve(), cutpoints=study.cutpoints(rng=1))
    >>> ax.get_ylabel()
    'Share of the class'
    """
    require_frame("curve", curve, _CURVE, "study.roc_curve()")
    _require_one("curve", curve, "a curve")
    cut = _cut_of(cutpoints, curve)
    ax = new_axes() if ax is None else ax
    score = curve["threshold"].to_numpy()
    finite = np.isfinite(score)
    edges = _edges(score[finite], _CASES_PER_BIN)
    marks, labels = [], []
    for name, column, colour in (("negatives", "fp", _NEGATIVES), ("positives", "tp", _POSITIVES)):
        counts = np.diff(curve[column].to_numpy(), prepend=0.0)
        beyond = float(counts[~finite].sum())
        total = float(counts.sum())
        marks.append(_draw_bars(ax, score[finite], counts[finite] / total, edges, colour))
        infinite = f", {format_number(beyond, 0)} of them infinite" if beyond else ""
        labels.append(f"{format_number(total, 0)} {name}{infinite}")
    _finish(ax, curve, cut, marks, labels, "Share of the class")
    return ax


def plot_cutpoint_draws(
    draws: pd.DataFrame, *, cutpoints: pd.DataFrame | None = None, ax: Axes | None = None
) -> Axes:
    """Return the axes on which the cutpoints of resamples are drawn: how stable a cutpoint is.

    Parameters
    ----------
    draws : pandas.DataFrame
        The cutpoints of one predictor (in one group) as ``study.cutpoint_draws(...)`` gives them.
    cutpoints : pandas.DataFrame, optional
        The cutpoint as ``study.cutpoints(...)`` gives it: a line, and a band for its interval.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure, so that a notebook shows
        them. Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or is of several predictors or groups.

    Notes
    -----
    Heights are shares of the resamples: up to 30 distinct cutpoints, well apart, each have a bar;
    others are put into 40 bins. Resamples that call nobody positive have no place; the legend
    counts them. Several heaps apart from each other mean several points of the curve that are about
    equally good, between which the data do not decide.

    References
    ----------
    - Efron & Tibshirani (1993), An Introduction to the Bootstrap [efron-1993]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> ax = rs.plot_cutpoint_draws(study.cutpoint_draws(rng=1), cutpoints=study.cutpoints(rng=1))
    >>> ax.get_ylabel()
    'Share of the resamples'
    """
    require_frame("draws", draws, _DRAWS, "study.cutpoint_draws(...)")
    _require_one("draws", draws, "cutpoints")
    cut = _cut_of(cutpoints, draws)
    ax = new_axes() if ax is None else ax
    threshold = draws["threshold"].to_numpy()
    finite = threshold[np.isfinite(threshold)]
    share = np.full(len(finite), 1 / len(threshold))
    marks = [_draw_bars(ax, finite, share, _edges(finite), _NEGATIVES)]
    beyond = len(threshold) - len(finite)
    nobody = f", {format_number(beyond, 0)} of them call nobody positive" if beyond else ""
    labels = [f"{format_number(len(threshold), 0)} resamples{nobody}"]
    _finish(ax, draws, cut, marks, labels, "Share of the resamples")
    return ax


def _require_one(argument: str, frame: pd.DataFrame, what: str) -> None:
    """Raise InputError for a frame of several predictors, groups or folds."""
    found = [keys for keys, _ in pieces_of(frame, ["predictor", "group", "fold"])]
    if len(found) > 1:
        names = ", ".join(" ".join(part for part in keys if part) for keys in found[:4])
        raise InputError(
            f"`{argument}` must be {what} of one predictor, in one group; got {len(found)}:"
            f" {names}. Choose rows of one: their scores need not have one scale."
        )


def _cut_of(cutpoints: pd.DataFrame | None, frame: pd.DataFrame) -> pd.Series | None:
    """Return the row of the threshold of what is drawn."""
    if cutpoints is None:
        return None
    require_frame("cutpoints", cutpoints, _CUT, "study.cutpoints(...)")
    chosen = cutpoints[cutpoints["quantity"] == "threshold"]
    for key in ("predictor", "group"):
        if key in frame and key in chosen:
            chosen = chosen[chosen[key] == frame[key].iloc[0]]
    if len(chosen) != 1:
        raise InputError(
            f"`cutpoints` must have one row of the threshold of {frame['predictor'].iloc[0]!r};"
            f" got {len(chosen)}. Pass study.cutpoints(...) of the same study."
        )
    return chosen.iloc[0]


def _edges(values: FloatArray, cases_per_bin: int = 1) -> FloatArray:
    """Return the ends of bins: none where each of few values, well apart, has a bar of its own."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return np.empty(0)
    span = distinct[-1] - distinct[0]
    if len(distinct) <= _FEW_VALUES and np.diff(distinct).min() > span / (2 * _FEW_VALUES):
        return np.empty(0)
    n_bins = int(np.clip(len(values) / cases_per_bin, _FEWEST_BINS, _N_BINS))
    return np.linspace(distinct[0], distinct[-1], n_bins + 1)


def _draw_bars(
    ax: Axes, values: FloatArray, share: FloatArray, edges: FloatArray, colour: str
) -> Any:
    """Draw shares at values, or in bins; return what the legend shows."""
    if len(edges):
        heights, _ = np.histogram(values, edges, weights=share)
        return ax.stairs(heights, edges, fill=True, facecolor=colour, alpha=0.55, edgecolor=colour)
    distinct, where = np.unique(values, return_inverse=True)
    heights = np.bincount(where, weights=share, minlength=len(distinct))
    gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
    return ax.bar(distinct, heights, width=0.8 * gap, color=colour, alpha=0.55)


def _finish(
    ax: Axes,
    frame: pd.DataFrame,
    cut: pd.Series | None,
    marks: list[Any],
    labels: list[str],
    height: str,
) -> None:
    """Draw the cutpoint, the labels of the axes and the legend."""
    if cut is not None:
        marks.append(_draw_cut(ax, cut))
        level = format_level(cut["confidence_level"])
        at = f"{cut['estimate']:.4g}".replace("-", "−")
        labels.append(f"cutpoint {at} and {level} interval")
    side = "high" if frame["direction"].iloc[0] == ">=" else "low"
    name = str(frame["predictor"].iloc[0])
    ax.set_xlabel(f"{name} ({side} is positive)", parse_math=False)
    ax.set_ylabel(height)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high * 1.25)
    draw_legend(ax, marks, labels, loc="upper right")


def _draw_cut(ax: Axes, cut: pd.Series) -> Any:
    """Draw a cutpoint that is finite, and its interval as far as the axes reach."""
    left, right = ax.get_xlim()
    low, high = max(float(cut["ci_low"]), left), min(float(cut["ci_high"]), right)
    if low < high:
        ax.axvspan(low, high, color=_CUT_COLOUR, alpha=0.12, linewidth=0, zorder=0.5)
    at = float(cut["estimate"])
    ax.set_xlim(left, right)
    look = {**CHANCE, "color": _CUT_COLOUR, "linestyle": "-", "linewidth": 1.6, "zorder": 4}
    return ax.axvline(at if np.isfinite(at) else np.nan, **look)
