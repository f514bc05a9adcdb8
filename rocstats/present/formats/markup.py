"""Tables of strings for print, as Markdown, and text escaped for LaTeX and Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

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
# "<" opens a tag only before a letter, "&" an entity only before its name: "<0.01" stays readable.
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]|<(?=[A-Za-z/!?])|&(?=[#\w]+;)")
# Empty cells and "NA" fit any kind of column.
_NUMBER = re.compile(r"([≥≤] )?([<>≥]?−?\d*\.?\d+|−?∞)|\d+(/| of )\d+|NA|")
_INTERVAL = re.compile(rf"([≥≤] )?([<>]?−?\d+(\.\d+)?|−?∞) \(.+\)|{_NUMBER.pattern}")

# XML, which Word and Excel read, has neither control characters nor halves of a surrogate pair.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class PrintedTable(NamedTuple):
    """A table of text: headings, rows of cells, and the lines above and below."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    footnote: str

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each column: "text" (flush left), "number" or "interval" (flush right)."""
        return tuple(kind_of([row[i] for row in self.rows]) for i in range(len(self.heads)))


def printed_table(
    frame: pd.DataFrame, *, caption: str | None, footnotes: Iterable[str]
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

    Returns
    -------
    PrintedTable
        The table, for ``to_html``, ``to_latex`` or ``to_markdown``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.formats.markup import printed_table
    >>> printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[]).kinds
    ('number',)
    """
    cells = (frame[name].astype(str).map(one_line) for name in frame.columns)
    return PrintedTable(
        heads=tuple(one_line(str(name)) for name in frame.columns),
        rows=tuple(zip(*cells, strict=True)),
        caption=one_line(caption or ""),
        footnote=" ".join(one_line(note) for note in footnotes),
    )


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
    >>> from rocstats.present.formats.markup import printed_table, to_markdown
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
    >>> from rocstats.present.formats.markup import escape_latex
    >>> print(escape_latex("50% of s_100 & −1"))
    50\% of s\_100 \& $-$1
    """
    # NUL marks the gap until "{}" may be put in, whose braces would be escaped themselves.
    apart = re.sub("-(?=-)", "-\0", text)
    return "".join(_LATEX.get(character, character) for character in apart).replace("\0", "{}")


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
    >>> from rocstats.present.formats.markup import escape_markdown
    >>> print(escape_markdown("a|b_c <b> <0.01"))
    a\|b\_c \<b> <0.01
    """
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), text)


def kind_of(cells: Iterable[str]) -> str:
    """Return the kind of a column: "number", "interval" or "text"."""
    cells = list(cells)
    for kind, pattern in (("number", _NUMBER), ("interval", _INTERVAL)):
        if all(pattern.fullmatch(cell) for cell in cells):
            return kind
    return "text"


def one_line(text: str) -> str:
    """Return text on one line, without characters that no file can hold."""
    # A line break in a name would end the row of a Markdown or LaTeX table.
    return _UNPRINTABLE.sub("\ufffd", " ".join(text.split()))
