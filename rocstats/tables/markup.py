"""Tables of strings for print, as HTML and as Markdown, and the sentences at their foot.

Every cell is escaped, for LaTeX too. Footnotes are sentences on methods, caveats and
abbreviations.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from rocstats.facts.measures import QUANTITIES
from rocstats.facts.words import uncapital
from rocstats.frame.make import about_of
from rocstats.frame.screen import is_adjusted
from rocstats.tables.cells import LABELS, heading_of
from rocstats.tables.readers import (
    case_sentence,
    component_sentences,
    global_sentences,
    model_sentences,
    subject_of,
)
from rocstats.tables.sizes import counts_footnotes
from rocstats.tables.wording import (
    EVERY,
    is_of_readers,
    method_sentences,
    note_sentences,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


# --- Tables of strings ----------------------------------------------------------------------------


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
    )


# Empty cells and "NA" fit any kind of column.
_NUMBER = re.compile(r"([≥≤] )?([<>≥]?−?\d*\.?\d+|−?∞)|\d+(/| of )\d+|NA|")

_INTERVAL = re.compile(rf"([≥≤] )?([<>]?−?\d+(\.\d+)?|−?∞) \(.+\)|{_NUMBER.pattern}")


def kind_of(cells: Iterable[str]) -> str:
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


# --- Markdown and LaTeX ---------------------------------------------------------------------------


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
    >>> from rocstats.tables.markup import escape_latex
    >>> print(escape_latex("50% of s_100 & −1"))
    50\% of s\_100 \& $-$1
    """
    # NUL marks the gap until "{}" may be put in, whose braces would be escaped themselves.
    apart = re.sub("-(?=-)", "-\0", text)
    return "".join(_LATEX.get(character, character) for character in apart).replace("\0", "{}")


# --- Footnotes ------------------------------------------------------------------------------------

ABBREVIATIONS = {
    "AUC": "area under the receiver operating characteristic curve",
    "CI": "confidence interval",
    "df": "degrees of freedom",
    "NA": "not available",
    **{one.short: uncapital(one.title) for one in QUANTITIES.values() if one.short},
    "TP": "true positives",
    "FP": "false positives",
    "FN": "false negatives",
    "TN": "true negatives",
    "n/N": "numerator and denominator of the rate",
}
"""Abbreviations that a table may print, in the order of their explanations."""

_UNADJUSTED = "P values of single readers are not adjusted for their number."
_APPARENT = "Apparent values are from the cases in which the threshold was chosen."


def footnotes(
    frame: pd.DataFrame,
    columns: Mapping[str, Sequence[str]],
    *,
    methods: bool = True,
    without: Sequence[str] = (),
) -> list[str]:
    """Return the footnotes of a table: methods, caveats, abbreviations.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame of estimates.
    columns : mapping of str to sequence of str
        Its headings and cells as text; abbreviations in them are explained.
    methods : bool, default True
        Whether sentences on the methods come first.
    without : sequence of str, default empty
        Codes of the column ``note`` to leave out, because the page explains them elsewhere; with
        "units" the numbers of patients and of their rows too.

    Returns
    -------
    list of str
        Methods, caveats, what is counted where rows are no patients, abbreviations, in that order.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.markup import footnotes
    >>> footnotes(pd.DataFrame(), {"AUC (95% CI)": ["0.82 (NA)"]})
    ['AUC, area under the receiver operating characteristic curve; CI, confidence interval;
    NA, not available.']
    """
    sentences = [sentence.text for sentence in method_sentences(frame)] if methods else []
    sentences += note_sentences(frame, without=without)
    sentences += counts_footnotes(frame, columns, without=without)
    return _with_abbreviations(sentences, frame, columns)


def reader_footnotes(
    frames: Sequence[pd.DataFrame],
    columns: Mapping[str, Sequence[str]],
    style: str,
    *,
    methods: bool = True,
    without: Sequence[str] = (),
) -> list[str]:
    """Return the footnotes of the table of a reader study.

    Parameters
    ----------
    frames : sequence of pandas.DataFrame
        Its answers, with or without ``components()``.
    columns : mapping of str to sequence of str
        Headings and cells of the table as text.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    methods : bool, default True
        Whether there are sentences on the methods.
    without : sequence of str, default empty
        Codes of the column ``note`` to leave out, because the page explains them elsewhere.

    Returns
    -------
    list of str
        Cases, global tests, for whom the results are meant, variance components, methods, caveats
        and abbreviations, in that order.
    """
    answers = [frame for frame in frames if is_of_readers(frame)]
    components = [frame for frame in frames if not is_of_readers(frame)]
    described = [method_sentences(frame, subject_of(frame)) for frame in answers] if methods else []
    sentences = [
        *(case_sentence(answers) if "Positives" not in columns else ()),
        *counts_footnotes(answers[0], ["Positives"], without=without),
        *(text for frame in answers for text in global_sentences(frame, style)),
        *(text for frame in answers for text in model_sentences(frame)),
        *(_UNADJUSTED for frame in answers if _has_unadjusted(frame)),
        *(text for frame in components for text in component_sentences(frame)),
        *(sentence.text for each in described for sentence in each),
        *(text for frame in frames for text in note_sentences(frame, without=without)),
    ]
    return _with_abbreviations(sentences, answers[0], columns)


def _has_unadjusted(frame: pd.DataFrame) -> bool:
    """Return whether several readers have P values that do not allow for their number."""
    single = frame[frame["reader"] != EVERY]
    tested = "p_value" in frame and single["p_value"].notna().sum() > 1
    return bool(tested) and not is_adjusted(frame)


def _with_abbreviations(
    sentences: list[str], frame: pd.DataFrame, columns: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return sentences, each once, with the explanations of what the columns print."""
    outcome = about_of(frame).get("outcome")
    if outcome and not {"Positives", "TP"}.isdisjoint(columns):
        sentences.append(f"Positives: {outcome}.")
    if outcome and "Censored" in columns:
        sentences.append(f"Cases: {outcome} by the time.")
    if any("pparent" in head for head in columns) and "apparent" in frame:
        sentences.append(_APPARENT)
    # Labels are the user's own words: a predictor called "NA" is no abbreviation.
    label_heads = {heading_of(frame, name) for name in LABELS}
    numbers = {head: cells for head, cells in columns.items() if head not in label_heads}
    printed = " ".join([*numbers, *(cell for cells in numbers.values() for cell in cells)])
    used = [
        f"{word}, {text}"
        for word, text in ABBREVIATIONS.items()
        if re.search(rf"(?<![\w+]){re.escape(word)}(?!\w)", printed)
    ]
    sentences += [f"{'; '.join(used)}."] if used else []
    # Two codes may mean the same in print.
    return list(dict.fromkeys(sentences))
