from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.permute import (
    STATISTICS,
    label_units,
    permutation_p_value,
    permuted_rank_statistics,
    rank_statistic_of_sample,
    shuffled_orders,
)
from rocstats.estimate.resample import ResamplePlan
from tests.oracles import definitions as oracles

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


@pytest.mark.parametrize("statistic", list(STATISTICS))
def test_draws_have_the_law_of_all_labellings(statistic):
    draws = permuted_rank_statistics(
        rs.Study(Y, SCORE).cases, 0, statistic, ResamplePlan(N, 1, (0,))
    )
    require_same_law(draws, [ORACLES[statistic](y, SCORE) for y in labellings(Y)])


def test_frequencies_are_replicated_rows():
    times = np.array([2, 1, 1, 1, 3, 1, 2])
    study = rs.Study(Y, SCORE, frequency=times)
    long = rs.Study(np.repeat(Y, times), np.repeat(SCORE, times))
    np.testing.assert_array_equal(
        permuted_rank_statistics(study.cases, 0, "auc", ResamplePlan(500, 1, (0,))),
        permuted_rank_statistics(long.cases, 0, "auc", ResamplePlan(500, 1, (0,))),
    )


def test_weights_stay_with_their_cases():
    weight = np.array([1.0, 2, 0.5, 1, 3, 1, 0.25])
    draws = permuted_rank_statistics(
        rs.Study(Y, SCORE, sample_weight=weight).cases, 0, "auc", ResamplePlan(N, 2, (0,))
    )
    require_same_law(draws, [weighted_auc(y, SCORE, weight) for y in labellings(Y)])
    draws = permuted_rank_statistics(
        rs.Study(Y, SCORE, sample_weight=weight).cases, 0, "youden", ResamplePlan(N, 2, (0,))
    )
    require_same_law(draws, [youden(y, SCORE, weight) for y in labellings(Y)])


def test_weights_of_replicated_rows():
    times, weight = np.array([2, 1, 1, 1, 2, 1, 1]), np.array([1.0, 2, 0.5, 1, 3, 1, 0.25])
    study = rs.Study(Y, SCORE, sample_weight=weight, frequency=times)
    y, score, w = (np.repeat(values, times) for values in (Y, SCORE, weight))
    draws = permuted_rank_statistics(study.cases, 0, "auc", ResamplePlan(N, 3, (0,)))
    require_same_law(draws, [weighted_auc(labels, score, w) for labels in labellings(y)])
    assert rank_statistic_of_sample(study.cases, 0, "auc") == pytest.approx(
        weighted_auc(y, score, w)
    )


def test_clusters_are_shuffled_whole():
    cluster = np.array([0, 0, 1, 2, 2, 2, 3])
    study = rs.Study(Y, SCORE, cluster=cluster)
    draws = permuted_rank_statistics(study.cases, 0, "auc", ResamplePlan(N, 4, (0,)))
    values = [
        oracles.auc(np.isin(cluster, chosen).astype(int), SCORE)
        for chosen in combinations(range(4), 2)
    ]
    require_same_law(draws, values)
    assert label_units(study.cases, 0).n_pos == 2


def test_labels_are_shuffled_within_folds():
    fold = np.array([0, 0, 1, 0, 0, 1, 1])
    study = rs.Study(Y, SCORE, fold=fold)
    parts = [[oracles.auc(y, SCORE[fold == f]) for y in labellings(Y[fold == f])] for f in (0, 1)]
    values = [(a + b) / 2 for a, b in product(*parts)]
    require_same_law(
        permuted_rank_statistics(study.cases, 0, "auc", ResamplePlan(N, 5, (0,))), values
    )


def test_an_urn_of_many_cases_is_drawn_from_its_margins():
    counts = {"y": [1, 1, 0, 0], "s": [2.0, 1, 2, 1], "n": [400_000, 300_000, 300_000, 400_000]}
    study = rs.Study("y", "s", data=counts, frequency="n")
    draws = permuted_rank_statistics(study.cases, 0, "auc", ResamplePlan(300, 6, (0,)))
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
