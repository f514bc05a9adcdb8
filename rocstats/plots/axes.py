"""Figures, panels, palette and ticks: what all graphs have in common.

Figures have sizes for print, one column or a page, and no text under 7 points. Where one graph
would be crowded, each curve has a small panel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


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


def lay_out(figure: Figure) -> None:
    """Find the places of axes and words, once for files of all kinds."""
    # savefig would find them again for each file, which takes as long as to draw the figure.
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine(None)


def is_figure_of_ours(figure: Any) -> bool:
    """Return whether a figure was made here, so that its size may be changed."""
    return figure in _OUR_FIGURES


# --- Palette: colours, dashes, marks, opacities ---------------------------------------------------

PALETTE = ("#17204f", "#8f2a12", "#2477b3", "#b98b00")
"""Ink, brick, blue, ochre: contrasts with white of 15.5, 8.4, 4.8 and 3.1."""

# CIE differences between any two are at least 28 for colour-blind readers, 13 in grey.

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

CHANCE: dict[str, Any] = {"color": SECOND_TEXT, "linewidth": EDGE, "linestyle": ":", "zorder": 1}
"""Look of reference lines, such as that of an uninformative predictor."""

BAND, BAND_OF_SEVERAL = 0.14, 0.08
"""Opacities of the only band of a graph, and of one of several, which also has edges."""

NULL_BAND: dict[str, Any] = {"color": "0.5", "alpha": 0.25, "linewidth": 0}
"""Look of a region that chance or a null hypothesis explains."""


def colour_of_series(index: int) -> str:
    """Return the colour of the series at a place."""
    return PALETTE[index % len(PALETTE)]


def dashes_of_series(index: int) -> Any:
    """Return the dashes of the series at a place."""
    # Each time the colours are used up, the dashes shift by one against them: 16 distinct lines.
    return DASHES[(index + index // len(PALETTE)) % len(DASHES)]


def look_of_series_line(index: int) -> dict[str, Any]:
    """Return colour, dashes and width of the line of the series at a place."""
    return {
        "color": colour_of_series(index),
        "linestyle": dashes_of_series(index),
        "linewidth": CURVE,
    }


_WHITE_CONTRAST = 4.5  # least contrast of text with its ground, WCAG 2.1, criterion 1.4.3


def text_colour(colour: Any) -> tuple[float, float, float]:
    """Return a colour, darkened until text in it can be read on white.

    Examples
    --------
    >>> from rocstats.plots.axes import text_colour
    >>> text_colour("black"), text_colour("yellow") < (1, 1, 0)
    ((0.0, 0.0, 0.0), True)
    """
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < _WHITE_CONTRAST:
        red, green, blue = 0.95 * red, 0.95 * green, 0.95 * blue
    return red, green, blue


def text_colour_on(ground: Any) -> str:
    """Return the colour of text that can be read on a coloured ground: white, or near black."""
    from matplotlib.colors import to_rgb

    return "white" if 1.05 / (_luminance(*to_rgb(ground)) + 0.05) >= _WHITE_CONTRAST else TEXT


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
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set(fontsize=LABEL, color=TEXT)
    ax.tick_params(which="both", labelsize=TICK, width=EDGE, labelcolor=TEXT)
    ax.tick_params(which="minor", length=2)
    ax.spines[:].set_linewidth(EDGE)
    ax.spines[["top", "right"]].set_visible(closed)


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
        ax.set_title(title, loc="left", fontsize=NOTE, color=TEXT, parse_math=False)
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
        figure.supxlabel(axes[0].get_xlabel(), fontsize=LABEL, color=TEXT)
    figure.supylabel(axes[0].get_ylabel(), fontsize=LABEL, color=TEXT)
    for ax in axes:
        place: Any = ax.get_subplotspec()
        # The panel under this one has the ticks of its column.
        below = place.num1 + place.get_gridspec().ncols
        ax.set(xlabel="", ylabel="")
        ax.tick_params(labelbottom=below >= len(axes), labelleft=place.is_first_col())
    if heading is not None:
        figure.suptitle(heading, fontsize=NOTE, color=SECOND_TEXT, x=0.99, ha="right")


def _draw_key_below_panels(figure: Any, key: Mapping[str, Line2D], label: str) -> None:
    """Draw a key at the foot of a figure, which grows by it, and the label of the axes above it."""
    # The layout would put both at the same place.
    legend = figure.legend(
        list(key.values()), list(key), loc="lower left", fontsize=NOTE, frameon=False
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    words = figure.text(0.5, 0, label, fontsize=LABEL, color=TEXT, ha="center", va="bottom")
    below, high = (float(it.get_window_extent().height) / figure.dpi for it in (legend, words))
    below += _APART / 72
    width, height = figure.get_size_inches()
    height += below
    figure.set_size_inches(width, height)
    words.set_y(below / height)
    taken = (below + high) / height
    figure.get_layout_engine().set(rect=(0, taken, 1, 1 - taken))
