"""Curves of drawn bins with bridges inside, against curves whose cases are placed."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.rotated import Rotation
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_bands import chord_rotated_curves, stratified_rotated_curves
from rocstats.estimate.smoothed_band import score_bins, smoothed_band_takes_chords

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


def test_ends_are_fixed_and_draws_are_of_the_seed_alone():
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


def test_the_length_of_the_curve_decides():
    rng = np.random.default_rng(1)
    y = np.arange(20_200) % 2
    scores = y + rng.normal(size=len(y))
    for kept, tied, expected in (
        (20_200, False, True),
        (19_000, False, False),
        (20_200, True, False),
    ):
        score = np.round(scores[:kept]) if tied else scores[:kept]
        counts = rs.Study(y[:kept], score).cases.counts(0)
        rotation = Rotation.of(counts)
        assert smoothed_band_takes_chords(score_bins(counts, rotation), rotation) == expected
    many = rs.Study(y, scores)
    asked = {"n_resamples": 100, "rng": 1, "at": [0.1, 0.5]}
    assert set(many.roc_band("smoothed-score", **asked)["note"]) == {"blocked-resamples"}
