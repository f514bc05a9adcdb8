"""Bands of the precision-recall curve: those of the ROC curve, point by point."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.inference.precision_recall.curve import (
    _pr_band_prevalence_limits,
    fpr_limits_at_recall,
    precision_band_limits,
)
from tests.examples import D1, D2, Y

STUDY = rs.Study(Y, {"d1": D1, "d2": D2})
METHODS = [
    *("fixed-width", "smoothed-score", "working-hotelling", "working-hotelling-normal", "ellipse"),
    *("joint", "joint-exact", "bootstrap", "kolmogorov"),
]


def test_a_point_of_the_band_by_hand():
    # docs/methods/precision-recall.md: the row FPR .2, TPR .4 to .95, prevalence .1.
    row = np.array([0.2]), np.array([0.4]), np.array([0.95])
    low, _ = precision_band_limits(*row, np.array([0.4]), (0.1, 0.1))
    _, high = precision_band_limits(*row, np.array([0.95]), (0.1, 0.1))
    assert low[0] == pytest.approx(0.181818182, abs=5e-10)
    assert high[0] == pytest.approx(0.345454545, abs=5e-10)


def test_every_curve_inside_a_band_has_its_precision_inside():
    # Random rising curves inside a random band, read at the places of the band and between them.
    rng = np.random.default_rng(5)
    fpr = np.sort(np.append(rng.random(30), [0.0, 1.0]))
    fine = np.union1d(fpr, np.linspace(0, 1, 401))
    recall = np.linspace(0.01, 1, 50)
    for _ in range(40):
        curve = np.sort(rng.random(len(fine)) ** rng.uniform(0.3, 2))
        curve[-1] = 1.0
        here = curve[np.searchsorted(fine, fpr)]
        low = np.clip(here - 0.2 * rng.random(32), 0, 1)
        high = np.clip(here + 0.2 * rng.random(32), 0, 1)
        least, largest = fpr_limits_at_recall(fpr, low, high, recall)
        reached = fine[np.searchsorted(curve, recall)]
        assert (least <= reached).all()
        assert (reached <= largest).all()


@pytest.mark.parametrize("method", METHODS)
def test_bands_hold_the_curve_of_the_sample(method):
    options = {"n_resamples": 100, "rng": 3} if method[:2] not in ("wo", "el", "jo") else {}
    band = STUDY.pr_band(method, prevalence=0.2, **options)
    assert len(band) == 400
    assert (band["ppv_low"] <= band["ppv"] + 1e-9).all()
    assert (band["ppv"] <= band["ppv_high"] + 1e-9).all()
    assert band[["ppv_low", "ppv_high"]].stack().between(0, 1).all()
    assert (band["ppv_low"] < band["ppv_high"]).all()
    assert set(band["scope"]) == {"simultaneous"}
    assert set(band["method"].str.partition("/")[0]) == {method}


def test_the_curve_is_that_of_pr_curve_and_the_prevalence_moves_it():
    at = [0.0, 0.1, 0.5, 0.625, 1.0]
    own = STUDY.pr_band("joint", at=at)
    known = STUDY.pr_curve(tpr=at)
    np.testing.assert_allclose(own["ppv"], known["ppv"], rtol=1e-12)
    assert own["prevalence"].tolist() == pytest.approx([8 / 18] * 10)
    rare = STUDY.pr_band("joint", at=at, prevalence=0.05)
    odds = own["ppv"] / (1 - own["ppv"]) / (8 / 10) / 19
    np.testing.assert_allclose(rare["ppv"], 1 - 1 / (1 + odds), rtol=1e-12)
    first = own[own["tpr"] == 0]
    assert (first["ppv_low"] == 0).all()
    assert (first["ppv_high"] == 1).all()


def test_a_fitted_curve_is_that_of_the_model():
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], [4000, 4000])
    study = rs.Study(y, rng.normal(size=8000) + 1.2 * y)
    band = study.pr_band("working-hotelling-normal", at=[0.2, 0.6, 0.9], prevalence=0.3)
    recall = band["tpr"].to_numpy()
    fpr = norm.sf(norm.isf(recall) + 1.2)
    truth = 0.3 * recall / (0.3 * recall + 0.7 * fpr)
    np.testing.assert_allclose(band["ppv"], truth, atol=0.02)
    assert (band["ppv_low"] < truth).all()
    assert (truth < band["ppv_high"]).all()


def test_roles_and_refusals():
    grouped = rs.Study(Y, D1, group=np.where(np.arange(18) % 2, "a", "b"))
    assert grouped.pr_band("joint", at=[0.5])["group"].tolist() == ["b", "a"]
    perfect = rs.Study([1, 1, 0, 0], [4, 3, 2, 1])
    band = perfect.pr_band(rng=1, n_resamples=100)
    assert set(band["method"]) == {"fixed-width/joint"}
    assert "joint-band" in band["note"].iloc[0]
    for method in ("regional", "pointwise"):
        with pytest.raises(rs.InputError, match="`method` must be one of 'fixed-width'"):
            STUDY.pr_band(method)
    with pytest.raises(rs.InputError, match="`sample_weight` must not be in a study for"):
        rs.Study(Y, D1, sample_weight=np.ones(18)).pr_band()
    with pytest.raises(rs.InputError, match="`prevalence` must be a number strictly between 0 and"):
        STUDY.pr_band(prevalence=1)
    with pytest.raises(rs.InputError, match="when the study has clusters"):
        rs.Study(Y, D1, cluster=np.arange(18) // 2).pr_band("joint")


def test_only_folds_that_are_pooled_are_noted():
    assert not rs.Study(Y, D1).pr_band("joint")["note"].str.contains("pooled-folds").any()
    folds = rs.Study(Y, D1, fold=np.arange(len(Y)) % 2)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        assert folds.pr_band("joint")["note"].str.contains("pooled-folds").all()


def test_in_a_cohort_the_band_allows_for_the_share_of_positives():
    level, recalls = np.sqrt(0.9), [0.3, 0.6, 0.9]
    found = STUDY.pr_band("joint", at=recalls, confidence_level=0.9)
    low, high = proportion_confint(8, 18, 1 - level, "wilson")
    ends = [STUDY.pr_band("joint", at=recalls, confidence_level=level, prevalence=p)
            for p in (low, high)]  # fmt: skip
    assert found["ppv_low"].tolist() == pytest.approx(ends[0]["ppv_low"].tolist(), rel=1e-10)
    assert found["ppv_high"].tolist() == pytest.approx(ends[1]["ppv_high"].tolist(), rel=1e-10)
    assert set(found["prevalence"]) == {8 / 18}
    assert set(found["confidence_level"]) == {0.9}
    assert found["note"].str.contains("estimated-prevalence").all()
    assert not ends[0]["note"].str.contains("prevalence").any()


def test_clusters_of_one_case_are_no_clusters_in_the_share_of_positives():
    plain = _pr_band_prevalence_limits(STUDY.cases, 0.95)
    alone = _pr_band_prevalence_limits(rs.Study(Y, D1, cluster=np.arange(18)).cases, 0.95)
    assert alone == pytest.approx(plain, rel=0.03)
    clustered = _pr_band_prevalence_limits(
        rs.Study(Y, D1, cluster=(Y == 1) * 9 + np.arange(18) // 2).cases, 0.95
    )
    assert clustered[1] - clustered[0] > plain[1] - plain[0]
