"""Logistic regression: statsmodels, steep curves, and designs without a maximum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special as sp
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from rocstats.estimate.shares import WeightedCases
from rocstats.inference.calibration.fits import fit_logistic, spline_design
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
