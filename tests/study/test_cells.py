"""Cells of files: names, numbers and their decimal mark, what is missing, labels as written."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.study.cells import spelled_label
from rocstats.study.files import reading_in_words


def found(frame, name):
    return frame.attrs["rocstats"][name]


# --- Names of columns -----------------------------------------------------------------------------


def test_two_columns_of_one_name_are_refused(table):
    message = r"^`path` must have a different name for each column; got \['s'\] more than once in"
    with pytest.raises(rs.InputError, match=message):
        table("y,s,s", "1,2,3", "0,1,2")


def test_names_have_no_blanks_at_their_ends(table):
    frame = table(" y,score ,a b", "1,2,3", "0,1,2")
    assert list(frame) == ["y", "score", "a b"]
    message = r"^`path` must have a different name for each column; got \['s'\] more than once in"
    with pytest.raises(rs.InputError, match=message):
        table("y,s, s", "1,2,3", "0,1,2")


# --- What is missing, and kinds of columns --------------------------------------------------------


def test_among_words_only_the_empty_cell_is_missing(table):
    words = ["NA", "None", "null", "n/a", ".", "NaN"]
    arm = table("arm,s", *[f"{word},1" for word in words], ",1")["arm"]
    assert arm.tolist()[:-1] == words
    assert arm.isna().tolist() == [False] * len(words) + [True]


def test_among_numbers_na_nan_and_a_dot_are_missing(table):
    frame = table("y,s", "1,2.5", "0,NA", "1,NaN", "0,.", "1,", "0,1")
    assert frame["s"].isna().tolist() == [False, True, True, True, True, False]
    study = rs.Study("y", "s", data=frame, nan_policy="omit")
    assert study.n_dropped == 4
    assert study.auc()["note"].str.contains("rows-dropped=4").all()


def test_an_arm_called_na_keeps_its_rows(table):
    rows = [f"{k % 2},{k},{arm}" for arm in ("NA", "drug") for k in range(8)]
    study = rs.Study("y", "s", data=table("y,s,arm", *rows), group="arm", nan_policy="omit")
    assert study.auc()["group"].tolist() == ["NA", "drug"]


def test_columns_have_the_kind_of_their_cells(table):
    frame = table("n,x,b,t", "1,1e3,True,a", "-2,.5,False,1_0")
    assert [frame[name].dtype.kind for name in ("n", "x", "b")] == ["i", "f", "b"]
    assert frame["x"].tolist() == [1000, 0.5]
    assert frame["t"].tolist() == ["a", "1_0"]


@pytest.mark.parametrize("words", ["TRUE FALSE", "True False", "true false"])
def test_a_boolean_is_positive_by_the_word_of_the_file(table, words):
    positive, negative = words.split()
    frame = table("y,s", f"{positive},3", f"{negative},1", f"{positive},2")
    assert frame["y"].dtype.kind == "b"
    for label, area in {positive: 1, negative: 0}.items():
        study = rs.Study("y", "s", data=frame, pos_label=label)
        assert study.auc()["estimate"].tolist() == [area]
    # A command looks the label up among those of the column, an engine among those of its rows.
    assert spelled_label([False, True], positive) is True
    assert spelled_label([False, True], negative) is False
    with pytest.raises(rs.InputError, match="`pos_label` must be one of the labels of `y_true`"):
        rs.Study("y", "s", data=frame, pos_label="yes")


def test_whole_numbers_stay_whole_beside_a_missing_one(table):
    frame = table("y,s,site", "1,4,3", "0,2,3", "1,3,12", "0,1,12", "0,1,")
    study = rs.Study("y", "s", data=frame, group="site", nan_policy="omit")
    assert study.auc()["group"].tolist() == ["3", "12"]


# --- Numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_decimals_are_read_exactly(read, rng, sep):
    values = (rng.normal(size=200) * 10.0 ** rng.integers(-300, 300, 200)).tolist()
    lines = [f"{k}{sep}{value!r}" for k, value in enumerate(values)]
    text = "\n".join([f"k{sep}s", *lines])
    np.testing.assert_array_equal(read(text)["s"], values)
    if sep != ",":
        np.testing.assert_array_equal(read(text.replace(".", ","))["s"], values)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("last", [None, 7])
def test_integers_that_would_tie_are_refused(tmp_path, ending, last):
    path = tmp_path / f"data.{ending}"
    scores = pd.array([2**53, 2**53 + 1, 5, last], dtype="Int64")
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "s": scores})
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    with pytest.raises(rs.InputError, match=r"got integers beyond 2\*\*53"):
        rs.Study("y", "s", data=rs.read_table(path), nan_policy="omit")


def test_a_number_too_long_for_a_float_keeps_its_digits_beside_decimals(read):
    frame = read("s,n\n9007199254740993,1\n0.5,-2\n,+3\n")
    assert frame["s"].tolist() == [2**53 + 1, 0.5, None]
    assert frame["n"].tolist() == [1, -2, 3]
    assert frame["n"].dtype == np.int64


def test_a_german_table(read):
    frame = read('Wert;"Name; kurz";Anteil\n1,5;a,b;0,125\n-2;"c;d";,5\n;e;1e-3\n')
    assert frame["Wert"].tolist()[:2] == [1.5, -2]
    assert np.isnan(frame["Wert"][2])
    assert frame["Name; kurz"].tolist() == ["a,b", "c;d", "e"]
    assert frame["Anteil"].tolist() == [0.125, 0.5, 0.001]
    assert (found(frame, "separator"), found(frame, "decimal")) == (";", ",")


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
    with pytest.raises(rs.InputError, match="`thousands` must be a different mark from `decimal`"):
        read(text, thousands=".", decimal=".")


@pytest.mark.parametrize(
    ("text", "point", "comma"), [("1,234", 1234, 1.234), ("1.234", 1.234, 1234)]
)
def test_numbers_that_a_sheet_holds_as_text_are_read_as_those_of_a_text(book, text, point, comma):
    path = book(One=[["y", "s"], [1, text], [0, 900]])
    with pytest.raises(rs.InputError, match="`decimal` must be given"):
        rs.read_table(path)
    for mark, number in {".": point, ",": comma}.items():
        assert rs.read_table(path, decimal=mark)["s"].tolist() == [number, 900]
    assert rs.read_table(path, thousands=text[1])["s"].tolist() == [1234, 900]
    cells = [["y", "s"], [1, 1.234], [0, 900]]
    assert rs.read_table(book(One=cells))["s"].tolist() == [1.234, 900]


# --- Labels ---------------------------------------------------------------------------------------


def test_labels_are_text_as_it_is_written(read):
    text = "y,id,fold\n1,010 ,1.1\n0,10,1.10\n1,,1.10\n0,\xa0x,1.1\n"
    frame = read(text, text=["id", "fold"])
    assert frame["id"].iloc[[0, 1, 3]].tolist() == ["010", "10", "x"]
    assert frame["id"].isna().tolist() == [False, False, True, False]
    assert frame["fold"].tolist() == ["1.1", "1.10", "1.10", "1.1"]
    assert frame["y"].tolist() == [1, 0, 1, 0]
    assert found(frame, "stripped") == {"id": 2}
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
