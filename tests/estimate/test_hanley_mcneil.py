from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import kendalltau, multivariate_normal, norm

import rocstats as rs
from rocstats.estimate.area_variances import hanley_mcneil_exponential_variance
from rocstats.estimate.hanley_mcneil import (
    hanley_mcneil_areas_correlation,
    pearson,
    tau_b,
    unequal_spread,
)
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
            found = hanley_mcneil_areas_correlation(area, (rbar, rbar), 10, 10, by_class=by_class)
            assert found == pytest.approx(r, abs=5.1e-4)


# docs/methods/comparison.md, "Worked correlations", D1 and D2
def test_printed_correlations_of_scores():
    for rows, r, tau in ((POS, 0.6808652, 0.6671244), (NEG, 0.8789571, 0.7640932)):
        scores = examples.D1[rows], examples.D2[rows]
        assert pearson(np.array(scores))[0, 1] == pytest.approx(r, abs=5e-8)
        codes = (np.unique(score, return_inverse=True)[1] for score in scores)
        assert tau_b(*codes) == pytest.approx(tau, abs=5e-8)


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
    found = hanley_mcneil_areas_correlation(0.84375, within, 8, 10, by_class=by_class)
    assert found == pytest.approx(printed, abs=2e-7)


def test_the_formula_is_one_of_bivariate_normal_probabilities():
    def excess(q, r):
        return multivariate_normal(cov=[[1, r], [r, 1]]).cdf([q, q]) - 0.8**2

    q = ndtri(0.8)
    expected = (excess(q, -0.2) / 7 + excess(q, 0.35) / 30) / (excess(q, 0.5) * (1 / 7 + 1 / 30))
    found = hanley_mcneil_areas_correlation(0.8, (-0.4, 0.7), 7, 30, by_class=True)
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


def large_sample_size(area, sd, m, n):
    """Size of the 5% test of a binormal area with exponential standard errors."""
    q = ndtri(area)

    def both(r):
        return multivariate_normal.cdf([q, q], cov=[[1, r], [r, 1]])

    # two pairs that share a positive correlate by its share of the variance of a difference
    of_pos, of_neg = both(sd**2 / (1 + sd**2)), both(1 / (1 + sd**2))
    pairs = area * (1 - area) + (m - 1) * (of_neg - area**2) + (n - 1) * (of_pos - area**2)
    return 2 * norm.sf(
        1.959964 * np.sqrt(hanley_mcneil_exponential_variance(area, m, n) / (pairs / (m * n)))
    )


# docs/methods/comparison.md, "Hanley and McNeil's test": the rule of the note unequal-spread
def test_the_rule_of_unequal_spread_keeps_the_size():
    def sizes(ratio):
        return [
            large_sample_size(area, sd, *n)
            for area in (0.7, 0.8, 0.9, 0.95)
            for sd in (1, ratio, 1 / ratio)
            for n in ((60, 60), (60, 60 * ratio), (60 * ratio, 60))
        ]

    inside, outside = sizes(1.5), sizes(4)
    assert (min(inside), max(inside)) == pytest.approx((0.015, 0.075), abs=5e-4)
    assert min(outside) < 0.002
    assert max(outside) > 0.2


def test_unequal_spread_is_of_sizes_or_standard_deviations(rng):
    pos, neg = rng.normal(size=(2, 40))
    y = np.repeat([1, 0], 40)

    def found(score, rows=slice(None), **roles):
        return unequal_spread(rs.Study(y[rows], score[rows], **roles).cases, 0)

    def with_ratio(ratio):
        return np.concatenate([pos / pos.std() * ratio, neg / neg.std()])

    assert not found(with_ratio(1.49))
    assert found(with_ratio(1.51))
    assert found(with_ratio(1 / 1.51) * 1e300)
    assert found(with_ratio(1), rows=slice(0, 66))  # 40 and 26
    assert not found(with_ratio(1), rows=slice(0, 67))
    infinite = with_ratio(4)
    infinite[0] = np.inf
    assert not found(infinite)
    table = np.array([0.0, 1, 2, 0, 1, 2]), [1, 1, 1, 1, 4, 1]
    once = rs.Study([1, 1, 1, 0, 0, 0], table[0], frequency=table[1])
    assert unequal_spread(once.cases, 0)  # 3 and 6 cases
    even = rs.Study([1, 1, 1, 0, 0, 0], table[0], frequency=[4, 1, 4, 1, 7, 1])
    # variances 8/9 and 2/9 of nine cases each
    assert unequal_spread(even.cases, 0)


def test_unequal_spread_is_a_note_of_the_rows_it_concerns(rng):
    y = np.repeat([1, 0], 30)
    base = rng.normal(size=(3, 60)) + y
    wide = np.where(y == 1, 4 * base[2], base[2])
    study = rs.Study(y, {"a": base[0], "b": base[1], "wide": wide})
    with pytest.warns(rs.StatisticalWarning, match="unequal-spread"):
        notes = study.compare_auc(method="hanley-mcneil")["note"]
    assert notes.str.contains("unequal-spread").tolist() == [False, True, True]
    assert not study.compare_auc()["note"].str.contains("unequal-spread").any()
