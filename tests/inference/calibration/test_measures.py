"""Measures, scores and bands of risks: influence values as derivatives, roles, hypotheses."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chi2, norm, t
from scipy.stats import f as f_law
from scipy.stats import t as student
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.nonparametric.smoothers_lowess import lowess

import rocstats as rs
from rocstats.estimate.shares import WeightedCases
from rocstats.inference.calibration.fits import (
    curve_errors,
    fit_logistic,
    newton_logistic_coefficients,
    sandwich,
)
from rocstats.inference.calibration.measures import (
    calibration_intercept,
    cox_line,
    events_ratio,
    events_ratio_limits,
    intercept_limits,
)
from rocstats.inference.calibration.risks import Risks, SkewedMean, quantiles_of_weighted_risks
from rocstats.inference.calibration.scores import (
    SCORES,
    brier_parts,
    probability_score,
    probability_score_influence,
)
from rocstats.tables.methods import methods_lines
from tests.examples import D1, D1_CLUSTERS, D2, Y

POSITIVE = Y == 1

ONES = np.ones(len(Y))


def risks_of(risk, weight=ONES, cluster=None, prevalence=None):
    return Risks(risk, WeightedCases(POSITIVE, weight, cluster), prevalence)


def weight_derivatives(estimate):
    """Return N times the derivative of an estimator in the weight of each case."""
    step = 1e-5
    ends = [[estimate(ONES + sign * step * row) for row in np.eye(len(Y))] for sign in (1.0, -1.0)]
    return len(Y) * (np.array(ends[0]) - ends[1]) / (2 * step)


ESTIMATORS = {
    "observed_expected_ratio": lambda w, p, pi: events_ratio(risks_of(p, w, None, pi)).value,
    **{
        name: lambda w, p, pi, name=name: probability_score(risks_of(p, w, None, pi), name).value
        for name in SCORES
    },
}


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("risk", [D1, D2])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_influence_is_the_derivative_in_the_weights(name, risk, prevalence):
    values = weight_derivatives(lambda w: ESTIMATORS[name](w, risk, prevalence))
    one = risks_of(risk, ONES, None, prevalence)
    found = events_ratio(one) if name == "observed_expected_ratio" else probability_score(one, name)
    size = np.array([len(Y)] * len(Y)) if prevalence is None else np.where(POSITIVE, 8, 10)
    # Units carry the factor sqrt(n/(n - 1)) of an unbiased variance, of all or of their class.
    expected = values / len(Y) * np.sqrt(size / (size - 1))
    np.testing.assert_allclose(found.influence, expected, atol=1e-9)


@pytest.mark.parametrize("name", SCORES)
def test_influence_of_a_difference_is_the_derivative_of_the_difference(name):
    def difference(w):
        return (
            probability_score(risks_of(D1, w), name).value
            - probability_score(risks_of(D2, w), name).value
        )

    (_, first), (_, second) = (probability_score_influence(risks_of(p), name) for p in (D1, D2))
    np.testing.assert_allclose(first - second, weight_derivatives(difference), atol=1e-7)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_scores_of_the_sandwich_are_the_derivative_of_the_coefficients(prevalence):
    design = np.column_stack([ONES, logit(D1)])

    def slope(w):
        one = risks_of(D1, w, None, prevalence)
        return newton_logistic_coefficients(
            design, one.outcome, one.weight, 0 * ONES, np.array([0.0, 1.0])
        )[0][1]

    one = risks_of(D1, ONES, None, prevalence)
    fit = fit_logistic(one, design, np.array([0.0, 1.0]))
    size = np.array([len(Y)] * len(Y)) if prevalence is None else np.where(POSITIVE, 8, 10)
    units = weight_derivatives(slope) / len(Y) * np.sqrt(size / (size - 1))
    variance = sandwich(one, design, design @ fit.coef)[1, 1]
    assert variance == pytest.approx(units @ units, rel=1e-6)


def logit_of(y, design, offset, weight=None):
    model = GLM(y, design, Binomial(), offset=offset, freq_weights=weight)
    return model.fit(tol=1e-14, maxiter=100)


def test_at_a_prevalence_the_line_is_that_of_the_sample_moved_by_the_known_shift():
    shift = np.log(8 / 10) - np.log(0.1 / 0.9)
    known = logit_of(Y, np.column_stack([ONES, logit(D1)]), shift * ONES)
    line = cox_line(risks_of(D1, prevalence=0.1))
    np.testing.assert_allclose(line.coef, known.params, rtol=1e-8)
    assert line.slope_se == pytest.approx(known.bse[1], rel=1e-6)
    # Any prevalence has the slope of the sample.
    other = cox_line(risks_of(D1, prevalence=0.6))
    assert other.coef[1] == pytest.approx(line.coef[1], rel=1e-8)
    # Fixed class sizes take 1/m + 1/n from the variance of the intercept (Prentice & Pyke 1979).
    covariance = known.cov_params() - np.diag([1 / 8 + 1 / 10, 0])
    apart = line.coef - [0, 1]
    wald = apart @ np.linalg.solve(covariance, apart)
    assert line.joint.p_value == pytest.approx(f_law.sf(wald / 2, 2, 7), rel=1e-6)
    assert line.joint.p_value == pytest.approx(chi2.sf(line.joint.statistic, 2), rel=1e-10)


def test_in_clusters_at_a_prevalence_the_joint_test_is_walds_beside_a_sandwich():
    codes, shift = D1_CLUSTERS - 1, np.log(8 / 10) - np.log(0.1 / 0.9)
    design = np.column_stack([ONES, logit(D1)])

    def coef(w):
        return logit_of(Y, design, shift * ONES, w).params

    values = weight_derivatives(coef) / len(Y)
    for side in (POSITIVE, ~POSITIVE):
        # Class sizes are fixed: each class about its mean, here of the values of its cases.
        values[side] -= values[side].mean(axis=0)
    sides = [np.unique(codes[side]) for side in (POSITIVE, ~POSITIVE)]
    factors = [len(one) / (len(one) - 1) for one in sides]
    sums = sum(
        np.sqrt(factor) * np.stack([np.bincount(codes[side], v, 7) for v in values[side].T])
        for side, factor in zip((POSITIVE, ~POSITIVE), factors, strict=True)
    )
    line = cox_line(risks_of(D1, cluster=codes, prevalence=0.1))
    assert line.slope_se == pytest.approx(np.sqrt(sums[1] @ sums[1]), rel=1e-5)
    apart, n = line.coef - [0, 1], min(map(len, sides)) - 1
    wald = apart @ np.linalg.solve(sums @ sums.T, apart)
    assert line.joint.p_value == pytest.approx(f_law.sf(wald / 2, 2, n), rel=1e-4)


@pytest.mark.parametrize("weight", [None, np.arange(len(Y)) % 3 + 1.0])
def test_halls_t_takes_skewness_out_of_the_mean_risk(weight):
    count = ONES if weight is None else weight
    rows = np.repeat(np.arange(len(Y)), count.astype(int))
    mean, variance, third, fourth = 0.0, [], 0.0, []
    for share, side in ((0.1, POSITIVE[rows]), (0.9, ~POSITIVE[rows])):
        x = D1[rows][side]
        n, u = len(x), share * (x - x.mean()) / len(x)
        mean += share * x.mean()
        variance.append(n / (n - 1) * (u**2).sum())
        third += (n / (n - 1)) ** 1.5 * (u**3).sum()
        fourth.append(min(2 / ((u**4).sum() / (u**2).sum() ** 2 - 1 / n), n - 1))
    total = sum(variance)
    k, df = (
        third / total**1.5,
        total**2 / sum(v**2 / f for v, f in zip(variance, fourth, strict=True)),
    )
    risks = risks_of(D1, count, prevalence=0.1)
    x = (mean - 0.1) / np.sqrt(total)
    hall = x + k * x**2 / 3 + k**2 * x**3 / 27 + k / 6
    found = risks.skewed_mean(risks.risk)
    assert [*found] == pytest.approx([mean, np.sqrt(total), k, df], rel=1e-10)
    assert found.t(0.1) == pytest.approx(hall, rel=1e-10)
    # Limits are where the t is at its quantiles, of the mean and of the intercept.
    reach = student.ppf(0.975, df)
    low, high = (0.1 / limit for limit in events_ratio_limits(risks, 0.95))
    assert [found.t(low), found.t(high)] == pytest.approx([-reach, reach], rel=1e-9)
    for end, side in zip(
        intercept_limits(risks, calibration_intercept(risks)[0], 0.95), (-1, 1), strict=True
    ):
        moved = risks.skewed_mean(expit(risks.logit + end))
        assert moved.t(0.1) == pytest.approx(side * student.ppf(0.975, moved.df), rel=1e-8)


def test_a_mean_without_skewness_has_the_t_of_student():
    assert SkewedMean(0.4, 0.1, 0.0, 5.0).t(0.2) == pytest.approx(2.0)
    assert SkewedMean(0.4, 0.1, 0.0, 5.0).limit(2.0) == pytest.approx(0.6)


def test_clusters_of_one_case_are_no_clusters_and_sums_are_by_cluster():
    alone = events_ratio(risks_of(D1, cluster=np.arange(len(Y))))
    assert alone.se == pytest.approx(events_ratio(risks_of(D1)).se, rel=1e-12)
    codes = D1_CLUSTERS - 1
    values = weight_derivatives(lambda w: events_ratio(risks_of(D1, w)).value)
    sums = np.bincount(codes, values / len(Y))
    clustered = events_ratio(risks_of(D1, cluster=codes))
    assert clustered.se == pytest.approx(np.sqrt(7 / 6 * sums @ sums), rel=1e-8)


def test_a_frequency_is_so_many_rows():
    number = np.arange(len(Y)) % 3 + 1
    rows = np.repeat(np.arange(len(Y)), number)
    listed = Risks(D1[rows], WeightedCases(POSITIVE[rows], np.ones(len(rows)), None))
    counted = risks_of(D1, number.astype(float))
    assert cox_line(counted).slope_se == pytest.approx(cox_line(listed).slope_se, rel=1e-10)
    assert calibration_intercept(counted) == pytest.approx(calibration_intercept(listed), rel=1e-10)
    assert probability_score(counted, "log_score").se == pytest.approx(
        probability_score(listed, "log_score").se
    )
    np.testing.assert_allclose(
        quantiles_of_weighted_risks(D1, number, np.array([0.05, 0.3, 0.5, 1.0])),
        np.quantile(D1[rows], [0.05, 0.3, 0.5, 1.0]),
        rtol=1e-14,
    )


def test_halved_steps_end_where_full_ones_do_not_and_separation_is_found():
    # From 0 a full step of rare events leaves the region where the likelihood rises.
    rng = np.random.default_rng(1)
    x = 4 * rng.standard_normal(200)
    y = (rng.random(200) < expit(-6 + x)).astype(float)
    design = np.column_stack([np.ones(200), x])
    coef, found = newton_logistic_coefficients(
        design, y, np.ones(200), np.zeros(200), np.array([-20.0, 8.0])
    )
    assert found
    np.testing.assert_allclose(design.T @ (y - expit(design @ coef)), 0, atol=1e-8)
    for apart in (x > 0.5, x >= np.sort(x)[100]):
        assert not newton_logistic_coefficients(
            design, apart * 1.0, np.ones(200), np.zeros(200), np.zeros(2)
        )[1]


def test_parts_of_the_brier_score_add_up():
    for risk in (D1, D2, np.full(18, 0.4)):
        parts = brier_parts(risks_of(risk))
        brier = probability_score(risks_of(risk), "brier_score").value
        total = parts.miscalibration - parts.discrimination + parts.uncertainty
        assert total == pytest.approx(brier, abs=1e-14)
        assert min(parts) >= 0


def test_errors_of_a_lowess_curve_are_those_of_val_prob():
    # rms 6.5.0, val.prob(p, y): Eavg, of the 200 risks of validation/calibration/c200.
    k = np.arange(1, 201)
    p = ((37 * k) % 199 + 1) / 201
    y = ((101 * k) % 211 + 0.5) / 211 < expit(-0.3 + 0.7 * logit(p))
    curve = lowess(y, p, frac=2 / 3, it=0, delta=0, return_sorted=False)
    found = curve_errors(Risks(p, WeightedCases(y, np.ones(200), None)), curve)
    assert found.ici == pytest.approx(0.074621291, abs=5e-10)
    assert np.abs(curve - p).max() == pytest.approx(0.134758653, abs=5e-10)


RNG = np.random.default_rng(5)

N = 400

LOGIT = 1.5 * RNG.standard_normal(N) - 1

RISK = 1 / (1 + np.exp(-LOGIT))

OUTCOME = (RNG.random(N) < RISK).astype(int)

STUDY = rs.Study(OUTCOME, RISK, predictor="m")


def by_quantity(frame):
    return frame.set_index("quantity")


@pytest.mark.parametrize("ask", ["calibration", "calibration_curve", "probability_scores"])
def test_scores_that_are_no_risks_are_refused(ask):
    with pytest.raises(rs.InputError, match=r"risks in \[0, 1\]; got scores of 'm' from -.* to"):
        getattr(rs.Study(OUTCOME, LOGIT, predictor="m"), ask)()
    lower = rs.Study(OUTCOME, RISK, predictor="m", higher_is_positive=False)
    with pytest.raises(rs.InputError, match="`higher_is_positive` must be True for a risk"):
        getattr(lower, ask)()


def test_risks_of_0_and_1_have_no_logits_unless_clipped():
    risk = RISK.copy()
    risk[[1, 2, 3]] = (0, 1, 1)
    study = rs.Study(OUTCOME, risk, predictor="m")
    for ask in (study.calibration, study.calibration_curve, study.calibration_band):
        found, clipped = ask(), ask(clip=1e-4)
        assert np.isnan(found["estimate"].iloc[1])
        assert "certain-risks" in found["note"].iloc[1]
        assert np.isfinite(clipped["estimate"].iloc[1])
        assert "certain-risks" not in clipped["note"].iloc[1]
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
    with pytest.raises(rs.InputError, match="`y_score` must hold two or more predictors"):
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
