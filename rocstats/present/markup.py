"""Tables of strings as HTML, LaTeX and Markdown, every cell escaped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

TABLE_CSS = """\
table { border-collapse: collapse; border-top: 1.5px solid #000; border-bottom: 1.5px solid #000;
        font-variant-numeric: lining-nums tabular-nums; }
caption { caption-side: top; text-align: left; font-weight: bold; padding-bottom: .4em; }
th, td { padding: .25em .9em; text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: .2em; }
th:last-child, td:last-child { padding-right: .2em; }
th { border-bottom: .75px solid #000; vertical-align: bottom; }
td.text { overflow-wrap: anywhere; min-width: 6em; }
td.interval, td.number { white-space: nowrap; }
th.number, td.number { text-align: right; }
tfoot td { border-top: .75px solid #000; font-size: .85em; }
"""
"""Thin rules at the top, under the head and at the bottom, as in a journal."""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: Georgia, "Times New Roman", Times, serif; margin: 2em; }}
{css}</style>
</head>
<body>
{table}
</body>
</html>
"""

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
    "–": "--",
    # After a row's "\\" these would be read as its optional argument.
    "[": "{[}",
    "*": "{*}",
}
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]|<(?=[A-Za-z/!?])|&(?=[#\w]+;)")
_NUMBER = re.compile(r"[<>]?−?\d*\.?\d+|−?∞|NA|")
_INTERVAL = re.compile(r"[<>]?−?\d+(\.\d+)? \(.+\)|NA|")


@dataclass(frozen=True)
class PrintedTable:
    """A table as it is printed: heads, rows of cells, and the lines above and below."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    footnote: str

    @property
    def kinds(self) -> tuple[str, ...]:
        """What each column holds: "number" (flush right), "interval" (on one line) or "text"."""
        return tuple(_kind([row[i] for row in self.rows]) for i in range(len(self.heads)))


def printed_table(
    frame: pd.DataFrame, *, caption: str | None, footnotes: Iterable[str]
) -> PrintedTable:
    """Return the table of a frame of strings, runs of white space made one blank.

    Parameters
    ----------
    frame : pandas.DataFrame
        Cells in print, headings as column names.
    caption : str or None
        Line above the table.
    footnotes : iterable of str
        Sentences under the table.

    Returns
    -------
    PrintedTable
        What ``to_html``, ``to_latex`` and ``to_markdown`` take.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.markup import printed_table
    >>> printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[]).kinds
    ('number',)
    """
    cells = (frame[name].astype(str).map(_one_line) for name in frame.columns)
    return PrintedTable(
        heads=tuple(_one_line(str(name)) for name in frame.columns),
        rows=tuple(zip(*cells, strict=True)),
        caption=_one_line(caption or ""),
        footnote=" ".join(_one_line(note) for note in footnotes),
    )


def to_html(table: PrintedTable) -> str:
    r"""Return the table as an HTML element, to be styled with ``TABLE_CSS``.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        ``<table>...</table>``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.markup import printed_table, to_html
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> "<td class=\"number\">&lt;.001</td>" in to_html(table)
    True
    """
    kinds = table.kinds
    heads = "".join(
        f'<th scope="col" class="{kind}">{escape(head)}</th>'
        for head, kind in zip(table.heads, kinds, strict=True)
    )
    body = "\n".join(f"<tr>{_html_cells(row, kinds)}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>\n" if table.caption else ""
    foot = f'<tr><td colspan="{len(kinds)}">{escape(table.footnote)}</td></tr>'
    foot = f"\n<tfoot>\n{foot}\n</tfoot>" if table.footnote else ""
    return (
        f"<table>\n{caption}<thead>\n<tr>{heads}</tr>\n</thead>"
        f"\n<tbody>\n{body}\n</tbody>{foot}\n</table>"
    )


def to_html_page(table: PrintedTable) -> str:
    """Return a whole HTML page that holds the table.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        A page that needs nothing from elsewhere.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.markup import printed_table, to_html_page
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> to_html_page(table).splitlines()[0]
    '<!DOCTYPE html>'
    """
    title = escape(table.caption or "Table")
    return _PAGE.format(title=title, css=TABLE_CSS, table=to_html(table))


def to_latex(table: PrintedTable) -> str:
    r"""Return the table as a LaTeX table environment with booktabs rules.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        LaTeX source; the document needs the package booktabs, and a Unicode engine if names are
        not Latin.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.markup import printed_table, to_latex
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> print(to_latex(table))
    % \usepackage{booktabs}
    \begin{table}
    \centering
    \begin{tabular}{r}
    \toprule
    P value \\
    \midrule
    $<$.001 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    columns = "".join("r" if kind == "number" else "l" for kind in table.kinds)
    lines = ["% \\usepackage{booktabs}", "\\begin{table}", "\\centering"]
    if table.caption:
        lines.append(f"\\caption{{{escape_latex(table.caption)}}}")
    lines += [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", _latex_row(table.heads), "\\midrule"]
    lines += [_latex_row(row) for row in table.rows]
    lines += ["\\bottomrule", "\\end{tabular}"]
    if table.footnote:
        lines += ["\\par\\smallskip", f"{{\\footnotesize {escape_latex(table.footnote)}\\par}}"]
    return "\n".join([*lines, "\\end{table}", ""])


def to_markdown(table: PrintedTable) -> str:
    r"""Return the table as a Markdown pipe table.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        Markdown as GitHub and Pandoc read it.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.markup import printed_table, to_markdown
    >>> print(to_markdown(printed_table(pd.DataFrame({"A|B": ["1"]}), caption=None, footnotes=[])))
    | A\|B |
    | ---: |
    | 1 |
    <BLANKLINE>
    """
    rules = ["---:" if kind == "number" else ":---" for kind in table.kinds]
    rows = [table.heads, *table.rows]
    head, *body = [[escape_markdown(cell) for cell in row] for row in rows]
    text = "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *body))
    above = f"**{escape_markdown(table.caption)}**\n\n" if table.caption else ""
    below = f"\n{escape_markdown(table.footnote)}\n" if table.footnote else ""
    return f"{above}{text}\n{below}"


def escape_latex(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    Parameters
    ----------
    text : str
        Any text on one line.

    Returns
    -------
    str
        With every special character replaced, and no two hyphens that would become a dash.

    Examples
    --------
    >>> from rocstats.present.markup import escape_latex
    >>> print(escape_latex("50% of s_100 & −1"))
    50\% of s\_100 \& $-$1
    """
    apart = re.sub("-(?=-)", "-\0", text)
    return "".join(_LATEX.get(character, character) for character in apart).replace("\0", "{}")


def escape_markdown(text: str) -> str:
    r"""Return text that Markdown prints as it is.

    Parameters
    ----------
    text : str
        Any text on one line.

    Returns
    -------
    str
        With a backslash before every character that would be markup.

    Examples
    --------
    >>> from rocstats.present.markup import escape_markdown
    >>> print(escape_markdown("a|b_c <b> <0.01"))
    a\|b\_c \<b> <0.01
    """
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), text)


def _kind(cells: Iterable[str]) -> str:
    cells = list(cells)
    for kind, pattern in (("number", _NUMBER), ("interval", _INTERVAL)):
        if all(pattern.fullmatch(cell) for cell in cells):
            return kind
    return "text"


def _html_cells(row: Iterable[str], kinds: Iterable[str]) -> str:
    return "".join(
        f'<td class="{kind}">{escape(cell)}</td>' for cell, kind in zip(row, kinds, strict=True)
    )


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(escape_latex(cell) for cell in cells) + " \\\\"


def _one_line(text: str) -> str:
    return " ".join(text.split())
