"""Draw the cheat sheet from the text of its page: python docs/images/cheat_sheet.py.

The tables of docs/cheat-sheet.md are set in two columns on A4, and in one as wide as a phone. The
four pictures show the study that the page describes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import rocstats as rs
from rocstats.plots.axes import (
    BAND,
    CURVE,
    LABEL,
    NOTE,
    PALETTE,
    SECOND_TEXT,
    TEXT,
    TICK,
    look_of_series_line,
    set_look_of_axes,
    set_square_ticks,
)

HERE = Path(__file__).parent
PAGE = HERE.parent / "cheat-sheet.md"

TABLE = re.compile(r"^## (.*)\n\n(?:`+\{container\} calls\n)?((?:\|.*\n)+)", re.MULTILINE)
NAMES = re.compile(
    r"^## The names in the calls\n+```\{code-cell\} ipython3\n(.*?)^```$", re.M | re.S
)

# Millimetres: a column of text, margins, and the heights of lines and pictures.
COLUMN, BETWEEN, MARGIN = 90.0, 10.0, 10.0
HEADING, LINE, APART, ASIDE = 7.6, 3.3, 1.5, 1.2
TITLE, PICTURE = 13.0, 45.0
A4 = (210.0, 297.0)
SECOND_COLUMN = "Two models, same test set"
MM = 1 / 25.4
# A character of DejaVu Sans Mono is 0.602 of its size wide.
CHARACTERS = int(COLUMN * MM * 72 / (0.602 * LABEL))


class Line(NamedTuple):
    """A line of the sheet, with the room above it."""

    text: str
    above: float
    look: dict[str, Any]


BOLD = {"fontweight": "bold", "color": TEXT}
HEAD = {"fontsize": 10, **BOLD}
ASKED = {"fontsize": LABEL, "color": SECOND_TEXT}
CALL = {"fontsize": LABEL, "color": PALETTE[0], "family": "DejaVu Sans Mono"}


# --- Text -----------------------------------------------------------------------------------------


def sections(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Return the title of each table of the page with its rows."""
    for title, table in TABLE.findall(text):
        cells = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
        yield title, [(first, second) for first, second in cells]


def lines_of(title: str, rows: Sequence[tuple[str, str]]) -> list[Line]:
    """Return a table as lines: calls in the letters of code, broken after a comma."""
    found = [Line(title, HEADING, HEAD)]
    for asked, answer in rows:
        code = answer.startswith("`")
        found.append(Line(asked.replace("`", ""), LINE + APART, ASKED if code else CALL))
        look = CALL if code else ASKED
        width = CHARACTERS if code else 62
        found += [Line(part, LINE + 0.2, look) for part in broken(answer.replace("`", ""), width)]
    return found


def broken(text: str, width: int) -> list[str]:
    """Return a text in lines of at most ``width`` characters, broken at blanks and brackets."""
    lines, rest = [], text
    while len(rest) > width:
        at = max(rest.rfind(" ", 0, width), rest.rfind("(", 0, width) + 1)
        lines.append(rest[:at].rstrip())
        rest = "    " + rest[at:].lstrip()
    return [*lines, rest]


# --- Pictures -------------------------------------------------------------------------------------


def study_of_the_page(text: str) -> dict[str, Any]:
    """Return the names that the page defines."""
    names: dict[str, Any] = {}
    exec(NAMES.search(text)[1], names)
    names["study"] = rs.Study(names["y"], {"new": names["new"], "old": names["old"]})
    return names


def draw_curves(ax: Any, names: dict[str, Any]) -> None:
    """Draw the curves of both models."""
    curve = names["study"].roc_curve()
    for place, name in enumerate(["new", "old"]):
        one = curve[curve["predictor"] == name]
        ax.plot(one["fpr"], one["tpr"], drawstyle="steps-post", **look_of_series_line(place))
        ax.plot([0.5, 0.66], [0.32 - 0.16 * place] * 2, **look_of_series_line(place))
        ax.text(0.7, 0.28 - 0.16 * place, name, fontsize=TICK, color=PALETTE[place])
    ax.plot([0, 1], [0, 1], ":", color="0.5", linewidth=0.8)
    set_square_ticks(ax)
    ax.set(xlabel="False positive rate", ylabel="Recall")


def draw_rows(ax: Any, rows: Sequence[tuple[str, Any]], line: float | None = None) -> None:
    """Draw estimates with their limits below one another, each under its name."""
    for place, (name, row) in enumerate(rows):
        ax.plot([row["ci_low"], row["ci_high"]], [-place] * 2, color=PALETTE[0], linewidth=CURVE)
        ax.plot(row["estimate"], -place, "s", color=PALETTE[0], markersize=5)
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        where = ax.get_yaxis_transform()
        ax.text(0, 0.28 - place, name, fontsize=NOTE, color=TEXT, transform=where, bbox=ground)
    if line is not None:
        ax.axvline(line, color="0.5", linestyle=":", linewidth=0.8)
    ax.set(yticks=[], ylim=(-len(rows) + 0.55, 0.75))
    set_look_of_axes(ax)
    ax.spines["left"].set_visible(False)


def draw_differences(ax: Any, names: dict[str, Any]) -> None:
    """Draw differences of new and old in four metrics."""
    study = names["study"]
    points = study.compare_operating_points(threshold=0.5, quantities=["accuracy", "f1"])
    rows = [
        ("AUC", study.compare_auc().iloc[0]),
        ("Average precision", study.compare_average_precision().iloc[0]),
        ("Accuracy", points.iloc[0]),
        ("F1", points.iloc[1]),
    ]
    draw_rows(ax, rows, line=0.0)
    ax.set_xlabel("New minus old")


def draw_calibration(ax: Any, names: dict[str, Any]) -> None:
    """Draw the calibration curve of the new model with its band."""
    new = rs.Study(names["y"], names["new"])
    curve, band = new.calibration_curve(), new.calibration_band()
    ax.plot([0, 1], [0, 1], ":", color="0.5", linewidth=0.8)
    ax.fill_between(
        band["risk"], band["ci_low"], band["ci_high"], alpha=BAND, color=PALETTE[0], linewidth=0
    )
    ax.plot(curve["risk"], curve["estimate"], **look_of_series_line(0))
    set_square_ticks(ax)
    ax.set(xlabel="Probability", ylabel="Share of positives")


def draw_slices(ax: Any, names: dict[str, Any]) -> None:
    """Draw the area of the new model in all cases and by slice."""
    found = rs.Study(names["y"], names["new"]).subgroups({"region": names["region"]})
    found = found[found["estimate"].notna()]
    draw_rows(
        ax, [(row["level"], row) for _, row in found.iterrows()], line=found["estimate"].iloc[0]
    )
    ax.set_xlabel("AUC")


PICTURES: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    "Curves": draw_curves,
    "Two models": draw_differences,
    "Probabilities": draw_calibration,
    "Slices": draw_slices,
}


# --- The sheet ------------------------------------------------------------------------------------


def height_of(block: Sequence[Line]) -> float:
    """Return the height of a table in millimetres."""
    return sum(line.above for line in block) + ASIDE


def draw_sheet(text: str, columns: int) -> Any:
    """Return the figure of the sheet: A4 with two columns, or one column as high as it must be."""
    blocks = [lines_of(title, rows) for title, rows in sections(text)]
    in_a_row = 2 * columns
    top = MARGIN + TITLE + PICTURE * (len(PICTURES) // in_a_row)
    width, height = A4
    if columns == 1:
        width, height = COLUMN + MARGIN, top + sum(map(height_of, blocks)) + MARGIN
    left = (width - columns * COLUMN - (columns - 1) * BETWEEN) / 2
    figure = plt.figure(figsize=(width * MM, height * MM))

    def write(x: float, y: float, words: str, **look: Any) -> None:
        figure.text(x / width, 1 - y / height, words, va="baseline", parse_math=False, **look)

    write(left, MARGIN + 4, "rocstats for model evaluation", fontsize=14, **BOLD)
    write(left, MARGIN + 9, "Metrics with 95% intervals, and paired comparisons", **ASKED)
    names = study_of_the_page(text)
    wide = (width - 2 * left) / in_a_row
    for place, (title, draw) in enumerate(PICTURES.items()):
        x = left + wide * (place % in_a_row)
        y = MARGIN + TITLE + PICTURE * (place // in_a_row)
        write(x, y + 3, title, fontsize=LABEL, **BOLD)
        inner = (x + 9, height - y - PICTURE + 10, wide - 13, PICTURE - 15)
        ax = figure.add_axes(tuple(np.divide(inner, (width, height, width, height))))
        draw(ax, names)
    x, y = left, top
    for block in blocks:
        if columns == 2 and block[0].text == SECOND_COLUMN:
            x, y = left + COLUMN + BETWEEN, top
        for line in block:
            y += line.above
            write(x, y, line.text, **line.look)
        y += ASIDE
        if y > height - MARGIN / 2:
            raise ValueError(f"{block[0].text!r} ends {y:.0f} mm down a sheet of {height:.0f}")
    return figure


def main() -> None:
    """Draw both sheets, and A4 as a PDF to print."""
    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "rocstats", "pdf.fonttype": 42})
    text = PAGE.read_text(encoding="utf-8")
    sheet = draw_sheet(text, columns=2)
    sheet.savefig(HERE / "cheat-sheet.svg", metadata={"Date": None})
    sheet.savefig(HERE / "cheat-sheet.pdf", metadata={"CreationDate": None})
    draw_sheet(text, columns=1).savefig(HERE / "cheat-sheet-phone.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
