"""Tables of strings as LaTeX, and how any printed table is fitted to a page.

A table is on one page or on several, and is divided where it is wider than a line. How wide text
is in print, how it is broken into lines, and how a wide table is divided are the same for Word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rocstats.tables.cells import COMPARISON, LABELS
from rocstats.tables.markup import escape_latex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.tables.markup import PrintedTable


# --- LaTeX ----------------------------------------------------------------------------------------

# A page of `article` at 12 points has 36 lines. LaTeX would let a longer table run off it.
_MOST_LINES = 36


def to_latex(table: PrintedTable) -> str:
    r"""Return a table as LaTeX with booktabs rules, as wide as a line of ``article`` at most.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        LaTeX source; its first line names the packages that the document needs. Names not in
        Latin letters need a Unicode engine.

    Notes
    -----
    Headings and long names are broken into lines, then letters are smaller. A table that is still
    too wide is divided into panels one below the other, each with the columns that name a row.
    More lines than a page holds are a ``longtable``, which repeats its head on each page.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.latex import to_latex
    >>> from rocstats.tables.markup import printed_table
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> print(to_latex(table))
    % \usepackage{booktabs}
    \begin{table}
    \centering
    \begin{tabular}{@{}r@{}}
    \toprule
    P value \\
    \midrule
    $<$.001 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    fit, widths, panels = _fitted(table)
    grids = [_grid(table, panel, widths) for panel in panels]
    notes = len(lines_of(table.footnote, fit.room))
    long = notes + sum(sum(grid.lines) for grid in grids) > _MOST_LINES
    body = _pages(table, grids, fit) if long else _float(table, grids, fit)
    packages = "booktabs,longtable" if long else "booktabs"
    return "\n".join([f"% \\usepackage{{{packages}}}", *body, ""])


class _Fit(NamedTuple):
    """A size of letters, the em of a line, and how a table is set in it."""

    size: str
    room: float
    gap: float
    """Em between two columns."""
    text_room: float
    """Em of a name before it is broken."""

    @property
    def commands(self) -> list[str]:
        return [self.size, f"\\setlength{{\\tabcolsep}}{{{self.gap / 2:g}em}}"] if self.size else []


# The em of a line are the fewest of the class `article` at 10, 11 and 12 points: 345, 360 and 390
# points of a line, by the digits of cmr8 to cmr12. Smaller letters than \footnotesize, and tables
# scaled to the line, are refused by journals; a table on its side needs another package.
_FITS = (
    _Fit("", 32.8, 1.2, 14),
    _Fit("\\small", 35.6, 0.9, 14),
    _Fit("\\footnotesize", 38.9, 0.9, 14),
    # No word of our headings is wider than 6.5 em.
    *(_Fit("\\footnotesize", 38.9, 0.5, text_room) for text_room in (14, 11, 9, 7.5, 6.5)),
)


def _fitted(table: PrintedTable) -> tuple[_Fit, list[float], list[Panel]]:
    """Return how a table is set, the widths of its columns, and their places in its panels."""
    found = []
    for fit in _FITS:
        widths = column_widths(table, fit.text_room)
        panels = panels_of(table, widths, fit.room, fit.gap)
        if len(panels) == 1:
            return fit, widths, panels
        found.append((fit, widths, panels))
    smallest = [each for each in found if each[0].size == _FITS[-1].size]
    return min(smallest, key=lambda each: len(each[2]))


class _Grid(NamedTuple):
    """The rows of a panel as LaTeX, the head first, and the lines that each takes."""

    columns: str
    rows: list[str]
    lines: list[int]

    @property
    def spread(self) -> str:
        """The columns, with as much space between them as fills a line."""
        return f"@{{\\extracolsep{{\\fill}}}}{self.columns.removeprefix('@{}')}"


def _grid(table: PrintedTable, panel: Panel, widths: Sequence[float]) -> _Grid:
    flush = ["l" if kind == "text" else "r" for kind in table.kinds]
    rows, lines = [], []
    for i, texts in enumerate((table.heads, *table.rows)):
        # Numbers stay on one line; the last lines of headings are side by side.
        broken = [
            lines_of(texts[k], widths[k]) if i == 0 or flush[k] == "l" else [texts[k]]
            for k in panel
        ]
        cells = [
            _cell(cell, "b" if i == 0 else "t", flush[k])
            for cell, k in zip(broken, panel, strict=True)
        ]
        rows.append(" & ".join(cells) + " \\\\")
        lines.append(max(map(len, broken)))
    if max(lines[1:], default=1) > 1:  # space between rows of several lines
        rows = [rows[0], *(f"{row}\\addlinespace[2pt]" for row in rows[1:-1]), *rows[1:][-1:]]
    return _Grid(f"@{{}}{''.join(flush[k] for k in panel)}@{{}}", rows, lines)


def _cell(lines: Sequence[str], side: str, flush: str) -> str:
    """Return a cell; of several lines it is a table in the table, which needs no package."""
    text = r" \\ ".join(map(escape_latex, lines))
    if len(lines) == 1:
        return text
    return f"\\begin{{tabular}}[{side}]{{@{{}}{flush}@{{}}}}{text}\\end{{tabular}}"


def _float(table: PrintedTable, grids: Sequence[_Grid], fit: _Fit) -> list[str]:
    """Return a table that floats, on one page."""
    lines = ["\\begin{table}", "\\centering", *_caption(table), *fit.commands]
    for k, grid in enumerate(grids):
        begin, end = f"{{tabular}}{{{grid.columns}}}", "{tabular}"
        if len(grids) > 1:  # panels are equally wide
            begin, end = f"{{tabular*}}{{\\linewidth}}{{{grid.spread}}}", "{tabular*}"
        head, *rows = grid.rows
        lines += ["\\par\\medskip"] if k else []
        lines += [f"\\begin{begin}", "\\toprule", head, "\\midrule"]
        lines += [*rows, "\\bottomrule", f"\\end{end}"]
    return [*lines, *_footnote(table), "\\end{table}"]


def _pages(table: PrintedTable, grids: Sequence[_Grid], fit: _Fit) -> list[str]:
    """Return a table that goes over several pages; a row of several lines is not divided."""
    lines = ["\\begingroup", *fit.commands]
    if len(grids) > 1:
        lines.append("\\setlength{\\LTleft}{0pt}\\setlength{\\LTright}{0pt}")
    for k, grid in enumerate(grids):
        head, *rows = grid.rows
        lines.append(f"\\begin{{longtable}}{{{grid.spread if len(grids) > 1 else grid.columns}}}")
        lines += [f"{line}\\\\" for line in _caption(table) if k == 0]
        lines += ["\\toprule", head, "\\midrule", "\\endhead", "\\bottomrule", "\\endfoot"]
        lines += [*rows, "\\end{longtable}"]
    return [*lines, *_footnote(table), "\\endgroup"]


def _caption(table: PrintedTable) -> list[str]:
    return [f"\\caption{{{escape_latex(table.caption)}}}"] if table.caption else []


def _footnote(table: PrintedTable) -> list[str]:
    if not table.footnote:
        return []
    # Ragged, because a long name may not be broken to fill a line.
    note = f"{{\\footnotesize\\raggedright {escape_latex(table.footnote)}\\par}}"
    return ["\\par\\smallskip", note]


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
    >>> from rocstats.tables.latex import panels_of
    >>> from rocstats.tables.markup import PrintedTable
    >>> table = PrintedTable(("Predictor", "A", "B", "C"), (("a", "1", "2", "3"),), "", "")
    >>> panels_of(table, [4, 4, 4, 4], 14, 0)
    [[0, 1, 2], [0, 3]]
    """
    n_stub = _n_stub(table)
    free = room - sum(widths[:n_stub]) - n_stub * gap
    blocks = _blocks(table, n_stub)
    # An estimate and its P value are side by side wherever a line can hold them.
    sizes = [sum(widths[k] + gap for k in block) - gap for block in blocks]
    if max(sizes) > free:
        blocks = [[k] for k in range(n_stub, len(widths))]
        sizes = [widths[k] for (k,) in blocks]
    fewest = len(_filled(sizes, free, gap))
    # Blocks side by side have the only widths that a panel can have.
    spans = [sum(sizes[i:j]) + (j - i - 1) * gap for j in range(len(sizes) + 1) for i in range(j)]
    narrow = next(span for span in sorted(spans) if len(_filled(sizes, span, gap)) <= fewest)
    panels = _filled(sizes, min(narrow, free), gap)
    return [[*range(n_stub), *(k for i in panel for k in blocks[i])] for panel in panels]


def _n_stub(table: PrintedTable) -> int:
    """Return how many columns at the left say what a row is about."""
    places = {*LABELS.values(), COMPARISON, "Prevalence"}
    names = [
        kind == "text" or head in places
        for kind, head in zip(table.kinds, table.heads, strict=True)
    ]
    n_stub = names.index(False) if False in names else 1
    # A table of texts alone repeats its first column.
    return min(n_stub, len(names) - 1)


def _blocks(table: PrintedTable, n_stub: int) -> list[Panel]:
    """Return columns in blocks: an interval begins one, and what follows belongs to it."""
    blocks: list[Panel] = []
    for k in range(n_stub, len(table.heads)):
        if not blocks or table.kinds[k] == "interval":
            blocks.append([])
        blocks[-1].append(k)
    return blocks


def _filled(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
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
    >>> from rocstats.tables.latex import column_widths
    >>> from rocstats.tables.markup import PrintedTable
    >>> table = PrintedTable(("Predictor", "P value"), (("a", "<.001"),), "", "")
    >>> [round(width, 1) for width in column_widths(table, 14)]
    [4.1, 3.4]
    """
    widths = []
    for kind, head, *texts in zip(table.kinds, table.heads, *table.rows, strict=True):
        longest = cells * max(map(width_of, texts), default=0)
        word = heads * max(map(width_of, tied(head).split(" ")))
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


def tied(text: str) -> str:
    """Return text whose "95% CI", "P value" and "≥ 0.20" are not broken: U+00A0 is their blank."""
    return _TIES.sub("\u00a0", text)


def lines_of(text: str, room: float) -> list[str]:
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
    >>> from rocstats.tables.latex import lines_of
    >>> lines_of("Difference in AUC (95% CI)", 9)
    ['Difference in AUC', '(95% CI)']
    """
    lines = [""]
    for word in tied(text).split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(joined) <= room:
            lines[-1] = joined
            continue
        cut = _cut(word, room)
        lines = [*lines, *cut] if lines[-1] else cut
    return [line.replace("\u00a0", " ") for line in lines]


def _cut(word: str, room: float) -> list[str]:
    """Return a word as lines, letter by letter if it is too wide."""
    lines = [""]
    for letter in word:
        if width_of(lines[-1] + letter) > room and lines[-1]:
            lines.append("")
        lines[-1] += letter
    return lines
