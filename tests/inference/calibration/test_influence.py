"""Influence values equal numerical derivatives of estimators in the case weights, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chi2
from scipy.stats import f as f_law
from scipy.stats import t as student
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.nonparametric.smoothers_lowess import lowess

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
