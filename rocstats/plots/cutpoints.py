"""A cutpoint and the scores of both classes, or the cutpoints of bootstrap resamples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import about_of, in_print
from rocstats.plots.axes import (
    BAND,
    CURVE,
    CUTOFF,
    EDGE,
    ERROR,
    WITHOUT,
    Width,
    axes_for,
    colour_of_series,
    inks,
    note_size,
    set_look_of_axes,
    text_colour,
    write_labels,
    write_title,
)
from rocstats.plots.series import require_drawable, require_single, series_names
from rocstats.tables.cells import limit_text, threshold_text
from rocstats.tables.text import format_count, format_level

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes


_CURVE = ("predictor", "fold", "direction", "threshold", "fp", "tp")
_DRAWS = ("predictor", "direction", "resample", "threshold")
_CUT = ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")

# Up to 30 values each have a bar of their own if no two are closer than 1/60 of their range: in a
# column (210 points) the narrowest bar is about 3 points wide.
_FEW_VALUES = 30

# Bins of 5 points in a column.
_MOST_BINS = 40
_FEWEST_BINS = 10  # fewer lose the shape of a distribution
_SCORES_PER_BIN = 5  # on average; the standard error of a height is 45%

# Height by width of a figure of scores, and of one of dots.
_RATIO, _DOTS_RATIO = 0.8, 0.6

# Beyond the bars are two lines of words, 20 of the 80 points of a half.
_ROOM = 1.33

# Quantile dots: 50 are as many as are counted by groups of five and ten, and each is 2%.
_DOTS = 50

# Most characters of a score's name below the axis: with its direction, 8 points high, a column.
_SCORE_NAME = 28


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
        scores, and the increases of its counts are the numbers of cases.
    cutpoints : pandas.DataFrame, optional
        The cutpoint from ``study.cutpoints(...)``, drawn as a line with a band for its interval.
        Misclassified cases are hatched and counted.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
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
        If a frame lacks columns or rows, or has several predictors, groups or folds.

    Notes
    -----
    Positives are above the axis, and negatives are below. Heights are shares of a class. If there
    are at most 30 distinct scores, well separated, each score has a bar. Otherwise scores are
    grouped in 10 to 40 bins, one of which starts at the cutpoint. Correctly classified cases are
    solid. The numbers are counts of true and false positives and negatives. They include infinite
    scores, which are not drawn.

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
    require_drawable("curve", curve, _CURVE, "study.roc_curve()")
    _require_scores_on_one_scale("curve", curve, "a curve")
    cut = cutpoint_row_of_frame(cutpoints, curve)
    curve, _ = in_print(labels, curve)
    ax = axes_for(ax, width, ratio=_RATIO)
    score = curve["threshold"].to_numpy()
    finite = np.isfinite(score)
    at = None if cut is None else float(cut["estimate"])
    bins = score_bin_edges(score[finite], at)
    high = curve["direction"].iloc[0] == ">="
    called = None if at is None else (score >= at if high else score <= at)
    outcome = about_of(curve).get("outcome")
    positives = f"positives ({outcome})" if outcome else "positives"
    for name, column in ((positives, "tp"), ("negatives", "fp")):
        # Counts along a curve are cumulative: their steps are the cases with each score.
        counts = np.diff(curve[column].to_numpy(), prepend=0.0)
        positive = column == "tp"
        right = np.full(len(score), True) if called is None else called == positive
        # Points at given rates alone may have no steps.
        share = counts / max(counts.sum(), 1.0)
        _draw_score_bars_of_class(
            ax, score[finite], share[finite], right[finite], bins, positive=positive
        )
        words = _words_of_counts(name, counts, finite, None if called is None else right)
        # Right calls of positives are where scores are positive.
        colours = (colour_of_series(0) if positive else WITHOUT, ERROR)
        for text, colour, at_right in zip(words, colours, (positive, not positive), strict=True):
            write_in_corner(ax, text, colour, right=at_right == high, top=positive)
    set_mirrored_axis_of_shares(ax, _ROOM)
    if cut is not None:
        draw_cutpoint_with_interval(ax, cut)
    set_look_of_axes(ax)
    write_labels(ax, score_name_with_positive_side(curve), "Share of the class")
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
        The cutpoint from ``study.cutpoints(...)``, drawn as a line with a bar for its interval.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
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
        If a frame lacks columns or rows, or has several predictors or groups.

    Notes
    -----
    The 50 dots are the quantiles 1/100, 3/100, ... 99/100 of the cutpoints. Each dot represents 1
    in 50 resamples. Dots outside the interval are hollow. A count below the axis shows the
    resamples that call no case positive. Several clusters of dots mean that several points of the
    curve are about equally good in these data.

    References
    ----------
    - Efron & Tibshirani (1993), An Introduction to the Bootstrap [efron-1993]
    - Kay, Kola, Hullman & Munson (2016), quantile dots [kay-2016]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> ax = rs.plot_cutpoint_draws(study.cutpoint_draws(rng=1), cutpoints=study.cutpoints(rng=1))
    >>> ax.get_ylabel()
    'Dot: 1 in 50 resamples'
    """
    require_drawable("draws", draws, _DRAWS, "study.cutpoint_draws(...)")
    _require_scores_on_one_scale("draws", draws, "cutpoints")
    cut = cutpoint_row_of_frame(cutpoints, draws)
    draws, _ = in_print(labels, draws)
    ax = axes_for(ax, width, ratio=_DOTS_RATIO)
    threshold = np.sort(draws["threshold"].to_numpy())
    beyond = int(np.isinf(threshold).sum())
    # Order statistics: a mean of two cutpoints may be none, and of an infinite one is infinite.
    dots = np.quantile(threshold, (np.arange(_DOTS) + 0.5) / _DOTS, method="inverted_cdf")
    _draw_dots_of_cutpoints(ax, dots[np.isfinite(dots)], cut)
    nobody = f"\n{beyond} of {len(threshold)} resamples call nobody positive" if beyond else ""
    ax.set_yticks([])
    set_look_of_axes(ax)
    name = score_name_with_positive_side(draws)
    write_labels(ax, name + nobody, f"Dot: 1 in {_DOTS} resamples")
    return ax


def _require_scores_on_one_scale(argument: str, frame: pd.DataFrame, what: str) -> None:
    """Raise InputError for a frame of several predictors, groups or folds."""
    advice = "Choose rows of one: their scores need not have one scale."
    what = f"{what} of one predictor, in one group"
    require_single(argument, frame, ("predictor", "group", "fold"), what, advice)


def cutpoint_row_of_frame(cutpoints: pd.DataFrame | None, frame: pd.DataFrame) -> pd.Series | None:
    """Return the row of the cutpoint for the predictor and group of a frame, if any."""
    if cutpoints is None:
        return None
    require_drawable("cutpoints", cutpoints, _CUT, "study.cutpoints(...)")
    chosen = cutpoints[cutpoints["quantity"] == "threshold"]
    for key in ("predictor", "group"):
        if key in frame and key in chosen:
            chosen = chosen[chosen[key] == frame[key].iloc[0]]
    if len(chosen) != 1:
        raise InputError(
            f"`cutpoints` must have one row with the threshold of {frame['predictor'].iloc[0]!r};"
            f" got {len(chosen)}. Pass study.cutpoints(...) of the same study."
        )
    return chosen.iloc[0]


def score_bin_edges(values: FloatArray, cut: float | None) -> FloatArray:
    """Return the ends of bins, the cutpoint among them; none for few values that are well apart."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return np.empty(0)
    span = distinct[-1] - distinct[0]
    if len(distinct) <= _FEW_VALUES and np.diff(distinct).min() > span / (2 * _FEW_VALUES):
        return np.empty(0)
    n_bins = int(np.clip(len(values) / _SCORES_PER_BIN, _FEWEST_BINS, _MOST_BINS))
    edges = np.linspace(distinct[0], distinct[-1], n_bins + 1)
    if cut is None or not edges[0] < cut < edges[-1]:
        return edges
    # A bin on both sides of the cutpoint would be right and wrong.
    nearest = edges[np.argmin(np.abs(edges - cut))]
    shifted = edges + (cut - nearest)
    width = span / n_bins
    return np.concatenate(
        [[shifted[0] - width] if shifted[0] > edges[0] else [], shifted,
         [shifted[-1] + width] if shifted[-1] < edges[-1] else []]
    )  # fmt: skip


def score_bars(distinct: FloatArray, bins: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the left and the right ends of bars: bins, or one for each distinct score."""
    if len(bins):
        return bins[:-1], bins[1:]
    gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
    return distinct - 0.4 * gap, distinct + 0.4 * gap


def _draw_score_bars_of_class(
    ax: Axes,
    values: FloatArray,
    share: FloatArray,
    right: Any,
    bins: FloatArray,
    *,
    positive: bool,
) -> None:
    """Draw one class: positives upwards, negatives downwards, wrong calls hatched."""
    sign = 1 if positive else -1
    distinct, where = np.unique(values, return_inverse=True)
    left, ends = score_bars(distinct, bins)
    width = ends - left
    base = np.zeros(len(left))
    looks: Any = (
        (
            right,
            {"facecolor": colour_of_series(0) if positive else WITHOUT, "edgecolor": inks().ground},
        ),
        (~right, {"facecolor": inks().ground, "edgecolor": ERROR, "hatch": "/////"}),
    )
    for chosen, look in looks:
        weights = sign * np.where(chosen, share, 0.0)
        if len(bins):
            heights, _ = np.histogram(values, bins, weights=weights)
        else:
            heights = np.bincount(where, weights=weights, minlength=len(distinct))
        drawn = heights != 0
        place = (left[drawn], heights[drawn], width[drawn], base[drawn])
        ax.bar(*place, align="edge", linewidth=0.4, **look)
        base = base + heights


def _words_of_counts(name: str, counts: FloatArray, finite: Any, right: Any) -> tuple[str, str]:
    """Return the texts on correct and wrong calls of a class."""
    beyond = float(counts[~finite].sum())
    infinite = f", {format_count(beyond)} of them infinite" if beyond else ""
    whole = f"{format_count(float(counts.sum()))} {name}{infinite}"
    if right is None:
        return whole, ""
    found, missed = (format_count(float(counts[part].sum())) for part in (right, ~right))
    words = ("cleared", "false alarms") if name == "negatives" else ("found", "missed")
    return f"{found} {words[0]}\nof {whole}", f"{missed} {words[1]}"


def write_in_corner(ax: Axes, text: str, colour: Any, *, right: bool, top: bool) -> None:
    """Write text in a corner of the axes, in a colour that is darkened to be read."""
    ax.annotate(
        text, (float(right), float(top)), (-2 if right else 2, -2 if top else 2),
        xycoords="axes fraction", textcoords="offset points",
        ha="right" if right else "left", va="top" if top else "bottom",
        fontsize=note_size(ax), color=text_colour(colour), parse_math=False,
    )  # fmt: skip


def set_mirrored_axis_of_shares(ax: Axes, room: float) -> None:
    """Set a vertical axis of shares above and below a line at 0, with room beyond for words."""
    reach = room * max(-ax.get_ylim()[0], ax.get_ylim()[1])
    ax.axhline(0, color=inks().text, linewidth=EDGE, zorder=3)
    ax.set_ylim(-reach, reach)
    ax.yaxis.set_major_formatter(lambda share, _: f"{abs(share):.6g}")


def draw_cutpoint_with_interval(ax: Axes, cut: pd.Series) -> None:
    """Draw a cutpoint as a line with a band for its interval, and write both above the axes."""
    left, right = ax.get_xlim()
    ends = max(float(cut["ci_low"]), left), min(float(cut["ci_high"]), right)
    if ends[0] < ends[1]:
        ax.axvspan(*ends, color=CUTOFF, alpha=2 * BAND, linewidth=0, zorder=0.5)
    _draw_finite_cutpoint(ax, cut)
    # The band and the line would widen the axes.
    ax.set_xlim(left, right)


def _draw_dots_of_cutpoints(ax: Axes, values: FloatArray, cut: pd.Series | None) -> None:
    """Draw sorted values as columns of dots, and the cutpoint with a bar for its interval."""
    shown = [values]
    if cut is not None:
        limits = cut[["estimate", "ci_low", "ci_high"]].to_numpy(dtype=np.float64)
        shown.append(limits[np.isfinite(limits)])
    every = np.concatenate(shown) if any(map(len, shown)) else np.zeros(1)
    span = float(np.ptp(every)) or 1.0
    low, high = every.min() - 0.08 * span, every.max() + 0.08 * span
    x, y, dot, top = _stacked_dots(ax, values, float(high - low), below=1)
    inside = np.full(len(values), True)
    if cut is not None:
        inside = (values >= cut["ci_low"]) & (values <= cut["ci_high"])
        ends = np.clip([cut["ci_low"], cut["ci_high"]], low, high)
        ax.plot(ends, [-0.2, -0.2], color=CUTOFF, linewidth=3, solid_capstyle="butt")
        _draw_finite_cutpoint(ax, cut)
    look: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": 0.85 * dot,
        "color": CUTOFF,
    }
    ax.plot(x[inside], y[inside], **look, zorder=3)
    ax.plot(x[~inside], y[~inside], **look, markerfacecolor=inks().ground, zorder=3)
    ax.set(xlim=(low, high), ylim=(-1, top))


# Points: the largest dot, as a mark on a curve, and the least that is still one.
_LARGEST_DOT, _LEAST_DOT = 6.0, 1.0

# Dots side by side where values are far apart: fives are counted at a glance.
_ACROSS = 5


def _stacked_dots(
    ax: Axes, values: FloatArray, span: float, *, below: float
) -> tuple[FloatArray, FloatArray, float, float]:
    """Return places of dots, their size, and the height of the axes in dots.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes; the dots are as large as the highest column lets them be.
    values : array of float, ascending
        Finite values, one for each dot.
    span : float
        Length of the horizontal axis.
    below : float
        Room under the dots, in dots.

    Returns
    -------
    x, y : array of float
        Places; heights are counted in dots.
    dot : float
        Diameter of a dot in points.
    top : float
        End of the vertical axis, which starts at ``-below``.
    """
    box = ax.get_window_extent()
    wide, tall = (72 * size / ax.figure.dpi for size in (box.width, box.height))
    dot = _LARGEST_DOT
    x, y = _places_of_dots_in_columns(values, dot * span / wide)
    while dot > _LEAST_DOT and (y.max(initial=0) + below + 1) * dot > tall:
        dot *= 0.95
        x, y = _places_of_dots_in_columns(values, dot * span / wide)
    return x, y, dot, tall / dot - below


def _places_of_dots_in_columns(values: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return places of dots of a width: values nearer than a dot are in one column."""
    gaps = np.diff(np.unique(values))
    with np.errstate(divide="ignore"):  # the width of a dot can be below the least number
        # A column and a gap as wide fit between the values.
        across = int(np.clip(gaps.min(initial=np.inf) / (2 * width), 1, _ACROSS))
    x, y = np.empty(len(values)), np.empty(len(values))
    start = 0
    while start < len(values):
        end = max(int(np.searchsorted(values, values[start] + width)), start + 1)
        row, place = np.divmod(np.arange(end - start), across)
        middle = (values[start] + values[end - 1]) / 2
        x[start:end] = middle + width * (place - (across - 1) / 2)
        y[start:end] = row + 0.5
        start = end
    return x, y


def score_name_with_positive_side(frame: pd.DataFrame) -> str:
    """Return the name of a score, and which side of it is positive."""
    side = "high" if frame["direction"].iloc[0] == ">=" else "low"
    (name,) = series_names([(str(frame["predictor"].iloc[0]), "")], most=_SCORE_NAME)
    return f"{name} ({side} is positive)"


def _draw_finite_cutpoint(ax: Axes, cut: pd.Series) -> None:
    """Draw a finite cutpoint, and write it with its interval above the axes."""
    at = float(cut["estimate"])
    value = threshold_text(at, cut.get("next_score", np.nan), 0)
    low, high = (limit_text(float(cut[name]), value) for name in ("ci_low", "ci_high"))
    level = cut["confidence_level"]
    interval = "" if np.isnan(level) else f" ({format_level(level)} CI {low} to {high})"
    write_title(ax, f"Cutpoint {value}{interval}", loc="center")
    if np.isfinite(at):
        ax.axvline(at, color=inks().text, linewidth=0.75 * CURVE, zorder=4)
