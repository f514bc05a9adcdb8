"""Permuted labels, exchanged predictors and Venkatraman's distances of curves."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ks_2samp, rankdata

import rocstats as rs
from rocstats.estimate import resample as streams
from rocstats.estimate.permute import (
    STATISTICS,
    SignedTerms,
    exact_sign_p_value,
    exchange_terms_from_values,
    label_units,
    labels_in_order,
    mean_label_of_each_tie_block,
    midranks,
    permutation_p_value,
    permuted_rank_statistics,
    rank_statistic_of_sample,
    ranked_cases,
    shuffled_orders,
    sums_with_random_signs,
    two_sample_curve_distance,
    two_sample_curve_distance_draws,
    venkatraman_begg_distance,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import ResamplePlan
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples

Y = np.array([1, 1, 1, 0, 0, 0, 0])
SCORE = np.array([5.0, 3, 3, 4, 3, 2, 1])
N = 4000


def youden(y, score, weight=None):
    y, weight = np.asarray(y, bool), np.ones(len(y)) if weight is None else weight
    best = 0.0
    for t in score:
        tpr = weight[y & (score >= t)].sum() / weight[y].sum()
        fpr = weight[~y & (score >= t)].sum() / weight[~y].sum()
        best = max(best, tpr - fpr)
    return best


def weighted_auc(y, score, weight):
    y = np.asarray(y, bool)
    pairs = np.outer(weight[y], weight[~y])
    return float((pairs * oracles.kernel(y, score)).sum() / pairs.sum())


def labellings(y):
    for chosen in combinations(range(len(y)), int(np.sum(y))):
        yield np.isin(np.arange(len(y)), chosen).astype(int)


def require_same_law(draws, values):
    """The draws have the distribution function of equally likely values, within chance."""
    for value in np.unique(np.round(values, 9)):
        share = np.mean(np.asarray(values) <= value + 1e-9)
        error = 4 * np.sqrt(share * (1 - share) / len(draws)) + 1e-12
        assert np.mean(draws <= value + 1e-9) == pytest.approx(share, abs=error)
    assert set(np.round(draws, 9)) <= set(np.round(values, 9))


ORACLES = {
    "auc": oracles.auc,
    "youden": youden,
    "average_precision": oracles.average_precision,
}


@pytest.mark.parametrize("statistic", list(STATISTICS))
def test_statistics_are_those_of_the_definitions(statistic):
    study = rs.Study(Y, SCORE)
    assert rank_statistic_of_sample(study.cases, 0, statistic) == pytest.approx(
        ORACLES[statistic](Y, SCORE)
    )


def permuted(statistic, seed, n=N, score=SCORE, y=Y, **roles):
    plan = ResamplePlan(n, seed, (0,))
    return permuted_rank_statistics(rs.Study(y, score, **roles).cases, 0, statistic, plan)


@pytest.mark.parametrize("statistic", list(STATISTICS))
def test_draws_have_the_law_of_all_labellings(statistic):
    require_same_law(permuted(statistic, 1), [ORACLES[statistic](y, SCORE) for y in labellings(Y)])


def test_frequencies_are_replicated_rows():
    times = np.array([2, 1, 1, 1, 3, 1, 2])
    tabled = permuted("auc", 1, frequency=times)
    rows = permuted("auc", 1, score=np.repeat(SCORE, times), y=np.repeat(Y, times))
    np.testing.assert_array_equal(tabled, rows)


@pytest.mark.parametrize(("statistic", "oracle"), [("auc", weighted_auc), ("youden", youden)])
def test_weights_stay_with_their_cases(statistic, oracle):
    weight = np.array([1.0, 2, 0.5, 1, 3, 1, 0.25])
    draws = permuted(statistic, 2, sample_weight=weight)
    require_same_law(draws, [oracle(y, SCORE, weight) for y in labellings(Y)])


def test_weights_of_replicated_rows():
    times, weight = np.array([2, 1, 1, 1, 2, 1, 1]), np.array([1.0, 2, 0.5, 1, 3, 1, 0.25])
    y, score, w = (np.repeat(values, times) for values in (Y, SCORE, weight))
    draws = permuted("auc", 3, sample_weight=weight, frequency=times)
    require_same_law(draws, [weighted_auc(labels, score, w) for labels in labellings(y)])
    study = rs.Study(Y, SCORE, sample_weight=weight, frequency=times)
    found = rank_statistic_of_sample(study.cases, 0, "auc")
    assert found == pytest.approx(weighted_auc(y, score, w))


def test_clusters_are_shuffled_whole():
    cluster = np.array([0, 0, 1, 2, 2, 2, 3])
    values = [
        oracles.auc(np.isin(cluster, chosen).astype(int), SCORE)
        for chosen in combinations(range(4), 2)
    ]
    require_same_law(permuted("auc", 4, cluster=cluster), values)
    assert label_units(rs.Study(Y, SCORE, cluster=cluster).cases, 0).n_pos == 2


def test_labels_are_shuffled_within_folds():
    fold = np.array([0, 0, 1, 0, 0, 1, 1])
    parts = [[oracles.auc(y, SCORE[fold == f]) for y in labellings(Y[fold == f])] for f in (0, 1)]
    require_same_law(permuted("auc", 5, fold=fold), [(a + b) / 2 for a, b in product(*parts)])


def test_an_urn_of_many_cases_is_drawn_from_its_margins():
    n_each = [400_000, 300_000, 300_000, 400_000]
    draws = permuted("auc", 6, n=300, y=[1, 1, 0, 0], score=[2.0, 1, 2, 1], frequency=n_each)
    n = 700_000
    # two scores, half of the cases at each: tie-corrected variance of the area
    variance = (2 * n + 1 - 2 * (n**3 - n) / (2 * n * (2 * n - 1))) / (12 * n * n)
    assert draws.mean() == pytest.approx(0.5, abs=4 * np.sqrt(variance / 300))
    assert draws.std() == pytest.approx(np.sqrt(variance), rel=0.17)


def test_a_permutation_p_value_is_never_zero():
    assert permutation_p_value(0, 999) == 0.001
    assert permutation_p_value(999, 999) == 1


def test_orders_are_permutations_that_the_seed_repeats():
    first = [order.tolist() for order in shuffled_orders(5, ResamplePlan(20, 7))]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in first)
    assert first == [order.tolist() for order in shuffled_orders(5, ResamplePlan(20, 7))]
    assert len({tuple(order) for order in first}) > 10


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


def test_one_cluster_has_two_exchanges():
    # Both exchanges of the only cluster are as extreme as the observed values.
    assert exact_sign_p_value(np.array([0.3])) == 1.0
    assert exact_sign_p_value(np.array([0.3]), "greater") == 0.5
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, cluster=np.zeros(18))
    assert study.compare_auc(method="permutation")["p_value"][0] == 1.0


@given(samples(predictors=2))
def test_ranks_are_the_midranks_of_the_scores(data):
    y, scores = data
    cases = ranked_cases(rs.Study(y, scores.T).cases, [0, 1])
    for ranks, score in zip(cases.ranks, scores, strict=True):
        assert ranks.tolist() == rankdata(score).tolist()
    assert cases.unit is None


def expected_errors(labels, ranks):
    """Errors at the cuts after 1, ..., n cases, averaged over all orders of the tied cases."""
    orders = map(list, permutations(range(len(labels))))
    ordered = [labels[order] for order in orders if (np.diff(np.array(ranks)[order]) >= 0).all()]
    errors = [np.cumsum(found) + np.sum(~found) - np.cumsum(~found) for found in ordered]
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
def test_chunks_change_no_draw(three, rng, monkeypatch, size):
    terms = exchange_terms_from_values(three.is_positive, examples.D1, examples.D2)
    first, second = (rng.permutation(np.repeat([True, False], [5, 8])) for _ in range(2))
    ranks, plan = (rng.permutation(13), rng.permutation(13)), ResamplePlan(300, 1)

    def draw():
        return (
            sums_with_random_signs(SignedTerms(terms), plan),
            venkatraman_begg_draws(first, *ranks, plan),
            venkatraman_begg_draws(first, *ranks, plan, unit=np.arange(13) // 2),
            two_sample_curve_distance_draws(untied(first), untied(second), 5 / 13, plan),
        )

    expected = draw()
    monkeypatch.setattr("rocstats.estimate.resample.DRAWS_PER_CHUNK", size)
    assert all(np.array_equal(*pair) for pair in zip(draw(), expected, strict=True))
