"""Columns of plain numbers are read at once, with the values and messages of one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs
from rocstats.errors import InputError
from rocstats.study.forms import ScoreBlock, predictor_naming, read_inputs

Y = [0, 1, 1, 0]
WHOLE = {"a": np.array([1, 2, 3, 2]), "b": np.array([4, 0, 1, 1])}
REAL = {"a": np.array([0.5, 2.0, -0.0, np.inf]), "b": np.array([4.0, 0.0, 1.0, 1.0])}
MIXED = {"a": WHOLE["a"].astype(np.int8), "b": REAL["a"].astype(np.float32), "c": REAL["b"] > 1}


def block_of(y_score: Any, **more: Any) -> Any:
    naming = predictor_naming(None)
    return read_inputs(Y, y_score, naming=naming, **{"data": None, "roles": {}, **more}).scores


@pytest.mark.parametrize("columns", [WHOLE, REAL, MIXED], ids=["whole", "real", "mixed"])
def test_any_container_has_the_same_scores(columns: dict[str, Any]) -> None:
    frame = pd.DataFrame(columns)
    expected = [np.asarray(column, dtype=np.float64) for column in columns.values()]
    containers = [columns, frame, pl.DataFrame(columns), frame.to_numpy(dtype=np.float64)]
    for given in [*containers, {k: v.tolist() for k, v in columns.items()}]:
        np.testing.assert_array_equal(rs.Study(Y, given).scores, expected)
    for data in (columns, frame.assign(outcome=Y), pl.DataFrame(columns)):
        study = rs.Study(Y, list(columns)[::-1], data=data)
        assert study.predictors == tuple(columns)[::-1]
        np.testing.assert_array_equal(study.scores, expected[::-1])


def test_plain_numbers_are_one_block() -> None:
    for given in (MIXED, pd.DataFrame(MIXED), pl.DataFrame(REAL), np.array([*REAL.values()]).T):
        assert isinstance(block_of(given), ScoreBlock)
    data = pd.DataFrame(MIXED)
    assert isinstance(block_of(["b", "a"], data=data), ScoreBlock)


def test_arrays_of_the_user_are_copied() -> None:
    matrix = np.asfortranarray(np.array([*REAL.values()]).T)
    study = rs.Study(Y, matrix)
    matrix[0] = 9
    assert study.scores[:, 0].tolist() == [0.5, 4.0]


@pytest.mark.parametrize(
    "make", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"]
)
def test_whole_numbers_that_floats_would_tie_are_refused(make: Any) -> None:
    large = np.array([2**53, 2**53 + 1, 1, 2])
    with pytest.raises(InputError, match="exact as 64-bit floats"):
        rs.Study(Y, make({"a": WHOLE["a"], "b": large}))


def test_missing_values_are_found_by_column() -> None:
    gone = {"a": REAL["a"], "b": np.array([4.0, np.nan, 1.0, 1.0])}
    null = pl.DataFrame({"a": [0.5, 2.0, -0.0, np.inf], "b": [4.0, None, 1.0, 1.0]})
    masked = np.ma.masked_array(np.array([*gone.values()]).T, [[False, False], [False, True]] * 2)
    masked.mask[3] = False
    for given in (gone, pd.DataFrame(gone), null):
        with pytest.raises(InputError, match=r"missing values; got 1 of 'b' \(row 1\)"):
            rs.Study(Y, given)
    with pytest.raises(InputError, match=r"missing values; got 1 of 'score_2' \(row 1\)"):
        rs.Study(Y, masked)


def test_rows_and_indexes_are_compared() -> None:
    with pytest.raises(InputError, match="as many rows"):
        rs.Study([0, 1, 1], REAL)
    with pytest.raises(InputError, match="as many rows"):
        rs.Study(Y, {"a": REAL["a"], "b": REAL["b"][:3]})
    with pytest.raises(InputError, match="same index"):
        rs.Study(pd.Series(Y, index=[3, 2, 1, 0]), pd.DataFrame(REAL))
    with pytest.raises(InputError, match="must not hold the outcome"):
        rs.Study("y", ["a", "y"], data=pd.DataFrame({"y": Y, **WHOLE}))


def test_keys_of_a_frame_may_be_of_any_kind() -> None:
    frame = pd.DataFrame({True: REAL["a"], 7: REAL["b"], "y": Y})
    study = rs.Study("y", ["7", "True"], data=frame)
    assert study.scores[0].tolist() == REAL["b"].tolist()
    assert study.predictors == ("7", "True")
