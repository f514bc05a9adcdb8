"""Curves of a reader study: each reader, the averages, a machine; and the readers side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.words import title_of
from rocstats.frame.make import labelled, labels_in
from rocstats.plots.axes import (
    OTHERS,
    PANEL_NAME,
    THIN,
    WIDTHS,
    Colors,
    Looks,
    Series,
    Values,
    Width,
    estimate_texts,
    finish_panels,
    is_of_series,
    looks_of,
    new_grid,
    new_panels,
    pieces_of,
    require_axes,
    require_frame,
    series_names,
    series_values,
)
from rocstats.plots.labels import by_height, draw_words
from rocstats.plots.lines import draw_square, rates_of, visible_points
from rocstats.plots.reader_marks import (
    draw_machine,
    draw_reader_dots,
    draw_reader_lines,
    draw_reader_points,
    names_apart,
    rows_of_dots,
    write_below,
)
from rocstats.tables.readers import difference_text, model_sentences
from rocstats.tables.wording import EVERY, as_series, averages

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


# More modalities than colours have a panel each.
_MOST_MODALITIES = 4

# Points of a mark in the key.
_MARK = 4.0

# Where the words under the second panel begin, as a share of the width: under that panel.
_BEGIN = {"column": 0.02, "page": 0.5}

# Inches of a row of dots, and of one with a name above it; of the axis under them and the words;
# of the labels of the square.
_ROW, _HIGH_ROW, _UNDER, _AROUND = 13 / 72, 22 / 72, 1.1, 0.45

_AREA = ("modality", "reader", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")
_FRAMES = {
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
    width: Width = "page",
    ax: Axes | None = None,
) -> Axes:
    """Draw the curves of readers and their averages, the readers side by side; return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``readers.roc_curve()``: thin for each reader, thick for the average of each
        modality (reader "all").
    auc : pandas.DataFrame, optional
        Areas from ``readers.auc()``: averages are in the key, and a second panel has the area of
        each reader with each modality, and the averages with their limits.
    comparison : pandas.DataFrame, optional
        Differences from ``readers.compare_auc()``, in words under the second panel.
    points : pandas.DataFrame, optional
        Operating points from ``readers.operating_points()``, one for each reader and modality: a
        mark where each reader works.
    machine : pandas.DataFrame, optional
        The machine: ``roc_curve()`` or ``operating_points()`` of its ``machine_study``, drawn
        as a curve or a mark of its own.
    labels : mapping of str to str, optional
        What modalities are called; by default the labels of the study. Names that the frames lack
        are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by modality, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "page"
        Width of a new figure: 85 mm, the panels one below the other, or 174 mm, side by side.
    ax : matplotlib.axes.Axes, optional
        Where to draw the curves, without the second panel; by default a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the curves (of the first of several panels); the figure is ``ax.figure``, which
        is neither shown nor saved.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or has modalities that ``curve`` lacks; if
        ``comparison`` is without ``auc``; if a reader has several points; or if more than four
        modalities without colours of their own are to share ``ax``.

    Notes
    -----
    Colours, dashes and marks are those of the modality, by its place in the study. With groups,
    modalities in a group are drawn as modalities are. More than four have a panel each, the
    other averages in grey, and no second panel: ``plot_forest`` draws their readers.

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
    figure = _read_contents(curve, frames, labels, colors, "plain")
    if ax is None:
        return _draw_new(figure, width)
    _require_room(figure.looks, colors)
    _draw_curves(require_axes(ax), figure)
    return ax


def readers_figure(
    curve: pd.DataFrame,
    *,
    style: str = "plain",
    width: Width = "page",
    **frames: pd.DataFrame | None,
) -> Figure:
    """Return the figure of ``plot_readers`` outside pyplot, which joins no figures of the user."""
    figure = _read_contents(curve, frames, None, None, style)
    return cast("Figure", _draw_new(figure, width, shown=False).figure)


class _Contents(NamedTuple):
    """What is drawn: curves, their looks, the areas in the key, and the other frames."""

    curve: pd.DataFrame
    looks: Looks
    values: list[str] | None
    heading: str | None
    frames: Mapping[str, pd.DataFrame]
    label: str
    """Name of the quantity of the areas."""
    words: tuple[str, ...]
    """What is said under the second panel."""


def _read_contents(
    curve: pd.DataFrame,
    frames: Mapping[str, pd.DataFrame | None],
    labels: Mapping[str, str] | None,
    colors: Colors,
    style: str,
) -> _Contents:
    """Return what is drawn, labels in the place of names; raise InputError for wrong frames."""
    present = {argument: frame for argument, frame in frames.items() if frame is not None}
    for argument, frame in {"curve": curve, **present}.items():
        require_frame(argument, frame, *_FRAMES[argument])
    if "comparison" in present and "auc" not in present:
        raise InputError(
            "`comparison` must be with `auc`, beside whose panel it is said; got it alone. Pass"
            " auc=readers.auc() too."
        )
    names = labels_in(labels, curve, *present.values())
    present = {argument: labelled(frame, names) for argument, frame in present.items()}
    words = _differences(present["comparison"], style) if "comparison" in present else ()
    present = {argument: as_series(frame) for argument, frame in present.items()}
    curve = as_series(labelled(curve, names))
    looks = looks_of(curve, colors, names)
    for argument in sorted({"auc", "points"} & set(present)):
        _require_modalities_of_curve(argument, present[argument], looks)
    if "auc" not in present:
        return _Contents(curve, looks, None, None, present, "", words)
    present["auc"], label = _one_quantity(present["auc"])
    values = _average_texts(present["auc"], label, style)
    texts = series_values(looks.drawn, values, argument="auc", what="average area")
    return _Contents(curve, looks, texts, values.heading, present, label, words)


def _require_modalities_of_curve(argument: str, frame: pd.DataFrame, looks: Looks) -> None:
    for name, _ in pieces_of(frame, ["predictor", "group"]):
        if name not in looks.drawn:
            raise InputError(
                f"`{argument}` must be of modalities (and groups) in `curve`; got {name[0]!r}."
                f" Pass the {argument} of the same study."
            )


def _one_quantity(areas: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows of the first quantity, and its name."""
    quantity = str(areas["quantity"].iloc[0])
    kept = areas[areas["quantity"] == quantity]
    kept.attrs = areas.attrs
    return kept, "Area under the curve" if quantity == "auc" else title_of(quantity)


def _average_texts(areas: pd.DataFrame, label: str, style: str) -> Values:
    rows = areas[areas["reader"] == EVERY]
    return estimate_texts(rows, str(areas["quantity"].iloc[0]), f"Average {label.lower()}", style)


def _differences(comparison: pd.DataFrame, style: str) -> tuple[str, ...]:
    """Return the differences of averages in words, and for whom they are meant."""
    rows = averages(comparison)
    texts = [f"{_pair(row)}: {difference_text(row, style)}" for _, row in rows.iterrows()]
    return (*texts, *model_sentences(rows))


def _pair(row: pd.Series) -> str:
    place = f", {row['group']}" if row.get("group", "") else ""
    return f"{row['modality']} − {row['reference']}{place}"


def _require_room(looks: Looks, colors: Colors) -> None:
    if len(looks.drawn) > _MOST_MODALITIES and colors is None:
        raise InputError(
            f"`curve` must have at most {_MOST_MODALITIES} modalities to share axes; got"
            f" {len(looks.drawn)}. Choose some, or pass `colors` with one for each; plot_readers()"
            " without `ax` draws a panel for each."
        )


def _draw_new(figure: _Contents, width: Width, *, shown: bool = True) -> Axes:
    """Draw a figure on axes, or panels, of its own; return the first."""
    width = require_choice("width", width, WIDTHS)
    if len(figure.looks.drawn) > _MOST_MODALITIES:
        return _draw_panels(figure, width, shown=shown)
    if "auc" not in figure.frames:
        ax: Axes = new_grid(width, ratio=1.0, shown=shown)[0]
        _draw_curves(ax, figure)
        return ax
    first, second = _two_panels(figure, width, shown=shown)
    areas = figure.frames["auc"]
    apart = names_apart(areas, width)
    draw_reader_dots(second, areas, figure.looks, figure.label, apart=apart)
    write_below(second, figure.words, _BEGIN[width])
    _draw_curves(first, figure)
    return first


def _two_panels(figure: _Contents, width: Width, *, shown: bool) -> tuple[Axes, Axes]:
    """Return axes of the curves and of the dots: side by side on a page, else stacked."""
    inches = WIDTHS[width]
    areas = figure.frames["auc"]
    row = _HIGH_ROW if names_apart(areas, width) else _ROW
    dots = row * rows_of_dots(areas, figure.looks) + _UNDER
    if width == "page":
        square = inches / 2 + _AROUND
        grid = new_grid(width, 1, 2, ratio=max(square, dots) / inches, shown=shown)
        return grid[0], grid[1]
    square = inches
    grid = new_grid(width, 2, 1, ratio=(square + dots) / inches, shown=shown)
    grid[0].get_gridspec().set_height_ratios([square, dots])
    return grid[0], grid[1]


def _draw_curves(ax: Axes, figure: _Contents) -> None:
    """Draw curves, points and the machine on one pair of axes, with their key."""
    draw_square(ax)
    # Beside many readers the square is at their top.
    ax.set_anchor("N")
    looks = figure.looks
    lines = draw_reader_lines(ax, figure.curve, looks)
    rest = (
        draw_reader_points(ax, figure.frames["points"], looks) if "points" in figure.frames else {}
    )
    if "machine" in figure.frames:
        rest = {**draw_machine(ax, figure.frames["machine"], looks), **rest}
    names, texts = looks.drawn, series_names(looks.drawn)
    if len(names) == 1 and figure.values is None and not rest:
        return
    order = by_height([lines[name] for name in names])
    marked = "auc" in figure.frames or "points" in figure.frames
    key_lines = {name: _with_mark(looks, name) if marked else lines[name] for name in names}
    values = figure.values and [*(figure.values[i] for i in order), *[""] * len(rest)]
    draw_words(
        ax,
        [*(key_lines[names[i]] for i in order), *rest.values()],
        [*(texts[i] for i in order), *rest],
        values,
        title=figure.heading,
        on_lines=not rest and not marked,
    )


def _with_mark(looks: Looks, name: Series) -> Line2D:
    """Return a line for the key with the mark of its readers, by which grey prints tell them."""
    from matplotlib.lines import Line2D

    return Line2D([], [], marker=looks.marker(name), markersize=_MARK, **looks.line(name))


def _draw_panels(figure: _Contents, width: Width, *, shown: bool) -> Axes:
    """Draw a panel for each modality, the averages of others in grey; return the first."""
    names = figure.looks.drawn
    titles = series_names(names, most=PANEL_NAME)
    if figure.values is not None:
        titles = [f"{title}\n{value}" for title, value in zip(titles, figure.values, strict=True)]
    axes = new_panels(titles, width, shown=shown)
    every = figure.curve[figure.curve["reader"] == EVERY]
    rest: dict[str, Line2D] = {}
    for ax, name in zip(axes, names, strict=True):
        draw_square(ax)
        for _, other in pieces_of(every[~is_of_series(every, name)], ["predictor", "group"]):
            ax.plot(*visible_points(*rates_of(other)), color=OTHERS, linewidth=THIN, zorder=1.2)
        looks = Looks([name], [name], figure.looks.colours)
        draw_reader_lines(ax, figure.curve[is_of_series(figure.curve, name)], looks)
        if "points" in figure.frames:
            mine = figure.frames["points"][is_of_series(figure.frames["points"], name)]
            rest |= draw_reader_points(ax, mine, looks) if len(mine) else {}
        if "machine" in figure.frames:
            rest |= draw_machine(ax, figure.frames["machine"], looks)
    finish_panels(axes, heading=figure.heading, key=rest)
    return axes[0]
