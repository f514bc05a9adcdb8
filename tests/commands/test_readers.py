"""The command about reader studies: what it prints, its files, its options."""

from __future__ import annotations

import shlex
from pathlib import Path

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import examples_of, reads

COLUMNS = "--truth truth --rating rating --reader reader --case case --modality modality"
WANTED = tuple(COLUMNS.split())


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "reads.csv"
    reads().to_csv(path, index=False)
    return path


@pytest.fixture
def study():
    return rs.ReaderStudy(
        "truth", "rating", data=reads(), reader="reader", case="case", modality="modality"
    )


# By the lines of the help: a table; a machine and fixed readers. The third writes a report.
SAID = (
    "Test that all averages are equal: F(1, 4.6) = 0.51, P=0.510.",
    "The average AUC of 4 readers was 0.750",
    "With aided, the readers' average minus score was",
)
*PRINTED, WRITTEN = examples_of("readers")


@pytest.mark.parametrize(("line", "said"), list(zip(PRINTED, SAID, strict=True)))
def test_examples_of_the_help_run(run, folder, line, said):
    status, printed, _ = run(*shlex.split(line)[1:])
    assert status == 0
    assert said in printed


def test_the_table_and_the_result_are_printed(run, file):
    status, printed, _ = run("readers", file, *WANTED, "--style", "nejm")
    assert status == 0
    last = next(line for line in printed.splitlines() if line.startswith("Average"))
    # Averages, difference and P value of the worked example.
    assert last.split()[1] == "0.880"
    assert "−0.027 (−0.125 to 0.072)" in last
    assert last.split()[-1] == "0.51"
    result = printed.rstrip().splitlines()[-1]
    assert result.startswith("The average AUC of 4 readers was 0.880 (95% CI, ")
    assert "The difference, plain minus aided, was −0.027 (95% CI, −0.125 to 0.072), P=0.51." in (
        result
    )


def test_the_folder_has_frames_tables_figures_and_the_page(run, refused, folder, study):
    words = (*shlex.split(WRITTEN)[1:], "--machine", "score", "--prespecified", "4")
    words = (*words, "--kind", "html")
    status, printed, _ = run(*words)
    assert status == 0
    # t = (0.05 - 0.026693)/0.037411 with 4.5965 degrees of freedom: one-sided 0.2814.
    assert "P=.28 for non-inferiority of plain with a margin of 0.05" in printed
    out = folder / "report"
    made = {path.name for path in out.iterdir()}
    assert {Path(line).name for line in printed.splitlines()[-len(made) :]} == made
    tables = {f"table_of_readers.{ending}" for ending in ("md", "docx", "xlsx")}
    assert made >= tables | {"report.html", "compare_with.csv", "readers.svg", "forest.png"}
    wanted = study.compare_auc(hypothesis="non-inferiority", margin=0.05)
    frame = rs.read_csv(out / "compare_auc.csv")
    pd.testing.assert_frame_equal(frame, wanted, check_frame_type=False)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "reads.csv (SHA-256 " in page
    assert "Rates at the rating set before the study" in page
    assert "which has report.html. Name another, or pass --force" in refused(*words)


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "| Reader |"), ("latex", "\\begin{table}")]
)
def test_formats(run, file, form, begins):
    status, printed, _ = run("readers", file, *WANTED, "--format", form)
    assert status == 0
    assert begins in printed
    assert "The average AUC of 4 readers" in printed


def test_options_reach_the_study(run, file, study):
    words = ("--readers", "fixed", "--covariance", "delong", "--level", "0.9", "--methods")
    status, printed, _ = run("readers", file, *WANTED, *words)
    assert status == 0
    row = study.compare_auc(readers="fixed", covariance="delong", confidence_level=0.9).iloc[-1]
    low, high = (f"{row[name]:.3f}".replace("-", "−") for name in ("ci_low", "ci_high"))
    assert f"(90% CI {low} to {high})" in printed
    assert "these very readers" in printed
    assert "1. Hanley JA" in printed


def test_low_ratings_of_a_modality_are_positive(run, file, tmp_path):
    turned = tmp_path / "turned.csv"
    table = reads()
    plain = table["modality"] == "plain"
    table.assign(rating=table["rating"].where(~plain, -table["rating"])).to_csv(turned, index=False)
    _, expected, _ = run("readers", file, *WANTED)
    _, printed, _ = run("readers", turned, *WANTED, "--lower", "plain")
    assert printed == expected


def test_labels_classes_and_missing_ratings(run, refused, tmp_path):
    data = reads().assign(truth=lambda d: d["truth"].map({1: "ill", 0: "well"}))
    data["rating"] = data["rating"].astype(float)
    data.loc[3, "rating"] = None
    path = tmp_path / "holes.csv"
    data.to_csv(path, index=False)
    words = ("--positive", "ill", "--label", "plain=CT alone", "--outcome-name", "cancer")
    assert "--missing" in refused("readers", path, *WANTED, *words)
    status, printed, _ = run("readers", path, *WANTED, *words, "--missing", "omit")
    assert status == 0
    assert "CT alone" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--readers", "fixed", "--cases", "fixed"), "`--cases` must be 'random'"),
        (("--readers", "some"), "`--readers` must be one of 'random', 'fixed'; got 'some'"),
        (("--hypothesis", "non-inferiority"), "`--margin`"),
        (("--modality", "arm"), "`--modality`"),
        (("--kind", "odt", "--out", "r"), "`--kind` must be one of 'html', 'docx', 'pdf'"),
    ],
)
def test_options_that_are_wrong(refused, file, words, message):
    assert message in refused("readers", file, *WANTED, *words)
