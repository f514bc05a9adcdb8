from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ks_2samp, rankdata

import rocstats as rs
from rocstats.estimate import resample as streams
from rocstats.estimate.permute import (
    SignedTerms,
    exact_sign_p_value,
    exchange_terms_from_values,
    midranks,
    sums_with_random_signs,
    venkatraman_begg_distance,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import ResamplePlan
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


@given(samples(predictors=2, most=4))
def test_the_difference_of_areas_is_linear_in_the_signs(data):
    y, (a, b) = data
    terms = exchange_terms_from_values(y == 1, a, b)
    for signs in product((1, -1), repeat=len(y)):
        s = np.array(signs)
        first, second = np.where(s > 0, a, b), np.where(s > 0, b, a)
        expected = oracles.auc(y, first) - oracles.auc(y, second)
        assert terms @ s == pytest.approx(expected, abs=1e-14)


def test_midranks_are_those_of_scipy(three, rng):
    assert midranks(three.cases, 0) == pytest.approx(rankdata(examples.D1))
    study = rs.Study(examples.Y, examples.D1, higher_is_positive=False)
    assert midranks(study.cases, 0) == pytest.approx(rankdata(-examples.D1))


# docs/methods/comparison.md, "Worked exchanges", on ranks
def test_printed_permutation_of_d1_and_d2(three):
    terms = exchange_terms_from_values(
        three.is_positive, midranks(three.cases, 0), midranks(three.cases, 1)
    )
    assert terms.sum() == pytest.approx(0.0375, abs=1e-15)
    assert terms @ terms == pytest.approx(0.00666015625, abs=1e-15)
    assert terms.sum() / np.sqrt(terms @ terms) == pytest.approx(0.4595037486, abs=5e-11)
    assert exact_sign_p_value(terms) == pytest.approx(0.6904296875, abs=1e-12)


def test_random_signs_have_the_closed_variance(three):
    terms = exchange_terms_from_values(three.is_positive, examples.D1, examples.D2)
    draws = sums_with_random_signs(SignedTerms(terms), ResamplePlan(100_000, 1))
    assert draws.mean() == pytest.approx(0, abs=4 * np.sqrt(terms @ terms / 100_000))
    assert draws.var() == pytest.approx(terms @ terms, rel=0.02)
    signs = 1 - 2 * (np.arange(2**18)[:, np.newaxis] >> np.arange(18) & 1)  # every row of 1 and -1
    every = signs @ terms
    # the values are multiples of 1/(2mn): rounding must not tell equal ones apart
    assert ks_2samp(np.round(draws, 9), np.round(every, 9)).pvalue > 0.001


def venkatraman(y, first, second):
    """sum over cuts k of |e_k(R) - e_k(S)|, e_k = positives <= k + negatives > k; ranks 1..N."""
    k = np.arange(1, len(y))[:, np.newaxis]
    errors = [((y & (r <= k)) | (~y & (r > k))).sum(axis=1) for r in (first, second)]
    return np.abs(errors[0] - errors[1]).sum()


def test_curve_distance_is_its_definition(rng):
    for _ in range(20):
        y = rng.permutation(np.repeat([True, False], [6, 9]))
        first, second = rng.permutation(15), rng.permutation(15)
        assert venkatraman_begg_distance(y, first, second) == venkatraman(y, first + 1, second + 1)


def test_exchanged_curves_follow_brute_force(rng):
    y = rng.permutation(np.repeat([True, False], [10, 14]))
    first, second = rng.permutation(24), rng.permutation(24)
    found = venkatraman_begg_draws(y, first, second, ResamplePlan(3000, 1))
    brute = []
    for _ in range(3000):
        swap = rng.integers(0, 2, 24).astype(bool)
        a, b = np.where(swap, second, first), np.where(swap, first, second)
        # No two values are equal: their ranks are their places in order.
        ranks = [np.argsort(np.argsort(v + rng.uniform(0, 0.5, 24))) + 1 for v in (a, b)]
        brute.append(venkatraman(y, *ranks))
    assert ks_2samp(found, brute).pvalue > 0.001


@pytest.mark.parametrize("size", [1, 100, 2**20])
def test_chunks_change_no_draw(three, rng, monkeypatch, size):
    terms = exchange_terms_from_values(three.is_positive, examples.D1, examples.D2)
    y = rng.permutation(np.repeat([True, False], [10, 14]))
    orders = rng.permutation(24), rng.permutation(24)
    expected = (
        sums_with_random_signs(SignedTerms(terms), ResamplePlan(300, 1)),
        venkatraman_begg_draws(y, *orders, ResamplePlan(300, 1)),
    )
    monkeypatch.setattr(streams, "DRAWS_PER_CHUNK", size)
    assert np.array_equal(
        sums_with_random_signs(SignedTerms(terms), ResamplePlan(300, 1)), expected[0]
    )
    assert np.array_equal(venkatraman_begg_draws(y, *orders, ResamplePlan(300, 1)), expected[1])


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
def test_one_cluster_has_two_exchanges():
    # Both exchanges of the only cluster are as extreme as the observed values.
    assert exact_sign_p_value(np.array([0.3])) == 1.0
    assert exact_sign_p_value(np.array([0.3]), "greater") == 0.5
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, cluster=np.zeros(18))
    assert study.compare_auc(method="permutation")["p_value"][0] == 1.0
