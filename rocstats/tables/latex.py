"""Tables of strings as LaTeX: on one page or on several, divided where wider than a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rocstats.tables.widths import Panel, column_widths, lines_of_broken_text, panels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.tables.markup import PrintedTable


# --- Tables ---------------------------------------------------------------------------------------

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
    fit, widths, panels = _latex_fit_and_panels(table)
    grids = [_latex_rows_of_panel(table, panel, widths) for panel in panels]
    notes = len(lines_of_broken_text(table.footnote, fit.room))
    long = notes + sum(sum(grid.lines) for grid in grids) > _MOST_LINES
    body = (
        _latex_table_over_pages(table, grids, fit)
        if long
        else _latex_floating_table(table, grids, fit)
    )
    packages = "booktabs,longtable" if long else "booktabs"
    return "\n".join([f"% \\usepackage{{{packages}}}", *body, ""])


class _LatexFit(NamedTuple):
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
    _LatexFit("", 32.8, 1.2, 14),
    _LatexFit("\\small", 35.6, 0.9, 14),
    _LatexFit("\\footnotesize", 38.9, 0.9, 14),
    # No word of our headings is wider than 6.5 em.
    *(_LatexFit("\\footnotesize", 38.9, 0.5, text_room) for text_room in (14, 11, 9, 7.5, 6.5)),
)


def _latex_fit_and_panels(table: PrintedTable) -> tuple[_LatexFit, list[float], list[Panel]]:
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


class _LatexRows(NamedTuple):
    """The rows of a panel as LaTeX, the head first, and the lines that each takes."""

    columns: str
    rows: list[str]
    lines: list[int]

    @property
    def spread(self) -> str:
        """The columns, with as much space between them as fills a line."""
        return f"@{{\\extracolsep{{\\fill}}}}{self.columns.removeprefix('@{}')}"


def _latex_rows_of_panel(table: PrintedTable, panel: Panel, widths: Sequence[float]) -> _LatexRows:
    flush = ["l" if kind == "text" else "r" for kind in table.kinds]
    rows, lines = [], []
    for i, texts in enumerate((table.heads, *table.rows)):
        # Numbers stay on one line; the last lines of headings are side by side.
        broken = [
            lines_of_broken_text(texts[k], widths[k]) if i == 0 or flush[k] == "l" else [texts[k]]
            for k in panel
        ]
        cells = [
            _latex_cell(cell, "b" if i == 0 else "t", flush[k])
            for cell, k in zip(broken, panel, strict=True)
        ]
        rows.append(" & ".join(cells) + " \\\\")
        lines.append(max(map(len, broken)))
    if max(lines[1:], default=1) > 1:  # space between rows of several lines
        rows = [rows[0], *(f"{row}\\addlinespace[2pt]" for row in rows[1:-1]), *rows[1:][-1:]]
    return _LatexRows(f"@{{}}{''.join(flush[k] for k in panel)}@{{}}", rows, lines)


def _latex_cell(lines: Sequence[str], side: str, flush: str) -> str:
    """Return a cell; of several lines it is a table in the table, which needs no package."""
    text = r" \\ ".join(map(escape_latex, lines))
    if len(lines) == 1:
        return text
    return f"\\begin{{tabular}}[{side}]{{@{{}}{flush}@{{}}}}{text}\\end{{tabular}}"


def _latex_floating_table(
    table: PrintedTable, grids: Sequence[_LatexRows], fit: _LatexFit
) -> list[str]:
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


def _latex_table_over_pages(
    table: PrintedTable, grids: Sequence[_LatexRows], fit: _LatexFit
) -> list[str]:
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


# --- Text -----------------------------------------------------------------------------------------

# Characters with a meaning in LaTeX, and those that its default fonts lack.
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    '"': r"\char34{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "−": "$-$",
    "∞": r"$\infty$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "–": "--",
    # After a row's "\\" these would be read as its optional argument.
    "[": "{[}",
    "*": "{*}",
}


def escape_latex(text: str) -> str:
    r"""Return text escaped for LaTeX, which prints it unchanged.

    Parameters
    ----------
    text : str
        Any text on one line.

    Returns
    -------
    str
        The text with each special character replaced; hyphens in a row stay hyphens.

    Examples
    --------
    >>> from rocstats.tables.latex import escape_latex
    >>> print(escape_latex("50% of s_100 & −1"))
    50\% of s\_100 \& $-$1
    """
    # NUL marks the gap until "{}" may be put in, whose braces would be escaped themselves.
    apart = re.sub("-(?=-)", "-\0", text)
    return "".join(_LATEX.get(character, character) for character in apart).replace("\0", "{}")
