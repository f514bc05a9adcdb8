"""The command about times to an event: what it prints, its files, its messages."""

from __future__ import annotations

import shlex
from pathlib import Path

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import examples_of
from tests.inference.survival.studies import EVENT, SCORES, TIME

*PRINTED, WRITTEN = examples_of("survival")


@pytest.fixture
def patients():
    return pd.DataFrame(
        {
            "months": TIME * 4,
            "event": EVENT,
            "bilirubin": SCORES["s2"] / 5,
            "albumin": -SCORES["s1"],
        }
    )


@pytest.fixture
def file(tmp_path, patients, monkeypatch):
    monkeypatch.chdir(tmp_path)
    patients.to_csv("patients.csv", index=False)
    return tmp_path / "patients.csv"


@pytest.mark.usefixtures("file")
def test_examples_of_the_help_print_the_answers_of_the_study(run, patients):
    study = rs.SurvivalStudy("months", "event", "bilirubin", data=patients)
    rows = study.auc(time=[24, 60])
    status, printed, _ = run(*shlex.split(PRINTED[0])[1:])
    assert status == 0
    for _, row in rows.iterrows():
        found = f"{row['estimate']:.3f} (95% CI {row['ci_low']:.3f}-{row['ci_high']:.3f})"
        assert f"By {row['time']:g}, the AUC of bilirubin was {found}." in printed
    assert "1. Uno H, Cai T" not in printed  # only with --methods
    assert not any(line.startswith("0 ") for line in printed.splitlines())  # rows have no numbers
    low = rs.SurvivalStudy("months", "event", "albumin", data=patients, higher_is_positive=False)
    (area,) = low.auc(time=60)["estimate"]
    status, printed, _ = run(*shlex.split(PRINTED[1])[1:])
    assert status == 0
    assert f"By 60, the AUC of albumin was {area:.3f} (95% CI " in printed
    assert "Difference in AUC" in printed
    assert "1. Uno H, Cai T" in printed
    for form, said in (("markdown", "| Predictor"), ("latex", "toprule")):
        assert said in run(*shlex.split(PRINTED[0])[1:], "--format", form, "--digits", 2)[1]


@pytest.mark.usefixtures("file")
def test_a_folder_has_the_report_its_tables_and_figures(run):
    assert "--out report" in WRITTEN
    line = "survival patients.csv months event bilirubin --time 24 --prespecified 2 --out report"
    status, printed, _ = run(*line.split(), "--kind", "html")
    assert status == 0
    names = {line.rpartition("/")[2] for line in printed.splitlines() if line.startswith("report/")}
    tables = {"auc.csv", "auc_band.csv", "concordance.csv", "operating_points.csv", "roc_curve.csv"}
    pictures = {
        f"{name}.{end}" for name in ("roc", "auc_over_time", "scores_1") for end in ("svg", "png")
    }
    assert names == {"report.html", *pictures, *tables}
    text = Path("report/report.html").read_text(encoding="utf-8")
    for said in ("Figure 3.", "Table 3.", "By 24, the share with the condition was 0."):
        assert said in text
    assert len(rs.read_csv("report/operating_points.csv")) == 5
    status, printed, error = run(*line.split(), "--kind", "html")
    assert status == 2
    assert printed == ""  # refused before anything is computed
    assert "--force" in error
    assert run(*line.split(), "--kind", "html", "--force")[0] == 0


@pytest.mark.usefixtures("file")
def test_wrong_input_is_one_line_in_the_words_of_the_command(run):
    line = ["survival", "patients.csv", "months", "event", "bilirubin"]
    for more, said in (
        ([], "--time must be given; got none"),
        (["--time", "0"], "TIME must be a finite number > 0"),
        (["--time", "24", "--cause", "3"], "--cause must be the code of an event"),
        (["--time", "24", "--prespecified", "ast=2"], "--threshold must name predictors"),
    ):
        status, _, error = run(*line, *more)
        assert status == 2
        assert said in error.replace("`", "")


def test_the_report_of_python_names_the_command(tmp_path, patients):
    study = rs.SurvivalStudy("months", "event", "bilirubin", data=patients)
    with pytest.raises(rs.InputError, match="written by the command rocstats survival"):
        rs.report(study, tmp_path / "report.html")
