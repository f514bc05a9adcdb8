"""The report as a Word document and as PDF: the content of the page, opened again."""

from __future__ import annotations

import io
import os
import shutil
import subprocess

import docx
import pytest

import rocstats as rs
from rocstats.errors import InputError
from rocstats.reports import page as browser
from rocstats.reports.contents import report_of
from rocstats.reports.document import FigureBlock, ListBlock, Paragraph, TableBlock, blocks_of
from rocstats.reports.options import read_report_options
from rocstats.reports.word import to_word

HOSTILE = '<script>alert(1)</script> =1+1 & "q"'


@pytest.fixture(scope="module")
def made():
    study = rs.Study(
        "diagnosis",
        ["area", "texture"],
        data=rs.load_breast_cancer(),
        pos_label="malignant",
        labels={"area": HOSTILE},
    )
    return report_of(
        study, read_report_options(study, prespecified={"texture": 20}, criterion=None)
    )


@pytest.fixture(scope="module")
def content(made):
    return to_word(made)


@pytest.fixture(scope="module")
def word(content):
    return docx.Document(io.BytesIO(content))


def of_kind(made, kind):
    return [block for block in blocks_of(made.document) if isinstance(block, kind)]


def test_the_word_document_says_what_the_page_says(made, word):
    said = [paragraph.text for paragraph in word.paragraphs]
    document = made.document
    headings = [p.text for p in word.paragraphs if p.style.name.startswith("Heading")]
    assert headings == [section.title for section in document.sections if section.title]
    assert said[0] == document.title
    for block in of_kind(made, ListBlock):
        assert set(block.items) <= set(said)
    for block in of_kind(made, Paragraph):
        for sentence in block.sentences:
            assert any(sentence.text in text for text in said), sentence.text
    assert any(HOSTILE in text for text in said)


def test_its_tables_hold_every_cell(made, word):
    cells = {cell.text.replace("\u00a0", " ") for table in word.tables for row in table.rows
             for cell in row.cells}  # fmt: skip
    tables = of_kind(made, TableBlock)
    assert tables
    for block in tables:
        assert {*block.table.heads, *(cell for row in block.table.rows for cell in row)} <= cells


def test_its_figures_are_described(made, word):
    described = [shape._inline.docPr.get("descr") for shape in word.inline_shapes]
    assert described == [block.description for block in of_kind(made, FigureBlock)]


def test_equal_reports_give_equal_files(made, content):
    assert to_word(made) == content


@pytest.mark.parametrize("ending", [".html", ".docx"])
def test_the_ending_chooses_the_file(tmp_path, ending):
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    written = rs.report(study, tmp_path / f"report{ending}")
    begins = {".html": b"<!DOCTYPE html>", ".docx": b"PK"}[ending]
    assert written.read_bytes().startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [written.name]


def test_a_machine_without_a_browser_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "_BROWSER_PATHS", ())
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    with pytest.raises(InputError, match=r"where no browser is found that can print; got \.pdf"):
        rs.report(study, tmp_path / "report.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="the browser of this test is a shell script")
def test_a_browser_is_asked_to_print_the_page(tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    script = tmp_path / "chromium"
    script.write_text(
        f'#!/bin/sh\nfor word; do case "$word" in --print-to-pdf=*) printf %%PDF > "${{word#*=}}";;'
        f' esac; done\necho "$@" > {asked}\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setattr(browser, "find_browser", lambda: str(script))
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    written = rs.report(study, tmp_path / "report.pdf")
    assert written.read_bytes() == b"%PDF"
    assert "--headless" in asked.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="the browser of this test is a shell script")
def test_a_browser_that_hangs_is_ended_and_the_message_says_so(tmp_path, monkeypatch):
    script = tmp_path / "chromium"
    script.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(browser, "find_browser", lambda: str(script))
    monkeypatch.setattr(browser, "_TIMEOUT", 0.1)
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    with pytest.raises(InputError, match=r"got no page in 0\.1 seconds\. Write the \.html"):
        rs.report(study, tmp_path / "report.pdf")
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.browser
def test_the_printed_page_has_its_tables_and_methods(made, tmp_path):
    assert browser.find_browser(), "install the packages of .ci/debian.txt"
    file = tmp_path / "report.pdf"
    file.write_bytes(browser.to_pdf(made))
    reader = shutil.which("pdftotext")
    assert reader, "install poppler-utils"
    text = subprocess.run([reader, "-layout", file, "-"], capture_output=True, check=True).stdout
    printed = " ".join(text.decode().split())
    for heading in ("Statistical methods", "References", "What this report cannot say"):
        assert heading in printed
    for block in of_kind(made, TableBlock):
        assert block.table.caption in printed


@pytest.mark.parametrize("study", [None, 3, "cases.csv"])
def test_what_is_no_study_is_refused(tmp_path, study):
    with pytest.raises(rs.InputError, match="`study` must be a Study or a ReaderStudy; got"):
        rs.report(study, tmp_path / "report.html")
    classes = rs.MulticlassStudy(["a", "b"], {"m": {"a": [1, 2], "b": [2, 1]}})
    with pytest.raises(rs.InputError, match=r"; got MulticlassStudy\."):
        rs.report(classes, tmp_path / "report.html")
