"""Curves of a reader study: each reader, the averages, a machine; and the readers side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.words import quantity_title
from rocstats.plots.axes import WIDTHS, Width, new_axes, new_grid
from rocstats.plots.labels import LegendPlace, by_height, name_series, require_legend
from rocstats.plots.lines import draw_lines, draw_panels, draw_square_of_roc_space, rates_of
from rocstats.plots.reader_marks import (
    draw_machine,
    draw_reader_dots,
    draw_reader_points,
    n_rows_of_reader_dots,
    reader_names_need_own_rows,
    write_words_below_reader_figure,
)
from rocstats.plots.series import (
    MOST_SERIES,
    Colors,
    Curves,
    LineOptions,
    Looks,
    Needed,
    Series,
    estimate_texts,
    frames_in_print,
    looks_of,
    pieces_of_curves,
)
from rocstats.tables.reader_frames import EVERY, modalities_as_predictors, rows_of_reader_averages
from rocstats.tables.readers import difference_text, sentences_on_reader_model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


# Curves of readers are behind their average, which is read first.
_FAINT = 0.5

# Points of a mark in the key.
_MARK = 4.0

# Where the words under the second panel begin, as a share of the width: under that panel.
_BEGIN = {"column": 0.02, "page": 0.5}

# Inches of a row of dots, and of one with a name above it; of the axis under them and the words;
# of the labels of the square.
_ROW, _HIGH_ROW, _UNDER, _AROUND = 13 / 72, 22 / 72, 1.1, 0.45

_AREA = ("modality", "reader", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")
_FRAMES: dict[str, Needed] = {
    "curve": (("modality", "reader", "fpr", "tpr"), "readers.roc_curve()"),
    "auc": (_AREA, "readers.auc()"),
    "comparison": (
        ("modality", "reference", "reader", "estimate", "p_value", "hypothesis"),
        "readers.compare_auc()",
    ),
    "points": (_AREA, "readers.operating_points()"),
    "machine": (("predictor",), "roc_curve() or operating_points() of the machine's study"),
}


def plot_readers(
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    comparison: pd.DataFrame | None = None,
    points: pd.DataFrame | None = None,
    machine: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    line: LineOptions = None,
    legend: LegendPlace = "auto",
    width: Width = "page",
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of readers and their average, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``readers.roc_curve()``: thin for each reader, thick for the average of each
        modality (reader "all").
    auc : pandas.DataFrame, optional
        Areas from ``readers.auc()``. The averages are in the key. A second panel has the area of
        each reader under each modality, and the averages with their limits.
    comparison : pandas.DataFrame, optional
        Differences from ``readers.compare_auc()``, as text under the second panel.
    points : pandas.DataFrame, optional
        Operating points from ``readers.operating_points()``, one for each reader and modality,
        drawn as markers.
    machine : pandas.DataFrame, optional
        The machine: ``roc_curve()`` or ``operating_points()`` of its ``machine_study``, drawn as a
        separate curve or marker.
    labels : mapping of str to str, optional
        Printed names of modalities; by default the labels of the study. Names absent from the
        frames are ignored.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by modality, or in the order of the study; see ``plot_roc``.
    line : mapping, optional
        Options of matplotlib lines, for all curves or by predictor (or group); see ``plot_roc``.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Position of the names; see ``plot_roc``.
    width : {"column", "page"}, default "page"
        Width of a new figure: 85 mm with one panel below the other, or 174 mm with panels side by
        side.
    ax : matplotlib.axes.Axes, optional
        Axes for the curves, without the second panel; by default a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the curves (of the first of several panels); the figure is ``ax.figure``, which
        is neither shown nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or has modalities that are not in ``curve``; if
        ``comparison`` is passed without ``auc``; if a reader has several points; or if ``line``
        has an option that lines do not have.

    Notes
    -----
    Colours, dashes and markers depend on the position of the modality in the study. With groups,
    each modality in a group is drawn as a separate modality. In a new figure, each of more than
    four modalities has a panel, with the averages of the other modalities in grey. There is then no
    panel with the areas of readers: use ``plot_forest`` for these areas.

    References
    ----------
    - Obuchowski & Rockette (1995), readers and cases [obuchowski-1995]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import pandas as pd
    >>> import rocstats as rs
    >>> rates = {"fpr": [0, 0.2, 1], "tpr": [0, 0.7, 1]}
    >>> both = [pd.DataFrame(rates).assign(modality="CT", reader=who) for who in ("Lee", "all")]
    >>> ax = rs.plot_readers(pd.concat(both))
    >>> [line.get_linewidth() for line in ax.lines[1:]]
    [0.7, 1.6]
    """
    frames = {"auc": auc, "comparison": comparison, "points": points, "machine": machine}
    legend = require_legend(legend)
    looks: dict[str, Any] = {"colors": colors, "line": line, "ax": ax}
    figure, words = _read_reader_curves({"curve": curve, **frames}, labels, "plain", **looks)
    if ax is None:
        return _draw_readers_figure(figure, words, width, legend=legend)
    _draw_readers_axes(ax, figure, legend)
    return ax


def readers_figure(
    curve: pd.DataFrame,
    *,
    style: str = "plain",
    width: Width = "page",
    **frames: pd.DataFrame | None,
) -> Figure:
    """Return the figure of ``plot_readers`` outside pyplot, which joins no figures of the user."""
    figure, words = _read_reader_curves({"curve": curve, **frames}, None, style)
    return cast("Figure", _draw_readers_figure(figure, words, width, shown=False).figure)


# --- The frames of the figure ---------------------------------------------------------------------


def _read_reader_curves(
    frames: Mapping[str, pd.DataFrame | None],
    labels: Mapping[str, str] | None,
    style: str,
    *,
    colors: Colors = None,
    line: LineOptions = None,
    ax: Axes | None = None,
) -> tuple[Curves, list[str]]:
    """Return the data to draw and the text under the dots; raise InputError for wrong frames."""
    printed, names = frames_in_print(_FRAMES, labels, **frames)
    if "comparison" in printed and "auc" not in printed:
        raise InputError(
            "`comparison` must be passed with `auc`, because the panel of areas shows it; got"
            " `comparison` alone. Pass auc=readers.auc() too."
        )
    words = _difference_words(printed.pop("comparison"), style) if "comparison" in printed else []
    present = {argument: modalities_as_predictors(frame) for argument, frame in printed.items()}
    curve = present.pop("curve")
    looks = looks_of(curve, colors, names, line, ax)
    for argument in sorted({"auc", "points"} & set(present)):
        pieces_of_curves(argument, present[argument], looks.drawn, what="modalities")
    if "auc" not in present:
        return Curves(curve, looks, None, None, present), words
    areas = present["auc"] = _rows_of_first_reader_quantity(present["auc"])
    quantity, label = str(areas["quantity"].iloc[0]), _quantity_label(areas)
    rows = areas[areas["reader"] == EVERY]
    texts = estimate_texts(rows, quantity, f"Average {label.lower()}", style)
    estimates = texts.one_each(looks.drawn, argument="auc", what="average area")
    return Curves(curve, looks, estimates, texts.heading, present), words


def _difference_words(comparison: pd.DataFrame, style: str) -> list[str]:
    """Return the differences of averages in words, and for whom they are meant."""
    rows = rows_of_reader_averages(comparison)
    found = []
    for _, row in rows.iterrows():
        place = f", {row['group']}" if row.get("group", "") else ""
        pair = f"{row['modality']} − {row['reference']}{place}"
        found.append(f"{pair}: {difference_text(row, style)}")
    return [*found, *sentences_on_reader_model(rows)]


def _rows_of_first_reader_quantity(areas: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first quantity."""
    kept: pd.DataFrame = areas[areas["quantity"] == areas["quantity"].iloc[0]]
    kept.attrs = areas.attrs
    return kept


def _quantity_label(areas: pd.DataFrame) -> str:
    quantity = str(areas["quantity"].iloc[0])
    return "Area under the curve" if quantity == "auc" else quantity_title(quantity)


# --- One graph, two, or a panel for each modality -------------------------------------------------


def _draw_readers_figure(
    figure: Curves,
    words: list[str],
    width: Width,
    *,
    legend: LegendPlace = "auto",
    shown: bool = True,
) -> Axes:
    """Draw a new figure: panels of many modalities, or curves with the dots of areas beside them.

    Parameters
    ----------
    figure : Curves
        The curves, and what is drawn with them.
    words : list of str
        Sentences under the dots.
    width : {"column", "page"}
        85 or 174 mm.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Where the names are, see ``require_legend``.
    shown : bool, default True
        Whether a notebook shows the figure.
    """
    width = require_choice("width", width, WIDTHS)
    if len(figure.looks.drawn) > MOST_SERIES:
        every = figure.curve[figure.curve["reader"] == EVERY]
        return draw_panels(figure, every, _draw_readers_panel, width, shown=shown)
    if "auc" not in figure.frames:
        ax = new_axes(width, shown=shown)
        _draw_readers_axes(ax, figure, legend)
        return ax
    areas = figure.frames["auc"]
    apart = reader_names_need_own_rows(areas, width)
    first, second = _new_axes_of_curves_and_dots(figure, width, apart=apart, shown=shown)
    draw_reader_dots(second, areas, figure.looks, _quantity_label(areas), apart=apart)
    write_words_below_reader_figure(second, words, _BEGIN[width])
    _draw_readers_axes(first, figure, legend)
    return first


def _new_axes_of_curves_and_dots(
    figure: Curves, width: Width, *, apart: bool, shown: bool
) -> tuple[Axes, Axes]:
    """Return axes of the curves and of the dots: side by side on a page, else stacked."""
    inches = WIDTHS[width]
    row = _HIGH_ROW if apart else _ROW
    dots = row * n_rows_of_reader_dots(figure.frames["auc"], figure.looks) + _UNDER
    if width == "page":
        square = inches / 2 + _AROUND
        grid = new_grid(width, 1, 2, ratio=max(square, dots) / inches, shown=shown)
        return grid[0], grid[1]
    square = inches
    grid = new_grid(width, 2, 1, ratio=(square + dots) / inches, shown=shown)
    grid[0].get_gridspec().set_height_ratios([square, dots])
    return grid[0], grid[1]


def _draw_readers_panel(ax: Axes, figure: Curves) -> dict[str, Line2D]:
    """Draw the readers of one modality; return lines of the key."""
    _, points, machines = _draw_reader_layers(ax, figure)
    return points | machines


def _draw_readers_axes(ax: Axes, figure: Curves, legend: LegendPlace) -> None:
    """Draw curves, points and the machine on one pair of axes, with their key."""
    draw_square_of_roc_space(ax)
    # Beside many readers the square is at their top.
    ax.set_anchor("N")
    looks = figure.looks
    lines, points, machines = _draw_reader_layers(ax, figure)
    rest = machines | points
    if len(looks.drawn) == 1 and figure.estimates is None and not rest:
        return
    keyed = by_height({name: lines[name] for name in looks.drawn})
    marked = "auc" in figure.frames or "points" in figure.frames
    if marked:
        keyed = {name: _key_line_with_mark_of_readers(looks, name) for name in keyed}
    placed: dict[str, Any] = {"on_lines": not rest and not marked, "legend": legend}
    name_series(ax, keyed, figure.estimates, rest, title=figure.heading, **placed)


def _draw_reader_layers(
    ax: Axes, figure: Curves
) -> tuple[dict[Series, Line2D], dict[str, Line2D], dict[str, Line2D]]:
    """Draw all but words; return the lines of modalities, of points and of machines."""
    frames, looks = figure.frames, figure.looks
    lines = draw_lines(
        ax, figure.curve, looks, rates_of, parts="reader", whole=EVERY, part_alpha=_FAINT, zorder=4
    )
    points = draw_reader_points(ax, frames["points"], looks) if "points" in frames else {}
    machines = draw_machine(ax, frames["machine"], looks) if "machine" in frames else {}
    return lines, points, machines


def _key_line_with_mark_of_readers(looks: Looks, name: Series) -> Line2D:
    """Return a line for the key with the mark of its readers, by which grey prints tell them."""
    from matplotlib.lines import Line2D

    return Line2D([], [], marker=looks.marker(name), markersize=_MARK, **looks.line(name))
