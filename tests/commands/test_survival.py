"""The command about times to an event: what it prints, its files, its messages."""

from __future__ import annotations

import shlex
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import DESK, examples_of
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
def test_a_folder_has_the_report_its_tables_and_figures(run, refused):
    assert "--out report" in WRITTEN
    line = "survival patients.csv months event bilirubin --time 24 --prespecified 2 --out report"
    status, printed, _ = run(*line.split(), "--kind", "html")
    assert status == 0
    names = {line.rpartition("/")[2] for line in printed.splitlines() if line.startswith("report/")}
    assert names == {path.name for path in Path("report").iterdir()}
    assert names >= {"report.html", "auc_band.csv", "concordance.csv", "scores_1.png", "roc.svg"}
    text = Path("report/report.html").read_text(encoding="utf-8")
    for said in ("Figure 3.", "Table 3.", "By 24, the share with the condition was 0."):
        assert said in text
    assert len(rs.read_csv("report/operating_points.csv")) == 5
    assert "--force" in refused(*line.split(), "--kind", "html")
    assert run(*line.split(), "--kind", "html", "--force")[0] == 0


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_more_curves_than_axes_hold_are_left_out_with_a_sentence(run, tmp_path, patients):
    sites = patients.assign(site=np.arange(len(patients)) % 3)
    sites.to_csv(tmp_path / "sites.csv", index=False)
    line = ["survival", tmp_path / "sites.csv", "months", "event", "bilirubin", "albumin"]
    out = tmp_path / "report"
    status, printed, error = run(
        *line, "--group", "site", "--time", 24, "--out", out, "--kind", "html"
    )
    assert status == 0, error
    assert "auc_over_time.svg" in printed
    assert "roc.svg" not in printed
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "Left out for room: the figure of 6 ROC curves." in text


@pytest.mark.usefixtures("file")
def test_wrong_input_is_one_line_in_the_words_of_the_command(refused):
    line = ["survival", "patients.csv", "months", "event", "bilirubin"]
    for more, said in (
        ([], "--time must be given; got none"),
        (["--time", "0"], "--time must be a finite number > 0"),
        (["--time", "24", "--cause", "3"], "--cause must be the code of an event"),
        (["--time", "24", "--prespecified", "ast=2"], "--prespecified must name predictors"),
    ):
        assert said in refused(*line, *more).replace("`", "")


def test_codes_of_events_are_named_as_options(run, refused):
    """desk/event_codes.csv: 1 = censored, 2 = died; the youngest died, all told apart at 20."""
    line = ["survival", DESK / "event_codes.csv", "time", "status", "age", "--time", "20"]
    message = "`--event` must be given where no code of `EVENT` is 0; got 1 (6 patients), 2 (6)."
    assert f"{message} Pass --event and --censored." in refused(*line)
    error = refused(*line, "--event", "2")
    assert "`--censored` must be given where 0 does not mean censored" in error
    assert 'Pass --censored, or --censored "" if no patient is censored.' in error
    words = (
        "Of 12 patients, 6 had the event (code 2), none a competing event first, and 6 were"
        " censored (code 1)."
    )
    status, out, _ = run(*line, "--event", "2", "--censored", "1", "--methods")
    assert status == 0
    assert out.count(words) == 2  # in the result, and in the paragraph of methods
    assert f"{words} By 20, the AUC of age was 1.000 (95% CI " in out
    _, out, _ = run(*line, "--event", "1", "--event", "2")
    assert "12 had the event (codes 1, 2), none a competing" in out
    _, out, _ = run(*line, "--event", "2", "--censored", "")
    assert "6 had the event (code 2), 6 a competing event first (code 1), and none was" in out
    error = refused(*line, "--event", "dead", "--censored", "1")
    assert "`--event` must be codes of `EVENT`, which are 1 (6 patients), 2 (6); got" in error


@pytest.mark.usefixtures("file")
def test_the_report_says_which_code_was_the_event(run, patients):
    words = {0: "alive", 1: "dead", 2: "transplant"}
    patients.assign(event=[words[code] for code in patients["event"]]).to_csv("words.csv")
    line = "survival words.csv months event bilirubin --time 24 --event dead --censored alive"
    status, *_ = run(*line.split(), "--controls", "event-free", "--out", "report", "--kind", "html")
    assert status == 0
    text = unescape(Path("report/report.html").read_text(encoding="utf-8"))
    said = (
        'Of 40 patients, 21 had the event (code "dead"), 6 a competing event first (code'
        ' "transplant"), and 13 were censored (code "alive").'
    )
    assert text.count(said) == 2  # in what was studied, and in the methods
    assert "left out of areas and specificities after it, and count in predictive values" in text


def test_a_word_among_times_is_named(refused):
    """desk/s_lost.csv: one cell of the column of months says "lost"."""
    words = ("months", "status", "marker", "--time", "20")
    error = refused("survival", DESK / "s_lost.csv", *words)
    assert "`TIME` must be numbers; got 1 cell of text in column 'months': 'lost' (row 52)" in error


def test_notes_are_about_what_was_asked_for(run, tmp_path, monkeypatch):
    """Enough cases and controls at the time; few by the first times of the figure over time."""
    monkeypatch.chdir(tmp_path)
    k = np.arange(1, 201)
    table = pd.DataFrame({"months": k % 97 + 1.0, "event": (k % 3 > 0) * 1, "marker": k * 37 % 89})
    table.to_csv("many.csv", index=False)
    line = ["survival", "many.csv", "months", "event", "marker", "--time", "50"]
    status, _, error = run(*line)
    assert (status, error) == (0, "")
    status, _, error = run(*line, "--out", "report", "--kind", "html")
    assert (status, error) == (0, "")
    band = rs.read_csv("report/auc_band.csv")
    few = band["note"].str.contains("few-cases").sum()
    assert 0 < few < len(band)
    text = unescape(Path("report/report.html").read_text(encoding="utf-8"))
    assert f"At {few} of its {len(band)} times: one group is small (fewer than 20 cases" in text
    # Asked for, they are noted; of no option that a survival study lacks.
    status, _, error = run(*line, "--time", "3")
    assert error.count("rocstats: note: ") == 1
    assert error.endswith(" (few-cases)\n")


def test_the_report_of_python_names_the_command(tmp_path, patients):
    study = rs.SurvivalStudy("months", "event", "bilirubin", data=patients)
    with pytest.raises(rs.InputError, match="Use the command rocstats survival"):
        rs.report(study, tmp_path / "report.html")
