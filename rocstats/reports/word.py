"""A report as a Word document: the same content as the page, without its explorer."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from rocstats.plots.axes import WIDTHS
from rocstats.reports.document import (
    FigureBlock,
    ListBlock,
    Paragraph,
    TableBlock,
    caption_number_and_rest,
    reference_numbers,
)
from rocstats.reports.figures import figure_as_file_content
from rocstats.tables.files import library_for_office_files
from rocstats.tables.markup import one_line
from rocstats.tables.word import (
    WordPage,
    add_table_panels_to_word,
    set_word_page,
    word_file_of_document,
    word_page_that_fits_table,
    write_word_caption,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocstats.reports.document import Block, Printable


# A page of text stays upright: wide tables have smaller letters, then panels.
_PAGES = (WordPage(False, 9, 17), WordPage(False, 8, 14), WordPage(False, 7, 12))
_TEXT = WordPage(False, 10, 17)
_SIZES = {"answer": 13, "text": 10, "notice": 10, "note": 8}
"""Points of the letters of a paragraph, by its role."""
_DOTS = 300  # an inch, what printers ask of pictures
_MARGIN_LINE, _SHADE = "b98b00", "fff7e3"  # a notice, in the colours of the page


def to_word(report: Printable) -> bytes:
    """Return a report as a Word document.

    Parameters
    ----------
    report : Printable
        The report.

    Returns
    -------
    bytes
        The file, with the pictures of its figures; equal reports give equal files.

    Raises
    ------
    InputError
        If python-docx is not installed.
    """
    docx = library_for_office_files("docx")
    document, content = docx.Document(), report.on_paper
    set_word_page(docx, document, _TEXT)
    _set_plain_word_headings(docx, document)
    document.add_heading(one_line(content.title), 0)
    if content.subtitle:
        document.add_paragraph(one_line(content.subtitle))
    numbers = reference_numbers(content)
    for section in content.sections:
        if section.title:
            document.add_heading(one_line(section.title), 1)
        for block in section.blocks:
            _put_block(docx, document, block, numbers)
    return word_file_of_document(document, content.title)


def _put_block(docx: Any, document: Any, block: Block, numbers: Mapping[str, int]) -> None:
    if isinstance(block, Paragraph):
        _put_paragraph(docx, document, block, numbers)
    elif isinstance(block, TableBlock):
        add_table_panels_to_word(
            docx,
            document,
            block.table,
            word_page_that_fits_table(block.table, _PAGES),
            numbered=True,
        )
    elif isinstance(block, FigureBlock):
        _put_figure(docx, document, block)
    elif isinstance(block, ListBlock):
        for item in block.items:
            document.add_paragraph(one_line(item), style="List Number")


def _put_paragraph(docx: Any, document: Any, block: Paragraph, numbers: Mapping[str, int]) -> None:
    paragraph = document.add_paragraph()
    size = docx.shared.Pt(_SIZES[block.role])
    if block.lead:
        lead = paragraph.add_run(f"{one_line(block.lead)} ")
        lead.bold, lead.font.size = True, size
    for sentence in block.sentences:
        paragraph.add_run(one_line(sentence.text)).font.size = size
        cited = paragraph.add_run(",".join(str(numbers[key]) for key in sentence.references))
        cited.font.superscript, cited.font.size = True, size
        paragraph.add_run(" ").font.size = size
    if block.role == "notice":
        _put_box_around_paragraph(docx, paragraph)


def _put_box_around_paragraph(docx: Any, paragraph: Any) -> None:
    """Give a paragraph a line at its left and a shade."""
    properties = paragraph._p.get_or_add_pPr()
    # Word refuses the shade before the line.
    borders = docx.oxml.OxmlElement("w:pBdr")
    line = docx.oxml.OxmlElement("w:left")
    shade = docx.oxml.OxmlElement("w:shd")
    # 24 eighths of a point.
    _set_word_xml_attributes(docx, line, val="single", sz="24", space="6", color=_MARGIN_LINE)
    _set_word_xml_attributes(docx, shade, val="clear", color="auto", fill=_SHADE)
    borders.append(line)
    properties.append(borders)
    properties.append(shade)


def _set_word_xml_attributes(docx: Any, element: Any, **values: str) -> None:
    for name, value in values.items():
        element.set(docx.oxml.ns.qn(f"w:{name}"), value)


def _put_figure(docx: Any, document: Any, block: FigureBlock) -> None:
    width = min(docx.shared.Inches(WIDTHS[block.width]), docx.shared.Pt(_TEXT.room))
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.keep_with_next = True
    picture = paragraph.add_run().add_picture(_png_of_figure_block(block), width=width)
    picture._inline.docPr.set("descr", one_line(block.description))
    caption = document.add_paragraph()
    number, rest = caption_number_and_rest(one_line(block.caption))
    write_word_caption(docx, caption, number, numbered=True)
    for run in caption.runs:
        run.bold = True
    caption.add_run(rest)
    for run in caption.runs:
        run.font.size = docx.shared.Pt(_SIZES["note"])


def _png_of_figure_block(block: FigureBlock) -> BytesIO:
    # Without the name of the library that drew it, whose versions differ.
    return BytesIO(
        figure_as_file_content(block.draw, "png", dpi=_DOTS, metadata={"Software": None})
    )


def _set_plain_word_headings(docx: Any, document: Any) -> None:
    """Print headings in the letters of the text: the library's are blue and of another font."""
    for name, size in (("Title", 18), ("Heading 1", 12)):
        style = document.styles[name]
        style.font.name, style.font.size = "Arial", docx.shared.Pt(size)
        style.font.color.rgb = docx.shared.RGBColor(0, 0, 0)
        fonts = style.element.rPr.rFonts
        # Fonts of the theme go before those that are named.
        for attribute in [key for key in fonts.attrib if "Theme" in key]:
            del fonts.attrib[attribute]
        style.font.bold = True
