"""The report as PDF: whole pages with all that the document says, and the same bytes each time."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.reports.contents import report_of
from rocstats.reports.document import (
    Document,
    FigureBlock,
    ListBlock,
    Paragraph,
    Section,
    TableBlock,
    blocks_of,
    document_with_numbered_captions,
    paragraph,
)
from rocstats.reports.options import read_report_options
from rocstats.reports.page import to_page
from rocstats.reports.pdf import to_pdf
from rocstats.reports.readers import read_reader_options, reader_report
from rocstats.reports.survival import ask_survival, read_survival_options, survival_report
from rocstats.tables.markup import PrintedTable, one_line
from tests.reports.pages import small
from tests.tables.hand_study import HandStudy

# Markup of Typst, HTML and print, in letters that DejaVu Sans has.
NAMES = (
    "#import \"x\" $x^2$ _a_ *b* `c` @d <e> a\\ // = 1 -- [#n] {n} 😀 <script>alert('x')</script>",
    "n_" * 60,
)


class Printed:
    """A document as a report, for what needs no study."""

    def __init__(self, *blocks, title="Title"):
        document = Document(title, "", (Section("", blocks),))
        self.document = self.on_paper = document_with_numbered_captions(document)
        self.explorer = None


@cache
def hostile():
    """Return the report of tests whose names are markup."""
    name, long = NAMES
    scores = {name: np.arange(40) * 3 % 11, long: np.arange(40) * 4 % 11}
    study = rs.Study(np.repeat([1, 0], 20), scores, outcome=name)
    words = {"case": name, "action": name}
    options = {"title": name, "source": name, "words": words, "criterion": None, "rng": 1}
    return report_of(study, read_report_options(study, **options))


@cache
def usual():
    study = small(predictors=("a", "b"))
    options = {"prespecified": {"a": 0.5}, "criterion": None, "rng": 1}
    return report_of(study, read_report_options(study, **options))


@cache
def of_readers():
    study = HandStudy()
    return reader_report(study, read_reader_options(study, prespecified=3))


@cache
def of_survival():
    months = 1 + np.arange(60) * 37 % 59
    data = pd.DataFrame({"months": months, "event": np.arange(60) % 3, "age": 90 - months / 2})
    study = rs.SurvivalStudy("months", "event", "age", data=data)
    options = read_survival_options(study, time=[20, 40], prespecified=70)
    return survival_report(study, options, ask_survival(study, options))


@pytest.fixture(params=[hostile, usual, of_readers, of_survival])
def report(request):
    return request.param()


def pages_of(content):
    return len(re.findall(rb"/Type\s*/Page\b", content))


def letters_of(text):
    """Return text without blanks, marks of direction and the breaks of words."""
    return re.sub(r"[\s\u00a0\u200b\u200e\u200f\u202a-\u202e]+", "", one_line(text))


def read_pdf(content, folder):
    """Return the letters of a PDF, page by page, without those at its foot."""
    reader = shutil.which("pdftotext")
    assert reader, "pdftotext must be installed for the tests marked office"
    file = folder / "report.pdf"
    file.write_bytes(content)
    # The foot is in the lowest 16 of 297 mm; a page is 842 points high.
    area = ["-x", "0", "-y", "0", "-W", "596", "-H", "796"]
    command = [reader, "-raw", *area, str(file), "-"]
    text = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()
    return [letters_of(page) for page in text.split("\f")[:-1]]


def test_a_report_is_a_pdf_of_a4_pages_with_its_fonts(report):
    content = to_pdf(report)
    assert content.startswith(b"%PDF-1.7")
    # 210 x 297 mm in points.
    boxes = re.findall(rb"/MediaBox\s*\[0 0 595\.27\d* 841\.8\d*\]", content)
    assert len(boxes) == pages_of(content)
    assert pages_of(content) >= 2
    # A font is named where it is used and where it is embedded.
    fonts = set(re.findall(rb"/FontName\s*/([\w+-]+)", content))
    assert len(fonts) == len(re.findall(rb"/FontFile[23]", content)) >= 2
    assert all(b"DejaVuSans" in font for font in fonts)


def test_equal_reports_give_equal_bytes_on_any_day(monkeypatch, tmp_path):
    content = to_pdf(usual())
    usual.cache_clear()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.chdir(tmp_path)
    assert to_pdf(usual()) == content
    assert b"CreationDate" not in content
    assert to_pdf(hostile()) != content


def test_figures_are_drawings_with_a_description():
    report = usual()
    content = to_pdf(report)
    figures = [block for block in blocks_of(report.on_paper) if isinstance(block, FigureBlock)]
    # A picture of dots would be an image.
    assert b"/Subtype /Image" not in content
    assert b"/Subtype/Image" not in content
    assert len(figures) == len(re.findall(rb"/Alt\b", content)) > 2


@pytest.mark.parametrize(("rows", "pages"), [(10, 1), (200, 4)])
def test_a_long_table_goes_on_for_as_many_pages_as_it_needs(rows, pages):
    """A row of 8 points has 4.5 mm: 55 to 65 of them fill the 267 mm of a page."""
    table = PrintedTable(("Name", "n"), (("a", "1"),) * rows, "Rows", "Note.")
    assert pages_of(to_pdf(Printed(TableBlock(table)))) == pages


def test_without_an_interactive_part_nothing_speaks_of_one():
    report = usual()
    said = [
        " ".join(block.text for block in blocks_of(document) if isinstance(block, Paragraph))
        for document in (report.document, report.on_paper)
    ]
    words = ("interactive", "explorer", "a reader moved")
    assert [[word in text for word in words] for text in said] == [[True, False, True], [False] * 3]
    few = rs.Study([0, 1, 1], [1.0, 2.0, 3.0])
    alone = report_of(few, read_report_options(few, criterion=None, rng=1))
    assert "There is no explorer." in to_page(alone).decode()
    assert "explorer" not in " ".join(
        block.text for block in blocks_of(alone.on_paper) if isinstance(block, Paragraph)
    )


@pytest.mark.office
def test_the_pages_have_every_text_of_the_document(report, tmp_path):
    document = report.on_paper
    text = "".join(read_pdf(to_pdf(report), tmp_path))
    wanted = [document.title, document.subtitle, *(each.title for each in document.sections)]
    for block in blocks_of(document):
        if isinstance(block, Paragraph):
            wanted += [block.lead, *(sentence.text for sentence in block.sentences)]
        elif isinstance(block, TableBlock):
            table = block.table
            wanted += [table.caption, table.footnote, *table.heads, *sum(table.rows, ())]
        elif isinstance(block, FigureBlock):
            wanted.append(block.caption)
        elif isinstance(block, ListBlock):
            wanted += block.items
    assert [each for each in wanted if letters_of(each) not in text] == []


@pytest.mark.office
def test_references_are_numbers_after_their_sentence(tmp_path):
    text = "".join(read_pdf(to_pdf(usual()), tmp_path))
    assert "everydistinctscoreservesasathreshold.1Theareaunder" in text


@pytest.mark.office
def test_each_page_of_a_long_table_has_its_headings(tmp_path):
    rows = tuple((f"row{i}of200.", str(i)) for i in range(200))
    table = PrintedTable(("Name", "Count"), rows, "Rows", "Note.")
    pages = read_pdf(to_pdf(Printed(TableBlock(table))), tmp_path)
    assert [page.count("NameCount") for page in pages] == [1] * len(pages)
    # No row is on two pages, and none is lost.
    found = [row for page in pages for row in re.findall(r"row\d+of200\.", page)]
    assert found == [name for name, _ in rows]


@pytest.mark.office
def test_a_wide_table_is_divided_into_panels(tmp_path):
    heads = ("Name", *(f"Test{i}(95%CI)" for i in range(9)))
    row = ("a", *(f"0.{i}00 (0.{i}00-0.{i}99)" for i in range(9)))
    table = PrintedTable(heads, (row,), "Wide", "")
    (page,) = read_pdf(to_pdf(Printed(TableBlock(table))), tmp_path)
    assert page.count("Name") > 1
    assert [text for text in (*heads, *map(letters_of, row)) if text not in page] == []


@pytest.mark.office
@pytest.mark.parametrize("name", ["名前", "شريط عربي", "हिन्दी", "עברית"])
def test_names_of_other_scripts_can_be_copied(name, tmp_path):
    (page,) = read_pdf(to_pdf(Printed(paragraph(f"The test {name} finds 9."))), tmp_path)
    # The words of a name that is read from right to left come in the order of the page.
    assert [word for word in name.split() if word not in page] == []


@pytest.mark.office
def test_the_foot_has_the_number_of_the_page(tmp_path):
    content = to_pdf(Printed(*(paragraph("Sentence. " * 90) for _ in range(9))))
    file = tmp_path / "report.pdf"
    file.write_bytes(content)
    command = ["pdftotext", "-raw", str(file), "-"]
    text = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()
    n = pages_of(content)
    assert n > 1
    for i, page in enumerate(text.split("\f")[:-1], 1):
        assert f"Title {i} of {n}" in " ".join(page.split())
