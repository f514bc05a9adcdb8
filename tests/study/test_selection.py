"""Rows that meet a condition, and ranges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocstats.errors import InputError
from rocstats.study.selection import (
    cut_into_ranges,
    read_cut_points,
    rows_that_meet,
)


def made(**columns):
    frame = pd.DataFrame(columns)
    frame.attrs["rocstats"] = {"missing_marks": None, "stripped": None, "decimal": "."}
    return frame


FRAME = {
    "age": [17, 30, 45, 82],
    "sex": ["F", "M", "F ", "M"],
    "Patient ID": ["a", "b", "c", "d"],
    "crp": [1.0, np.nan, 3.0, 999.0],
}


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("age >= 18", [1, 2, 3]),
        ("age >= 18 and sex == 'F'", [2]),
        ("not age < 18 or sex == 'F'", [0, 1, 2, 3]),
        ("`Patient ID` in ['a', 'd']", [0, 3]),
        ("`Patient ID` not in ('a', 'd')", [1, 2]),
        ("18 <= age < 80", [1, 2]),
        ("crp > -5", [0, 2, 3]),  # a missing value meets no condition
        ("crp != 3", [0, 1, 3]),  # but is unequal to all, as in pandas
    ],
)
def test_rows_that_meet_a_condition(condition, kept):
    frame = made(**FRAME)
    found = rows_that_meet(frame, condition)
    assert found.index.tolist() == kept
    assert found.attrs["rocstats"]["filtered"] == 4 - len(kept)


@pytest.mark.parametrize(
    "condition",
    [
        "age.max() > 3",
        "__import__('os').system('true')",
        "@age > 3",
        "age = 3",
        "age > 3; sex == 'F'",
        "[x for x in age]",
        "age[0] > 3",
        "lambda: 3",
        "age + 3 > 4",
        "",
        "age",
        "sex > 3",
    ],
)
def test_a_condition_reads_columns_and_nothing_else(condition):
    with pytest.raises(InputError, match="`filter` must"):
        rows_that_meet(made(**FRAME), condition)


def test_unknown_columns_are_named():
    with pytest.raises(InputError, match=r"got 'agee'.*'age'"):
        rows_that_meet(made(**FRAME), "agee > 3")
    with pytest.raises(InputError, match="got 'patient id'"):
        rows_that_meet(made(**FRAME), "`patient id` == 'a'")


def test_a_condition_that_no_row_meets():
    with pytest.raises(InputError, match="must keep a row"):
        rows_that_meet(made(**FRAME), "age > 200")


def test_ranges_begin_with_their_lower_end():
    frame = made(age=[39.9, 40, 60, 79, 80, np.nan])
    cut_into_ranges(frame, read_cut_points(["age=40,60,80"]))
    assert frame["age"].tolist()[:5] == [
        "under 40",
        "40 to under 60",
        "60 to under 80",
        "60 to under 80",
        "80 and over",
    ]
    assert frame["age"].isna().tolist() == [False] * 5 + [True]


@pytest.mark.parametrize("text", ["age", "age=", "age=60,40", "age=4,x", "=4", "age=nan"])
def test_wrong_cut_points(text):
    with pytest.raises(InputError, match="`cut` must be a column and rising numbers"):
        read_cut_points([text])


def test_labels_are_not_cut():
    with pytest.raises(InputError, match="must name a column of numbers; got labels"):
        cut_into_ranges(made(site=["a", "b"]), {"site": [1.0]})
