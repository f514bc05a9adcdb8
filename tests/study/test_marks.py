"""Marks among numbers: missing texts, limits of detection, and rows at the end of a file."""

from __future__ import annotations

import numpy as np
import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.errors import InputError
from rocstats.study.marks import (
    Marks,
    empty_marked_cells,
    empty_missing_codes,
    numbers_with_limits,
)


@pytest.fixture
def read(tmp_path):
    def call(content, **options):
        (tmp_path / "data.csv").write_text(content, encoding="utf-8")
        return rs.read_table(tmp_path / "data.csv", **options)

    return call


def test_named_texts_are_missing_in_every_column(read):
    frame = read("site,crp\nn/a,1\nB,n/a\nC,3\n", na="n/a", text="site")
    assert frame["site"].isna().tolist() == [True, False, False]
    assert frame["crp"].tolist()[::2] == [1, 3]
    assert frame["crp"].isna().tolist() == [False, True, False]
    assert frame.attrs["rocstats"]["missing_marks"] == {"site": {"n/a": 1}, "crp": {"n/a": 1}}


@pytest.mark.parametrize("mark", ["n/a", "N/A", "-", "?", "#N/A", "NULL", " "])
def test_common_marks_are_missing_among_numbers_alone(read, mark):
    frame = read(f"site,crp\n{mark},1\nB,{mark}\nC,3\n", na="auto")
    assert frame["crp"].isna().tolist() == [False, True, False]
    assert frame["site"].notna().tolist() == [True, True, True]


def test_a_column_with_a_word_stays_text(read):
    frame = read("a,crp\n1,lost\n2,n/a\n3,5\n", na="auto", below_limit="lowest")
    assert frame["crp"].tolist() == ["lost", "n/a", "5"]
    assert frame.attrs["rocstats"]["missing_marks"] is None


def test_results_beyond_a_limit_are_tied_at_the_ends(read):
    text = "ill;crp\n1;13,9\n0;<0,5\n0;< 0,5\n1;>100\n1;0,5\n"
    frame = read(text, below_limit="lowest", above_limit="highest")
    assert frame["crp"].tolist() == [13.9, -np.inf, -np.inf, np.inf, 0.5]
    assert frame.attrs["rocstats"]["limits"] == {"crp": {"<0,5": 1, "< 0,5": 1, ">100": 1}}


def test_only_limits_with_a_meaning_are_read(read):
    frame = read("ill,crp\n1,13.9\n0,<0.5\n1,>100\n", below_limit="lowest")
    assert frame["crp"].tolist() == ["13.9", "<0.5", ">100"]


@pytest.mark.parametrize(
    ("cell", "argument"), [("<0.5", "below_limit"), (">3", "above_limit"), ("≤0.5", "below_limit")]
)
def test_a_number_beyond_the_limit_is_refused(read, cell, argument):
    with pytest.raises(
        InputError, match=f"`{argument}` must be used only if no number.*{cell}.*'crp'"
    ):
        read(
            f"ill,crp\n1,3.5\n0,0.2\n0,{cell}\n",
            below_limit="lowest",
            above_limit="highest",
        )


def test_whole_numbers_beside_a_limit(read):
    frame = read("ill,crp\n1,3\n0,<1\n0,\n", below_limit="lowest")
    np.testing.assert_array_equal(frame["crp"], [3, -np.inf, np.nan])


def test_a_limit_in_a_sheet_has_the_mark_of_its_language(tmp_path):
    book = openpyxl.Workbook()
    for row in (["ill", "crp"], [1, 13.9], [0, "<0,5"]):
        book.active.append(row)
    book.save(tmp_path / "data.xlsx")
    frame = rs.read_table(tmp_path / "data.xlsx", below_limit="lowest")
    assert frame["crp"].tolist() == [13.9, -np.inf]


@given(st.lists(st.floats(1, 50), min_size=2, max_size=8), st.integers(1, 4))
def test_the_area_is_that_of_any_number_below_all_others(values, number):
    y = [1] * len(values) + [0] * number + [0]
    cells = [*map(repr, values), *["<1"] * number, "7.5"]
    marks = Marks(below_limit="lowest")
    unmarked = empty_marked_cells({"s": cells}, marks, ())
    parsed = [float(cell) if cell else np.nan for cell in unmarked.columns["s"]]
    scores = numbers_with_limits(parsed, unmarked.limits["s"], ".", "s")
    replaced = np.where(np.isinf(scores), 0.0, scores)
    assert rs.Study(y, scores).auc()["estimate"][0] == rs.Study(y, replaced).auc()["estimate"][0]


def test_a_header_below_other_lines(read):
    text = "Patient;;Labor;\nID;Ill;CRP;PCT\nP1;1;3,5;1\nP2;0;1,5;2\n"
    frame = read(text, header_row=2)
    assert list(frame.columns) == ["ID", "Ill", "CRP", "PCT"]
    assert frame["CRP"].tolist() == [3.5, 1.5]
    with pytest.raises(InputError, match="pass header_row="):
        read(text)


def test_a_title_says_where_the_header_is(read):
    with pytest.raises(InputError, match=r"Pass header_row=3, or remove"):
        read("Export of May\n\nid,crp\n1,2\n")
    frame = read("Export of May\n\nid,crp\n1,2\n", header_row=3)
    assert list(frame.columns) == ["id", "crp"]


def test_rows_of_a_sheet_are_counted_from_its_top(tmp_path):
    book = openpyxl.Workbook()
    for row in (["Patient", None], ["id", "crp"], ["a", 1], ["b", "x"], ["Sum", None]):
        book.active.append(row)
    book.save(tmp_path / "data.xlsx")
    frame = rs.read_table(tmp_path / "data.xlsx", header_row=2, footer_rows=1)
    assert frame["id"].tolist() == ["a", "b"]


@pytest.mark.parametrize("word", ["Summe", "Total:", "mean"])
def test_a_row_of_totals_is_asked_about(read, word):
    text = f"id,ill,crp\na,1,3\nb,0,2\n{word},,5\n"
    with pytest.raises(InputError, match=rf"must end with a case; got '{word}' in its last row, 4"):
        read(text)
    assert len(read(text, footer_rows=1)) == 2
    assert len(read(text, footer_rows=0)) == 3


def test_a_patient_called_like_a_total_is_no_total(read):
    assert len(read("name,ill,crp\na,1,3\nSum,0,2\n")) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"header_row": 0}, "`header_row` must be a whole number from 1 on; got 0"),
        ({"header_row": True}, "`header_row` must be a whole number"),
        ({"footer_rows": -1}, "`footer_rows` must be a whole number from 0 on"),
        ({"below_limit": "zero"}, "`below_limit` must be"),
        ({"above_limit": "lowest"}, "`above_limit` must be"),
        ({"na": 3}, "`na` must be a name"),
    ],
)
def test_wrong_options(read, options, message):
    with pytest.raises(InputError, match=message):
        read("a,b\n1,2\n", **options)


def test_a_file_with_types_has_no_marks(tmp_path):
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "data.parquet")
    for options in ({"na": "n/a"}, {"below_limit": "lowest"}, {"header_row": 2}):
        (name,) = options
        with pytest.raises(InputError, match=f"`{name}` must be left out for this kind of file"):
            rs.read_table(tmp_path / "data.parquet", **options)


def test_percentages_are_numbers(read):
    frame = read("a;b;c;d\n5%;1,5 %;5%;10%\nn/a;2%;6;\n;3%;7%;20%\n", na="auto", text="d")
    assert frame["a"].tolist()[0] == 5
    assert frame["a"].isna().tolist() == [False, True, True]
    assert frame["b"].tolist() == [1.5, 2, 3]
    assert frame["c"].tolist() == ["5%", "6", "7%"]  # what 6 means, nobody knows
    assert frame["d"].tolist()[::2] == ["10%", "20%"]
    assert frame.attrs["rocstats"]["percentages"] == ["a", "b"]
    assert read("a,b\n1,2\n").attrs["rocstats"]["percentages"] is None


def test_missing_codes_leave_the_outcome_alone():
    frame = pd.DataFrame({"ill": [0, 1, 999], "crp": [999, 2, 3], "note": ["999", "a", "b"]})
    frame.attrs["rocstats"] = {"missing_marks": None}
    empty_missing_codes(frame, [999], but=["ill"])
    assert frame["crp"].isna().tolist() == [True, False, False]
    assert frame["ill"].tolist() == [0, 1, 999]
    assert frame["note"].tolist() == ["999", "a", "b"]
    assert frame.attrs["rocstats"]["missing_marks"] == {"crp": {"999": 1}}


def test_a_missing_code_that_no_cell_has():
    with pytest.raises(InputError, match="`missing_code` must be in a column of numbers; got -9"):
        empty_missing_codes(pd.DataFrame({"crp": [1, 2]}), [-9], but=[])
