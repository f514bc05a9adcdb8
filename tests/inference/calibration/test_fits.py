"""Logistic and isotonic fits: statsmodels, SciPy, designs without a maximum, limits of curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special as sp
from scipy.optimize import isotonic_regression
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

import rocstats as rs
from rocstats.estimate.shares import WeightedCases
from rocstats.inference.calibration.fits import (
    fit_isotonic,
    fit_logistic,
    isotonic_risks,
    spline_design,
    spline_knots_of_risks,
)
from rocstats.inference.calibration.risks import Risks

START = np.array([0.0, 1.0])


def line_of(logit, outcome, weight=None):
    """The risks and the design of Cox's line."""
    weight = np.ones(len(logit)) if weight is None else weight
    risks = Risks(np.asarray(sp.expit(logit)), WeightedCases(outcome > 0, weight, None))
    return risks, np.stack([np.ones_like(logit), logit], axis=-1)


@pytest.mark.parametrize("slope", [0.05, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("intercept", [-3.0, 0.0])
def test_coefficients_and_covariance_are_those_of_statsmodels(slope, intercept, rng):
    for n in (60, 1000):
        logit = rng.normal(scale=2.0, size=n)
        outcome = rng.random(n) < sp.expit(intercept + slope * logit)
        weight = rng.integers(1, 4, n).astype(float)
        risks, design = line_of(logit, outcome, weight)
        found = fit_logistic(risks, design, START)
        model = GLM(outcome.astype(float), design, Binomial(), freq_weights=weight)
        expected = model.fit(tol=1e-13, tol_criterion="params", maxiter=200)
        assert found.coef == pytest.approx(expected.params, rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(found.covariance, expected.cov_params(), rtol=1e-8)
        assert found.log_likelihood == pytest.approx(expected.llf, rel=1e-12)


def score_of(found, risks, design):
    """The derivative of the log likelihood, in standard errors."""
    residual = risks.outcome - sp.expit(design @ found.coef)
    score = design.T @ residual
    return float(np.sqrt(score @ found.covariance @ score))


def test_risks_far_too_extreme_have_their_maximum(rng):
    # Nearly all cases are certain at the start, and say nothing of the direction there.
    logit = rng.normal(scale=30.0, size=300)
    outcome = rng.random(300) < sp.expit(0.02 * logit)
    risks, design = line_of(logit, outcome)
    assert score_of(fit_logistic(risks, design, START), risks, design) < 1e-8


def test_a_steep_spline_has_its_maximum(rng):
    # Its logits are thousands where the outcome is certain: they never move by under 1e-8.
    logit = np.sort(rng.uniform(-6, 5, 264))
    outcome = (rng.random(264) < sp.expit(8 * logit - 2)).astype(float)
    risks, _ = line_of(logit, outcome)
    design = spline_design(logit, np.quantile(logit, [0.05, 0.35, 0.65, 0.95]))
    found = fit_logistic(risks, design, np.eye(4)[1])
    assert score_of(found, risks, design) < 1e-6


def test_separated_classes_have_no_maximum():
    logit = np.linspace(-2, 2, 40)
    for cut in (-1.0, 0.0, 1.5):
        risks, design = line_of(logit, (logit > cut).astype(float))
        assert fit_logistic(risks, design, START) is None


def test_separated_by_a_spline_have_no_maximum():
    # The middle has no event and both ends have nothing else: no line separates, a spline does.
    logit = np.linspace(-2, 2, 60)
    risks, _ = line_of(logit, (np.abs(logit) > 1).astype(float))
    design = spline_design(logit, np.quantile(logit, [0.05, 0.35, 0.65, 0.95]))
    assert fit_logistic(risks, design, np.eye(4)[1]) is None


COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1)


@given(COUNTS, st.sampled_from([1.0, 0.37, 1e-9]))
def test_levels_are_those_of_isotonic_regression(counts, factor):
    events, others = np.array(counts, dtype=float).T * factor
    weight = events + others
    expected = isotonic_regression(events / weight, weights=weight).x
    np.testing.assert_allclose(isotonic_risks(events, weight), expected, rtol=1e-12, atol=1e-14)


def test_many_levels_are_those_of_isotonic_regression(rng):
    weight = rng.integers(1, 5, 30_000).astype(float)
    events = rng.binomial(weight.astype(int), np.linspace(0.01, 0.9, 30_000)).astype(float)
    found = isotonic_risks(events, weight)
    expected = isotonic_regression(events / weight, weights=weight).x
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert (np.diff(found) >= 0).all()


@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize(
    ("rarer", "places"), [(39, [0.1, 0.5, 0.9]), (40, [0.05, 0.35, 0.65, 0.95])]
)
def test_forty_cases_of_the_rarer_class_have_harrells_four_knots(rarer, places, positive):
    # Logits 0 to 100: a quantile is a hundred times its place. Harrell (2015), table 2.3.
    logit, rare = np.arange(101) / 100, np.arange(101) < rarer
    cases = WeightedCases(rare if positive else ~rare, np.ones(101), None)
    found = spline_knots_of_risks(Risks(1 / (1 + np.exp(-logit)), cases))
    assert found == pytest.approx(places)


@pytest.mark.parametrize("prevalence", [None, 0.07])
def test_the_brier_score_of_the_curve_is_the_mean_over_cases(prevalence, rng):
    risk, outcome = np.round(rng.random(200), 1), rng.random(200) < 0.4
    risks = Risks(
        risk, WeightedCases(outcome, rng.integers(0, 3, 200).astype(float), None), prevalence
    )
    curve = fit_isotonic(risks)
    errors = (curve.at(risk) - outcome) ** 2
    expected = np.average(errors, weights=risks.weight)
    assert curve.brier_score() == pytest.approx(expected, rel=1e-12)


def test_limits_of_a_steep_curve_have_a_width():
    """Limits of 1 - 1e-20 were rounded to 1, where the estimate is 1 too."""
    rng = np.random.default_rng(1)
    risk = np.round(rng.uniform(0.4, 0.6, 60), 3)
    noise = np.where(np.abs(risk - 0.5) < 0.02, rng.random(60) < 0.5, False)
    ill = (risk > 0.5) ^ noise
    found = rs.Study(ill.astype(int), risk, frequency=np.full(60, 10_000)).calibration_band()
    assert (found["estimate"] == 1).any()
    assert (found["ci_low"] < found["ci_high"]).all()


def test_where_two_clusters_agree_there_are_no_limits():
    """Their variance was a rounding below 0, and ended in a warning of NumPy."""
    risk = np.repeat([0.2, 0.5, 0.8], 8)
    ill = np.array([[0, 0, 0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1, 1, 1]])
    cluster = np.tile([0, 1, 0, 1, 1, 0, 1, 0], 3)
    found = rs.Study(ill.ravel(), risk, cluster=cluster).calibration_band()
    assert found["estimate"].tolist() == pytest.approx([2 / 8, 4 / 8, 7 / 8])
    assert found["ci_low"].isna().tolist() == [False, True, False]
    assert found["ci_high"].isna().tolist() == [False, True, False]
    assert found["note"].str.contains("no-variance").all()
