"""What tests of reports share: a small study, and a reader of pages."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

import rocstats as rs
from rocstats.reports.contents import report_of
from rocstats.reports.document import FigureBlock, ListBlock, Paragraph, TableBlock, blocks_of
from rocstats.reports.options import read_report_options

# Elements without an end tag.
_VOID = {"meta", "input", "br"}


def small(n_pos=30, n_neg=40, predictors=("a",), **arguments):
    """Return a study of normal scores, positives a standard deviation higher."""
    generator = np.random.default_rng(5)
    y = np.repeat([1, 0], [n_pos, n_neg])
    scores = {name: np.round(generator.normal(size=len(y)) + y, 2) for name in predictors}
    return rs.Study(y, scores, **arguments)


def document_of(study, **options):
    return report_of(
        study, read_report_options(study, **{"rng": 1, "explorer": None, **options})
    ).document


def words_of(document):
    """Return all that a document says, blocks in order, one a line."""
    lines = [document.title, document.subtitle]
    for block in blocks_of(document):
        if isinstance(block, Paragraph):
            lines.append(f"{block.lead} {block.text}".strip())
        elif isinstance(block, TableBlock):
            lines += [block.table.caption, *map(" | ".join, block.table.rows), block.table.footnote]
        elif isinstance(block, FigureBlock):
            lines.append(block.caption)
        else:
            lines += block.items
    assert "nan" not in " ".join(lines).lower().replace("finance", "").split()
    return "\n".join(lines)


def tables_of(document):
    """Return the tables of a document by caption, without "Table 1. "."""
    tables = [block.table for block in blocks_of(document) if isinstance(block, TableBlock)]
    return {table.caption.partition(". ")[2]: table for table in tables}


def references_of(document):
    return [block.items for block in blocks_of(document) if isinstance(block, ListBlock)][-1]


def measures(table):
    """Return the cells of a table of accuracy by measure."""
    return {row[0]: list(row[1:]) for row in table.rows}


class Page(HTMLParser):
    """Checks that tags are closed in order; collects the text, scripts apart, and the tags."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.tags, self.scripts = [], "", [], {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "script":
            self.key = dict(attrs).get("id", "code")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[self.key] = self.scripts.get(self.key, "") + data
        elif "style" not in self.open:
            self.text += data

    @property
    def words(self):
        return " ".join(self.text.split())
