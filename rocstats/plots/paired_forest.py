"""Forest plot of a review: sensitivity and specificity of its studies side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.words import quantity_text, row_dicts
from rocstats.frame.make import in_print
from rocstats.plots.axes import (
    CURVE,
    WIDTHS,
    chance_look,
    colour_of_series,
    inks,
    new_grid,
    note_size,
    set_look_of_axes,
)
from rocstats.plots.series import frame_pieces_by_keys, require_drawable
from rocstats.tables.cells import estimate_text, rules_of
from rocstats.tables.text import format_count, format_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes


_RATES = ("tpr", "tnr")
_SERIES = ("predictor", "group")
_STUDIES = ("predictor", "study", "quantity", "tp", "fp", "n_pos", "n_neg", "estimate", "ci_low")
_SUMMARY = ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level")
# A page has room for these rows of 4.2 mm, with the headings above and the axes below.
_MOST_ROWS = 60
# Inches: a row, above the rows, below them; the edge of the figure, between columns.
_ROW, _ABOVE, _BELOW, _EDGE, _GAP = 12 / 72, 0.35, 0.45, 0.08, 0.1
# Points: the largest box and the least.
_BOX, _LEAST_BOX = 6.5, 2.0
_STYLE = ("nejm", 2)


class _Line(NamedTuple):
    """A line of the figure: a heading, a study, or the mean of the studies."""

    name: str
    rows: dict[str, dict[str, Any]]
    mean: bool = False


def draw_paired_forest(
    frame: pd.DataFrame, summary: pd.DataFrame, labels: Mapping[str, str] | None
) -> Axes:
    """Draw both rates of studies with their means, and return the axes of sensitivity.

    See ``plot_forest``.
    """
    require_drawable("frame", frame, _STUDIES, "review.studies()")
    require_drawable("summary", summary, _SUMMARY, "review.summary()")
    frame, means = in_print(labels, frame, summary)
    assert means is not None
    lines = _lines_of_review(frame, means)
    if len(lines) > _MOST_ROWS:
        raise InputError(
            f"`frame` must have at most {_MOST_ROWS} rows, which fill a page; got {len(lines)}."
            " Choose studies, or print all of them with format_table()."
        )
    width, height = WIDTHS["page"], _ABOVE + _ROW * len(lines) + _BELOW
    panels: Sequence[Axes] = new_grid("page", 1, 2, ratio=height / width)
    panels[0].figure.set_layout_engine("none")  # type: ignore[union-attr]
    rules = rules_of(frame, *_STYLE)
    size = note_size(panels[0])
    names = _width_of(panels[0], [line.name for line in lines], size)
    texts = {
        rate: [_texts_of(line.rows.get(rate), rate, rules) for line in lines] for rate in _RATES
    }
    widths = [
        max(_width_of(panels[0], [text[j] for text in texts[rate]], size) for rate in _RATES)
        for j in (0, 1)
    ]
    room = (width - 2 * _EDGE - names - 2 * (sum(widths) + 3 * _GAP)) / 2
    left = _EDGE + names
    largest = float(max(frame["n_pos"].max(), frame["n_neg"].max()))
    for rate, panel in zip(_RATES, panels, strict=True):
        start = left + _GAP + widths[0] + _GAP
        panel.set_position(
            (start / width, _BELOW / height, room / width, _ROW * len(lines) / height)
        )
        _draw_panel(panel, lines, rate, largest)
        heading = format_level(float(frame["confidence_level"].iloc[0]))
        for y, line, (count, text) in zip(range(len(lines)), lines, texts[rate], strict=True):
            weight = "bold" if line.mean or not line.rows else "normal"
            _write(panel, -_GAP / room, y, count, size, "right", weight)
            _write(panel, 1 + _GAP / room, y, text, size, "left", weight)
            if rate == _RATES[0]:
                _write(panel, (_EDGE - start) / room, y, line.name, size, "left", weight)
        _write(panel, -_GAP / room, -1, "Correct/all", size, "right", "normal")
        _write(panel, 1 + _GAP / room, -1, f"({heading} CI)", size, "left", "normal")
        left = start + room + _GAP + widths[1]
    return panels[0]


def _lines_of_review(frame: pd.DataFrame, summary: pd.DataFrame) -> list[_Line]:
    """Return the lines of each group: its name, its studies and their mean."""
    lines = []
    means = dict(frame_pieces_by_keys(summary, _SERIES))
    for keys, piece in frame_pieces_by_keys(frame, _SERIES):
        group, mean = keys[1], means.get(keys)
        if mean is None:
            raise InputError(
                f"`summary` must be of the test and the groups of `frame`; got none for {keys}."
                " Pass the summary() of the same study."
            )
        if group:
            lines.append(_Line(group, {}))
        studies: list[dict[str, dict[str, Any]]] = []
        names: list[str] = []
        for row in row_dicts(piece):
            # Two rows a study; a study with several tables has its name again.
            if not studies or row["quantity"] in studies[-1] or names[-1] != row["study"]:
                studies.append({})
                names.append(row["study"])
            studies[-1][row["quantity"]] = row
        lines += [_Line(name, rows) for name, rows in zip(names, studies, strict=True)]
        rows = {row["quantity"]: row for row in row_dicts(mean) if row["quantity"] in _RATES}
        lines.append(_Line("Mean of the studies", rows, mean=True))
    return lines


def _texts_of(row: dict[str, Any] | None, rate: str, rules: Any) -> tuple[str, str]:
    """Return the counts of a rate and its estimate with limits, in print."""
    if row is None:
        return "", ""
    text = "" if np.isnan(row["estimate"]) else estimate_text(row, rules, with_level=False)
    if "tp" not in row:
        return "", text
    correct = row["tp"] if rate == "tpr" else row["n_neg"] - row["fp"]
    whole = row["n_pos" if rate == "tpr" else "n_neg"]
    return f"{format_count(correct)}/{format_count(whole)}", text


def _draw_panel(ax: Axes, lines: Sequence[_Line], rate: str, largest: float) -> None:
    """Draw boxes, limits and diamonds of a rate."""
    colour = colour_of_series(0)
    ax.set(xlim=(0, 1), ylim=(len(lines) - 0.5, -0.5), yticks=[])
    title = ""
    for y, line in enumerate(lines):
        row = line.rows.get(rate)
        if row is None or np.isnan(row["estimate"]):
            continue
        title = quantity_text(row)
        low, middle, high = (float(row[name]) for name in ("ci_low", "estimate", "ci_high"))
        if line.mean:
            ax.fill(
                [low, middle, high, middle], [y, y - 0.3, y, y + 0.3], color=colour, linewidth=0,
                zorder=4, clip_on=False,
            )  # fmt: skip
            first = next((i for i in range(y - 1, -1, -1) if not lines[i].rows), -1)
            ax.plot([middle, middle], [first + 0.5, y], **{**chance_look(), "color": colour})
            continue
        ax.plot([low, high], [y, y], color=colour, linewidth=0.75 * CURVE, clip_on=False)
        people = float(row["n_pos" if rate == "tpr" else "n_neg"])
        side = max(_LEAST_BOX, _BOX * float(np.sqrt(people / largest)))
        ax.plot(middle, y, "s", markersize=side, color=colour, zorder=4, clip_on=False)
    ax.set_xticks([0.0, 0.5, 1.0], ["0", "0.5", "1"])
    set_look_of_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(title, parse_math=False)


def _write(ax: Axes, x: float, y: float, text: str, size: float, side: Any, weight: str) -> None:
    """Write a text beside a row; ``x`` is in widths of the axes."""
    ax.text(
        x, y, text, transform=ax.get_yaxis_transform(), fontsize=size, ha=side, va="center",
        fontweight=weight, color=inks().text, parse_math=False,
    )  # fmt: skip


def _width_of(ax: Axes, texts: Sequence[str], size: float) -> float:
    """Return the width of the widest text in inches, in bold."""
    found = 0.0
    for text in dict.fromkeys(texts):
        drawn = ax.text(0, 0, text, fontsize=size, fontweight="bold", parse_math=False)
        found = max(found, float(drawn.get_window_extent().width))
        drawn.remove()
    return found / float(ax.figure.dpi)
