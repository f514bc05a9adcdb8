"""Files of data of every kind: what is told of how one was read, and what is refused."""

from __future__ import annotations

import io
import json
import runpy
import sys
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow.parquet import write_table  # type: ignore[import-untyped]

import rocstats as rs
from rocstats.study.files import reading_in_words


def test_what_was_found_is_plain_json(read):
    frame = read("a;b\n1,5;x\n", written="utf-8")
    about = frame.attrs["rocstats"]
    assert json.loads(json.dumps(about)) == about
    names = ("file", "format", "separator", "decimal", "encoding", "rows", "columns")
    assert [about[name] for name in names] == ["data.csv", "csv", ";", ",", "utf-8", 1, 2]


def test_a_sentence_says_what_is_not_the_default(read):
    assert reading_in_words(read("a,b\n1,2\n", written="utf-8-sig")) == ""
    assert reading_in_words(read("a\tb\n1\t2\n", ending="tsv")) == ""
    assert reading_in_words(read("a\tb\n1\t2\n")) == "read data.csv: separated by tab"
    german = read("ä;b\n1,5;2\n", written="cp1252")
    assert reading_in_words(german) == "read data.csv: separated by ;, decimal comma, cp1252"


def test_standard_input_is_text(monkeypatch):
    content = "ä;s\n1;0,5\n".encode("cp1252")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    frame = rs.read_table("-")
    assert frame.to_dict("list") == {"ä": [1], "s": [0.5]}
    about = frame.attrs["rocstats"]
    assert (about["file"], about["format"], about["separator"]) == ("-", "text", ";")


def test_other_kinds_and_no_files_are_refused(tmp_path):
    for name, message in {
        "old.xls": "must not be an old .xls file; got 'old.xls'. Save it as xlsx",
        "data.ods": "`path` must end in .csv, .tsv, .txt, .xlsx",
        "none.csv": "`path` must be a file",
    }.items():
        with pytest.raises(rs.InputError, match=message):
            rs.read_table(tmp_path / name)
    with pytest.raises(rs.InputError, match="must be the name of a file; got StringIO"):
        rs.read_table(io.StringIO("a,b"))


def test_an_error_without_text_is_named_by_its_kind(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(openpyxl, "load_workbook", fail)
    (tmp_path / "x.xlsx").write_bytes(b"")
    with pytest.raises(rs.InputError, match=r"got 'x.xlsx' \(MemoryError\)"):
        rs.read_table(tmp_path / "x.xlsx")


INDEXES: dict[str, pd.Index] = {
    "texts": pd.Index(["a", "b"], name="patient"),
    "whole numbers": pd.Index([7, 9], name="patient"),
    "row numbers": pd.RangeIndex(2, name="patient"),
    "two levels": pd.MultiIndex.from_arrays([["u", "v"], [1, 2]], names=["site", "patient"]),
    "a level without a name": pd.MultiIndex.from_arrays([[0, 1], [1, 2]], names=[None, "patient"]),
}


@pytest.mark.parametrize("kind", INDEXES)
def test_an_index_with_a_name_is_a_column_of_parquet(tmp_path, kind):
    path, index = tmp_path / "data.parquet", INDEXES[kind]
    frame = pd.DataFrame({"y": [1, 0], "s": [2.0, 1.0]}, index=index)
    frame.to_parquet(path)
    found = rs.read_table(path)
    names = [name for name in index.names if name]
    assert list(found) == [*names, "y", "s"]
    for name in names:
        assert found[name].tolist() == index.get_level_values(name).tolist()
    frame.rename(columns={"s": "patient"}).to_parquet(path)
    with pytest.raises(rs.InputError, match=r"got \['patient'\] more than once"):
        rs.read_table(path)


def test_an_index_without_a_name_is_numbers_of_rows_in_parquet(tmp_path):
    pd.DataFrame({"y": [1, 0]}, index=[5, 3]).to_parquet(tmp_path / "data.parquet")
    assert list(rs.read_table(tmp_path / "data.parquet")) == ["y"]


@pytest.mark.parametrize("other", ["a", " a"])
def test_two_columns_of_one_name_in_parquet_are_refused(tmp_path, other):
    write_table(pa.table([pa.array([1])] * 2, names=["a", other]), tmp_path / "a.parquet")
    with pytest.raises(rs.InputError, match=r"got \['a'\] more than once"):
        rs.read_table(tmp_path / "a.parquet")


def test_names_in_parquet_have_no_blanks_at_their_ends(tmp_path):
    frame = pd.DataFrame({"y ": [1, 0]}, index=pd.Index(["a", "b"], name=" id"))
    frame.to_parquet(tmp_path / "data.parquet")
    assert list(rs.read_table(tmp_path / "data.parquet")) == ["id", "y"]


# --- The small studies of tests/data/clinic -------------------------------------------------------

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
