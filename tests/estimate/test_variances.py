from __future__ import annotations

from itertools import combinations_with_replacement as multisets
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from rocstats.estimate import area_variances as area_variance
from rocstats.estimate.area_variances import hanley_mcneil_exponential_variance, hanley_mcneil_q1_q2
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


def counts_of(y, score):
    return count_scores_of(LabelledScores(np.asarray(score, float), np.asarray(y) == 1, None, True))


# docs/methods/areas.md, "Worked variances" for D1
def test_printed_numbers_of_d1():
    counts = counts_of(examples.Y, examples.D1)
    assert np.sqrt(hanley_mcneil_exponential_variance(0.8625, 8, 10)) == pytest.approx(
        0.0944203095, abs=5e-11
    )
    assert np.sqrt(area_variance.hanley_mcneil_variance_from_counts(counts)) == pytest.approx(
        0.0855474101, abs=5e-11
    )
    assert area_variance.unbiased_area_variance(counts) == pytest.approx(
        0.00650545634921, abs=5e-15
    )
    assert area_variance.ideal_bootstrap_area_variance(counts) == pytest.approx(
        0.007046875, abs=1e-15
    )


def test_hanley_mcneil_terms_of_the_ct_ratings():
    q1, q2 = hanley_mcneil_q1_q2(0.8931710615280596)
    assert q1 == pytest.approx(0.8069639585, abs=5e-11)
    assert q2 == pytest.approx(0.8427706945, abs=5e-11)


@given(samples(most=7))
def test_closed_forms_equal_brute_force(data):
    y, (score,) = data
    counts = counts_of(y, score)
    assert area_variance.ideal_bootstrap_area_variance(counts) == pytest.approx(
        oracles.bootstrap_variance(y, score), abs=1e-12
    )
    assert area_variance.unbiased_area_variance(counts) == pytest.approx(
        oracles.unbiased_variance(y, score), abs=1e-12
    )


def both_outrank(k):
    """P(two members of the rows both outrank a column), ties at random: 1, 1/2 or 1/3."""
    value = {(1.0, 1.0): 1.0, (1.0, 0.5): 1 / 2, (0.5, 1.0): 1 / 2, (0.5, 0.5): 1 / 3}
    return np.mean([[[value.get((a, b), 0.0) for a in column] for b in column] for column in k.T])


@given(samples(most=7))
def test_data_form_counts_pairs_with_ties_split_at_random(data):
    y, (score,) = data
    k = oracles.kernel(y, score)
    (m, n), theta = k.shape, k.mean()
    q1, q2 = both_outrank(k), both_outrank(k.T)
    spread = theta * (1 - theta) + (m - 1) * (q1 - theta**2) + (n - 1) * (q2 - theta**2)
    assert area_variance.hanley_mcneil_variance_from_counts(counts_of(y, score)) == pytest.approx(
        max(spread, 0) / (m * n), abs=1e-14
    )


def test_unbiased_variance_needs_two_of_each_class():
    assert np.isnan(area_variance.unbiased_area_variance(counts_of([1, 0, 0], [2, 1, 0])))


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3), (2, 5), (4, 3)])
def test_unbiased_variance_of_an_area_is_never_negative(m, n):
    # All orderings with ties of m + n cases, but for the order of the cases of a class, which the
    # counts forget. (A difference of areas has no such guarantee.)
    for pos, neg in product(multisets(range(4), m), multisets(range(4), n)):
        counts = counts_of([1] * m + [0] * n, (*pos, *neg))
        assert area_variance.unbiased_area_variance(counts) >= -1e-15
