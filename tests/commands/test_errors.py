from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


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
        ("compare", "DATA", "diagnosis", "area", "texture", "--sheet", "2"),
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
        "`OUTCOME` must hold two classes; got 3 labels: 'u', 'v', 'w'. Use rocstats classes,"
        " or add a column of one class against the rest.",
    ),
    "missing scores": (
        ("auc", "ROWS", "y", "holes"),
        "`SCORE` must have no missing values; got 1 of 'holes' (row 5). Pass --missing omit to"
        " leave these rows out, or fill them in.",
    ),
    "texts as scores": (
        ("auc", "ROWS", "y", "site"),
        "`SCORE` must be numbers; got 12 cells of text in column 'site': 'u' (row 2), 'v' (row 3),"
        " 'w' (row 4). Correct it, or empty these cells and pass --missing omit; or pass another"
        " column.",
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
        "`--frequency` must be whole numbers >= 0; got 0.5 in row 2 and 12 such values. Correct or"
        " remove these rows.",
    ),
    "folds of one class": (
        ("auc", "ROWS", "y", "s", "--fold", "y"),
        "`--fold` must leave both classes in every fold; got 0 positives and 6 negatives in fold"
        " '0'. Stratify the folds, or merge them.",
    ),
    "nothing to report": (
        ("report",),
        "`FILE OUTCOME SCORE...` must be given unless --example is; got too few of them. A file"
        " of two by two tables is passed as --tables FILE. See:"
        " rocstats report --help.",
    ),
}


def test_notes_speak_of_options(run, tmp_path):
    path = tmp_path / "falling.csv"
    score = np.r_[np.arange(30), np.arange(27, 57)]  # lower scores of positives
    pd.DataFrame({"y": np.repeat([1, 0], 30), "s": score}).to_csv(path, index=False)
    _, _, err = run("auc", path, "y", "s")
    assert "pass --lower if that is meant, or check which class is positive" in err
    rest = path.with_name("few.csv")
    pd.read_csv(path).iloc[20:40].to_csv(rest, index=False)
    _, _, err = run("auc", rest, "y", "s")
    assert "(rocstats auc --interval effective-wilson covers closer to nominal)" in err


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        # Versions of click put these in other words.
        (("auc",), r"Missing argument 'FILE'\. See rocstats auc --help\."),
        (("auc", "--foo"), r"No such option:? '?--foo"),
        (("poinst",), r"Did you mean .*'points'"),
        (("auc", "f", "y", "s", "--level", "high"), "Invalid value for '--level': "),
        (("auc", "f", "y", "s", "--level"), r"'--level' requires an argument\. See rocstats"),
    ],
)
def test_a_command_that_cannot_be_read_is_one_line_and_status_2(run, words, message):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("rocstats: error: ")
    assert re.search(message, err)
    assert err.count("\n") == 1


def test_without_arguments_the_help_is_printed(run):
    status, out, err = run()
    assert status == 2
    assert "Exit status: 0 done" in out
    assert err == ""


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
