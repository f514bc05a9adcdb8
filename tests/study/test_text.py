"""Text files: separator, decimal mark, encoding and header are found, or doubt is refused."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.study.files import reading_in_words


@pytest.fixture
def read(tmp_path):
    """Write text to a file and read it."""

    def call(content, *, ending="csv", written="utf-8", **options):
        path = tmp_path / f"data.{ending}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(written))
        return rs.read_table(path, **options)

    return call


def told(frame, *names):
    return tuple(frame.attrs["rocstats"][name] for name in names)


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


def test_a_german_table(read):
    text = 'Wert;"Name; kurz";Anteil\n1,5;a,b;0,125\n-2;"c;d";,5\n;e;1e-3\n'
    frame = read(text)
    assert frame["Wert"].tolist()[:2] == [1.5, -2]
    assert np.isnan(frame["Wert"][2])
    assert frame["Name; kurz"].tolist() == ["a,b", "c;d", "e"]
    assert frame["Anteil"].tolist() == [0.125, 0.5, 0.001]
    assert told(frame, "separator", "decimal") == (";", ",")


def test_what_was_found_is_plain_json(read):
    frame = read("a;b\n1,5;x\n", written="utf-8")
    assert json.loads(json.dumps(frame.attrs["rocstats"])) == {
        "function": "read_table",
        "version": rs.__version__,
        "file": "data.csv",
        "format": "csv",
        "separator": ";",
        "decimal": ",",
        "encoding": "utf-8",
        "sheet": None,
        "sheets": None,
        "value_labels": None,
        "stripped": None,
        "rows": 1,
        "columns": 2,
    }


def test_a_sentence_says_what_is_not_the_default(read):
    assert reading_in_words(read("a,b\n1,2\n", written="utf-8-sig")) == ""
    assert reading_in_words(read("a\tb\n1\t2\n", ending="tsv")) == ""
    assert reading_in_words(read("a\tb\n1\t2\n")) == "read data.csv: separated by tab"
    german = read("ä;b\n1,5;2\n", written="cp1252")
    assert reading_in_words(german) == "read data.csv: separated by ;, decimal comma, cp1252"


def test_arguments_override(read):
    assert list(read("a,b;c\n1,2;3\n", sep=",")) == ["a", "b;c"]
    assert list(read("a\tb\n1\t2\n", sep="tab")) == ["a", "b"]
    assert read("a;b\n1,5;2\n", decimal=".")["a"].tolist() == ["1,5"]
    assert read("a;b\n1.234,5;2\n", decimal=",")["a"].tolist() == [1234.5]
    assert list(read("ä,b\n1,2\n", encoding="latin-1")) == ["Ã¤", "b"]


# Numbers in columns of a semicolon file, and what they are: None where both can be meant.
NUMBERS = {
    "decimals": ("1,5 2,25", "3 4", [1.5, 2.25]),
    "shares of three digits": ("0,125 0,250", "3 4", [0.125, 0.25]),
    "three digits, no point anywhere": ("1,234 2,345", "3 4", [1.234, 2.345]),
    "three digits beside decimals": ("1,234 2,345", "0,5 0,25", [1.234, 2.345]),
    "three digits beside points": ("1,234 2,345", "0.5 0.25", None),
    "commas beside points": ("1,5 2,5", "0.5 0.25", None),
    "points that may divide thousands": ("1.234 2.345", "0,5 0,25", None),
    "three digits after points": ("1.234 2.345", "3 4", None),
    "beside whole numbers": ("1.234 900", "3 4", None),
    "signs and millions": ("-1.234 12", "+123.456 4", None),
    "risks beside 1": ("0.734 1", "3 4", [0.734, 1]),
    "four digits before a point": ("1234.567 1", "1.234 4", [1234.567, 1]),
    "two digits after a point": ("1.23 1", "1.234 4", [1.23, 1]),
    "no digit before a point": (".234 1", "1.234 4", [0.234, 1]),
    "exponents": ("1.234e5 1", "1.234 4", [123400, 1]),
    "thousands and decimals": ("1,234.5 12", "0.5 3", [1234.5, 12]),
    "the same, German": ("1.234,5 12", "0,5 3", [1234.5, 12]),
    "two divisions": ("1,234,567 12", "0.5 3", [1234567, 12]),
    "no thousands": ("12,34.5 1", "3 4", ["12,34.5", "1"]),
    "a zero before thousands": ("0,123.5 1", "3 4", ["0,123.5", "1"]),
    "one of both kinds": ("1,5 1.5", "3 4", ["1,5", "1.5"]),
    "words": ("1,5 x", "0.5 1", ["1,5", "x"]),
    "points in labels": ("12.345.678 2.345.678", "0.5 1.25", ["12.345.678", "2.345.678"]),
    "points in thousands": ("12.345.678 2.345.678", "3 4", [12345678, 2345678]),
    "points in either": ("12.345.678 2.345.678", "1.234 2.345", None),
    "underscores": ("1_0,5 2", "3 4", ["1_0,5", "2"]),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_a_decimal_mark_is_the_only_one_that_fits(read, case):
    first, second, expected = NUMBERS[case]
    rows = zip(first.split(), second.split(), strict=True)
    text = "a;b\n" + "".join(f"{one};{other}\n" for one, other in rows)
    if expected is not None:
        assert read(text)["a"].tolist() == expected
        return
    with pytest.raises(rs.InputError, match="`decimal` must be given") as refused:
        read(text)
    assert repr(first.split()[0]) in str(refused.value)
    assert "Pass decimal=',' or decimal='.'" in str(refused.value)
    assert len({str(read(text, decimal=mark)["a"].tolist()) for mark in ",."}) == 2


def test_between_commas_a_quoted_thousand_may_be_a_decimal(read):
    with pytest.raises(rs.InputError, match="'1,234' in column 'a' of"):
        read('a,b\n"1,234",5\n')
    assert read('a,b\n"1,234",5\n', decimal=".")["a"].tolist() == [1234]
    assert read('a,b\n"1,234",5\n', decimal=",")["a"].tolist() == [1.234]
    assert read('a,b\n"0,5",5\n')["a"].tolist() == [0.5]


def test_between_commas_thousands_have_numbers_without_a_point_beside_them(read):
    with pytest.raises(rs.InputError, match=r"'1\.234' in column 's' of"):
        read("y,s\n1,1.234\n0,900\n")
    assert read("y,s\n1,1.234\n0,2.000\n")["s"].tolist() == [1.234, 2]
    assert read("y,s\n1,1.234\n0,\n")["s"].tolist()[0] == 1.234


def test_a_mark_of_thousands_tells_the_decimal_mark(read):
    text = "y;s\n1;1.234\n0;900\n"
    assert read(text, thousands=".")["s"].tolist() == [1234, 900]
    assert read(text, thousands=",")["s"].tolist() == [1.234, 900]
    assert read(text, thousands=".", decimal=",")["s"].tolist() == [1234, 900]
    with pytest.raises(rs.InputError, match="`thousands` must be another mark than `decimal`"):
        read(text, thousands=".", decimal=".")


@pytest.mark.parametrize("sep", [";", "\t", "|"])
def test_decimal_commas_are_read_exactly(read, rng, sep):
    values = (rng.normal(size=200) * 10.0 ** rng.integers(-300, 300, 200)).tolist()
    lines = [f"{k}{sep}{value!r}".replace(".", ",") for k, value in enumerate(values)]
    np.testing.assert_array_equal(read("\n".join([f"k{sep}s", *lines]))["s"], values)


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
    "no encoding": (b"a,b\n\x81\x8d,1\n", "which is no text in utf-8 or cp1252"),
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
    "another encoding": ({"encoding": "ascii"}, "which is no text in ascii"),
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
    names = ["<script>", "=cmd|' /C calc'!A0", "🩺", "x" * 300, "two\nlines", "a\u2028b", " s "]
    buffer = io.StringIO()
    frame = pd.DataFrame([range(7), range(7, 14)], columns=names)
    frame.to_csv(buffer, index=False, sep=";", lineterminator="\r\n")
    assert read(buffer.getvalue()).to_dict("list") == frame.to_dict("list")


def test_standard_input_is_text(monkeypatch):
    content = "ä;s\n1;0,5\n".encode("cp1252")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    frame = rs.read_table("-")
    assert frame.to_dict("list") == {"ä": [1], "s": [0.5]}
    assert told(frame, "file", "format", "separator") == ("-", "text", ";")


def test_other_kinds_and_no_files_are_refused(tmp_path):
    for name, message in {
        "old.xls": "must not be of the old kind .xls; got 'old.xls'. Save it as xlsx",
        "data.ods": "`path` must end in .csv, .tsv, .txt, .xlsx",
        "none.csv": "`path` must be a file",
    }.items():
        with pytest.raises(rs.InputError, match=message):
            rs.read_table(tmp_path / name)
    with pytest.raises(rs.InputError, match="must be the name of a file; got StringIO"):
        rs.read_table(io.StringIO("a,b"))


# --- Labels ---------------------------------------------------------------------------------------


def test_labels_are_text_as_it_is_written(read):
    text = "y,id,fold\n1,010 ,1.1\n0,10,1.10\n1,,1.10\n0,\xa0x,1.1\n"
    frame = read(text, text=["id", "fold"])
    assert frame["id"].iloc[[0, 1, 3]].tolist() == ["010", "10", "x"]
    assert frame["id"].isna().tolist() == [False, False, True, False]
    assert frame["fold"].tolist() == ["1.1", "1.10", "1.10", "1.1"]
    assert frame["y"].tolist() == [1, 0, 1, 0]
    assert told(frame, "stripped") == ({"id": 2},)
    assert "the ends of 2 labels in 'id'" in reading_in_words(frame)
    assert read(text)["fold"].tolist() == [1.1, 1.1, 1.1, 1.1]


def test_a_mark_for_a_missing_number_is_missing_among_labels_that_are_numbers(read):
    assert read("y,id\n1,NA\n2,7\n", text="id")["id"].isna().tolist() == [True, False]
    assert read("y,id\n1,NA\n2,x\n", text="id")["id"].tolist() == ["NA", "x"]


def test_labels_do_not_tell_the_decimal_mark(read):
    frame = read("id;s\n1.234;0,5\n1.235;2,5\n", text="id")
    assert frame["id"].tolist() == ["1.234", "1.235"]
    assert frame["s"].tolist() == [0.5, 2.5]


def test_a_column_of_labels_must_be_there(read):
    with pytest.raises(rs.InputError, match="`text` must be one of 'y', 'fold'; got 'fodl'"):
        read("y,fold\n1,2\n", text=["fodl"])
    with pytest.raises(rs.InputError, match="`text` must be a name, or a list of names; got 3"):
        read("y,fold\n1,2\n", text=3)
