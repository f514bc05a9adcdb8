"""Text files, workbooks and files of packages: all is found, or doubt is refused."""

from __future__ import annotations

import datetime as dt
import io
import sys
import zipfile

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs
from rocstats.study.files import reading_in_words


def told(frame, *names):
    return tuple(frame.attrs["rocstats"][name] for name in names)


# --- Text: separator, encoding and header ---------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_the_separator_is_found(read, sep, ending, newline):
    lines = ["y,s", "1,0.5", "", "0,0.25"]
    frame = read(newline.join(lines).replace(",", sep), ending=ending)
    assert frame.to_dict("list") == {"y": [1, 0], "s": [0.5, 0.25]}
    assert told(frame, "separator", "decimal", "encoding") == (sep, ".", "utf-8")


def test_the_separator_divides_the_first_lines_alike(read):
    assert list(read("a,b;c\n1,2\n")) == ["a", "b;c"]
    assert list(read("a;b, c\n1,5;2,25\n2;0,5\n")) == ["a", "b, c"]
    assert list(read('a|b,c\n"x",1\n')) == ["a|b", "c"]  # between bars "x",1 is broken


WRITTEN = ["utf-8", "utf-8-sig", "utf-16", "cp1252"]


@pytest.mark.parametrize("written", WRITTEN)
def test_the_encoding_is_found(read, written):
    frame = read("Größe,Befund\n1,bösartig – „3 €“\n", written=written)
    assert frame.to_dict("list") == {"Größe": [1], "Befund": ["bösartig – „3 €“"]}
    assert told(frame, "encoding") == (written,)


@pytest.mark.parametrize("name", ["utf-16-be", "utf-16-le"])
def test_a_byte_order_mark_is_no_part_of_a_name(read, name):
    assert list(read("\ufeffy,s\n1,2\n", written=name, encoding=name)) == ["y", "s"]
    assert list(read('\ufeff"y",s\n1,2\n', encoding="utf-8")) == ["y", "s"]
    assert list(read(b"\xff\xfe" + "y,s\n1,2\n".encode("utf-16-le"))) == ["y", "s"]


def test_arguments_override(read):
    assert list(read("a,b;c\n1,2;3\n", sep=",")) == ["a", "b;c"]
    assert list(read("a\tb\n1\t2\n", sep="tab")) == ["a", "b"]
    assert read("a;b\n1,5;2\n", decimal=".")["a"].tolist() == ["1,5"]
    assert read("a;b\n1.234,5;2\n", decimal=",")["a"].tolist() == [1234.5]
    assert list(read("ä,b\n1,2\n", encoding="latin-1")) == ["Ã¤", "b"]


REFUSED = {
    "two separators": ("a,b;c\n1,5;2\n", "got , and ; in 'data.csv'. Pass sep=',' or sep=';'"),
    "a title": (
        "Export of 2026\n\ny;s\n1;2\n",
        "got the title 'Export of 2026' in line 1 of 'data.csv', and the first line with ; is 3",
    ),
    "a padded title": (
        "Export;;\n;;\nid;y;s\n1;1;2\n",
        "got none for column 2 of 'data.csv', which begins with 'y'",
    ),
    "no name": ("a,,b\n1,2,3\n", "got none for column 2 of 'data.csv', which begins with '2'"),
    "no cells": ("", "must have a header; got the empty file"),
    "blank lines": ("\n;;\n\n", "must have a header; got the empty file"),
    "a zero byte": ("a,b\n1,2\n\0,3\n", "binary file 'data.csv' (a NUL character in line 3)"),
    "UTF-16 without mark": ("a,b\n1,2\n".encode("utf-16-le"), "binary file"),
    "no encoding": (b"a,b\n\x81\x8d,1\n", "which cannot be read as utf-8 or cp1252"),
    "twice": ("a;b;a\n1;2;3\n", "got ['a'] more than once"),
    "a separator more": ("a;b\n1;2\n3;4;\n", "got 3 in line 3"),
    "a broken quote": ('a;b\n1;2\n"x"y;4\n', "must be a readable .csv file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_told_is_refused(read, case):
    text, message = REFUSED[case]
    with pytest.raises(rs.InputError) as refused:
        read(text)
    assert message in str(refused.value)


WRONG = {
    "another separator": ({"sep": "|"}, "It looks separated by ,: pass sep=','."),
    "two characters": ({"sep": "||"}, "`sep` must be one character that no number has"),
    "a letter": ({"sep": "a"}, "`sep` must be one character that no number has"),
    "a quote": ({"sep": '"'}, "`sep` must be one character that no number has"),
    "a mark of thousands": ({"thousands": "'"}, "`thousands` must be one of None, '.', ','"),
    "another mark": ({"decimal": ";"}, "`decimal` must be one of None, '.', ','"),
    "no encoding": ({"encoding": "utf-99"}, "`encoding` must be an encoding that Python knows"),
    "bytes, not text": ({"encoding": "hex"}, "`encoding` must be an encoding that Python knows"),
    "another encoding": ({"encoding": "ascii"}, "which cannot be read as ascii"),
    "a sheet": ({"sheet": 1}, "`sheet` must be left out for this kind of file; got 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_refused(read, case):
    options, message = WRONG[case]
    with pytest.raises(rs.InputError) as refused:
        read("ä,b\n1,2\n", **options)
    assert message in str(refused.value)


def test_rows_without_cells_and_columns_without_names(read):
    frame = read(",y,s,\n1,1,0.5,\n,,,\n2,0,,\n\n,,,\n")
    assert list(frame) == ["y", "s"]
    assert frame["y"].tolist() == [1, 0]
    assert frame["s"].isna().tolist() == [False, True]


def test_one_column(read):
    frame = read("s\n1\n2\n")
    assert frame.to_dict("list") == {"s": [1, 2]}
    with pytest.raises(rs.InputError, match="the first line with , is 2"):
        read("s\n1,5\n2\n")
    assert read("s\n1,5\n2\n", sep=";")["s"].tolist() == [1.5, 2]


def test_the_hint_of_excel(read):
    frame = read("\ufeffsep=|\r\na|b;c\r\n1|2\r\n")
    assert list(frame) == ["a", "b;c"]
    with pytest.raises(rs.InputError, match="got 1 in line 4"):
        read("sep=;\na;b\n1;2\n3\n")


def test_hostile_names_are_read_as_they_are(read):
    names = ["<script>", "=cmd|' /C calc'!A0", "🩺", "x" * 300, "two\nlines", "a\u2028b", "s"]
    buffer = io.StringIO()
    frame = pd.DataFrame([range(7), range(7, 14)], columns=names)
    frame.to_csv(buffer, index=False, sep=";", lineterminator="\r\n")
    assert read(buffer.getvalue()).to_dict("list") == frame.to_dict("list")


@pytest.mark.parametrize("fields", ["1,0.5,", "1"])
@pytest.mark.parametrize(("ending", "sep"), [("csv", ","), ("tsv", "\t")])
def test_a_line_of_another_length_is_refused(read, fields, ending, sep):
    message = (
        "^`path` must have as many fields in each line as in its header, 2; got"
        f" {fields.count(',') + 1} in line 4 of 'data.{ending}'."
    )
    with pytest.raises(rs.InputError, match=message):
        read(f"y,s\n1,0.5\n\n{fields}\n".replace(",", sep), ending=ending)


def test_a_trailing_comma_in_every_line_shifts_no_column(read):
    assert read("y,s,\n1,0.5,\n0,0.1,\n").to_dict("list") == {"y": [1, 0], "s": [0.5, 0.1]}
    with pytest.raises(rs.InputError, match="got 3 in line 2"):
        read("y,s\n1,0.5,\n0,0.1,\n")


@pytest.mark.parametrize("content", [b"\0\x01\x02,s\n1,2\n", b"\x89PNG\r\n\x1a\n\0\0", b'"a,b\n1'])
def test_a_csv_that_is_none_is_refused(read, content):
    with pytest.raises(rs.InputError, match="`path` must be"):
        read(content)


def test_quoted_fields_hold_separators_and_lines(read):
    frame = pd.DataFrame({"y": ["a,b", 'say "no"'], "s": [1, 2]})
    assert read("\ufeff" + frame.to_csv(index=False)).to_dict("list") == frame.to_dict("list")


# --- Workbooks: the sheet that holds the table, or the one that was asked for ---------------------

NOTES = [["Read me"], ["Data are on the second sheet."]]
ONE = [["y", "s"], [1, 0.5], [0, 0.25]]
TWO = [["y", "t"], [1, 7]]


def test_the_first_sheet_with_a_table_is_read_and_said(book):
    path = book(Notes=NOTES, Empty=[], One=ONE, Two=TWO)
    frame = rs.read_table(path)
    assert frame.to_dict("list") == {"y": [1, 0], "s": [0.5, 0.25]}
    assert frame.attrs["rocstats"]["sheet"] == "One"
    assert reading_in_words(frame) == (
        "read book.xlsx: sheet 'One' of 'Notes', 'Empty', 'One', 'Two'"
    )
    assert reading_in_words(rs.read_table(book(One=ONE))) == ""


@pytest.mark.parametrize("sheet", ["Two", 2, "2"])
def test_a_sheet_by_name_or_number_from_1(book, sheet):
    assert list(rs.read_table(book(One=ONE, Two=TWO), sheet=sheet)) == ["y", "t"]


def test_a_name_comes_before_a_number(book):
    assert list(rs.read_table(book(**{"2": TWO, "One": ONE}), sheet="2")) == ["y", "t"]


@pytest.mark.parametrize("sheet", ["two", 0, 3, "3", True, 1.0, -1])
def test_another_sheet_is_refused(book, sheet):
    with pytest.raises(rs.InputError) as refused:
        rs.read_table(book(One=ONE, Two=TWO), sheet=sheet)
    assert str(refused.value) == (
        "`sheet` must be the name of a sheet, or its number from 1 to 2; got"
        f" {sheet!r}. The sheets of 'book.xlsx' are 'One', 'Two'."
    )


def test_rows_and_columns_without_cells_are_no_part_of_a_table(book):
    cells = [[None] * 4, [None, "y", None, "s"], [None, 1, None, "0,5"], [None] * 4, [None, 0]]
    frame = rs.read_table(book(One=cells))
    assert list(frame) == ["y", "s"]
    assert frame["y"].tolist() == [1, 0]
    assert frame["s"].tolist()[0] == 0.5
    assert frame["s"].isna().tolist() == [False, True]


def test_a_title_above_the_header_is_refused(book):
    with pytest.raises(rs.InputError, match=r"got none for column 2 .*, which begins with 's'"):
        rs.read_table(book(One=[["Export"], [None], *ONE]))


def test_an_empty_workbook_is_refused(book):
    with pytest.raises(rs.InputError, match="must have a header"):
        rs.read_table(book(One=[]))


@pytest.mark.parametrize("option", [{"sep": ";"}, {"encoding": "utf-8"}])
def test_options_of_text_are_refused(book, option):
    with pytest.raises(rs.InputError, match="must be left out for this kind of file"):
        rs.read_table(book(One=ONE), **option)


def far(book, row, column):
    """Return a table with a stray cell."""
    cells = [["y", "s"], [0, 1.5], [1, 2.5], *[[]] * (row - 3)]
    cells[row - 1] = [*cells[row - 1], *[None] * (column - 1 - len(cells[row - 1])), "stray"]
    return rs.read_table(book(One=cells))


@pytest.mark.parametrize(("row", "cell"), [(3, "XFD3"), (10**5, "XFD100000")])
def test_a_cell_far_to_the_right_is_named(book, row, cell):
    with pytest.raises(rs.InputError, match=f"column 16384 .* begins with 'stray' in cell {cell}"):
        far(book, row, 2**14)


def test_a_cell_far_below_is_a_row_of_its_own(book):
    assert len(far(book, 10**5, 1)) == 3


def test_a_name_far_to_the_right_is_an_empty_column(book):
    frame = far(book, 1, 2**14)
    assert list(frame) == ["y", "s", "stray"]
    assert frame["stray"].isna().all()


def test_a_sheet_cut_anywhere_is_refused(tmp_path, book):
    whole = book(One=ONE).read_bytes()
    path = tmp_path / "cut.xlsx"
    for size in range(0, len(whole), 311):
        path.write_bytes(whole[:size])
        with pytest.raises(rs.InputError, match=r"must be a readable \.xlsx file"):
            rs.read_table(path)


def test_a_sheet_with_a_broken_part_is_refused(tmp_path, book):
    whole = zipfile.ZipFile(book(One=ONE))
    parts = {name: whole.read(name) for name in whole.namelist()}
    for broken in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"):
        with zipfile.ZipFile(tmp_path / "broken.xlsx", "w") as copy:
            for name, content in parts.items():
                copy.writestr(name, b"<broken" if name == broken else content)
        with pytest.raises(rs.InputError, match=r"must be a readable \.xlsx file") as refused:
            rs.read_table(tmp_path / "broken.xlsx")
        assert "\n" not in str(refused.value)


# --- SPSS, Stata and SAS: codes become words, declared missing values are missing -----------------

DAY = dt.date(2026, 1, 31)
DATA = pd.DataFrame(
    {
        "dx": [1.0, 0.0, 1.0, 9.0],
        "rating": [5.0, 1.0, 3.0, np.nan],
        "grade": [1.0, 2.0, 1.0, 2.0],
        "score": [0.5, 0.25, np.nan, 2.0],
        "n": [3.0, 2.0, 1.0, 4.0],
        "site": ["Köln", "", "A", "B"],
    }
)
LABELS = {
    "dx": {0: "benign", 1: "malignant", 9: "not known"},
    "rating": {1: "normal", 5: "abnormal"},
    "grade": {1: "low", 2: "low"},
}


@pytest.fixture
def spss(tmp_path):
    path = tmp_path / "study.sav"
    frame = DATA.assign(day=pd.Series([DAY, DAY, None, DAY], dtype=object))
    pyreadstat.write_sav(frame, path, variable_value_labels=LABELS, missing_ranges={"dx": [9]})
    return path


@pytest.fixture
def stata(tmp_path):
    path = tmp_path / "study.dta"
    missing = DATA.assign(dx=[1.0, 0.0, 1.0, np.nan])
    pyreadstat.write_dta(missing, path, variable_value_labels=LABELS)
    return path


@pytest.fixture(params=["spss", "stata"])
def coded(request):
    return rs.read_table(request.getfixturevalue(request.param))


def test_codes_become_words_in_their_order(coded):
    assert coded["dx"].tolist()[:3] == ["malignant", "benign", "malignant"]
    assert coded["dx"].isna().tolist() == [False, False, False, True]
    assert list(coded["dx"].cat.categories) == ["benign", "malignant"]
    assert coded["dx"].cat.ordered
    told = coded.attrs["rocstats"]
    assert told["value_labels"] == {"dx": {"0": "benign", "1": "malignant"}}
    assert (told["rows"], told["encoding"], told["decimal"]) == (4, None, None)


def test_codes_without_words_of_their_own_stay(coded):
    assert coded["grade"].tolist() == [1, 2, 1, 2]
    assert coded["rating"].tolist()[:3] == [5, 1, 3]
    assert coded["rating"].isna().tolist() == [False, False, False, True]


def test_numbers_and_texts_are_those_of_the_file(coded):
    assert (coded["n"].dtype, coded["score"].dtype) == ("int64", "float64")
    assert coded["score"].isna().tolist() == [False, False, True, False]
    assert coded["site"].tolist()[::2] == ["Köln", "A"]
    assert coded["site"].isna().tolist() == [False, True, False, False]


def test_dates_are_kept(spss):
    day = rs.read_table(spss)["day"]
    assert day[0] == DAY
    assert day.isna().tolist() == [False, False, True, False]


def test_a_study_takes_words_and_ratings(spss):
    frame = rs.read_table(spss)
    study = rs.Study("dx", "n", data=frame, pos_label="malignant", nan_policy="omit")
    assert study.auc()["estimate"].tolist() == [0.5]  # 3 and 1 around 2


def test_compressed_spss_and_transport_of_sas(tmp_path):
    pyreadstat.write_sav(DATA, tmp_path / "study.zsav", compress=True)
    pyreadstat.write_xport(DATA[["n", "score"]], tmp_path / "study.xpt")
    for name in ("study.zsav", "study.xpt"):
        frame = rs.read_table(tmp_path / name)
        assert frame["n"].tolist() == [3, 2, 1, 4]
        assert frame["score"].tolist()[:2] == [0.5, 0.25]


def test_sas_is_read_by_its_reader(tmp_path, monkeypatch):
    """Nothing writes sas7bdat but SAS: that the file goes to its reader is all that is tested."""
    path = tmp_path / "study.sas7bdat"
    path.touch()
    labels = {"variable_value_labels": {}, "column_names_to_labels": {"n": None}}
    about = type("About", (), labels)
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", lambda *_, **__: (DATA[["n"]], about))
    assert rs.read_table(path)["n"].tolist() == [3, 2, 1, 4]


@pytest.mark.parametrize("ending", ["sav", "dta", "sas7bdat"])
def test_a_broken_file_is_refused(tmp_path, ending):
    path = tmp_path / f"study.{ending}"
    path.write_bytes(b"no such file")
    with pytest.raises(rs.InputError, match=rf"must be a readable \.{ending} file; got 'study"):
        rs.read_table(path)


def test_the_message_names_what_to_install(spss, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(rs.InputError, match='pip install "rocstats\\[files\\]"'):
        rs.read_table(spss)
