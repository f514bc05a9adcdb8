"""Workbooks: the sheet that holds the table, or the one that was asked for."""

from __future__ import annotations

import openpyxl  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from rocstats.study.files import reading_in_words

NOTES = [["Read me"], ["Data are on the second sheet."]]
ONE = [["y", "s"], [1, 0.5], [0, 0.25]]
TWO = [["y", "t"], [1, 7]]


@pytest.fixture
def book(tmp_path):
    """Write sheets of cells to a workbook."""

    def call(**sheets):
        written = openpyxl.Workbook()
        written.remove(written.active)
        for name, cells in sheets.items():
            sheet = written.create_sheet(name)
            for row in cells:
                sheet.append(row)
        written.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return call


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


def test_numbers_as_text_may_have_a_decimal_comma(book):
    cells = [["y", "s"], [1, "1,234"], [0, 0.5]]
    with pytest.raises(rs.InputError, match="`decimal` must be given"):
        rs.read_table(book(One=cells))
    assert rs.read_table(book(One=cells), decimal=",")["s"].tolist() == [1.234, 0.5]
    assert rs.read_table(book(One=cells), decimal=".")["s"].tolist() == [1234, 0.5]


@pytest.mark.parametrize("option", [{"sep": ";"}, {"encoding": "utf-8"}])
def test_options_of_text_are_refused(book, option):
    with pytest.raises(rs.InputError, match="must be left out for this kind of file"):
        rs.read_table(book(One=ONE), **option)


def test_points_in_text_of_a_sheet_may_divide_thousands(book):
    cells = [["y", "s"], [1, "1.234"], [0, 900]]
    with pytest.raises(rs.InputError, match="`decimal` must be given"):
        rs.read_table(book(One=cells))
    assert rs.read_table(book(One=cells), thousands=".")["s"].tolist() == [1234, 900]
    assert rs.read_table(book(One=[["y", "s"], [1, 1.234], [0, 900]]))["s"].tolist() == [1.234, 900]
