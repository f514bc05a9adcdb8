"""Predictive values against the prevalence, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.labels import in_print
from rocstats.frames.words import quantity_text
from rocstats.present.plots.points import NEEDED, RATIO, draw_measure, label_axes
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.series import require_frame
from rocstats.present.plots.shared.sizes import Width, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Columns that together identify an operating point; one at a given rate has no threshold.
_KEYS = ("predictor", "group", "threshold", "fpr", "tpr")


def plot_predictive_values(
    frame: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw predictive values against the prevalence with their intervals, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Points at several prevalences: ``study.operating_points(threshold=..., prevalence=[...])``;
        only "ppv" and "npv" are drawn.
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
        If the frame lacks columns or rows, or has no predictive values at two prevalences or more.

    Notes
    -----
    Colours are quantities, dashes are points (of a predictor, in a group). The band joins pointwise
    intervals at single prevalences.

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
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Positive predictive value', 'Negative predictive value']
    """
    source = "study.operating_points(threshold=..., prevalence=[...])"
    require_frame("frame", frame, (*NEEDED, "fpr", "tpr"), source)
    frame, _ = in_print(labels, frame)
    values = frame[frame["quantity"].isin(["ppv", "npv"])]
    if values["prevalence"].nunique() < 2:
        raise InputError(
            "`frame` must have predictive values at two prevalences or more; got"
            f" {values['prevalence'].nunique()}. Pass prevalence=[...] to operating_points()."
        )
    ax = new_axes(width, ratio=RATIO) if ax is None else ax
    points = list(dict.fromkeys(_point(row) for _, row in values.iterrows()))
    lines, texts = [], []
    for index, quantity in enumerate(("ppv", "npv")):
        rows = values[values["quantity"] == quantity]
        point_of_row = [_point(row) for _, row in rows.iterrows()]
        for place, point in enumerate(points):
            piece = rows[[candidate == point for candidate in point_of_row]]
            if len(piece) == 0:
                continue
            piece = piece.sort_values("prevalence", kind="stable")
            lines.append(
                draw_measure(ax, piece["prevalence"].to_numpy(), piece, index, place, None)
            )
            texts.append(quantity_text(piece.iloc[0]) + _words(piece, points))
    label_axes(ax, "Prevalence", ratios=False)
    draw_words(ax, lines, texts, loc="best", on_lines=False)
    return ax


def _point(row: pd.Series) -> tuple[str, ...]:
    # As text: the NaN thresholds of points at a given rate would be unequal to themselves.
    return tuple(str(row.get(key, "")) for key in _KEYS)


def _words(piece: pd.DataFrame, points: Sequence[tuple[str, ...]]) -> str:
    """Return the words that tell a point from the others in the legend."""
    if len(points) == 1:
        return ""
    row = piece.iloc[0]
    threshold = float(row["threshold"])
    where = f"threshold {threshold:g}"
    if np.isnan(threshold):
        where = f"FPR {row['fpr']:.3g}, TPR {row['tpr']:.3g}"
    parts = [row["predictor"]] if len({point[0] for point in points}) > 1 else []
    parts += [row["group"]] if len({point[1] for point in points}) > 1 else []
    return ", ".join(["", *parts, where])
