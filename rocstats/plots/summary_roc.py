"""Summary ROC plot of a review: studies, their mean, both regions and the summary curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import require_flag
from rocstats.facts.words import row_dicts
from rocstats.plots.axes import (
    BAND,
    BAND_OF_SEVERAL,
    CURVE,
    DASHES,
    EDGE,
    Width,
    axes_for,
    inks,
)
from rocstats.plots.labels import LegendPlace, require_legend, write_names_on_lines_or_in_key
from rocstats.plots.lines import draw_square_of_roc_space
from rocstats.plots.series import (
    Colors,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    series_names,
)
from rocstats.tables.text import format_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


_FRAMES: dict[str, Needed] = {
    "frame": (
        ("predictor", "part", "study", "fpr", "tpr", "n_pos", "n_neg", "confidence_level"),
        "review.summary_roc()",
    ),
}

# Points: the diameter of the circle of the largest study, and of the least that can be seen.
_LARGEST, _LEAST = 11.0, 2.5


def plot_summary_roc(
    frame: pd.DataFrame,
    *,
    crosshairs: bool = False,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the summary ROC plot of a review, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        The points from ``review.summary_roc()``, of one or several groups.
    crosshairs : bool, default False
        Whether studies are drawn with the limits of both rates, in place of circles by size.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor (or group), or in the order of the study; see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Where the names are; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new square axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows, or ``crosshairs`` is not True or False.

    Notes
    -----
    The area of a circle is proportional to the number of people of the study. Studies without a
    class have no point. The filled mark is the mean of the studies. The solid outline is the
    confidence region of this mean, the dashed outline the prediction region of the next study. The
    curve ends at the least and the greatest false positive rate of the studies.

    References
    ----------
    - Harbord, Deeks, Egger, Whiting & Sterne (2007) [harbord-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> ax = rs.plot_summary_roc(review.summary_roc())
    >>> ax.get_xlabel()
    'False positive rate (1 − specificity)'
    """
    legend = require_legend(legend)
    require_flag("crosshairs", crosshairs)
    frames, names = frames_in_print(_FRAMES, labels, frame=frame)
    frame = frames["frame"]
    looks = looks_of(frame, colors, names, ax=ax)
    ax = axes_for(ax, width)
    groups = frame_pieces_by_keys(frame, ["predictor", "group"])
    largest = float((frame["n_pos"] + frame["n_neg"])[frame["part"] == "study"].max())
    marks: dict[str, Line2D] = {}
    parts: dict[str, Line2D] = {}
    for (predictor, group), piece in groups:
        series = (predictor, group)
        colour = looks.colour(series)
        drawn = _draw_review(ax, piece, colour, largest, crosshairs, several=len(groups) > 1)
        # Groups of one test are told apart by their names alone.
        alone = len({keys[0] for keys, _ in groups}) == 1
        marks[series_names([(group, "") if alone else series])[0]] = drawn["Mean of the studies"]
        parts = {**drawn, **parts}
    draw_square_of_roc_space(ax)
    if len(groups) > 1:
        # Parts look alike in all groups: their key is in the colour of text.
        parts = {word: _in_colour_of_text(line) for word, line in parts.items()}
        parts = {**marks, **{k: v for k, v in parts.items() if k != "Mean of the studies"}}
    write_names_on_lines_or_in_key(
        ax, list(parts.values()), list(parts), on_lines=False, legend=legend
    )
    return ax


def _draw_review(
    ax: Axes, piece: pd.DataFrame, colour: Any, largest: float, crosshairs: bool, *, several: bool
) -> dict[str, Line2D]:
    """Draw the parts of a group, and return a line or mark of each for the key."""
    part = piece["part"]
    level = format_level(float(piece["confidence_level"].iloc[0]))
    found: dict[str, Line2D] = {}
    studies = piece[(part == "study") & piece["fpr"].notna() & piece["tpr"].notna()]
    found["Studies"] = _draw_studies(ax, studies, colour, largest, crosshairs)
    mean = piece[part == "summary"]
    (found["Mean of the studies"],) = ax.plot(
        mean["fpr"], mean["tpr"], "D", color=colour, markersize=6, zorder=5, clip_on=False,
        markeredgecolor=inks().ground, markeredgewidth=EDGE,
    )  # fmt: skip
    for word, name, dashes in (
        ("confidence-region", f"{level} confidence region", DASHES[0]),
        ("prediction-region", f"{level} prediction region", DASHES[3]),
    ):
        region = piece[part == word]
        if len(region):
            x, y = region["fpr"].to_numpy(), region["tpr"].to_numpy()
            look = {"color": colour, "linestyle": dashes, "linewidth": EDGE, "zorder": 2.5}
            (found[name],) = ax.plot(x, y, **look, clip_on=False)
            if word == "confidence-region":
                alpha = BAND_OF_SEVERAL if several else BAND
                ax.fill(x, y, color=colour, alpha=alpha, linewidth=0, zorder=1.5)
    curve = piece[part == "curve"]
    if len(curve):
        (found["Summary curve"],) = ax.plot(
            curve["fpr"], curve["tpr"], color=colour, linewidth=CURVE, zorder=3, clip_on=False
        )
    return found


def _draw_studies(
    ax: Axes, studies: pd.DataFrame, colour: Any, largest: float, crosshairs: bool
) -> Line2D:
    """Draw studies as circles by size, or with the limits of both rates; return a mark."""
    from matplotlib.lines import Line2D

    if crosshairs:
        look: dict[str, Any] = {"color": colour, "linewidth": EDGE, "zorder": 2.2}
        for row in row_dicts(studies):
            ax.plot([row["fpr_low"], row["fpr_high"]], [row["tpr"]] * 2, clip_on=False, **look)
            ax.plot([row["fpr"]] * 2, [row["tpr_low"], row["tpr_high"]], clip_on=False, **look)
        return Line2D([], [], marker="+", linestyle="none", color=colour, markersize=7)
    share = np.sqrt((studies["n_pos"] + studies["n_neg"]) / largest)
    sizes = np.maximum(_LEAST, _LARGEST * share)
    ax.scatter(
        studies["fpr"], studies["tpr"], s=sizes**2, facecolors="none", edgecolors=[colour],
        linewidths=EDGE, zorder=2.2, clip_on=False,
    )  # fmt: skip
    return Line2D(
        [], [], marker="o", linestyle="none", color=colour, markersize=5, markerfacecolor="none",
        markeredgewidth=EDGE,
    )  # fmt: skip


def _in_colour_of_text(line: Line2D) -> Line2D:
    """Return a line of the key in the colour of text."""
    from matplotlib.lines import Line2D

    found = Line2D([], [])
    found.update_from(line)
    found.set_color(inks().text)
    found.set_markeredgecolor(inks().text)
    return found
