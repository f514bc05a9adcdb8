from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from rocstats.curves.roc import roc_points, tpr_at
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import (
    averaged_curve_covariance,
    averaged_curve_variance,
    draw_averaged_curves,
    draw_tpr_by_order_statistics,
    exact_tpr_variance,
    has_ties_between_classes,
    table_curves,
    tpr_of_tables,
)
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests.strategies import samples

GRID = np.array([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.95, 1.0])


@pytest.fixture
def folds(rng):
    """Two predictors on three folds of 12 + 15 cases, rounded so that classes tie."""
    y = np.tile(np.repeat([1, 0], [12, 15]), 3)
    scores = {name: np.round(rng.normal(size=81) + y, 1) for name in "ab"}
    return y, scores, np.repeat([0, 1, 2], 27)


@given(samples(predictors=1))
def test_curves_of_tables_are_curves(data):
    y, scores = data
    counts = rs.Study(y, scores[0]).cases.counts(0)
    found = tpr_of_tables(counts.n_pos[np.newaxis], counts.n_neg[np.newaxis], GRID)
    curve = roc_points(counts)
    assert found[0] == pytest.approx(tpr_at(curve.fpr, curve.tpr, GRID), abs=1e-12)


def test_tables_without_a_class_have_no_curve():
    found = tpr_of_tables(np.array([[1, 1], [0, 0]]), np.array([[0, 2], [1, 1]]), GRID)
    assert not np.isnan(found[0]).any()
    assert np.isnan(found[1]).all()


@given(samples(least=2, most=20))
def test_closed_form_is_the_variance_of_many_draws(data):
    y, scores = data
    counts = rs.Study(y, scores[0]).cases.counts(0)
    draws = draw_tpr_by_order_statistics(counts, GRID, ResamplePlan(4000, 1))
    # the variance of a variance of values in [0, 1] is below 1/4/4000
    assert exact_tpr_variance(counts, GRID) == pytest.approx(draws.var(axis=0), abs=0.02)


def test_closed_form_by_listing_every_resample():
    # positives 4, 2, negatives 3, 1: 4 x 4 equally likely resamples
    counts = rs.Study([1, 1, 0, 0], [4.0, 2, 3, 1]).cases.counts(0)
    pos = [(a, b) for a in (4, 2) for b in (4, 2)]
    neg = [(a, b) for a in (3, 1) for b in (3, 1)]
    for rate, rank in ((0.0, 0), (0.5, 1)):
        tpr = [np.mean(np.array(p) > sorted(q)[::-1][rank]) for p in pos for q in neg]
        assert exact_tpr_variance(counts, np.array([rate])) == pytest.approx([np.var(tpr)])
    assert exact_tpr_variance(counts, np.array([1.0])).tolist() == [0]


def brute_variance(rng, y, score, fold, size):
    """Variance of the averaged curve over resamples within class and fold, one by one."""
    draws = np.zeros((size, len(GRID)))
    for label in np.unique(fold):
        pos, neg = (score[(fold == label) & (y == c)] for c in (1, 0))
        truth = np.repeat([1, 0], [len(pos), len(neg)])
        for b in range(size):
            drawn = np.concatenate([rng.choice(pos, len(pos)), rng.choice(neg, len(neg))])
            curve = roc_points(count_scores_of(LabelledScores(drawn, truth == 1, None, True)))
            draws[b] += tpr_at(curve.fpr, curve.tpr, GRID) / len(np.unique(fold))
    return draws.var(axis=0, ddof=1)


@pytest.mark.parametrize("tied", [True, False])
def test_variance_of_an_average_is_that_of_brute_force(rng, folds, tied):
    y, scores, fold = folds
    score = scores["a"] if tied else scores["a"] + np.linspace(0, 0.01, len(y))
    study = rs.Study(y, score, fold=fold)
    assert has_ties_between_classes(study.cases.by_fold()[0][1].counts(0)) is tied
    found = averaged_curve_variance(study.cases, 0, GRID, ResamplePlan(4000, 1))
    assert found.n_resamples == (4000 if tied else 0)
    brute = brute_variance(rng, y, score, fold, 1500)
    # relative error of a variance from 1500 draws: sqrt(2/1500) = .037
    assert found.covariance[:, 0, 0] == pytest.approx(brute, rel=0.2, abs=1e-4)


def test_variances_of_few_resamples_have_one_degree_of_freedom_less(folds):
    y, scores, fold = folds
    study, plan = rs.Study(y, {name: scores[name] for name in "ab"}, fold=fold), ResamplePlan(4, 1)
    parts = [part.counts(1) for _, part in study.cases.by_fold()]
    drawn = [table_curves(counts, GRID, plan.at(1, v)) for v, counts in enumerate(parts)]
    by_hand = sum(((d - d.mean(axis=0)) ** 2).sum(axis=0) / 3 for d in drawn) / 3**2
    found = averaged_curve_variance(study.cases, 1, GRID, plan).covariance[:, 0, 0]
    assert found == pytest.approx(by_hand, abs=1e-15)
    together = draw_averaged_curves(study.cases, [0, 1], GRID, plan).values
    found = averaged_curve_covariance(study.cases, [0, 1], GRID, plan).covariance
    for g in range(len(GRID)):
        assert found[g] == pytest.approx(np.cov(together[:, :, g], rowvar=False), abs=1e-15)


def test_covariances_share_their_resamples(folds):
    y, scores, fold = folds
    study = rs.Study(y, {"a": scores["a"], "same": scores["a"], "b": scores["b"]}, fold=fold)
    found = averaged_curve_covariance(study.cases, [0, 1, 2], GRID, ResamplePlan(500, 1)).covariance
    assert found[:, 0, 1] == pytest.approx(found[:, 0, 0])
    assert (np.abs(found[:, 0, 2]) <= np.sqrt(found[:, 0, 0] * found[:, 2, 2]) + 1e-12).all()
    alone = averaged_curve_variance(
        rs.Study(y, scores["a"], fold=fold).cases, 0, GRID, ResamplePlan(4000, 2)
    )
    assert found[:, 0, 0] == pytest.approx(alone.covariance[:, 0, 0], rel=0.35, abs=2e-4)


def test_frequencies_are_repeated_rows_in_law(folds):
    y, scores, fold = folds
    times = np.arange(len(y)) % 3 + 1
    grouped = rs.Study(y, scores, fold=fold, frequency=times)
    each = rs.Study(
        np.repeat(y, times),
        {name: np.repeat(score, times) for name, score in scores.items()},
        fold=np.repeat(fold, times),
    )
    one, two = (
        averaged_curve_covariance(s.cases, [0, 1], GRID, ResamplePlan(4000, 1)).covariance
        for s in (grouped, each)
    )
    assert one[:, 0, 1] == pytest.approx(two[:, 0, 1], abs=4e-4)
    assert one[:, 0, 0] == pytest.approx(two[:, 0, 0], rel=0.2, abs=1e-4)
    marginal = [
        averaged_curve_variance(s.cases, 0, GRID, ResamplePlan(4000, 1)).covariance
        for s in (grouped, each)
    ]
    assert marginal[0].tolist() == marginal[1].tolist()  # the same count tables


def test_clusters_are_drawn_whole(folds):
    y, scores, _ = folds
    # every case three times, once a fold: the average varies as one curve of the cases does
    y, score = y[:27], scores["a"][:27]
    three = rs.Study(
        np.tile(y, 3),
        np.tile(score, 3),
        fold=np.repeat([0, 1, 2], 27),
        cluster=np.tile(range(27), 3),
    )
    alone = rs.Study(y, score, cluster=range(27))
    one, two = (
        averaged_curve_variance(s.cases, 0, GRID, ResamplePlan(3000, 1)).covariance
        for s in (three, alone)
    )
    assert one == pytest.approx(two, rel=1e-9)


def test_resamples_of_clusters_without_a_class_are_redrawn():
    study = rs.Study([1, 1, 0, 0], [4.0, 2, 3, 1], cluster=[1, 1, 2, 2])
    found = averaged_curve_covariance(study.cases, [0], GRID, ResamplePlan(200, 1))
    # one resample in two has both clusters, and is the sample itself
    assert 100 < found.n_redrawn < 400
    assert (found.covariance == 0).all()


def test_draws_do_not_depend_on_the_number_of_places(folds):
    y, scores, _ = folds
    counts = rs.Study(y, scores["a"]).cases.counts(0)
    some = table_curves(counts, GRID[2:4], ResamplePlan(50, 1))
    assert table_curves(counts, GRID, ResamplePlan(50, 1))[:, 2:4].tolist() == some.tolist()
