from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm, studentized_range

from rocstats.estimate.simultaneous import largest_normal


def pairs_of(k):
    return np.array([np.eye(k)[i] - np.eye(k)[j] for i in range(k) for j in range(i + 1, k)])


@pytest.mark.parametrize(("k", "turn"), [(3, 0), (3, 1), (5, 0), (5, 1), (10, 0), (10, 1), (20, 1)])
def test_all_pairs_of_independent_areas_are_the_studentized_range(k, turn):
    rng = np.random.default_rng(turn)
    w = pairs_of(k)
    if turn:  # other order, other signs, other scales: the same distribution
        w = rng.permutation(w) * rng.choice([-1.0, 1.0], (len(w), 1)) * rng.uniform(1, 3)
    law = largest_normal(w @ w.T, two_sided=True)
    exact = studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    assert law.rank == k - 1
    assert law.quantile(0.95) == pytest.approx(exact, abs=1e-4)
    for z in (1, 2, 3, 4, 5):
        found, tail = law.exceeds(z), studentized_range.sf(z * np.sqrt(2), k, np.inf)
        if z <= 3:
            assert found == pytest.approx(tail, rel=3e-3, abs=0.0)
        if z >= 3:
            assert found == pytest.approx(tail, abs=1e-4)


@pytest.mark.parametrize("k", [3, 6])
def test_the_law_does_not_hang_on_the_rounding_of_the_covariance(k, rng):
    w = pairs_of(k)
    exact = w @ w.T
    noise = rng.uniform(-1e-15, 1e-15, exact.shape)
    first, second = (largest_normal(c, two_sided=True) for c in (exact, exact + noise + noise.T))
    for z in (1.0, 2.0, 3.0, 5.0):
        assert second.exceeds(z) == pytest.approx(first.exceeds(z), rel=1e-11)


def test_the_tail_falls_and_lies_between_its_bounds_however_far_out():
    w = pairs_of(4)
    law = largest_normal(w @ w.T, two_sided=True)
    z = np.linspace(0, 30, 301)
    tails = np.array([law.exceeds(c) for c in z])
    one = 2 * norm.sf(z)
    assert tails[0] == pytest.approx(1, abs=1e-4)
    assert (np.diff(tails) < 0).all()
    assert (tails[5:] > one[5:]).all()
    assert (tails < 6 * one * (1 + 1e-12)).all()


@pytest.mark.parametrize("k", [2, 5, 10])
def test_independent_variables_multiply(k):
    two, one = (largest_normal(np.eye(k), two_sided=sides) for sides in (True, False))
    for z in (-1.0, 0.0, 0.5, 1.0, 2.0, 3.0):
        assert one.exceeds(z) == pytest.approx(1 - norm.cdf(z) ** k, abs=1e-4)
        if z > 0:
            tail = 1 - (1 - 2 * norm.sf(z)) ** k
            assert two.exceeds(z) == pytest.approx(tail, abs=1e-4)


@pytest.mark.parametrize("rho", [0.0, 0.5, -0.9, 0.999, 1 - 1e-6, 1 - 1e-8])
def test_two_variables_are_integrated_exactly(rho):
    covariance = np.array([[1.0, rho], [rho, 1.0]])
    law = largest_normal(covariance, two_sided=False)
    for z in (0.5, 2.0):
        # P(both below z) by the integral over one of the probability of the other.
        # Its step is at z / rho, of width sqrt(1 - rho^2) / |rho|.
        step = [z / rho, z / rho - 8 * np.sqrt(1 - rho**2)] if rho else [0.0]
        inside = quad(
            lambda x, z=z: norm.pdf(x) * norm.cdf((z - rho * x) / np.sqrt(1 - rho**2)),
            *(-9, z),
            points=[point for point in step if point < z] or None,
            epsabs=1e-12,
            limit=500,
        )[0]
        assert law.exceeds(z) == pytest.approx(1 - inside, abs=1e-6)


def test_one_variable_has_its_exact_tail_however_small():
    two, one = (largest_normal(np.array([[4.0]]), two_sided=sides) for sides in (True, False))
    for z in (0.3, 1.96, 8.0, 20.0):
        assert two.exceeds(z) == pytest.approx(2 * norm.sf(z), rel=1e-12)
        assert one.exceeds(z) == pytest.approx(norm.sf(z), rel=1e-12)
    assert one.exceeds(-1.0) == pytest.approx(norm.sf(-1.0), rel=1e-12)
    assert (two.exceeds(np.inf), one.exceeds(-np.inf)) == (0.0, 1.0)
    assert two.quantile(0.95) == pytest.approx(norm.isf(0.025), abs=1e-10)


def test_correlated_variables_follow_the_multivariate_normal():
    covariance = np.array([[2.0, 0.8, -0.3], [0.8, 1.0, 0.1], [-0.3, 0.1, 0.5]])
    sd = np.sqrt(np.diag(covariance))
    one = largest_normal(covariance, two_sided=False)
    for z in (0.5, 1.0, 2.0):
        inside = multivariate_normal(cov=covariance, seed=1).cdf(z * sd)
        assert one.exceeds(z) == pytest.approx(1 - inside, abs=1e-4)


def test_a_variable_given_twice_or_turned_round_adds_nothing():
    w = np.array([[1.0, 0.0], [0.6, 0.8]])
    more = np.vstack([w, w[:1], -w[1:]])
    first, second = (largest_normal(v @ v.T, two_sided=True) for v in (w, more))
    assert second.rank == 2
    assert second.quantile(0.95) == pytest.approx(first.quantile(0.95), abs=1e-8)


def test_a_variable_without_variance_counts_as_independent():
    still = largest_normal(np.diag([1.0, 0.0, 3.0]), two_sided=True)
    assert still.quantile(0.9) == pytest.approx(norm.isf((1 - 0.9 ** (1 / 3)) / 2), abs=1e-4)
