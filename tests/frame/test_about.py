from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.frame.screen import About


@pytest.fixture
def frame():
    return rs.Study([1, 0, 1, 0], {"a": [3, 1, 2, 2]}, labels={"a": "Test A"}).auc()


def nested():
    return {
        "seed": 7,
        "share": 0.5,
        "none": None,
        "references": ["x", "y"],
        "deep": [["a"], {"b": [1, 2]}],
        "labels": {"a": "A", "more": {"b": ["c"]}},
        "array": np.arange(3),
    }


def changeable(value):
    """Return all objects in a value that could be changed, itself too."""
    inside = value.values() if isinstance(value, dict) else value if type(value) is list else ()
    own = [value] if isinstance(value, dict | list | np.ndarray) else []
    return own + [found for one in inside for found in changeable(one)]


def test_a_deep_copy_is_equal_and_shares_nothing_that_can_be_changed():
    about = About(nested())
    found, expected = copy.deepcopy(about), copy.deepcopy(nested())
    assert type(found) is About
    assert list(found) == list(expected)
    np.testing.assert_equal(dict(found), expected)
    assert len(changeable(about)) == 10
    assert {id(one) for one in changeable(about)}.isdisjoint(map(id, changeable(found)))


def test_a_dict_that_holds_itself_is_copied():
    about = About(references=["x"])
    about["self"] = about
    found = copy.deepcopy(about)
    assert found["self"] is found


def test_what_is_taken_of_a_frame_has_its_own(frame):
    before = copy.deepcopy(dict(frame.attrs["rocstats"]))
    for part in (frame["estimate"], frame[["estimate"]], frame.iloc[0], frame.copy(), frame == 1):
        assert part.attrs == frame.attrs
        part.attrs["rocstats"]["references"].append("mine")
        part.attrs["rocstats"]["labels"]["a"] = "mine"
        part.attrs["rocstats"]["seed"] = 1
    assert frame.attrs["rocstats"] == before


def test_it_reads_and_is_written_as_a_dict(frame):
    about = frame.attrs["rocstats"]
    assert isinstance(about, dict)
    assert repr(about) == repr(dict(about))
    assert json.loads(json.dumps(about)) == about
    again = pickle.loads(pickle.dumps(frame))
    pd.testing.assert_frame_equal(again, frame)
    assert again.attrs == frame.attrs
