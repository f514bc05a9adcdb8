from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.strategies import multiclass_samples


def curve_of(frame, name):
    rows = frame[frame["class"] == name].reset_index(drop=True)
    return rows.drop(columns=["predictor", "class", "versus"])


@given(multiclass_samples())
def test_each_class_against_the_rest_is_algorithm_1(data):
    y, scores = data
    frame = rs.MulticlassStudy(y, scores).roc_curve()
    assert set(frame["versus"]) == {"rest"}
    assert list(dict.fromkeys(frame["class"])) == list(scores)
    for name, score in scores.items():
        expected = oracles.algorithm_1(y == name, score)
        found = curve_of(frame, name)
        assert found[["threshold", "fp", "tp"]].to_numpy() == pytest.approx(expected)
        assert found["fpr"].to_numpy() == pytest.approx(expected[:, 1] / (y != name).sum())
        assert found["tpr"].to_numpy() == pytest.approx(expected[:, 2] / (y == name).sum())


@given(multiclass_samples())
def test_the_curve_of_a_class_is_that_of_a_study_of_two(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    of_two = {name: rs.Study(y == name, score) for name, score in scores.items()}
    for ties in ("expected", "optimistic", "pessimistic"):
        frame = study.roc_curve(ties=ties)
        alone = {name: one.roc_curve(ties=ties) for name, one in of_two.items()}
        expected = pd.concat(alone.values(), ignore_index=True).drop(columns="predictor")
        assert frame["class"].tolist() == [name for name, one in alone.items() for _ in one.index]
        assert frame.drop(columns=["predictor", "class", "versus"]).equals(expected)


def test_curves_of_groups_and_folds(rng):
    y = np.tile(["a", "b", "c"], 12)
    scores = {name: rng.integers(0, 9, 36).astype(float) for name in "abc"}
    group, fold = np.repeat(["u", "v"], 18), np.tile(np.repeat([1, 2], 9), 2)
    study = rs.MulticlassStudy(y, scores, group=group, fold=fold)
    frame = study.roc_curve(by="fold")
    order = frame[["group", "class", "fold"]].drop_duplicates().to_numpy().tolist()
    assert order == [[g, c, f] for g in "uv" for c in "abc" for f in "12"]
    rows = (group == "v") & (fold == 2)
    part = {name: column[rows] for name, column in scores.items()}
    alone = rs.MulticlassStudy(y[rows], part).roc_curve()
    found = frame[(frame["group"] == "v") & (frame["fold"] == "2")].reset_index(drop=True)
    pd.testing.assert_frame_equal(found.drop(columns="group"), alone.assign(fold="2"))
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        pooled = study.roc_curve()
    without = rs.MulticlassStudy(y, scores, group=group).roc_curve()
    assert pooled.equals(without)


def test_weights_are_counts():
    scores = {"a": [3.0, 2, 1, 0], "b": [0.0, 1, 2, 3], "c": [1.0, 1, 1, 2]}
    study = rs.MulticlassStudy(["a", "b", "c", "c"], scores, sample_weight=[0.5, 2, 1, 3])
    found = curve_of(study.roc_curve(), "b")
    # b's own case scores 1, behind both of c; the other case, of a, scores 0
    assert found["fp"].tolist() == [0, 3, 4, 4, 4.5]
    assert found["tp"].tolist() == [0, 0, 0, 2, 2]


def test_the_rate_of_a_class_that_a_group_lacks_is_undefined():
    scores = {name: np.arange(6.0) for name in "abc"}
    group = ["u", "u", "u", "u", "v", "v"]
    study = rs.MulticlassStudy(["a", "b", "c", "c", "a", "b"], scores, group=group)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.roc_curve()
    lone = frame[frame["group"] == "v"]
    assert lone.loc[lone["class"] == "c", "tpr"].isna().all()
    assert lone.loc[lone["class"] == "c", "fpr"].tolist() == [0, 0.5, 1]
    assert not lone.loc[lone["class"] == "a", ["fpr", "tpr"]].isna().any().any()


def test_a_fold_that_lacks_a_class_has_no_curve_of_its_own():
    scores = {name: np.arange(6.0) for name in "abc"}
    fold = [1, 1, 1, 2, 2, 2]
    study = rs.MulticlassStudy(["a", "b", "c", "a", "b", "b"], scores, fold=fold)
    with pytest.raises(rs.InputError, match=r"got no case of \['c'\] in fold '2'"):
        study.roc_curve(by="fold")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        pooled = study.roc_curve()
    assert pooled["tpr"].notna().all()
