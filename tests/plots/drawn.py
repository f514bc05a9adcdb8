"""What is drawn on axes: curves and bands in pixels, and the words that must not cover them."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.path import Path
from matplotlib.text import Text


def names_of(ax: Any) -> list[str]:
    """Return the names in the key, or on the lines where there is no key."""
    key = ax.get_legend()
    return [text.get_text() for text in (ax.texts if key is None else key.get_texts())]


def dense(ends: Any) -> Any:
    """Return points close together along a line."""
    return np.concatenate([np.linspace(a, b, 30) for a, b in pairwise(ends)])


def drawn_data(ax: Any) -> tuple[list[Any], list[Path]]:
    """Return points along lines and error bars, and the outlines of bands, in pixels."""
    lines = [
        ax.transData.transform(line.get_xydata())
        for line in ax.lines
        if line.get_linestyle() not in (":", "None") and line.get_transform() == ax.transData
    ]
    bands = []
    for collection in ax.collections:
        paths = [ax.transData.transform(path.vertices) for path in collection.get_paths()]
        if isinstance(collection, LineCollection):
            lines += paths
        elif isinstance(collection, PolyCollection):
            bands += [Path(path) for path in paths]
    return [dense(line) for line in lines if len(line) > 1], bands


def boxes_of_words(ax: Any) -> list[Any]:
    """Return boxes of words in the axes but for those on a piece of a strip that holds them."""
    bars = [patch.get_window_extent() for patch in ax.patches]
    key = ax.get_legend()
    # the words alone, without the line that leads to them
    boxes = [Text.get_window_extent(text) for text in ax.texts if text.get_text()]
    inside = [any(b.x0 <= x.x0 and x.x1 <= b.x1 and b.y0 <= x.y0 for b in bars) for x in boxes]
    free = [box for box, held in zip(boxes, inside, strict=True) if not held]
    return free + ([key.get_window_extent()] if key else [])


def covers(box: Any, points: list[Any], bands: list[Path]) -> bool:
    """Return whether a box is over a point of a line or over a band."""
    if any(((xy > box.min) & (xy < box.max)).all(axis=1).any() for xy in points):
        return True
    x, y = np.meshgrid(np.linspace(box.x0, box.x1, 20), np.linspace(box.y0, box.y1, 20))
    grid = np.column_stack([x.ravel(), y.ravel()])
    return any(band.contains_points(grid).any() for band in bands)


def assert_words_are_on_the_figure_and_off_the_data(figure: Any) -> None:
    """Require that no word leaves the figure, covers data or is over another."""
    figure.set_dpi(137)  # words are not as wide as where they were placed
    figure.draw_without_rendering()
    tight = figure.get_tightbbox()  # in inches
    wide, high = figure.get_size_inches()
    assert tight.x0 >= 0
    assert tight.y0 >= 0
    assert tight.x1 <= wide
    assert tight.y1 <= high
    for ax in figure.axes:
        boxes, data = boxes_of_words(ax), drawn_data(ax)
        assert not any(covers(box, *data) for box in boxes)
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
