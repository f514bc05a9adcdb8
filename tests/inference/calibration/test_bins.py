"""Shares of events in bins of the risk: scikit-learn, a slow loop, ties, roles, refusals."""

from __future__ import annotations

from math import gcd

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from tests.strategies import SEEDS

RNG = np.random.default_rng(20261127)
RISK = RNG.random(150)
OUTCOME = (RNG.random(150) < RISK).astype(int)


def bins_of(study, **options):
    return study.calibration_curve(method="bins", **options)


def slow_bins(y, risk, n_bins, strategy):
    """Return mean risk, positives and cases of each bin, one case after the other."""
    shares = [k / n_bins for k in range(1, n_bins)]
    edges = shares if strategy == "uniform" else [np.quantile(risk, share) for share in shares]
    members = {}
    for outcome, one in zip(y, risk, strict=True):
        place = sum(one > edge + 1e-12 for edge in edges)
        members.setdefault(place, []).append((one, outcome))
    for place in sorted(members):
        risks, outcomes = zip(*members[place], strict=True)
        yield sum(risks) / len(risks), sum(outcomes), len(outcomes)


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_200_random_studies_have_the_bins_of_scikit_learn(strategy):
    rng = np.random.default_rng(3)
    for _ in range(200):
        n, n_bins = int(rng.integers(20, 90)), int(rng.integers(2, 12))
        # Where a quantile is a case itself, its rounding decides in scikit-learn.
        n += next(k for k in range(40) if gcd(n + k - 1, n_bins) == 1)
        risk = rng.beta(0.5, 1.0, n)
        y = np.append([0, 1], rng.random(n - 2) < risk[2:]).astype(int)
        found = bins_of(rs.Study(y, risk), n_bins=n_bins, strategy=strategy)
        share, mean = calibration_curve(y, risk, n_bins=n_bins, strategy=strategy)
        np.testing.assert_allclose(found["estimate"], share, atol=1e-12)
        np.testing.assert_allclose(found["risk"], mean, atol=1e-12)


@given(SEEDS, st.integers(1, 9), st.sampled_from(["quantile", "uniform"]))
def test_tied_risks_are_the_bins_of_a_slow_loop(seed, n_bins, strategy):
    rng = np.random.default_rng(seed)
    risk = rng.integers(0, 11, 30) / 10  # at edges, and 0 and 1 among them
    y = np.append([0, 1], rng.integers(0, 2, 28))
    found = bins_of(rs.Study(y, risk), n_bins=n_bins, strategy=strategy, confidence_level=0.9)
    expected = list(slow_bins(y, risk, n_bins, strategy))
    assert found[["n_pos", "n_neg"]].to_numpy().sum() == 30
    for (_, row), (mean, count, size) in zip(found.iterrows(), expected, strict=True):
        assert row["risk"] == pytest.approx(mean, abs=1e-12)
        assert (row["n_pos"], row["n_neg"]) == (count, size - count)
        assert row["estimate"] == pytest.approx(count / size, abs=1e-12)
        limits = proportion_confint(count, size, alpha=0.1, method="wilson")
        np.testing.assert_allclose(row[["ci_low", "ci_high"]].astype(float), limits, atol=1e-12)


def test_frequencies_are_replicated_rows_and_clusters_of_one_are_none():
    times = RNG.integers(1, 4, 150)
    risk = np.round(RISK, 2)
    counted = bins_of(rs.Study(OUTCOME, risk, frequency=times))
    listed = bins_of(rs.Study(np.repeat(OUTCOME, times), np.repeat(risk, times)))
    pd.testing.assert_frame_equal(counted, listed, check_exact=False, rtol=1e-12)
    alone = bins_of(rs.Study(OUTCOME, risk, cluster=np.arange(150)))
    plain = bins_of(rs.Study(OUTCOME, risk))
    columns = ["risk", "estimate", "ci_low", "ci_high"]
    # n/(n - 1) clusters against n cases of a share: the sizes of bins differ by one case.
    np.testing.assert_allclose(alone[columns], plain[columns], atol=0.02)
    assert alone["estimate"].tolist() == pytest.approx(plain["estimate"].tolist())


def test_a_clustered_bin_has_the_effective_size_of_its_clusters():
    cluster = np.repeat(np.arange(75), 2)
    y, risk = np.repeat(OUTCOME[:75], 2), np.repeat(RISK[:75], 2)
    found = bins_of(rs.Study(y, risk, cluster=cluster), n_bins=4)
    alone = bins_of(rs.Study(y[::2], risk[::2]), n_bins=4)
    # A case twice in a cluster is one case, but for the factor of a sample of clusters.
    width, single = (one["ci_high"] - one["ci_low"] for one in (found, alone))
    assert (width / single).between(1.0, 1.06).all()
    one_cluster = np.where(risk < 0.2, 0, cluster + 1)
    row = bins_of(rs.Study(y, risk, cluster=one_cluster), n_bins=5, strategy="uniform").iloc[0]
    assert np.isnan(row["ci_low"])
    assert 0 < row["estimate"] < 1


def test_weights_have_shares_without_limits():
    weight = np.where(OUTCOME == 1, 2.0, 1.0)
    found = bins_of(rs.Study(OUTCOME, RISK, sample_weight=weight), n_bins=1).iloc[0]
    assert found["estimate"] == pytest.approx(np.average(OUTCOME, weights=weight))
    assert found["risk"] == pytest.approx(np.average(RISK, weights=weight))
    assert found["n_pos"] + found["n_neg"] == 150
    assert np.isnan(found["ci_low"])
    assert "weights-need-bootstrap" in found["note"]


def test_bins_say_that_they_are_no_test_and_what_they_refuse():
    study = rs.Study(OUTCOME, RISK)
    assert (bins_of(study)["note"] == "bins-no-test; curve-imprecise").all()
    with pytest.raises(rs.InputError, match="`prevalence` must stay None for method 'bins'"):
        bins_of(study, prevalence=0.1)
    with pytest.raises(rs.InputError, match="`n_bins` must be a whole number >= 1; got 0"):
        bins_of(study, n_bins=0)
    with pytest.raises(rs.InputError, match="`n_bins` must be 1000 at most"):
        bins_of(study, n_bins=1001)
    with pytest.raises(rs.InputError, match="`strategy` must be"):
        bins_of(study, strategy="width")
    with pytest.raises(rs.InputError, match="`method` must be"):
        study.calibration_band(method="bins")


# --- Risks of 0 and 1 -----------------------------------------------------------------------------

FOREST = np.round(RISK, 1)  # votes of ten trees
BOTH = rs.Study(OUTCOME, {"forest": FOREST, "model": np.clip(RISK, 0.01, 0.99)})
WITH_LOGITS = ["calibration_intercept", "calibration_slope", "intercept_and_slope", "ici"]
WITHOUT = ["observed_expected_ratio", "spiegelhalter_z", "miscalibration"]


def test_certain_risks_leave_the_answers_that_exist_and_other_predictors_alone():
    asked = {"quantities": WITH_LOGITS + WITHOUT, "rng": 1, "n_resamples": 100}
    found = BOTH.calibration(**asked).set_index(["predictor", "quantity"])
    forest, model = found.loc["forest"], found.loc["model"]
    assert (forest.loc[WITH_LOGITS, "note"].str.contains("certain-risks")).all()
    numbers = ["estimate", "ci_low", "ci_high", "p_value"]
    assert forest.loc[WITH_LOGITS, numbers].isna().all(axis=None)
    ratio = forest.loc["observed_expected_ratio"]
    assert ratio["estimate"] == pytest.approx(OUTCOME.sum() / FOREST.sum())
    assert ratio["ci_low"] < ratio["estimate"] < ratio["ci_high"]
    assert forest.loc[WITHOUT, "p_value"].between(0, 1).all()
    alone = rs.Study(OUTCOME, np.clip(RISK, 0.01, 0.99), predictor="model").calibration(**asked)
    # Simulated outcomes are those of the column: the second here, the first there.
    closed = [name for name in WITH_LOGITS + WITHOUT if name not in ("ici", "miscalibration")]
    pd.testing.assert_frame_equal(
        model.loc[closed, numbers], alone.set_index("quantity").loc[closed, numbers]
    )


def test_a_group_without_certain_risks_has_its_line():
    group = np.where((FOREST > 0) & (FOREST < 1), "inside", "all")
    group[::2] = "all"
    study = rs.Study(OUTCOME, FOREST, group=group)
    slopes = study.calibration().query("quantity == 'calibration_slope'").set_index("group")
    assert slopes["estimate"].notna().to_dict() == {"all": False, "inside": True}


@pytest.mark.parametrize("ask", ["calibration_curve", "calibration_band"])
def test_curves_of_certain_risks(ask):
    spline = getattr(BOTH, ask)()
    forest = spline["predictor"] == "forest"
    assert spline.loc[forest, "estimate"].isna().all()
    assert spline.loc[forest, "note"].str.contains("certain-risks").all()
    assert spline.loc[~forest, "estimate"].notna().all()
    assert getattr(BOTH, ask)(clip=0.01)["estimate"].notna().all()
    options = {"rng": 1, "n_resamples": 100} if ask == "calibration_band" else {}
    assert getattr(BOTH, ask)(method="isotonic", **options)["estimate"].notna().all()


def test_risks_that_are_all_0_expect_no_events():
    study = rs.Study(OUTCOME, 0 * RISK)
    asked = {"quantities": WITH_LOGITS + WITHOUT, "rng": 1, "n_resamples": 100}
    found = study.calibration(**asked).set_index("quantity")
    assert found["p_value"].isna().all()
    assert np.isnan(found.loc["observed_expected_ratio", "estimate"])
    assert "no-expected-events" in found.loc["observed_expected_ratio", "note"]
    # No sample of both classes has such risks: the distance is known, its P value is not.
    assert found.loc["miscalibration", "estimate"] > 0
    assert "no-expected-events" in found.loc["miscalibration", "note"]


def test_subgroups_of_certain_risks_have_a_note():
    sex = np.where(np.arange(150) % 2, "f", "m")
    risk = np.where(sex == "f", np.clip(RISK, 0.01, 0.99), FOREST)
    study = rs.Study(OUTCOME, risk, predictor="p")
    found = study.subgroups(by={"sex": sex}, quantity="calibration_slope").set_index("level")
    assert np.isfinite(found.loc["f", "estimate"])
    assert np.isnan(found.loc["m", "estimate"])
    assert "certain-risks" in found.loc["m", "note"]
