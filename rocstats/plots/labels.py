"""Words of graphs: on lines or in a key, at the ends of lines, beside the axes.

Words are on their lines where there is room, else in a key that covers no data. There is room where
a text covers no line, band, bar or other text. The legend of matplotlib takes the place where it
covers the fewest points; it covers curves and bands where no place is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from rocstats.errors import require_choice
from rocstats.plots.axes import (
    EDGE,
    KEY_LINE,
    has_axes_of_ours,
    inks,
    make_layout,
    make_room_beside,
    note_size,
    set_or,
    text_colour,
    whole_figure,
)
from rocstats.plots.series import Series, series_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.path import Path
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox, Transform


# --- Words on lines, or in a key ------------------------------------------------------------------

Corner = Literal["upper right", "upper left", "lower right", "lower left"]
Place = Literal["lower right", "upper right", "best"]

LegendPlace = Literal["auto", "inside", "outside", "direct", False]
"""Where the names of curves are; see ``require_legend``."""

_LEGENDS = ("auto", "inside", "outside", "direct")
_CORNERS: tuple[Corner, ...] = ("upper right", "upper left", "lower right", "lower left")

# Places along a line where its name may stand, as shares of its length: 5 points apart on a curve.
_ALONG = np.linspace(0.05, 0.95, 61)

# Sides of such a place: right and below first, where ROC space is empty.
_SIDES = ((1, -1), (-1, 1), (1, 1), (-1, -1))

# Distance in points between a line and its name.
_NAME_GAP = 3.0

# A name is nearer to its own line than to others by this factor, so that nobody doubts whose it is.
_NEARER = 1.4

# More than this many gaps away from other lines, no place is better than the next.
_FAR = 8.0

# Letters on screens are whole pixels wide.
WIDER = 1.05
"""Factor by which words may be wider in another resolution."""

# A longer entry of a key is on several lines; so many characters fill 95% of square axes.
_LONGEST_ENTRY = 42

# Room in points between the axes and a key below them: ticks of 7.5 and a label of 8 points.
_KEY_BELOW = 32.0

# Axes of a user that would be lower than this share of their height have the key inside.
_SQUEEZED = 0.5

# A key at the right of axes that takes more than this share of their width is better below them.
_WIDE_KEY = 0.5

# Points between a key below the axes and the edge of the figure, and how often it grows for that.
_EDGE_OF_FIGURE, _LAYOUTS = 2.0, 4


def require_legend(legend: Any) -> LegendPlace:
    """Return where names of curves are to be; raise InputError for another word.

    "auto" is on the lines where there is room for all names, else in a key inside the axes, or
    below them; "inside" is a key inside the axes, over the curves if it must be; "outside" is a key
    at the right of axes of a user, which become narrower, and below those of a new figure; "direct"
    is on the lines, and a key only for names without room; False is nowhere.
    """
    if legend is False:
        return False
    return cast("LegendPlace", require_choice("legend", legend, _LEGENDS))


def write_names_on_lines_or_in_key(
    ax: Axes,
    lines: Sequence[Line2D],
    names: Sequence[str],
    values: Sequence[str] | None = None,
    *,
    title: str | None = None,
    loc: Place = "lower right",
    on_lines: bool = True,
    room: Room | None = None,
    gaps: Sequence[float] = (_NAME_GAP,),
    legend: LegendPlace = "auto",
) -> None:
    """Write names on their lines where there is room for all; else draw a key.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph, all of it drawn but its words.
    lines : sequence of matplotlib.lines.Line2D
        A line or mark for each name.
    names, values : sequence of str
        What each line is, and its estimate, printed literally.
    title : str, optional
        Heading of the key.
    loc : {"lower right", "upper right", "best"}, default "lower right"
        A corner that the lines leave free; "best" is any. Without room there, the key is below the
        axes, and a figure of ours grows by its height.
    on_lines : bool, default True
        Whether names may stand on the lines; values never do.
    room : Room, optional
        What is free, if it is known.
    gaps : sequence of float, default (3.0,)
        Distances in points between a line and its name, of which the first with room is taken.
    legend : {"auto", "inside", "outside", "direct"} or False, default "auto"
        Where a user wants the names, see ``require_legend``.

    Notes
    -----
    A key that the axes have already, of curves drawn before, is part of the new one.
    """
    if legend is False:
        return
    room = Room(ax) if room is None else room
    if legend == "direct":
        lines, names, values = _without_named_lines(ax, lines, names, values, room, gaps)
        if not lines:
            return
    plain = on_lines and values is None and ax.get_legend() is None
    if legend == "auto" and plain and _name_lines(ax, lines, names, room, gaps):
        return
    lines, forms, title = _with_earlier_key(ax, lines, _key_entries(names, values), title)
    if legend == "outside":
        _draw_outside(ax, lines, forms, title)
        return
    for form in forms:
        key = _legend_key(ax, lines, form, title)
        corners: tuple[Corner, ...] = _CORNERS if loc == "best" else (loc,)
        for corner in corners if legend == "auto" else dict.fromkeys((*corners, *_CORNERS)):
            key.set_loc(corner)
            box = _widened_box_of_key(key.get_window_extent(), corner)
            if room.holds(box, over_dotted=True):
                return
        key.remove()
    if legend == "auto":
        _draw_below(ax, lines, forms[0], title)
    else:
        _legend_key(ax, lines, forms[0], title, loc="best")


def _without_named_lines(
    ax: Axes,
    lines: Sequence[Line2D],
    names: Sequence[str],
    values: Sequence[str] | None,
    room: Room,
    gaps: Sequence[float],
) -> tuple[Sequence[Line2D], Sequence[str], Sequence[str] | None]:
    """Write the names that have room on their lines; return the others."""
    named = _names_beside_lines(ax, lines, names, room, gaps)
    left = [i for i, text in enumerate(named) if text is None]
    rest = None if values is None else [values[i] for i in left]
    return [lines[i] for i in left], [names[i] for i in left], rest


def _with_earlier_key(
    ax: Axes, lines: Sequence[Line2D], forms: Sequence[Sequence[str]], title: str | None
) -> tuple[Sequence[Line2D], Sequence[Sequence[str]], str | None]:
    """Remove the key of axes; return its entries before those of a new one."""
    earlier = ax.get_legend()
    if earlier is None:
        return lines, forms, title
    handles: Any = earlier.legend_handles
    labels = [text.get_text() for text in earlier.get_texts()]
    heading = title or earlier.get_title().get_text() or None
    earlier.remove()
    return [*handles, *lines], [[*labels, *form] for form in forms], heading


def name_series(
    ax: Axes,
    lines: Mapping[Series, Line2D],
    estimates: Mapping[Series, str] | None = None,
    rest: Mapping[str, Line2D] | None = None,
    **placed: Any,
) -> None:
    """Write the names of series on their lines, or in a key with their estimates.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph, all of it drawn but its words.
    lines : mapping of Series to matplotlib.lines.Line2D
        The line of each series, in the order of the key.
    estimates : mapping of Series to str, optional
        The estimate of each series.
    rest : mapping of str to matplotlib.lines.Line2D, optional
        Further lines of the key, by their words.
    **placed : Any
        Further arguments of ``write_names_on_lines_or_in_key``.
    """
    rest = rest or {}
    words = [*series_names(list(lines)), *rest]
    values = None
    if estimates is not None:
        values = [*(estimates[name] for name in lines), *[""] * len(rest)]
    write_names_on_lines_or_in_key(ax, [*lines.values(), *rest.values()], words, values, **placed)


def _widened_box_of_key(box: Bbox, corner: str) -> Bbox:
    """Return the box of a key in a corner as it is where letters are wider."""
    from matplotlib.transforms import Bbox

    more = (WIDER - 1) * box.width
    left, right = (more, 0.0) if corner.endswith("right") else (0.0, more)
    return Bbox.from_extents(box.x0 - left, box.y0, box.x1 + right, box.y1)


def _key_entries(names: Sequence[str], values: Sequence[str] | None) -> list[list[str]]:
    """Return the entries of a key with estimates on the line of the name, and below it."""
    names = [
        "\n".join(wrap(name, KEY_LINE)) if len(name) > _LONGEST_ENTRY else name for name in names
    ]
    if values is None:
        return [names]
    pairs = list(zip(names, values, strict=True))
    below = ["\n".join(pair).strip() for pair in pairs]
    beside = [" ".join(pair).strip() for pair in pairs]
    fits = [max(map(len, text.splitlines())) <= KEY_LINE for text in beside]
    wide = [beside[i] if fits[i] else below[i] for i in range(len(pairs))]
    return [wide] if wide == below else [wide, below]


def _legend_key(
    ax: Axes, lines: Sequence[Line2D], labels: Sequence[str], title: str | None, **where: Any
) -> Legend:
    legend = ax.legend(
        lines,
        # Placeholders: older matplotlib leaves out a label that starts with "_".
        [str(i) for i in range(len(lines))],
        title=title,
        alignment="left",
        framealpha=set_or("legend.framealpha", 1.0),
        edgecolor=set_or("legend.edgecolor", "none"),
        handlelength=2.6,  # 18 points: twice the longest dash pattern
        labelspacing=0.35,
        borderpad=0.25,
        borderaxespad=0.4,
        fontsize=note_size(ax),
        title_fontsize=note_size(ax),
        **where,
    )
    legend.get_title().set_color(inks().second)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        # A "$" in a name is a dollar, not the start of a formula.
        text.set_parse_math(False)
        text.set(text=label, color=inks().text)
    return legend


def _draw_outside(
    ax: Axes, lines: Sequence[Line2D], forms: Sequence[Sequence[str]], title: str | None
) -> None:
    """Draw the key beside axes of a user, within their place, or below axes of ours.

    The key is at the right of the axes; a wide one is below them if it takes a smaller share there.
    """
    if has_axes_of_ours(ax):
        _draw_below(ax, lines, forms[0], title)
        return
    make_layout(ax)
    where: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)}
    sizes = [_legend_key(ax, lines, form, title, **where).get_window_extent() for form in forms]
    narrow = min(range(len(forms)), key=lambda i: sizes[i].width)
    whole = ax.get_window_extent()
    share = sizes[narrow].width / whole.width
    if share > _WIDE_KEY and sizes[0].height / whole.height < share:
        fits = next((i for i, size in enumerate(sizes) if size.width <= whole.width), narrow)
        _draw_below(ax, lines, forms[fits], title, within=True)
        return
    _legend_key(ax, lines, forms[narrow], title, **where)
    wide = WIDER * sizes[narrow].width * 72 / ax.figure.dpi
    make_room_beside(ax, 0.0, float(wide + 2 * _NAME_GAP))


def _draw_below(
    ax: Axes,
    lines: Sequence[Line2D],
    labels: Sequence[str],
    title: str | None,
    *,
    within: bool = False,
) -> None:
    """Draw the key below the axes, for which a figure of ours grows.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    lines : sequence of matplotlib.lines.Line2D
        A line for each label.
    labels : sequence of str
        What each line is.
    title : str, optional
        Heading of the key.
    within : bool, default False
        Whether axes of a user shrink for the key although their figure has a layout. Without a
        layout, or where it would make the axes too low, they always do. If they would be too low
        even then, the key is inside the axes.
    """
    figure, tall = whole_figure(ax), ax.get_window_extent().height
    where = {"loc": "upper left", "bbox_to_anchor": (0, 0)}
    legend = _legend_key(ax, lines, labels, title, **where, bbox_transform=_below(ax, _KEY_BELOW))
    if has_axes_of_ours(ax):
        # Square axes would be centred in the room that the figure grows by.
        ax.set_anchor("N")
        # The layout moves the axes each time: what is still beyond the edge is added again.
        beyond = legend.get_window_extent().height / figure.dpi
        for _ in range(_LAYOUTS):
            width, height = figure.get_size_inches()
            figure.set_size_inches(width, height + beyond)
            beyond = _inches_beyond(legend, figure)
            if beyond <= 0:
                break
        return
    make_layout(ax)
    low = ax.get_window_extent().height < _SQUEEZED * tall
    if within or low or figure.get_layout_engine() is None:
        _shrink_for_key_below(ax, legend)
    if _inches_beyond(legend, figure) > 0 or ax.get_window_extent().height < _SQUEEZED * tall:
        make_room_beside(ax, 0.0, 0.0)
        legend.set_bbox_to_anchor((0, 0, 1, 1), ax.transAxes)
        legend.set_loc("best")


def _below(ax: Axes, points: float) -> Transform:
    """Return the coordinates of axes, moved down by a distance in points."""
    from matplotlib.transforms import offset_copy

    figure: Any = ax.figure
    return offset_copy(ax.transAxes, figure, y=-points, units="points")


def _shrink_for_key_below(ax: Axes, legend: Legend) -> None:
    """Make axes of a user lower, so that the key below them is where the axes were."""
    pixel = whole_figure(ax).dpi / 72
    legend.set_loc("upper center")
    high = float(legend.get_window_extent().height) / pixel
    make_room_beside(ax, 0.0, 0.0, high)
    # The label of the axis may be on two lines now.
    words: Any = ax.xaxis.get_tightbbox()
    under = 0.0 if words is None else float(ax.get_window_extent().y0 - words.y0) / pixel
    more = max(under - _KEY_BELOW, 0.0)
    legend.set_bbox_to_anchor((0.5, 0), _below(ax, _KEY_BELOW + more))
    if more:
        make_room_beside(ax, 0.0, 0.0, high + more)


def _inches_beyond(legend: Legend, figure: Any) -> float:
    """Return how far a key is beyond the lower edge of the figure, in inches; 0 if it is not."""
    make_layout(legend.axes)
    beyond = _EDGE_OF_FIGURE / 72 - legend.get_window_extent().y0 / figure.dpi
    return max(float(beyond), 0.0)


def _name_lines(
    ax: Axes, lines: Sequence[Line2D], names: Sequence[str], room: Room, gaps: Sequence[float]
) -> bool:
    """Write each name on its line, if all have room; return whether they had."""
    written: list[Annotation] = []
    for text in _names_beside_lines(ax, lines, names, room, gaps):
        if text is None:
            for each in written:
                each.remove()
            return False
        written.append(text)
    return True


def _names_beside_lines(
    ax: Axes, lines: Sequence[Line2D], names: Sequence[str], room: Room, gaps: Sequence[float]
) -> Iterator[Annotation | None]:
    """Write each name on its line; yield None for one without room."""
    points = [_points_of_line_in_pixels(line) for line in lines]
    known = [xy for xy in points if len(xy)]
    for line, name, own in zip(lines, names, points, strict=True):
        if not len(own):  # a curve without a class has no place for its name
            yield None
            continue
        others = [xy for xy in known if xy is not own]
        colour = line.get_color()
        texts = (write_beside(ax, name, colour, own, room, others, gap=gap) for gap in gaps)
        yield next(filter(None, texts), None)


def write_beside(
    ax: Axes,
    words: str,
    colour: Any,
    points: NDArray[np.float64],
    room: Room,
    others: Sequence[NDArray[np.float64]] = (),
    *,
    gap: float = _NAME_GAP,
    over_dotted: bool = False,
) -> Annotation | None:
    """Write words beside a line or mark where there is most room; return None if there is none.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph.
    words : str
        Printed literally.
    colour : colour
        That of the line; darkened if words in it were hard to read.
    points : array of float, shape (n, 2)
        Places of the line in pixels.
    room : Room
        What is free; the box of the words is taken.
    others : sequence of array of float
        Places of other lines, which the words must not seem to belong to.
    gap : float, default 3.0
        Distance in points between the line and the words.
    over_dotted : bool, default False
        Whether words may cover dotted lines.
    """
    text = ax.annotate(
        words,
        # A place that logarithmic axes have too.
        tuple(ax.transData.inverted().transform(points[0])),
        (gap, -gap),
        textcoords="offset points",
        fontsize=note_size(ax),
        color=text_colour(colour),
        parse_math=False,
        annotation_clip=False,
        zorder=7,
    )
    from matplotlib.transforms import Bbox

    size = np.array([WIDER, 1.0]) * text.get_window_extent().size
    scale = gap * ax.figure.dpi / 72
    places = points[np.unique((_ALONG * (len(points) - 1)).astype(np.intp))]
    sides = np.array(_SIDES * len(places))
    places = np.repeat(places, len(_SIDES), axis=0)
    low = places + scale * sides - size * (sides < 0)
    apart = np.min(
        [
            np.full(len(low), np.inf),
            *(_pixels_from_boxes_to_points(low, size, xy) for xy in others),
        ],
        0,
    )
    clear = np.flatnonzero(apart > _NEARER * _pixels_from_boxes_to_points(low, size, points))
    # The sort is stable: far from other lines, the preferred side goes first.
    order = clear[np.argsort(-np.minimum(apart[clear], _FAR * scale), kind="stable")]
    boxes = (Bbox([low[i], low[i] + size]) for i in order)
    at = enumerate(boxes)
    free = next(((order[i], b) for i, b in at if room.holds(b, over_dotted=over_dotted)), None)
    if free is None:
        text.remove()
        return None
    place, side, box = places[free[0]], sides[free[0]].tolist(), free[1]
    if over_dotted:
        text.set_bbox({"facecolor": inks().ground, "edgecolor": "none", "pad": 0.5})
    text.xy = tuple(ax.transData.inverted().transform(place))
    text.set_position((gap * side[0], gap * side[1]))
    text.set(ha="left" if side[0] > 0 else "right", va="bottom" if side[1] > 0 else "top")
    room.take(box)
    return text


def _pixels_from_boxes_to_points(
    low: NDArray[np.float64], size: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distances in pixels from boxes of one size to the nearest of some points."""
    corners = low[:, None]
    beyond = np.maximum(np.maximum(corners - points, points - corners - size), 0)
    nearest: NDArray[np.float64] = np.hypot(beyond[..., 0], beyond[..., 1]).min(axis=1)
    return nearest


def _points_of_line_in_pixels(line: Line2D) -> NDArray[np.float64]:
    """Return points of a line in pixels, close enough to measure distances to it."""
    at: NDArray[np.float64] = line.get_transform().transform(line.get_xydata())
    at = at[np.isfinite(at).all(axis=1)]
    if len(at) < 2:
        return at
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(at, axis=0).T))])
    even = np.linspace(0, along[-1], 200)
    return np.column_stack([np.interp(even, along, values) for values in at.T])


def by_height(lines: Mapping[Series, Line2D]) -> dict[Series, Line2D]:
    """Return the lines of series from the highest to the lowest, as a key lists them."""
    return dict(sorted(lines.items(), key=lambda item: -_mean_height(item[1])))


def _mean_height(line: Line2D) -> float:
    """Return the mean height of a line over its horizontal axis; -inf if it has none."""
    x, y = (np.asarray(values, dtype=np.float64) for values in line.get_data())
    width = np.diff(x)
    total = float(width.sum()) if len(x) > 1 else 0.0
    # Steps of 1e-9 would be rounding: a key must not change its order by them.
    height = float((width * (y[1:] + y[:-1])).sum() / (2 * total)) if total else -np.inf
    return round(height, 9) if np.isfinite(height) else -np.inf


# --- Names at the right ends of lines, in the margin ----------------------------------------------

# Characters on a line of a name: 17 of 7 points are about a quarter of a column.
_NAME_LINE = 17

# Points between the axes and the names, and between the lower edge of a name and the next one.
_END_GAP, _NAMES_APART = 5.0, 2.0

# Points from a name, or the end of its line, beyond which a dotted line joins the two.
_NEAR = 5.0


def name_ends(ax: Axes, lines: Sequence[Line2D], names: Sequence[str]) -> bool:
    """Write names beside the axes where their lines end, if all have room; return whether they had.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph, all of it drawn but its words.
    lines : sequence of matplotlib.lines.Line2D
        A line for each name.
    names : sequence of str
        Printed literally, on lines of 17 characters.

    Notes
    -----
    Names have no room if they are together higher than the axes, nor in figures of a user without
    a layout, which have no margin for them.
    """
    figure: Any = ax.figure
    make_layout(ax)
    ends = [_end_of_line_in_pixels(line) for line in lines]
    texts = ["\n".join(wrap(name, _NAME_LINE)) or name for name in names]
    pixel = figure.dpi / 72
    box = ax.get_window_extent()
    sizes = np.array([_text_height(ax, text) for text in texts]) + _NAMES_APART * pixel
    in_margin = has_axes_of_ours(ax) or whole_figure(ax).get_layout_engine() is not None
    if not in_margin or not all(map(len, ends)) or sizes.sum() > box.height:
        return False
    wanted = np.array([end[1] for end in ends])
    heights = _middles_of_boxes_without_overlap(wanted, sizes, float(box.y0), float(box.y1))
    for line, text, end, height in zip(lines, texts, ends, heights, strict=True):
        away = max(abs(float(height - end[1])), float(box.x1 - end[0])) > _NEAR * pixel
        rule = {"arrowstyle": "-", "linewidth": EDGE, "linestyle": ":", "color": line.get_color(),
                "shrinkA": 0.0, "shrinkB": 0.0, "relpos": (0.0, 0.5)}  # fmt: skip
        ax.annotate(
            text,
            tuple(ax.transData.inverted().transform(end)),
            (1 + _END_GAP * pixel / box.width, (height - box.y0) / box.height),
            textcoords="axes fraction", va="center", ha="left", fontsize=note_size(ax),
            parse_math=False, color=text_colour(line.get_color()), annotation_clip=False,
            arrowprops=rule if away else None,
        )  # fmt: skip
    return True


def _end_of_line_in_pixels(line: Line2D) -> NDArray[np.float64]:
    """Return the last place of a line in pixels; none of a line without places."""
    at: NDArray[np.float64] = line.get_transform().transform(line.get_xydata())
    at = at[np.isfinite(at).all(axis=1)]
    return at[np.argmax(at[:, 0])] if len(at) else np.empty(0)


def _text_height(ax: Axes, text: str) -> float:
    """Return the height of a text in pixels."""
    # Logarithmic axes have no place (0, 0).
    word = ax.text(0, 0, text, fontsize=note_size(ax), parse_math=False, transform=ax.transAxes)
    height = float(word.get_window_extent().height)
    word.remove()
    return height


def _middles_of_boxes_without_overlap(
    wanted: NDArray[np.float64], sizes: NDArray[np.float64], low: float, high: float
) -> NDArray[np.float64]:
    """Return middles near the wanted ones of boxes that do not overlap, between two limits."""
    order = np.argsort(wanted, kind="stable")
    size = sizes[order]
    # Measured from their lowest place, boxes do not overlap if these never fall.
    floor = low + np.cumsum(size) - size / 2
    slack = np.clip(wanted[order] - floor, 0.0, high - low - size.sum())
    up, down = np.maximum.accumulate(slack), np.minimum.accumulate(slack[::-1])[::-1]
    placed = np.empty_like(wanted)
    placed[order] = floor + (up + down) / 2
    return placed


# --- Free room in a graph -------------------------------------------------------------------------

# Distance in points that a text keeps from the middle of lines, which are up to 1.6 points wide.
_CLEAR = 2.0


class Room:
    """The free room of a figure, in pixels of its present size.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph, all of it drawn but its words.
    """

    def __init__(self, ax: Axes) -> None:
        figure: Any = ax.figure
        # Only a layout that was made knows how large the axes are.
        make_layout(ax)
        self.box = ax.get_window_extent()
        self.clear = _CLEAR * figure.dpi / 72
        self._filled = [*_outlines_of_filled_areas(ax, self.clear)]
        paths = [
            (line.get_linestyle(), line.get_transform().transform_path(line.get_path()))
            for line in ax.lines
        ]
        # Dotted lines are chance and other references.
        self._dotted = [path for style, path in paths if style == ":"]
        self._lines = [path for style, path in paths if style not in (":", "None")]
        self._lines += [*_outlines_of_error_bars(ax)]
        self._taken = [text.get_window_extent() for text in ax.texts if text.get_text()]

    def holds(self, box: Bbox, *, over_dotted: bool = False) -> bool:
        """Return whether a box is inside the axes and covers nothing.

        Parameters
        ----------
        box : matplotlib.transforms.Bbox
            The box in pixels.
        over_dotted : bool, default False
            Whether it may cover dotted lines, as a key with a white ground does.
        """
        wide = box.padded(self.clear)
        inside = self.box.x0 <= box.x0 and box.x1 <= self.box.x1
        inside = inside and self.box.y0 <= box.y0 and box.y1 <= self.box.y1
        return inside and not (
            any(path.intersects_bbox(wide, filled=False) for path in self._lines)
            or any(
                path.intersects_bbox(wide, filled=False) for path in self._dotted if not over_dotted
            )
            or any(path.intersects_bbox(wide, filled=True) for path in self._filled)
            or any(wide.overlaps(taken) for taken in self._taken)
        )

    def take(self, box: Bbox) -> None:
        """Mark a box as taken by a text."""
        self._taken.append(box)


def _outlines_of_filled_areas(ax: Axes, clear: float) -> Iterator[Path]:
    """Yield bands, bars and marks."""
    from matplotlib.collections import LineCollection

    for patch in ax.patches:
        yield patch.get_transform().transform_path(patch.get_path())
    for collection in ax.collections:
        places = np.asarray(collection.get_offsets())
        if len(places) > 1:
            yield from _outlines_of_square_marks(
                collection.get_offset_transform().transform(places), clear
            )
        elif not isinstance(collection, LineCollection):
            for path in collection.get_paths():
                yield collection.get_transform().transform_path(path)
    for line in ax.lines:
        if line.get_linestyle() == "None":
            marks = line.get_transform().transform(line.get_xydata())
            yield from _outlines_of_square_marks(marks, line.get_markersize() / 2 * clear / _CLEAR)


def _outlines_of_error_bars(ax: Axes) -> Iterator[Path]:
    """Yield error bars."""
    from matplotlib.collections import LineCollection

    for collection in ax.collections:
        if isinstance(collection, LineCollection):
            for path in collection.get_paths():
                yield collection.get_transform().transform_path(path)


def _outlines_of_square_marks(places: NDArray[np.float64], half: float) -> Iterator[Path]:
    from matplotlib.path import Path

    corners = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    for place in places[np.isfinite(places).all(axis=1)]:
        yield Path(place + corners)


# --- Words beside the axes ------------------------------------------------------------------------


def write_word(
    ax: Axes, text: str, side: int, offset: float, y: float, align: str, colour: Any
) -> Annotation:
    """Write a text so far from a side of the axes, in points, at a row."""
    return ax.annotate(
        text, (side, y), (offset, 0), xycoords=ax.get_yaxis_transform(),
        textcoords="offset points", ha=align, va="center_baseline", fontsize=note_size(ax),
        color=colour, parse_math=False, annotation_clip=False,
    )  # fmt: skip
