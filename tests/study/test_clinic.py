"""The small studies of tests/data/clinic: read by default, and asked by the command."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from rocstats import cli

CLINIC = Path(__file__).parents[1] / "data" / "clinic"
GERMAN = {
    "Patient ID": "i",
    "Prüfgröße (µg/l)": "f",
    "Läsionsgröße": "f",
    "Diagnose": "O",
    "Albumin": "f",
}
KINDS = {
    "german.csv": GERMAN,
    "german_cp1252.csv": GERMAN,
    "sheets.xlsx": GERMAN,
    "two_tests_missing.csv": dict.fromkeys(["disease", "sex", "centre"], "O")
    | dict.fromkeys(["test_a", "test_b"], "f"),
    "ratings.csv": dict.fromkeys(["rating", "status", "n"], "i"),
    "two_by_two.csv": {"test": "O"} | dict.fromkeys(["tp", "fp", "fn", "tn"], "i"),
    "folds.csv": dict.fromkeys(["case", "repeat", "fold", "y"], "i")
    | dict.fromkeys(["logistic", "forest"], "f"),
}


def cells(path):
    return [list(sheet.values) for sheet in openpyxl.load_workbook(path).worksheets]


def test_the_script_makes_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(CLINIC / "make.py"), run_name="__main__")
    assert cells(tmp_path / "sheets.xlsx") == cells(CLINIC / "sheets.xlsx")
    for name in set(KINDS) - {"sheets.xlsx"}:
        assert (tmp_path / name).read_bytes() == (CLINIC / name).read_bytes(), name


@pytest.mark.parametrize("name", KINDS)
def test_columns_have_their_kind(name):
    frame = rs.read_table(CLINIC / name)
    assert {column: frame[column].dtype.kind for column in frame} == KINDS[name]


def test_the_german_tables_are_one():
    frame = rs.read_table(CLINIC / "german.csv")
    assert set(frame["Diagnose"]) == {"bösartig", "gutartig"}
    assert frame["Prüfgröße (µg/l)"].isna().sum() == 3
    for name in ("german_cp1252.csv", "sheets.xlsx"):
        assert rs.read_table(CLINIC / name).equals(frame)


SAID = {
    "german.csv": "separated by ;, decimal comma",
    "german_cp1252.csv": "separated by ;, decimal comma, cp1252",
    "sheets.xlsx": "sheet 'Data' of 'Read me', 'Data'",
}
LESIONS = ["Diagnose", "Prüfgröße (µg/l)", "Albumin", "--positive", "bösartig"]
LESIONS += ["--lower", "Albumin", "--cluster", "Patient ID", "--missing", "omit"]
TESTS = ["disease", "test_a", "test_b", "--positive", "yes", "--missing", "omit"]
ASKED = {
    "german.csv": LESIONS,
    "german_cp1252.csv": LESIONS,
    "sheets.xlsx": [*LESIONS, "--sheet", "Data"],
    "two_tests_missing.csv": TESTS,
    "ratings.csv": ["status", "rating", "--frequency", "n"],
    "folds.csv": ["y", "logistic", "forest", "--fold", "fold"],
}


@pytest.mark.parametrize("name", ASKED)
def test_the_command_asks_each(name, capsys, monkeypatch):
    words = ["rocstats", "auc", str(CLINIC / name), *ASKED[name], "--format", "csv"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    printed = capsys.readouterr()
    assert not stop.value.code, printed.err
    assert printed.out.startswith("predictor,")
    said = [line for line in printed.err.splitlines() if ": note: " not in line]
    assert said == [f"rocstats: read {name}: {SAID[name]}"] if name in SAID else not said
