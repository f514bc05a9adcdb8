"""The report of a reader study: what it says, asks and refuses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import docx
import pytest

import rocstats as rs
from rocstats.reports.readers import read_reader_options, reader_report
from tests.reports.pages import Page, tables_of, words_of
from tests.tables import hand_readers
from tests.tables.hand_study import Design, HandStudy


def document_of(study, **options):
    return reader_report(study, read_reader_options(study, **options)).document


def test_the_page_says_what_was_found_how_and_for_whom():
    study = HandStudy()
    document = document_of(study, prespecified=3, source="The data are in reads.csv.", style="jama")
    assert document.title == "CT alone and CT with AI read by 4 readers"
    assert document.subtitle == "40 cases; 16 had cancer (40%). 320 reads."
    words = words_of(document)
    said = [
        "The average AUC of 4 readers was 0.88 (95% CI, 0.77-0.94) with CT alone and 0.91",
        "The difference, CT alone minus CT with AI, was −0.03 (95% CI, −0.13 to 0.07), P=.51.",
        "results are meant for readers and cases like these",
        "Design: fully crossed: 2 modalities x 4 readers x 40 cases",
        "Readers: 1, 2, 3 and 4.",
        "Cases with cancer are labelled 1.",
        "Test that all averages are equal: F(1, 4.6) = 0.51, P=.51.",
        "With CT with AI, the readers' average minus AI alone was −0.03",
        "modality × reader | 0.00131",
        "by the method of Obuchowski and Rockette",
        "No random numbers were drawn.",
        "Whether those counted as having cancer truly had it.",
        "The data are in reads.csv.",
    ]
    assert [text for text in said if text not in words] == []
    titles = [section.title for section in document.sections]
    assert titles == [
        "", "What was studied", "The readers", "Readers and the machine", "Variance components",
        "Statistical methods", "What this report cannot say", "Data", "References",
    ]  # fmt: skip
    tables = tables_of(document)
    assert list(tables) == [
        "Areas of the readers, and their averages",
        "Rates at the rating set before the study",
        "Readers minus the machine",
        "Variance components of the areas",
    ]
    assert [row[0] for row in next(iter(tables.values())).rows] == ["1", "2", "3", "4", "Average"]


def test_the_study_is_asked_what_the_caller_wants():
    study = HandStudy()
    asked = {"readers": "fixed", "hypothesis": "non-inferiority", "margin": 0.1, "reference": "a"}
    document_of(study, comparison=asked, prespecified=3, confidence_level=0.9)
    level = {"confidence_level": 0.9}
    versus = {name: value for name, value in asked.items() if name != "reference"}
    assert study.asked == [
        ("auc", {"readers": "fixed", **level}),
        ("compare_auc None", {**asked, **level}),
        ("compare_auc reader", {**asked, **level, "adjust": "none"}),
        ("operating_points", {"threshold": 3.0, "readers": "fixed", **level}),
        ("compare_with", {**versus, **level}),
    ]


def test_what_the_study_does_not_allow_is_left_out_with_the_reason():
    words = words_of(document_of(HandStudy(), comparison={"covariance": "delong"}))
    assert "Variance components cannot be given: no components of this covariance." in words
    assert "modality × reader" not in words


def test_one_modality_has_no_differences():
    study: Any = HandStudy(modalities=("plain",), machines=(), readers=("1",))
    study.auc = lambda **_: hand_readers.areas().query("modality == 'plain'")
    study.roc_curve = lambda: hand_readers.curves(("plain",))
    document = document_of(study)
    assert document.title == "CT alone read by 1 reader"
    words = words_of(document)
    assert "difference" not in words.partition("Statistical")[0].lower()
    assert "Readers minus" not in words


def test_nested_readers_have_no_differences_of_their_own():
    study = HandStudy(design=Design(pattern="readers nested in modalities"))
    words = words_of(document_of(study))
    assert "No reader read under two modalities" in words
    assert "Differences of each reader" not in words
    assert "compare_auc reader" not in {name for name, _ in study.asked}


def test_clusters_groups_missing_reads_and_rows_left_out_are_said():
    role = SimpleNamespace(labels=["u", "v"])
    study = HandStudy(cluster=role, group=role, n_dropped=1, design=Design(n_missing=12))
    words = words_of(document_of(study))
    for text in (
        "12 of the reads of a fully crossed study are missing.",
        "They come from 2 clusters, within which results may be alike.",
        "They are in 2 groups (u and v), analysed apart.",
        "Left out for a missing value: 1 row.",
    ):
        assert text in words


def test_the_page_is_one_file_without_an_explorer(tmp_path):
    path = rs.report(HandStudy(), tmp_path / "report.html", title="Two <readings>")
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert "Two <readings>" in page.words
    assert page.tags.count("svg") == 2
    assert "script" not in page.tags
    assert "src=" not in text.replace("style-src", "").replace("script-src", "")


def test_the_word_document_has_the_same_content(tmp_path):
    path = rs.report(HandStudy(), tmp_path / "report.docx", style="jama")
    document = docx.Document(str(path))
    assert len(document.tables) == 3
    assert len(document.inline_shapes) == 2
    assert "0.88 (0.77 to 0.94)" in document.tables[0].rows[5].cells[1].text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": 0.1}, "`prevalence` must be left out in a report of a reader study"),
        ({"criterion": "product"}, "`criterion` must be left out"),
        ({"band": "smoothed-score"}, "`band` must be left out"),
        ({"rng": 1}, "`rng` must be left out"),
        ({"prespecified": [1, 2]}, "`prespecified` must be one rating"),
        ({"prespecified": True}, "`prespecified` must be one rating"),
        ({"comparison": "fixed"}, "`comparison` must be a dict of options"),
        ({"title": 3}, "`title`"),
        ({"style": "none"}, "`style`"),
    ],
)
def test_options_that_are_not_possible_are_refused(options, message, tmp_path):
    with pytest.raises(rs.InputError, match=message):
        rs.report(HandStudy(), tmp_path / "r.html", **options)


def test_a_binary_study_has_no_comparison_of_modalities(ct, tmp_path):
    with pytest.raises(
        rs.InputError, match="`comparison` must be left out except for a reader study"
    ):
        rs.report(ct, tmp_path / "r.html", comparison={"readers": "fixed"})


def test_a_table_too_wide_for_a_page_is_several():
    names = ("plain", "aided", "c", "d", "e")
    first = hand_readers.areas().query("modality == 'plain'")
    study: Any = HandStudy(modalities=names, machines=())
    study.auc = lambda **_: hand_readers.stacked([first.assign(modality=name) for name in names])
    study.roc_curve = lambda: hand_readers.curves(names)
    caption = "Areas of the readers, and their averages"
    tables = tables_of(document_of(study))
    first_part, second = tables[caption], tables[f"{caption}, continued"]
    # Each cell has 22 characters: four columns beside the readers.
    assert len(first_part.heads) == 5
    assert [head.partition(",")[0] for head in second.heads] == [
        "Reader",
        "AUC",
        "Difference",
        "P value",
    ]
    assert first_part.footnote == ""
    assert "Cases: 16 positive, 24 negative." in second.footnote


def test_many_differences_leave_out_the_forest():
    study: Any = HandStudy()
    many = [hand_readers.by_reader().assign(reference=str(i)) for i in range(15)]
    study.compare_auc = lambda by=None, **_: (
        hand_readers.stacked(many) if by else hand_readers.comparison()
    )
    assert "Left out for room: the figure of 61 differences." in words_of(document_of(study))


@pytest.mark.parametrize("option", [{"by": "reader"}, {"confidence_level": 0.9}, {"reader": 1}])
def test_options_of_the_comparison_that_the_report_has_itself_are_refused(option):
    message = rf"must have only these options of compare_auc\(\).*got \['{next(iter(option))}'\]"
    with pytest.raises(rs.InputError, match=message):
        document_of(HandStudy(), comparison=option)
