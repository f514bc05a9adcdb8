"""Percentile limits of weighted rates and measures, and of their differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

import rocstats as rs
from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.resample import ResamplePlan, draw_weights
from tests import examples
from tests.quick import each

DRAWN = {"interval": "percentile", "n_resamples": 199, "rng": 4}
LIMITS = ["ci_low", "ci_high"]
METRICS = {
    "tpr": metrics.recall_score,
    "ppv": metrics.precision_score,
    "accuracy": metrics.accuracy_score,
    "f1": metrics.f1_score,
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
}
OF_STUDY = ("ppv", "accuracy", "f1", "mcc", "kappa")


@pytest.fixture
def data(rng):
    y = rng.random(80) < 0.4
    scores = {"a": rng.normal(size=80) + 1.2 * y, "b": rng.normal(size=80) + 0.6 * y}
    return y, scores, rng.uniform(0.2, 3, 80)


def resampled_values(study, name, calls, *, together):
    """Values by scikit-learn of the cases of each resample, one after the other."""
    cases = study.cases
    plan = ResamplePlan(199, 4).at(0)
    plan = plan if len(calls) == 2 else plan.at(0)
    weights = draw_weights(plan.streams(2), cases, 199, stratified=not together)
    values = np.array(
        [
            [METRICS[name](cases.is_positive, called, sample_weight=drawn) for called in calls]
            for drawn in weights
        ]
    )
    return np.sort(values[:, 0] - (values[:, 1] if len(calls) == 2 else 0))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("roles", [{}, {"cluster": np.arange(80) // 2}])
def test_limits_are_percentiles_of_scikit_learns_values(data, roles):
    y, scores, weight = data
    study = rs.Study(y, {"a": scores["a"]}, sample_weight=weight, **roles)
    frame = study.operating_points(threshold=0.7, quantities=list(METRICS), **DRAWN)
    frame = frame.set_index("quantity")
    for name, value in METRICS.items():
        called = scores["a"] >= 0.7
        assert frame.loc[name, "estimate"] == pytest.approx(value(y, called, sample_weight=weight))
        together = bool(roles) or name in OF_STUDY
        draws = resampled_values(study, name, [called], together=together)
        # ranks ceil(200 x .025) = 5 from either end
        expected = [draws[4], draws[-5]]
        assert frame.loc[name, LIMITS].tolist() == pytest.approx(expected, abs=1e-12)
        assert frame.loc[name, "se"] == pytest.approx(np.std(draws, ddof=1))
    assert frame.attrs["rocstats"]["seed"] == 4
    assert set(frame["method"]) == {"resamples/percentile"}


def test_differences_are_percentiles_of_shared_resamples(data):
    y, scores, weight = data
    study = rs.Study(y, scores, sample_weight=weight)
    asked = {"threshold": {"a": 0.7, "b": 0.2}, **DRAWN}
    names = [name for name in METRICS if name != "ppv"]
    frame = study.compare_operating_points(quantities=names, **asked)
    frame = frame.set_index(frame["quantity"].str.removesuffix("_difference"))
    calls = [scores["a"] >= 0.7, scores["b"] >= 0.2]
    for name in names:
        draws = resampled_values(study, name, calls, together=name in OF_STUDY)
        expected = [draws[4], draws[-5]]
        assert frame.loc[name, LIMITS].tolist() == pytest.approx(expected, abs=1e-12)
        # The p value inverts the limits: draws on the other side of 0, doubled.
        share = np.mean([np.mean(draws < -1e-12), np.mean(draws < 1e-12)])
        share = np.clip(share, 1 / 200, 199 / 200)
        assert frame.loc[name, "p_value"] == pytest.approx(2 * min(share, 1 - share))


def test_weights_leave_estimates_by_default(data):
    y, scores, weight = data
    study = rs.Study(y, scores, sample_weight=weight)
    with pytest.warns(rs.StatisticalWarning, match="interval='percentile', rng=1"):
        frame = study.compare_operating_points(threshold=0.5)
    assert frame[["se", *LIMITS, "p_value"]].isna().all(axis=None)
    assert frame["note"].str.contains("weights-need-bootstrap").all()
    assert (frame["n_resamples"] == 0).all()
    assert "seed" not in frame.attrs["rocstats"] or frame.attrs["rocstats"]["seed"] is None
    drawn = study.compare_operating_points(threshold=0.5, **DRAWN)
    assert drawn["quantity"].tolist() == frame["quantity"].tolist()
    assert drawn["estimate"].tolist() == frame["estimate"].tolist()
    assert drawn[LIMITS].notna().all(axis=None)
    at_rate = study.compare_operating_points(fpr=0.2)
    own = study.operating_points(fpr=0.2, quantities="tpr")["estimate"]
    assert at_rate["estimate"][0] == pytest.approx(own[0] - own[1])
    assert "weights-need-bootstrap" in at_rate["note"][0]


def test_weights_of_one_are_no_weights(data):
    y, scores, _ = data
    asked = {"threshold": 0.5, **DRAWN}
    plain, weighted = (
        rs.Study(y, scores, **one) for one in ({}, {"sample_weight": np.full(80, 2)})
    )
    for question in ("operating_points", "compare_operating_points"):
        first, second = (getattr(study, question)(**asked) for study in (plain, weighted))
        for column in ("estimate", *LIMITS):
            assert first[column].tolist() == pytest.approx(second[column].tolist(), nan_ok=True)


def test_groups_are_resampled_apart_and_compared(data):
    y, scores, weight = data
    group = np.where(np.arange(80) % 3, "u", "v")
    study = rs.Study(y, scores, sample_weight=weight, group=group)
    apart = study.compare_operating_points(threshold=0.5, quantities="f1", **DRAWN)
    assert apart["group"].tolist() == ["v", "u"]
    across = study.compare_operating_points(
        threshold=0.5, quantities="f1", across="groups", **DRAWN
    )
    points = study.operating_points(threshold=0.5, quantities="f1", **DRAWN)
    points = points.set_index(["predictor", "group"])
    row = across.iloc[0]
    one, other = (points.loc[("a", row[name])] for name in ("group", "reference"))
    assert row["estimate"] == pytest.approx(one["estimate"] - other["estimate"])
    # Independent groups: variances add up, up to the Monte-Carlo error of 199 resamples.
    assert row["se"] == pytest.approx(np.hypot(one["se"], other["se"]), rel=4 / np.sqrt(2 * 199))


def test_a_rate_of_one_has_wilsons_limits_for_kishs_number_of_cases():
    weight = np.array([1, 2, 3, 4, 1, 1, 1, 2.0])
    study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], [5, 6, 7, 8, 1, 2, 6, 3], sample_weight=weight)
    frame = study.operating_points(threshold=5, quantities=["tpr", "tnr", "f1"], **DRAWN)
    # (1 + 2 + 3 + 4)^2 / (1 + 4 + 9 + 16) = 10/3 cases, all called
    z = 1.959963984540054
    low = (10 / 3) / (10 / 3 + z**2)
    assert frame.loc[0, LIMITS].tolist() == pytest.approx([low, 1])
    assert wilson_limit_of_proportion(10 / 3, 10 / 3, -z) == pytest.approx(low)
    assert frame["note"].str.contains("rate-at-boundary").tolist() == [True, False, True]
    # F1 needs both rates: its resamples would lack the variance of the sensitivity.
    assert frame.loc[2, "method"].startswith("effective/")
    assert frame.loc[2, "ci_low"] < frame.loc[2, "estimate"] < frame.loc[2, "ci_high"]


def test_a_difference_from_a_rate_of_one_is_mover_without_correlation():
    y = np.repeat([1, 0], 12)
    a = np.where(y, 9.0, np.arange(24) % 12)
    b = np.where(np.arange(24) % 3 == 0, 2.0, 8.0)
    study = rs.Study(y, {"a": a, "b": b}, sample_weight=np.linspace(1, 2, 24))
    asked = {"threshold": 5, "quantities": ["tpr", "f1", "tpr_ratio"], **DRAWN}
    frame = study.compare_operating_points(**asked)
    points = study.operating_points(threshold=5, quantities="tpr", **DRAWN).set_index("predictor")
    n = np.linspace(1, 2, 24)[:12].sum() ** 2 / (np.linspace(1, 2, 24)[:12] ** 2).sum()
    p = float(points["estimate"]["b"])
    z = 1.959963984540054
    low_a = wilson_limit_of_proportion(n, n, -z)
    high_b = wilson_limit_of_proportion(n * p, n, z)
    low_b = wilson_limit_of_proportion(n * p, n, -z)
    expected = [1 - p - np.hypot(1 - low_a, high_b - p), 1 - p + (p - low_b)]
    assert frame.loc[0, LIMITS].tolist() == pytest.approx(expected)
    assert frame["method"].tolist() == ["effective/independent-mover"] * 2 + ["none/none"]
    assert frame.loc[0, "p_value"] < 0.05


def test_rules_that_agree_have_no_interval(data):
    y, scores, weight = data
    study = rs.Study(y, {"a": scores["a"], "c": 3 * scores["a"]}, sample_weight=weight)
    asked = {"threshold": {"a": 0.5, "c": 1.5}, "quantities": ["tpr", "f1", "tpr_ratio"], **DRAWN}
    frame = study.compare_operating_points(**asked)
    assert frame["estimate"].tolist() == [0, 0, 1]
    assert frame[LIMITS].isna().all(axis=None)
    assert frame["p_value"].tolist() == [1, 1, 1]
    assert frame["note"].str.contains("no-discordance").all()


@settings(max_examples=40)
@given(st.data())
def test_no_interval_of_a_rate_is_without_width(data):
    n = data.draw(st.integers(4, 14))
    y = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    assume(0 < y.sum() < n)
    score = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    weights = data.draw(st.lists(st.floats(0.1, 9), min_size=n, max_size=n))
    asked = {"interval": "percentile", "n_resamples": 100, "rng": 1}
    frame = rs.Study(y, score, sample_weight=weights).operating_points(
        threshold=2, quantities=["tpr", "tnr", "accuracy", "f1", "youden", "lr_positive"], **asked
    )
    limited = frame[frame["ci_low"].notna()]
    assert {"tpr", "tnr"} <= {*limited["quantity"]}
    assert (limited["ci_low"] < limited["ci_high"]).all()
    assert (frame["note"][frame["ci_low"].isna()] != "").all()
    shares = limited[limited["quantity"].isin(["tpr", "tnr", "accuracy", "f1"])]
    assert shares[LIMITS].stack().between(0, 1).all()


@each(
    ("arguments", "message"),
    [
        (
            {"ratio_interval": "log"},
            "`ratio_interval` must be left out with interval='percentile', where all measures",
        ),
        (
            {"prevalence": 0.1, "prevalence_cases": 50},
            "`prevalence_cases` must be left out with interval='percentile', whose limits are",
        ),
        (
            {"quantities": "true_prevalence", "apparent_prevalence": (3, 9)},
            "`quantities` must not hold 'true_prevalence' at given rates, with interval='dkw' or",
        ),
        ({"threshold": None, "fpr": 0.1}, "`interval` must be one of"),
    ],
)
def test_message(arguments, message):
    study = rs.Study(examples.Y, examples.D1)
    with pytest.raises(rs.InputError) as refused:
        study.operating_points(**{"threshold": 0.5, **arguments}, interval="percentile")
    assert str(refused.value).startswith(message)


def test_many_calls_are_refused(monkeypatch):
    monkeypatch.setattr("rocstats.inference.points.measures._MOST_CALLS", 20)
    study = rs.Study(examples.Y, examples.D1)
    with pytest.raises(rs.InputError, match="`threshold` must need at most 20 calls"):
        study.operating_points(threshold=[0.1, 0.2], interval="percentile")
