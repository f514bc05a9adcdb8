"""Bands of all classes: each is the binary one at the level that the number of classes asks for."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.band_record import BandRequest
from rocstats.estimate.bands import FIXED_WIDTH
from rocstats.estimate.resample import ResamplePlan

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
    with pytest.warns(rs.StatisticalWarning) if role == "fold" else _nothing():
        found = study.roc_band(**asked)
    k, c = 1, "b"
    request = BandRequest(np.array(AT), 1 - 0.05 / 3, ResamplePlan(200, 4, (0, 1, k)))
    binary = rs.Study(y == c, scores[c], **roles)
    band = FIXED_WIDTH.make(binary.cases, 0, request)
    rows = found[(found["class"] == c) & (found["predictor"] == "y")]
    np.testing.assert_array_equal(rows["tpr_low"], band.low)
    np.testing.assert_array_equal(rows["tpr_high"], band.high)
    assert found.attrs["rocstats"]["seed"] == 4


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


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
    pd.testing.assert_frame_equal(rows, alone.roc_band("joint", at=AT).copy())


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


CASES = {
    "a method": (
        {"method": "pointwise"},
        {},
        "`method` must be one of 'fixed-width', 'joint'; got 'pointwise'. Pass one of these.",
    ),
    "an adjustment": (
        {"adjust": "holm"},
        {},
        "`adjust` must be one of 'bonferroni', 'none'; got 'holm'. Pass one of these.",
    ),
    "weights": (
        {},
        {"sample_weight": np.ones(90)},
        "`sample_weight` must not be in a study for roc_band; got weights. The"
        " band needs counts: pass frequency=, or leave the weights out.",
    ),
    "clusters": (
        {"method": "joint"},
        {"cluster": np.arange(90)},
        "`method` must be 'fixed-width' when the study has clusters; got 'joint'. The joint band"
        " assumes independent cases.",
    ),
    "too few resamples": (
        {"confidence_level": 0.99, "n_resamples": 250},
        {},
        "`n_resamples` must be at least 299 for bands of level 0.996667 each; got 250. Pass ten"
        " times as many, or a lower confidence_level.",
    ),
    "rates": (
        {"at": [0.5, 0.2]},
        {},
        "`at` must be increasing false positive rates in [0, 1]; got [0.5, 0.2]. Sort them, and"
        " leave out repeats.",
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_message(name, data):
    asked, roles, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        rs.MulticlassStudy(*data, **roles).roc_band(**asked)
