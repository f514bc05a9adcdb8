"""Free room in a graph: where a text covers no line, band, bar or other text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

# Distance in points that a text keeps from the middle of lines, which are up to 1.6 points wide.
_CLEAR = 2.0


class Room:
    """The room that what is drawn leaves free, in pixels of the figure as it is now.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The graph, all of it drawn but its words.
    """

    def __init__(self, ax: Axes) -> None:
        figure: Any = ax.figure
        # Only a layout that was made knows how large the axes are.
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
        ax.apply_aspect()
        self.box = ax.get_window_extent()
        self.clear = _CLEAR * figure.dpi / 72
        self._filled = [*_areas(ax, self.clear)]
        paths = [
            (line.get_linestyle(), line.get_transform().transform_path(line.get_path()))
            for line in ax.lines
        ]
        # Dotted lines are chance and other references.
        self._dotted = [path for style, path in paths if style == ":"]
        self._lines = [path for style, path in paths if style not in (":", "None")]
        self._lines += [*_segments(ax)]
        self._taken: list[Bbox] = []

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


def _areas(ax: Axes, clear: float) -> Iterator[Path]:
    """Yield bands, bars and marks."""
    from matplotlib.collections import LineCollection

    for patch in ax.patches:
        yield patch.get_transform().transform_path(patch.get_path())
    for collection in ax.collections:
        places = np.asarray(collection.get_offsets())
        if len(places) > 1:
            yield from _squares(collection.get_offset_transform().transform(places), clear)
        elif not isinstance(collection, LineCollection):
            for path in collection.get_paths():
                yield collection.get_transform().transform_path(path)
    for line in ax.lines:
        if line.get_linestyle() == "None":
            marks = line.get_transform().transform(line.get_xydata())
            yield from _squares(marks, line.get_markersize() / 2 * clear / _CLEAR)


def _segments(ax: Axes) -> Iterator[Path]:
    """Yield error bars."""
    from matplotlib.collections import LineCollection

    for collection in ax.collections:
        if isinstance(collection, LineCollection):
            for path in collection.get_paths():
                yield collection.get_transform().transform_path(path)


def _squares(places: NDArray[np.float64], half: float) -> Iterator[Path]:
    from matplotlib.path import Path

    corners = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    for place in places[np.isfinite(places).all(axis=1)]:
        yield Path(place + corners)
