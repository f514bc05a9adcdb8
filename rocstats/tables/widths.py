"""Widths of printed tables in em: of text, of lines, of columns, of panels that fit a page.

LaTeX and Word break and divide a table by the same widths.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocstats.tables.cells import COMPARISON, LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.tables.markup import PrintedTable


# --- Wide tables, divided into panels -------------------------------------------------------------

Panel = list[int]
"""Places of the columns of a panel."""


def panels_of(table: PrintedTable, widths: Sequence[float], room: float, gap: float) -> list[Panel]:
    """Return the columns of each panel: all in one if they fit, else what names a row in each.

    Parameters
    ----------
    table : PrintedTable
        The table.
    widths : sequence of float
        Widths of its columns.
    room : float
        Width of the page, in the same unit.
    gap : float
        Space between two columns.

    Returns
    -------
    list of list of int
        Places of the columns. Panels are as few as can be, and then as equally wide as can be. A
        column that alone is too wide has a panel of its own.

    Examples
    --------
    >>> from rocstats.tables.widths import panels_of
    >>> from rocstats.tables.markup import PrintedTable
    >>> table = PrintedTable(("Predictor", "A", "B", "C"), (("a", "1", "2", "3"),), "", "")
    >>> panels_of(table, [4, 4, 4, 4], 14, 0)
    [[0, 1, 2], [0, 3]]
    """
    n_stub = _n_row_naming_columns(table)
    free = room - sum(widths[:n_stub]) - n_stub * gap
    blocks = _column_blocks(table, n_stub)
    # An estimate and its P value are side by side wherever a line can hold them.
    sizes = [sum(widths[k] + gap for k in block) - gap for block in blocks]
    if max(sizes) > free:
        blocks = [[k] for k in range(n_stub, len(widths))]
        sizes = [widths[k] for (k,) in blocks]
    fewest = len(_blocks_in_panels_of_table(sizes, free, gap))
    # Blocks side by side have the only widths that a panel can have.
    spans = [sum(sizes[i:j]) + (j - i - 1) * gap for j in range(len(sizes) + 1) for i in range(j)]
    narrow = next(
        span
        for span in sorted(spans)
        if len(_blocks_in_panels_of_table(sizes, span, gap)) <= fewest
    )
    panels = _blocks_in_panels_of_table(sizes, min(narrow, free), gap)
    return [[*range(n_stub), *(k for i in panel for k in blocks[i])] for panel in panels]


def _n_row_naming_columns(table: PrintedTable) -> int:
    """Return how many columns at the left say what a row is about."""
    places = {*LABELS.values(), COMPARISON, "Prevalence"}
    names = [
        kind == "text" or head in places
        for kind, head in zip(table.kinds, table.heads, strict=True)
    ]
    n_stub = names.index(False) if False in names else 1
    # A table of texts alone repeats its first column.
    return min(n_stub, len(names) - 1)


def _column_blocks(table: PrintedTable, n_stub: int) -> list[Panel]:
    """Return columns in blocks: an interval begins one, and what follows belongs to it."""
    blocks: list[Panel] = []
    for k in range(n_stub, len(table.heads)):
        if not blocks or table.kinds[k] == "interval":
            blocks.append([])
        blocks[-1].append(k)
    return blocks


def _blocks_in_panels_of_table(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Return blocks in panels, each panel filled as far as it goes."""
    panels: list[list[int]] = []
    used = 0.0
    for k, width in enumerate(widths):
        if not panels or used + gap + width > room + 1e-9:  # rounding of sums
            panels.append([k])
            used = width
        else:
            panels[-1].append(k)
            used += gap + width
    return panels


def column_widths(
    table: PrintedTable, text_room: float, *, cells: float = 1, heads: float = 1
) -> list[float]:
    """Return the width that each column needs in em: names are broken, numbers are not.

    Parameters
    ----------
    table : PrintedTable
        The table; its headings are broken at blanks.
    text_room : float
        The widest that a name may be before it is broken, in em.
    cells, heads : float, default 1
        How much wider the letters of cells and of headings are than those of Computer Modern.

    Returns
    -------
    list of float
        One width a column.

    Examples
    --------
    >>> from rocstats.tables.widths import column_widths
    >>> from rocstats.tables.markup import PrintedTable
    >>> table = PrintedTable(("Predictor", "P value"), (("a", "<.001"),), "", "")
    >>> [round(width, 1) for width in column_widths(table, 14)]
    [4.1, 3.4]
    """
    widths = []
    for kind, head, *texts in zip(table.kinds, table.heads, *table.rows, strict=True):
        longest = cells * max(map(width_of, texts), default=0)
        word = heads * max(map(width_of, text_with_no_break_blanks(head).split(" ")))
        number = longest if kind != "text" else 0
        widths.append(max(min(max(longest, word), text_room), number))
    return widths


# --- Width of text, and its lines -----------------------------------------------------------------

# Widths in em of Computer Modern Roman, the letters of LaTeX, from the metrics of cmr10, cmmi10 and
# cmsy10, rounded up.
_LETTERS = {
    0.28: "!',.:;[]`il|",
    0.31: "f",
    0.34: " \u00a0j-",
    0.37: "I_",
    0.40: "()rst",
    0.45: "cez",
    0.50: '$*/0123456789^ago{}~"?\\',
    0.53: "Jvkqxy",
    0.56: "Sbdhnpu",
    0.63: "LZ",
    0.66: "F",
    0.69: "EP",
    0.73: "BCTw",
    0.75: "AHNUVXYR",
    0.78: "DGKOQ&+=@<>−≥≤",
    0.84: "#%m",
    1.03: "MW∞",
}

_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}

# Letters of other alphabets: few are wider than they are high.
_OTHER = 1.0

# Blanks where no line ends: neither half of "(95% CI)", "P value" and "≥ 0.20" says anything.
_TIES = re.compile(r" (?=CI\))|(?<=\bP) (?=value\b)|(?<=[≥≤]) (?=[\d−])")


def width_of(text: str) -> float:
    """Return the width of text on one line, in em of Computer Modern Roman."""
    return sum(_WIDTHS.get(letter, _OTHER) for letter in text)


def text_with_no_break_blanks(text: str) -> str:
    """Return text whose "95% CI", "P value" and "≥ 0.20" are not broken: U+00A0 is their blank."""
    return _TIES.sub("\u00a0", text)


def lines_of_broken_text(text: str, room: float) -> list[str]:
    """Return text as lines of at most so many em; a word that is wider is cut.

    Parameters
    ----------
    text : str
        Any text on one line.
    room : float
        The widest that a line may be, in em; at least 1.1, so that each letter fits.

    Returns
    -------
    list of str
        One line or more.

    Examples
    --------
    >>> from rocstats.tables.widths import lines_of_broken_text
    >>> lines_of_broken_text("Difference in AUC (95% CI)", 9)
    ['Difference in AUC', '(95% CI)']
    """
    lines = [""]
    for word in text_with_no_break_blanks(text).split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(joined) <= room:
            lines[-1] = joined
            continue
        cut = _broken_word(word, room)
        lines = [*lines, *cut] if lines[-1] else cut
    return [line.replace("\u00a0", " ") for line in lines]


def _broken_word(word: str, room: float) -> list[str]:
    """Return a word as lines, letter by letter if it is too wide."""
    lines = [""]
    for letter in word:
        if width_of(lines[-1] + letter) > room and lines[-1]:
            lines.append("")
        lines[-1] += letter
    return lines
