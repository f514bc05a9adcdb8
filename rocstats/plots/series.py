"""The series of a frame, one for each predictor and group: their rows, looks, names, estimates.

The place of a series in the study sets its colour, dashes and mark on all graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frame.checks import require_frame
from rocstats.frame.make import about_of, labelled, labels_in
from rocstats.plots.axes import (
    KEY_LINE,
    MARKERS,
    PALETTE,
    colour_of_series,
    look_of_series_line,
    require_axes,
)
from rocstats.tables.cells import CellRules, estimate_text
from rocstats.tables.text import digits_of, format_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# --- Frames that a figure reads -------------------------------------------------------------------

Needed = tuple[Sequence[str], str]
"""Columns that a figure reads of a frame, and the call that returns such a frame."""


def frames_in_print(
    needed: Mapping[str, Needed],
    labels: Mapping[str, str] | None,
    **frames: pd.DataFrame | None,
) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """Return the frames that a user passed, with labels in the place of names, and the labels.

    Parameters
    ----------
    needed : mapping of str to Needed
        What each frame must have.
    labels : mapping of str to str, optional
        The labels of a user, which go before those of the frames.
    **frames : pandas.DataFrame or None
        Frames by argument. All but the first may be None.

    Raises
    ------
    InputError
        If a frame lacks columns or rows.
    """
    required = next(iter(frames))
    passed: dict[str, Any] = {
        argument: frame
        for argument, frame in frames.items()
        if frame is not None or argument == required
    }
    for argument, frame in passed.items():
        require_drawable(argument, frame, *needed[argument])
    names = labels_in(labels, *passed.values())
    return {argument: labelled(frame, names) for argument, frame in passed.items()}, names


def require_drawable(argument: str, frame: Any, needed: Sequence[str], source: str) -> None:
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
    require_frame(frame, argument, source)


def require_single(
    argument: str, frame: pd.DataFrame, keys: Sequence[str], what: str, advice: str
) -> None:
    """Raise InputError for a frame with several values of some keys, such as predictors.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    frame : pandas.DataFrame
        The frame that the user passed.
    keys : sequence of str
        Columns that must not vary.
    what, advice : str
        What the frame must be, and what to do.
    """
    found = [values for values, _ in frame_pieces_by_keys(frame, keys)]
    if len(found) > 1:
        names = ", ".join(" ".join(filter(None, values)) for values in found[:4])
        raise InputError(f"`{argument}` must be {what}; got {len(found)}: {names}. {advice}")


# --- Rows of a series -----------------------------------------------------------------------------

Series = tuple[str, str]
"""Predictor and group ("" without groups), which share a colour and a line of the legend."""


def series_of(frame: pd.DataFrame) -> list[Series]:
    """Return the predictors and groups of a frame, in the order of their first rows."""
    keys = [name for name in ("predictor", "group") if name in frame]
    pairs = frame[keys].drop_duplicates().astype(str)
    groups = pairs["group"] if "group" in pairs else [""] * len(pairs)
    # Once more without duplicates: labels 1 and "1" are equal only as text.
    return list(dict.fromkeys(zip(pairs["predictor"], groups, strict=True)))


def frame_pieces_by_keys(
    frame: pd.DataFrame, keys: Sequence[str]
) -> list[tuple[Any, pd.DataFrame]]:
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
    argument: str,
    frame: pd.DataFrame,
    names: Sequence[Series],
    *,
    drawn: str = "curve",
    what: str = "predictors",
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
    what : str, default "predictors"
        What the curves are of.
    """
    pieces = frame_pieces_by_keys(frame, ["predictor", "group"])
    for name, _ in pieces:
        if name not in names:
            raise InputError(
                f"`{argument}` must be of {what} (and groups) in `{drawn}`; got {name[0]!r}."
                f" Pass the {argument} of the same study."
            )
    return pieces


# --- Looks of the series --------------------------------------------------------------------------

Colors = Mapping[str, Any] | Sequence[Any] | None
"""Colours by predictor (or group), in the order of the study, or the name of a colour map."""

LineOptions = Mapping[str, Any] | None
"""Options of lines of matplotlib, for all curves or by predictor (or group)."""


def looks_of(
    frame: pd.DataFrame,
    colors: Colors = None,
    labels: Mapping[str, str] | None = None,
    line: LineOptions = None,
    ax: Axes | None = None,
) -> Looks:
    """Return the looks of the series of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame with ``predictor, [group]``, labels already in the place of names. Its ``attrs``
        tell the order of the study; without them the frame does.
    colors : mapping of str to colour, sequence of colours, or str, optional
        Colours by predictor (or group), in the order of the study, or the name of a colour map.
    labels : mapping of str to str, optional
        The labels that are in the place of names.
    line : mapping, optional
        Options of lines, for all curves or by predictor (or group).
    ax : matplotlib.axes.Axes, optional
        Axes of a user. Series that were drawn there before keep their looks, and others follow.

    Raises
    ------
    InputError
        If a colour or an option is none that matplotlib knows, or ``ax`` are no axes.
    """
    labels = labels or {}
    drawn = series_of(frame)
    about = about_of(frame)
    predictors: list[str] = about.get("predictors", [])
    groups: list[str] = about.get("groups") or [""]
    study = [(labels.get(name, name), group) for group in groups for name in predictors]
    order = study if set(drawn) <= set(study) else drawn
    colours, options = _read_colours(colors, order, labels), _read_line_options(line, labels)
    if ax is not None:
        order = _order_on_axes(require_axes(ax), order)
    return Looks(drawn, order, colours, options)


def looks_of_predictors(
    frame: pd.DataFrame, colors: Colors = None, labels: Mapping[str, str] | None = None
) -> Looks:
    """Return the looks of the predictors of a frame, one in all groups; see ``looks_of``."""
    plain = frame.drop(columns="group", errors="ignore")
    about = about_of(frame)
    plain.attrs = {**frame.attrs, "rocstats": {**about, "groups": []}}
    return looks_of(plain, colors, labels)


# The series of each axes of a user, in the order of their looks.
_ORDERS: WeakKeyDictionary[Axes, list[Series]] = WeakKeyDictionary()


def _order_on_axes(ax: Axes, order: Sequence[Series]) -> list[Series]:
    """Return series after those that were drawn on the same axes before."""
    before = _ORDERS.get(ax, []) if ax.lines else []
    _ORDERS[ax] = list(dict.fromkeys([*before, *order]))
    return _ORDERS[ax]


def _read_line_options(
    line: LineOptions, labels: Mapping[str, str]
) -> dict[str, Mapping[str, Any]]:
    """Return options of lines by predictor or group, or by "" for all."""
    if line is None:
        return {}
    if not isinstance(line, Mapping):
        raise _wrong_line_options(line, f"a {type(line).__name__}")
    if line and all(isinstance(options, Mapping) for options in line.values()):
        return {labels.get(name, name): _line_options(line[name]) for name in line}
    return {"": _line_options(line)}


def _line_options(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options by their whole names ("linewidth", not "lw"), if lines have them."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    if "label" in given:
        raise _wrong_line_options(given, "'label', which `labels` sets")
    try:
        options: dict[str, Any] = normalize_kwargs(dict(given), Line2D)
        Line2D([], [], **options)
    except (AttributeError, TypeError, ValueError) as problem:
        raise _wrong_line_options(given, str(problem)) from None
    return options


def _wrong_line_options(given: Any, problem: str) -> InputError:
    return InputError(
        "`line` must have options of matplotlib's lines, for all curves or by predictor; got"
        f" {given!r}: {problem.rstrip('.')}. Pass for instance"
        " line={'marker': {'linewidth': 2}}."
    )


def _read_colours(
    colors: Colors, order: Sequence[Series], labels: Mapping[str, str]
) -> dict[str, Any]:
    from matplotlib.colors import is_color_like

    if colors is None:
        return {}
    # The groups of one predictor differ in colour too.
    alone = len({predictor for predictor, _ in order}) == 1
    names = dict.fromkeys(group if alone else predictor for predictor, group in order)
    if isinstance(colors, str):
        colors = _colours_of_map(colors, len(names)) or colors
    values: Any = list(colors.values()) if isinstance(colors, Mapping) else colors
    # A single colour such as "red" is a sequence of letters, not of colours.
    fits = isinstance(values, Sequence) and not isinstance(values, str) and len(values) > 0
    if not fits or not all(is_color_like(value) for value in values):
        raise InputError(
            "`colors` must be colours of matplotlib, by predictor or in their order, or the name of"
            f" a colour map; got {colors!r}. Pass for instance colors={{'marker': '{PALETTE[1]}'}}."
        )
    if isinstance(colors, Mapping):
        return {labels.get(name, name): colour for name, colour in colors.items()}
    return {name: values[i % len(values)] for i, name in enumerate(names)}


# Maps of so many colours, such as "tab20", list colours without an order.
_LISTED = 20


def _colours_of_map(name: str, number: int) -> list[Any]:
    """Return a number of colours of a map: evenly spread, or the first; none of an unknown map."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    if name not in colormaps:
        return []
    found = colormaps[name]
    if isinstance(found, ListedColormap) and found.N <= _LISTED:
        return [found(i % found.N) for i in range(number)]
    return [found(float(place)) for place in np.linspace(0, 1, number)]


class Looks(NamedTuple):
    """The series of a graph, and their looks.

    ``drawn`` are the series of the graph in the order of its frame. ``order`` are all series of the
    study: a predictor has one colour in all graphs, whichever others are drawn beside it.
    ``colours`` and ``options`` of lines go before the looks of the package.
    """

    drawn: list[Series]
    order: list[Series]
    colours: Mapping[str, Any]
    options: Mapping[str, Mapping[str, Any]]

    def place(self, series: Series) -> int:
        """Return the place of a series in the study."""
        return self.order.index(series)

    def colour(self, series: Series) -> Any:
        """Return the colour of a series: as given for its group or predictor, else by place."""
        if "color" in self.options_of(series):
            return self.options_of(series)["color"]
        for name in (series[1], series[0]):
            if name in self.colours:
                return self.colours[name]
        return colour_of_series(self.place(series))

    def options_of(self, series: Series) -> Mapping[str, Any]:
        """Return the options that a user chose for the line of a series."""
        names = (series[1], series[0], "")
        return next((self.options[name] for name in names if name in self.options), {})

    def line(self, series: Series) -> dict[str, Any]:
        """Return colour, dashes and width of the line of a series, and options of a user."""
        look = look_of_series_line(self.place(series))
        return {**look, "color": self.colour(series), **self.options_of(series)}

    def marker(self, series: Series) -> str:
        """Return the mark of the points of a series."""
        return MARKERS[self.place(series) % len(MARKERS)]

    def with_series(self, names: Sequence[Series]) -> Looks:
        """Return looks that also hold series of another frame, after those of the study."""
        return self._replace(order=list(dict.fromkeys([*self.order, *names])))


# More series than colours of the palette are best told apart in panels.
MOST_SERIES = len(PALETTE)
"""Most series on axes of a new figure, which has panels for more."""


# --- Names and estimates of the series ------------------------------------------------------------

PANEL_NAME = 24
"""Most characters of a name above a panel, which has about 40 mm."""


def series_names(names: Sequence[Series], *, most: int = KEY_LINE) -> list[str]:
    """Return the name of each series in print; one longer than ``most`` lacks its middle."""
    texts = [f"{predictor}, {group}" if group else predictor for predictor, group in names]
    return [short_name(text, most) for text in texts]


def short_name(name: str, most: int = KEY_LINE) -> str:
    """Return a name that fits a line: the two ends of a long name."""
    # Names made by a pipeline often differ only in their last characters: 12 of them stay.
    return name if len(name) <= most else f"{name[: most - 13]}…{name[-12:]}"


def panel_titles(names: Sequence[Series], estimates: Mapping[Series, str] | None) -> list[str]:
    """Return the name of each series for the panel that it has, its estimate on the next line."""
    titles = series_names(names, most=PANEL_NAME)
    if estimates is None:
        return titles
    return [f"{title}\n{estimates[name]}" for title, name in zip(titles, names, strict=True)]


class Estimates(NamedTuple):
    """The estimates of each series as text, and the heading above them in the key."""

    heading: str
    texts: dict[Series, list[str]]

    def one_each(self, names: Sequence[Series], *, argument: str, what: str) -> dict[Series, str]:
        """Return the estimate of each series; raise InputError for a series with none, or several.

        Parameters
        ----------
        names : sequence of Series
            Predictors and groups.
        argument, what : str
            Name of the argument that gave the estimates, and of its quantity.
        """
        for name in names:
            number = len(self.texts.get(name, []))
            if number != 1:
                text = ", ".join(part for part in name if part)
                raise InputError(
                    f"`{argument}` must have one {what} for each curve; got {number} for {text!r}."
                    f" Pass {argument}() of the study that gave the curve."
                )
        return {name: self.texts[name][0] for name in names}


def estimate_texts(frame: pd.DataFrame, quantity: str, heading: str, style: str) -> Estimates:
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
    # One level is in the heading. Several (as after Bonferroni) are with each interval.
    one_level = len(levels) == 1
    if one_level:
        heading = f"{heading} ({format_level(levels[0])} CI)"
    rules = CellRules(style, digits_of(style, None), signed=False, adjusted=False)
    texts: dict[Series, list[str]] = {}
    for _, row in rows.iterrows():
        name = (str(row["predictor"]), str(row.get("group", "")))
        texts.setdefault(name, []).append(estimate_text(row, rules, with_level=not one_level))
    return Estimates(heading, texts)


# --- Curves with what is drawn beside them --------------------------------------------------------

# Frames that are not of the series: random scorers, and machines beside readers.
_OF_ALL_SERIES = ("null_band", "machine")


class Curves(NamedTuple):
    """The curves of a figure, with their looks, their estimates for the key, and other frames."""

    curve: pd.DataFrame
    looks: Looks
    estimates: dict[Series, str] | None
    heading: str | None
    frames: Mapping[str, pd.DataFrame]

    def of_series(self, name: Series) -> Curves:
        """Return the curves of one series, in the first colour unless a user chose another."""
        looks = Looks([name], [name], self.looks.colours, self.looks.options)
        frames = {
            argument: frame if argument in _OF_ALL_SERIES else frame[is_of_series(frame, name)]
            for argument, frame in self.frames.items()
        }
        # A predictor may have no band, fit or point: its panel is without.
        frames = {argument: frame for argument, frame in frames.items() if len(frame)}
        return Curves(self.curve[is_of_series(self.curve, name)], looks, None, None, frames)
