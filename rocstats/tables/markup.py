"""Tables of strings for print, as HTML and as Markdown. Every cell is escaped."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable


# --- Tables of strings ----------------------------------------------------------------------------


class PrintedTable(NamedTuple):
    """A table of text: headings, rows of cells, and the lines above and below."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    footnote: str
    sentences: str = ""
    """What the table says, printed under it in Word."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each column: "text" (flush left), "number" or "interval" (flush right)."""
        return tuple(
            kind_of_table_column([row[i] for row in self.rows]) for i in range(len(self.heads))
        )


def printed_table(
    frame: pd.DataFrame,
    *,
    caption: str | None,
    footnotes: Iterable[str],
    sentences: Iterable[str] = (),
) -> PrintedTable:
    """Return a frame of text as a table, each run of white space made one blank.

    Parameters
    ----------
    frame : pandas.DataFrame
        Cells as text, headings as column names.
    caption : str or None
        Line above the table.
    footnotes : iterable of str
        Sentences under the table.
    sentences : iterable of str, default empty
        What the table says, for Word.

    Returns
    -------
    PrintedTable
        The table, for ``to_html``, ``to_latex`` or ``to_markdown``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.markup import printed_table
    >>> printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[]).kinds
    ('number',)
    """
    cells = (frame[name].astype(str).map(one_line) for name in frame.columns)
    return PrintedTable(
        heads=tuple(one_line(str(name)) for name in frame.columns),
        rows=tuple(zip(*cells, strict=True)),
        caption=one_line(caption or ""),
        footnote=" ".join(one_line(note) for note in footnotes),
        sentences=" ".join(map(one_line, sentences)),
    )


# Empty cells and "NA" fit any kind of column.
_NUMBER = re.compile(r"([≥≤] )?([<>≥]?−?\d*\.?\d+|−?∞)|\d+(/| of )\d+|<?>?\d+(\.\d+)?%|NA|")

_INTERVAL = re.compile(rf"([≥≤] )?([<>]?−?\d+(\.\d+)?%?|−?∞) \(.+\)|{_NUMBER.pattern}")


def kind_of_table_column(cells: Iterable[str]) -> str:
    """Return the kind of a column: "number", "interval" or "text"."""
    cells = list(cells)
    for kind, pattern in (("number", _NUMBER), ("interval", _INTERVAL)):
        if all(pattern.fullmatch(cell) for cell in cells):
            return kind
    return "text"


# XML, which Word and Excel read, has neither control characters nor halves of a surrogate pair.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def one_line(text: str) -> str:
    """Return text on one line, without characters that no file can hold."""
    # A line break in a name would end the row of a Markdown or LaTeX table.
    return _UNPRINTABLE.sub("\ufffd", " ".join(text.split()))


# --- HTML -----------------------------------------------------------------------------------------

TABLE_CSS = """\
table { border-collapse: collapse; border-top: 1.5pt solid #000;
        font-variant-numeric: lining-nums tabular-nums; }
caption { caption-side: top; text-align: left; font-weight: bold; padding-bottom: .4em; }
th, td { padding: .25em .9em; text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: .2em; }
th:last-child, td:last-child { padding-right: .2em; }
th { border-bottom: .75pt solid #000; vertical-align: bottom; text-wrap: balance; }
td.text { overflow-wrap: anywhere; min-width: 6em; }
td.interval, td.number { white-space: nowrap; }
th.interval, th.number, td.interval, td.number { text-align: right; }
tbody tr:last-child td { border-bottom: 1.5pt solid #000; }
tfoot td { font-size: .85em; }
"""
"""Style sheet of a table: thick rules at its ends, a thin one under its head, as in Word."""

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


def to_html(table: PrintedTable) -> str:
    r"""Return a table as an HTML element, to be styled with ``TABLE_CSS``.

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
    >>> from rocstats.tables.markup import to_html
    >>> from rocstats.tables.markup import printed_table
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> "<td class=\"number\">&lt;.001</td>" in to_html(table)
    True
    """
    # `scope` tells screen readers that a heading belongs to its column.
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
    """Return a table as a complete HTML page.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    str
        A page that loads nothing from elsewhere.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.markup import to_html_page
    >>> from rocstats.tables.markup import printed_table
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> to_html_page(table).splitlines()[0]
    '<!DOCTYPE html>'
    """
    title = escape(table.caption or "Table")
    return _PAGE.format(title=title, css=TABLE_CSS, table=to_html(table))


def _html_cells(row: Iterable[str], kinds: Iterable[str]) -> str:
    return "".join(
        f'<td class="{kind}">{escape(cell)}</td>' for cell, kind in zip(row, kinds, strict=True)
    )


# --- Markdown -------------------------------------------------------------------------------------


def to_markdown(table: PrintedTable) -> str:
    r"""Return a table as a Markdown pipe table.

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
    >>> from rocstats.tables.markup import printed_table, to_markdown
    >>> print(to_markdown(printed_table(pd.DataFrame({"A|B": ["1"]}), caption=None, footnotes=[])))
    | A\|B |
    | ---: |
    | 1 |
    <BLANKLINE>
    """
    rules = [":---" if kind == "text" else "---:" for kind in table.kinds]
    rows = [table.heads, *table.rows]
    head, *body = [[escape_markdown(cell) for cell in row] for row in rows]
    text = "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *body))
    above = f"**{escape_markdown(table.caption)}**\n\n" if table.caption else ""
    below = f"\n{escape_markdown(table.footnote)}\n" if table.footnote else ""
    return f"{above}{text}\n{below}"


# "<" opens a tag only before a letter, "&" an entity only before its name: "<0.01" stays readable.
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]|<(?=[A-Za-z/!?])|&(?=[#\w]+;)")


def escape_markdown(text: str) -> str:
    r"""Return text escaped for Markdown, which prints it unchanged.

    Parameters
    ----------
    text : str
        Any text on one line.

    Returns
    -------
    str
        The text with a backslash before every character that would be markup.

    Examples
    --------
    >>> from rocstats.tables.markup import escape_markdown
    >>> print(escape_markdown("a|b_c <b> <0.01"))
    a\|b\_c \<b> <0.01
    """
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), text)
