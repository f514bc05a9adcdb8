"""Sizes of figures in print, and of their text: one column or a page, nothing under 7 points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

from rocstats.errors import require_choice
from rocstats.present.plots.shared.palette import EDGE, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Width = Literal["column", "page"]

# Journals print columns of 80 to 90 mm and pages of 170 to 180 mm.
WIDTHS = {"column": 85 / 25.4, "page": 174 / 25.4}
"""Widths of figures in inches."""

LABEL, TICK, NOTE = 8.0, 7.5, 7.0
"""Sizes in points of labels, of ticks, and of keys and notes: the least that journals print."""

# Figures made here, which may grow for a key below the axes; those of a user are left as they are.
_OURS: WeakSet[Figure] = WeakSet()


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
    _OURS.add(figure)
    return figure.subplots(rows, columns, squeeze=False).ravel()


def lay_out(figure: Figure) -> None:
    """Find the places of axes and words, once for files of all kinds."""
    # savefig would find them again for each file, which takes as long as to draw the figure.
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine(None)


def is_ours(figure: Any) -> bool:
    """Return whether a figure was made here, so that its size may be changed."""
    return figure in _OURS


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
