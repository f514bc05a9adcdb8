"""Predictive values against the prevalence, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.measures import PREDICTIVE_VALUES
from rocstats.facts.words import quantity_text
from rocstats.frame.make import in_print
from rocstats.plots.axes import (
    WIDTHS,
    Width,
    label_panels_once,
    new_grid,
    require_axes,
    write_title,
)
from rocstats.plots.labels import name_ends, write_names_on_lines_or_in_key
from rocstats.plots.points import NEEDED, draw_measure, label_axes
from rocstats.plots.series import require_drawable
from rocstats.tables.cells import threshold_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# Height by width of a figure: of each of two panels below one another, and of two side by side.
_STACKED_RATIO, _BESIDE_RATIO = 0.5, 0.36

# Columns that together identify an operating point; one at a given rate has no threshold.
_KEYS = ("predictor", "group", "threshold", "fpr", "tpr")

# What the means of a review have, which are at no threshold.
_OF_REVIEW = ("predictor", "quantity", "prevalence", "estimate", "ci_low", "ci_high")


def plot_predictive_values(
    frame: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw predictive values against the prevalence in two panels, and return the first axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Operating points at several prevalences: ``study.operating_points(threshold=...,
        prevalence=[...])``; or the means of a review, ``review.summary(prevalence=[...])``. Only
        "ppv" and "npv" are drawn.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes for both predictive values; by default each has a panel in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, or the panel of the positive predictive value; both panels are in
        ``ax.figure.axes``. The figure is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows, or has no predictive values at two or more prevalences.

    Notes
    -----
    In two panels, colours and dashes distinguish points (of a predictor, in a group); names are at
    the ends of lines. On axes passed as ``ax``, colours distinguish quantities and dashes
    distinguish points. The band joins pointwise intervals at single prevalences.

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
    >>> [panel.get_title(loc="left") for panel in ax.figure.axes]
    ['Positive predictive value', 'Negative predictive value']
    """
    source = "study.operating_points(threshold=..., prevalence=[...])"
    given: Any = frame  # what a user passes may be no frame
    of_review = isinstance(given, pd.DataFrame) and "n_studies" in given
    require_drawable("frame", frame, _OF_REVIEW if of_review else (*NEEDED, "fpr", "tpr"), source)
    frame, _ = in_print(labels, frame)
    values = frame[frame["quantity"].isin(PREDICTIVE_VALUES)]
    if values["prevalence"].nunique() < 2:
        raise InputError(
            "`frame` must have predictive values at two or more prevalences; got"
            f" {values['prevalence'].nunique()}. Pass prevalence=[...] to operating_points()."
        )
    points = list(dict.fromkeys(_operating_point(row) for _, row in values.iterrows()))
    if ax is None:
        return _draw_panels_of_predictive_values(values, points, width)
    require_axes(ax)
    lines, texts = [], []
    for index, quantity in enumerate(PREDICTIVE_VALUES):
        for place, piece in _rows_of_points(values, quantity, points):
            x = piece["prevalence"].to_numpy()
            lines.append(draw_measure(ax, x, piece, index, place, None))
            words = (quantity_text(piece.iloc[0]), _operating_point_in_words(piece, points))
            texts.append(", ".join(filter(None, words)))
    label_axes(ax, "Prevalence")
    write_names_on_lines_or_in_key(ax, lines, texts, loc="best", on_lines=False)
    return ax


def _draw_panels_of_predictive_values(
    values: pd.DataFrame, points: Sequence[tuple[str, ...]], width: Width
) -> Axes:
    """Draw each predictive value in a separate panel, with names at the lines."""
    drawn = [name for name in PREDICTIVE_VALUES if (values["quantity"] == name).any()]
    width = require_choice("width", width, WIDTHS)
    # Side by side in a column, panels are too narrow for names beside them.
    columns, ratio = (1, _STACKED_RATIO) if width == "column" else (len(drawn), _BESIDE_RATIO)
    rows = len(drawn) // columns
    panels: list[Axes] = list(new_grid(width, rows, columns, ratio=ratio * rows))
    named: dict[Axes, tuple[list[Line2D], list[str]]] = {}
    for panel, quantity in zip(panels, drawn, strict=True):
        lines, names, title = [], [], quantity
        for place, piece in _rows_of_points(values, quantity, points):
            x = piece["prevalence"].to_numpy()
            lines.append(draw_measure(panel, x, piece, place, place, None))
            names.append(_operating_point_in_words(piece, points))
            title = quantity_text(piece.iloc[0])
        label_axes(panel, "Prevalence")
        write_title(panel, title)
        named[panel] = lines, names
    several = len(points) > 1
    # All panels have the same room.
    key = several and not all(name_ends(panel, *named[panel]) for panel in panels)
    lines, names = named[panels[0]]
    label_panels_once(panels, key=dict(zip(names, lines, strict=True)) if key else None)
    return panels[0]


def _rows_of_points(
    values: pd.DataFrame, quantity: str, points: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield the rows of each point that has the quantity, by prevalence, with its place."""
    rows = values[values["quantity"] == quantity]
    point_of_row = [_operating_point(row) for _, row in rows.iterrows()]
    for place, point in enumerate(points):
        piece = rows[[candidate == point for candidate in point_of_row]]
        if len(piece):
            yield place, piece.sort_values("prevalence", kind="stable")


def _operating_point(row: pd.Series) -> tuple[str, ...]:
    # As text: the NaN thresholds of points at a given rate would be unequal to themselves.
    return tuple(str(row.get(key, "")) for key in _KEYS)


def _operating_point_in_words(piece: pd.DataFrame, points: Sequence[tuple[str, ...]]) -> str:
    """Return the text that distinguishes a point in the legend."""
    if len(points) == 1:
        return ""
    row = piece.iloc[0]
    where = ""
    if "threshold" in row:
        threshold = float(row["threshold"])
        where = f"threshold {threshold_text(threshold, row.get('next_score', np.nan), 0)}"
        if np.isnan(threshold):
            where = f"FPR {row['fpr']:.3g}, TPR {row['tpr']:.3g}"
    parts = [row["predictor"]] if len({point[0] for point in points}) > 1 else []
    parts += [row["group"]] if len({point[1] for point in points}) > 1 else []
    return ", ".join(filter(None, [*parts, where]))
