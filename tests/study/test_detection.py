"""Marks, cases and lesions as they are read, and what is refused."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.inference.localisation.studies import example, hand_tables
from tests.quick import each


def study_of(**changes):
    tables = dict(zip(("marks", "cases", "lesions"), hand_tables(), strict=True))
    options = {key: value for key, value in changes.items() if key not in tables}
    changed = {
        key: changes[key](table) if key in changes else table for key, table in tables.items()
    }
    return rs.DetectionStudy(**changed, **options)


def test_a_study_says_what_it_holds():
    text = repr(example())
    assert "25 with 49 lesions, 30 without" in text
    assert "297 on lesions, 440 false" in text
    assert "DetectionStudy" in text
    again = pickle.loads(pickle.dumps(example()))
    assert repr(again) == text
    with pytest.raises(AttributeError, match="immutable"):
        again.machine = "AI"


@each("form", ["dict", "polars", "csv", "numbers"])
def test_tables_of_other_kinds_are_the_same_study(form):
    expected = example().auc()
    tables = rs.load_marks_example()
    if form == "dict":
        tables = [{name: table[name].to_numpy() for name in table} for table in tables]
    elif form == "polars":
        polars = pytest.importorskip("polars")
        tables = [polars.from_pandas(table) for table in tables]
    elif form == "csv":
        tables = [pd.read_csv(io.StringIO(table.to_csv(index=False))) for table in tables]
    else:  # names of lesions as texts, blank where a mark is false
        marks, cases, lesions = tables
        names = marks["lesion"].map(lambda x: " " if np.isnan(x) else str(int(x)))
        tables = [marks.assign(lesion=names), cases, lesions]
    found = rs.DetectionStudy(*tables, reader="reader", modality="modality").auc()
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(expected))


def test_other_names_of_columns():
    marks, cases, lesions = hand_tables()
    names = {"case": "patient", "rating": "score", "lesion": "nodule"}
    found = rs.DetectionStudy(
        *(table.rename(columns=names) for table in (marks, cases, lesions)),
        case="patient", rating="score", lesion="nodule",
    )  # fmt: skip
    assert found.auc()["estimate"].item() == pytest.approx(7 / 12)


def test_the_truth_is_checked():
    truth = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1}
    study_of(cases=lambda t: t.assign(y=t["case"].map(truth)), truth="y")
    with pytest.raises(rs.InputError, match="case 'e' negative with a lesion"):
        study_of(cases=lambda t: t.assign(y=t["case"].map({**truth, "e": 0})), truth="y")


@each(
    ("changes", "message"),
    [
        ({"marks": lambda t: None}, "`marks` must be a table"),
        ({"lesions": lambda t: None}, "`lesions` must be a table"),
        ({"lesions": lambda t: t[:0]}, "`lesions` must have at least one lesion"),
        ({"cases": lambda t: t[:0]}, "must have"),
        ({"marks": lambda t: t.replace({"case": {"e": "f"}})}, "a mark on case 'f'"),
        ({"lesions": lambda t: t.replace({"case": {"c": "g"}})}, "a lesion on case 'g'"),
        ({"marks": lambda t: t.replace({"lesion": {"1": "7"}})}, "lesion '7' of case"),
        ({"cases": lambda t: pd.concat([t, t[:1]])}, "each case once; got 'a'"),
        ({"lesions": lambda t: pd.concat([t, t[:1]])}, "lesion '1' of case 'c' twice"),
        ({"marks": lambda t: t.replace({"rating": {5: np.inf}})}, "`rating` must be finite"),
        ({"marks": lambda t: t.replace({"rating": {5: np.nan}})}, "missing"),
        ({"marks": lambda t: t.rename(columns={"rating": "score"})}, "column of `marks`"),
        ({"weight": "w", "lesions": lambda t: t.assign(w=[1, -1, 1, 1])}, ">= 0"),
        ({"weight": "w", "lesions": lambda t: t.assign(w=[0, 1, 1, 1])}, "only 0 in case 'c'"),
        ({"reader": "who"}, "`reader` must name one column of `marks`"),
        ({"machine": "AI"}, "`machine` must be a reader of the marks"),
        ({"machine": "reader"}, "`machine` must be marked beside readers"),
        ({"labels": {"x": "X"}}, "`labels` must use names"),
        ({"group": "site", "cases": lambda t: t.assign(site=list("ppqqq"))}, "none in 'p'"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused(changes, message):
    with pytest.raises(rs.InputError, match=message):
        study_of(**changes)


def test_a_machine_under_several_modalities_must_be_under_those_of_the_readers():
    marks, cases, lesions = hand_tables()
    marks = marks.assign(reader=["r", "r", "AI", "AI", "r", "r"], modality=list("aacbbb"))
    with pytest.raises(rs.InputError, match=r"'AI' under \['c', 'b'\]"):
        rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality", machine="AI")
