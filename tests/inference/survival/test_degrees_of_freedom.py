"""Degrees of freedom of areas at a time and of concordances, worked out from influence values."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.survival.areas import survival_area_at
from rocstats.inference.survival.follow_up import follow_up_of, status_at
from rocstats.inference.survival.ratios import survival_score_codes


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


def quietly(ask, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ask(*args, **options)


def test_an_area_has_satterthwaites_df_of_cases_controls_and_others():
    study = patients()
    row = quietly(study.auc, time=2, null_value=0.5).iloc[0]
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
    normal = quietly(study.auc, time=2, interval="logit").iloc[0]
    assert normal["ci_high"] - normal["ci_low"] < row["ci_high"] - row["ci_low"]
    assert normal["se"] == row["se"]


def test_without_censoring_they_are_those_of_a_study():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [8, 40])
    x = rng.normal(size=48) + y
    survival = rs.SurvivalStudy(np.where(y == 1, 1.0, 3.0), y, x, predictor="x")
    found = quietly(survival.auc, time=2, null_value=0.5).iloc[0]
    plain = quietly(rs.Study(y, x).auc, null_value=0.5).iloc[0]
    # The variances differ by their divisors, n (n - 1) and m (m - 1); their parts weigh alike.
    assert found["df"] == pytest.approx(plain["df"], rel=0.05)
    assert found["df"] < 12


def test_clusters_of_one_patient_are_none_and_of_unequal_size_have_fewer():
    plain = quietly(patients().auc, time=2, null_value=0.5)["df"]
    single = quietly(patients(cluster=np.arange(60)).auc, time=2, null_value=0.5)["df"]
    np.testing.assert_allclose(single, plain, rtol=1e-10)
    one = np.where(np.arange(60) < 20, 0, np.arange(60))
    large = quietly(patients(cluster=one).auc, time=2, null_value=0.5)["df"]
    assert (large < plain).all()
    for cluster, noted in ((np.arange(400), False), (np.where(one < 1, 0, one), True)):
        n = len(cluster)
        notes = quietly(patients(n, cluster=cluster).auc, time=2)["note"]
        assert (notes.str.contains("few-clusters") == noted).all()


@pytest.mark.parametrize("question", ["compare_auc", "compare_concordance"])
def test_differences_are_tested_with_t(question):
    asked = {"time": 2} if question == "compare_auc" else {"time_limit": 2}
    row = quietly(getattr(patients(), question), **asked).iloc[0]
    assert row["df"] < 25
    assert row["method"].endswith("/wald-t")
    p = 2 * stats.t.sf(abs(row["statistic"]), row["df"])
    assert row["p_value"] == pytest.approx(p, rel=1e-9)
    reach = stats.t.ppf(0.975, row["df"]) * row["se"]
    assert row["ci_low"] == pytest.approx(max(row["estimate"] - reach, -1), rel=1e-9)


def test_a_band_and_a_concordance_have_them():
    study = patients()
    band = quietly(study.auc_band, time=[2])
    area = quietly(study.auc, time=2)
    np.testing.assert_allclose(band[["ci_low", "ci_high"]], area[["ci_low", "ci_high"]])
    row = quietly(study.concordance, time_limit=2, null_value=0.5).iloc[0]
    assert row["method"] == "uno/logit-t"
    assert row["df"] < 2 * row["n_pos"]


@pytest.mark.parametrize(("other", "noted"), [(0, False), (2, True)])
def test_a_concordance_says_that_competing_events_end_the_pairs(other, noted):
    roles = {"other": other, **({"cause": 1} if other else {})}
    study = patients(**roles)
    for ask in (study.concordance, study.compare_concordance):
        notes = quietly(ask, time_limit=2)["note"]
        assert notes.str.contains("competing-until-event").all() == noted
    assert not quietly(study.auc, time=2)["note"].str.contains("competing").any()
