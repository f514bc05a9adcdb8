"""What is undefined is NaN with a note; wrong requests say what to do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.inference.survival.studies import EVENT, SCORES, TIME, K, forty


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_nothing_is_estimated_without_cases_controls_or_follow_up():
    study = rs.SurvivalStudy([1, 2, 3, 4], [0, 1, 1, 0], [1, 3, 2, 0])
    for name in ("auc", "auc_band"):
        frame = getattr(study, name)(time=[1.5, 2, 4, 9])
        undefined = frame["estimate"].isna()
        assert undefined.tolist() == [True, False, True, True]
        assert frame["note"].str.startswith("no-status-at-time").tolist() == undefined.tolist()
        assert frame["ci_low"].isna().tolist() == undefined.tolist()
        assert frame["n_pos"].tolist() == [0, 1, 2, 2]
        assert frame["n_censored"].tolist() == [1, 1, 2, 2]
    alone = rs.SurvivalStudy([1, 2], [0, 1], {"a": [1, 2], "b": [2, 1]})
    for frame in (alone.concordance(method="harrell"), alone.compare_concordance(time_limit=9)):
        assert frame["estimate"].isna().all()
        assert frame["note"].str.startswith("no-comparable-pairs").all()
    assert alone.compare_auc(time=3)["estimate"].isna().all()
    # A group without an event has a row too.
    grouped = rs.SurvivalStudy([1, 2, 1, 2], [0, 1, 1, 0], [1, 2, 2, 1], group=["x", "x", "y", "y"])
    frame = grouped.auc(time=1)
    assert frame["group"].tolist() == ["x", "y"]
    assert frame["estimate"].isna().tolist() == [True, False]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_no_interval_has_zero_width():
    perfect = rs.SurvivalStudy([1, 2, 3, 4, 5, 6], [1, 1, 1, 0, 1, 0], [9, 8, 7, 3, 2, 1])
    for frame in (
        perfect.auc(time=3), perfect.auc(time=3, interval="wald"), perfect.auc_band(time=[2, 3]),
        perfect.concordance(time_limit=4), perfect.concordance(method="harrell", interval="wald"),
    ):  # fmt: skip
        assert (frame["estimate"] == 1).all()
        assert (frame["ci_high"] - frame["ci_low"] > 0.1).all()
        assert frame["note"].str.contains("auc-at-boundary").all()
        assert frame["method"].str.endswith("/newcombe").all()
    same = forty(higher_is_positive=True)
    twins = rs.SurvivalStudy(TIME, EVENT, {"a": SCORES["s1"], "b": SCORES["s1"] * 2})
    for frame in (twins.compare_auc(time=8), twins.compare_concordance(time_limit=14)):
        assert frame["estimate"].tolist() == [0]
        assert frame["ci_low"].isna().all()
        assert frame["note"].str.contains("no-discordance").all()
    assert (same.compare_auc(time=8)["ci_high"] > same.compare_auc(time=8)["ci_low"]).all()


def test_notes_name_what_is_doubtful():
    # 25 events, then 52 censored: G is 3/55 at 77.
    late = rs.SurvivalStudy(np.arange(80.0), np.arange(80) < 25, np.arange(80.0) % 7)
    with pytest.warns(rs.StatisticalWarning, match="weights-extreme"):
        note = late.auc(time=76.5)["note"][0]
    assert {"marginal-censoring", "weights-extreme"} <= set(note.split("; "))
    assert "weights-extreme" not in late.auc(time=30)["note"][0]
    with pytest.warns(rs.StatisticalWarning, match="few-cases"):
        note = forty(cluster=K // 2).concordance(method="harrell", time_limit=8)["note"][0]
    assert {"few-cases", "few-clusters", "depends-on-censoring"} <= set(note.split("; "))
    reversed_ = rs.SurvivalStudy(np.arange(1.0, 61), np.ones(60, bool), np.arange(60.0) // 2)
    with pytest.warns(rs.StatisticalWarning, match="below-chance"):
        assert "below-chance" in reversed_.auc(time=30)["note"][0]
    scores = pd.Series(SCORES["s1"]).where(K > 2)
    dropped = rs.SurvivalStudy(TIME, EVENT, scores, nan_policy="omit")
    with pytest.warns(rs.StatisticalWarning):
        assert "rows-dropped=2" in dropped.auc(time=8)["note"][0]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize(("n", "extreme"), [(22, True), (18, False)])
def test_a_pair_stands_for_more_than_ten_times_ten_where_its_patients_stand_for_ten(n, extreme):
    # All but the last two are censored, so that G is 2/n at the event: 1/11, or 1/9. The only
    # pair weighs 121, or 81.
    event = np.arange(n) == n - 2
    study = rs.SurvivalStudy(np.arange(1.0, n + 1), event, np.arange(float(n)))
    note = study.concordance(time_limit=n - 0.5)["note"][0]
    assert ("weights-extreme" in note.split("; ")) is extreme


THREE = {"t": [1, 2], "e": [0, 1], "m": [1, 2]}
MESSAGES = [
    (lambda: forty().auc(time=0), "`time` must be a finite number > 0.*got 0"),
    (lambda: forty().auc(time=[3, np.inf]), "`time` must be a finite number > 0"),
    (lambda: forty().auc(time=8, controls="other"), "`controls` must be one of 'not-case'"),
    (
        lambda: forty().auc(time=8, interval="exact"),
        "`interval` must be one of 'logit-t', 'logit', 'wald'",
    ),
    (lambda: forty().auc_band(time=8, confidence_level=1), "`confidence_level` must be a number"),
    (lambda: forty().concordance(), "`time_limit` must be given for the method 'uno'"),
    (lambda: forty().concordance(time_limit=[3, 4]), "`time_limit` must be one number"),
    (lambda: forty().concordance(method="cox"), "`method` must be one of 'uno', 'harrell'"),
    (lambda: rs.SurvivalStudy(TIME, EVENT, TIME).compare_auc(time=8), "`score` must hold two"),
    (lambda: forty().compare_auc(time=8, reference="s3"), "`reference` must be one of 's1', 's2'"),
    (
        lambda: forty(cause=3),
        "`cause` must be the code of an event that patients had: .1, 2.; got 3",
    ),
    (lambda: forty(cause=True), "`cause` must be a whole number >= 1; got True"),
    (lambda: rs.SurvivalStudy([-1.0, 2], [0, 1], [1, 2]), "`time` must be finite and >= 0; got -1"),
    (
        lambda: rs.SurvivalStudy([np.inf, 2], [0, 1], [1, 2]),
        "`time` must be finite and >= 0; got inf",
    ),
    (lambda: rs.SurvivalStudy([1, 2], [0, 1.5], [1, 2]), "`event` must be 0, 1, 2.*got 1.5"),
    (lambda: rs.SurvivalStudy([1, 2, 3], [0, 1], [1, 2]), "must have as many rows as"),
    (lambda: rs.SurvivalStudy([1, 2], [0, 1], [1, np.nan]), "`score` must have no missing values"),
    (lambda: rs.SurvivalStudy("t", [0, 1], [1, 2]), "`time` must be an array unless `data`"),
    (
        lambda: rs.SurvivalStudy("t", "e", ["m", "e"], data=pd.DataFrame(THREE)),
        "`score` must not hold the outcome; got the column 'e'",
    ),
]


def test_messages_say_what_was_got():
    for wrong, message in MESSAGES:
        with pytest.raises(rs.InputError, match=message):
            wrong()


def test_the_study_says_what_it_holds():
    data = {"months": TIME, "died": EVENT, **SCORES, "site": K % 2}
    study = rs.SurvivalStudy(
        "months", "died", ["s1", "s2"], data=data, group="site", outcome="Death",
        higher_is_positive={"s2": False}, labels={"s1": "First"},
    )  # fmt: skip
    assert (study.n_patients, study.n_events, study.n_censored) == (40, 21, 13)
    assert (study.outcome, study.labels) == ("Death", {"s1": "First"})
    assert "s2 (lower is positive)" in repr(study)
    for line in ("event       21 (code 1)", "competing   6 (code 2)", "censored    13 (code 0)"):
        assert f"  {line}\n" in repr(study)
