"""Files of data: what is missing, what is refused, and that no cell changes its column."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow.parquet import write_table  # type: ignore[import-untyped]

import rocstats as rs
from rocstats.study.files import read_table

ENDINGS = ("csv", "tsv", "xlsx")


@pytest.fixture(params=ENDINGS)
def write(request, tmp_path):
    """Write a header and rows of text to a file of each kind that holds cells."""

    def call(*lines):
        rows = [line.split(",") for line in lines]
        path = tmp_path / f"data.{request.param}"
        if request.param == "xlsx":
            cells = [[_cell(text) for text in row] for row in rows]
            pd.DataFrame(cells).to_excel(path, header=False, index=False)
        else:
            mark = "\t" if request.param == "tsv" else ","
            path.write_text("\n".join(map(mark.join, rows)) + "\n", encoding="utf-8")
        return path

    return call


def _cell(text):
    try:
        return text if text in ("NaN", "1_0") else float(text)
    except ValueError:
        return text or None


@pytest.mark.parametrize("fields", ["1,0.5,", "1"])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_line_of_another_length_is_refused(tmp_path, fields, ending):
    path = tmp_path / f"data.{ending}"
    text = f"y,s\n1,0.5\n\n{fields}\n"
    path.write_text(text.replace(",", "\t") if ending == "tsv" else text, encoding="utf-8")
    with pytest.raises(rs.InputError) as refused:
        read_table(path)
    assert str(refused.value) == (
        "`path` must have as many fields in each line as in its header, 2; got"
        f" {fields.count(',') + 1} in line 4 of '{path.name}'. Remove or add a separator there, or"
        " quote the field that holds one."
    )


def test_a_trailing_comma_in_every_line_shifts_no_column(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("y,s,\n1,0.5,\n0,0.1,\n", encoding="utf-8")
    assert read_table(path).to_dict("list") == {"y": [1, 0], "s": [0.5, 0.1]}
    path.write_text("y,s\n1,0.5,\n0,0.1,\n", encoding="utf-8")
    with pytest.raises(rs.InputError, match="got 3 in line 2"):
        read_table(path)


def test_two_columns_of_one_name_are_refused(write):
    with pytest.raises(rs.InputError) as refused:
        read_table(write("y,s,s", "1,2,3", "0,1,2"))
    assert "`path` must have another name for each column; got ['s'] more than once in" in str(
        refused.value
    )


def test_two_columns_of_one_name_in_parquet_are_refused(tmp_path):
    write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "a.parquet")
    with pytest.raises(rs.InputError, match=r"got \['a'\] more than once"):
        read_table(tmp_path / "a.parquet")


def test_among_words_only_the_empty_cell_is_missing(write):
    words = ["NA", "None", "null", "n/a", ".", "NaN"]
    table = read_table(write("arm,s", *[f"{word},1" for word in words], ",1"))
    assert table["arm"].tolist()[:-1] == words
    assert table["arm"].isna().tolist() == [False] * len(words) + [True]


def test_among_numbers_na_nan_and_a_dot_are_missing(write):
    table = read_table(write("y,s", "1,2.5", "0,NA", "1,NaN", "0,.", "1,", "0,1"))
    assert table["s"].isna().tolist() == [False, True, True, True, True, False]
    study = rs.Study("y", "s", data=table, nan_policy="omit")
    assert study.n_dropped == 4
    assert study.auc()["note"].str.contains("rows-dropped=4").all()


def test_an_arm_called_na_keeps_its_rows(write):
    rows = [f"{k % 2},{k},{arm}" for arm in ("NA", "drug") for k in range(8)]
    table = read_table(write("y,s,arm", *rows))
    study = rs.Study("y", "s", data=table, group="arm", nan_policy="omit")
    assert study.auc()["group"].tolist() == ["NA", "drug"]


def test_columns_have_the_kind_of_their_cells(write):
    table = read_table(write("n,x,b,t", "1,1e3,True,a", "-2,.5,False,1_0"))
    assert [table[name].dtype.kind for name in ("n", "x", "b")] == ["i", "f", "b"]
    assert table["x"].tolist() == [1000, 0.5]
    assert table["t"].tolist() == ["a", "1_0"]


def test_decimals_are_read_exactly(tmp_path, rng):
    values = rng.normal(size=200) * 10.0 ** rng.integers(-300, 300, 200)
    path = tmp_path / "data.csv"
    path.write_text("s\n" + "\n".join(map(repr, values.tolist())), encoding="utf-8")
    np.testing.assert_array_equal(read_table(path)["s"], values)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("last", [None, 7])
def test_integers_that_would_tie_are_refused(tmp_path, ending, last):
    path = tmp_path / f"data.{ending}"
    scores = pd.array([2**53, 2**53 + 1, 5, last], dtype="Int64")
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "s": scores})
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    with pytest.raises(rs.InputError, match=r"got integers beyond 2\*\*53"):
        rs.Study("y", "s", data=read_table(path), nan_policy="omit")


def test_a_number_too_long_for_a_float_keeps_its_digits_beside_decimals(tmp_path):
    (tmp_path / "data.csv").write_text("s,n\n9007199254740993,1\n0.5,-2\n,+3\n", encoding="utf-8")
    table = read_table(tmp_path / "data.csv")
    assert table["s"].tolist() == [2**53 + 1, 0.5, None]
    assert table["n"].tolist() == [1, -2, 3]
    assert table["n"].dtype == np.int64


def test_whole_numbers_stay_whole_beside_a_missing_one(write):
    table = read_table(write("y,s,site", "1,4,3", "0,2,3", "1,3,12", "0,1,12", "0,1,"))
    study = rs.Study("y", "s", data=table, group="site", nan_policy="omit")
    assert study.auc()["group"].tolist() == ["3", "12"]


def test_a_sheet_cut_anywhere_is_refused(tmp_path):
    frame = pd.DataFrame({"y": [1, 0], "s": [2.0, 1.0]})
    frame.to_excel(tmp_path / "whole.xlsx", index=False)
    whole = (tmp_path / "whole.xlsx").read_bytes()
    path = tmp_path / "cut.xlsx"
    for size in range(0, len(whole), 311):
        path.write_bytes(whole[:size])
        with pytest.raises(rs.InputError, match=r"must be a readable \.xlsx file"):
            read_table(path)


def test_a_sheet_with_a_broken_part_is_refused(tmp_path):
    pd.DataFrame({"y": [1, 0]}).to_excel(tmp_path / "whole.xlsx", index=False)
    whole = zipfile.ZipFile(tmp_path / "whole.xlsx")
    parts = {name: whole.read(name) for name in whole.namelist()}
    for broken in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"):
        with zipfile.ZipFile(tmp_path / "broken.xlsx", "w") as copy:
            for name, content in parts.items():
                copy.writestr(name, b"<broken" if name == broken else content)
        with pytest.raises(rs.InputError, match=r"must be a readable \.xlsx file") as refused:
            read_table(tmp_path / "broken.xlsx")
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [b"\0\x01\x02,s\n1,2\n", b"\x89PNG\r\n\x1a\n\0\0", b'"a,b\n1'])
def test_a_csv_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(rs.InputError, match="`path` must be"):
        read_table(tmp_path / "data.csv")


def test_quoted_fields_hold_separators_and_lines(tmp_path):
    buffer = io.StringIO()
    frame = pd.DataFrame({"y": ["a,b", 'say "no"'], "s": [1, 2]})
    frame.to_csv(buffer, index=False)
    (tmp_path / "data.csv").write_text("\ufeff" + buffer.getvalue(), encoding="utf-8")
    assert read_table(tmp_path / "data.csv").to_dict("list") == frame.to_dict("list")
