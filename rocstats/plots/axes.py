"""What all graphs have in common: figures, looks, series, ticks, words of a key, and panels.

Figures have sizes for print, one column or a page, and no text under 7 points. A series is the rows
of a predictor and group; its place in the study sets its colour, dashes and mark on all graphs.
Where one graph would be crowded, each curve has a small panel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakSet

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frame.checks import require_frame as require_answer
from rocstats.tables.text import format_estimate, format_interval, format_level

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

# Figures made here, which may grow for a key below the axes; those of a user are left as they are.
_OUR_FIGURES: WeakSet[Figure] = WeakSet()


def new_axes(width: Width = "column", *, ratio: float = 1.0) -> Axes:
    """Return axes in a new pyplot figure of a printed width, which a notebook shows.

    Parameters
    ----------
    width : {"column", "page"}, default "column"
        85 or 174 mm.
    ratio : float, default 1.0
        Height of the figure as a share of the width.
    """
    axes: Axes = new_grid(width, ratio=ratio)[0]
    return axes


def axes_for(ax: Axes | None, width: Width, *, ratio: float = 1.0) -> Axes:
    """Return the axes that a user passes, or ``new_axes`` for None; InputError for other things."""
    return new_axes(width, ratio=ratio) if ax is None else require_axes(ax)


def require_axes(ax: Any) -> Axes:
    """Return axes; raise InputError for what is none, such as the array of plt.subplots(2)."""
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


def is_ours(figure: Any) -> bool:
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


def colour_of(index: int) -> str:
    """Return the colour of the series at a place."""
    return PALETTE[index % len(PALETTE)]


def dashes_of(index: int) -> Any:
    """Return the dashes of the series at a place."""
    # Each time the colours are used up, the dashes shift by one against them: 16 distinct lines.
    return DASHES[(index + index // len(PALETTE)) % len(DASHES)]


def look_of(index: int) -> dict[str, Any]:
    """Return colour, dashes and width of the line of the series at a place."""
    return {"color": colour_of(index), "linestyle": dashes_of(index), "linewidth": CURVE}


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


# --- Series of a frame ----------------------------------------------------------------------------

Series = tuple[str, str]
"""Predictor and group ("" without groups), which share a colour and a line of the legend."""


def require_frame(argument: str, frame: Any, needed: Sequence[str], source: str) -> None:
    """Raise InputError unless ``frame`` has the needed columns, and rows.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : object
        The value that the user passed.
    needed : sequence of str
        Columns that the graph reads.
    source : str
        The call that returns such a frame.
    """
    columns = list(frame.columns) if isinstance(frame, pd.DataFrame) else []
    if not set(needed) <= set(columns):
        got = f"columns {', '.join(map(str, columns))}" if columns else type(frame).__name__
        raise InputError(
            f"`{argument}` must have columns {', '.join(needed)}; got {got}. Pass {source}."
        )
    if len(frame) == 0:
        raise InputError(f"`{argument}` must have rows; got 0. Pass {source}.")
    require_answer(frame, argument, source)


def series_of(frame: pd.DataFrame) -> list[Series]:
    """Return the predictors and groups of a frame, in the order of their first rows."""
    keys = [name for name in ("predictor", "group") if name in frame]
    pairs = frame[keys].drop_duplicates().astype(str)
    groups = pairs["group"] if "group" in pairs else [""] * len(pairs)
    # Once more without duplicates: labels 1 and "1" are equal only as text.
    return list(dict.fromkeys(zip(pairs["predictor"], groups, strict=True)))


def pieces_of(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[Any, pd.DataFrame]]:
    """Return the rows of each combination of keys in order; a key that is no column is ""."""
    present = [key for key in keys if key in frame]
    pieces = []
    for values, piece in frame.groupby(present, sort=False):
        labels = dict(zip(present, values, strict=True))
        pieces.append((tuple(str(labels.get(key, "")) for key in keys), piece))
    return pieces


def is_of_series(frame: pd.DataFrame, series: Series) -> pd.Series:
    """Return for each row of a frame whether it is of a predictor and group."""
    mine = frame["predictor"] == series[0]
    return mine & (frame["group"] == series[1]) if "group" in frame else mine


def pieces_of_curves(
    argument: str, frame: pd.DataFrame, names: Sequence[Series], *, drawn: str = "curve"
) -> list[tuple[Series, pd.DataFrame]]:
    """Return the rows of each predictor and group; raise InputError for one that is not drawn.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : pandas.DataFrame
        The frame that the user passed, with ``predictor, [group]``.
    names : sequence of Series
        The curves that are drawn.
    drawn : str, default "curve"
        Name of the argument that gave those curves.
    """
    pieces = []
    for (predictor, group), piece in pieces_of(frame, ["predictor", "group"]):
        if (predictor, group) not in names:
            raise InputError(
                f"`{argument}` must be of predictors (and groups) in `{drawn}`; got {predictor!r}."
                f" Pass the {argument} of the same study."
            )
        pieces.append(((predictor, group), piece))
    return pieces


# --- Looks of the series --------------------------------------------------------------------------

Colors = Mapping[str, Any] | Sequence[Any] | None


def looks_of(
    frame: pd.DataFrame, colors: Colors = None, labels: Mapping[str, str] | None = None
) -> Looks:
    """Return the looks of the series of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame with ``predictor, [group]``, labels already in the place of names. Its ``attrs``
        tell the order of the study; without them the frame does.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor (or group), or in the order of the study.
    labels : mapping of str to str, optional
        The labels that are in the place of names.

    Raises
    ------
    InputError
        If a colour is none that matplotlib knows.
    """
    labels = labels or {}
    drawn = series_of(frame)
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    predictors: list[str] = about.get("predictors", [])
    groups: list[str] = about.get("groups") or [""]
    study = [(labels.get(name, name), group) for group in groups for name in predictors]
    order = study if set(drawn) <= set(study) else drawn
    return Looks(drawn, order, _read_colours(colors, order, labels))


def looks_of_predictors(
    frame: pd.DataFrame, colors: Colors = None, labels: Mapping[str, str] | None = None
) -> Looks:
    """Return the looks of the predictors of a frame, one in all groups; see ``looks_of``."""
    plain = frame.drop(columns="group", errors="ignore")
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    plain.attrs = {**frame.attrs, "rocstats": {**about, "groups": []}}
    return looks_of(plain, colors, labels)


def _read_colours(
    colors: Colors, order: Sequence[Series], labels: Mapping[str, str]
) -> dict[str, Any]:
    from matplotlib.colors import is_color_like

    if colors is None:
        return {}
    values: Any = list(colors.values()) if isinstance(colors, Mapping) else colors
    # A single colour such as "red" is a sequence of letters, not of colours.
    fits = isinstance(values, Sequence) and not isinstance(values, str) and len(values) > 0
    if not fits or not all(is_color_like(value) for value in values):
        raise InputError(
            "`colors` must be colours of matplotlib, by predictor or in their order; got"
            f" {colors!r}. Pass for instance colors={{'marker': '{PALETTE[1]}'}}."
        )
    if isinstance(colors, Mapping):
        return {labels.get(name, name): colour for name, colour in colors.items()}
    # The groups of one predictor differ in colour too.
    alone = len({predictor for predictor, _ in order}) == 1
    names = dict.fromkeys(group if alone else predictor for predictor, group in order)
    return {name: values[i % len(values)] for i, name in enumerate(names)}


class Looks(NamedTuple):
    """The series of a graph, and their looks.

    ``drawn`` are the series of the graph in the order of its frame. ``order`` are all series of the
    study: a predictor has one colour in all graphs, whichever others are drawn beside it.
    ``colours`` go before those of the package.
    """

    drawn: list[Series]
    order: list[Series]
    colours: Mapping[str, Any]

    def place(self, series: Series) -> int:
        """Return the place of a series in the study."""
        return self.order.index(series)

    def colour(self, series: Series) -> Any:
        """Return the colour of a series: as given for its group or predictor, else by place."""
        for name in (series[1], series[0]):
            if name in self.colours:
                return self.colours[name]
        return colour_of(self.place(series))

    def line(self, series: Series) -> dict[str, Any]:
        """Return colour, dashes and width of the line of a series."""
        dashes = dashes_of(self.place(series))
        return {"color": self.colour(series), "linestyle": dashes, "linewidth": CURVE}

    def marker(self, series: Series) -> str:
        """Return the mark of the points of a series."""
        return MARKERS[self.place(series) % len(MARKERS)]

    def with_series(self, names: Sequence[Series]) -> Looks:
        """Return looks that also hold series of another frame, after those of the study."""
        return self._replace(order=list(dict.fromkeys([*self.order, *names])))


# --- Axes and ticks -------------------------------------------------------------------------------


def dress(ax: Axes, *, closed: bool = False) -> None:
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
    dress(ax)


def set_square_ticks(ax: Axes) -> None:
    """Set closed square axes, both from 0 to 1, with ticks at halves and quarters."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([0, 0.5, 1], ["0", "0.5", "1"])
        axis.set_ticks([0.25, 0.75], minor=True)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    dress(ax, closed=True)


# Limits are cut beyond three usual half widths from all estimates: one small group would squeeze
# the others into a tenth of the axis.
_REACH = 3.0

# Room at the ends of the axis, as a share of its length.
_MARGIN = 0.04


def ends_of_axis(frame: pd.DataFrame, line: float | None, ratio: bool) -> tuple[float, float]:
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


# --- Words of a key -------------------------------------------------------------------------------

# Characters on a line of the key: 38 of 7 points, with their piece of line, fill 85% of the width
# of square axes in a column.
LINE = 38
"""Most characters on a line of the key in a figure of one column."""


class Values(NamedTuple):
    """The estimates of each series as text, and the heading that they stand under."""

    heading: str
    texts: dict[Series, list[str]]


def series_names(names: Sequence[Series], *, most: int = LINE) -> list[str]:
    """Return the name of each series in print; one longer than ``most`` lacks its middle."""
    texts = [f"{predictor}, {group}" if group else predictor for predictor, group in names]
    return [short_name(text, most) for text in texts]


def short_name(name: str, most: int = LINE) -> str:
    """Return a name that fits a line: the two ends of a long name."""
    # Names made by a pipeline often differ only in their last characters: 12 of them stay.
    return name if len(name) <= most else f"{name[: most - 13]}…{name[-12:]}"


def series_values(
    names: Sequence[Series], values: Values, *, argument: str, what: str
) -> list[str]:
    """Return the estimate of each series; raise InputError for a series with none, or several.

    Parameters
    ----------
    names : sequence of Series
        Predictors and groups.
    values : Values
        See ``estimate_texts``.
    argument, what : str
        Name of the argument that gave the estimates, and of its quantity.
    """
    for name in names:
        number = len(values.texts.get(name, []))
        if number != 1:
            text = ", ".join(part for part in name if part)
            raise InputError(
                f"`{argument}` must have one {what} for each curve; got {number} for {text!r}."
                f" Pass {argument}() of the study that gave the curve."
            )
    return [values.texts[name][0] for name in names]


def estimate_texts(frame: pd.DataFrame, quantity: str, heading: str, style: str) -> Values:
    """Return the estimates of a quantity as text, by series, with the level in the heading.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows with ``predictor, [group], quantity, estimate, ci_low, ci_high, confidence_level``.
    quantity, heading : str
        The rows to take, and what they are called.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    """
    rows = frame[frame["quantity"] == quantity]
    levels = rows["confidence_level"].dropna().unique()
    # One level is said once. Several (as after Bonferroni) are said with each interval.
    if len(levels) == 1:
        heading = f"{heading} ({format_level(levels[0])} CI)"
    texts: dict[Series, list[str]] = {}
    for _, row in rows.iterrows():
        text = _estimate_text(row, style, once=len(levels) == 1)
        texts.setdefault((str(row["predictor"]), str(row.get("group", ""))), []).append(text)
    return Values(heading, texts)


def _estimate_text(row: pd.Series, style: str, *, once: bool) -> str:
    """Return an estimate with its interval, and with the level unless it is said ``once``."""
    low, high, level = (float(row[name]) for name in ("ci_low", "ci_high", "confidence_level"))
    guard = (0, 1)
    if not once or math.isnan(level):
        return format_estimate(
            row["estimate"], low, high, confidence_level=level, style=style, guard=guard
        )
    number = format_estimate(
        row["estimate"], low, high, confidence_level=math.nan, style=style, guard=guard
    )
    return f"{number} ({format_interval(low, high, style=style, guard=guard)})"


# --- Panels ---------------------------------------------------------------------------------------

# Panels side by side, by width of the figure: each has about 40 mm, and names of 24 characters.
_PANELS_IN_A_ROW = {"column": 2, "page": 4}

PANEL_NAME = 24
"""Most characters of a name above a panel."""

# Height of a row of panels by their width: a square and two lines of words; and that of the labels
# around all rows, by the width of a column.
_ROW_RATIO, _AROUND = 1.02, 0.11

# Points between a key and the label of the axes above it.
_APART = 4.0


def new_panels(titles: Sequence[str], width: Width, *, shown: bool = True) -> list[Axes]:
    """Return square panels in a new figure (see ``new_grid``), with titles printed literally."""
    width = require_choice("width", width, WIDTHS)
    columns = min(_PANELS_IN_A_ROW[width], len(titles))
    rows = math.ceil(len(titles) / columns)
    ratio = _ROW_RATIO * rows / columns + _AROUND * _PANELS_IN_A_ROW["column"] / columns
    grid = new_grid(width, rows, columns, ratio=ratio, shown=shown)
    for ax, title in zip(grid, titles, strict=False):
        ax.set_title(title, loc="left", fontsize=NOTE, color=TEXT, parse_math=False)
    for ax in grid[len(titles) :]:
        ax.remove()
    return list(grid[: len(titles)])


def finish_panels(
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
        _draw_key(figure, key, axes[0].get_xlabel())
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


def _draw_key(figure: Any, key: Mapping[str, Line2D], label: str) -> None:
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
