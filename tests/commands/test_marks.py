"""The command about marks of lesions: what it prints, its files, its options."""

from __future__ import annotations

import shlex

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import examples_of


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files of the examples of the help; there the reader AI is one of the readers."""
    monkeypatch.chdir(tmp_path)
    marks, cases, lesions = rs.load_marks_example()
    marks = marks.assign(
        reader=marks["reader"].map({0: "AI", 1: "r", 2: "s", 3: "t"}), model=marks["modality"]
    )
    for name, table in (("marks", marks), ("cases", cases), ("lesions", lesions)):
        table.to_csv(f"{name}.csv", index=False)
    return tmp_path


TABLES = ("--case-table", "cases.csv", "--lesion-table", "lesions.csv")
*PRINTED, WRITTEN = examples_of("marks")


@pytest.mark.parametrize(
    ("line", "said"),
    list(
        zip(
            PRINTED,
            (
                "The difference, A minus B, was 0.147 (95% CI 0.045 to 0.249), P=0.009.",
                "The area under the wAFROC1 curve is the share of pairs",
            ),
            strict=True,
        )
    ),
)
def test_examples_of_the_help_run(run, files, line, said):
    if "--modality model" in line:  # an algorithm is one reader
        marks = pd.read_csv("marks.csv")
        marks[marks["reader"] == "AI"].to_csv("marks.csv", index=False)
    status, printed, _ = run(*shlex.split(line)[1:])
    assert status == 0
    assert said in printed


def test_a_folder_has_the_page_the_tables_and_the_figures(run, files):
    status, printed, said = run(
        *shlex.split(WRITTEN)[1:], "--modality", "modality", "--kind", "html"
    )
    assert status == 0, said
    assert "With A, the readers' average minus AI was −0.047 (95% CI −0.121 to 0.027)" in printed
    there = {path.name for path in (files / "report").iterdir()}
    assert there >= {"report.html", "auc.csv", "froc.svg", "wafroc.png", "compare_with.csv"}
    page = (files / "report" / "report.html").read_text(encoding="utf-8")
    assert "A mark counts as on a lesion if: ____" in page
    assert "25 with 49 lesions, 30 without" in page
    areas = rs.read_csv(files / "report" / "auc.csv")
    marks, cases, lesions = (pd.read_csv(f"{name}.csv") for name in ("marks", "cases", "lesions"))
    study = rs.DetectionStudy(
        marks, cases, lesions, reader="reader", modality="modality", machine="AI"
    )
    pd.testing.assert_frame_equal(pd.DataFrame(areas), pd.DataFrame(study.auc()))


def test_one_algorithm_has_a_sentence(run, files):
    marks = pd.read_csv("marks.csv").query("reader == 'AI'")
    marks.to_csv("marks.csv", index=False)
    status, printed, _ = run("marks", "marks.csv", *TABLES, "--modality", "modality")
    assert status == 0
    assert "The area under the wAFROC curve of the reader was 0.879" in printed
    assert "The difference, A minus B, was 0.194" in printed


def test_wrong_files_are_refused_in_words_of_the_command(refused, files):
    assert "`--rating` must name one column of `MARKS`" in refused(
        "marks", "marks.csv", *TABLES, "--rating", "score"
    )
    assert "`--machine` must be a reader of the marks" in refused(
        "marks", "marks.csv", *TABLES, "--reader", "reader", "--machine", "robot"
    )
    pd.DataFrame({"case": [30], "lesion": [0]}).to_csv("lesions.csv", index=False)
    assert "in the table `--lesion-table`" in refused("marks", "marks.csv", *TABLES)


def test_the_report_of_python_names_the_command(tmp_path):
    study = rs.DetectionStudy(*rs.load_marks_example(), reader="reader", modality="modality")
    with pytest.raises(rs.InputError, match="rocstats marks"):
        rs.report(study, tmp_path / "report.html")
