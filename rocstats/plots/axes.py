"""Figures, panels, palette and ticks: what all graphs have in common.

Figures have sizes for print, one column or a page, and no text under 7 points. Where one graph
would be crowded, each curve has a small panel. Settings of matplotlib that a user changed, such as
a dark style, go before the look of this package.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakSet

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox


# --- Figures and axes -----------------------------------------------------------------------------

Width = Literal["column", "page"]

# Journals print columns of 80 to 90 mm and pages of 170 to 180 mm.
WIDTHS = {"column": 85 / 25.4, "page": 174 / 25.4}
"""Widths of figures in inches."""

LABEL, TICK, NOTE = 8.0, 7.5, 7.0
"""Sizes in points of labels, of ticks, and of keys and notes: the least that journals print."""

# 38 characters of 7 points, with their piece of line, fill 85% of the width of square axes in a
# column.
KEY_LINE = 38
"""Most characters on a line of the key in a figure of one column."""

# Figures made here, which may grow for a key below the axes; those of a user are left as they are.
_OUR_FIGURES: WeakSet[Figure] = WeakSet()


def new_axes(width: Width = "column", *, ratio: float = 1.0, shown: bool = True) -> Axes:
    """Return axes in a new figure of a printed width; see ``new_grid``."""
    axes: Axes = new_grid(width, ratio=ratio, shown=shown)[0]
    return axes


def axes_for(ax: Axes | None, width: Width, *, ratio: float = 1.0) -> Axes:
    """Return the axes that a user passes, or ``new_axes`` for None; InputError for other things."""
    return new_axes(width, ratio=ratio) if ax is None else require_axes(ax)


def require_axes(ax: Any) -> Axes:
    """Return axes; raise InputError for anything else, such as the array of plt.subplots(2)."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise InputError(
            f"`ax` must be the axes of a graph; got {type(ax).__name__}. Pass one of the axes that"
            " plt.subplots() returns."
        )
    return ax


def new_grid(
    width: Width, rows: int = 1, columns: int = 1, *, ratio: float, shown: bool = True
) -> Any:
    """Return all axes of a new figure, row by row.

    Parameters
    ----------
    width : {"column", "page"}
        85 or 174 mm.
    rows, columns : int, default 1
        Numbers of axes below one another, and side by side.
    ratio : float
        Height of the figure as a share of the width.
    shown : bool, default True
        Whether a notebook shows the figure; one outside pyplot joins no open figures of the user.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    inches = WIDTHS[require_choice("width", width, WIDTHS)]
    size: Any = (inches, ratio * inches)
    if shown:
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=size, layout="constrained")
    else:
        figure = Figure(figsize=size, layout="constrained")
        # The plain canvas makes a new renderer, and measures all words anew, at each question.
        FigureCanvasAgg(figure)
    _OUR_FIGURES.add(figure)
    return figure.subplots(rows, columns, squeeze=False).ravel()


def whole_figure(ax: Axes) -> Any:
    """Return the figure of axes, the whole one if they are in a subfigure."""
    # Only the whole figure has a size and a layout.
    figure: Any = ax.figure
    return figure.figure


def make_layout(ax: Axes) -> None:
    """Find the places of the axes of a figure, if it has a layout, without drawing it."""
    figure = whole_figure(ax)
    if figure.get_layout_engine() is not None:
        figure.get_layout_engine().execute(figure)
    ax.apply_aspect(_place_of_axes(ax))


def lay_out(figure: Figure) -> None:
    """Find the places of axes and words, once for files of all kinds."""
    # savefig would find them again for each file, which takes as long as to draw the figure.
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine(None)


def is_figure_of_ours(figure: Any) -> bool:
    """Return whether a figure was made here, so that its size may be changed."""
    return figure in _OUR_FIGURES


def has_axes_of_ours(ax: Axes) -> bool:
    """Return whether axes are in a figure made here."""
    return is_figure_of_ours(whole_figure(ax))


# --- Room for words within axes of a user ---------------------------------------------------------

# Axes keep a fifth of their width, whatever the words need.
_LEAST_SHARE = 1 / 5


def make_room_beside(ax: Axes, left: float, right: float, below: float = 0.0) -> None:
    """Make axes of a user smaller, so that words beside them are where the axes were.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes. Other axes of the figure do not move.
    left, right, below : float
        Room at both sides and below, in points.
    """
    # A locator is asked at each drawing: the words stay in the place of the axes when a layout or
    # another size of the figure moves that place.
    ax.set_axes_locator(_Beside(ax, left, right, below))
    make_layout(ax)
    fold_text(ax, ax.xaxis.label)


class _Beside:
    """Returns the place of axes that leave room in points for words at both sides and below."""

    def __init__(self, ax: Axes, left: float, right: float, below: float) -> None:
        self.left, self.right, self.below = left, right, below
        # tight_layout() leaves out axes whose locator does not say where they are in the grid.
        self.get_subplotspec = ax.get_subplotspec

    def __call__(self, ax: Any, renderer: Any) -> Bbox:
        from matplotlib.transforms import Bbox

        place = ax.get_position(original=True)
        figure: Any = ax.figure
        left, right = (
            side * figure.dpi / 72 / figure.bbox.width for side in (self.left, self.right)
        )
        scale = min((1 - _LEAST_SHARE) * place.width / max(left + right, 1e-9), 1.0)
        below = min(
            self.below * figure.dpi / 72 / figure.bbox.height, (1 - _LEAST_SHARE) * place.height
        )
        return Bbox.from_extents(
            place.x0 + scale * left, place.y0 + below, place.x1 - scale * right, place.y1
        )


def _place_of_axes(ax: Axes) -> Any:
    """Return where the locator of axes places them; None without one."""
    locator: Any = ax.get_axes_locator()
    return None if locator is None else locator(ax, None)


def fold_text(ax: Axes, text: Text, *, upright: bool = False) -> None:
    """Break a title or label of axes of a user into lines that are as long as the axes."""
    words = text.get_text()
    if has_axes_of_ours(ax) or not words or _share_with_room(ax, text, upright) >= 1:
        return
    # Only a layout that was made knows how large the axes are.
    make_layout(ax)
    share = _share_with_room(ax, text, upright)
    if share < 1:
        lines = [wrap(line, max(int(share * len(line)), 1)) for line in words.split("\n")]
        text.set_text("\n".join(part for line in lines for part in line))


def _share_with_room(ax: Axes, text: Text, upright: bool) -> float:
    """Return the length of axes by that of a text along them."""
    side = "height" if upright else "width"
    return float(getattr(ax.get_window_extent(), side) / getattr(text.get_window_extent(), side))


def write_title(ax: Axes, words: str, *, loc: Literal["left", "center"] = "left") -> None:
    """Write a note above axes, printed literally."""
    look: dict[str, Any] = {"fontsize": note_size(ax), "color": inks().text, "parse_math": False}
    fold_text(ax, ax.set_title(words, loc=loc, **look))


def write_labels(ax: Axes, x: str, y: str) -> None:
    """Write the labels of both axes, printed literally."""
    fold_text(ax, ax.set_xlabel(x, parse_math=False))
    fold_text(ax, ax.set_ylabel(y, parse_math=False), upright=True)


# --- Settings of a user ---------------------------------------------------------------------------


def _setting(key: str) -> Any:
    """Return a present setting of matplotlib."""
    import matplotlib as mpl

    settings: Any = mpl.rcParams
    return settings[key]


def is_set(*keys: str) -> bool:
    """Return whether a user, or a style of matplotlib, changed any of some settings."""
    import matplotlib as mpl

    defaults: Any = mpl.rcParamsDefault
    return any(_setting(key) != defaults[key] for key in keys)


def set_or(key: str, default: Any) -> Any:
    """Return a setting of matplotlib that a user changed; otherwise a default of this package."""
    return _setting(key) if is_set(key) else default


def text_size(ax: Axes, key: str, default: float) -> float:
    """Return the size in points of text of a kind, such as "axes.labelsize".

    In figures made here the size is the default, which fits the printed width. On axes of a user,
    sizes that the user changed go first.
    """
    from matplotlib.font_manager import FontProperties

    if has_axes_of_ours(ax) or not is_set(key, "font.size"):
        return default
    # "medium" and other words are relative to font.size.
    return float(FontProperties(size=_setting(key)).get_size_in_points())


def note_size(ax: Axes) -> float:
    """Return the size in points of keys and notes."""
    return text_size(ax, "legend.fontsize", NOTE)


# --- Palette: colours, dashes, marks, opacities ---------------------------------------------------

PALETTE = ("#17204f", "#8f2a12", "#2477b3", "#b98b00")
"""Ink, brick, blue, ochre: contrasts with white of 15.5, 8.4, 4.8 and 3.1."""

# CIE differences between any two are at least 28 for colour-blind readers, 13 in grey.

MORE_COLOURS = ("#2da587", "#e0588c", "#5f6b1e", "#9a5bd0", "#e0641e", "#1e4b4b")
"""Teal, pink, olive, purple, orange, pine, after the first four: contrasts of 3 to 9.7."""

# Lengths in line widths: solid, long, long with dot, short; 8, 9 and 2.5 points on a curve.
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.9)), (0, (5.6, 1.9, 1.25, 1.9)), (0, (1.6, 1.6)))

MARKERS = ("o", "s", "^", "D")
"""Marks of points, in the order of the colours."""

ERROR, WITHOUT, CUTOFF = "#a8321a", "#7f8b99", "#b98b00"
"""Roles that are not curves: errors, cases without the condition, uncertainty of a cutoff."""

TEXT, SECOND_TEXT = "#1c2330", "#566170"
"""Colours of text, and of second text; contrasts with white of 15.8 and 6.4."""

OTHERS = "#aab2bc"
"""Curves in the background of the panel of another curve."""

CURVE, THIN, EDGE = 1.6, 0.7, 0.8
"""Widths in points: a curve; a fold or reader; the edge of a band, an axis, chance."""

BAND, BAND_OF_SEVERAL = 0.14, 0.08
"""Opacities of the only band of a graph, and of one of several, which also has edges."""

NULL_BAND: dict[str, Any] = {"color": "0.5", "alpha": 0.25, "linewidth": 0}
"""Look of a region that chance or a null hypothesis explains."""


class Inks(NamedTuple):
    """Colours of what is no series: the ground, text, second text, and curves in the background."""

    ground: Any
    text: Any
    second: Any
    others: Any


def inks() -> Inks:
    """Return the colours of what is no series, on the ground and in the text colour of a user."""
    if not is_set("text.color", "axes.facecolor"):
        return Inks("white", TEXT, SECOND_TEXT, OTHERS)
    ground = _ground()
    text = set_or("text.color", TEXT)
    text = _seen(text, ground, _TEXT_CONTRAST)
    return Inks(ground, text, _mixed(text, ground, 0.75), _mixed(text, ground, 0.4))


def _ground() -> Any:
    """Return the colour of new axes; white if they have none."""
    from matplotlib.colors import to_rgba

    ground = _setting("axes.facecolor")
    return ground if to_rgba(ground)[3] else "white"


def _mixed(text: Any, ground: Any, share: float) -> tuple[float, ...]:
    """Return a colour between text and ground."""
    from matplotlib.colors import to_rgb

    return tuple(
        share * a + (1 - share) * b for a, b in zip(to_rgb(text), to_rgb(ground), strict=True)
    )


def chance_look() -> dict[str, Any]:
    """Return the look of reference lines, such as that of an uninformative predictor."""
    return {"color": inks().second, "linewidth": EDGE, "linestyle": ":", "zorder": 1}


def colours_of_series() -> Sequence[Any]:
    """Return the colours of series: those of a user's cycle (axes.prop_cycle), or of the palette.

    Colours of the palette are lightened on a dark ground.
    """
    given = _setting("axes.prop_cycle").by_key().get("color", [])
    if given and is_set("axes.prop_cycle"):
        return list(given)
    every = (*PALETTE, *MORE_COLOURS)
    if not is_set("axes.facecolor"):
        return every
    return [_seen(colour, _ground(), _LINE_CONTRAST) for colour in every]


def colour_of_series(index: int) -> Any:
    """Return the colour of the series at a place."""
    colours = colours_of_series()
    return colours[index % len(colours)]


def dashes_of_series(index: int) -> Any:
    """Return the dashes of the series at a place."""
    # Each time the colours are used up, the dashes shift by one against them: 40 distinct lines.
    rounds, place = divmod(index, len(colours_of_series()))
    return DASHES[(place + rounds) % len(DASHES)]


def width_of_curves() -> float:
    """Return the width of curves in points."""
    return float(set_or("lines.linewidth", CURVE))


def look_of_series_line(index: int) -> dict[str, Any]:
    """Return colour, dashes and width of the line of the series at a place."""
    return {
        "color": colour_of_series(index),
        "linestyle": dashes_of_series(index),
        "linewidth": width_of_curves(),
    }


# Least contrasts with the ground, WCAG 2.1: of text, criterion 1.4.3; of lines, 1.4.11.
_TEXT_CONTRAST, _LINE_CONTRAST = 4.5, 3.0


def text_colour(colour: Any) -> Any:
    """Return a colour, darkened (lightened on a dark ground) until text in it can be read.

    Examples
    --------
    >>> from rocstats.plots.axes import text_colour
    >>> text_colour("black"), text_colour("yellow") < (1, 1, 0)
    ((0.0, 0.0, 0.0), True)
    """
    return _seen(colour, inks().ground, _TEXT_CONTRAST)


def text_colour_on(ground: Any) -> str:
    """Return the colour of text that can be read on a coloured ground: white, or near black."""
    from matplotlib.colors import to_rgb

    return "white" if 1.05 / (_luminance(*to_rgb(ground)) + 0.05) >= _TEXT_CONTRAST else TEXT


def _seen(colour: Any, ground: Any, least: float) -> tuple[float, float, float]:
    """Return a colour, moved away from that of the ground until their contrast is large enough."""
    from matplotlib.colors import to_rgb

    behind = _luminance(*to_rgb(ground)) + 0.05
    # On a ground of this luminance black and white have the same contrast.
    dark = behind < math.sqrt(1.05 * 0.05)
    red, green, blue = to_rgb(colour)
    for _ in range(_SHADES):
        own = _luminance(red, green, blue) + 0.05
        if (own / behind if dark else behind / own) >= least:
            break
        red, green, blue = (
            1 - _SHADE * (1 - c) if dark else _SHADE * c for c in (red, green, blue)
        )
    return red, green, blue


# Steps of a colour towards black or white; 90 of them leave 1%.
_SHADE, _SHADES = 0.95, 90


def _luminance(*channels: float) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2.1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# --- Axes and ticks -------------------------------------------------------------------------------


def set_look_of_axes(ax: Axes, *, closed: bool = False) -> None:
    """Set sizes and colours of the axes: labels, ticks and frame.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    closed : bool, default False
        Whether the frame is a whole rectangle, as in ROC space; else open at the top and right.
    """
    # On the artists, not in rcParams: other figures of the user keep their looks.
    text = inks().text
    for label in (ax.xaxis.label, ax.yaxis.label):
        size = text_size(ax, "axes.labelsize", LABEL)
        label.set(fontsize=size, color=set_or("axes.labelcolor", text))
    for axis in ("x", "y"):
        look: dict[str, Any] = {"labelsize": text_size(ax, f"{axis}tick.labelsize", TICK)}
        if not is_set(f"{axis}tick.color", f"{axis}tick.labelcolor"):
            look["labelcolor"] = text
        if not is_set(f"{axis}tick.major.width"):
            look["width"] = EDGE
        ax.tick_params(axis=axis, which="both", **look)
    ax.tick_params(which="minor", length=2)
    if not is_set("axes.linewidth"):
        ax.spines[:].set_linewidth(EDGE)
    for side in ("top", "right"):
        if not is_set(f"axes.spines.{side}"):
            ax.spines[side].set_visible(closed)


def set_unit_ticks(ax: Axes, *, x: bool, y: bool) -> None:
    """Set one axis, or both, to run from 0 to 1 with the same ticks on every graph."""
    ticks = np.linspace(0, 1, 6)  # 0, 0.2, ... 1, which one decimal labels
    if x:
        ax.set(xlim=(0, 1), xticks=ticks)
    if y:
        ax.set(ylim=(0, 1), yticks=ticks)
    set_look_of_axes(ax)


def set_square_ticks(ax: Axes) -> None:
    """Set closed square axes, both from 0 to 1, with ticks at halves and quarters."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([0, 0.5, 1], ["0", "0.5", "1"])
        axis.set_ticks([0.25, 0.75], minor=True)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    set_look_of_axes(ax, closed=True)


# Limits are cut beyond three usual half widths from all estimates: one small group would squeeze
# the others into a tenth of the axis.
_REACH = 3.0

# Room at the ends of the axis, as a share of its length.
_MARGIN = 0.04


def axis_ends_for_estimates(
    frame: pd.DataFrame, line: float | None, ratio: bool
) -> tuple[float, float]:
    """Return the ends of an axis for estimates with their limits, logarithmic for a ratio."""
    numbers = frame[["ci_low", "estimate", "ci_high"]].to_numpy(dtype=np.float64)
    with np.errstate(divide="ignore"):
        low, middle, high = np.log(numbers).T if ratio else numbers.T
    half = (high - low)[np.isfinite(high - low)] / 2
    reach = _REACH * float(np.median(half)) if len(half) else 0.0
    held = middle[np.isfinite(middle)]
    if line is not None:
        held = np.append(held, math.log(line) if ratio else line)
    limits = np.concatenate([low, high])
    limits = limits[(limits >= held.min() - reach) & (limits <= held.max() + reach)]
    ends = np.append(held, limits)
    room = _MARGIN * float(np.ptp(ends)) or _MARGIN
    first, last = float(ends.min() - room), float(ends.max() + room)
    return (math.exp(first), math.exp(last)) if ratio else (first, last)


def set_ratio_ticks(ax: Axes, low: float, high: float) -> None:
    """Set a logarithmic horizontal axis with plain numbers at 1, 2 and 5 and their tens."""
    ax.set_xscale("log")
    tens = 10.0 ** np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = (tens[:, None] * [1, 2, 5] if high < 100 * low else tens[:, None]).ravel()
    ax.set_xticks([tick for tick in ticks if low <= tick <= high])
    ax.set_xticks([], minor=True)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlim(low, high)


# --- Panels ---------------------------------------------------------------------------------------

# Panels side by side, by width of the figure: each has about 40 mm.
_PANELS_IN_A_ROW = {"column": 2, "page": 4}

# Height of a row of panels by their width: a square and two lines of words; and that of the labels
# around all rows, by the width of a column.
_ROW_RATIO, _AROUND = 1.02, 0.11

# Points between a key and the label of the axes above it.
_APART = 4.0


def new_panels(titles: Sequence[str], width: Width, *, shown: bool = True) -> list[Axes]:
    """Return square panels in a new figure (see ``new_grid``), with titles printed literally."""
    around = _AROUND * _PANELS_IN_A_ROW["column"]
    panels = axes_in_rows(
        len(titles), width, _PANELS_IN_A_ROW, row_ratio=_ROW_RATIO, around=around, shown=shown
    )
    for ax, title in zip(panels, titles, strict=True):
        write_title(ax, title)
    return panels


def axes_in_rows(
    number: int,
    width: Width,
    most: Mapping[str, int],
    *,
    row_ratio: float = 1.0,
    around: float = 0.0,
    shown: bool = True,
) -> list[Axes]:
    """Return axes in rows in a new figure, of which the last may be shorter.

    Parameters
    ----------
    number : int
        Number of axes.
    width : {"column", "page"}
        85 or 174 mm.
    most : mapping of str to int
        Axes in a row, by width of the figure.
    row_ratio : float, default 1.0
        Height of a row as a share of the width of axes.
    around : float, default 0.0
        Height beyond the rows, as a share of the width of axes.
    shown : bool, default True
        Whether a notebook shows the figure.
    """
    columns = min(most[require_choice("width", width, WIDTHS)], number)
    rows = math.ceil(number / columns)
    ratio = row_ratio * rows / columns + around / columns
    grid = new_grid(width, rows, columns, ratio=ratio, shown=shown)
    for ax in grid[number:]:
        ax.remove()
    return list(grid[:number])


def label_panels_once(
    axes: Sequence[Axes], *, heading: str | None = None, key: Mapping[str, Line2D] | None = None
) -> None:
    """Say once what all panels share: the labels of their axes, a heading, and a key below them.

    Parameters
    ----------
    axes : sequence of matplotlib.axes.Axes
        The panels, drawn and labelled alike.
    heading : str, optional
        What the numbers in the titles are.
    key : mapping of str to matplotlib.lines.Line2D, optional
        Lines that every panel has.
    """
    figure: Any = axes[0].figure
    if key:
        _draw_key_below_panels(figure, key, axes[0].get_xlabel())
    else:
        figure.supxlabel(axes[0].get_xlabel(), fontsize=LABEL, color=inks().text)
    figure.supylabel(axes[0].get_ylabel(), fontsize=LABEL, color=inks().text)
    for ax in axes:
        place: Any = ax.get_subplotspec()
        # The panel under this one has the ticks of its column.
        below = place.num1 + place.get_gridspec().ncols
        ax.set(xlabel="", ylabel="")
        ax.tick_params(labelbottom=below >= len(axes), labelleft=place.is_first_col())
    if heading is not None:
        figure.suptitle(heading, fontsize=NOTE, color=inks().second, x=0.99, ha="right")


def _draw_key_below_panels(figure: Any, key: Mapping[str, Line2D], label: str) -> None:
    """Draw a key at the foot of a figure, which grows by it, and the label of the axes above it."""
    # The layout would put both at the same place.
    legend = figure.legend(
        list(key.values()), list(key), loc="lower left", fontsize=NOTE, frameon=False
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    words = figure.text(0.5, 0, label, fontsize=LABEL, color=inks().text, ha="center", va="bottom")
    below, high = (float(it.get_window_extent().height) / figure.dpi for it in (legend, words))
    below += _APART / 72
    width, height = figure.get_size_inches()
    height += below
    figure.set_size_inches(width, height)
    words.set_y(below / height)
    taken = (below + high) / height
    figure.get_layout_engine().set(rect=(0, taken, 1, 1 - taken))
