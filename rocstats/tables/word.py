"""Tables as files of Word: one page or several, panels below one another where they are wide."""

from __future__ import annotations

import math
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from rocstats.tables.files import library_for_office_files, office_file_without_time
from rocstats.tables.widths import Panel, column_widths, panels_of, text_with_no_break_blanks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.tables.markup import PrintedTable


def to_docx(table: PrintedTable) -> bytes:
    """Return a table as a Word document: caption above, sentences and footnotes below.

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
    >>> from rocstats.tables.markup import printed_table
    >>> from rocstats.tables.word import to_docx
    >>> table = printed_table(pd.DataFrame({"P value": ["<.001"]}), caption=None, footnotes=[])
    >>> to_docx(table)[:2]
    b'PK'
    """
    docx = library_for_office_files("docx")
    document = docx.Document()
    page = word_page_that_fits_table(table)
    set_word_page(docx, document, page)
    add_table_panels_to_word(docx, document, table, page)
    return word_file_of_document(document, table.caption)


def word_file_of_document(document: Any, title: str) -> bytes:
    """Return a document as a file, with its title; the same document gives the same bytes."""
    # The library would sign the file with its own name.
    document.core_properties.author = document.core_properties.comments = ""
    document.core_properties.title = title[:255]  # the longest that the library writes
    file = BytesIO()
    document.save(file)
    return office_file_without_time(file.getvalue())


_PAGE_LONG, _PAGE_SHORT, _PAGE_MARGIN = 792, 612, 58  # points of a letter page, and of its margins

# Arial is wider than Computer Modern: its digits by 0.556 to 0.5, the bold letters of headings by a
# quarter at most in the words that we have. Points around a cell.
_ARIAL, _BOLD, _PADDING = 1.12, 1.25, 11


class WordPage(NamedTuple):
    """How a page lies, the points of its letters, and the em of a name before it is broken."""

    aside: bool
    size: int
    text_room: float

    @property
    def room(self) -> float:
        """Points between the margins."""
        return (_PAGE_LONG if self.aside else _PAGE_SHORT) - 2 * _PAGE_MARGIN

    def widths(self, table: PrintedTable) -> list[float]:
        """Return the points that each column of a table needs."""
        return [
            math.ceil(20 * (self.size * width + _PADDING)) / 20  # Word keeps twentieths of a point
            for width in column_widths(table, self.text_room, cells=_ARIAL, heads=_BOLD)
        ]


# A table that is too wide for an upright page lies on its side, then has smaller letters and
# narrower names; below 7 points nobody reads them, and the table is divided into panels instead.
_PAGES = (
    WordPage(False, 9, 17),
    WordPage(True, 9, 17),
    WordPage(True, 8, 17),
    WordPage(True, 7, 12),
)


def word_page_that_fits_table(table: PrintedTable, pages: Sequence[WordPage] = _PAGES) -> WordPage:
    """Return the first page on which a table fits, else the one on which it is divided.

    Parameters
    ----------
    table : PrintedTable
        The table.
    pages : sequence of Page
        At least two, from the best to the last that anybody can read.
    """
    return next((page for page in pages if sum(page.widths(table)) <= page.room), pages[-2])


def set_word_page(docx: Any, document: Any, page: WordPage) -> None:
    """Set the paper, the margins and the letters of a document."""
    section, points = document.sections[0], docx.shared.Pt
    if page.aside:
        section.orientation = docx.enum.section.WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = points(_PAGE_LONG), points(_PAGE_SHORT)
    section.left_margin = section.right_margin = points(_PAGE_MARGIN)
    text = document.styles["Normal"]
    text.font.name, text.font.size = "Arial", points(page.size)


def add_table_panels_to_word(
    docx: Any, document: Any, table: PrintedTable, page: WordPage, *, numbered: bool = False
) -> None:
    """Add a table to a document: caption, panels one below the other, sentences, footnotes.

    Parameters
    ----------
    docx : module
        python-docx.
    document : docx.document.Document
        The document.
    table : PrintedTable
        The table.
    page : Page
        The page that it is fitted to, see ``word_page_that_fits_table``.
    numbered : bool, default False
        Whether Word counts the tables: the number at the beginning of the caption is a field.
    """
    widths = page.widths(table)
    style = _word_style_of_table_text(docx, document, page.size)
    if table.caption:
        caption = document.add_paragraph(style=style)
        write_word_caption(docx, caption, table.caption, numbered=numbered)
        for run in caption.runs:
            run.bold = True
        caption.paragraph_format.keep_with_next = True
    for k, panel in enumerate(panels_of(table, widths, page.room, 0)):
        if k:  # Word joins tables that have no paragraph between them
            document.add_paragraph(style=style).paragraph_format.space_after = docx.shared.Pt(0)
        _add_word_table(
            docx, document, _table_of_panel_columns(table, panel), [widths[i] for i in panel], style
        )
    for text in filter(None, (table.sentences, table.footnote)):
        below = document.add_paragraph(text, style=style)
        below.paragraph_format.space_before = docx.shared.Pt(4)  # half a line


_NUMBERED = re.compile(r"(?P<kind>Table|Figure) (?P<number>\d+)(?P<rest>\. .*)")


def write_word_caption(docx: Any, paragraph: Any, caption: str, *, numbered: bool) -> None:
    """Write a caption, whose number is a field that Word counts if there is one.

    Lists of tables and references to figures need the field "SEQ Table".
    """
    found = _NUMBERED.fullmatch(caption) if numbered else None
    if found is None:
        paragraph.add_run(caption)
        return
    paragraph.add_run(f"{found['kind']} ")
    for kind in ("begin", "code", "separate", "number", "end"):
        run = paragraph.add_run()
        if kind == "number":
            run.text = found["number"]
        elif kind == "code":
            code = docx.oxml.OxmlElement("w:instrText")
            code.text = f" SEQ {found['kind']} \\* ARABIC "
            run._r.append(code)
        else:
            mark = docx.oxml.OxmlElement("w:fldChar")
            mark.set(docx.oxml.ns.qn("w:fldCharType"), kind)
            run._r.append(mark)
    paragraph.add_run(found["rest"])


def _word_style_of_table_text(docx: Any, document: Any, size: int) -> Any:
    """Return the paragraph style of tables with letters of a size in points, made once."""
    name = f"Table {size} pt"
    if name not in document.styles:
        style = document.styles.add_style(name, docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Normal"]
        style.font.size = docx.shared.Pt(size)
    return document.styles[name]


def _table_of_panel_columns(table: PrintedTable, panel: Panel) -> PrintedTable:
    """Return some columns of a table."""
    rows = tuple(tuple(row[i] for i in panel) for row in table.rows)
    return table._replace(heads=tuple(table.heads[i] for i in panel), rows=rows)


# Rules are measured in eighths of a point: 1.5 at the ends of the table, 0.75 under its head.
_THICK, _THIN = "12", "6"


def _add_word_table(
    docx: Any, document: Any, table: PrintedTable, widths: Sequence[float], style: Any
) -> None:
    grid = document.add_table(rows=0, cols=len(table.heads))
    grid.autofit = False
    # Word refuses elements in another order than this: width, rules, what follows.
    total = grid._tbl.tblPr.find(docx.oxml.ns.qn("w:tblW"))
    total.addnext(_word_rules_of_table(docx, "tblBorders", top=_THICK, bottom=_THICK))
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = docx.shared.Pt(width)
    right = [kind != "text" for kind in table.kinds]
    for i, texts in enumerate((table.heads, *table.rows)):
        row = grid.add_row()
        # A row is not divided between pages, and the head is repeated on each of them.
        names = ("w:cantSplit", "w:tblHeader") if i == 0 else ("w:cantSplit",)
        for name in names:
            row._tr.get_or_add_trPr().append(docx.oxml.OxmlElement(name))
        for cell, text, width, flush in zip(row.cells, texts, widths, right, strict=True):
            cell.width = docx.shared.Pt(width)
            if i == 0:
                cell._tc.get_or_add_tcPr().append(
                    _word_rules_of_table(docx, "tcBorders", bottom=_THIN)
                )
                cell.vertical_alignment = docx.enum.table.WD_ALIGN_VERTICAL.BOTTOM
            words = text_with_no_break_blanks(text) if i == 0 else text
            # The public setter of a paragraph reads all styles of the document, for each cell.
            cell.paragraphs[0]._p.style = style.style_id
            _write_word_cell(docx, cell.paragraphs[0], words, bold=i == 0, right=flush)


def _write_word_cell(docx: Any, paragraph: Any, text: str, *, bold: bool, right: bool) -> None:
    paragraph.add_run(text).bold = bold
    paragraph.paragraph_format.space_after = docx.shared.Pt(2)  # so that rules touch no letters
    paragraph.paragraph_format.space_before = docx.shared.Pt(2)
    if right:
        paragraph.alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.RIGHT


def _word_rules_of_table(docx: Any, name: str, **sizes: str) -> Any:
    borders = docx.oxml.OxmlElement(f"w:{name}")
    for side, size in sizes.items():
        rule = docx.oxml.OxmlElement(f"w:{side}")
        for key, value in {"val": "single", "sz": size, "space": "0", "color": "000000"}.items():
            rule.set(docx.oxml.ns.qn(f"w:{key}"), value)
        borders.append(rule)
    return borders
