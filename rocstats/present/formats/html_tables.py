"""Tables of strings as HTML, every cell escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocstats.present.formats.markup import PrintedTable

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
    >>> from rocstats.present.formats.html_tables import to_html
    >>> from rocstats.present.formats.markup import printed_table
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
    >>> from rocstats.present.formats.html_tables import to_html_page
    >>> from rocstats.present.formats.markup import printed_table
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
