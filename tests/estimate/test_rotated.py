"""Distances of bootstrap curves: against dense grids, and against all resamples enumerated."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.rotated import Rotation, turned_curve
from rocstats.estimate.resample import ResamplePlan, counted_cells, multinomial_cells, sup_quantile
from rocstats.estimate.resample_bands import (
    RotatedCurveLookup,
    farthest_rotated_distances,
    rotated_curves_on_grid,
    rotated_sup_distances,
)

cells = st.tuples(st.integers(0, 4), st.integers(0, 4))


@given(st.lists(st.tuples(cells, cells), min_size=2, max_size=8))
def test_largest_distance_is_that_of_a_dense_grid(pairs):
    observed, drawn = (np.array(side, dtype=float).T for side in zip(*pairs, strict=True))
    if not (observed.any(axis=1).all() and drawn.any(axis=1).all()):
        return
    rotation = Rotation(np.sqrt(observed[0].sum()), np.sqrt(observed[1].sum()))
    curve = turned_curve(*observed, rotation=rotation)
    looked_up = RotatedCurveLookup.of(curve)
    resample = turned_curve(*drawn[:, np.newaxis], rotation=rotation)
    grid = np.linspace(0, rotation.h_max, 5001)
    dense = np.abs(np.interp(grid, *curve) - np.interp(grid, resample[0][0], resample[1][0])).max()
    found = farthest_rotated_distances(resample, looked_up, both=True)[0]
    assert dense <= found + 1e-12
    # lam has slopes of at most 1/2
    assert found <= dense + rotation.h_max / 5000
    mixed = [(counts > 0).all(axis=0) for counts in (observed, drawn)]
    if not np.any(mixed):
        assert farthest_rotated_distances(resample, looked_up, both=False)[0] == pytest.approx(
            found, abs=1e-12
        )


def distance_by_grid(y, score, drawn, weights=None):
    """The largest distance in lam of a resample's curve, on a dense grid of h, from raw scores."""
    y, score = np.asarray(y), np.asarray(score, float)
    m, n = y.sum(), len(y) - y.sum()
    grid = np.linspace(0, np.sqrt(m) + np.sqrt(n), 4001)

    def lam(rows):
        labels, values = y[rows], score[rows]
        at = np.unique(values)[::-1]
        tpr = np.concatenate([[0], [(values[labels == 1] >= c).mean() for c in at]])
        fpr = np.concatenate([[0], [(values[labels == 0] >= c).mean() for c in at]])
        h = fpr * np.sqrt(n) + tpr * np.sqrt(m)
        return np.interp(grid, h, (tpr * np.sqrt(m) - fpr * np.sqrt(n)) / 2)

    return np.abs(lam(np.arange(len(y))) - lam(np.asarray(drawn))).max()


@pytest.mark.parametrize("score", [[5, 3, 2, 4, 1], [3, 2, 2, 2, 1], [2, 2, 1, 2, 1]])
def test_law_of_the_distances_is_that_of_all_resamples(score):
    y = np.array([1, 1, 1, 0, 0])
    every = [
        distance_by_grid(y, score, [*pos, *neg])
        for pos in product(range(3), repeat=3)
        for neg in product(range(3, 5), repeat=2)
    ]
    draws = rotated_sup_distances(rs.Study(y, score).cases, 0, ResamplePlan(20_000, 7))
    for level in np.unique(np.round(every, 3))[:-1] + 0.02:
        share = np.mean(np.array(every) <= level)
        assert np.mean(draws <= level) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(20_000))


def test_law_of_the_distances_with_clusters_is_that_of_all_resamples_of_clusters():
    y = np.array([1, 0, 1, 1, 0, 0, 1])
    score = np.array([5.0, 3, 2, 4, 4, 1, 2])
    cluster = np.array([0, 0, 1, 1, 1, 2, 2])
    every = []
    for chosen in product(range(3), repeat=3):
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in chosen])
        every.append(distance_by_grid(y, score, rows))
    draws = rotated_sup_distances(
        rs.Study(y, score, cluster=cluster).cases, 0, ResamplePlan(20_000, 8)
    )
    for level in np.unique(np.round(every, 3))[:-1] + 0.02:
        share = np.mean(np.array(every) <= level)
        assert np.mean(draws <= level) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(20_000))


def test_resamples_of_clusters_without_a_class_are_drawn_again():
    study = rs.Study([1, 0, 0, 0], [2.0, 1, 3, 0], cluster=[0, 1, 2, 3])
    assert np.all(np.isfinite(rotated_sup_distances(study.cases, 0, ResamplePlan(500, 1))))


@pytest.mark.parametrize("draw", [counted_cells, multinomial_cells])
def test_cells_have_the_means_and_variances_of_a_multinomial(draw, rng):
    weight = np.array([4.0, 0, 1, 5])
    drawn = draw(rng, weight, 20_000)
    assert np.all(drawn.sum(axis=1) == 10)
    share = weight / 10
    np.testing.assert_allclose(drawn.mean(axis=0), weight, atol=0.05)
    np.testing.assert_allclose(drawn.var(axis=0), 10 * share * (1 - share), atol=0.1)


def test_frequencies_draw_as_replicated_rows_in_law():
    y, score, times = [1, 1, 0, 0, 0], [3.0, 1, 2, 1, 0], [2, 3, 1, 2, 3]
    counted = rotated_sup_distances(
        rs.Study(y, score, frequency=times).cases, 0, ResamplePlan(20_000, 3)
    )
    rows = rotated_sup_distances(
        rs.Study(np.repeat(y, times), np.repeat(score, times)).cases, 0, ResamplePlan(20_000, 4)
    )
    assert counted.mean() == pytest.approx(rows.mean(), abs=4 * rows.std() * np.sqrt(2 / 20_000))
    assert sup_quantile(counted, 0.9) == pytest.approx(sup_quantile(rows, 0.9), rel=0.03)


def test_distances_do_not_depend_on_the_scale_of_the_scores(rng):
    y, score = np.repeat([1, 0], 15), rng.normal(size=30)
    plain = rotated_sup_distances(rs.Study(y, score).cases, 0, ResamplePlan(200, 1))
    moved = rotated_sup_distances(rs.Study(y, np.exp(3 * score)).cases, 0, ResamplePlan(200, 1))
    np.testing.assert_array_equal(plain, moved)


def test_curves_on_a_grid_are_those_of_one_by_one(rng):
    pos, neg = rng.integers(0, 4, size=(2, 50, 9)) + 1
    h, lam = turned_curve(pos, neg, Rotation(3.0, 2.0))
    grid = np.linspace(0, 5, 37)
    expected = [np.interp(grid, *row) for row in zip(h, lam, strict=True)]
    np.testing.assert_allclose(rotated_curves_on_grid(h, lam, grid), expected, atol=1e-11)


@pytest.mark.parametrize(("b", "level", "rank"), [(99, 0.95, 95), (399, 0.95, 380), (20, 0.99, 20)])
def test_quantile_of_a_supremum_is_an_order_statistic(b, level, rank, rng):
    distances = rng.permutation(b) + 1.0
    assert sup_quantile(distances, level) == rank
