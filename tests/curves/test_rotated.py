"""Rotated coordinates: there and back, corners, and bands read at false positive rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.rotated import (
    Rotation,
    counts_of_straight_curve_pieces,
    tpr_limits_of_fixed_width_band,
    tpr_limits_of_rotated_band,
    turned_curve,
)
from rocstats.study.count_tables import ScoreCounts
from tests import examples

tables = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=2, max_size=12
).filter(lambda cells: all(np.sum(cells, axis=0) > 0))


def counts_of(cells):
    pos, neg = np.array(cells, dtype=float).T
    return ScoreCounts(np.arange(len(cells), 0.0, -1), pos, neg)


def d1():
    return rs.Study(examples.Y, examples.D1).cases.counts(0)


# docs/methods/bands.md, "Worked rotated band": vertices of D1, the point at half of h, and the band
# points for delta = .3
def test_d1_as_the_method_text_works_it_out():
    counts = d1()
    rotation = Rotation.of(counts)
    h, lam = turned_curve(counts.n_pos, counts.n_neg, rotation)
    fpr, tpr = rotation.back(h, lam)
    np.testing.assert_allclose(
        fpr, [0, 0, 0, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9, 1], atol=1e-12
    )
    np.testing.assert_allclose(
        tpr, [0, 0.125, 0.375, 0.5, 0.5, 0.625, 0.875, 0.875, 1, 1, 1, 1, 1], atol=1e-12
    )
    middle = rotation.h_max / 2
    assert middle == pytest.approx(2.9953523925, abs=1e-10)
    at_middle = np.interp(middle, h, lam)
    assert at_middle == pytest.approx(0.6813154089, abs=1e-10)
    points = [rotation.back(middle, at_middle + d) for d in (0.0, 0.3, -0.3)]
    printed = [
        (0.2581559480, 0.7703898701),
        (0.1632876182, 0.8764558873),
        (0.3530242778, 0.6643238529),
    ]
    np.testing.assert_allclose(points, printed, atol=1e-10)


@given(tables)
def test_corners_leave_the_curve_as_it_is(cells):
    counts = counts_of(cells)
    rotation = Rotation.of(counts)
    of_score, pos, neg = counts_of_straight_curve_pieces(counts)
    np.testing.assert_array_equal(np.bincount(of_score, counts.n_pos), pos)
    np.testing.assert_array_equal(np.bincount(of_score, counts.n_neg), neg)
    h, lam = turned_curve(counts.n_pos, counts.n_neg, rotation)
    corners = turned_curve(pos, neg, rotation)
    np.testing.assert_allclose(np.interp(h, *corners), lam, atol=1e-12)
    single = (pos == 0) | (neg == 0)
    assert not np.any(single[1:] & single[:-1] & ((pos[1:] > 0) == (pos[:-1] > 0)))


@given(tables, st.floats(0, 1.5))
def test_shifted_and_rotated_readings_of_a_fixed_width_agree(cells, half_width):
    counts = counts_of(cells)
    rotation = Rotation.of(counts)
    h, lam = turned_curve(counts.n_pos, counts.n_neg, rotation)
    fine = np.union1d(h, np.linspace(0, rotation.h_max, 4001))
    at = np.array([0.05123, 0.2117, 0.5031, 0.7719, 0.9613])
    low, high = tpr_limits_of_fixed_width_band(counts, rotation, half_width, at)
    curve = np.interp(fine, h, lam)
    also = tpr_limits_of_rotated_band(rotation, fine, curve - half_width, curve + half_width, at)
    # where an edge is steep, the grid in h turns into an error in TPR
    reach = 2 * rotation.h_max / 4000 / rotation.root_pos + 1e-9
    for mine, other in zip((low, high), also, strict=True):
        steep = np.array([_steepness(counts, rotation, half_width, t) for t in at])
        np.testing.assert_allclose(mine[~steep], other[~steep], atol=5 * reach)
    assert np.all(low <= high + 1e-12)


def _steepness(counts, rotation, half_width, t):
    """Whether a vertical step of an edge stands within the grid's reach of t."""
    near = 3 * rotation.h_max / 4000 / rotation.root_neg + 1e-6
    edges = [t + sign * half_width / rotation.root_neg for sign in (-1, 1)]
    fpr = np.concatenate([[0.0], np.cumsum(counts.n_neg)]) / counts.total_neg
    return any(np.min(np.abs(fpr - edge)) < near for edge in edges)


@given(tables, st.floats(0.01, 1.5))
def test_swapping_the_classes_reflects_the_band(cells, half_width):
    counts = counts_of(cells)
    swapped = ScoreCounts(counts.score, counts.n_neg[::-1], counts.n_pos[::-1])
    at = np.linspace(0, 1, 41)
    low, high = tpr_limits_of_fixed_width_band(counts, Rotation.of(counts), half_width, at)
    # (f, t) is in the band iff (1 - t, 1 - f) is in that of the swapped classes
    inside = (low[:, None] < at - 1e-9) & (at + 1e-9 < high[:, None])
    low, high = tpr_limits_of_fixed_width_band(swapped, Rotation.of(swapped), half_width, at)
    outside = (at < low[:, None] - 1e-9) | (at > high[:, None] + 1e-9)
    assert not np.any(inside & outside[::-1, ::-1].T)


def test_readings_take_the_bottom_of_the_lower_and_the_top_of_the_upper_step():
    counts = counts_of([(1, 0), (0, 1), (1, 0), (0, 1)])
    low, high = tpr_limits_of_fixed_width_band(
        counts, Rotation.of(counts), 0.0, np.array([0.0, 0.5, 1.0])
    )
    np.testing.assert_array_equal(low, [0.0, 0.5, 1.0])
    np.testing.assert_array_equal(high, [0.5, 1.0, 1.0])


def test_limits_are_clipped_to_the_square():
    rotation = Rotation(3.0, 2.0)
    h = np.linspace(0, 5, 11)
    for far in (-100.0, 100.0):
        fpr, tpr = rotation.back(h, rotation.clip(h, np.full(11, far)))
        assert np.all((fpr >= -1e-12) & (fpr <= 1 + 1e-12))
        assert np.all((tpr >= -1e-12) & (tpr <= 1 + 1e-12))
