from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ks_2samp

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import (
    curve_draws,
    draw_averaged_curves,
    draw_tpr_by_order_statistics,
    limit_process_sd,
    limit_process_sups,
    table_curves,
)
from tests.oracles import definitions as oracles
from tests.strategies import samples

GRID = np.array([0.0, 0.1, 0.23, 0.3, 0.5, 0.95, 1.0])
ENGINES = {
    "table": lambda study, size: table_curves(study.cases.counts(0), GRID, ResamplePlan(size, 1)),
    "cases": lambda study, size: draw_averaged_curves(
        study.cases, [0], GRID, ResamplePlan(size, 1)
    ).values[:, 0],
}


def read(y, score, fpr):
    """The polygon of algorithm 1 at each rate, the top where it is vertical."""
    points = oracles.algorithm_1(y, score)
    x, height = points[:, 1] / points[-1, 1], points[:, 2] / points[-1, 2]
    inner = np.interp(fpr, x, height)
    return np.array(
        [
            height[np.abs(x - t) < 1e-9].max() if (np.abs(x - t) < 1e-9).any() else v
            for t, v in zip(fpr, inner, strict=True)
        ]
    )


def brute_draws(rng, y, score, size):
    pos, neg = score[y == 1], score[y == 0]
    labels = np.repeat([1, 0], [len(pos), len(neg)])
    return np.array(
        [
            read(labels, np.append(rng.choice(pos, len(pos)), rng.choice(neg, len(neg))), GRID)
            for _ in range(size)
        ]
    )


def assert_same_law(found, brute):
    found, brute = found.round(10), brute.round(10)  # many draws are equal but for rounding
    for g in range(len(GRID)):
        assert ks_2samp(found[:, g], brute[:, g]).pvalue > 0.001
    # the joint law: increments between rates, and the largest of them
    steps, brute_steps = np.diff(found, axis=1).round(9), np.diff(brute, axis=1).round(9)
    for g in range(len(GRID) - 1):
        assert ks_2samp(steps[:, g], brute_steps[:, g]).pvalue > 0.001
    assert ks_2samp(steps.max(axis=1), brute_steps.max(axis=1)).pvalue > 0.001
    assert (steps >= 0).all()


@pytest.fixture(scope="module", params=[0, 1, 8])
def drawn_by_hand(request):
    """A study of scores with so many decimals, and its curves drawn by brute force."""
    rng = np.random.default_rng(20040316)
    y = np.repeat([1, 0], [11, 14])
    score = np.round(rng.normal(size=25) + y, request.param)
    return rs.Study(y, score), brute_draws(rng, y, score, 2000)


@pytest.mark.parametrize("engine", ENGINES)
def test_curves_follow_brute_force(engine, drawn_by_hand):
    study, brute = drawn_by_hand
    assert_same_law(ENGINES[engine](study, 3000), brute)


def test_a_frequency_is_so_many_rows(rng):
    y = np.array([1, 1, 1, 0, 0, 0])
    score = np.array([3.0, 2, 1, 2, 1, 0])
    n = np.array([4, 3, 1, 2, 3, 5])
    found = curve_draws(
        rs.Study(y, score, frequency=n).cases, 0, GRID, ResamplePlan(3000, 1)
    ).values
    assert_same_law(found, brute_draws(rng, np.repeat(y, n), np.repeat(score, n), 2000))


def test_a_weight_is_what_a_drawn_case_counts(rng):
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    score = np.array([3.0, 2, 1, 2, 2, 1, 0, 1])
    weight = np.array([1, 3, 2, 1, 2, 1, 1, 4])
    found = curve_draws(
        rs.Study(y, score, sample_weight=weight).cases, 0, GRID, ResamplePlan(3000, 1)
    ).values
    brute = []
    for _ in range(2000):
        rows = np.append(rng.integers(0, 4, 4), rng.integers(4, 8, 4))
        brute.append(read(*(np.repeat(v[rows], weight[rows]) for v in (y, score)), fpr=GRID))
    assert_same_law(found, np.array(brute))


def test_clusters_are_drawn_whole(rng):
    y = rng.permutation(np.repeat([1, 0], [8, 12]))
    score = np.round(rng.normal(size=20) + y, 0)
    cluster = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    found = curve_draws(rs.Study(y, score, cluster=cluster).cases, 0, GRID, ResamplePlan(3000, 1))
    brute, n_redrawn = [], 0
    while len(brute) < 2000:
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in rng.integers(0, 8, 8)])
        if 0 < y[rows].sum() < len(rows):
            brute.append(read(y[rows], score[rows], GRID))
        else:
            n_redrawn += 1
    assert_same_law(found.values, np.array(brute))
    assert found.n_redrawn / 3000 == pytest.approx(n_redrawn / 2000, abs=0.01)


def test_resamples_of_clusters_without_a_class_are_drawn_again(rng):
    # Two clusters of one class each: half of the resamples hold one class only.
    study = rs.Study([1, 1, 0, 0], [4.0, 2, 3, 1], cluster=[1, 1, 2, 2])
    found = curve_draws(study.cases, 0, GRID, ResamplePlan(4000, 1))
    assert found.values.shape == (4000, len(GRID))
    assert found.n_redrawn / 4000 == pytest.approx(1, abs=0.1)
    assert (found.values == read([1, 1, 0, 0], np.array([4, 2, 3, 1]), GRID)).all()


def test_the_engine_goes_by_the_ties(rng):
    y = np.repeat([1, 0], [30, 40])
    smooth = rng.normal(size=70) + y
    few, one = np.round(smooth), smooth.copy()
    one[-1] = one[0]
    for score, engine in (
        (
            smooth,
            lambda study: draw_tpr_by_order_statistics(
                study.cases.counts(0), GRID, ResamplePlan(50, 1)
            ),
        ),
        (few, lambda study: table_curves(study.cases.counts(0), GRID, ResamplePlan(50, 1))),
        (
            one,
            lambda study: draw_averaged_curves(study.cases, [0], GRID, ResamplePlan(50, 1)).values[
                :, 0
            ],
        ),
    ):
        study = rs.Study(y, score)
        np.testing.assert_array_equal(
            curve_draws(study.cases, 0, GRID, ResamplePlan(50, 1)).values, engine(study)
        )


def test_steps_and_cases_have_one_law_without_ties(rng):
    y = np.repeat([1, 0], [30, 40])
    study = rs.Study(y, rng.normal(size=70) + y)
    assert_same_law(
        curve_draws(study.cases, 0, GRID, ResamplePlan(4000, 1)).values,
        draw_averaged_curves(study.cases, [0], GRID, ResamplePlan(4000, 2)).values[:, 0],
    )


@given(data=samples())
def test_draws_belong_to_the_seed_and_the_ranks(data):
    y, scores = data
    found = curve_draws(rs.Study(y, scores[0]).cases, 0, GRID, ResamplePlan(20, 3)).values
    moved = curve_draws(rs.Study(y, np.exp(scores[0])).cases, 0, GRID, ResamplePlan(20, 3)).values
    np.testing.assert_array_equal(found, moved)
    assert (found[:, -1] == 1).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_one_score_is_the_diagonal():
    found = curve_draws(rs.Study([1, 1, 0], [2.0, 2, 2]).cases, 0, GRID, ResamplePlan(10, 1)).values
    np.testing.assert_allclose(found, np.tile(GRID, (10, 1)), atol=1e-12)


def smooth_curve(t):
    """R(t) = sqrt(t) and its slope."""
    return np.sqrt(t), 0.5 / np.sqrt(t)


def test_the_limit_process_has_its_covariance(rng):
    # Cov G(s), G(t) = R(s)(1 - R(t))/m + r(s) r(t) s(1 - t)/n for s <= t, by its definition
    t = np.array([0.1, 0.2, 0.35, 0.6, 0.9])
    tpr, slope = smooth_curve(t)
    low, high = np.minimum.outer(t, t), np.maximum.outer(t, t)
    covariance = np.sqrt(low) * (1 - np.sqrt(high)) / 30
    covariance += np.outer(slope, slope) * low * (1 - high) / 50
    sd = limit_process_sd(t, tpr, slope, 30, 50)
    np.testing.assert_allclose(sd, np.sqrt(np.diag(covariance)), rtol=1e-12)
    paths = rng.multivariate_normal(np.zeros(5), covariance, size=20_000)
    expected = np.max(np.abs(paths) / np.sqrt(np.diag(covariance)), axis=1)
    found = limit_process_sups(t, tpr, slope, 30, 50, ResamplePlan(20_000, 1))
    assert ks_2samp(found, expected).pvalue > 0.001


def test_where_nothing_varies_no_path_moves():
    t = np.array([0.5, 1.0])
    ones, zeros = np.ones(2), np.zeros(2)
    assert limit_process_sups(t, ones, zeros, 5, 5, ResamplePlan(10, 1)).tolist() == [0] * 10
