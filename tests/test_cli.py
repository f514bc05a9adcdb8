from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs
from rocstats import cli


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; return exit status, standard output and error."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["rocstats", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        printed = capsys.readouterr()
        return stop.value.code or 0, printed.out, printed.err

    return call


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "patients.csv"
    rs.load_breast_cancer().to_csv(path, index=False)
    return path


WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


def expected_auc():
    frame = rs.load_breast_cancer()
    return rs.Study("diagnosis", ["area", "texture"], data=frame, pos_label="malignant").auc()


def test_csv_holds_every_digit(run, data, tmp_path):
    status, out, _ = run("auc", data, *WANTED, "--format", "csv")
    (tmp_path / "out.csv").write_text(out, encoding="utf-8")
    assert status == 0
    pd.testing.assert_frame_equal(rs.read_csv(tmp_path / "out.csv"), expected_auc())


def test_json_holds_every_digit(run, data):
    _, out, _ = run("auc", data, *WANTED, "--format", "json")
    rows = json.loads(out)
    assert rows[0]["estimate"] == expected_auc()["estimate"][0]
    assert rows[0]["p_value"] is None


@pytest.mark.parametrize(
    ("form", "mark"), [("text", "area"), ("markdown", "| area |"), ("latex", r"\begin{tabular}")]
)
def test_tables_in_print(run, data, form, mark):
    status, out, _ = run("compare", data, *WANTED, "--format", form, "--style", "jama")
    assert status == 0
    assert mark in out
    assert "P value" in out


@pytest.mark.parametrize("ending", ["tsv", "parquet", "xlsx"])
def test_other_kinds_of_files(run, data, tmp_path, ending):
    frame = pd.read_csv(data)
    path = tmp_path / f"patients.{ending}"
    write = {
        "tsv": lambda: frame.to_csv(path, sep="\t", index=False),
        "parquet": lambda: frame.to_parquet(path),
        "xlsx": lambda: frame.to_excel(path, index=False),
    }
    write[ending]()
    assert run("auc", path, *WANTED)[1] == run("auc", data, *WANTED)[1]


def test_roles_and_directions_reach_the_study(run, tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "sick": np.tile([1.0, 0.0], 40),
            "s": rng.normal(size=80),
            "who": np.repeat(range(40), 2),
            "site": np.repeat(["u", "v"], 40),
            "n": 2,
            "cv": np.tile(np.repeat([0, 1], 20), 2),
        }
    )
    frame.loc[3, "s"] = np.nan
    frame.to_csv(tmp_path / "d.csv", index=False)
    words = (
        "--positive",
        "1",
        "--lower",
        "s",
        "--cluster",
        "who",
        "--group",
        "site",
        "--frequency",
        "n",
        "--fold",
        "cv",
        "--missing",
        "omit",
        "--level",
        "0.9",
    )
    status, out, err = run("auc", tmp_path / "d.csv", "sick", "s", *words, "--format", "json")
    assert status == 0
    study = rs.Study(
        "sick",
        "s",
        data=frame,
        higher_is_positive=False,
        cluster="who",
        group="site",
        frequency="n",
        fold="cv",
        nan_policy="omit",
    )
    expected = study.auc(confidence_level=0.9)
    for row, (_, other) in zip(json.loads(out), expected.iterrows(), strict=True):
        assert row["ci_low"] == other["ci_low"]
        assert row["note"] == other["note"]
    assert "rocstats: note: few-clusters" in err


def test_resampled_intervals_are_repeated_by_their_seed(run, data):
    words = ("--interval", "bca", "--resamples", "300", "--seed", "4", "--format", "json")
    _, out, err = run("auc", data, *WANTED, *words)
    frame = rs.load_breast_cancer()
    study = rs.Study("diagnosis", ["area", "texture"], data=frame, pos_label="malignant")
    expected = study.auc(interval="bca", n_resamples=300, rng=4)
    assert [row["ci_low"] for row in json.loads(out)] == expected["ci_low"].tolist()
    assert err == ""


def test_the_report_and_its_files(run, data, tmp_path):
    out = tmp_path / "new" / "report"
    status, printed, _ = run("report", data, *WANTED, "--out", out)
    assert status == 0
    names = {
        "report.html",
        "auc.csv",
        "roc_curve.csv",
        "compare_auc.csv",
        "test_equal_auc.csv",
        "roc_band.csv",
        "roc.svg",
        "roc.png",
    }
    assert {path.name for path in out.iterdir()} == names
    assert {Path(line).name for line in printed.splitlines()} == names
    pd.testing.assert_frame_equal(rs.read_csv(out / "auc.csv"), expected_auc())
    assert (out / "roc.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_example_needs_no_arguments(run, tmp_path):
    status, _, _ = run("report", "--example", "--out", tmp_path / "r")
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert status == 0
    assert "malignan" in page


ERRORS = {
    "missing file": (
        ("auc", "nix.csv", "y", "s"),
        "`FILE` must be a file; got 'nix.csv'. Check the name.",
    ),
    "unknown ending": (
        ("auc", "data.ods", "y", "s"),
        "`FILE` must end in .csv, .tsv, .txt, .xlsx, .parquet, .sav, .zsav, .dta, .sas7bdat, .xpt;"
        " got 'data.ods'. Save the data as csv.",
    ),
    "another separator": (
        ("auc", "DATA", "diagnosis", "area", "--sep", ";"),
        "`--sep` must divide the header; got ';' and one column in 'patients.csv'. It looks"
        " separated by ,: pass --sep ','.",
    ),
    "a sheet of a text": (
        ("compare", "DATA", "diagnosis", "area", "--sheet", "2"),
        "`--sheet` must be left out for this kind of file; got '2' for 'patients.csv'. Leave it"
        " out.",
    ),
    "another decimal mark": (
        ("report", "DATA", "diagnosis", "area", "--decimal", "comma"),
        "`--decimal` must be one of None, '.', ','; got 'comma'. Pass one of these.",
    ),
    "words as labels": (
        ("auc", "DATA", "diagnosis", "area"),
        "`--positive` must be given for labels other than 0/1, -1/1 and booleans; got labels"
        " 'malignant', 'benign'. Pass the label of the positive class.",
    ),
    "unknown column": (
        ("compare", "DATA", "diagnosis", "area", "x", "--positive", "malignant"),
        "`SCORE` must name one column of `FILE`; got 'x', of which there is no column. The columns"
        " are ['diagnosis', 'concave_points', 'area', 'texture', 'symmetry', 'fractal_dimension'].",
    ),
    "level": (
        ("auc", "DATA", "diagnosis", "area", "--positive", "malignant", "--level", "95"),
        "`--level` must be a number strictly between 0 and 1; got 95.0. Pass a value inside"
        " (0, 1).",
    ),
    "interval": (
        ("auc", "DATA", "diagnosis", "area", "--positive", "malignant", "--interval", "bootstrap"),
        "`--interval` must be one of 'logit', 'wald', 'probit', 'logit-t', 'newcombe',"
        " 'hanley-mcneil-score', 'exact', 'effective-wilson', 'percentile',"
        " 'bca'; got 'bootstrap'. Pass one of these.",
    ),
    "mistyped interval": (
        ("auc", "DATA", "diagnosis", "area", "--positive", "malignant", "--interval", "wlad"),
        "`--interval` must be one of 'logit', 'wald', 'probit', 'logit-t', 'newcombe',"
        " 'hanley-mcneil-score', 'exact', 'effective-wilson', 'percentile',"
        " 'bca'; got 'wlad'. Did you mean 'wald'?",
    ),
    "interval over folds": (
        ("auc", "ROWS", "y", "s", "--fold", "part", "--interval", "newcombe"),
        "`--interval` must rest on a variance when the study has folds, whose area is a mean; got"
        " 'newcombe'. Use 'logit', 'wald', 'probit' or 'logit-t'.",
    ),
    "few resamples": (
        ("auc", "ROWS", "y", "s", "--interval", "bca", "--resamples", "5"),
        "`--resamples` must be a whole number >= 100; got 5. Use 2000 or more for printed results.",
    ),
    "label that is not there": (
        ("auc", "ROWS", "y", "s", "--positive", "7"),
        "`--positive` must be one of the labels of `OUTCOME`: 0, 1; got '7'. Pass one of them.",
    ),
    "one class": (
        ("auc", "ROWS", "all", "s"),
        "`OUTCOME` must hold both classes; got 12 positives (label 1) and 0 negatives. Check"
        " `--positive`, and that cases of both classes are in the data.",
    ),
    "several classes": (
        ("auc", "ROWS", "site", "s", "--positive", "u"),
        "`OUTCOME` must hold two classes; got 3 labels: 'u', 'v', 'w'. Add a column of one class"
        " against the rest.",
    ),
    "missing scores": (
        ("auc", "ROWS", "y", "holes"),
        "`SCORE` must have no missing values; got 1 of 'holes' (row 3). Pass --missing omit to"
        " leave these rows out, or fill them in.",
    ),
    "texts as scores": (
        ("auc", "ROWS", "y", "site"),
        "`SCORE` must be numbers; got the text 'u'. Correct it, or pass another column.",
    ),
    "outcome as score": (
        ("auc", "ROWS", "y", "y"),
        "`SCORE` must not hold the outcome; got the column 'y' in both. Leave it out.",
    ),
    "a score twice": (
        ("compare", "ROWS", "y", "s", "s"),
        "`SCORE` must have unique names; got ['s'] more than once. Name each column once.",
    ),
    "one score to compare": (
        ("compare", "ROWS", "y", "s"),
        "`SCORE` must be two columns or more; got 1. Name those to compare.",
    ),
    "direction of no score": (
        ("auc", "ROWS", "y", "s", "--lower", "t"),
        "`--lower` must name predictors; got ['t']. The predictors are ['s'].",
    ),
    "unknown cluster": (
        ("auc", "ROWS", "y", "s", "--cluster", "interval"),
        "`--cluster` must name one column of `FILE`; got 'interval', of which there is no column."
        " The columns are ['y', 's', 'holes', 'all', 'part', 'site', 'n', 'n_resamples'].",
    ),
    "frequencies": (
        ("auc", "ROWS", "y", "s", "--frequency", "n"),
        "`--frequency` must be whole numbers >= 0; got 0.5 in row 0 and 12 such values. Correct or"
        " remove these rows.",
    ),
    "folds of one class": (
        ("auc", "ROWS", "y", "s", "--fold", "y"),
        "`--fold` must leave both classes in every fold; got 0 positives and 6 negatives in fold"
        " '0'. Stratify the folds, or merge them.",
    ),
    "nothing to report": (
        ("report",),
        "`FILE OUTCOME SCORE...` must be given unless --example is; got too few of them. See:"
        " rocstats report --help.",
    ),
}


@pytest.fixture
def rows(tmp_path):
    """A file of twelve cases, each of its columns wrong for something."""
    columns = {
        "y": [0, 1] * 6,
        "s": range(12),
        "holes": [0, 1, 2, None, *range(8)],
        "all": 1,
        "part": [1, 1, 2, 2] * 3,
        "site": ["u", "v", "w"] * 4,
        "n": 0.5,
        "n_resamples": 1,
    }
    path = tmp_path / "rows.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def test_notes_speak_of_options(run, tmp_path):
    path = tmp_path / "falling.csv"
    score = np.r_[np.arange(30), np.arange(27, 57)]  # lower scores of positives
    pd.DataFrame({"y": np.repeat([1, 0], 30), "s": score}).to_csv(path, index=False)
    _, _, err = run("auc", path, "y", "s")
    assert "pass --lower if that is meant, and check --positive" in err
    rest = path.with_name("few.csv")
    pd.read_csv(path).iloc[20:40].to_csv(rest, index=False)
    _, _, err = run("auc", rest, "y", "s")
    assert "(of an AUC, that of auc --interval effective-wilson is closer to it)" in err


def test_words_of_options_are_understood_in_any_case(run, data):
    plain = run("auc", data, *WANTED, "--style", "jama", "--format", "markdown")
    same = ["--style", "JAMA", "--format", "Markdown", "--interval", "Logit_T", "--missing", "OMIT"]
    assert run("auc", data, *WANTED, *same) == plain


@pytest.mark.parametrize("name", list(ERRORS))
def test_errors_are_one_line_and_status_2(run, data, rows, name):
    words, message = ERRORS[name]
    files = {"DATA": data, "ROWS": rows}
    status, out, err = run(*(files.get(word, word) for word in words))
    assert (status, out) == (2, "")
    assert err == f"rocstats: error: {message}\n"


@pytest.mark.parametrize("content", [b"", b"PAR1 no parquet", b"\xff\xfe\x00bad"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_broken_files_are_one_line_and_status_2(run, tmp_path, content, ending):
    path = tmp_path / f"broken.{ending}"
    path.write_bytes(content)
    status, _, err = run("auc", path, "y", "s")
    assert status == 2
    assert err.startswith("rocstats: error: `")
    assert err.count("\n") == 1


def test_doubt_about_a_file_names_the_options(run, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("y,a;s\n1,5;2\n", encoding="utf-8")
    assert "Pass --sep ',' or --sep ';'." in run("auc", path, "y", "s")[2]
    path.write_text("y;s;t\n1;1,234;0.5\n0;2,345;0.25\n", encoding="utf-8")
    assert "Pass --decimal ',' or --decimal '.'" in run("auc", path, "y", "s")[2]
    status, out, err = run("auc", path, "y", "s", "--decimal", ",", "--format", "json")
    assert (status, json.loads(out)[0]["estimate"]) == (0, 0)
    assert err.startswith("rocstats: read two.csv: separated by ;, decimal comma\n")


def test_a_dash_is_standard_input(run, monkeypatch):
    text = "y;s\n1;0,5\n0;0,25\n1;0,75\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-16"))))
    status, out, err = run("auc", "-", "y", "s", "--format", "json")
    assert (status, json.loads(out)[0]["estimate"]) == (0, 1)
    assert err.startswith("rocstats: read -: separated by ;, decimal comma, utf-16\n")


@pytest.mark.parametrize("positive", ["malignant", "1"])
def test_a_code_or_its_word_is_the_positive_class(run, tmp_path, positive):
    path = tmp_path / "study.sav"
    codes = pd.DataFrame({"dx": [1.0, 0.0, 1.0, 0.0], "s": [4.0, 1.0, 3.0, 2.0]})
    words = {"dx": {0: "benign", 1: "malignant"}}
    pyreadstat.write_sav(codes, path, variable_value_labels=words)
    status, out, _ = run("auc", path, "dx", "s", "--positive", positive, "--format", "json")
    assert (status, json.loads(out)[0]["estimate"]) == (0, 1)


def test_an_arm_called_na_is_not_dropped(run, tmp_path):
    lines = [f"{k % 2},{k},{arm}" for arm in ("NA", "drug") for k in range(8)]
    path = tmp_path / "arms.csv"
    path.write_text("\n".join(["y,s,arm", *lines]), encoding="utf-8")
    words = ("auc", path, "y", "s", "--group", "arm", "--missing", "omit", "--format", "json")
    rows = json.loads(run(*words)[1])
    assert [(row["group"], row["n_pos"], row["n_neg"]) for row in rows] == [
        ("NA", 4, 4),
        ("drug", 4, 4),
    ]


def test_the_installed_command_runs():
    found = subprocess.run(
        [sys.executable, "-m", "rocstats", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == rs.__version__
