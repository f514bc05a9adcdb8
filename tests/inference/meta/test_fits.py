"""The bivariate model: worked numbers, definitions by brute force, symmetries, boundaries."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, norm

import rocstats as rs
from rocstats.inference.meta.fits import (
    fit_model,
    fit_restricted,
    no_heterogeneity,
    profile_limits,
    sd_limits,
    swapped,
)
from rocstats.inference.meta.model import likelihood
from rocstats.inference.meta.reviews import read_review
from tests.inference.meta.reviews import REVIEWS, WORKED, drawn, tables

every_review = pytest.mark.parametrize("name", REVIEWS)
Z = 1.959963984540054


def fit_of(name, n_nodes=21):
    review = read_review(tables(REVIEWS[name]))
    return fit_model(review.counts, review.free, n_nodes)


# --- Worked numbers -------------------------------------------------------------------------------


@every_review
def test_the_fit_has_the_worked_numbers(name):
    fit, known = fit_of(name), WORKED[name]
    assert fit.value == pytest.approx(known["value"], abs=1e-6)
    assert fit.beta == pytest.approx(known["mu"], abs=1e-6)
    assert fit.se == pytest.approx(known["se"], abs=1e-6)
    assert fit.covariance[0, 1] == pytest.approx(known["covariance"], abs=1e-6)
    assert fit.sd == pytest.approx(known["sd"], abs=1e-6)
    assert fit.correlation == pytest.approx(known["rho"], abs=1e-6)


@every_review
def test_one_node_is_laplace_of_other_programs(name):
    assert fit_of(name, 1).value == pytest.approx(WORKED[name]["laplace"], abs=1e-6)


@every_review
def test_the_restricted_fit_has_the_worked_numbers(name):
    restricted = fit_restricted(fit_of(name))
    assert restricted.beta == pytest.approx(WORKED[name]["restricted_mu"], abs=1e-6)
    assert restricted.sd == pytest.approx(WORKED[name]["restricted_sd"], abs=1e-6)


@every_review
def test_profile_limits_are_the_worked_ones(name):
    found = expit(profile_limits(fit_of(name), 0, Z))
    assert found == pytest.approx(WORKED[name]["tpr_profile"], abs=1e-6)


def test_limits_of_spread_are_the_worked_ones():
    fit = fit_of("audit-c")
    assert sd_limits(fit, Z, restricted=False) == pytest.approx((1.0581742, 2.6748318), abs=1e-6)
    other = fit_model(swapped(fit.counts), fit.free)
    assert sd_limits(other, Z, restricted=False) == pytest.approx((0.4316727, 0.9609991), abs=1e-6)
    assert 2 * (fit.value - no_heterogeneity(fit)) == pytest.approx(2450.957978, abs=1e-6)


@every_review
def test_21_nodes_are_enough(name):
    fit, finer = fit_of(name), fit_of(name, 41)
    assert fit.value == pytest.approx(finer.value, abs=1e-6)
    assert fit.beta == pytest.approx(finer.beta, abs=1e-6)
    assert fit.se == pytest.approx(finer.se, abs=1e-6)


# --- The definition -------------------------------------------------------------------------------


def likelihood_by_grid(counts, beta, spread):
    """The log-likelihood by a trapezoid rule over both logits."""
    a, d, c = spread
    z = np.linspace(-9, 9, 1201)
    z1, z2 = np.meshgrid(z, z, indexing="ij")
    weight = norm.pdf(z1) * norm.pdf(z2) * (z[1] - z[0]) ** 2
    p1, p2 = expit(beta[0] + a * z1), expit(beta[1] + d * z1 + c * z2)
    return sum(
        np.log((weight * binom.pmf(y[0], n[0], p1) * binom.pmf(y[1], n[1], p2)).sum())
        for y, n in zip(counts.y, counts.n, strict=True)
    )


def test_the_likelihood_is_the_integral(rng):
    review = read_review(tables(drawn(rng, 4, (0.9, 0.95), 1.0, (3, 40))))
    beta, spread = np.array([1.7, 2.4]), np.array([0.8, -0.5, 0.9])
    found = likelihood(review.counts, beta, spread).value
    assert found == pytest.approx(likelihood_by_grid(review.counts, beta, spread), abs=1e-7)


def test_the_mode_is_found_where_newton_overshoots():
    # 137 of 138 correct, and logits with a standard deviation of 4: full steps oscillate.
    review = read_review(tables(REVIEWS["telomerase"]))
    beta, spread = np.array([1.2, 2.4]), np.array([0.4, -4.0, 0.05])
    found = likelihood(review.counts, beta, spread).value
    assert found == pytest.approx(likelihood_by_grid(review.counts, beta, spread), abs=1e-4)


def test_gradient_and_information_are_the_numerical_ones(rng):
    review = read_review(tables(drawn(rng, 9)))
    at = np.array([1.3, 2.1, 0.6, -0.3, 0.8])

    def value(x):
        return likelihood(review.counts, x[:2], x[2:], 41).value

    found = likelihood(review.counts, at[:2], at[2:], 41)
    steps = np.eye(5) * 1e-4
    slopes = [(value(at + s) - value(at - s)) / 2e-4 for s in steps]
    assert found.gradient == pytest.approx(slopes, abs=1e-6)
    bends = [
        [
            (value(at + s + t) - value(at + s - t) - value(at - s + t) + value(at - s - t)) / 4e-8
            for t in steps
        ]
        for s in steps
    ]
    assert found.information == pytest.approx(-np.array(bends), rel=1e-4, abs=1e-4)


def test_no_spread_is_the_pooled_counts():
    data = REVIEWS["mri"]
    tp, fn, fp, tn = tables(data)
    y, n = np.array([tp, tn]), np.array([tp + fn, fp + tn])
    rates = y.sum(axis=1) / n.sum(axis=1)
    pooled = binom.logpmf(y, n, rates[:, None]).sum()
    assert no_heterogeneity(fit_of("mri")) == pytest.approx(pooled, abs=1e-8)


def test_a_margin_without_people_leaves_the_fit_of_the_other():
    data = REVIEWS["lag"].assign(fp=0, tn=0)
    review = read_review(tables(data))
    fit = fit_model(review.counts, review.free)
    assert review.model == "exact-univariate"
    # Without correlation the likelihood of both margins is a product.
    both = read_review(tables(REVIEWS["lag"]), correlated=False)
    apart = fit_model(both.counts, both.free)
    assert fit.beta[0] == pytest.approx(apart.beta[0], abs=1e-8)
    assert fit.sd[0] == pytest.approx(apart.sd[0], abs=1e-8)
    assert fit.se[0] == pytest.approx(apart.se[0], abs=1e-7)


# --- Symmetries -----------------------------------------------------------------------------------


@every_review
def test_exchanged_margins_have_the_exchanged_fit(name):
    data = REVIEWS[name]
    other = data.rename(columns={"tp": "tn", "tn": "tp", "fp": "fn", "fn": "fp"})
    fit = fit_of(name)
    review = read_review(tables(other))
    turned = fit_model(review.counts, review.free)
    assert turned.value == pytest.approx(fit.value, abs=1e-8)
    assert turned.beta[::-1] == pytest.approx(fit.beta, abs=1e-6)
    assert turned.se[::-1] == pytest.approx(fit.se, abs=1e-6)
    assert turned.sd[::-1] == pytest.approx(fit.sd, abs=1e-6)
    assert turned.correlation == pytest.approx(fit.correlation, abs=1e-6)


def test_the_order_of_studies_changes_no_digit(rng):
    found = tables(REVIEWS["lag"])
    review = read_review(found[:, rng.permutation(found.shape[1])])
    fit, shuffled = fit_of("lag"), fit_model(review.counts, review.free)
    assert shuffled.value == fit.value
    assert shuffled.beta.tolist() == fit.beta.tolist()


# --- Boundaries -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 12])
@pytest.mark.parametrize("rates", [(0.7, 0.8), (0.95, 0.9), (0.99, 0.99)])
def test_a_fit_is_a_maximum_and_has_limits(k, rates, rng):
    for sizes in ((3, 8), (20, 300)):
        data = drawn(rng, k, rates, rng.choice([0.0, 0.3, 1.0]), sizes)
        review = read_review(tables(data))
        if len(review.fitted) < 2:
            continue
        fit = fit_model(review.counts, review.free)
        assert (fit.se > 0).all()
        assert np.isfinite(fit.se).all()
        gradient = likelihood(review.counts, fit.beta, fit.spread).gradient
        assert np.abs(gradient[list(review.free)]).max() < 1e-3
        here = np.concatenate([fit.beta, fit.spread])
        for _ in range(20):
            step = np.zeros(5)
            step[list(review.free)] = 0.2 * rng.normal(size=len(review.free))
            there = here + step
            assert likelihood(review.counts, there[:2], there[2:]).value <= fit.value + 1e-8


def test_equal_studies_have_no_spread():
    review = read_review(np.array([[16.0, 4, 3, 27]] * 8).T)
    fit = fit_model(review.counts, review.free)
    assert max(fit.sd) < 1e-3
    assert expit(fit.beta) == pytest.approx([0.8, 0.9], abs=1e-6)
    # The standard errors are those of the pooled counts.
    assert fit.se == pytest.approx([(8 * 20 * 0.16) ** -0.5, (8 * 30 * 0.09) ** -0.5], rel=1e-4)


def test_a_fit_of_33_studies_is_cheap(rng):
    data = tables(drawn(rng, 33, (0.85, 0.8)))
    numbers = rng.normal(size=10**6)

    def least(call, times):
        spent = []
        for _ in range(times):
            start = time.perf_counter()
            call()
            spent.append(time.perf_counter() - start)
        return min(spent)

    def fit():
        review = read_review(data)
        fit_model(review.counts, review.free)

    fit()
    assert least(fit, 3) <= 15 * least(lambda: np.sort(numbers), 3)


def test_a_study_has_one_fit_for_all_its_questions(monkeypatch):
    review = rs.MetaStudy("tp", "fp", "fn", "tn", data=REVIEWS["mri"])
    review.summary()
    monkeypatch.setattr("rocstats.inference.meta.reviews.fit_model", None)
    review.summary(prevalence=0.2)
