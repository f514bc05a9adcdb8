"""Messages name the cells that are wrong, and their rows: by index label, or as a file counts."""

from __future__ import annotations

import numpy as np
import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pytest

import rocstats as rs

Y = [0, 1, 0, 1, 0, 1]
PATIENTS = [f"p{k}" for k in range(6)]


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        (
            ["30.8", "<0.5", "1", "2", ">100", "<0.5"],
            "3 cells of text: '<0.5' (row 1), '>100' (row 4).",
        ),
        (["30,8", "1,5", "NA", "n/a", ".", "2"], "1 cell of text: 'n/a' (row 3)."),
        (["1", "NA", "2", "3", "4", "5"], "1 cell of text: 'NA' (row 1)."),
        (
            ["1", "2", "3", "4", "5", "-6e-3"],
            "6 cells of text: '1' (row 0), '2' (row 1), '3' (row 2) and others.",
        ),
        ([1, 2.5, "x" * 99, None, 4, 5], f"1 cell of text: '{'x' * 40}' (row 2)."),
    ],
)
def test_text_among_numbers_is_named_and_the_numbers_are_not(cells, named):
    with pytest.raises(rs.InputError) as refused:
        rs.Study(Y, np.array(cells, dtype=object))
    assert f"`y_score` must be numbers; got {named}" in str(refused.value)


INDEXED = pd.DataFrame(
    {
        "y": Y,
        "s": [1, 2, "x", 4, 5, 6],
        "holes": [1, 2, np.nan, 4, 5, 6],
        "n": [1, 1, 0.5, 1, 1, 1],
    },
    index=PATIENTS,
)
BY_LABEL = {
    "text": (lambda d: rs.Study("y", "s", data=d), "in column 's': 'x' (row 'p2')"),
    "missing": (lambda d: rs.Study("y", "holes", data=d), "1 of 'holes' (row 'p2')"),
    "frequencies": (
        lambda d: rs.Study("y", "m", data=d.assign(m=2 * d["n"]), frequency="n"),
        "got 0.5 in row 'p2' and",
    ),
    "covariates": (
        lambda d: rs.Study("y", "n", data=d.assign(n=d["n"] * 1e300), covariate=d["holes"] * 1e300),
        "in rows 'p0', 'p1', 'p3', 'p4', 'p5'",
    ),
    "times": (
        lambda d: rs.SurvivalStudy("holes", "y", "n", data=d.assign(holes=-d["holes"])),
        "got -1 (rows 'p0', 'p1', 'p3', 'p4', 'p5')",
    ),
    "events": (
        lambda d: rs.SurvivalStudy("n", "event", "y", data=d.assign(event=[0, 1, 1.5, 0, 1, 1])),
        "got 1.5 (row 'p2')",
    ),
    "a list beside a Series": (
        lambda d: rs.Study(Y, d["n"], group=[*"ab", None, *"abc"]),
        "(row 'p2')",
    ),
    "reads": (
        lambda d: rs.ReaderStudy(Y, d["n"], reader=["r"] * 6, case=[1, 2, 3, 4, 1, 6]),
        "(rows 'p0', 'p4')",
    ),
    "learners": (
        lambda d: rs.compare_over_datasets({"a": d["n"], "b": d["n"] + 1}),
        "got 2 in row 'p0'",
    ),
}


@pytest.mark.parametrize("name", BY_LABEL)
def test_rows_are_named_by_their_labels(name):
    call, named = BY_LABEL[name]
    with pytest.raises(rs.InputError) as refused:
        call(INDEXED)
    assert named in str(refused.value)


# --- Cells far away -------------------------------------------------------------------------------


@pytest.fixture
def book(tmp_path):
    """Write a table with a stray cell."""

    def call(row, column):
        written = openpyxl.Workbook()
        for cells in [["y", "s"], [0, 1.5], [1, 2.5]]:
            written.active.append(cells)
        written.active.cell(row, column, "stray")
        written.save(tmp_path / "far.xlsx")
        return tmp_path / "far.xlsx"

    return call


@pytest.mark.parametrize(("row", "cell"), [(3, "XFD3"), (10**5, "XFD100000")])
def test_a_cell_far_to_the_right_is_named(book, row, cell):
    with pytest.raises(rs.InputError, match=f"column 16384 .* begins with 'stray' in cell {cell}"):
        rs.read_table(book(row, 2**14))


def test_a_cell_far_below_is_a_row_of_its_own(book):
    assert len(rs.read_table(book(10**5, 1))) == 3


def test_a_name_far_to_the_right_is_an_empty_column(book):
    frame = rs.read_table(book(1, 2**14))
    assert list(frame) == ["y", "s", "stray"]
    assert frame["stray"].isna().all()


def test_an_error_without_text_is_named_by_its_kind(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(openpyxl, "load_workbook", fail)
    (tmp_path / "x.xlsx").write_bytes(b"")
    with pytest.raises(rs.InputError, match=r"got 'x.xlsx' \(MemoryError\)"):
        rs.read_table(tmp_path / "x.xlsx")
