"""Words beside axes, in rows and columns, as a table that has a graph in its middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocstats.present.plots.shared.palette import EDGE, SECOND_TEXT
from rocstats.present.plots.shared.sizes import NOTE, is_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

# Points: a row, letters of 7 with as much room between them as a table; headings; axis and label;
# the edge of a figure.
_ROW, _ABOVE, _BELOW, _EDGE_OF_FIGURE = 12.0, 14.0, 32.0, 3.0


def write_word(
    ax: Axes, text: str, side: int, offset: float, y: int, align: str, colour: Any
) -> Annotation:
    """Write a text so far from a side of the axes, in points, at a row."""
    return ax.annotate(
        text, (side, y), (offset, 0), xycoords=ax.get_yaxis_transform(),
        textcoords="offset points", ha=align, va="center_baseline", fontsize=NOTE, color=colour,
        parse_math=False, annotation_clip=False,
    )  # fmt: skip


def widest(ax: Axes, texts: Sequence[str]) -> float:
    """Return the width in points of the widest of some texts, were it bold."""
    word = ax.text(0, 0, "\n".join(texts), fontsize=NOTE, fontweight="bold", parse_math=False)
    width = float(word.get_window_extent().width) * 72 / ax.figure.dpi
    word.remove()
    return width


def draw_rule(ax: Axes, left: float, right: float) -> None:
    """Draw a rule under the headings, from the names to the last number."""
    from matplotlib.transforms import offset_copy

    figure: Any = ax.figure
    rows = ax.get_yaxis_transform()
    ends = [offset_copy(rows, figure, x=x, units="points") for x in (left, right)]
    ax.annotate(
        "", (1, -0.5), (0, -0.5), xycoords=ends[1], textcoords=ends[0], annotation_clip=False,
        arrowprops={"arrowstyle": "-", "linewidth": EDGE, "color": SECOND_TEXT, "shrinkA": 0,
                    "shrinkB": 0},
    )  # fmt: skip


def place(ax: Axes, n_rows: int, left: float, right: float) -> None:
    """Make room for the words: a figure of ours has the height of its rows."""
    figure: Any = ax.figure
    if is_ours(figure):
        wide, high = figure.get_figwidth() * 72, _ABOVE + _ROW * n_rows + _BELOW
        figure.set_layout_engine("none")
        figure.set_size_inches(wide / 72, high / 72)
        left, right = left + _EDGE_OF_FIGURE, right + _EDGE_OF_FIGURE
        share = 1 - (left + right) / wide
        ax.set_position((left / wide, _BELOW / high, share, _ROW * n_rows / high))
    elif figure.get_layout_engine() is None:
        box, wide = ax.get_position(), figure.get_figwidth() * 72
        # Axes keep a fifth of their width, whatever the words need.
        width = max(box.width - (left + right) / wide, box.width / 5)
        ax.set_position((box.x0 + left / wide, box.y0, width, box.height))


def points_wide(ax: Axes) -> float:
    """Return the width in points that axes and the words beside them have."""
    figure: Any = ax.figure
    if is_ours(figure):
        return float(figure.get_figwidth()) * 72 - 2 * _EDGE_OF_FIGURE
    return float(ax.get_window_extent().width) * 72 / float(figure.dpi)
