"""Classifiers of several classes compared: a jackknife, binary studies and resamples."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_class_areas
from tests.inference.classes.test_areas import METHODS, hand_till, with_roles
from tests.quick import each

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value", "p_adjusted"]


def drawn(rng, y, gain):
    return {c: rng.integers(0, 6, len(y)) + gain * (y == c) for c in sorted(set(y))}


@pytest.fixture
def y(rng):
    return rng.permutation(np.repeat(["a", "b", "c"], [30, 24, 36]))


def test_the_variance_of_a_difference_is_the_jackknife(rng):
    y = rng.permutation(np.repeat(["a", "b", "c"], [5, 6, 8]))
    one, two = drawn(rng, y, 2.0), drawn(rng, y, 1.0)
    w = np.ones(len(y))

    def difference(rows):
        left = [{c: s[rows] for c, s in scores.items()} for scores in (one, two)]
        return np.subtract(*(hand_till(y[rows], scores, w[rows])[-1] for scores in left))

    everyone = np.arange(len(y))
    whole, variance = difference(everyone), 0.0
    for u in everyone:
        n = (y == y[u]).sum()
        variance += (n - 1) / n * (difference(np.delete(everyone, u)) - whole) ** 2
    found = rs.MulticlassStudy(y, {"one": one, "two": two}).compare_auc(interval="wald")
    assert found["estimate"][0] == pytest.approx(whole, abs=1e-14)
    assert found["se"][0] == pytest.approx(np.sqrt(variance), abs=1e-14)
    z = whole / np.sqrt(variance)
    assert found["statistic"][0] == pytest.approx(z)
    assert found["ci_low"][0] == pytest.approx(whole - 1.959963984540054 * np.sqrt(variance))
    assert found["method"][0] == "ovo-macro/wald"


@pytest.mark.parametrize(
    "role", ["plain", "frequency", "cluster", "fold", "fold and cluster", "group"]
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"hypothesis": "non-inferiority", "margin": 0.1},
        {"hypothesis": "superiority", "margin": 0.02},
        {"hypothesis": "equivalence", "margin": 0.2, "confidence_level": 0.9},
        {"alternative": "less", "null_value": 0.05},
    ],
    ids=str,
)
def test_two_classes_are_the_binary_comparison(rng, role, method, asked):
    y = rng.permutation(np.repeat(["no", "yes"], [36, 24]))
    one, two, three = (rng.integers(0, 8, 60) + gain * (y == "yes") for gain in (3.0, 2.0, 1.0))
    scores = {"one": one, "two": two, "three": three}
    roles = with_roles(rng, 60)[role]
    binary = rs.Study(y, scores, pos_label="yes", **roles).compare_auc(**asked)
    tables = {name: {"yes": s, "no": -s} for name, s in scores.items()}
    found = rs.MulticlassStudy(y, tables, **roles).compare_auc(method=method, **asked)
    np.testing.assert_allclose(found[NUMBERS], binary[NUMBERS], rtol=1e-9, atol=1e-12)
    same = ["predictor", "reference", "null_value", "hypothesis", "confidence_level"]
    assert found[same].equals(binary[same])
    wanted = binary["note"].str.contains("adjusted=holm")
    assert found["note"].str.contains("adjusted=holm").equals(wanted)


def test_order_reverses_the_sign(rng, y):
    one, two = drawn(rng, y, 2.0), drawn(rng, y, 1.0)
    study = rs.MulticlassStudy(y, {"one": one, "two": two})
    there = study.compare_auc(reference="two")
    back = study.compare_auc(reference="one")
    assert there["predictor"].tolist() == back["reference"].tolist() == ["one"]
    assert there["estimate"][0] == -back["estimate"][0]
    assert there["ci_low"][0] == pytest.approx(-back["ci_high"][0])
    assert there["p_value"][0] == pytest.approx(back["p_value"][0])


def test_holm_goes_over_all_rows(rng, y):
    tables = {name: drawn(rng, y, gain) for name, gain in (("x", 3.0), ("y", 1.5), ("z", 1.0))}
    study = rs.MulticlassStudy(y, tables)
    found = study.compare_auc()
    p = found["p_value"].to_numpy()
    order = np.argsort(p)
    steps = np.minimum(np.maximum.accumulate(p[order] * [3, 2, 1]), 1)
    np.testing.assert_allclose(found["p_adjusted"].to_numpy()[order], steps)
    plain = study.compare_auc(adjust="none")
    assert plain["p_adjusted"].equals(plain["p_value"])
    assert (study.compare_auc(adjust="bonferroni")["p_adjusted"] >= found["p_adjusted"]).all()
    assert len(study.compare_auc(reference="z")) == 2


@pytest.mark.parametrize("method", METHODS)
def test_standard_errors_of_resamples_have_one_degree_of_freedom_less(rng, y, method):
    tables = {"one": drawn(rng, y, 1.5), "two": drawn(rng, y, 1.0)}
    study = rs.MulticlassStudy(y, tables, sample_weight=rng.uniform(0.5, 2, len(y)))
    found = study.compare_auc(
        method=method, interval="percentile", n_resamples=100, rng=2, stratified=False
    )
    plan = ResamplePlan(100, 2, stratified=False).at(0)
    areas = draw_class_areas(study.cases, method, plan).values[-1]
    difference = areas[0] - areas[1]
    variance = ((difference - difference.mean()) ** 2).sum() / 99
    assert found["se"][0] == pytest.approx(np.sqrt(variance), rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_resamples_are_shared(rng, y, method):
    one = {c: rng.normal(size=90) + 1.5 * (y == c) for c in "abc"}
    two = {c: s + 0.3 * rng.normal(size=90) for c, s in one.items()}
    study = rs.MulticlassStudy(y, {"one": one, "two": two})
    closed = study.compare_auc(method=method)
    found = study.compare_auc(method=method, interval="percentile", rng=2)
    width = (found["ci_high"] - found["ci_low"]) / (closed["ci_high"] - closed["ci_low"])
    assert width[0] == pytest.approx(1, abs=0.1)
    assert found["method"][0] == f"{method}/percentile"
    assert found["n_resamples"][0] == 2000
    pd.testing.assert_frame_equal(
        found, study.compare_auc(method=method, interval="percentile", rng=2)
    )
    weighted = rs.MulticlassStudy(y, {"one": one, "two": two}, sample_weight=np.ones(90))
    drawn_se = weighted.compare_auc(method=method, interval="percentile", rng=2)["se"][0]
    assert drawn_se == pytest.approx(closed["se"][0], rel=0.1)
    plain = weighted.compare_auc(method=method)
    assert plain["note"][0] == "weights-need-bootstrap"
    assert plain["estimate"][0] == pytest.approx(closed["estimate"][0])
    assert np.isnan(plain["p_value"][0])


def test_identical_rankings_have_no_interval(rng, y):
    one = drawn(rng, y, 1.0)
    two = {c: np.exp(s) for c, s in one.items()}
    found = rs.MulticlassStudy(y, {"one": one, "two": two}).compare_auc()
    assert found["estimate"][0] == 0
    assert found["p_value"][0] == 1
    assert np.isnan(found["ci_low"][0])
    assert found["note"][0].startswith("identical-predictors")


def test_two_perfect_classifiers_have_a_finite_interval(y):
    one = {c: (y == c) + 0.0 for c in "abc"}
    two = {c: 2.0 * (y == c) + np.arange(90) / 90 for c in "abc"}
    found = rs.MulticlassStudy(y, {"one": one, "two": two}).compare_auc()
    assert found["estimate"][0] == 0
    assert -0.2 < found["ci_low"][0] < 0 < found["ci_high"][0] < 0.2
    assert found["method"][0] == "ovo-macro/mover"
    assert found["note"][0].startswith("auc-at-boundary")


def test_a_group_without_a_class_has_a_row_of_nan(rng, y):
    tables = {"one": drawn(rng, y, 2.0), "two": drawn(rng, y, 1.0)}
    group = np.where((y != "c") & (np.arange(90) % 3 == 0), "v", "u")
    for asked in ({}, {"interval": "percentile", "rng": 1, "n_resamples": 100}):
        with pytest.warns(rs.StatisticalWarning, match="one-class"):
            found = rs.MulticlassStudy(y, tables, group=group).compare_auc(**asked)
        lone = found[found["group"] == "v"]
        assert lone["estimate"].isna().all()
        assert lone["note"].tolist() == ["one-class"]
        assert found[found["group"] == "u"]["ci_low"].notna().all()


MESSAGES = [
    ({}, "`y_score` must hold two or more predictors to compare; got 1"),
    ({"hypothesis": "non-inferiority"}, "`margin` must be given for the hypothesis"),
    ({"adjust": "single-step"}, "`adjust` must be one of"),
    ({"interval": "logit"}, "`interval` must be one of"),
    ({"method": "delong"}, "`method` must be one of"),
]


@each(("asked", "message"), MESSAGES)
def test_message(asked, message, y):
    study = rs.MulticlassStudy(y, {c: np.arange(90.0) for c in "abc"})
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.compare_auc(**asked)
