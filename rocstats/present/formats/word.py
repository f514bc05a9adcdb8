"""Tables of strings as a Word document."""

from __future__ import annotations

import math
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from rocstats.present.formats.files import library, same_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.present.formats.markup import PrintedTable

_LONG, _SHORT, _MARGIN = 792, 612, 58  # points of a letter page, and of its margins
# The width of a digit in Arial of one point, and points around a cell.
_DIGIT, _PADDING = 0.556, 11


class _Page(NamedTuple):
    """How a page lies, and the points of its letters."""

    aside: bool
    size: int

    @property
    def room(self) -> int:
        return (_LONG if self.aside else _SHORT) - 2 * _MARGIN

    def widths(self, letters: Sequence[int]) -> list[float]:
        return [self.size * _DIGIT * n + _PADDING for n in letters]


# A table that is too wide for an upright page lies on its side, then has smaller letters; below
# 7 points nobody reads them, and cells are broken instead.
_PAGES = (_Page(False, 9), _Page(True, 9), _Page(True, 8), _Page(True, 7))
# Rules are measured in eighths of a point: 1.5 at the ends of the table, 0.75 under its head.
_THICK, _THIN = "12", "6"
# Letters: a longer name is broken into lines.
_LONGEST_TEXT = 30


def to_docx(table: PrintedTable) -> bytes:
    """Return a table as a Word document: caption above, footnotes below, horizontal rules only.

    Parameters
    ----------
    table : PrintedTable
        The table.

    Returns
    -------
    bytes
        The file; the same table gives the same bytes.

    Raises
    ------
    InputError
        If python-docx is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.formats.markup import printed_table
    >>> from rocstats.present.formats.word import to_docx
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> to_docx(table)[:2]
    b'PK'
    """
    docx = library("docx")
    document = docx.Document()
    widths = _set_page(docx, document, table)
    if table.caption:
        caption = document.add_paragraph()
        caption.add_run(table.caption).bold = True
        caption.paragraph_format.keep_with_next = True
    _add_table(docx, document, table, widths)
    if table.footnote:
        notes = document.add_paragraph(table.footnote)
        notes.paragraph_format.space_before = docx.shared.Pt(4)  # half a line
    # The library would sign the file with its own name.
    document.core_properties.author = document.core_properties.comments = ""
    document.core_properties.title = table.caption[:255]  # the longest that the library writes
    file = BytesIO()
    document.save(file)
    return same_bytes(file.getvalue())


def _set_page(docx: Any, document: Any, table: PrintedTable) -> list[float]:
    """Choose the page and the size of the letters, and return the widths of columns in points."""
    columns = zip(table.kinds, table.heads, *table.rows, strict=True)
    letters = [_letters(*column) for column in columns]
    fitting = (page for page in _PAGES if sum(page.widths(letters)) <= page.room)
    page = next(fitting, _PAGES[-1])
    section, points = document.sections[0], docx.shared.Pt
    if page.aside:
        section.orientation = docx.enum.section.WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = points(_LONG), points(_SHORT)
    section.left_margin = section.right_margin = points(_MARGIN)
    text = document.styles["Normal"]
    text.font.name, text.font.size = "Arial", points(page.size)
    widths = page.widths(letters)
    # Word keeps twentieths of a point.
    return [math.floor(20 * width * min(1, page.room / sum(widths))) / 20 for width in widths]


def _letters(kind: str, head: str, *cells: str) -> int:
    """Return how many letters wide a column is: headings are broken at their blanks."""
    longest = max(map(len, cells), default=0)
    if kind == "text":
        longest = min(longest, _LONGEST_TEXT)
    # Bold letters are wider, by a sixth in Arial.
    return max(longest, *(math.ceil(len(word) * 7 / 6) + 1 for word in head.split()), 3)


def _add_table(docx: Any, document: Any, table: PrintedTable, widths: Sequence[float]) -> None:
    grid = document.add_table(rows=0, cols=len(table.heads))
    grid.autofit = False
    # Word refuses elements in another order than this: width, rules, what follows.
    total = grid._tbl.tblPr.find(docx.oxml.ns.qn("w:tblW"))
    total.addnext(_rules(docx, "tblBorders", top=_THICK, bottom=_THICK))
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = docx.shared.Pt(width)
    right = [kind != "text" for kind in table.kinds]
    for i, texts in enumerate((table.heads, *table.rows)):
        row = grid.add_row()
        # A row is not divided between pages, and the head stands on each of them.
        names = ("w:cantSplit", "w:tblHeader") if i == 0 else ("w:cantSplit",)
        for name in names:
            row._tr.get_or_add_trPr().append(docx.oxml.OxmlElement(name))
        for cell, text, width, flush in zip(row.cells, texts, widths, right, strict=True):
            cell.width = docx.shared.Pt(width)
            if i == 0:
                cell._tc.get_or_add_tcPr().append(_rules(docx, "tcBorders", bottom=_THIN))
            _fill(docx, cell.paragraphs[0], text, bold=i == 0, right=flush)


def _fill(docx: Any, paragraph: Any, text: str, *, bold: bool, right: bool) -> None:
    paragraph.add_run(text).bold = bold
    paragraph.paragraph_format.space_after = docx.shared.Pt(2)  # so that rules touch no letters
    paragraph.paragraph_format.space_before = docx.shared.Pt(2)
    if right:
        paragraph.alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.RIGHT


def _rules(docx: Any, name: str, **sizes: str) -> Any:
    borders = docx.oxml.OxmlElement(f"w:{name}")
    for side, size in sizes.items():
        rule = docx.oxml.OxmlElement(f"w:{side}")
        for key, value in {"val": "single", "sz": size, "space": "0", "color": "000000"}.items():
            rule.set(docx.oxml.ns.qn(f"w:{key}"), value)
        borders.append(rule)
    return borders
