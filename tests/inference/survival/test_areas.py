"""Areas at a time and concordances: degrees of freedom, relations, edges, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.survival.areas import survival_area_at
from rocstats.inference.survival.follow_up import follow_up_of, status_at
from rocstats.inference.survival.ratios import survival_score_codes
from tests.inference.survival.studies import EVENT, QUESTIONS, SCORES, TIME, K, answers, forty


def patients(n=60, seed=4, **roles):
    """Return a study with few events; some patients are censored, some have another event."""
    rng = np.random.default_rng(seed)
    marker = rng.normal(size=n)
    time = np.round(rng.exponential(6 * np.exp(-marker)), 2) + 0.01
    end = np.round(rng.uniform(0, 4, n), 2) + 0.01
    event = np.where(time <= end, 1, 0)
    event[:: n // 6] = roles.pop("other", 0)
    scores = {"m": marker, "noise": rng.normal(size=n)}
    return rs.SurvivalStudy(np.minimum(time, end), event, scores, **roles)


def test_an_area_has_satterthwaites_df_of_cases_controls_and_others():
    study = patients()
    row = study.auc(time=2, null_value=0.5).iloc[0]
    at = status_at(follow_up_of(study), 2.0, "not-case")
    influence = survival_area_at(at, survival_score_codes(study, 0)).influence
    squares = influence**2
    others = ~(at.is_case | at.is_control)
    parts, sizes = [], []
    for side, weight in (
        (at.is_case, at.case_weight),
        (at.is_control, at.control_weight),
        (others, np.ones(60)),
    ):
        parts.append(squares[side].sum())
        w = weight[side]
        sizes.append((w**2).sum() ** 2 / (w**4).sum())
    parts, sizes = np.array(parts), np.array(sizes)
    df = parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum()
    assert sizes[0] <= at.is_case.sum() < 20
    assert row["df"] == pytest.approx(df, rel=1e-9)
    assert row["method"] == "ipcw/logit-t"
    a, se = row["estimate"], row["se"]
    reach = stats.t.ppf(0.975, df) * se / (a * (1 - a))
    expected = 1 / (1 + np.exp(-(np.log(a / (1 - a)) + np.array([-reach, reach]))))
    assert [row["ci_low"], row["ci_high"]] == pytest.approx(expected, rel=1e-9)
    normal = study.auc(time=2, interval="logit").iloc[0]
    assert normal["ci_high"] - normal["ci_low"] < row["ci_high"] - row["ci_low"]
    assert normal["se"] == row["se"]


def test_without_censoring_they_are_those_of_a_study():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [8, 40])
    x = rng.normal(size=48) + y
    survival = rs.SurvivalStudy(np.where(y == 1, 1.0, 3.0), y, x, predictor="x")
    found = survival.auc(time=2, null_value=0.5).iloc[0]
    plain = rs.Study(y, x).auc(null_value=0.5).iloc[0]
    # The variances differ by their divisors, n (n - 1) and m (m - 1); their parts weigh alike.
    assert found["df"] == pytest.approx(plain["df"], rel=0.05)
    assert found["df"] < 12


def test_clusters_of_one_patient_are_none_and_of_unequal_size_have_fewer():
    plain = patients().auc(time=2, null_value=0.5)["df"]
    single = patients(cluster=np.arange(60)).auc(time=2, null_value=0.5)["df"]
    np.testing.assert_allclose(single, plain, rtol=1e-10)
    one = np.where(np.arange(60) < 20, 0, np.arange(60))
    large = patients(cluster=one).auc(time=2, null_value=0.5)["df"]
    assert (large < plain).all()
    for cluster, noted in ((np.arange(400), False), (np.where(one < 1, 0, one), True)):
        n = len(cluster)
        notes = patients(n, cluster=cluster).auc(time=2)["note"]
        assert (notes.str.contains("few-clusters") == noted).all()


@pytest.mark.parametrize("question", ["compare_auc", "compare_concordance"])
def test_differences_are_tested_with_t(question):
    asked = {"time": 2} if question == "compare_auc" else {"time_limit": 2}
    row = getattr(patients(), question)(**asked).iloc[0]
    assert row["df"] < 25
    assert row["method"].endswith("/wald-t")
    p = 2 * stats.t.sf(abs(row["statistic"]), row["df"])
    assert row["p_value"] == pytest.approx(p, rel=1e-9)
    reach = stats.t.ppf(0.975, row["df"]) * row["se"]
    assert row["ci_low"] == pytest.approx(max(row["estimate"] - reach, -1), rel=1e-9)


def test_a_band_and_a_concordance_have_them():
    study = patients()
    band = study.auc_band(time=[2])
    area = study.auc(time=2)
    np.testing.assert_allclose(band[["ci_low", "ci_high"]], area[["ci_low", "ci_high"]])
    row = study.concordance(time_limit=2, null_value=0.5).iloc[0]
    assert row["method"] == "uno/logit-t"
    assert row["df"] < 2 * row["n_pos"]


@pytest.mark.parametrize(("other", "noted"), [(0, False), (2, True)])
def test_a_concordance_says_that_competing_events_end_the_pairs(other, noted):
    roles = {"other": other, **({"cause": 1} if other else {})}
    study = patients(**roles)
    for ask in (study.concordance, study.compare_concordance):
        notes = ask(time_limit=2)["note"]
        assert notes.str.contains("competing-until-event").all() == noted
    assert not study.auc(time=2)["note"].str.contains("competing").any()


def same(ours, theirs):
    for name in QUESTIONS:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_order_scale_and_direction_of_scores_do_not_matter():
    plain = answers(forty())
    same(answers(forty(np.random.default_rng(1).permutation(40))), plain)
    ranks = {name: np.unique(s, return_inverse=True)[1] ** 3 for name, s in SCORES.items()}
    same(answers(rs.SurvivalStudy(TIME, EVENT, ranks)), plain)
    minus = {name: -s for name, s in SCORES.items()}
    same(answers(rs.SurvivalStudy(TIME, EVENT, minus, higher_is_positive=False)), plain)
    # Other codes of the same causes, and events as booleans where there is one.
    codes = np.where(EVENT == 1, 7, EVENT)
    same(answers(rs.SurvivalStudy(TIME, codes, SCORES, cause=7)), plain)
    one = answers(rs.SurvivalStudy(TIME, EVENT == 1, SCORES))
    same(answers(rs.SurvivalStudy(TIME, (EVENT == 1).astype(float), SCORES)), one)


def test_clusters_of_one_are_none_and_copies_in_clusters_are_one_patient():
    plain = answers(forty())
    same(answers(forty(cluster=K)), plain)
    twice = forty(np.tile(np.arange(40), 2), cluster=np.tile(K, 2))
    counts = ("n_pos", "n_neg", "n_censored")
    same(answers(twice, counts), answers(forty(), counts))


def test_without_censoring_the_area_is_that_of_a_binary_study():
    study = rs.SurvivalStudy(TIME, np.ones(40, bool), SCORES)
    binary = rs.Study(TIME <= 8, SCORES).auc(interval="logit")
    found = study.auc(time=8)
    assert found["estimate"].to_numpy() == pytest.approx(binary["estimate"].to_numpy(), abs=1e-12)
    # DeLong has the factors m/(m - 1) and n/(n - 1), influence values N/(N - 1) for both.
    assert found["se"].to_numpy() == pytest.approx(binary["se"].to_numpy(), rel=0.06)
    assert (found["se"] < binary["se"]).all()
    # The concordance of all pairs, none of which is censored.
    concordance = study.concordance(method="harrell")["estimate"]
    everyone = [
        np.mean([(a > b) + (a == b) / 2 for a, t in zip(s, TIME, strict=True)
                 for b, u in zip(s, TIME, strict=True) if t < u])
        for s in SCORES.values()
    ]  # fmt: skip
    assert concordance.to_numpy() == pytest.approx(everyone, abs=1e-12)
    assert study.concordance(time_limit=100)["estimate"].to_numpy() == pytest.approx(everyone)


def test_differences_are_those_of_the_estimates_and_bands_hold_the_intervals():
    study = forty()
    for name, options in (("auc", {"time": [8, 14]}), ("concordance", {"time_limit": 14})):
        each = getattr(study, name)(**options)
        apart = getattr(study, f"compare_{name}")(**options)
        first, second = (each.loc[each["predictor"] == s, "estimate"].to_numpy() for s in SCORES)
        assert apart["estimate"].to_numpy() == pytest.approx(first - second, abs=1e-14)
        swapped = getattr(study, f"compare_{name}")(**options, reference="s1")
        assert swapped["estimate"].to_numpy() == pytest.approx(second - first, abs=1e-14)
        assert swapped["se"].to_numpy() == pytest.approx(apart["se"].to_numpy(), rel=1e-12)
    one, band = study.auc(time=[8, 14]), study.auc_band(time=[8, 14])
    assert (band["ci_low"] < one["ci_low"]).all()
    assert (band["ci_high"] > one["ci_high"]).all()
    # A band at one time is an interval.
    alone = study.auc_band(time=8)
    assert alone["ci_low"].to_numpy() == pytest.approx(study.auc(time=8)["ci_low"], abs=1e-6)
    assert set(band["scope"]) == {"simultaneous"}
    assert set(band["method"]) == {"ipcw/logit-max-normal"}


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
    (lambda: forty().auc(time=8, interval="exact"), "`interval` must be one of 'logit-t', 'logit'"),
    (lambda: forty().auc_band(time=8, confidence_level=1), "`confidence_level` must be a number"),
    (lambda: forty().concordance(), "`time_limit` must be given for the method 'uno'"),
    (lambda: forty().concordance(time_limit=[3, 4]), "`time_limit` must be one number"),
    (lambda: forty().concordance(method="cox"), "`method` must be one of 'uno', 'harrell'"),
    (lambda: rs.SurvivalStudy(TIME, EVENT, TIME).compare_auc(time=8), "`score` must hold two"),
    (lambda: forty().compare_auc(time=8, reference="s3"), "`reference` must be one of 's1', 's2'"),
    (lambda: forty(cause=3), "`cause` must be the code of an event that patients had: .1, 2."),
    (lambda: forty(cause=True), "`cause` must be a whole number >= 1; got True"),
    (lambda: rs.SurvivalStudy([-1.0, 2], [0, 1], [1, 2]), "`time` must be finite and >= 0; got -1"),
    (lambda: rs.SurvivalStudy([np.inf, 2], [0, 1], [1, 2]), "`time` must be finite and >= 0"),
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
