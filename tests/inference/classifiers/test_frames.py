"""The contract of every frame, for the functions that are asked of classifiers, not of a study."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts import columns as glossary
from rocstats.studies.catalogue import declared_questions
from tests.inference.classifiers.test_sweep import Silent

POSITIONS = {"c1": (0.2, 0.6), "c2": (0.4, 0.7)}
DECISIONS = {"c1": [1, 0, 1, 0, 0], "c2": [1, 1, 0, 0, 1]}
Y = [1, 1, 0, 0, 1]


def repaired(score):
    return rs.repair_concavities(rs.Study([1, 0, 0, 1, 0, 1], score))


def frames_by_name():
    table = {"a": (1, 2, 3, 4), "1": (0, 0, 2, 2)}
    yield "confusion_rates", rs.confusion_rates(table, negate="all")
    yield "combined_points", rs.conjoin_classifiers(POSITIONS).points
    yield "combined_points", rs.disjoin_classifiers(decisions=DECISIONS, y_true=Y).points
    yield "combined_points", rs.chain_classifiers(POSITIONS).points
    yield "combined_points", rs.interpolate_classifiers(POSITIONS, k=0.25).points
    for score in ([6, 5, 4, 3, 2, 1], [2, 1, 1, 2, 1, 2]):
        yield "concavities", repaired(score).concavities
        yield "combined_points", repaired(score).points
    held_out = [[0], [1]], [0, 1], [[2], [3]], [1, 0]
    yield "class_weight_sweep", rs.sweep_class_weight(Silent([1, 0]), *held_out, weights=[1, 2])


@pytest.mark.parametrize(("name", "frame"), list(frames_by_name()))
def test_contract(name, frame, tmp_path):
    assert tuple(frame.columns) == declared_questions()[name].columns
    assert isinstance(frame.index, pd.RangeIndex)
    for column in frame.columns:
        if glossary.GLOSSARY[column].kind == "text":
            assert all(type(value) is str for value in frame[column])
        else:
            counts = glossary.GLOSSARY[column].kind == "count" and len(frame) > 0
            whole = counts and (frame[column] % 1 == 0).all()
            assert frame[column].dtype == (np.int64 if whole else np.float64)
    about = frame.attrs["rocstats"]
    assert json.loads(json.dumps(about)) == about
    assert about["function"] == name
    assert about["references"]
    frame.to_csv(tmp_path / "frame.csv", index=False)
    pd.testing.assert_frame_equal(rs.read_csv(tmp_path / "frame.csv"), frame, check_exact=True)
    frame.to_parquet(tmp_path / "frame.parquet")
    again = pd.read_parquet(tmp_path / "frame.parquet")  # which makes plain frames
    pd.testing.assert_frame_equal(again, pd.DataFrame(frame), check_exact=True)


def test_inputs_are_untouched():
    frame = pd.DataFrame(DECISIONS)
    before = frame.copy(deep=True)
    rs.disjoin_classifiers(decisions=frame, y_true=Y).apply(frame)
    rs.interpolate_classifiers(POSITIONS, k=0.25).apply(frame, rng=1)
    pd.testing.assert_frame_equal(frame, before)
