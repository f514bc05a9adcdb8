"""The report command: its files, its options, and what it says of files that it cannot write."""

from __future__ import annotations

import shlex
from pathlib import Path

import pandas as pd
import pytest

import rocstats as rs
from rocstats.commands import report
from tests.commands.conftest import CLINIC, examples_of

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant", "--criterion", "none")
# The page alone is what most of these tests read.
PAGE = ("--kind", "html")
# A report of yes/no tests has no figures, which take most of the time.
TABLES = ("--tables", CLINIC / "two_by_two.csv")


def page_of(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_report_and_its_files(run, data, study, tmp_path):
    out = tmp_path / "new" / "report"
    status, printed, said = run("report", data, *WANTED, "--prespecified", "area=600", "--out", out)
    assert status == 0
    assert "no report" not in said
    made = {path.name for path in out.iterdir()}
    assert {Path(line).name for line in printed.splitlines()} == made
    assert made >= {"report.html", "report.docx", "auc.csv", "compare_auc.csv", "roc.svg"}
    pd.testing.assert_frame_equal(rs.read_csv(out / "auc.csv"), study.auc(null_value=0.5))
    assert (out / "roc.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (out / "report.docx").read_bytes()[:2] == b"PK"
    assert (out / "report.pdf").read_bytes()[:4] == b"%PDF"
    assert "Seed of the resamples: 1." in page_of(out)


def test_a_name_has_blanks_for_its_underscores_unless_a_label_names_it(run, tmp_path):
    file = tmp_path / "cases.csv"
    cases = {"ill": [0, 1] * 10, "new_score": [*range(20)], "old_score": [*range(10, 30)]}
    pd.DataFrame(cases).to_csv(file, index=False)
    words = ("--criterion", "none", "--label", "old_score=Previous", *PAGE, "--out", tmp_path / "r")
    assert run("report", file, "ill", "new_score", "old_score", *words)[0] == 0
    page = page_of(tmp_path / "r")
    assert "new score points more to the condition" in page
    assert "Previous" in page
    assert "old score" not in page


# By the lines of the help: a study, cutoffs and words, risks, yes/no tests, and no arguments.
SAID = (
    ("patients.csv (SHA-256 ",),
    ("of 100 with cancer", "Set before the study", "patients.csv (SHA-256 "),
    ("The net benefit of model is then",),
    ("two_by_two.csv (SHA-256 ", "670"),
    ("of 100 with cancer",),
)


@pytest.mark.parametrize(("line", "said"), list(zip(examples_of("report"), SAID, strict=True)))
def test_examples_of_the_help_run(run, folder, line, said):
    words = shlex.split(line)[1:]
    status, out, _ = run(*words)
    assert status == 0
    assert out
    made = folder / words[words.index("--out") + 1]
    page = page_of(made)
    assert [text for text in said if text not in page] == []
    if "--prevalence" in words:
        assert 0.05 in set(rs.read_csv(made / "predictive_values.csv")["prevalence"])


def test_a_report_is_replaced_only_if_forced(run, refused, tmp_path):
    table = tmp_path / "operating_points.csv"
    table.write_text("mine", encoding="utf-8")
    words = ("report", *TABLES, *PAGE, "--out", tmp_path)
    assert "which has operating_points.csv. Name another, or pass --force" in refused(*words)
    assert list(tmp_path.iterdir()) == [table]
    assert table.read_text(encoding="utf-8") == "mine"
    assert run(*words, "--force")[0] == 0
    assert table.read_text(encoding="utf-8").startswith("predictor,")


def test_a_report_never_replaces_the_file_that_it_reads(refused, tmp_path):
    # The tests are the file of the answer, too.
    tests = tmp_path / "operating_points.csv"
    tests.write_bytes(TABLES[1].read_bytes())
    said = refused("report", "--tables", tests, *PAGE, "--out", tmp_path, "--force")
    assert "`--out` must be a different file from the data" in said
    assert tests.read_bytes() == TABLES[1].read_bytes()
    assert list(tmp_path.iterdir()) == [tests]


def test_a_folder_keeps_permissions_and_links_of_what_it_replaces(run, tmp_path):
    real, link = tmp_path / "elsewhere.csv", tmp_path / "r" / "operating_points.csv"
    link.parent.mkdir()
    real.write_text("old", encoding="utf-8")
    real.chmod(0o600)
    link.symlink_to(real)
    assert run("report", *TABLES, *PAGE, "--out", link.parent, "--force")[0] == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("predictor,")
    assert real.stat().st_mode & 0o777 == 0o600


def test_an_interrupt_leaves_no_folder(run, tmp_path, monkeypatch):
    def stop(*rest):
        raise KeyboardInterrupt

    # The page is made first, the tables after it.
    monkeypatch.setattr(report, "table_file", stop)
    assert run("report", *TABLES, *PAGE, "--out", tmp_path / "r")[0] == 130
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_is_there_is_refused_before_anything_is_asked(refused, data, tmp_path):
    (tmp_path / "report.html").write_text("mine", encoding="utf-8")
    said = refused("report", data, *WANTED, *PAGE, "--out", tmp_path)
    assert "which has report.html. Name another" in said


def test_tables_of_tests_need_no_cases(run, tmp_path):
    out = tmp_path / "r"
    status, _, said = run("report", *TABLES, *PAGE, "--out", out)
    assert status == 0
    assert "rapid: true positives 670, false positives 202" in said
    # 670 of 744, and 640 of 842.
    assert "670" in page_of(out)
    assert not (out / "roc.svg").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--kind", "odt"), "`--kind` must be one of 'html', 'docx', 'pdf'; got 'odt'"),
        (("--prespecified", "high"), "`--prespecified` must be a number, or SCORE=NUMBER"),
        (("--word", "animal=cow"), "'animal'"),
        (("--tables", "t.csv"), "`--tables` must be the only file"),
    ],
)
def test_options_that_are_wrong(refused, data, tmp_path, words, message):
    assert message in refused("report", data, *WANTED, *words, "--out", tmp_path / "r")
    assert not (tmp_path / "r").exists()


# What a user without the extra has: the package alone writes the page.
NEEDS = 'pip install "rocstats[files]"'


def test_without_the_extra_the_page_is_written_and_the_rest_named(run, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    out = tmp_path / "r"
    status, _, said = run("report", *TABLES, "--out", out)
    assert status == 0
    for kind in ("docx", "pdf"):
        assert f"no report.{kind}: it needs {NEEDS}" in said
    assert {path.name for path in out.glob("report.*")} == {"report.html"}


@pytest.mark.parametrize("kind", ["docx", "pdf"])
def test_a_kind_that_is_asked_for_needs_the_extra(refused, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    said = refused("report", *TABLES, *PAGE, "--kind", kind, "--out", tmp_path / "r")
    assert (
        f"a format that can be written on this computer; got '{kind}', which needs {NEEDS}." in said
    )
    assert not (tmp_path / "r").exists()


def test_single_scores_are_in_no_file_unless_asked_for(run, data, tmp_path):
    told = {}
    for wanted in ("counts", "exact", "none"):
        out = tmp_path / wanted
        words = ("--explorer", wanted, *PAGE, "--out", out)
        status, _, told[wanted] = run("report", data, *WANTED, *words)
        assert status == 0
        assert (out / "roc_curve.csv").exists() == (wanted == "exact")
    assert "have the score of every patient" in told["exact"]
    assert all("no file has the scores of single patients" in told[it] for it in ("counts", "none"))


def test_a_table_of_counts_has_nothing_to_hide(run, tmp_path):
    words = ("status", "rating", "--frequency", "n", "--criterion", "none", *PAGE)
    status, _, said = run("report", CLINIC / "ratings.csv", *words, "--out", tmp_path / "r")
    assert status == 0
    assert "the data are a table of counts" in said
    assert (tmp_path / "r" / "roc_curve.csv").exists()
