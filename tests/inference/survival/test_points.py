"""Curves, operating points and net benefit at a time: identities, roles, edges, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from tests.inference.survival.studies import EVENT, SCORES, TIME, K, forty
from tests.strategies import SEEDS

LIMITS = ["estimate", "ci_low", "ci_high"]

# What a survival study and a study of a class are both asked.
SHARED = [*LIMITS, "se"]


def risks(**roles):
    """The first score as a risk; events of the second cause count as censored."""
    return rs.SurvivalStudy(TIME, EVENT == 1, SCORES["s1"] / 40, predictor="risk", **roles)


def points(study, **more):
    return study.operating_points(threshold={"s1": [15, 20], "s2": 20}, time=[8, 14], **more)


def test_worked_net_benefit():
    """docs/methods/survival.md, "Net benefit at a time": 40 patients."""
    row = risks().net_benefit(risk_threshold=0.3, time=14).iloc[0]
    assert row["estimate"] == pytest.approx(0.231589698, abs=5e-10)
    assert row["se"] == pytest.approx(0.132323694, abs=5e-10)
    assert row["method"] == "ipcw/wilson-mover"  # censoring is weighted, whatever the limits


@settings(max_examples=10)
@given(SEEDS, st.integers(6, 30))
def test_without_censoring_they_are_those_of_classes(seed, n):
    rng = np.random.default_rng(seed)
    time, score = rng.integers(1, 8, n).astype(float), rng.integers(0, 6, n) / 5
    time[:2] = 1, 8  # a case and a control
    higher = bool(rng.integers(2))
    here = {"predictor": "risk", "higher_is_positive": higher}
    survival = rs.SurvivalStudy(time, np.ones(n, bool), score, **here)
    classes = rs.Study((time <= 4).astype(int), score, **here)
    found = survival.operating_points(threshold=[0.4, 0.8], time=4)
    measures = ["tpr", "tnr", "ppv", "npv"]
    known = classes.operating_points(threshold=[0.4, 0.8], quantities=measures)
    found = found[found["quantity"] != "prevalence"]
    assert list(found["quantity"]) == list(known["quantity"])
    np.testing.assert_allclose(found[LIMITS], known[LIMITS], atol=1e-10)
    curve, own = survival.roc_curve(time=4), classes.roc_curve()
    columns = ["threshold", "fpr", "tpr", "fp", "tp"]
    np.testing.assert_allclose(curve[columns], own[columns], atol=1e-12)
    if higher:
        found = survival.net_benefit(risk_threshold=[0.2, 0.5], time=4)
        known = classes.net_benefit(risk_threshold=[0.2, 0.5])
        assert list(found["quantity"]) == list(known["quantity"])
        np.testing.assert_allclose(found[SHARED], known[SHARED], atol=1e-10)


@pytest.mark.parametrize("controls", ["not-case", "event-free"])
def test_predictive_values_are_of_all_patients_whoever_is_a_control(controls):
    """Ten patients, nobody censored: two have the event by 5, four another event, four none."""
    time = [1, 2, 3, 4, 4, 5, 6, 7, 8, 9]
    event = [1, 2, 2, 1, 2, 2, 1, 1, 2, 1]
    marker = [9, 1, 8, 2, 7, 3, 6, 1, 2, 3]  # positive from 5 on: one with, two another, one none
    study = rs.SurvivalStudy(time, event, marker, event_code=1, censored_code=[])
    found = study.operating_points(threshold=5, time=5, controls=controls)
    value = found.set_index("quantity")["estimate"]
    assert value["prevalence"] == pytest.approx(2 / 10)
    assert value["ppv"] == pytest.approx(1 / 4)
    # Of six called negative one has the event, two another, three none.
    of_controls = {"not-case": (5 / 6, 5 / 8), "event-free": (3 / 6, 3 / 4)}[controls]
    assert (value["npv"], value["tnr"]) == pytest.approx(of_controls)
    assert value["tpr"] == pytest.approx(1 / 2)


@given(SEEDS, st.integers(6, 30))
def test_without_censoring_they_are_shares_of_patients(seed, n):
    rng = np.random.default_rng(seed)
    time, score = rng.integers(1, 8, n).astype(float), rng.integers(0, 6, n)
    event = rng.integers(1, 3, n)
    time[:2], event[0] = (1, 8), 1  # a case and a control
    study = rs.SurvivalStudy(time, event, score, event_code=1, censored_code=[])
    case, called, free = (time <= 4) & (event == 1), score >= 3, time > 4
    for controls, control in (("not-case", ~case), ("event-free", free)):
        found = study.operating_points(threshold=3, time=4, controls=controls)
        value = found.set_index("quantity")["estimate"]
        assert value["prevalence"] == pytest.approx(case.mean())
        for name, of, among in (
            ("ppv", case, called),
            ("npv", control, ~called),
            ("tpr", called, case),
            ("tnr", ~called, control),
        ):
            wanted = of[among].mean() if among.any() else np.nan
            assert value[name] == pytest.approx(wanted, nan_ok=True), name


@pytest.mark.parametrize("controls", ["not-case", "event-free"])
def test_the_prevalence_is_the_aalen_johansen_estimate(controls):
    alive, incidence = 1.0, 0.0
    for s in np.unique(TIME[TIME <= 14]):
        at_risk = np.sum(s <= TIME)
        incidence += alive * np.sum((s == TIME) & (EVENT == 1)) / at_risk
        alive *= 1 - np.sum((s == TIME) & (EVENT > 0)) / at_risk
    found = points(forty(), controls=controls)
    found = found[(found["quantity"] == "prevalence") & (found["time"] == 14)]
    np.testing.assert_allclose(found["estimate"], incidence, atol=1e-12)


@pytest.mark.parametrize("controls", ["not-case", "event-free"])
def test_the_area_under_the_curve_is_the_area(controls):
    study = forty(higher_is_positive={"s1": True, "s2": False})
    curve = study.roc_curve(time=[8, 14], controls=controls)
    areas = study.auc(time=[8, 14], controls=controls).set_index(["predictor", "time"])["estimate"]
    assert len(areas) == 4
    for key, piece in curve.groupby(["predictor", "time"]):
        fpr, tpr = piece["fpr"].to_numpy(), piece["tpr"].to_numpy()
        area = np.diff(fpr) @ (tpr[1:] + tpr[:-1]) / 2
        assert area == pytest.approx(areas[key], abs=1e-12)
        assert piece["censored"].iloc[-1] == np.sum((EVENT == 0) & (key[1] >= TIME))


def test_a_point_is_the_vertex_of_its_threshold():
    study, found = forty(), points(forty())
    curve = study.roc_curve(time=[8, 14])
    for (name, time, cut), rows in found.groupby(["predictor", "time", "threshold"]):
        here = curve[(curve["predictor"] == name) & (curve["time"] == time)]
        vertex = here[here["threshold"] >= cut].iloc[-1]
        value = rows.set_index("quantity")["estimate"]
        assert value["tpr"] == pytest.approx(vertex["tpr"])
        assert 1 - value["tnr"] == pytest.approx(vertex["fpr"])
        called = vertex["tp"] + vertex["fp"]
        assert value["ppv"] == pytest.approx(vertex["tp"] / called)


def test_the_prevalence_is_one_minus_kaplan_meier():
    alive = 1.0
    for s in np.unique(TIME[TIME <= 14]):
        alive *= 1 - np.sum((s == TIME) & (EVENT == 1)) / np.sum(s <= TIME)
    study = rs.SurvivalStudy(TIME, EVENT == 1, SCORES)
    found = points(study)
    found = found[(found["quantity"] == "prevalence") & (found["time"] == 14)]
    np.testing.assert_allclose(found["estimate"], 1 - alive, atol=1e-12)
    found = risks().net_benefit(risk_threshold=0.3, time=14)
    np.testing.assert_allclose(found["prevalence"], 1 - alive, atol=1e-12)
    of_all = found[found["predictor"] == "treat-all"].iloc[0]["estimate"]
    assert of_all == pytest.approx(1 - alive - 3 / 7 * alive)


def test_rows_may_be_shuffled_in_groups_and_in_clusters(rng):
    order = rng.permutation(40)
    for ask in (points, lambda study: study.roc_curve(time=14)[["threshold", "fpr", "tpr"]]):
        whole, shuffled = ask(forty()), ask(forty(order))
        np.testing.assert_allclose(
            shuffled.select_dtypes(float), whole.select_dtypes(float), rtol=1e-9, atol=1e-12
        )
        grouped = ask(forty(group=np.where(K % 2, "odd", "even")))
        own = ask(forty(K % 2 == 1)).select_dtypes(float)
        np.testing.assert_allclose(
            grouped.select_dtypes(float).iloc[: len(own)], own, rtol=1e-9, atol=1e-12
        )
    # Clusters of one have the factor n/(n - 1), by which Wilson's effective size is less.
    found, known = (points(forty(**roles), interval="wald") for roles in ({"cluster": K}, {}))
    np.testing.assert_allclose(found[SHARED], known[SHARED], rtol=1e-9)
    twice = np.repeat(np.arange(40), 2)
    pairs = points(forty(twice, cluster=twice))
    np.testing.assert_allclose(pairs[LIMITS], points(forty(cluster=K))[LIMITS], rtol=1e-9)
    assert pairs["method"].str.startswith("cluster-ipcw/").all()
    benefit = {"risk_threshold": [0.3, 0.6], "time": 14}
    np.testing.assert_allclose(
        risks(cluster=K).net_benefit(**benefit)["se"], risks().net_benefit(**benefit)["se"]
    )


def test_a_lower_score_may_be_the_positive_one():
    scores = {name: -score for name, score in SCORES.items()}
    falling = rs.SurvivalStudy(TIME, EVENT, scores, higher_is_positive=False)
    found = falling.operating_points(threshold={"s1": [-20, -15], "s2": -20}, time=[8, 14])
    rising = points(forty(), controls="not-case").sort_values(
        ["predictor", "time", "threshold", "quantity"], ascending=[True, True, False, True]
    )
    found = found.sort_values(["predictor", "time", "threshold", "quantity"])
    np.testing.assert_allclose(found[LIMITS].to_numpy(), rising[LIMITS].to_numpy())
    assert set(found["direction"]) == {"<="}


def test_no_measure_has_limits_of_no_width():
    cuts = [-np.inf, 0, 5, 20, 100, np.inf]
    for roles in ({}, {"cluster": K % 7}):
        for interval in ("wilson", "wald"):
            study = forty(**roles)
            found = study.operating_points(threshold=cuts, time=[3, 14], interval=interval)
            limited = found.dropna(subset=["estimate"])
            assert (limited["ci_low"] < limited["ci_high"]).all()
            assert limited["estimate"].between(limited["ci_low"], limited["ci_high"]).all()
            empty = found[found["estimate"].isna()]
            assert empty["note"].str.contains("no-calls").all()
            assert set(empty["quantity"]) == {"ppv", "npv"}
        benefit = risks(**roles).net_benefit(risk_threshold=[0.01, 0.3, 0.99], time=14)
        assert (benefit["ci_low"] < benefit["ci_high"]).all()


def test_times_without_a_status_have_no_answer():
    study = forty()
    assert points(study, controls="event-free")["estimate"].notna().all()
    with pytest.warns(rs.StatisticalWarning, match="no-status-at-time"):
        last = study.operating_points(threshold=15, time=30)
    assert last[[*LIMITS, "se"]].isna().all(axis=None)
    assert last["note"].str.contains("no-status-at-time").all()
    assert len(study.roc_curve(time=30)) == 2
    found = risks().net_benefit(risk_threshold=0.3, time=30)
    assert found["estimate"].isna().all()
    assert len(found) == 5


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: points(forty(), interval="exact"), "`interval` must be one of 'wilson', 'wald'"),
        (lambda: points(forty(), confidence_level=1), "`confidence_level` must"),
        (lambda: points(forty(), controls="all"), "`controls` must be one of"),
        (lambda: forty().operating_points(threshold={"s": 1}, time=8), "`threshold` must name"),
        (lambda: forty().roc_curve(time=0), "`time` must be a finite number > 0"),
        (
            lambda: risks().net_benefit(risk_threshold=0.3, time=[8, 14]),
            "`time` must be a single number, the time of the risks",
        ),
        (
            lambda: forty().net_benefit(risk_threshold=0.3, time=8),
            r"`score` must be risks in \[0, 1\]; got scores of 's1'",
        ),
        (
            lambda: risks(higher_is_positive=False).net_benefit(risk_threshold=0.3, time=8),
            "`higher_is_positive` must be True for a risk",
        ),
        (
            lambda: rs.SurvivalStudy(TIME, EVENT, {"treat-all": TIME / 30}).net_benefit(
                risk_threshold=0.3, time=8
            ),
            "`score` must not name a predictor 'treat-all'",
        ),
    ],
)
def test_refusals(ask, message):
    with pytest.raises(rs.InputError, match=message):
        ask()


def test_thresholds_stand_for_risks():
    cuts = {"s1": {0.3: 12}, "s2": {0.3: 20}}
    found = forty().net_benefit(risk_threshold=0.3, time=14, threshold=cuts)
    own = risks().net_benefit(risk_threshold=0.3, time=14)
    assert not found["note"].str.contains("scores-taken-as-risks").any()
    one = rs.SurvivalStudy(TIME, EVENT == 1, SCORES["s1"], predictor="s1")
    same = one.net_benefit(risk_threshold=0.3, time=14, threshold={"s1": {0.3: 12}})
    np.testing.assert_array_equal(same[SHARED], own[SHARED])


def test_a_risk_that_equals_a_risk_threshold_but_for_rounding_is_at_it():
    # 0.1 + 0.2 is the next number above 0.3: the patient with a risk of 0.3 is treated at it.
    study = rs.SurvivalStudy([1, 2, 3, 4], [1, 0, 1, 0], [0.3, 0.3, 0.2, 0.1], predictor="p")
    exact = study.net_benefit(risk_threshold=0.3, time=2.5)["estimate"]
    rounded = study.net_benefit(risk_threshold=0.1 + 0.2, time=2.5)["estimate"]
    np.testing.assert_allclose(rounded, exact, atol=1e-12)
