"""Item studies: what they read, from tables and from rows, and what they refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.quick import each

TABLE = pd.DataFrame(
    {"large": [1, 1, 0, 1], "small": [1, 0, 0, 1], "passage": ["p", "p", "q", "q"]},
    index=["q1", "q2", "q3", "q4"],
)


def rows_of(table: pd.DataFrame) -> pd.DataFrame:
    """The same results with a row for each item and system."""
    long = table.rename_axis("item").reset_index()
    return long.melt(["item", "passage"], var_name="system", value_name="right")


ROWS = rows_of(TABLE)


def test_rows_of_items_and_systems_are_a_table(rng):
    wide = rs.ItemStudy(["large", "small"], data=TABLE, cluster="passage")
    shuffled = ROWS.iloc[[0, *(1 + rng.permutation(len(ROWS) - 1))]]
    long = rs.ItemStudy("right", data=shuffled, item="item", system="system", cluster="passage")
    assert long.systems == wide.systems == ("large", "small")
    assert long.compare_accuracy().equals(wide.compare_accuracy())
    assert long.accuracy().equals(wide.accuracy())


@each(
    "score",
    [
        {"large": [True, True, False, True], "small": [True, False, False, True]},
        np.array([[1, 1], [1, 0], [0, 0], [1, 1]]),
        {"large": pd.array([1, 1, 0, 1], dtype="Int64"), "small": np.array([1.0, 0, 0, 1])},
        {name: pd.Categorical(TABLE[name], [0, 0.5, 1]) for name in ("large", "small")},
    ],
)
def test_right_and_wrong_have_several_forms(score):
    study = rs.ItemStudy(score)
    assert not study.graded
    assert study.accuracy()["estimate"].tolist() == [0.75, 0.5]


def test_unnamed_systems_are_numbered():
    assert rs.ItemStudy(np.ones((3, 2))).systems == ("system_1", "system_2")


def test_several_samples_of_an_item_are_averaged_and_noted():
    twice = pd.concat([ROWS, ROWS.assign(right=1)])
    study = rs.ItemStudy("right", data=twice, item="item", system="system")
    assert study.graded
    assert study.scores.tolist() == [[1, 1, 0.5, 1], [1, 0.5, 0.5, 1]]
    assert study.accuracy()["note"].str.contains("samples-averaged=2").all()


def test_an_item_that_a_system_lacks_is_refused_or_left_out_for_all():
    fewer = ROWS[~((ROWS["item"] == "q2") & (ROWS["system"] == "small"))]
    with pytest.raises(rs.InputError, match=r"none of 'small' for 1 of 4 items \('q2'\)"):
        rs.ItemStudy("right", data=fewer, item="item", system="system")
    omitted = rs.ItemStudy("right", data=fewer, item="item", system="system", nan_policy="omit")
    found = omitted.accuracy()
    assert found["n_items"].tolist() == [3, 3]
    assert found["estimate"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert (found["note"] == "rows-dropped=1").all()


def test_a_missing_sample_makes_the_item_missing():
    table = rows_of(TABLE.astype({"small": float}).replace({"small": {0.0: np.nan}}))
    with pytest.raises(rs.InputError, match="no missing values; got 2 of 'small'"):
        rs.ItemStudy("right", data=table, item="item", system="system")
    omitted = rs.ItemStudy("right", data=table, item="item", system="system", nan_policy="omit")
    assert omitted.n_items == 2


@each(
    ("arguments", "message"),
    [
        ({"score": {"a": [0, 2]}}, "`score` must be numbers from 0 .* got 2 of 'a' in row 1"),
        ({"score": [0.5, -0.1]}, "`score` must be numbers from 0 .* got -0.1"),
        ({"score": {"a": ["C", "I"]}}, "`score` must be numbers; .* 1 for right, 0 for wrong"),
        ({"score": pd.Categorical(["right", "wrong"])}, "`score` must be numbers; got 2 cells"),
        ({"score": [1, 0], "item": [1, 2]}, "`system` must be given with `item`"),
        ({"score": [1, 0], "system": [1, 2]}, "`item` must be given with `system`"),
        (
            {"score": [1, 0], "item": [1, 1], "system": [1, 2], "frequency": [1, 1]},
            "`frequency` must stay None with `item`",
        ),
        (
            {"score": [1, 0], "item": [1, 1], "system": [1, 2], "cluster": ["x", "y"]},
            "`cluster` must be the same in all rows of an item; .* item '1'",
        ),
        (
            {"score": [1, 0], "item": [1, 1], "system": [1, 2], "group": ["x", "y"]},
            "`group` must be the same in all rows of an item",
        ),
        ({"score": [1, 0], "item": [1, None], "system": [1, 2]}, "`item` must have no missing"),
        ({"score": [np.nan], "nan_policy": "omit"}, "`score` must leave at least one item"),
        ({"score": []}, "`score` must have at least one row"),
    ],
)
def test_what_is_no_item_study_is_refused(arguments, message):
    with pytest.raises(rs.InputError, match=message):
        rs.ItemStudy(**arguments)


def test_an_item_study_prints_what_it_holds():
    text = repr(rs.ItemStudy(["large", "small"], data=TABLE, cluster="passage"))
    lines = [line.split(maxsplit=1) for line in text.splitlines()[1:]]
    assert dict(lines) == {
        "systems": "large, small",
        "items": "4",
        "scores": "right or wrong",
        "clusters": "2",
    }
