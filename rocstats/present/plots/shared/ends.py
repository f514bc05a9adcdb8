"""Names at the right ends of lines, in the margin beside the axes."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.present.plots.shared.palette import EDGE, text_colour
from rocstats.present.plots.shared.sizes import NOTE, is_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

# Characters on a line of a name: 17 of 7 points are about a quarter of a column.
_LINE = 17

# Points between the axes and the names, and between the lower edge of a name and the next one.
_GAP, _APART = 5.0, 2.0

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
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    ends = [_end(line) for line in lines]
    texts = ["\n".join(wrap(name, _LINE)) or name for name in names]
    pixel = figure.dpi / 72
    box = ax.get_window_extent()
    sizes = np.array([_height(ax, text) for text in texts]) + _APART * pixel
    in_margin = is_ours(figure) or engine is not None
    if not in_margin or not all(map(len, ends)) or sizes.sum() > box.height:
        return False
    wanted = np.array([end[1] for end in ends])
    heights = _spread(wanted, sizes, float(box.y0), float(box.y1))
    for line, text, end, height in zip(lines, texts, ends, heights, strict=True):
        away = max(abs(float(height - end[1])), float(box.x1 - end[0])) > _NEAR * pixel
        rule = {"arrowstyle": "-", "linewidth": EDGE, "linestyle": ":", "color": line.get_color(),
                "shrinkA": 0.0, "shrinkB": 0.0, "relpos": (0.0, 0.5)}  # fmt: skip
        ax.annotate(
            text,
            tuple(ax.transData.inverted().transform(end)),
            (1 + _GAP * pixel / box.width, (height - box.y0) / box.height),
            textcoords="axes fraction", va="center", ha="left", fontsize=NOTE, parse_math=False,
            color=text_colour(line.get_color()), annotation_clip=False,
            arrowprops=rule if away else None,
        )  # fmt: skip
    return True


def _end(line: Line2D) -> NDArray[np.float64]:
    """Return the last place of a line in pixels; none of a line without places."""
    at: NDArray[np.float64] = line.get_transform().transform(line.get_xydata())
    at = at[np.isfinite(at).all(axis=1)]
    return at[np.argmax(at[:, 0])] if len(at) else np.empty(0)


def _height(ax: Axes, text: str) -> float:
    """Return the height of a text in pixels."""
    # Logarithmic axes have no place (0, 0).
    word = ax.text(0, 0, text, fontsize=NOTE, parse_math=False, transform=ax.transAxes)
    height = float(word.get_window_extent().height)
    word.remove()
    return height


def _spread(
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
