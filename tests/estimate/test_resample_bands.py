"""Distances of resampled curves: dense grids, all resamples enumerated, blocks, chords in bins."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.rotated import Rotation, counts_of_straight_curve_pieces, turned_curve
from rocstats.estimate.resample import (
    ResamplePlan,
    sup_quantile,
)
from rocstats.estimate.resample_bands import (
    BlockedCurve,
    RotatedCurveLookup,
    blocked_rotated_distances,
    chord_rotated_curves,
    farthest_rotated_distances,
    largest_of_bridges_between,
    rotated_curve_distances,
    rotated_curves_on_grid,
    rotated_sup_distances,
    stratified_rotated_curves,
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


def distance_by_grid(y, score, drawn):
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


def distances(y, score, n_resamples, key, **roles):
    plan = ResamplePlan(n_resamples, key)
    return rotated_sup_distances(rs.Study(y, score, **roles).cases, 0, plan)


def require_law(y, score, rows, **roles):
    """Distances of drawn resamples have the distribution of those of all resamples."""
    every = np.array([distance_by_grid(y, score, drawn) for drawn in rows])
    draws = distances(y, score, 20_000, 7, **roles)
    for level in np.unique(np.round(every, 3))[:-1] + 0.02:
        share = np.mean(every <= level)
        assert np.mean(draws <= level) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize("score", [[5, 3, 2, 4, 1], [3, 2, 2, 2, 1], [2, 2, 1, 2, 1]])
def test_law_of_the_distances_is_that_of_all_resamples(score):
    y = np.array([1, 1, 1, 0, 0])
    resamples = product(product(range(3), repeat=3), product(range(3, 5), repeat=2))
    require_law(y, score, [[*pos, *neg] for pos, neg in resamples])


def test_law_of_the_distances_with_clusters_is_that_of_all_resamples_of_clusters():
    y = np.array([1, 0, 1, 1, 0, 0, 1])
    score = np.array([5.0, 3, 2, 4, 4, 1, 2])
    cluster = np.array([0, 0, 1, 1, 1, 2, 2])
    rows = [
        np.concatenate([np.flatnonzero(cluster == c) for c in chosen])
        for chosen in product(range(3), repeat=3)
    ]
    require_law(y, score, rows, cluster=cluster)


def test_resamples_of_clusters_without_a_class_are_drawn_again():
    drawn = distances([1, 0, 0, 0], [2.0, 1, 3, 0], 500, 1, cluster=[0, 1, 2, 3])
    assert np.all(np.isfinite(drawn))


def test_frequencies_draw_as_replicated_rows_in_law():
    y, score, times = [1, 1, 0, 0, 0], [3.0, 1, 2, 1, 0], [2, 3, 1, 2, 3]
    counted = distances(y, score, 20_000, 3, frequency=times)
    rows = distances(np.repeat(y, times), np.repeat(score, times), 20_000, 4)
    assert counted.mean() == pytest.approx(rows.mean(), abs=4 * rows.std() * np.sqrt(2 / 20_000))
    assert sup_quantile(counted, 0.9) == pytest.approx(sup_quantile(rows, 0.9), rel=0.03)


def test_distances_do_not_depend_on_the_scale_of_the_scores(rng):
    y, score = np.repeat([1, 0], 15), rng.normal(size=30)
    moved = distances(y, np.exp(3 * score), 200, 1)
    np.testing.assert_array_equal(distances(y, score, 200, 1), moved)


def test_curves_on_a_grid_are_those_of_one_by_one(rng):
    pos, neg = rng.integers(0, 4, size=(2, 50, 9)) + 1
    h, lam = turned_curve(pos, neg, Rotation(3.0, 2.0))
    grid = np.linspace(0, 5, 37)
    expected = [np.interp(grid, *row) for row in zip(h, lam, strict=True)]
    np.testing.assert_allclose(rotated_curves_on_grid(h, lam, grid), expected, atol=1e-11)


tables = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


@pytest.fixture(scope="module")
def many():
    """42,000 cases: some 16,800 straight pieces, barely enough for blocks."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 42_000)
    return rs.Study(y, y + rng.normal(size=len(y)))


@given(tables, st.integers(0, 2**32))
def test_blocks_of_single_pieces_find_the_distance_of_the_cases(pairs, seed):
    """All pieces of a small curve are heavy: each is a block, which leaves nothing to a bridge."""
    pos, neg = np.array([pair for pair in pairs if any(pair)] or [(0, 0)], dtype=float).T
    if pos.sum() == 0 or neg.sum() == 0:
        return
    rng = np.random.default_rng(seed)
    of_pos, of_neg = (rng.multinomial(int(of.sum()), of / of.sum(), size=5) for of in (pos, neg))
    blocked = BlockedCurve.of(pos, neg)
    assert len(blocked.starts) == len(pos)
    resamples = turned_curve(of_pos, of_neg, blocked.rotation)
    exact = farthest_rotated_distances(resamples, blocked.curve, both=True)
    found = blocked.largest(of_pos, of_neg, rng)
    # lam is read between steps of 1/256. Only corners of the sample that a resampled tie has moved
    # over are not looked at: there are none without ties of both classes.
    assert np.all(found <= exact + 2 * RotatedCurveLookup.error)
    if not np.any((pos > 0) & (neg > 0)):
        np.testing.assert_allclose(found, exact, atol=2 * RotatedCurveLookup.error)


def test_curve_between_steps_is_linear_and_ends_with_its_ends():
    curve = RotatedCurveLookup.of((np.array([0.0, 3.0, 5.0]), np.array([0.0, 1.5, 0.5])))
    h = np.array([-1.0, 0.0, 1.001, 2.5, 4.2, 5.0, 9.0])
    expected = np.interp(h, curve.h, curve.lam)
    np.testing.assert_allclose(curve.between(h), expected, atol=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.4), (-0.3, -0.5), (0.4, 0.4)])
def test_largest_of_a_bridge_has_its_law(a, b):
    """Against random walks of 500 steps tied down at both ends."""
    rng = np.random.default_rng(3)
    walk = np.cumsum(rng.normal(scale=0.1 / np.sqrt(500), size=(2000, 500)), axis=1)
    time = np.arange(1, 501) / 500
    bridge = a + (b - a) * time + walk - time * walk[:, -1:]
    by_hand = np.maximum(np.abs(bridge).max(axis=1), abs(a))
    distance = np.broadcast_to([a, b], (40_000, 2))
    found = largest_of_bridges_between(distance, np.array([0.1]), rng)
    # A walk of 500 steps misses .58 of a step on average (Asmussen, Glynn & Pitman 1995).
    missed = 0.5826 * 0.1 / np.sqrt(500)
    for p in (0.25, 0.5, 0.9):
        error = 4 * 0.05 * np.sqrt(p * (1 - p) / 2000) / 0.3
        assert np.quantile(found, p) == pytest.approx(np.quantile(by_hand, p) + missed, abs=error)
    assert np.all(found >= max(abs(a), abs(b)))


def test_gaps_without_spread_keep_their_ends():
    distance = np.array([[0.0, -0.4, 0.3], [0.0, 0.1, 0.2]])
    found = largest_of_bridges_between(distance, np.zeros(2), np.random.default_rng(1))
    assert found.tolist() == [0.4, 0.2]


def test_the_number_of_straight_pieces_decides_between_blocks_and_cases(many):
    y, score = many.is_positive, many.scores[0]
    few = rs.Study(y[:40_000], score[:40_000])
    plan = ResamplePlan(5, 1)
    drawn, blocked = rotated_curve_distances(few.cases, 0, plan)
    assert not blocked
    np.testing.assert_array_equal(drawn, rotated_sup_distances(few.cases, 0, plan))
    clustered = rs.Study(y, score, cluster=np.arange(len(y)) // 2)
    assert not rotated_curve_distances(clustered.cases, 0, plan)[1]
    assert rotated_curve_distances(many.cases, 0, plan)[1]


def test_blocks_have_the_law_of_resampled_cases(many):
    _, pos, neg = counts_of_straight_curve_pieces(many.cases.counts(0))
    blocked = blocked_rotated_distances(pos, neg, ResamplePlan(900, 5))
    full = rotated_sup_distances(many.cases, 0, ResamplePlan(100, 6))
    se = np.hypot(blocked.std() / 30, full.std() / 10)
    assert blocked.mean() == pytest.approx(full.mean(), abs=0.003 * full.mean() + 4 * se)


def test_distances_by_blocks_are_of_the_seed_alone_and_go_on(many):
    _, pos, neg = counts_of_straight_curve_pieces(many.cases.counts(0))
    few, more = (blocked_rotated_distances(pos, neg, ResamplePlan(b, 5)) for b in (50, 120))
    np.testing.assert_array_equal(few, more[:50])
    assert (blocked_rotated_distances(pos, neg, ResamplePlan(50, 6)) != few).all()


def test_heavy_ties_are_measured_at_their_corners():
    """Half of the cases in ten tied scores: the sample's corners may be the farthest."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 9000)
    score = y + rng.normal(size=len(y))
    score = np.where(rng.random(len(y)) < 0.5, np.round(score), score)
    _, pos, neg = counts_of_straight_curve_pieces(rs.Study(y, score).cases.counts(0))
    blocked = BlockedCurve.of(pos, neg)
    assert 10 <= len(blocked.corners) <= 40
    assert np.all(np.isin(blocked.corners, blocked.curve.h))
    assert np.all(blocked.spread[(np.diff(blocked.starts, append=len(pos)) < 8)] == 0)


TIED = np.array([False, True, False, False])
POS, NEG = np.array([120.0, 160, 360, 160]), np.array([80.0, 640, 360, 120])
ROTATION = Rotation(np.sqrt(800), np.sqrt(1200))
GRID = np.linspace(0, ROTATION.h_max, 41)
"""Some ten points share a bin, so that deviations of neighbours depend on each other."""


@pytest.fixture(scope="module")
def drawn():
    return [
        draw(POS, NEG, TIED, GRID, ResamplePlan(1000, key))
        for draw, key in ((stratified_rotated_curves, 1), (chord_rotated_curves, 2))
    ]


def test_curves_have_the_means_and_covariances_of_placed_cases(drawn):
    placed, chords = drawn
    sd = placed.std(axis=0)
    np.testing.assert_allclose(
        chords.mean(axis=0), placed.mean(axis=0), atol=4 * sd.max() * np.sqrt(2 / 1000)
    )
    # Entries of a covariance of variances up to v have standard errors of up to v sqrt(2/1000).
    covariances = [np.cov(curves[:, 1:-1].T) for curves in (placed, chords)]
    np.testing.assert_allclose(*covariances, atol=4 * sd.max() ** 2 * 2 / np.sqrt(1000))


def test_neighbours_in_a_bin_differ_as_those_of_placed_cases(drawn):
    placed, chords = (np.diff(curves, axis=1).std(axis=0)[2:-2] for curves in drawn)
    # A curve of cases is a staircase, which moves a little more from point to point.
    np.testing.assert_allclose(chords, placed, rtol=0.12)


def test_ends_of_chords_are_fixed_and_draws_are_of_the_seed_alone():
    few, more = (chord_rotated_curves(POS, NEG, TIED, GRID, ResamplePlan(b, 5)) for b in (50, 150))
    np.testing.assert_array_equal(few, more[:50])
    np.testing.assert_allclose(few[:, 0], 0, atol=1e-9)
    np.testing.assert_allclose(few[:, -1], (ROTATION.root_pos - ROTATION.root_neg) / 2)


def test_tied_bins_are_straight():
    curves = chord_rotated_curves(
        np.array([500.0, 500]), np.array([500.0, 500]), np.array([True, True]),
        np.linspace(0, 2 * np.sqrt(1000), 201), ResamplePlan(50, 1),
    )  # fmt: skip
    assert (np.abs(np.diff(curves, 2, axis=1)) > 1e-9).sum(axis=1).max() <= 2
