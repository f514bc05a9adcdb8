from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.binormal import (
    BinormalFit,
    binormal_influence_of_categories,
    binormal_influence_of_normal_scores,
    fit_binormal_to_normal_scores,
    fit_binormal_to_ratings,
)
from rocstats.inference.binormal import BinormalFitPlan, fit_sample
from tests import examples

TABLE = np.array([3.0, 2, 4, 11, 33]), np.array([33.0, 6, 6, 11, 2])
PLANS = {name: BinormalFitPlan(name) for name in ("maximum-likelihood", "normal-theory")}


def test_influence_is_the_derivative_in_the_number_of_cases():
    fit = fit_binormal_to_ratings(*TABLE)
    influence = binormal_influence_of_categories(*TABLE, fit)
    h = 1e-4
    for row, place in ((0, 1), (1, 0)):  # negatives stand second in the table
        for j in range(5):
            shifted = []
            for sign in (1, -1):
                table = [n.copy() for n in TABLE]
                table[place][j] += sign * h
                shifted.append(fit_binormal_to_ratings(*table))
            derivative = [(shifted[0].a - shifted[1].a), (shifted[0].b - shifted[1].b)]
            assert influence[row, j] == pytest.approx(np.array(derivative) / (2 * h), abs=1e-6)


def moments_shape(score, n_pos, n_neg):
    """(a, b) of raw scores by means and variances with ddof 0."""
    means = [n @ score / n.sum() for n in (n_pos, n_neg)]
    sds = [
        np.sqrt(n @ (score - mean) ** 2 / n.sum())
        for n, mean in zip((n_pos, n_neg), means, strict=True)
    ]
    return np.array([(means[0] - means[1]) / sds[0], sds[1] / sds[0]])


def test_influence_of_raw_scores_is_the_derivative():
    counts = rs.Study(examples.Y, examples.D1).cases.counts(0)
    a, b = moments_shape(counts.score, counts.n_pos, counts.n_neg)
    influence = binormal_influence_of_normal_scores(counts.score, counts, BinormalFit(a, b, 8, 10))
    for j in range(len(counts.score)):
        step = 1e-6 * (np.arange(len(counts.score)) == j)
        for row, (pos, neg) in enumerate(((0, step), (step, 0))):
            up = moments_shape(counts.score, counts.n_pos + pos, counts.n_neg + neg)
            down = moments_shape(counts.score, counts.n_pos - pos, counts.n_neg - neg)
            assert influence[row, j] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-8)


def test_influences_of_all_cases_sum_to_zero():
    influence = binormal_influence_of_categories(*TABLE, fit_binormal_to_ratings(*TABLE))
    assert TABLE[1] @ influence[0] + TABLE[0] @ influence[1] == pytest.approx(0, abs=1e-12)
    counts = rs.Study(examples.Y, examples.D1).cases.counts(0)
    fit = fit_binormal_to_normal_scores(counts.score, counts.n_pos, counts.n_neg)
    influence = binormal_influence_of_normal_scores(counts.score, counts, fit)
    total = counts.n_neg @ influence[0] + counts.n_pos @ influence[1]
    assert total == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", PLANS)
def test_clusters_of_one_change_nothing(name, rng):
    y = np.repeat([1, 0], [30, 40])
    score = rng.normal(size=70).round(1) + y
    plain = fit_sample(rs.Study(y, score), 0, PLANS[name])
    alone = fit_sample(rs.Study(y, score, cluster=np.arange(70)), 0, PLANS[name])
    np.testing.assert_allclose(alone.covariance, plain.covariance, rtol=1e-12)


def test_clusters_add_the_products_of_their_pairs(rng):
    y = np.repeat([1, 0], [30, 40])
    score, cluster = rng.integers(0, 6, 70) + y, rng.integers(0, 25, 70)
    study = rs.Study(y, score, cluster=cluster)
    found = fit_sample(study, 0, PLANS["maximum-likelihood"])
    n_pos, n_neg = (np.bincount(score[y == k], minlength=7).astype(float) for k in (1, 0))
    plain = fit_binormal_to_ratings(n_pos, n_neg)
    influence = binormal_influence_of_categories(n_pos, n_neg, plain)
    expected = plain.covariance.copy()
    for i, j in combinations(range(70), 2):
        if cluster[i] == cluster[j]:
            product = np.outer(influence[y[i], score[i]], influence[y[j], score[j]])
            expected += product + product.T
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-9)


@pytest.mark.parametrize("name", PLANS)
def test_frequencies_in_clusters_are_rows(name, rng):
    y = np.repeat([1, 0], [30, 40])
    score, cluster = rng.normal(size=70).round(1) + y, np.arange(70) // 3
    frequency = rng.integers(0, 4, 70)
    rows = np.repeat(np.arange(70), frequency)
    tabled = rs.Study(y, score, cluster=cluster, frequency=frequency)
    repeated = rs.Study(y[rows], score[rows], cluster=cluster[rows])
    first, second = (fit_sample(study, 0, PLANS[name]) for study in (tabled, repeated))
    np.testing.assert_allclose(first.covariance, second.covariance, rtol=1e-9)


def test_standard_errors_of_clustered_cases_are_the_spread_of_estimates(rng):
    y = np.tile([1, 0], 80)
    cluster = 2 * (np.arange(160) // 8) + y  # 20 clusters of 4 positives, 20 of 4 negatives
    estimates, errors, ignored = [], [], []
    for _ in range(150):
        shared = rng.normal(size=40)[cluster]
        score = 0.8 * shared + 0.6 * rng.normal(size=160) + 1.2 * y
        fit = fit_sample(rs.Study(y, score, cluster=cluster), 0, PLANS["maximum-likelihood"])
        estimates.append(fit.a)
        errors.append(fit.covariance[0, 0])
        plain = fit_sample(rs.Study(y, score), 0, PLANS["maximum-likelihood"])
        ignored.append(plain.covariance[0, 0])
    spread = np.std(estimates)
    assert np.sqrt(np.nanmean(errors)) == pytest.approx(spread, rel=0.25)
    assert np.sqrt(np.mean(ignored)) < 0.7 * spread
