"""A cutpoint and the scores of both classes, or the cutpoints of bootstrap resamples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.labels import about_of, in_print
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.palette import CHANCE, CURVE, PALETTE
from rocstats.present.plots.shared.series import pieces_of, require_frame
from rocstats.present.plots.shared.sizes import Width, dress, new_axes
from rocstats.present.text import format_level, format_number

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd
    from matplotlib.axes import Axes

_CURVE = ("predictor", "fold", "direction", "threshold", "fp", "tp")
_DRAWS = ("predictor", "direction", "resample", "threshold")
_CUT = ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")

# Up to 30 values each have a bar of their own if no two are closer than 1/60 of their range: on
# square axes (310 points) the narrowest bar is about 4 points wide.
_FEW_VALUES = 30

# Bins of 8 points on square axes: with 2000 resamples a bin holds 50 on average, and its height has
# a standard error of 14% (1 / sqrt(50)).
_MOST_BINS = 40
_FEWEST_BINS = 10  # fewer lose the shape of a distribution
_SCORES_PER_BIN = 5  # on average; the standard error of a height is 45%

# Opacity of overlapping bars of two classes, and of the interval behind them.
_BAR, _INTERVAL = 0.55, 0.12

# Room above the bars for the legend, of three entries at most.
_ROOM = 1.25

_NEGATIVES, _POSITIVES = PALETTE[2], PALETTE[1]
_CUT_COLOUR = PALETTE[0]


def plot_scores(
    curve: pd.DataFrame,
    *,
    cutpoints: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of scores in both classes with the cutpoint, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        The curve of one predictor (in one group) from ``study.roc_curve()``: its thresholds are the
        scores, and its counts rise by the number of cases with each score.
    cutpoints : pandas.DataFrame, optional
        The cutpoint from ``study.cutpoints(...)``: a line, and a band for its interval.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
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
        If a frame lacks columns or rows, or is of several predictors, groups or folds.

    Notes
    -----
    Heights are shares of a class. Up to 30 distinct scores, well apart, each have a bar; other
    scores are grouped in 10 to 40 bins. Infinite scores are not drawn; the legend counts them.

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
    curve, _ = in_print(labels, curve)
    ax = new_axes(width) if ax is None else ax
    score = curve["threshold"].to_numpy()
    finite = np.isfinite(score)
    edges = _edges(score[finite], _SCORES_PER_BIN)
    marks, texts = [], []
    outcome = about_of(curve).get("outcome")
    positives = f"positives ({outcome})" if outcome else "positives"
    for name, column, colour in (("negatives", "fp", _NEGATIVES), (positives, "tp", _POSITIVES)):
        # Counts along a curve are cumulative: their steps are the cases with each score.
        counts = np.diff(curve[column].to_numpy(), prepend=0.0)
        beyond = float(counts[~finite].sum())
        total = float(counts.sum())
        marks.append(_draw_bars(ax, score[finite], counts[finite] / total, edges, colour))
        infinite = f", {format_number(beyond, 0)} of them infinite" if beyond else ""
        texts.append(f"{format_number(total, 0)} {name}{infinite}")
    _finish(ax, curve, cut, marks, texts, "Share of the class")
    return ax


def plot_cutpoint_draws(
    draws: pd.DataFrame,
    *,
    cutpoints: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of a cutpoint over bootstrap resamples, and return the axes.

    Parameters
    ----------
    draws : pandas.DataFrame
        The cutpoints of one predictor (in one group) from ``study.cutpoint_draws(...)``.
    cutpoints : pandas.DataFrame, optional
        The cutpoint from ``study.cutpoints(...)``: a line, and a band for its interval.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
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
        If a frame lacks columns or rows, or is of several predictors or groups.

    Notes
    -----
    Heights are shares of the resamples. Up to 30 distinct cutpoints, well apart, each have a bar;
    others are grouped in at most 40 bins. Resamples that call nobody positive are not drawn; the
    legend counts them. Several separate modes mean that several points of the curve are about
    equally good, and that the data do not decide between them.

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
    draws, _ = in_print(labels, draws)
    ax = new_axes(width) if ax is None else ax
    threshold = draws["threshold"].to_numpy()
    finite = threshold[np.isfinite(threshold)]
    share = np.full(len(finite), 1 / len(threshold))
    marks = [_draw_bars(ax, finite, share, _edges(finite), _NEGATIVES)]
    beyond = len(threshold) - len(finite)
    nobody = f", {format_number(beyond, 0)} of them call nobody positive" if beyond else ""
    texts = [f"{format_number(len(threshold), 0)} resamples{nobody}"]
    _finish(ax, draws, cut, marks, texts, "Share of the resamples")
    return ax


def _require_one(argument: str, frame: pd.DataFrame, what: str) -> None:
    """Raise InputError for a frame of several predictors, groups or folds."""
    series = [keys for keys, _ in pieces_of(frame, ["predictor", "group", "fold"])]
    if len(series) > 1:
        names = ", ".join(" ".join(part for part in keys if part) for keys in series[:4])
        raise InputError(
            f"`{argument}` must be {what} of one predictor, in one group; got {len(series)}:"
            f" {names}. Choose rows of one: their scores need not have one scale."
        )


def _cut_of(cutpoints: pd.DataFrame | None, frame: pd.DataFrame) -> pd.Series | None:
    """Return the row of the cutpoint for the predictor and group of ``frame``, if any."""
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


def _edges(values: FloatArray, values_per_bin: int = 1) -> FloatArray:
    """Return the ends of bins; empty where values are few and well apart, with a bar for each."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return np.empty(0)
    span = distinct[-1] - distinct[0]
    if len(distinct) <= _FEW_VALUES and np.diff(distinct).min() > span / (2 * _FEW_VALUES):
        return np.empty(0)
    n_bins = int(np.clip(len(values) / values_per_bin, _FEWEST_BINS, _MOST_BINS))
    return np.linspace(distinct[0], distinct[-1], n_bins + 1)


def _draw_bars(
    ax: Axes, values: FloatArray, share: FloatArray, edges: FloatArray, colour: str
) -> Any:
    """Draw shares as bars at values or in bins; return the mark for the legend."""
    if len(edges):
        heights, _ = np.histogram(values, edges, weights=share)
        return ax.stairs(heights, edges, fill=True, facecolor=colour, alpha=_BAR, edgecolor=colour)
    distinct, where = np.unique(values, return_inverse=True)
    heights = np.bincount(where, weights=share, minlength=len(distinct))
    gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
    return ax.bar(distinct, heights, width=0.8 * gap, color=colour, alpha=_BAR)


def _finish(
    ax: Axes,
    frame: pd.DataFrame,
    cut: pd.Series | None,
    marks: list[Any],
    labels: list[str],
    height: str,
) -> None:
    """Add the cutpoint, the labels of the axes, and the legend."""
    if cut is not None:
        marks.append(_draw_cut(ax, cut))
        level = format_level(cut["confidence_level"])
        # A midpoint has a digit more than the scores, which mostly have four at most.
        at = f"{cut['estimate']:.5g}".replace("-", "−")
        labels.append(f"cutpoint {at} and {level} interval")
    side = "high" if frame["direction"].iloc[0] == ">=" else "low"
    name = str(frame["predictor"].iloc[0])
    ax.set_xlabel(f"{name} ({side} is positive)", parse_math=False)
    ax.set_ylabel(height)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high * _ROOM)
    dress(ax)
    draw_words(ax, marks, labels, loc="upper right", on_lines=False)


def _draw_cut(ax: Axes, cut: pd.Series) -> Any:
    """Draw a finite cutpoint, and its interval as far as the axes reach."""
    left, right = ax.get_xlim()
    low, high = max(float(cut["ci_low"]), left), min(float(cut["ci_high"]), right)
    if low < high:
        ax.axvspan(low, high, color=_CUT_COLOUR, alpha=_INTERVAL, linewidth=0, zorder=0.5)
    at = float(cut["estimate"])
    # The band of the interval would widen the axes.
    ax.set_xlim(left, right)
    look = {**CHANCE, "color": _CUT_COLOUR, "linestyle": "-", "linewidth": CURVE, "zorder": 4}
    # An infinite cutpoint calls nobody positive: NaN draws no line, but keeps its legend entry.
    return ax.axvline(at if np.isfinite(at) else np.nan, **look)
