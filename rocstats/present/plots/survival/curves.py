"""ROC curves at a time, and at several times in panels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rocstats.errors import InputError, require_choice
from rocstats.frames.labels import labels_in
from rocstats.present.plots.roc import plot_roc
from rocstats.present.plots.shared.looks import Colors
from rocstats.present.plots.shared.palette import TEXT
from rocstats.present.plots.shared.series import require_frame
from rocstats.present.plots.shared.sizes import NOTE, WIDTHS, Width, new_grid

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_CURVE = ("predictor", "time", "fpr", "tpr")
_AUC = ("predictor", "time", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")
_IN_A_ROW = {"column": 1, "page": 2}


def plot_survival_roc(
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of a survival study, a panel for each time, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``SurvivalStudy.roc_curve()``: a line for each predictor and group.
    auc : pandas.DataFrame, optional
        Areas from ``SurvivalStudy.auc()`` at the same times, for the key.
    labels : mapping of str to str, optional
        What predictors are called; by default the labels of the study. Names that the frames lack
        are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm; with several times, one panel in a row, or two.
    ax : matplotlib.axes.Axes, optional
        Where to draw the curves of a single time; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes (the first of several panels); the figure is ``ax.figure``, which is neither shown
        nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, ``auc`` has not one area for each curve, or curves of
        several times are to share ``ax``.

    Notes
    -----
    Curves are those of estimated shares: weights for censoring make steps of unequal height. The
    dotted diagonal is chance.

    References
    ----------
    - Uno, Cai, Tian & Wei (2007) [uno-2007]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> months, died = [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 1, 0, 1, 0]
    >>> study = rs.SurvivalStudy(months, died, [3, 1, 2, 5, 2, 1, 4, 2], predictor="marker")
    >>> rs.plot_survival_roc(study.roc_curve(time=10)).get_title(loc="left")
    'At 10'
    """
    require_frame("curve", curve, _CURVE, "study.roc_curve(time=...)")
    if auc is not None:
        require_frame("auc", auc, _AUC, "study.auc(time=...)")
    known = labels_in(labels, curve, auc)
    times = curve["time"].unique().tolist()
    if ax is not None and len(times) > 1:
        raise InputError(
            f"`curve` must be of one time to share axes; got {len(times)} times. Choose rows of"
            " one, or leave ax out for a panel each."
        )
    axes = [ax] if ax is not None else _panels(len(times), width)
    for panel, time in zip(axes, times, strict=True):
        at = curve[curve["time"] == time].assign(fold="")
        own = None if auc is None else auc[auc["time"] == time]
        plot_roc(at, auc=own, labels=known, colors=colors, ax=panel)
        panel.set_title(f"At {time:g}", loc="left", fontsize=NOTE, color=TEXT)
    return axes[0]


def _panels(number: int, width: Width) -> list[Axes]:
    """Return axes in a new figure, each as wide as a column."""
    columns = min(_IN_A_ROW[require_choice("width", width, WIDTHS)], number)
    rows = math.ceil(number / columns)
    grid = new_grid(width, rows, columns, ratio=rows / columns)
    for ax in grid[number:]:
        ax.remove()
    return list(grid[:number])
