"""Curves and bands of each class against the rest are those of binary studies."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import rocstats as rs
from rocstats.estimate.band_record import BandRequest
from rocstats.estimate.bands import FIXED_WIDTH
from rocstats.estimate.resample import ResamplePlan
from tests.oracles import definitions as oracles
from tests.quick import each
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
    pd.testing.assert_frame_equal(
        pd.DataFrame(found.drop(columns="group")), pd.DataFrame(alone.assign(fold="2"))
    )
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


AT = [0.0, 0.1, 0.35, 0.8, 1.0]


@pytest.fixture
def data(rng):
    y = rng.permutation(np.repeat(["a", "b", "c"], [30, 25, 35]))
    return y, {c: rng.normal(size=90) + 1.5 * (y == c) for c in "abc"}


def test_joint_bands_are_those_of_binary_studies(data):
    y, scores = data
    found = rs.MulticlassStudy(y, scores).roc_band("joint", at=AT)
    assert list(dict.fromkeys(found["class"])) == ["a", "b", "c"]
    assert set(found["versus"]) == {"rest"}
    assert set(found["method"]) == {"joint/bonferroni"}
    assert set(found["confidence_level"]) == {0.95}
    for c in "abc":
        binary = rs.Study(y == c, scores[c]).roc_band("joint", at=AT, confidence_level=1 - 0.05 / 3)
        rows = found[found["class"] == c].reset_index(drop=True)
        numbers = ["fpr", "tpr", "tpr_low", "tpr_high"]
        pd.testing.assert_frame_equal(rows[numbers], binary[numbers])


@pytest.mark.parametrize("role", [None, "cluster", "frequency", "fold"])
def test_fixed_width_bands_are_those_of_the_kernel(rng, data, role):
    y, scores = data
    values = {"cluster": rng.integers(0, 40, 90), "frequency": rng.integers(1, 3, 90)}
    values["fold"] = np.tile([1, 2], 45)
    roles = {} if role is None else {role: values[role]}
    study = rs.MulticlassStudy(y, {"x": scores, "y": scores}, **roles)
    asked = {"at": AT, "n_resamples": 200, "rng": 4}
    found = study.roc_band(**asked)
    k, c = 1, "b"
    request = BandRequest(np.array(AT), 1 - 0.05 / 3, ResamplePlan(200, 4, (0, 1, k)))
    binary = rs.Study(y == c, scores[c], **roles)
    band = FIXED_WIDTH.make(binary.cases, 0, request)
    rows = found[(found["class"] == c) & (found["predictor"] == "y")]
    np.testing.assert_array_equal(rows["tpr_low"], band.low)
    np.testing.assert_array_equal(rows["tpr_high"], band.high)
    assert found.attrs["rocstats"]["seed"] == 4


def test_the_adjustment_widens(data):
    study = rs.MulticlassStudy(*data)
    asked = {"at": AT, "n_resamples": 500, "rng": 1}
    wide, narrow = study.roc_band(**asked), study.roc_band(adjust="none", **asked)
    assert (wide["tpr_low"] <= narrow["tpr_low"]).all()
    assert (wide["tpr_high"] >= narrow["tpr_high"]).all()
    assert not wide["tpr_low"].equals(narrow["tpr_low"])
    assert set(narrow["method"]) == {"fixed-width"}
    assert set(wide["scope"]) == {"simultaneous"}
    assert len(study.roc_band(rng=1, n_resamples=100)) == 3 * 201


def test_groups(rng, data):
    y, scores = data
    group = np.where((y != "c") & (np.arange(90) % 3 == 0), "v", "u")
    study = rs.MulticlassStudy(y, scores, group=group)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        found = study.roc_band("joint", at=AT)
    assert list(dict.fromkeys(found[found["group"] == "v"]["class"])) == ["a", "b"]
    alone = rs.MulticlassStudy(y[group == "u"], {c: s[group == "u"] for c, s in scores.items()})
    rows = found[found["group"] == "u"].drop(columns="group").reset_index(drop=True)
    band = pd.DataFrame(alone.roc_band("joint", at=AT))
    pd.testing.assert_frame_equal(pd.DataFrame(rows), band)


def test_where_resamples_cannot_vary_the_joint_band_stands_in(data):
    y, scores = data
    scores = {**scores, "a": (y == "a") + 0.0}
    with pytest.warns(rs.StatisticalWarning, match="joint-band"):
        found = rs.MulticlassStudy(y, scores).roc_band(at=AT, rng=1, n_resamples=200)
    assert set(found.loc[found["class"] == "a", "method"]) == {"fixed-width/joint/bonferroni"}
    assert set(found.loc[found["class"] == "b", "method"]) == {"fixed-width/bonferroni"}
    clustered = rs.MulticlassStudy(y, scores, cluster=np.arange(90) // 2)
    with pytest.raises(rs.InputError, match="which has none for class 'a'"):
        clustered.roc_band(at=AT, rng=1, n_resamples=200)


MESSAGES = [
    ({}, {"sample_weight": np.ones(90)}, "`sample_weight` must not be in a study for roc_band"),
    ({"method": "joint"}, {"cluster": np.arange(90)}, "`method` must be 'fixed-width' when the"),
    ({"confidence_level": 0.99, "n_resamples": 250}, {}, "`n_resamples` must be at least 299 for"),
    ({"at": [0.5, 0.2]}, {}, "`at` must be increasing false positive rates in [0, 1]"),
]


@each(("asked", "roles", "message"), MESSAGES)
def test_message(asked, roles, message, data):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.MulticlassStudy(*data, **roles).roc_band(**asked)
