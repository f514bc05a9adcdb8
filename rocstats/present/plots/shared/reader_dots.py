"""Dots of readers one below the other, a mark for each modality, and their averages."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocstats.present.plots.shared.axes import ends_of_axis, short_name
from rocstats.present.plots.shared.columns import write_word
from rocstats.present.plots.shared.looks import Looks
from rocstats.present.plots.shared.palette import CURVE, EDGE, SECOND_TEXT, TEXT, WITHOUT
from rocstats.present.plots.shared.series import pieces_of
from rocstats.present.plots.shared.sizes import NOTE, dress
from rocstats.present.readers.frames import AVERAGE, EVERY, reader_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

# Points: a mark, as those of operating points; between the label of the axis and the words.
_MARK, _APART_OF_WORDS = 5.0, 6.0

# Rows: from the last reader to the rule, and from one average to the next.
_APART, _STEP = 0.8, 0.45

# Characters: a name beside a column; a line of words under half a page.
_BESIDE, _LINE = 12, 56

# Most characters of a name beside the axes, and of one above its dots.
_NAMES = {False: 20, True: 40}

# Rows from the dots to a name above them.
_UP = 0.45


def draw_reader_dots(
    ax: Axes, areas: pd.DataFrame, looks: Looks, label: str, *, apart: bool
) -> None:
    """Draw the areas of readers one below the other, and their averages with limits.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    areas : pandas.DataFrame
        Rows of one quantity with ``predictor, [group], reader, estimate, ci_low, ci_high``.
    looks : Looks
        The series and their looks.
    label : str
        Name of the quantity.
    apart : bool
        Whether names are above their dots, inside the axes, not beside them.
    """
    own = areas[areas["reader"] != EVERY]
    names = list(dict.fromkeys(own["reader"].astype(str)))
    rule = len(names) - 1 + _APART
    if "group" not in areas:
        _join(ax, own, names)
    _draw_own(ax, own, names, looks)
    last = _draw_averages(ax, areas[areas["reader"] == EVERY], rule, looks)
    ax.axhline(rule, color=SECOND_TEXT, linewidth=EDGE)
    middle = (rule + last) / 2
    ax.set(ylim=(last, -_APART), xlim=_ends(areas))
    texts = [short_name(reader_text(name), _NAMES[apart]) for name in names]
    beside = [] if apart else texts
    ax.set_yticks([*range(len(beside)), middle], [*beside, AVERAGE])
    for y, text in enumerate(texts if apart else []):
        word = write_word(ax, text, 0, 0, y, "left", TEXT)
        word.xy = (0, y - _UP)
    ax.set_xlabel(label, parse_math=False)
    dress(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=WITHOUT, alpha=0.25, linewidth=EDGE)
    ax.set_axisbelow(True)
    for tick in ax.get_yticklabels():
        tick.set_parse_math(False)
    ax.get_yticklabels()[-1].set_fontweight("bold")


def _ends(areas: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis: it holds all readers, and the limits of the averages."""
    limits = areas[["ci_low", "ci_high"]].where(areas["reader"] == EVERY)
    return ends_of_axis(
        areas.assign(ci_low=limits["ci_low"], ci_high=limits["ci_high"]), None, False
    )


def _join(ax: Axes, own: pd.DataFrame, names: Sequence[str]) -> None:
    for y, name in enumerate(names):
        values = own.loc[own["reader"] == name, "estimate"].dropna()
        ax.plot([values.min(), values.max()], [y, y], color=WITHOUT, linewidth=EDGE, zorder=2)


def _draw_own(ax: Axes, own: pd.DataFrame, names: Sequence[str], looks: Looks) -> None:
    for (predictor, group), piece in pieces_of(own, ["predictor", "group"]):
        name = (predictor, group)
        at = [names.index(str(reader)) for reader in piece["reader"]]
        ax.plot(
            piece["estimate"], at, looks.marker(name), color=looks.colour(name), markersize=_MARK,
            zorder=3, clip_on=False,
        )  # fmt: skip


def _draw_averages(ax: Axes, rows: pd.DataFrame, rule: float, looks: Looks) -> float:
    """Draw averages with their limits below the rule; return where the axis ends."""
    y = rule
    for (predictor, group), piece in pieces_of(rows, ["predictor", "group"]):
        name, y = (predictor, group), y + _STEP
        row: Any = piece.iloc[0]
        look = {"color": looks.colour(name), "zorder": 3}
        ax.plot([row["ci_low"], row["ci_high"]], [y, y], linewidth=0.75 * CURVE, **look)
        ax.plot(row["estimate"], y, looks.marker(name), markersize=_MARK + 1, **look)
    return y + _STEP


def write_below(ax: Axes, words: Sequence[str], left: float) -> None:
    """Write words at the foot of a figure of ours, whose layout leaves room for them.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes of the figure.
    words : sequence of str
        What is written, each on lines of its own.
    left : float in [0, 1)
        Where lines begin, as a share of the width.
    """
    lines = [line for text in words for line in wrap(text, _LINE)]
    if not lines:
        return
    figure: Any = ax.figure
    text = figure.text(
        left, 0, "\n".join(lines), ha="left", va="bottom", fontsize=NOTE, color=TEXT,
        parse_math=False,
    )  # fmt: skip
    # Words wider than the axes would make these narrower at each step of the layout.
    text.set_in_layout(False)
    high = (text.get_window_extent().height / figure.dpi * 72 + _APART_OF_WORDS) / 72
    share = high / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))


def names_apart(areas: pd.DataFrame, width: str) -> bool:
    """Return whether names beside the axes would leave a column too little room for these."""
    names = areas.loc[areas["reader"] != EVERY, "reader"].astype(str).unique()
    longest = max((len(reader_text(name)) for name in names), default=0)
    return width == "column" and longest > _BESIDE


def rows_of_dots(areas: pd.DataFrame, looks: Looks) -> float:
    """Return how many rows such axes have, to size a figure by."""
    names = areas.loc[areas["reader"] != EVERY, "reader"].nunique()
    return float(names + 2 * _APART + _STEP * (len(looks.drawn) + 1))
