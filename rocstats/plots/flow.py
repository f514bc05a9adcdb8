"""The flow of participants: cases, exclusions, results of the index test, reference standard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.words import row_dicts
from rocstats.frame.make import about_of, in_print
from rocstats.plots.axes import EDGE, Width, axes_for, inks, note_size
from rocstats.plots.series import require_drawable
from rocstats.tables.cells import threshold_text, true_and_false_calls_of_row
from rocstats.tables.sizes import counted_units_in_words, units_of_frame
from rocstats.tables.text import format_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_NEEDED = ("predictor", "threshold", "direction", "tp", "fp", "n_pos", "n_neg", "note")
_SOURCE = "study.operating_points(threshold=...) of one predictor"

RATIO = 0.9
"""Height by width of the figure."""

# Heights of the rows of boxes, as shares of the axes.
_TOP, _EXCLUDED, _TEST, _RESULTS, _TRUTH = 0.95, 0.8, 0.65, 0.4, 0.12

# The other side of a cutoff.
_NEGATIVE = {">=": "< ", "<=": "> "}
_POSITIVE = {">=": "≥ ", "<=": "≤ "}


class FlowCounts(NamedTuple):
    """The numbers of a flow diagram, and the words of its boxes."""

    test: str
    positive: str
    """The results that are positive: "≥ 600"; "" of a yes/no test."""
    negative: str
    condition: str
    counted: str
    """What is counted: "patients"."""
    excluded: int
    """Rows left out for a missing value."""
    calls: Mapping[str, int]
    """True and false calls: "TP", "FN", "FP" and "TN"."""


def flow_counts(points: pd.DataFrame, *, cases: str = "patients") -> FlowCounts:
    """Return the numbers of the flow of participants.

    Parameters
    ----------
    points : pandas.DataFrame
        Points of one predictor at one threshold, labels in the place of names.
    cases : str, default "patients"
        Printed name of the cases.

    Raises
    ------
    InputError
        If there are several predictors, groups or thresholds, or the calls are no whole numbers.
    """
    names = [name for name in ("predictor", "group", "threshold") if name in points]
    places = points[names].drop_duplicates()
    row = row_dicts(points)[0]
    calls = true_and_false_calls_of_row(row)
    if len(places) != 1:
        raise InputError(
            "`points` must be of one predictor at one threshold, in one group; got"
            f" {len(places)} points. Pass {_SOURCE}."
        )
    if calls is None or min(calls.values()) < 0:
        raise InputError(
            "`points` must have whole numbers of true and false positives; got"
            f" {row['tp']} and {row['fp']}. Cases with weights, and points between two thresholds,"
            " have none. Pass a threshold."
        )
    dropped = re.search(r"rows-dropped=(\d+)", str(row["note"]))
    about, side = about_of(points), str(row["direction"])
    cut = threshold_text(float(row["threshold"]), row.get("next_score", float("nan")), 0)
    yes_no = bool(about.get("yes_no"))
    return FlowCounts(
        test=str(row["predictor"]),
        positive="" if yes_no else f"{_POSITIVE.get(side, '')}{cut}",
        negative="" if yes_no else f"{_NEGATIVE.get(side, '')}{cut}",
        condition=str(about.get("outcome", "the condition")),
        counted=counted_units_in_words(units_of_frame(points), cases),
        excluded=0 if dropped is None else int(dropped[1]),
        calls=calls,
    )


def plot_flow(
    points: pd.DataFrame,
    *,
    cases: str = "patients",
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the flow of participants through a diagnostic study, and return the axes.

    Parameters
    ----------
    points : pandas.DataFrame
        Points of one predictor at one threshold (in one group), from
        ``study.operating_points(threshold=...)``.
    cases : str, default "patients"
        Printed name of the cases.
    labels : mapping of str to str, optional
        Printed names of predictors; by default the labels of the study.
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
        If the frame lacks columns or rows; if it has several predictors, groups or thresholds; or
        if its calls are no whole numbers.

    Notes
    -----
    The boxes show what the data have: cases, those left out for a missing value
    (``nan_policy="omit"`` or ``"available"``), positive and negative results of the index test, and
    the reference standard in each. The last four numbers are the cross-tabulation. Who was eligible
    but is not in the data, and why, must be added by the authors.

    References
    ----------
    - Bossuyt et al (2015), STARD: items 19 and 23 [bossuyt-2015]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_flow(study.operating_points(threshold=1))
    >>> [text.get_text() for text in ax.texts][0]
    '50 patients'
    """
    require_drawable("points", points, _NEEDED, _SOURCE)
    points, _ = in_print(labels, points)
    counts = flow_counts(points, cases=cases)
    ax = axes_for(ax, width, ratio=RATIO)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_axis_off()
    _draw_boxes(ax, counts)
    return ax


def _draw_boxes(ax: Axes, counts: FlowCounts) -> None:
    calls = counts.calls
    tested = sum(calls.values())
    results = {
        "Positive": (counts.positive, "TP", "FP", 0.25),
        "Negative": (counts.negative, "FN", "TN", 0.75),
    }
    _box(ax, 0.5, _TOP, f"{format_count(tested + counts.excluded)} {counts.counted}")
    if counts.excluded:
        left_out = f"Left out: missing value\nn = {format_count(counts.excluded)}"
        _arrow(ax, (0.5, _EXCLUDED), (0.62, _EXCLUDED))
        _box(ax, 0.8, _EXCLUDED, left_out)
    _arrow(ax, (0.5, _TOP - 0.03), (0.5, _TEST + 0.05))
    _box(ax, 0.5, _TEST, f"{_folded(f'Index test: {counts.test}', 40)}\nn = {format_count(tested)}")
    ax.text(
        0.5, (_RESULTS + _TRUTH) / 2, "Reference\nstandard", ha="center", va="center",
        fontsize=note_size(ax), color=inks().second,
    )  # fmt: skip
    for name, (side, with_it, without, x) in results.items():
        n = calls[with_it] + calls[without]
        head = f"{name} ({side})" if side else name
        _arrow(ax, (0.5, _TEST - 0.05), (x, _RESULTS + 0.05))
        _box(ax, x, _RESULTS, f"{head}\nn = {format_count(n)}")
        for words, cell, at in (("With", with_it, x - 0.125), ("Without", without, x + 0.125)):
            _arrow(ax, (x, _RESULTS - 0.05), (at, _TRUTH + 0.07))
            condition = _folded(counts.condition, 14)
            _box(ax, at, _TRUTH, f"{words}\n{condition}\nn = {format_count(calls[cell])}")


def _folded(words: str, most: int) -> str:
    """Return words on lines of a number of characters, which fit in their box."""
    return "\n".join(wrap(words, most)) or words


def _box(ax: Axes, x: float, y: float, words: str) -> None:
    ink = inks()
    edge: dict[str, Any] = {
        "boxstyle": "square,pad=0.4", "facecolor": ink.ground, "edgecolor": ink.second,
        "linewidth": EDGE,
    }  # fmt: skip
    ax.text(
        x, y, words, ha="center", va="center", fontsize=note_size(ax), color=ink.text,
        parse_math=False, bbox=edge, zorder=3,
    )  # fmt: skip


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look = {"arrowstyle": "-|>", "color": inks().second, "linewidth": EDGE, "shrinkA": 0}
    ax.annotate("", end, start, arrowprops={**look, "shrinkB": 0}, zorder=2)
