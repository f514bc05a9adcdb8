from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import kendalltau, multivariate_normal

from rocstats.stats.comparison.hanley_mcneil import areas_correlation, pearson, tau_b
from tests import examples

POS, NEG = examples.Y == 1, examples.Y == 0


# docs/methods/comparison.md, "Worked correlations": r(rbar, A), m = n
@pytest.mark.parametrize(
    ("rbar", "printed"),
    [
        (0.3, (0.278, 0.263, 0.232, 0.200)),
        (0.5, (0.471, 0.454, 0.417, 0.376)),
        (0.7, (0.674, 0.659, 0.627, 0.591)),
        (0.9, (0.888, 0.881, 0.867, 0.851)),
    ],
)
def test_printed_correlations_of_areas(rbar, printed):
    for area, r in zip((0.7, 0.8, 0.9, 0.95), printed, strict=True):
        for by_class in (False, True):
            found = areas_correlation(area, (rbar, rbar), 10, 10, by_class=by_class)
            assert found == pytest.approx(r, abs=5.1e-4)


# docs/methods/comparison.md, "Worked correlations", D1 and D2
def test_printed_correlations_of_scores():
    for rows, r, tau in ((POS, 0.6808652, 0.6671244), (NEG, 0.8789571, 0.7640932)):
        a, b = examples.D1[rows], examples.D2[rows]
        assert pearson(np.array([a, b]))[0, 1] == pytest.approx(r, abs=5e-8)
        assert tau_b(
            np.unique(a, return_inverse=True)[1], np.unique(b, return_inverse=True)[1]
        ) == (pytest.approx(tau, abs=5e-8))


# docs/methods/comparison.md, "Worked correlations", D1 and D2: mean area .84375
@pytest.mark.parametrize(
    ("within", "by_class", "printed"),
    [
        ((0.6808652, 0.8789571), False, 0.7369917),
        ((0.6808652, 0.8789571), True, 0.7272994),
        ((0.6671244, 0.7640932), False, 0.6655343),
        ((0.6671244, 0.7640932), True, 0.6602596),
    ],
)
def test_printed_correlation_of_the_areas_of_d1_and_d2(within, by_class, printed):
    found = areas_correlation(0.84375, within, 8, 10, by_class=by_class)
    assert found == pytest.approx(printed, abs=2e-7)


def test_the_formula_is_one_of_bivariate_normal_probabilities():
    def excess(q, r):
        return multivariate_normal(cov=[[1, r], [r, 1]]).cdf([q, q]) - 0.8**2

    q = ndtri(0.8)
    expected = (excess(q, -0.2) / 7 + excess(q, 0.35) / 30) / (excess(q, 0.5) * (1 / 7 + 1 / 30))
    found = areas_correlation(0.8, (-0.4, 0.7), 7, 30, by_class=True)
    assert found == pytest.approx(expected, abs=1e-6)


def test_weights_are_rows_repeated(rng):
    a, b = rng.integers(0, 5, (2, 30))
    times = rng.integers(0, 4, 30)
    long_a, long_b = np.repeat(a, times), np.repeat(b, times)
    weight = times.astype(float)
    assert tau_b(a, b, weight) == pytest.approx(kendalltau(long_a, long_b).statistic, abs=1e-12)
    found = pearson(np.array([a, b], dtype=float), weight)
    assert found == pytest.approx(np.corrcoef(long_a, long_b), abs=1e-12)


def test_what_does_not_vary_has_no_correlation():
    constant, rising = np.zeros(5, dtype=int), np.arange(5)
    assert np.isnan(tau_b(constant, rising))
    assert np.isnan(tau_b(constant, rising, np.ones(5)))
    found = pearson(np.array([constant, rising], dtype=float))
    assert np.isnan(found[0, 1])
    assert found[1, 1] == pytest.approx(1)


def test_huge_scores_do_not_overflow():
    found = pearson(np.array([[1e308, -1e308, 5e307], [3.0, 1.0, 2.0]]))
    expected = np.corrcoef([1.0, -1.0, 0.5], [3.0, 1.0, 2.0])
    assert found == pytest.approx(expected, abs=1e-12)
