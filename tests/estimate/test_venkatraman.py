from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ks_2samp, rankdata

import rocstats as rs
from rocstats.estimate import resample as streams
from rocstats.estimate.permute import (
    labels_in_order,
    mean_label_of_each_tie_block,
    ranked_cases,
    two_sample_curve_distance,
    two_sample_curve_distance_draws,
    venkatraman_begg_distance,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import ResamplePlan
from tests import examples
from tests.strategies import samples


@given(samples(predictors=2))
def test_ranks_are_the_midranks_of_the_scores(data):
    y, scores = data
    cases = ranked_cases(rs.Study(y, scores.T).cases, [0, 1])
    for ranks, score in zip(cases.ranks, scores, strict=True):
        assert ranks.tolist() == rankdata(score).tolist()
    assert cases.unit is None


def expected_errors(labels, ranks):
    """Errors at the cuts after 1, ..., n cases, averaged over all orders of the tied cases."""
    orders = [
        order
        for order in permutations(range(len(labels)))
        if all(ranks[i] <= ranks[j] for i, j in pairwise(order))
    ]
    errors = [
        [
            sum(labels[i] for i in order[:k]) + sum(not labels[i] for i in order[k:])
            for k in range(1, len(labels) + 1)
        ]
        for order in orders
    ]
    return np.mean(errors, axis=0)


@pytest.mark.parametrize(
    "second", [[1, 2, 2, 2, 5, 6, 7], [3, 3, 3, 3, 3, 3, 3], [7, 6, 5, 4, 3, 2, 1]]
)
def test_errors_within_a_tie_are_those_expected_over_all_its_orders(second):
    labels = np.array([True, False, False, True, True, False, True])
    first = np.array([1, 1, 1, 2, 2, 3, 4])
    expected = np.abs(expected_errors(labels, first) - expected_errors(labels, second)).sum()
    found = venkatraman_begg_distance(labels, rankdata(first), rankdata(second))
    assert found == pytest.approx(expected, abs=1e-12)


def test_draws_of_tied_scores_are_those_of_all_exchanges():
    labels = np.array([True, False, False, True, True, False])
    first, second = rankdata([1, 1, 1, 2, 2, 3]), rankdata([2, 2, 1, 1, 3, 3])
    draws = venkatraman_begg_draws(labels, first, second, ResamplePlan(4000, 2))
    law = []
    for swap in product((False, True), repeat=6):
        # The only rank of a single case, 6 of the first predictor, meets no equal rank.
        pair = np.where(swap, second, first), np.where(swap, first, second)
        law.append(np.abs(np.subtract(*(expected_errors(labels, ranks) for ranks in pair))).sum())
    assert set(np.round(draws, 9)) == set(np.round(law, 9))
    assert ks_2samp(np.round(draws, 9), np.round(law, 9)).pvalue > 0.001


def test_tied_groups_are_compared_along_the_mixture_by_straight_lines(rng):
    y, ratings = rng.integers(0, 2, 40), rng.integers(1, 5, 40)
    study = rs.Study(y, ratings, group=np.arange(40) // 20)
    first, second = (labels_in_order(ranked_cases(part.cases, [0])) for _, part in study.by_group())
    share = float(y.mean())
    s, curves = (np.arange(2_000_000) + 0.5) / 2_000_000, []
    for g in (0, 1):
        of_group = y[20 * g : 20 * g + 20], ratings[20 * g : 20 * g + 20]
        cuts = [0, *np.unique(ratings)]
        f, h = (
            np.array([np.mean(of_group[1][of_group[0] == c] <= cut) for cut in cuts])
            for c in (1, 0)
        )
        curves.append(np.interp(s, share * f + (1 - share) * h, share * f + (1 - share) * (1 - h)))
    expected = np.mean(np.abs(curves[0] - curves[1]))
    found = two_sample_curve_distance(
        mean_label_of_each_tie_block(*first), mean_label_of_each_tie_block(*second), share
    )
    assert found == pytest.approx(expected, abs=1e-6)


def test_predictors_that_order_cases_alike_have_the_same_ranks():
    score = np.repeat([1.0, 2, 3], 6)
    study = rs.Study(examples.Y, {"a": score, "b": np.exp(score), "c": -score})
    falling = rs.Study(examples.Y, {"c": -score}, higher_is_positive=False)
    first, second, third = ranked_cases(study.cases, [0, 1, 2]).ranks
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)
    assert np.array_equal(ranked_cases(falling.cases, [0]).ranks[0], first)


def test_a_row_with_a_frequency_is_so_many_cases():
    times = np.arange(18) % 4
    tabled = rs.Study(examples.Y, examples.D1, frequency=times, cluster=np.arange(18) // 2)
    rows = np.repeat(np.arange(18), times)
    replicated = rs.Study(examples.Y[rows], examples.D1[rows], cluster=rows // 2)
    one, other = (ranked_cases(study.cases, [0]) for study in (tabled, replicated))
    assert np.array_equal(one.ranks, other.ranks)
    assert np.array_equal(one.is_positive, other.is_positive)
    assert np.array_equal(one.unit, other.unit)


def exchanged(labels, first, second, swap):
    """Ranks after exchange; equal ones of the two predictors by where they came from."""
    swapped = [np.where(swap, second, first), np.where(swap, first, second)]
    return [rankdata(values, "ordinal") - 1 for values in swapped]


def fixed_order(first, second, seed):
    """Places of the 2n values in the one order that all exchanges share, as the draws have it."""
    n = len(first)
    lift = streams.child_random_stream(*seed, 4).uniform(0, 0.25, 2 * n)
    place = rankdata(np.concatenate([first, second]) + lift)
    return place[:n], place[n:]


def test_draws_are_as_frequent_as_among_all_exchanges(rng):
    labels = np.array([True, False, True, False, False, True, False, True])
    first, second = rng.permutation(8), rng.permutation(8)
    draws = venkatraman_begg_draws(labels, first, second, ResamplePlan(5000, 2))
    places = fixed_order(first, second, (2,))
    law = [
        venkatraman_begg_distance(labels, *exchanged(labels, *places, swap=np.array(swap)))
        for swap in product((False, True), repeat=8)
    ]
    assert set(draws) == set(law)
    assert ks_2samp(draws, law).pvalue > 0.001


def test_cases_of_a_cluster_are_exchanged_together(rng):
    labels = rng.permutation(np.repeat([True, False], [5, 7]))
    first, second = rng.permutation(12), rng.permutation(12)
    unit = np.arange(12) // 6
    draws = venkatraman_begg_draws(labels, first, second, ResamplePlan(500, 1), unit=unit)
    places = fixed_order(first, second, (1,))
    law = {
        venkatraman_begg_distance(labels, *exchanged(labels, *places, swap=np.array(swap)[unit]))
        for swap in product((False, True), repeat=2)
    }
    assert set(draws) == law


def untied(labels):
    """Labels of cases without ties, and the number of each one's block."""
    return labels.astype(float), np.arange(len(labels))


def errors_at(labels, share):
    """Error rate and share of the mixture at every cut, by counting."""
    m, n = labels.sum(), (~labels).sum()
    points = []
    for k in range(len(labels) + 1):
        f, g = labels[:k].sum() / m, (~labels[:k]).sum() / n
        points.append((share * f + (1 - share) * g, share * f + (1 - share) * (1 - g)))
    return np.array(points).T


def test_two_samples_are_compared_on_the_mixture_scale(rng):
    for sizes in ((3, 4, 5, 2), (6, 6, 6, 6), (1, 3, 2, 9)):
        first = rng.permutation(np.repeat([True, False], sizes[:2]))
        second = rng.permutation(np.repeat([True, False], sizes[2:]))
        share = (sizes[0] + sizes[2]) / sum(sizes)
        s = (np.arange(2_000_000) + 0.5) / 2_000_000
        curves = [np.interp(s, *errors_at(labels, share)) for labels in (first, second)]
        expected = np.mean(np.abs(curves[0] - curves[1]))
        assert two_sample_curve_distance(first, second, share) == pytest.approx(expected, abs=1e-6)
        assert two_sample_curve_distance(first, first, share) == 0
        same = two_sample_curve_distance(second, first, share)
        assert same == pytest.approx(two_sample_curve_distance(first, second, share), rel=1e-12)


def test_equal_class_sizes_give_the_paired_statistic(rng):
    labels = np.repeat([True, False], [6, 9])
    first, second = rng.permutation(15), rng.permutation(15)
    orders = [labels[np.argsort(ranks)] for ranks in (first, second)]
    expected = venkatraman_begg_distance(labels, first, second) / 15**2
    assert two_sample_curve_distance(*orders, prevalence=6 / 15) == pytest.approx(
        expected, rel=1e-12
    )


def test_exchanged_groups_follow_all_exchanges(rng):
    first, second = rng.permutation(np.repeat([True, False], [3, 5])), np.array([False, True] * 2)
    share = 5 / 12
    draws = two_sample_curve_distance_draws(
        untied(first), untied(second), share, ResamplePlan(5000, 1)
    )
    places = [errors_at(labels, share)[0][1:] for labels in (first, second)]
    places = np.round(np.concatenate(places), 12)
    # both samples end at 1, in an order that the seed fixes; no other places are equal
    assert len(np.unique(places)) == 11
    labels = np.concatenate([first, second])
    laws = []
    for order in (np.lexsort((np.arange(12), places)), np.lexsort((-np.arange(12), places))):
        law = []
        for positives in combinations(np.flatnonzero(labels), 3):
            for negatives in combinations(np.flatnonzero(~labels), 5):
                chosen = np.zeros(12, dtype=bool)
                chosen[[*positives, *negatives]] = True
                member, sorted_ = chosen[order], labels[order]
                law.append(two_sample_curve_distance(sorted_[member], sorted_[~member], share))
        laws.append(np.round(law, 9))
    assert max(ks_2samp(np.round(draws, 9), law).pvalue for law in laws) > 0.001
    assert any(set(np.round(draws, 9)) <= set(law) for law in laws)


@pytest.mark.parametrize("size", [1, 100, 2**20])
def test_chunks_change_no_draw(rng, monkeypatch, size):
    first, second = (rng.permutation(np.repeat([True, False], [5, 8])) for _ in range(2))
    unit = np.arange(13) // 2
    ranks = rng.permutation(13), rng.permutation(13)

    def draw():
        return (
            two_sample_curve_distance_draws(
                untied(first), untied(second), 5 / 13, ResamplePlan(300, 1)
            ),
            venkatraman_begg_draws(first, *ranks, ResamplePlan(300, 1), unit=unit),
        )

    expected = draw()
    monkeypatch.setattr(streams, "DRAWS_PER_CHUNK", size)
    assert all(np.array_equal(*pair) for pair in zip(draw(), expected, strict=True))
