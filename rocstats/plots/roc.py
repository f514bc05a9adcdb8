"""ROC curves in the unit square, with bands, fits, averages and points.

Points are operating points and cutpoints; the range of a partial area is shaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from rocstats.plots.axes import BAND, BAND_OF_SEVERAL, EDGE, Width, inks, new_axes
from rocstats.plots.bands import (
    AVERAGE_COLUMNS,
    RocPointsWithLimits,
    draw_average,
    draw_bands,
    draw_bars,
    draw_null_bands,
    roc_points_with_limits,
    texts_of_thresholds,
)
from rocstats.plots.labels import (
    LegendPlace,
    Room,
    by_height,
    name_series,
    require_legend,
    write_beside,
)
from rocstats.plots.lines import (
    draw_lines,
    draw_panels,
    draw_square_of_roc_space,
    rates_of,
    visible_points,
)
from rocstats.plots.series import (
    MOST_SERIES,
    Colors,
    Curves,
    LineOptions,
    Looks,
    Series,
    estimate_texts,
    frame_pieces_by_keys,
    frames_in_print,
    is_of_series,
    looks_of,
    pieces_of_curves,
    series_of,
)
from rocstats.tables.text import format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


# --- The figure -----------------------------------------------------------------------------------


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
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves, with areas, bands, fits, averages or points, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.roc_curve()``: one line for each predictor (and class of a
        ``MulticlassStudy``), group and fold.
    auc : pandas.DataFrame, optional
        Areas from ``study.auc()``, for the key: one full or partial area for each predictor and
        group of ``curve``. The range of a partial area is shaded. For a ``MulticlassStudy``, pass
        ``study.auc(method="ovr-weighted")``.
    band : pandas.DataFrame, optional
        Bands of predictors in ``curve`` from ``study.roc_band()``, drawn translucent. If there is
        more than one band, the bands have edges. One curve may have several bands, concatenated in
        a frame; each kind of band then has an entry in the key.
    null_band : pandas.DataFrame, optional
        Region of random scorers from ``study.random_band()``, drawn grey in the background, once
        for each group.
    fit : pandas.DataFrame, optional
        Fitted curves of predictors in ``curve`` from ``study.binormal_curve()``, or adjusted curves
        from ``adjusted_roc_curve()``: thin lines in the colours of their predictors.
    average : pandas.DataFrame, optional
        Averages of predictors in ``curve`` from ``study.roc_average()``: a line with vertical bars,
        or with crosses for averages by threshold (rectangles with ``joint=True``). Pass the curves
        of the folds too: ``study.roc_curve(by="fold")``. These curves are drawn behind a single
        average. Several averages are drawn with bands, and without the curves of the folds.
    points : pandas.DataFrame, optional
        Operating points from ``study.operating_points()``, drawn with crosses or joint rectangles.
        Instead, cutpoints from ``study.cutpoints()`` can be passed. They are drawn as rings on the
        curve, with crosses at the rates that are corrected for optimism. Up to four points are
        labelled with threshold and rates.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor (or group), in the order of the study, or the name of a colour map
        such as "viridis"; by default the colour depends on the position of the predictor in the
        study.
    line : mapping, optional
        Options of matplotlib lines, for all curves, such as ``{"linewidth": 1}``, or by predictor
        (or group): ``{"svm": {"color": "black", "linestyle": "-"}}``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Position of the names of the curves:

        - "auto": on the lines, if there is room for all names and no areas are printed. Otherwise
          in a key: inside the axes, or below the axes if the key would cover a line;
        - "inside": in a key inside the axes, over the curves if necessary;
        - "outside": in a key at the right of ``ax``, which becomes narrower to make room; in a new
          figure the key is below the axes;
        - "direct": on the lines; names without room on their line are in a key;
        - False: nowhere.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm. Text is 7 to 8 points at that size.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new square axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes (the first of several panels); the figure is ``ax.figure``, which is neither shown
        nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows; if a frame has predictors that are not in ``curve``; or if
        ``line`` has an option that matplotlib lines do not have.

    Notes
    -----
    Lines differ in colour, grey value and dashes, and can be told apart in black and white. In a
    new figure, each of more than four curves has a panel, with the other curves in grey. On ``ax``
    all curves share the axes; 40 lines can be told apart. Curves that were drawn on the same axes
    before keep their colours. Curves of single folds are thin lines in the colour of their
    predictor. The dotted diagonal is chance. With several averages, the edges of a band connect the
    limits at single rates; such a band is not simultaneous. Names are on the lines if there is
    space for all names. With areas, names are in a key, ordered from the highest curve to the
    lowest. The key is below the axes if it would cover a line. Long curves are thinned for drawing:
    no point of a line moves by more than 1/2000 of an axis. Nothing is drawn outside ``ax``.
    Colours and spines that were changed in ``matplotlib.rcParams``, for example by a dark style,
    are used. On ``ax``, changed sizes of text are used too. ``rcParams`` does not change.

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
    >>> ax.get_legend().get_title().get_text(), ax.get_legend().get_texts()[0].get_text()
    ('Area under the curve (95% CI)', 'score 0.717 (0.566-0.831)')
    """
    frames = {
        "auc": auc,
        "band": band,
        "null_band": null_band,
        "fit": fit,
        "average": average,
        "points": points,
    }
    legend = require_legend(legend)
    figure = _read_roc_curves({"curve": curve, **frames}, labels, colors, "plain", line, ax)
    if ax is None:
        return _draw_roc_figure(figure, width, legend=legend)
    _draw_roc_axes(ax, figure, legend)
    return ax


def roc_figure(
    curve: pd.DataFrame,
    *,
    style: str = "plain",
    width: Width = "column",
    **frames: pd.DataFrame | None,
) -> Figure:
    """Return a figure of ROC curves outside pyplot, which joins no open figures of the user.

    Parameters
    ----------
    curve : pandas.DataFrame
        See ``plot_roc``.
    style : str, default "plain"
        Name of a style for the key, see ``rocstats.tables.styles``.
    width : {"column", "page"}, default "column"
        85 or 174 mm.
    **frames : pandas.DataFrame
        ``auc``, ``band``, ``null_band``, ``fit``, ``average`` and ``points`` of ``plot_roc``.

    Raises
    ------
    InputError
        See ``plot_roc``.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.plots.roc import roc_figure
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> len(roc_figure(study.roc_curve(), auc=study.auc()).axes)
    1
    """
    figure = _read_roc_curves({"curve": curve, **frames}, None, None, style)
    return cast("Figure", _draw_roc_figure(figure, width, shown=False).figure)


# --- The frames of a figure -----------------------------------------------------------------------

_POINT_COLUMNS = ("predictor", "quantity", "threshold", "estimate", "ci_low", "ci_high", "note")

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
    "average": (AVERAGE_COLUMNS, "study.roc_average()"),
    "points": (_POINT_COLUMNS, "study.operating_points()"),
    "fit": (("predictor", "fpr", "tpr"), "study.binormal_curve()"),
}


def _read_roc_curves(
    frames: Mapping[str, pd.DataFrame | None],
    labels: Mapping[str, str] | None,
    colors: Colors,
    style: str,
    line: LineOptions = None,
    ax: Axes | None = None,
) -> Curves:
    """Return the data to draw, with printed labels; raise InputError for wrong frames."""
    printed, names = frames_in_print(_FRAMES, labels, **frames)
    present = {
        argument: _curve_frame_with_class_names(frame) for argument, frame in printed.items()
    }
    curve = present.pop("curve")
    looks = looks_of(curve, colors, names, line, ax)
    if "auc" not in present:
        return Curves(curve, looks, None, None, present)
    texts, heading = _texts_of_curve_areas(present["auc"], looks.drawn, style)
    return Curves(curve, looks, texts, heading, present)


def _curve_frame_with_class_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its classes, if any, as part of the names of predictors."""
    if "class" not in frame:
        return frame
    several = frame["predictor"].nunique() > 1
    prefix = frame["predictor"] + ": " if several else ""
    # The average curve of all classes has no single class against the rest.
    averaged = frame["class"].isin(["micro-average", "macro-average"])
    against = (" vs " + frame["versus"]).mask(averaged, "")
    return frame.assign(predictor=prefix + frame["class"] + against)


def _texts_of_curve_areas(
    auc: pd.DataFrame, names: Sequence[Series], style: str
) -> tuple[dict[Series, str], str]:
    """Return the areas of curves as text, partial ones below full ones, and their heading."""
    title, where = "Area under the curve", _partial_area_range_in_words(auc)
    full = estimate_texts(auc, "auc", title, style)
    short = f"Area for {where}" if where else "Partial area"
    partial = estimate_texts(auc, "partial_auc", short, style)
    if partial.texts and not full.texts:
        return partial.one_each(names, argument="auc", what="partial area"), partial.heading
    texts = full.one_each(names, argument="auc", what="full area")
    for name in names:
        texts[name] += "".join(f"\n{where}: {text}" for text in partial.texts.get(name, []))
    return texts, full.heading


def _partial_area_range_in_words(areas: pd.DataFrame) -> str:
    """Return the range of partial areas in words: "FPR 0 to 0.2"; "" if there is not one range."""
    columns = ["range_axis", "range_low", "range_high"]
    ranges = areas.loc[areas["quantity"] == "partial_auc", columns].drop_duplicates()
    if len(ranges) != 1:
        return ""
    axis, low, high = ranges.iloc[0]
    return f"{str(axis).upper()} {low:g} to {high:g}"


# --- One graph, or a panel for each curve ---------------------------------------------------------

# More bands than these cannot be told apart on one pair of axes.
_MOST_BANDS = 2


def _draw_roc_figure(
    figure: Curves, width: Width, *, legend: LegendPlace = "auto", shown: bool = True
) -> Axes:
    """Draw a new figure, in panels if curves or bands are too many for one pair of axes."""
    banded = len(series_of(figure.frames["band"])) if "band" in figure.frames else 0
    if len(figure.looks.drawn) > MOST_SERIES or banded > _MOST_BANDS:
        return draw_panels(
            figure, figure.curve, lambda ax, one: _draw_roc_layers(ax, one)[1], width, shown=shown
        )
    ax = new_axes(width, shown=shown)
    _draw_roc_axes(ax, figure, legend)
    return ax


def _draw_roc_axes(ax: Axes, figure: Curves, legend: LegendPlace) -> None:
    """Draw a figure on one pair of axes, with its words."""
    draw_square_of_roc_space(ax)
    lines, kinds, points = _draw_roc_layers(ax, figure)
    names = figure.looks.drawn
    keyed = len(names) > 1 or figure.estimates is not None or bool(kinds)
    if not keyed and not points:
        return
    room = Room(ax)
    rest = kinds | {mark.words: mark.line for mark in label_points(ax, points, room)}
    shown = by_height({name: lines[name] for name in names}) if keyed else {}
    if shown or rest:
        placed: dict[str, Any] = {"on_lines": not rest, "room": room, "legend": legend}
        name_series(ax, shown, figure.estimates, rest, title=figure.heading, **placed)


# --- All but words --------------------------------------------------------------------------------

# Curves of folds behind an average are faint, so that the bars on it can be read.
_FAINT = 0.35


def _draw_roc_layers(
    ax: Axes, figure: Curves
) -> tuple[dict[Series, Line2D], dict[str, Line2D], list[Mark]]:
    """Draw all but words; return lines of curves, of kinds of bands, and the marked points."""
    frames, looks = figure.frames, figure.looks
    if "null_band" in frames:
        draw_null_bands(ax, frames["null_band"])
    if "auc" in frames:
        _draw_partial_areas(ax, frames["auc"], figure.curve, looks)
    kinds = draw_bands(ax, frames["band"], looks) if "band" in frames else {}
    curve = figure.curve
    if "average" in frames:
        curve = _without_folds(curve, series_of(frames["average"]))
    faint = _FAINT if "average" in frames else 1.0
    lines = draw_lines(ax, curve, looks, rates_of, part_alpha=faint)
    if "fit" in frames:
        _draw_fits(ax, frames["fit"], looks)
    if "average" in frames:
        lines |= draw_average(ax, frames["average"], looks)
    points = (
        _draw_operating_points_on_curves(ax, frames["points"], looks) if "points" in frames else []
    )
    return lines, kinds, points


def _without_folds(curve: pd.DataFrame, averaged: Sequence[Series]) -> pd.DataFrame:
    """Return curves without the folds of several averages, which would look alike."""
    if len(averaged) == 1:
        return curve
    is_averaged = np.any([is_of_series(curve, name) for name in averaged], axis=0)
    kept: pd.DataFrame = curve.loc[~(is_averaged & (curve["fold"] != ""))]
    return kept


def _draw_fits(ax: Axes, fit: pd.DataFrame, looks: Looks) -> None:
    for name, piece in pieces_of_curves("fit", fit, looks.drawn):
        x, y = visible_points(*rates_of(piece))
        ax.plot(x, y, color=looks.colour(name), linewidth=EDGE, zorder=2.5, clip_on=False)


def _draw_partial_areas(ax: Axes, areas: pd.DataFrame, curve: pd.DataFrame, looks: Looks) -> None:
    """Shade the range of partial areas under (or beside) whole curves.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    areas : pandas.DataFrame
        Rows of ``study.auc(fpr_range=...)`` or ``tpr_range``, of which "partial_auc" is drawn.
    curve : pandas.DataFrame
        The curves.
    looks : Looks
        The series and their looks.
    """
    partial = areas[areas["quantity"] == "partial_auc"]
    alpha = BAND if len(partial) == 1 else BAND_OF_SEVERAL
    whole = curve[curve["fold"] == ""]
    pieces: dict[Series, pd.DataFrame] = {
        (predictor, group): piece
        for (predictor, group), piece in frame_pieces_by_keys(whole, ["predictor", "group"])
    }
    for name, rows in pieces_of_curves("auc", partial, looks.drawn) if len(partial) else []:
        if name not in pieces:
            continue
        fpr, tpr = (pieces[name][rate].to_numpy() for rate in ("fpr", "tpr"))
        for _, row in rows.iterrows():
            look: dict[str, Any] = {"color": looks.colour(name), "alpha": alpha, "linewidth": 0}
            low, high = float(row["range_low"]), float(row["range_high"])
            if row["range_axis"] == "fpr":
                ax.fill_between(
                    *_part_of_curve_in_range(fpr, tpr, low, high), 0, **look, zorder=1.4
                )
            else:
                ax.fill_betweenx(
                    *_part_of_curve_in_range(tpr, fpr, low, high), 1, **look, zorder=1.4
                )


def _part_of_curve_in_range(
    along: FloatArray, across: FloatArray, low: float, high: float
) -> tuple[FloatArray, FloatArray]:
    """Return the part of a line from low to high, cut between its points."""
    inside = (along >= low) & (along <= high)
    ends = np.interp([low, high], along, across)
    return (
        np.concatenate([[low], along[inside], [high]]),
        np.concatenate([ends[:1], across[inside], ends[1:]]),
    )


# --- Points and their words -----------------------------------------------------------------------

# More points than this are not labelled: in a column there is no room for their words.
_MOST_LABELS = 4

_SIZE = 5.0  # of marks in points, three times the width of a curve
_GAPS = (5.0, 10.0, 18.0)  # between a mark and its words: beyond its bars, if it must be


class Mark(NamedTuple):
    """A point of a curve: its words, its rates, and the line that draws its mark."""

    words: str
    rates: FloatArray
    line: Line2D


def _draw_operating_points_on_curves(ax: Axes, points: pd.DataFrame, looks: Looks) -> list[Mark]:
    """Draw operating points or cutpoints on their curves; return a mark for each point.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    points : pandas.DataFrame
        Points from ``study.operating_points()`` (filled marks with crosses, or rectangles where the
        intervals are joint) or ``study.cutpoints()`` (rings on the curve; the crosses are at the
        corrected rates).
    looks : Looks
        The series and their looks.
    """
    marks = []
    for name, piece in pieces_of_curves("points", points, looks.drawn):
        colour = looks.colour(name)
        chosen = "apparent" in piece
        crosses = (
            _corrected_rates_of_cutpoints(piece)
            if chosen
            else roc_points_with_limits(piece, "points")
        )
        places = _rates_of_points_on_roc_curve(piece) if chosen else (crosses.x, crosses.y)
        (line,) = ax.plot(
            *places,
            linestyle="none",
            marker=looks.marker(name),
            markersize=_SIZE,
            markerfacecolor=inks().ground if chosen else colour,
            color=colour,
            zorder=6,
            clip_on=False,
        )
        rates = zip(crosses.thresholds, crosses.y, 1 - crosses.x, strict=True)
        at = np.column_stack(places)
        marks += [Mark(_mark_words(*rate), at[i], line) for i, rate in enumerate(rates)]
        draw_bars(ax, crosses, colour)
    return marks


def _corrected_rates_of_cutpoints(piece: pd.DataFrame) -> RocPointsWithLimits:
    """Return the rates of cutpoints, corrected for their choice, with their limits."""
    tpr, tnr = (piece[piece["quantity"] == rate] for rate in ("tpr", "tnr"))
    limits = ["ci_low", "ci_high"]
    return RocPointsWithLimits(
        1 - tnr["estimate"].to_numpy(),
        tpr["estimate"].to_numpy(),
        1 - tnr[limits].to_numpy().T[::-1],
        tpr[limits].to_numpy().T,
        joint=False,
        thresholds=texts_of_thresholds(tpr),
    )


def _rates_of_points_on_roc_curve(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    rows = piece[piece["quantity"] == "tpr"]
    return rows["fpr"].to_numpy(), rows["tpr"].to_numpy()


def label_points(ax: Axes, marks: list[Mark], room: Room) -> list[Mark]:
    """Write the words of few points beside them; return those that have no room, for the key."""
    if len(marks) > _MOST_LABELS:
        return []
    at = [ax.transData.transform(mark.rates[np.newaxis]) for mark in marks]
    left = []
    for i, mark in enumerate(marks):
        others = [place for j, place in enumerate(at) if j != i]
        broken = mark.words.replace(": ", ":\n").replace(", ", ",\n")
        written = any(
            write_beside(
                ax, words, mark.line.get_color(), at[i], room, others, gap=gap, over_dotted=over
            )
            # Words on the line of chance are the last resort.
            for over in (False, True)
            for gap in _GAPS
            for words in (mark.words, broken)
        )
        left += [] if written else [mark]
    return left


def _mark_words(threshold: str, sensitivity: float, specificity: float) -> str:
    """Return "19.3: sensitivity 74%, specificity 71%"; a point at a given rate has no threshold."""
    at = f"{threshold}: " if threshold else ""
    return f"{at}sensitivity {_percent(sensitivity)}, specificity {_percent(specificity)}"


def _percent(rate: float) -> str:
    # Whole, with a digit under 10; 0% and 100% only if exact.
    percent = 100 * float(rate)
    return f"{format_number(percent, 0 if percent >= 10 else 1, guard=(0, 100))}%"
