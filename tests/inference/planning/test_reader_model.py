"""The model of Roe and Metz: published variances, integration, counting."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import ndtr

from rocstats.inference.planning.reader_model import (
    average_patterns,
    pair_counts,
    pair_covariances,
)
from rocstats.inference.planning.reader_plan import expected_reader_components, model_reader_test
from rocstats.inference.planning.simulated_studies import ReadingPlan, RoeMetz, roe_metz_of_areas
from validation.roe_metz.simulate import variance_of_difference

# Every variance another: reader, case, reader by case.
UNEQUAL = RoeMetz(
    np.array([1.1, 1.7]),
    np.array([0.03, 0.2, 0.1]),
    np.array([0.05, 0.1, 0.3]),
    np.array([[0.02, 0.3, 0.4], [0.06, 0.1, 0.2]]),
    np.array([[0.01, 0.2, 0.2], [0.04, 0.5, 0.1]]),
)

PLANS = [
    ReadingPlan(3, 3, 4),
    ReadingPlan(3, 5, 4, 2),
    ReadingPlan(5, 3, 4, 1, "readers"),
    ReadingPlan(4, 5, 6, 2, "readers"),
    ReadingPlan(2, 4, 5, 1, "cases"),
    ReadingPlan(3, 4, 6, 2, "cases"),
]


# The example of Gallas and Hillis' model in docs/methods/planning.md, "A reader study".
def test_published_variances():
    neg, pos = np.array([0.0055, 0.1, 0.2]), np.array([0.0055, 0.1, 0.6])
    own = np.array([pos, pos]), np.array([neg, neg])
    model = RoeMetz(np.array([0.75, 0.75]), pos, neg, *own)
    plan = ReadingPlan(6, 48, 48, n_groups=3)
    assert model.areas == pytest.approx([0.701054962616] * 2, abs=5e-13)
    assert average_patterns(model, plan, 0, 0).covariance == pytest.approx(
        0.00194785877461, abs=5e-15
    )
    assert variance_of_difference(model, plan) == pytest.approx(0.00211543150735, abs=5e-15)


def integrated(h, k, r):
    """P(X <= h, Y <= k) of normals with correlation r in [0, 1), by what both have in common."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    below = [ndtr((x - np.sqrt(r) * nodes) / np.sqrt(1 - r)) for x in (h, k)]
    return np.sum(weights * below[0] * below[1]) / np.sqrt(2 * np.pi)


@pytest.mark.parametrize(("i", "k"), [(0, 0), (1, 1), (0, 1)])
def test_covariances_of_two_terms_by_integration(i, k):
    model, found = UNEQUAL, pair_covariances(UNEQUAL, i, k)
    areas = model.separation / np.sqrt(model.spread)
    for row, reader in enumerate((1, 0)):
        for column, (pos, neg) in enumerate([(1, 1), (1, 0), (0, 1), (0, 0)]):
            common = 0.0
            for same, shared, own in (
                (pos, model.shared_pos, model.own_pos[i]),
                (neg, model.shared_neg, model.own_neg[i]),
            ):
                total = shared + own * (i == k)
                common += total @ [reader, same, reader * same]
            r = common / np.sqrt(model.spread[i] * model.spread[k])
            both = ndtr(areas[i]) if r > 1 - 1e-9 else integrated(areas[i], areas[k], r)
            expected = both - ndtr(areas[i]) * ndtr(areas[k])
            assert found[row, column] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("i", "k"), [(0, 0), (0, 1)])
def test_numbers_of_pairs_of_terms_by_counting(plan, i, k):
    pos, neg = (plan.planned(2, n) for n in (plan.n_pos, plan.n_neg))
    expected = np.zeros((2, 4))
    terms = [
        [
            (j, x, y)
            for j in range(plan.n_readers)
            for x in np.flatnonzero(pos[of, j])
            for y in np.flatnonzero(neg[of, j])
        ]
        for of in (i, k)
    ]
    for (j, x, y), (j2, x2, y2) in itertools.product(*terms):
        column = {(True, True): 0, (True, False): 1, (False, True): 2}.get((x == x2, y == y2), 3)
        # Readers and cases of different groups share no effect: they are pairs without any.
        expected[0 if j == j2 else 1, column] += 1
    np.testing.assert_array_equal(pair_counts(plan, 2, i, k), expected)


@pytest.mark.parametrize("structure", ["HL", "LL", "HH", "LH"])
def test_where_every_case_is_read_the_components_give_the_exact_variance(structure):
    model, plan = roe_metz_of_areas(structure, np.array([0.9, 0.8])), ReadingPlan(5, 40, 70)
    exact = variance_of_difference(model, plan)
    assert model_reader_test(model, plan, "random").variance == pytest.approx(exact, rel=1e-12)


def test_readers_who_do_not_vary_might_as_well_be_fixed():
    shared, own = np.array([0.0, 0.3, 0.2]), np.array([[0.0, 0.3, 0.2]] * 2)
    model = RoeMetz(np.array([1.0, 1.5]), shared, shared, own, own)
    for plan in PLANS:
        random, fixed = (model_reader_test(model, plan, readers) for readers in ("random", "fixed"))
        assert fixed.variance == pytest.approx(random.variance, rel=1e-12)
        assert np.isinf(fixed.df)


def test_fixed_readers_leave_their_variance_out():
    plan = ReadingPlan(6, 60, 60, 3)
    random, fixed = (model_reader_test(UNEQUAL, plan, readers) for readers in ("random", "fixed"))
    own = [average_patterns(UNEQUAL, plan, i, i).of_readers for i in (0, 1)]
    between = sum(own) - 2 * average_patterns(UNEQUAL, plan, 0, 1).of_readers
    assert random.variance - fixed.variance == pytest.approx(between / 6, rel=1e-12)


def test_components_are_expectations_of_those_that_a_study_estimates():
    own = [average_patterns(UNEQUAL, ReadingPlan(4, 30, 30), i, i) for i in (0, 1)]
    found = expected_reader_components(own, average_patterns(UNEQUAL, ReadingPlan(4, 30, 30), 0, 1))
    # More of what two areas have in common is more covariance.
    assert found.error > found.cov1 > found.cov3 > 0
    assert found.error > found.cov2 > found.cov3
    assert found.modality_reader > 0
