"""Largest distances by blocks: against resampled cases, the law of a bridge, and multinomials."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.rotated import counts_of_straight_curve_pieces, turned_curve
from rocstats.estimate.resample import (
    LEAST_BLOCKS,
    ResamplePlan,
    block_starts,
    normal_counts,
    takes_blocks,
)
from rocstats.estimate.resample_bands import (
    BlockedCurve,
    RotatedCurveLookup,
    blocked_rotated_distances,
    farthest_rotated_distances,
    largest_of_bridges_between,
    rotated_curve_distances,
    rotated_sup_distances,
)

counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


@pytest.fixture(scope="module")
def many():
    """42,000 cases: some 16,800 straight pieces, barely enough for blocks."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 42_000)
    return rs.Study(y, y + rng.normal(size=len(y)))


@given(counts, st.integers(1, 12))
def test_blocks_have_at_most_their_share_but_for_single_heavy_cells(pairs, n_blocks):
    pos, neg = np.array(pairs, dtype=float).T
    if pos.sum() == 0 or neg.sum() == 0:
        return
    share = pos / pos.sum() + neg / neg.sum()
    starts = block_starts(share, n_blocks)
    assert starts[0] == 0
    assert np.all(np.diff(starts) > 0)
    for block in np.split(share, starts[1:]):
        heavy = block > 1 / n_blocks + 1e-9
        # A block ends with the cell that passes its share: less than half a share too much.
        assert (len(block) == 1) if heavy.any() else (block.sum() <= 3 / n_blocks + 1e-9)


@given(counts, st.integers(0, 2**32))
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


def test_shares_of_normal_counts_have_the_covariances_of_a_multinomial(rng):
    weight = np.array([40.0, 0, 10, 150])
    drawn = normal_counts(rng, weight, 40_000)
    shares = drawn / drawn.sum(axis=1, keepdims=True)
    p = weight / 200
    np.testing.assert_allclose(shares.mean(axis=0), p, atol=1e-3)
    np.testing.assert_allclose(np.cov(shares.T), (np.diag(p) - np.outer(p, p)) / 200, atol=3e-5)
    assert (drawn < 0).any()


def test_the_number_of_straight_pieces_decides(many):
    assert not takes_blocks(8 * LEAST_BLOCKS)
    assert takes_blocks(8 * LEAST_BLOCKS + 1)
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


def test_draws_are_of_the_seed_alone_and_go_on_as_resamples_are_added(many):
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
