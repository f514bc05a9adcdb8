"""FROC curves of marks, with bands and operating points; and wAFROC curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.facts.words import quantity_title
from rocstats.plots.axes import (
    THIN,
    Width,
    axes_for,
    set_look_of_axes,
    set_square_ticks,
    set_unit_ticks,
    write_labels,
)
from rocstats.plots.bands import draw_bands
from rocstats.plots.labels import LegendPlace, by_height, name_series, require_legend
from rocstats.plots.lines import draw_lines, trace_of
from rocstats.plots.series import (
    Colors,
    LineOptions,
    Looks,
    Needed,
    frame_pieces_by_keys,
    frames_in_print,
    looks_of,
    pieces_of_curves,
)
from rocstats.tables.reader_frames import EVERY, reader_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVE = ("modality", "reader", "curve", "false_marks", "fpr", "lesion_tpr")
_POINTS = (
    "modality",
    "reader",
    "quantity",
    "threshold",
    "false_marks",
    "estimate",
    "ci_low",
    "ci_high",
)
_BAND = ("modality", "reader", "false_marks", "lesion_tpr_low", "lesion_tpr_high", "scope")
_FRAMES: dict[str, Needed] = {
    "curve": (_CURVE, "study.curve()"),
    "band": (_BAND, "study.froc_band()"),
    "points": (_POINTS, "study.operating_points()"),
}

# The axis of the FROC score; a curve that ends before 1 false mark a case is drawn up to there.
_FEWEST, _LEAST_END = 1 / 8, 1.0

# Height by width of the graph.
_RATIO = 0.8

# A chord is curved on a logarithmic axis: so many points are closer than the width of a line.
_POINTS_ON_AXIS = 400

# Readers are behind what is drawn for all of them.
_FAINT = 0.6

# The line from the last mark to (1, 1) is an assumption, not data.
_END: dict[str, Any] = {"linestyle": (0, (4, 3)), "alpha": _FAINT, "linewidth": THIN}

# Points across of a mark of an operating point.
_MARK = 5.0


def plot_froc(
    curve: pd.DataFrame,
    *,
    band: pd.DataFrame | None = None,
    points: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw FROC curves, or wAFROC curves, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``DetectionStudy.curve()``. Each modality has a colour and a line for each
        reader; readers of one modality have a colour each.
    band : pandas.DataFrame, optional
        Bands from ``DetectionStudy.froc_band()``, for one reader of each modality.
    points : pandas.DataFrame, optional
        Operating points from ``DetectionStudy.operating_points()``, drawn as markers with the
        limits of lesion sensitivity.
    labels : mapping of str to str, optional
        Printed names of modalities and readers; by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by modality (reader), or in the order of the study; see ``plot_roc``.
    line : mapping, optional
        Options of matplotlib lines, for all curves or by predictor (or group); see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Where the names are; see ``plot_roc``.
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
        If a frame lacks columns or rows; if curves are of several kinds; if a band or a point
        belongs to no curve; or if bands of several readers of a modality, or bands and points of
        wAFROC curves, are passed.

    Notes
    -----
    FROC curves have a logarithmic axis of false marks per case, from 1/8. They end at their last
    mark. wAFROC curves are in the unit square; the dashed line from the last mark to (1, 1) is the
    part of the area that cases without marks contribute.

    References
    ----------
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> one = marks[marks["reader"] == 0]
    >>> study = rs.DetectionStudy(one, cases, lesions, modality="modality")
    >>> ax = rs.plot_froc(study.curve())
    >>> ax.get_xscale(), len(ax.lines)
    ('log', 2)
    """
    legend = require_legend(legend)
    frames, names = frames_in_print(_FRAMES, labels, curve=curve, band=band, points=points)
    kinds = list(dict.fromkeys(frames["curve"]["curve"]))
    if len(kinds) > 1:
        raise InputError(
            f"`curve` must be of one kind; got {', '.join(map(str, kinds))}. Draw them on axes of"
            " their own."
        )
    weighted = kinds[0] == "wafroc"
    if weighted and len(frames) > 1:
        raise InputError(
            "`band` and `points` must be left out for wAFROC curves, whose axis is another; got"
            f" {[name for name in frames if name != 'curve']}. Pass study.curve()."
        )
    by_reader = frames["curve"]["modality"].nunique() == 1
    series = {name: _as_series(frame, by_reader=by_reader) for name, frame in frames.items()}
    looks = looks_of(series["curve"], colors, names, line, ax)
    ax = axes_for(ax, width, ratio=1.0 if weighted else _RATIO)
    if weighted:
        set_square_ticks(ax)
        _draw_ends(ax, series["curve"], looks)
        trace = trace_of("fpr", "lesion_tpr")
        words = "Cases without lesions with a false mark", "Weighted lesion sensitivity"
    else:
        _set_axis_of_false_marks(ax, series["curve"])
        trace = _trace_on_logarithmic_axis
        words = quantity_title("false_marks"), quantity_title("lesion_tpr")
    write_labels(ax, *words)
    if "band" in series:
        _draw_bands_of_one_reader(ax, series["band"], looks)
    alone = series["curve"].groupby(_keys(series["curve"]))["reader"].nunique().max() == 1
    curves = series["curve"].assign(reader="") if alone else series["curve"]
    lines = draw_lines(
        ax, curves, looks, trace, clip=True, parts="reader", part_alpha=_FAINT, zorder=4
    )
    if "points" in series:
        _draw_points(ax, series["points"], looks)
    if len(lines) > 1:
        name_series(ax, by_height(lines), on_lines=alone and "points" not in series, legend=legend)
    return ax


def _as_series(frame: pd.DataFrame, *, by_reader: bool) -> pd.DataFrame:
    """Return a frame whose modalities, or the readers of one modality, are its predictors."""
    if by_reader:
        readers = frame["reader"].map(lambda name: reader_text(str(name)))
        named = frame.assign(predictor=readers)
    else:
        named = frame.assign(predictor=frame["modality"])
    named.attrs = frame.attrs
    return named


def _keys(frame: pd.DataFrame) -> list[str]:
    return [key for key in ("predictor", "group") if key in frame]


def _set_axis_of_false_marks(ax: Axes, curve: pd.DataFrame) -> None:
    """Set a logarithmic axis in powers of 2, from 1/8 to the end of the longest curve."""
    set_look_of_axes(ax)
    set_unit_ticks(ax, x=False, y=True)
    end = max(float(curve["false_marks"].max()), _LEAST_END)
    ax.set_xscale("log")
    powers = np.arange(-3, int(np.ceil(np.log2(end))) + 1)
    texts = [f"1/{2**-k}" if k < 0 else f"{2**k}" for k in powers.tolist()]
    ax.set_xticks(2.0**powers, texts)
    ax.set_xticks([], minor=True)
    ax.set_xlim(_FEWEST, end * 1.05)
    ax.set_ylim(0, 1)


def _trace_on_logarithmic_axis(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Return the points of a curve, with points on its chords, from the start of the axis on."""
    x, y = (piece[name].to_numpy(dtype=np.float64) for name in ("false_marks", "lesion_tpr"))
    at = np.arange(len(x), dtype=np.float64)
    grid = np.geomspace(_FEWEST, max(float(x[-1]), _LEAST_END), _POINTS_ON_AXIS)
    place = np.unique(np.concatenate([at, np.interp(grid, x, at)]))
    x, y = np.interp(place, at, x), np.interp(place, at, y)
    # Left of the axis nothing is seen, and 0 has no logarithm.
    inside = x > _FEWEST / 2
    if not inside.any():
        return np.full(1, _FEWEST / 2), y[-1:]
    return x[inside], y[inside]


def _draw_ends(ax: Axes, curve: pd.DataFrame, looks: Looks) -> None:
    """Draw the lines from the last mark of each curve to (1, 1)."""
    for (predictor, group, _), piece in frame_pieces_by_keys(
        curve, ["predictor", "group", "reader"]
    ):
        last = piece.iloc[-1]
        look = {**looks.line((predictor, group)), **_END}
        ax.plot([last["fpr"], 1], [last["lesion_tpr"], 1], **look, zorder=2)


def _draw_bands_of_one_reader(ax: Axes, band: pd.DataFrame, looks: Looks) -> None:
    readers = band.groupby(_keys(band))["reader"].nunique()
    if readers.max() > 1:
        raise InputError(
            f"`band` must be of one reader of each modality; got {readers.max()} of"
            f" {readers.idxmax()!r}. Choose the rows of one reader."
        )
    draw_bands(ax, band, looks, ("false_marks", "lesion_tpr_low", "lesion_tpr_high"))


def _draw_points(ax: Axes, points: pd.DataFrame, looks: Looks) -> None:
    """Draw markers at false marks and lesion sensitivity, with the limits of the latter."""
    rows = points[points["reader"] != EVERY]
    pieces_of_curves("points", rows, looks.drawn, what="modalities or readers")
    # A frame of thresholds has a row for each axis, one of false marks a row for each place.
    place = "threshold" if rows["threshold"].notna().all() else "false_marks"
    keys = ["predictor", "group", "reader", place]
    for (predictor, group, _, _), piece in frame_pieces_by_keys(rows, keys):
        found = piece[piece["quantity"] == "lesion_tpr"]
        if found.empty:
            continue
        row = found.iloc[0]
        of_false = piece[piece["quantity"] == "false_marks"]
        x = row["false_marks"] if of_false.empty else of_false["estimate"].iloc[0]
        if not x >= _FEWEST:
            continue  # left of the axis
        look: dict[str, Any] = {"color": looks.colour((predictor, group)), "zorder": 5}
        ends = [[row["estimate"] - row["ci_low"]], [row["ci_high"] - row["estimate"]]]
        marker = looks.marker((predictor, group))
        ax.errorbar(x, row["estimate"], ends, fmt=marker, markersize=_MARK, **look)
