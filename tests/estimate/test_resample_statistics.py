"""Resamples and delete-one values of a statistic: of count tables, and of a function of cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from rocstats.curves.precision import average_precision_of_counts, pr_area
from rocstats.estimate import influence
from rocstats.estimate.area_variances import ideal_bootstrap_area_variance
from rocstats.estimate.resample import ResamplePlan, TooFewValidResamplesError
from rocstats.estimate.resample_areas import draw_areas_of_units
from rocstats.estimate.resample_statistics import (
    draw_statistic_values,
    draw_statistics,
    jackknife_acceleration,
    jackknife_values,
    statistic_values_of_cases,
)
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples

N = 4000


def agree(values, expected, se):
    assert values == pytest.approx(expected, abs=4 * se + 1e-12)


def areas_of_tables(n_pos, n_neg):
    """Return the AUC of each table by its definition: positives above, and half of those equal."""
    below = n_neg.sum(axis=1, keepdims=True) - np.cumsum(n_neg, axis=1) + n_neg / 2
    return (n_pos * below).sum(axis=1) / (n_pos.sum(axis=1) * n_neg.sum(axis=1))


def all_resamples(y, score):
    """Every resample of the positives with every one of the negatives, all equally likely."""
    pos, neg = score[y == 1], score[y == 0]
    for a in product(pos, repeat=len(pos)):
        for b in product(neg, repeat=len(neg)):
            yield np.repeat([1, 0], [len(a), len(b)]), np.array([*a, *b])


@pytest.mark.parametrize(
    ("statistic", "oracle"),
    [(average_precision_of_counts, oracles.average_precision), (pr_area, oracles.pr_area)],
    ids=["average-precision", "pr-auc"],
)
def test_draws_have_the_law_of_all_resamples(statistic, oracle):
    y, score = np.array([1, 1, 1, 0, 0, 0]), np.array([4.0, 3, 1, 3, 2, 1])
    exact = np.array([oracle(*resample) for resample in all_resamples(y, score)])
    drawn = draw_statistics(
        rs.Study(y, score).cases, 0, [statistic], ResamplePlan(N, 1, (0,))
    ).values[0]
    assert np.isin(drawn.round(9), exact.round(9)).all()
    agree(drawn.mean(), exact.mean(), exact.std() / np.sqrt(N))
    squares = (exact - exact.mean()) ** 2
    agree(np.mean((drawn - exact.mean()) ** 2), squares.mean(), squares.std() / np.sqrt(N))
    for level in (0.1, 0.5, 0.9):
        cut = np.quantile(exact, level)
        p = np.mean(exact <= cut)
        agree(np.mean(drawn <= cut + 1e-9), p, np.sqrt(p * (1 - p) / N))


@given(samples(least=2, most=8))
def test_areas_have_the_closed_variance_of_the_bootstrap(data):
    y, (score,) = data
    study = rs.Study(y, score)
    drawn = draw_statistics(study.cases, 0, [areas_of_tables], ResamplePlan(1000, 2, (0,))).values[
        0
    ]
    exact = ideal_bootstrap_area_variance(study.cases.counts(0))
    fourth = np.mean((drawn - drawn.mean()) ** 4)
    assert drawn.var(ddof=1) == pytest.approx(exact, abs=5 * np.sqrt(fourth / 1000) + 1e-9)


def test_a_frequency_is_so_many_rows_and_statistics_share_resamples():
    y, score, n = np.array([1, 1, 0, 0]), np.array([3.0, 1, 2, 1]), np.array([2, 3, 4, 1])
    rows = np.repeat(np.arange(4), n)
    tabled, replicated = (
        draw_statistics(study.cases, 0, [areas_of_tables] * 2, ResamplePlan(50, 3)).values.tolist()
        for study in (rs.Study(y, score, frequency=n), rs.Study(y[rows], score[rows]))
    )
    assert tabled[0] == tabled[1] == replicated[0]


def test_folds_are_resampled_apart_and_averaged(rng):
    y, fold = np.tile([1, 0], 20), np.repeat([0, 1], 20)
    study = rs.Study(y, rng.normal(size=40) + y, fold=fold)
    drawn = draw_statistics(study.cases, 0, [areas_of_tables], ResamplePlan(N, 4)).values[0]
    exact = (
        sum(ideal_bootstrap_area_variance(part.counts(0)) for _, part in study.cases.by_fold()) / 4
    )
    assert drawn.var(ddof=1) == pytest.approx(exact, rel=4 * np.sqrt(2 / N))


def test_clusters_are_drawn_whole(rng):
    y = np.array([1, 1, 0, 1, 0, 0, 1, 0])
    score, cluster = np.array([4.0, 2, 3, 5, 1, 2, 2, 1]), np.array([0, 0, 0, 1, 1, 2, 2, 2])
    study = rs.Study(y, score, cluster=cluster)
    found = draw_statistics(study.cases, 0, [average_precision_of_counts], ResamplePlan(N, 5))
    exact = []
    for drawn in product(range(3), repeat=3):
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in drawn])
        exact.append(oracles.average_precision(y[rows], score[rows]))
    exact = np.array(exact)
    assert found.n_redrawn == 0
    agree(found.values[0].mean(), exact.mean(), exact.std() / np.sqrt(N))
    squares = (exact - exact.mean()) ** 2
    agree(found.values[0].var(), squares.mean(), squares.std() / np.sqrt(N))


def test_resamples_of_clusters_that_lack_a_class_are_redrawn_and_counted():
    study = rs.Study([1, 1, 0, 0], [4, 3, 2, 1], cluster=["a", "a", "b", "b"])
    found = draw_statistics(study.cases, 0, [areas_of_tables], ResamplePlan(400, 6))
    # Both clusters are drawn with chance 1/2: as many redrawn as kept, sd sqrt(800).
    assert found.n_redrawn == pytest.approx(400, abs=4 * np.sqrt(800))
    assert set(found.values[0]) == {1.0}


def test_resamples_without_hope_are_given_up():
    y, fold = np.tile([1, 0], 12), np.repeat(np.arange(12), 2)
    study = rs.Study(y, np.arange(24), fold=fold, cluster=np.arange(24))
    with pytest.raises(TooFewValidResamplesError) as failure:
        draw_statistics(study.cases, 0, [areas_of_tables], ResamplePlan(100, 7))
    assert failure.value.resampled == "curves"
    with pytest.raises(rs.InputError, match=r"^`n_resamples` resamples must hold both"):
        study.average_precision(interval="percentile", n_resamples=100)


def area_of_cases(y_true, y_score):
    """The area by its definition, over all pairs."""
    ahead = y_score[y_true][:, np.newaxis] - y_score[~y_true]
    return np.array([np.mean((ahead > 0) + (ahead == 0) / 2)])


ROLES = {
    "plain": {},
    "frequency": {"frequency": np.arange(18) % 3 + 1},
    "cluster": {"cluster": examples.D1_CLUSTERS},
    "both": {"cluster": examples.D1_CLUSTERS, "frequency": np.arange(18) % 3 + 1},
}


@pytest.mark.parametrize("role", list(ROLES))
def test_draws_are_those_of_the_engine_of_areas(role):
    cases = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, **ROLES[role]).cases
    plan = ResamplePlan(150, 5, stratified=cases.cluster is None)
    found = draw_statistic_values(cases, area_of_cases, plan)
    expected = draw_areas_of_units(cases, [0, 1], plan)
    assert found.values[:, 0] == pytest.approx(expected.values, abs=1e-12)
    assert found.n_redrawn == expected.n_redrawn


def test_accelerations_of_the_worked_data():
    """docs/methods/resampling.md, "Bias-corrected and accelerated limits"."""
    cases = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2}).cases
    deleted = jackknife_values(cases, area_of_cases)
    first, second = deleted.values[:, 0]
    assert jackknife_acceleration(first, deleted) == pytest.approx(-0.0345928775, abs=1e-10)
    assert jackknife_acceleration(first - second, deleted) == pytest.approx(0.022812946, abs=1e-9)


@given(samples(least=2, most=9))
def test_the_acceleration_of_an_area_is_that_of_its_placements(data):
    y, (score,) = data
    frequency = np.arange(len(y)) % 3 + 1
    for roles in ({}, {"frequency": frequency}):
        cases = rs.Study(y, score, **roles).cases
        deleted = jackknife_values(cases, area_of_cases)
        expected = influence.area_acceleration(cases, 0)
        assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(
            expected, abs=1e-9
        )


def test_values_without_a_case_by_brute_force():
    y, score = examples.Y, examples.D1
    deleted = jackknife_values(rs.Study(y, score).cases, area_of_cases)
    expected = [oracles.auc(np.delete(y, i), np.delete(score, i)) for i in range(len(y))]
    assert deleted.values[0, 0] == pytest.approx(expected)
    assert deleted.strata.tolist() == y.tolist()


def test_values_without_a_cluster_by_brute_force():
    y, score, cluster = examples.Y, examples.D1, examples.D1_CLUSTERS
    deleted = jackknife_values(rs.Study(y, score, cluster=cluster).cases, area_of_cases)
    expected = [oracles.auc(y[cluster != c], score[cluster != c]) for c in range(1, 8)]
    assert sorted(deleted.values[0, 0]) == pytest.approx(sorted(expected))
    u = np.mean(expected) - np.array(expected)
    by_hand = np.sum(u**3) / (6 * np.sum(u**2) ** 1.5)
    assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(by_hand)


def test_equal_cases_are_left_out_once():
    asked = []

    def counted(y_true, y_score):
        asked.append(len(y_true))
        return area_of_cases(y_true, y_score)

    table = rs.load_ct_ratings()
    tabled = rs.Study("abnormal", "rating", data=table, frequency="n").cases
    deleted = jackknife_values(tabled, counted)
    assert asked == [108] * 10
    rows = table.loc[table.index.repeat(table["n"])]
    each = jackknife_values(rs.Study("abnormal", "rating", data=rows).cases, counted)
    assert asked == [108] * 20
    assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(
        jackknife_acceleration(each.values[0, 0], each), rel=1e-12
    )


def test_what_a_function_does_to_its_arguments_has_no_effect():
    def spoiling(y_true, y_score):
        found = area_of_cases(y_true, y_score)
        y_true[:], y_score[:] = True, 0.0
        return found

    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    assert (
        statistic_values_of_cases(study.cases, spoiling).tolist()
        == statistic_values_of_cases(study.cases, area_of_cases).tolist()
    )
    assert statistic_values_of_cases(study.cases, spoiling)[:, 0] == pytest.approx([0.8625, 0.825])


def test_an_undefined_value_has_no_acceleration():
    deleted = jackknife_values(rs.Study(examples.Y, examples.D1).cases, area_of_cases)
    values = deleted.values[0, 0].copy()
    values[3] = np.nan
    assert np.isnan(jackknife_acceleration(values, deleted))
    assert jackknife_acceleration(np.full(18, 0.3), deleted) == 0
