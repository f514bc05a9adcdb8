"""The questions of calibration: refusals, notes, roles, hypotheses and bands."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import chi2, norm, t

import rocstats as rs
from rocstats.tables.methods import methods_lines
from tests.examples import D1, D1_CLUSTERS, D2, Y

RNG = np.random.default_rng(5)
N = 400
LOGIT = 1.5 * RNG.standard_normal(N) - 1
RISK = 1 / (1 + np.exp(-LOGIT))
OUTCOME = (RNG.random(N) < RISK).astype(int)
STUDY = rs.Study(OUTCOME, RISK, predictor="m")
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def by_quantity(frame):
    return frame.set_index("quantity")


@pytest.mark.parametrize("ask", ["calibration", "calibration_curve", "probability_scores"])
def test_scores_that_are_no_risks_are_refused(ask):
    with pytest.raises(rs.InputError, match=r"risks in \[0, 1\]; got scores of 'm' from -.* to"):
        getattr(rs.Study(OUTCOME, LOGIT, predictor="m"), ask)()
    lower = rs.Study(OUTCOME, RISK, predictor="m", higher_is_positive=False)
    with pytest.raises(rs.InputError, match="`higher_is_positive` must be True of a risk"):
        getattr(lower, ask)()


def test_risks_of_0_and_1_are_counted_unless_clipped():
    risk = RISK.copy()
    risk[[1, 2, 3]] = (0, 1, 1)
    study = rs.Study(OUTCOME, risk, predictor="m")
    for ask in (study.calibration, study.calibration_curve, study.calibration_band):
        with pytest.raises(rs.InputError, match="got 3 risks of 'm' that are 0 or 1"):
            ask()
        assert np.isfinite(ask(clip=1e-4)["estimate"].iloc[0])
    assert len(study.calibration_curve(method="isotonic")) == 100
    wrong = rs.Study([1, 0, 1, 0], [0.0, 0.2, 0.7, 0.4])
    row = by_quantity(wrong.probability_scores()).loc["log_score"]
    assert row["estimate"] == np.inf
    assert np.isnan(row["ci_high"])
    assert "infinite-score" in row["note"]


def test_separation_and_a_single_risk_have_notes_and_no_numbers():
    apart = rs.Study([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.2, 0.1])
    rows = by_quantity(apart.calibration())
    assert np.isnan(rows.loc["calibration_slope", "estimate"])
    assert "separation" in rows.loc["calibration_slope", "note"]
    assert np.isfinite(rows.loc["calibration_intercept", "estimate"])
    single = rs.Study(OUTCOME, np.full(N, 0.3))
    assert "single-risk" in by_quantity(single.calibration()).loc["calibration_slope", "note"]
    curve = single.calibration_band()
    assert curve["estimate"].isna().all()
    assert "single-risk" in curve["note"].iloc[0]


def test_few_cases_warn_by_their_number():
    frame = rs.Study(Y, D1).calibration_curve()
    assert frame["note"].iloc[0] == "few-cases; curve-imprecise"
    with pytest.warns(rs.StatisticalWarning, match="^curve-imprecise"):
        rs.Study(Y, D1).calibration_curve()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.Study(OUTCOME, RISK).calibration()


def test_limits_and_tests_are_normal_on_their_scales():
    rows = by_quantity(STUDY.calibration())
    ratio = rows.loc["observed_expected_ratio"]
    reach = norm.ppf(0.975) * ratio["se"] / ratio["estimate"]
    assert ratio["ci_high"] == pytest.approx(ratio["estimate"] * np.exp(reach), rel=1e-12)
    slope = rows.loc["calibration_slope"]
    for row in (slope, rows.loc["calibration_intercept"]):
        limits = row["estimate"] + norm.ppf([0.025, 0.975]) * row["se"]
        assert [row["ci_low"], row["ci_high"]] == pytest.approx(limits, rel=1e-12)
    assert slope["null_value"] == 1
    assert slope["statistic"] == pytest.approx((slope["estimate"] - 1) / slope["se"], rel=1e-12)
    joint = rows.loc["intercept_and_slope"]
    assert joint["p_value"] == pytest.approx(chi2.sf(joint["statistic"], 2), rel=1e-10)
    assert joint["df"] == 2


def test_a_known_prevalence_weighs_the_classes_in_means_and_moves_the_intercept_of_fits():
    found = by_quantity(STUDY.calibration(prevalence=0.1))
    positive = OUTCOME == 1
    expected = 0.1 * RISK[positive].mean() + 0.9 * RISK[~positive].mean()
    assert found.loc["observed_expected_ratio", "estimate"] == pytest.approx(0.1 / expected)
    assert (found["prevalence"] == 0.1).all()
    assert found["method"].tolist() == [
        "influence/hall-t", "sandwich/hall-t",
        "case-control-logistic/wald", "case-control-logistic/chi-square",
    ]  # fmt: skip
    # O/E and the intercept test the same: the mean risk is the prevalence.
    ratio, moved = found.iloc[0], found.iloc[1]
    assert ratio[["statistic", "df", "p_value"]].tolist() == (
        moved[["statistic", "df", "p_value"]].tolist()
    )
    assert (ratio["ci_low"] > 1) == (moved["ci_low"] > 0)
    assert (ratio["ci_high"] < 1) == (moved["ci_high"] < 0)
    # The slope is the same at any prevalence, and that of the sample.
    own = by_quantity(STUDY.calibration()).loc["calibration_slope"]
    assert found.loc["calibration_slope", "estimate"] == pytest.approx(own["estimate"], rel=1e-8)
    scores = by_quantity(STUDY.probability_scores(prevalence=0.1))
    squares = (RISK - OUTCOME) ** 2
    brier = 0.1 * squares[positive].mean() + 0.9 * squares[~positive].mean()
    se = np.hypot(
        0.1 * squares[positive].std(ddof=1) / np.sqrt(positive.sum()),
        0.9 * squares[~positive].std(ddof=1) / np.sqrt((~positive).sum()),
    )
    assert scores.loc["brier_score", "estimate"] == pytest.approx(brier, rel=1e-12)
    assert scores.loc["brier_score", "se"] == pytest.approx(se, rel=1e-12)


def test_clusters_weights_groups_and_folds():
    clustered = rs.Study(Y, D1, cluster=D1_CLUSTERS)
    assert (clustered.calibration()["method"].str.startswith("cluster-")).all()
    with pytest.raises(rs.InputError, match="`cluster` must stay None for the quantity 'ici'"):
        clustered.calibration(quantities=["ici"])
    weighted = rs.Study(OUTCOME, RISK, sample_weight=np.full(N, 0.5))
    row = by_quantity(weighted.calibration()).loc["calibration_slope"]
    own = by_quantity(STUDY.calibration()).loc["calibration_slope"]
    assert row["estimate"] == pytest.approx(own["estimate"], rel=1e-10)
    assert np.isnan(row["se"])
    assert row["note"].startswith("weights-need-bootstrap")
    half = np.arange(N) % 2
    groups = rs.Study(OUTCOME, RISK, group=half).probability_scores()
    alone = rs.Study(OUTCOME[half == 1], RISK[half == 1]).probability_scores()
    found = groups.loc[groups["group"] == "1", "se"]
    np.testing.assert_allclose(found, alone["se"], rtol=1e-12)
    assert "pooled-folds" in rs.Study(OUTCOME, RISK, fold=half).calibration()["note"].iloc[0]


def test_two_clusters_have_no_joint_test():
    rows = by_quantity(rs.Study(Y, D1, cluster=np.arange(18) % 2).calibration())
    joint = rows.loc["intercept_and_slope"]
    assert np.isnan(joint["p_value"])
    assert "few-clusters" in joint["note"]
    assert np.isfinite(rows.loc["calibration_slope", "se"])


def test_redraws_repeat_and_spread_as_they_should():
    names = ["ici", "miscalibration"]
    first = STUDY.calibration(quantities=names, n_resamples=100, rng=3)
    again = STUDY.calibration(quantities=names[::-1], n_resamples=100, rng=3)
    assert first["p_value"].tolist() == again["p_value"].tolist()[::-1]
    assert first["method"].tolist() == ["redraws/spline", "redraws/isotonic"]
    # Outcomes are drawn from these risks: the P value of 400 calibrated cases is not small.
    assert (first["p_value"] > 0.01).all()
    extreme = 1 / (1 + np.exp(-3 * LOGIT))
    wrong = rs.Study(OUTCOME, extreme).calibration(quantities=names, n_resamples=100, rng=3)
    assert (wrong["p_value"] < 0.02).all()


def test_a_consistency_band_is_around_the_diagonal_and_counts_rows_by_frequency():
    band = STUDY.calibration_band(method="isotonic", n_resamples=200, rng=1)
    middle = band[band["risk"].between(0.1, 0.9)]
    assert (middle["ci_low"] < middle["risk"]).all()
    assert (middle["ci_high"] > middle["risk"]).all()
    with pytest.raises(rs.InputError, match="`scope` must be 'pointwise' for a consistency band"):
        STUDY.calibration_band(method="isotonic", scope="simultaneous")
    rounded = np.round(RISK, 1).clip(0.1, 0.9)
    kinds, number = np.unique(np.column_stack([OUTCOME, rounded]), axis=0, return_counts=True)
    table = rs.Study(kinds[:, 0].astype(int), kinds[:, 1], frequency=number)
    counted = table.calibration_band(method="isotonic", n_resamples=500, rng=1)
    study = rs.Study(OUTCOME, rounded)
    listed = study.calibration_band(method="isotonic", n_resamples=500, rng=2)
    np.testing.assert_allclose(counted["estimate"], listed["estimate"], atol=1e-12)
    # Two sets of 500 draws, a share of some 40 cases: its 2.5 % quantile varies by about .015.
    np.testing.assert_allclose(counted["ci_low"], listed["ci_low"], atol=0.06)


def test_a_simultaneous_band_contains_the_pointwise_one():
    narrow, wide = STUDY.calibration_band(), STUDY.calibration_band(scope="simultaneous", rng=1)
    assert (wide["ci_low"] < narrow["ci_low"]).all()
    assert (wide["ci_high"] > narrow["ci_high"]).all()
    curve = STUDY.calibration_curve()
    np.testing.assert_allclose(curve["estimate"], narrow["estimate"], rtol=1e-14)


def test_differences_have_margins_on_the_side_of_the_better_score():
    study = rs.Study(Y, {"a": D1, "b": D2})
    plain = study.compare_probability_scores().iloc[0]
    assert plain["estimate"] == pytest.approx(np.mean((D1 - Y) ** 2 - (D2 - Y) ** 2), rel=1e-12)
    claim = study.compare_probability_scores(hypothesis="non-inferiority", margin=0.02).iloc[0]
    z = (plain["estimate"] - 0.02) / plain["se"]
    # Satterthwaite's degrees of freedom of the parts of both classes
    gap = (D1 - Y) ** 2 - (D2 - Y) ** 2
    squares = (gap - gap.mean()) ** 2
    parts = np.array([squares[Y == 1].sum(), squares[Y == 0].sum()])
    sizes = np.array([np.sum(Y == 1), np.sum(Y == 0)])
    df = parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum()
    assert plain["df"] == pytest.approx(df, rel=1e-10)
    assert claim["p_value"] == pytest.approx(t.cdf(z, df), rel=1e-10)
    scaled = study.compare_probability_scores(
        quantity="scaled_brier_score", hypothesis="non-inferiority", margin=0.02
    ).iloc[0]
    z = (scaled["estimate"] + 0.02) / scaled["se"]
    assert scaled["p_value"] == pytest.approx(t.sf(z, scaled["df"]), rel=1e-10)
    with pytest.raises(rs.InputError, match="`y_score` must hold two predictors or more"):
        STUDY.compare_probability_scores()


def test_words_and_numbers_are_checked():
    with pytest.raises(rs.InputError, match="`quantities` must be one of"):
        STUDY.calibration(quantities="slope")
    with pytest.raises(rs.InputError, match="`quantities` must be a measure or a sequence"):
        STUDY.calibration(quantities=[])
    with pytest.raises(rs.InputError, match="`n_points` must be 1000 at most; got 1001"):
        STUDY.calibration_curve(n_points=1001)
    with pytest.raises(rs.InputError, match="`clip` must be a number strictly between 0 and"):
        STUDY.calibration(clip=0.5)
    with pytest.raises(rs.InputError, match="`prevalence` must stay None for method 'isotonic'"):
        STUDY.calibration_band(method="isotonic", prevalence=0.1)


def test_the_methods_paragraph_says_which_tests_were_made():
    text = methods_lines(STUDY.calibration())[0]
    assert "likelihood ratio tests of intercept and slope together" in text
    assert "equal areas" not in text
    band = methods_lines(STUDY.calibration_band(scope="simultaneous", rng=1))[0]
    assert "from 10000 normal draws (seed 1)" in band


def test_classes_that_meet_at_one_risk_are_separated_in_any_order_of_rows():
    outcome = np.array([0, 1, 1, 1, 0, 1, 0, 1])
    risk = np.array([0.5, 0.5, 0.3, 0.3, 0.5, 0.5, 0.5, 0.3])
    for rows in ([0, 1, 2, 3, 4, 5, 6, 7], [7, 3, 5, 1, 0, 2, 6, 4]):
        study = rs.Study(outcome[rows], risk[rows])
        found = by_quantity(study.calibration())
        assert "separation" in found.loc["calibration_slope", "note"]
        assert study.calibration_curve()["estimate"].isna().all()


def test_a_score_that_cannot_vary_has_no_limits():
    study = rs.Study(OUTCOME, np.full(N, 0.5))
    for prevalence in (None, 1e-9):
        rows = by_quantity(study.probability_scores(prevalence=prevalence))
        assert np.isnan(rows.loc["brier_score", ["ci_low", "ci_high"]].astype(float)).all()
        assert "no-variance" in rows.loc["brier_score", "note"]


def test_no_limit_at_a_prevalence_passes_the_estimate_at_a_small_level():
    """Skewness moves Hall's limits by more than a level of .01 reaches."""
    y = np.array([1, 1, 0, 0, 0, 0, 0, 0])
    risk = [0.9, 0.6, 0.1, 0.1, 0.2, 0.1, 0.3, 0.8]
    found = rs.Study(y, risk).calibration(prevalence=0.1, confidence_level=0.01)
    found = found.set_index("quantity").loc[["observed_expected_ratio", "calibration_intercept"]]
    assert (found["ci_low"] <= found["estimate"]).all()
    assert (found["estimate"] <= found["ci_high"]).all()


def test_an_intercept_may_be_so_far_that_all_risks_are_certain():
    y, risk = np.arange(40) % 4 == 0, np.tile([0.99, 0.01], 20)
    study = rs.Study(y, risk)
    found = study.calibration(prevalence=0.999999999, confidence_level=0.5).set_index("quantity")
    low, value, high = found.loc["calibration_intercept", ["ci_low", "estimate", "ci_high"]]
    assert low <= value <= high
    assert low < high


def test_a_joint_test_without_a_covariance_speaks_of_no_clusters():
    risk = [0.73479455, 0.43047103, 0.83248145, 0.20105122, 0.06879527]
    study = rs.Study([0, 1, 1, 1, 0], risk, frequency=[1, 1, 1, 10000, 10000])
    found = study.calibration(prevalence=1e-9, clip=0.49).set_index("quantity")
    assert found.loc["intercept_and_slope", "note"].startswith("no-variance")
