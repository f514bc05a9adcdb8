"""The content of a report without a format, for a page, a Word file and print."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from rocstats.facts.references import vancouver
from rocstats.reports.texts import say
from rocstats.tables.footnotes import abbreviation_sentence
from rocstats.tables.wording import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from rocstats.tables.markup import PrintedTable


Role = Literal["text", "answer", "notice", "note"]
"""What a paragraph is for: the answer is set large, a notice is a box, a note is small."""


class Paragraph(NamedTuple):
    """Sentences in a row; ``lead`` is printed bold before them."""

    sentences: tuple[Sentence, ...]
    role: Role = "text"
    lead: str = ""

    @property
    def text(self) -> str:
        """The sentences as one text, without lead and numbers of references."""
        return " ".join(sentence.text for sentence in self.sentences)


class TableBlock(NamedTuple):
    """A table; its caption begins with "Table 1. "."""

    table: PrintedTable


class FigureBlock(NamedTuple):
    """A figure, drawn when it is asked for; its caption begins with "Figure 1. "."""

    draw: Callable[[], Figure]
    caption: str
    description: str
    """The figure in words, for readers who cannot see it."""
    width: Literal["column", "page"] = "column"
    letters: str = ""
    """Abbreviations in the figure, which its caption explains beside its own."""


class ListBlock(NamedTuple):
    """A list of numbered texts."""

    items: tuple[str, ...]


Block = Paragraph | TableBlock | FigureBlock | ListBlock


class Section(NamedTuple):
    """Blocks under a heading; "" is no heading."""

    title: str
    blocks: tuple[Block, ...]
    key: str = ""
    """A word by which a format finds the section, such as "answer" or "figures"."""


class Document(NamedTuple):
    """A report: title, a line below it, and sections in order."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]


class Printable(Protocol):
    """A report of any study, with the parts that the formats read."""

    @property
    def document(self) -> Document:
        """What a page shows, with what it says of its interactive part."""
        ...

    @property
    def on_paper(self) -> Document:
        """What formats without an interactive part show."""
        ...

    @property
    def explorer(self) -> dict[str, Any] | None:
        """Data of the interactive part of a page; None without one."""
        ...


def blocks_of(document: Document) -> Iterator[Block]:
    """Return all blocks of a document in order."""
    return (block for section in document.sections for block in section.blocks)


def reference_numbers(document: Document) -> dict[str, int]:
    """Return the number of each cited key, in the order of first citation.

    Parameters
    ----------
    document : Document
        The document, with or without its list of references.

    Returns
    -------
    dict of str to int
        Numbers from 1.

    Examples
    --------
    >>> from rocstats.reports.document import (
    ...     Document, Paragraph, Section, reference_numbers)
    >>> from rocstats.tables.wording import Sentence
    >>> cited = Paragraph((Sentence("One.", ("delong-1988",)), Sentence("Two.", ("holm-1979",))))
    >>> reference_numbers(Document("", "", (Section("Methods", (cited,)),)))
    {'delong-1988': 1, 'holm-1979': 2}
    """
    keys = dict.fromkeys(
        key
        for block in blocks_of(document)
        if isinstance(block, Paragraph)
        for sentence in block.sentences
        for key in sentence.references
    )
    return {key: i for i, key in enumerate(keys, start=1)}


def with_references(document: Document) -> Document:
    """Return a document with the list of the works that it cites as its last section."""
    cited = tuple(vancouver(key) for key in reference_numbers(document))
    if not cited:
        return document
    last = Section(say("heading.references"), (ListBlock(cited),), "references")
    return document._replace(sections=(*document.sections, last))


def caption_number_and_rest(caption: str) -> tuple[str, str]:
    """Return the number of a table or figure, "Table 1. ", and the rest of its caption."""
    head, mark, rest = caption.partition(". ")
    return head + mark, rest


def paragraph(*texts: str, role: Role = "text", lead: str = "") -> Paragraph:
    """Return a paragraph of sentences that cite nothing."""
    return Paragraph(tuple(Sentence(text) for text in texts if text), role, lead)


def document_with_numbered_captions(document: Document) -> Document:
    """Return a document whose tables and figures are numbered in order: "Table 1. ...".

    Captions of figures end with their abbreviations; those of tables are footnotes.

    Each figure is drawn when it is first asked for, and then kept.
    """
    counts = {TableBlock: 0, FigureBlock: 0}
    sections = []
    for section in document.sections:
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, TableBlock):
                counts[TableBlock] += 1
                caption = f"Table {counts[TableBlock]}. {block.table.caption}"
                blocks.append(TableBlock(block.table._replace(caption=caption)))
            elif isinstance(block, FigureBlock):
                counts[FigureBlock] += 1
                explained = abbreviation_sentence(f"{block.caption} {block.letters}")
                caption = f"Figure {counts[FigureBlock]}. {block.caption} {explained}".rstrip()
                # Files of several kinds, such as a page and a Word document, share the figure.
                blocks.append(block._replace(caption=caption, draw=cache(block.draw)))
            else:
                blocks.append(block)
        sections.append(section._replace(blocks=tuple(blocks)))
    return document._replace(sections=tuple(sections))
