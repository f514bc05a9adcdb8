"""A report as PDF, set by Typst: the same content as the page, without its explorer."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.reports.document import (
    FigureBlock,
    ListBlock,
    Paragraph,
    TableBlock,
    caption_number_and_rest,
    reference_numbers,
)
from rocstats.reports.figures import svg_of
from rocstats.tables.files import library_for_office_files
from rocstats.tables.markup import one_line
from rocstats.tables.widths import column_widths, panels_of, text_with_no_break_blanks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocstats.reports.document import Block, Printable
    from rocstats.tables.markup import PrintedTable


# A table that does not fit in letters of 8 points has letters of 7, the least that journals print;
# a name is broken after 14 em.
_LEAST, _TEXT_ROOM = 7, 14
# DejaVu Sans is wider than Computer Modern: "0.750 (0.648-0.830)" by 10.05 to 8.32 em, and bold
# letters by 0.69 to 0.52.
_DEJAVU, _BOLD = 1.21, 1.33
# Points between the margins of the page, and between two columns, as in report.typ.
_ROOM, _GAP = 176 / 25.4 * 72, 10.0


def to_pdf(report: Printable) -> bytes:
    """Return a report as PDF on A4 pages, with its fonts embedded.

    Parameters
    ----------
    report : Printable
        The report.

    Returns
    -------
    bytes
        The file, without the time; equal reports give equal files. Letters that DejaVu Sans lacks,
        such as Chinese, come from the fonts of the machine.

    Raises
    ------
    InputError
        If typst is not installed.
    """
    import matplotlib as mpl

    typst = library_for_office_files("typst")
    # Figures are drawn with these fonts. One of them has a box for every letter, so that text of
    # any script can be copied from the file.
    fonts = Path(mpl.get_data_path(), "fonts", "ttf")
    content = json.dumps(_content_of_pdf(report), ensure_ascii=False)
    made: bytes = typst.compile(
        files("rocstats.reports").joinpath("report.typ").read_bytes(),
        format="pdf",
        sys_inputs={"report": content},
        font_paths=[str(fonts)],
        # The result depends on the machine only where DejaVu Sans lacks a letter.
        ignore_system_fonts=_has_letters(fonts / "DejaVuSans.ttf", content),
    )
    return made


def _has_letters(font: Path, text: str) -> bool:
    """Return whether a font has all letters of a text."""
    from matplotlib.ft2font import FT2Font

    return set(map(ord, text)) <= FT2Font(str(font)).get_charmap().keys()


def _content_of_pdf(report: Printable) -> dict[str, Any]:
    """Return the texts and figures of a report as report.typ reads them."""
    document = report.on_paper
    numbers = reference_numbers(document)
    return {
        "title": one_line(document.title),
        "subtitle": one_line(document.subtitle),
        "sections": [
            {
                "title": one_line(section.title),
                "blocks": list(_pdf_blocks(section.blocks, numbers)),
            }
            for section in document.sections
        ],
    }


def _pdf_blocks(blocks: Iterable[Block], numbers: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Yield blocks in order; figures of one width in a row are one block, set side by side."""
    for width, run in groupby(blocks, lambda block: getattr(block, "width", None)):
        if width is not None:
            figures = [_pdf_figure(block) for block in run if isinstance(block, FigureBlock)]
            yield {"kind": "figures", "width": width, "figures": figures}
            continue
        for block in run:
            if isinstance(block, Paragraph):
                yield _pdf_paragraph(block, numbers)
            elif isinstance(block, TableBlock):
                yield _pdf_table(block.table)
            elif isinstance(block, ListBlock):
                yield {"kind": "list", "items": list(map(one_line, block.items))}


def _pdf_paragraph(block: Paragraph, numbers: Mapping[str, int]) -> dict[str, Any]:
    sentences = [
        (one_line(sentence.text), ",".join(str(numbers[key]) for key in sentence.references))
        for sentence in block.sentences
    ]
    lead = one_line(block.lead)
    return {"kind": "paragraph", "role": block.role, "lead": lead, "sentences": sentences}


def _pdf_figure(block: FigureBlock) -> dict[str, str]:
    number, caption = caption_number_and_rest(one_line(block.caption))
    description = one_line(block.description)
    svg = svg_of(block.draw, description)
    return {"number": number, "caption": caption, "description": description, "svg": svg}


def _pdf_table(table: PrintedTable) -> dict[str, Any]:
    """Return a table whole if the smallest letters fit the page, else in panels."""
    em = column_widths(table, _TEXT_ROOM, cells=_DEJAVU, heads=_BOLD)
    widths = [_LEAST * width for width in em]
    fits = sum(widths) + _GAP * (len(widths) - 1) <= _ROOM
    panels = [list(range(len(widths)))] if fits else panels_of(table, widths, _ROOM, _GAP)
    kinds = table.kinds
    return {
        "kind": "table",
        "caption": table.caption,
        "footnote": table.footnote,
        "panels": [
            {
                "kinds": [kinds[i] for i in panel],
                "heads": [text_with_no_break_blanks(table.heads[i]) for i in panel],
                "rows": [[row[i] for i in panel] for row in table.rows],
            }
            for panel in panels
        ],
    }
