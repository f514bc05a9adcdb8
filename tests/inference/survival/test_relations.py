"""What must hold between answers about survival studies that mean the same."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from tests.inference.survival.studies import EVENT, QUESTIONS, SCORES, TIME, K, answers, forty

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


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


def test_groups_are_studies_of_their_own():
    group = np.where(K % 2, "odd", "even")
    study = forty(group=group)
    for name, options in QUESTIONS.items():
        frame = getattr(study, name)(**options)
        for label in ("odd", "even"):
            alone = getattr(forty(group == label), name)(**options)
            ours = frame[frame["group"] == label].select_dtypes("number")
            theirs = alone.select_dtypes("number").to_numpy(float)
            # P values are adjusted over all rows.
            kept = [column != "p_adjusted" for column in ours]
            np.testing.assert_allclose(ours.to_numpy(float)[:, kept], theirs[:, kept], rtol=1e-12)


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
