"""The report as a file: one well-formed page that needs nothing else, whole or not there."""

from __future__ import annotations

import io
import json
import re
import sys

import docx
import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.errors import InputError
from rocstats.reports import report as report_module
from rocstats.reports.contents import report_of
from rocstats.reports.document import FigureBlock, ListBlock, Paragraph, TableBlock, blocks_of
from rocstats.reports.options import read_report_options
from rocstats.reports.report import report
from rocstats.reports.word import to_word
from tests.reports.pages import Page, document_of, small

HOSTILE = [
    "<script>alert('x')</script>",
    "</script><script>alert('x')</script>",
    'a & "b"',
    "=1+1",
    "名前 Ärger",
    "$x^2",
    "{{ 70 * 71 }}",
    "{found}",
    "n_" * 99,
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    study = small(predictors=("a", "b"))
    return report(study, path, rng=1, words={"case": "woman", "condition": "cancer"}).read_text(
        encoding="utf-8"
    )


def test_the_page_says_what_the_document_says(page):
    options = {"words": {"case": "woman", "condition": "cancer"}}
    document = document_of(small(predictors=("a", "b")), **options)
    words = Page(page).words
    assert words.count(document.title) == 2  # in the head too
    for block in blocks_of(document):
        texts = getattr(block, "items", None) or [getattr(block, "text", None) or block[0]]
        for text in texts:
            if isinstance(text, str) and "." in text:
                assert text.partition(". ")[0] in words


def test_a_page_needs_nothing_from_elsewhere(page):
    assert page.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in page
    # Namespaces are names, references are text, and no link leads away.
    namespaces = re.findall(r'xmlns(?::\w+)?="(http[^"]*)"', page)
    assert set(namespaces) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"\bsrc\s*=|@import|<link|<image|//cdn|fetch\(|XMLHttp", page)
    assert set(re.findall(r"url\((.)", page)) <= {"#"}
    assert set(re.findall(r'href="(.)', page)) <= {"#"}


def test_the_explorer_stands_around_the_static_answer(page):
    head, _, rest = page.partition('<section class="explorer" id="explorer">')
    static, _, after = rest.partition('<script type="application/json"')
    assert "<h1>" in head
    assert "finds" in static
    assert static.count("<svg") == 3  # the curve, and the scores of each test
    # the flow of each test stands below
    assert after.partition("</script>")[2].partition("</script>")[2].count("<svg") == 2


def test_the_explorer_has_the_numbers_of_the_frames(page):
    data = json.loads(Page(page).scripts["explorer-data"])
    study = small(predictors=("a", "b"))
    chosen = study.cutpoints(rng=1).set_index(["predictor", "quantity"])["estimate"]
    assert [test["id"] for test in data["tests"]] == ["a", "b"]
    for test in data["tests"]:
        preset = test["presets"][0]
        assert preset["tpr"]["estimate"] == chosen[test["id"], "tpr"]
        assert preset["tnr"]["estimate"] == chosen[test["id"], "tnr"]
    areas = study.auc()["estimate"].tolist()
    assert [test["auc"]["estimate"] for test in data["tests"]] == areas
    assert data["words"]["cases"] == "women"


def test_the_explorer_knows_the_words_of_ratings(tmp_path):
    kinds = ["no", "perhaps", "yes"]
    rating = pd.Categorical.from_codes(np.arange(60) % 3, kinds, ordered=True)
    study = rs.Study(np.arange(60) % 3 + np.arange(60) % 2 > 1, {"rating": rating})
    assert study.categories == {"rating": tuple(kinds)}
    page = report(study, tmp_path / "r.html", prespecified=1, criterion=None, rng=1)
    (test,) = json.loads(Page(page.read_text(encoding="utf-8")).scripts["explorer-data"])["tests"]
    assert test["names"][str(test["edges"][-1]).removesuffix(".0")] == "yes"
    assert test["presets"][0]["name"] == "Set beforehand: perhaps"


def test_names_are_text_whatever_they_look_like(tmp_path):
    scores = {name: np.arange(40) * (k + 2) % 11 for k, name in enumerate(HOSTILE)}
    study = rs.Study(np.repeat([1, 0], 20), scores, outcome=HOSTILE[1])
    options = {"words": {"case": HOSTILE[0], "action": HOSTILE[6]}, "source": HOSTILE[1]}
    page = report(study, tmp_path / "r.html", criterion=None, title=HOSTILE[2], rng=1, **options)
    read = Page(page.read_text(encoding="utf-8"))
    assert [name for name in HOSTILE if name not in read.words] == []
    assert read.tags.count("script") == 2  # the data and the program of the explorer
    tests = json.loads(read.scripts["explorer-data"])["tests"]
    assert [test["predictor"] for test in tests] == HOSTILE
    assert "4970" not in read.words


def test_same_study_same_bytes(page, tmp_path):
    options = {"rng": 1, "words": {"case": "woman", "condition": "cancer"}}
    again = report(small(predictors=("a", "b")), tmp_path / "r.html", **options)
    assert again.read_text(encoding="utf-8") == page
    assert not re.search(r"dc:date|20\d\d-\d\d-\d\dT", page)


def test_an_interrupt_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("before", encoding="utf-8")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setitem(report_module.WRITERS, ".html", interrupted)
    with pytest.raises(KeyboardInterrupt):
        report(small(), path, criterion=None)
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["report.txt", "report"])
def test_other_endings(tmp_path, name):
    with pytest.raises(InputError, match=r"`path` must end in .*\.html.*; got"):
        report(small(), tmp_path / name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "lancet"}, "`style` must be one of"),
        ({"confidence_level": 1}, "`confidence_level` must be a number strictly between 0 and 1"),
        ({"band": "joint"}, "`band` must be one of"),
        ({"criterion": "cost"}, "`criterion` must be one of"),
        ({"explorer": "all"}, "`explorer` must be one of"),
        ({"prespecified": "5"}, "`prespecified` must be a finite number, or a sequence"),
        ({"prespecified": []}, "`prespecified` must be a finite number, or a sequence"),
        ({"prespecified": [1, float("nan")]}, "`prespecified` must be a finite number"),
        ({"prespecified": {"A": 1}}, "`prespecified` must name predictors; got 'A'.*'a'"),
        ({"prevalence": [0.1, 1]}, "`prevalence` must be a number strictly between 0 and 1"),
        ({"prevalence": []}, "`prevalence` must be one to 5 numbers"),
        ({"words": "woman"}, "`words` must be a dict of words"),
        ({"words": {"cas": "woman"}}, "`words` must be one of 'case'.*did you mean 'case'|'case'"),
        ({"words": {"case": " "}}, "`words` must be a dict of words, each a text"),
        ({"title": 5}, "`title` must be a text"),
        ({"source": 5}, "`source` must be a text"),
        ({"progress": 1}, "`progress` must be True or False"),
    ],
)
def test_wrong_options_write_nothing(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        report(small(), tmp_path / "report.html", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="`path` must lie in a directory that exists"):
        report(small(), tmp_path / "typo" / "report.html")


HOSTILE_NAME = '<script>alert(1)</script> =1+1 & "q"'


@pytest.fixture(scope="module")
def made():
    study = rs.Study(
        "diagnosis",
        ["area", "texture"],
        data=rs.load_breast_cancer(),
        pos_label="malignant",
        labels={"area": HOSTILE_NAME},
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
    return [block for block in blocks_of(made.on_paper) if isinstance(block, kind)]


def test_the_word_document_says_what_the_page_says(made, word):
    said = [paragraph.text for paragraph in word.paragraphs]
    document = made.on_paper
    headings = [p.text for p in word.paragraphs if p.style.name.startswith("Heading")]
    assert headings == [section.title for section in document.sections if section.title]
    assert said[0] == document.title
    for block in of_kind(made, ListBlock):
        assert set(block.items) <= set(said)
    for block in of_kind(made, Paragraph):
        for sentence in block.sentences:
            assert any(sentence.text in text for text in said), sentence.text
    assert any(HOSTILE_NAME in text for text in said)


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


@pytest.mark.parametrize("ending", [".html", ".docx", ".pdf"])
def test_the_ending_chooses_the_file(tmp_path, ending):
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    written = rs.report(study, tmp_path / f"report{ending}")
    begins = {".html": b"<!DOCTYPE html>", ".docx": b"PK", ".pdf": b"%PDF"}[ending]
    assert written.read_bytes().startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [written.name]


@pytest.mark.parametrize(("ending", "module"), [(".docx", "docx"), (".pdf", "typst")])
def test_without_the_library_of_a_format_the_message_names_the_extra(
    tmp_path, monkeypatch, ending, module
):
    monkeypatch.setitem(sys.modules, module, None)
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    with pytest.raises(InputError, match=r'pip install "rocstats\[files\]"'):
        rs.report(study, tmp_path / f"report{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("study", [None, 3, "cases.csv"])
def test_what_is_no_study_is_refused(tmp_path, study):
    with pytest.raises(rs.InputError, match="`study` must be a Study or a ReaderStudy; got"):
        rs.report(study, tmp_path / "report.html")
    classes = rs.MulticlassStudy(["a", "b"], {"m": {"a": [1, 2], "b": [2, 1]}})
    with pytest.raises(rs.InputError, match=r"; got MulticlassStudy\."):
        rs.report(classes, tmp_path / "report.html")
