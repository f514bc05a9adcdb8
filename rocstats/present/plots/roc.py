"""ROC curves in the unit square, with bands, fits, averages and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocstats.frames.labels import labelled, labels_in
from rocstats.present.plots import averages
from rocstats.present.plots.bands import draw_bands
from rocstats.present.plots.shared.axes import (
    draw_legend,
    estimate_texts,
    new_axes,
    series_labels,
    set_unit_ticks,
)
from rocstats.present.plots.shared.lines import (
    CHANCE,
    FloatArray,
    colour_of,
    draw_lines,
    visible_points,
)
from rocstats.present.plots.shared.series import (
    Series,
    pieces_of,
    pieces_of_curves,
    require_frame,
    series_of,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Curves of folds behind an average are faint, so that the bars on it can be read.
_FAINT = 0.35

# The columns that each frame needs, and where a user gets it.
_FRAMES = {
    "curve": (("predictor", "fold", "fpr", "tpr"), "study.roc_curve()"),
    "auc": (
        ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level"),
        "study.auc()",
    ),
    "band": (("predictor", "fpr", "tpr_low", "tpr_high"), "study.roc_band()"),
    "null_band": (
        ("predictor", "fpr_low", "fpr_high", "tpr_low", "tpr_high"),
        "study.random_band()",
    ),
    "average": (averages.AVERAGE_COLUMNS, "study.roc_average()"),
    "points": (averages.POINT_COLUMNS, "study.operating_points()"),
    "fit": (("predictor", "fpr", "tpr"), "study.binormal_curve()"),
}


def plot_roc(
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    band: pd.DataFrame | None = None,
    null_band: pd.DataFrame | None = None,
    fit: pd.DataFrame | None = None,
    average: pd.DataFrame | None = None,
    points: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves, with areas, bands, fits, averages or points, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.roc_curve()``: one line for each predictor (and class of a
        ``MulticlassStudy``), group and fold.
    auc : pandas.DataFrame, optional
        Areas from ``study.auc()``, for the legend: one full area for each predictor and group of
        ``curve``. For a ``MulticlassStudy``: ``auc(method="class-reference")``.
    band : pandas.DataFrame, optional
        Bands of predictors in ``curve`` from ``study.roc_band()``, drawn translucent. Several bands
        of one curve, concatenated, also have edges and an entry each in the legend.
    null_band : pandas.DataFrame, optional
        Region of random scorers from ``study.random_band()``: drawn grey behind all else, once for
        each group.
    fit : pandas.DataFrame, optional
        Fitted curves of predictors in ``curve`` from ``study.binormal_curve()``: thin smooth lines
        in the colours of their predictors.
    average : pandas.DataFrame, optional
        Averages of predictors in ``curve`` from ``study.roc_average()``: a line with vertical bars,
        or with crosses for averages by threshold (rectangles with ``joint=True``). Best drawn over
        the curves of the folds, ``study.roc_curve(by="fold")``.
    points : pandas.DataFrame, optional
        Operating points from ``study.operating_points()``, with crosses or joint rectangles.
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
        If a frame lacks columns or rows, or has predictors that ``curve`` lacks.

    Notes
    -----
    Lines differ in colour, grey value and dashes, and can be told apart in black and white. Curves
    of single folds are thin lines in the colour of their predictor. The dotted diagonal is chance.
    Bars of several vertical averages are drawn side by side, 0.012 apart, about their rates. A
    legend is drawn for several lines, or with ``auc``. Long curves are thinned for drawing: no
    point of a line moves by more than 1/2000 of an axis.

    References
    ----------
    - Fawcett (2004), section 2 (ROC space) and figure 8 (curves of folds) [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
    >>> ax.get_legend().get_texts()[0].get_text()
    'score 0.717 (95% CI 0.566-0.831)'
    """
    ax = new_axes() if ax is None else ax
    draw_roc(
        ax, curve, labels=labels, auc=auc, band=band, null_band=null_band, fit=fit, average=average,
        points=points,
    )  # fmt: skip
    return ax


def draw_roc(
    ax: Axes,
    curve: pd.DataFrame,
    *,
    style: str = "plain",
    labels: Mapping[str, str] | None = None,
    **frames: pd.DataFrame | None,
) -> None:
    """Draw ROC curves on given axes, with a legend in the style of a journal.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve : pandas.DataFrame
        See ``plot_roc``.
    style : str, default "plain"
        Name of a style for the legend, see ``rocstats.present.styles``.
    labels : mapping of str to str, optional
        See ``plot_roc``.
    **frames : pandas.DataFrame
        ``auc``, ``band``, ``null_band``, ``fit``, ``average`` and ``points`` of ``plot_roc``.

    Raises
    ------
    InputError
        See ``plot_roc``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import rocstats as rs
    >>> from rocstats.present.plots.roc import draw_roc
    >>> ax = Figure().subplots()
    >>> draw_roc(ax, rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22).roc_curve())
    >>> ax.get_xlim() == ax.get_ylim() == (0, 1)
    True
    """
    given = {argument: frame for argument, frame in frames.items() if frame is not None}
    for argument, frame in {"curve": curve, **given}.items():
        require_frame(argument, frame, *_FRAMES[argument])
    known = labels_in(labels, curve, *given.values())
    given = {argument: _of_classes(labelled(frame, known)) for argument, frame in given.items()}
    curve = _of_classes(labelled(curve, known))
    names = series_of(curve)
    texts = estimate_texts(given["auc"], "auc", style) if "auc" in given else None
    in_legend = series_labels(names, texts, argument="auc", what="full area")
    draw_square(ax)
    if "null_band" in given:
        _draw_null_bands(ax, given["null_band"])
    kinds = draw_bands(ax, given["band"], names) if "band" in given else {}
    lines = draw_lines(ax, curve, names, rates_of, fold_alpha=_FAINT if "average" in given else 1.0)
    if "fit" in given:
        _draw_fits(ax, given["fit"], names)
    if "average" in given:
        lines |= averages.draw_average(ax, given["average"], names)
    if "points" in given:
        averages.draw_points(ax, given["points"], names)
    if len(names) > 1 or texts is not None or kinds:
        title = None if texts is None else "Area under the curve"
        shown = [*(lines[name] for name in names), *kinds.values()]
        draw_legend(ax, shown, [*in_legend, *kinds], title=title)


def _of_classes(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its classes, if any, as part of the names of predictors."""
    if "class" not in frame:
        return frame
    several = frame["predictor"].nunique() > 1
    prefix = frame["predictor"] + ": " if several else ""
    # The average curve of all classes has no single class against the rest.
    averaged = frame["class"].isin(["micro-average", "macro-average"])
    against = (" vs " + frame["versus"]).mask(averaged, "")
    return frame.assign(predictor=prefix + frame["class"] + against)


def rates_of(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the rows of a curve."""
    return piece["fpr"].to_numpy(), piece["tpr"].to_numpy()


def draw_square(ax: Axes) -> None:
    """Draw the axes of ROC space, with the diagonal of chance."""
    ax.plot([0, 1], [0, 1], **CHANCE)
    set_unit_ticks(ax, x=True, y=True)
    ax.set(
        aspect="equal",
        xlabel="False positive rate (1 − specificity)",
        ylabel="True positive rate (sensitivity)",
    )


def _draw_fits(ax: Axes, fit: pd.DataFrame, names: Sequence[Series]) -> None:
    for name, piece in pieces_of_curves("fit", fit, names):
        x, y = visible_points(*rates_of(piece))
        colour = colour_of(names.index(name))
        ax.plot(x, y, color=colour, linewidth=0.9, zorder=2.5, clip_on=False)


def _draw_null_bands(ax: Axes, band: pd.DataFrame) -> None:
    """Draw the band of each group; it is the same for all predictors."""
    from matplotlib.collections import PolyCollection

    for _, piece in pieces_of(band, ["group"]) if "group" in band else [("", band)]:
        rows = piece[piece["predictor"] == piece["predictor"].iloc[0]]
        # Limits on both axes: the band runs between the upper left and the lower right corners.
        above = rows[["fpr_low", "tpr_high"]].to_numpy()
        below = rows[["fpr_high", "tpr_low"]].to_numpy()
        outline = np.concatenate([above, below[::-1]])
        ax.add_collection(PolyCollection([outline], color="0.5", alpha=0.2, lw=0, zorder=0.5))
