"""Small panels side by side, one for each curve where one graph would be crowded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.errors import require_choice
from rocstats.present.plots.shared.palette import SECOND_TEXT, TEXT
from rocstats.present.plots.shared.sizes import LABEL, NOTE, WIDTHS, Width, new_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Panels side by side, by width of the figure: each has about 40 mm, and names of 24 characters.
_IN_A_ROW = {"column": 2, "page": 4}
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
    columns = min(_IN_A_ROW[width], len(titles))
    rows = math.ceil(len(titles) / columns)
    ratio = _ROW_RATIO * rows / columns + _AROUND * _IN_A_ROW["column"] / columns
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
