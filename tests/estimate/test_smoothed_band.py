"""The smoothed-score band against the figures of its methods page, and by brute force."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.rotated import Rotation, tpr_limits_of_rotated_band, turned_curve
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_bands import clustered_rotated_curves, stratified_rotated_curves
from rocstats.estimate.smoothed_band import (
    GRID_SIZE,
    SmoothedBandCalibration,
    local_variance_of_rotated_curve,
    scaled_distances,
    score_bins,
    smoothed_band_takes_chords,
    smoothed_score_limits,
    solve_smoothed_band_limits,
)
from tests import examples


@pytest.fixture
def d1():
    return rs.Study(examples.Y, examples.D1)


def parts(study):
    counts = study.cases.counts(0)
    rotation = Rotation.of(counts)
    grid = np.arange(GRID_SIZE) * rotation.h_max / 400
    bins = score_bins(counts, rotation)
    observed = np.interp(grid, *turned_curve(counts.n_pos, counts.n_neg, rotation))
    model = np.interp(grid, *turned_curve(bins.smoothed_pos, bins.smoothed_neg, rotation))
    return grid, bins, observed, model, local_variance_of_rotated_curve(grid, model, rotation)


# docs/methods/smoothed-band.md, "Worked smoothed band"
def test_bins_of_d1(d1):
    _, bins, _, _, _ = parts(d1)
    np.testing.assert_array_equal(bins.n_pos, [4, 1, 2, 1])
    np.testing.assert_array_equal(bins.n_neg, [1, 1, 1, 7])
    np.testing.assert_array_equal(bins.tied, [False, True, True, False])
    printed_pos = [3.6621670112, 0.9788854382, 1.8733126292, 1.4856349214]
    printed_neg = [1.3147573033, 1.0196723315, 1.1180339888, 6.5475363765]
    np.testing.assert_allclose(bins.smoothed_pos, printed_pos, atol=1e-10)
    np.testing.assert_allclose(bins.smoothed_neg, printed_neg, atol=1e-10)
    tpr, fpr = (np.cumsum(c) / c.sum() for c in (bins.smoothed_pos, bins.smoothed_neg))
    np.testing.assert_allclose(tpr, [0.4577708764, 0.5801315562, 0.8142956348, 1], atol=1e-10)
    np.testing.assert_allclose(fpr, [0.1314757303, 0.2334429635, 0.3452463624, 1], atol=1e-10)


def test_variance_at_the_middle_of_d1(d1):
    grid, _, observed, model, local = parts(d1)
    at = 200
    found = [grid[at], observed[at], model[at], local.c0[at], local.c1[at], local.c2[at]]
    printed = [2.9953523925, 0.6813154089, 0.5449802028, 0.1251004025, -0.0095589274, -0.0572647122]
    assert found == pytest.approx(printed, abs=1e-10)
    assert local.at(model)[at] == pytest.approx(0.1028831608, abs=1e-10)
    assert local.at(observed)[at] == pytest.approx(0.0920060119, abs=1e-10)
    np.testing.assert_allclose(model[[100, 300]], [0.3848126671, 0.2788589723], atol=1e-10)
    # c2 = -(w1^2/m + w0^2/n) with w0 = 1 - w1
    for place, w1 in ((200, 0.5316009227), (100, 0.3355690490), (300, 0.6817113599)):
        assert local.c2[place] == pytest.approx(-(w1**2 / 8 + (1 - w1) ** 2 / 10), abs=1e-10)


def test_limits_of_d1_with_a_variance_put_in_by_hand(d1):
    _, _, observed, model, local = parts(d1)
    by_hand = SmoothedBandCalibration(np.full(GRID_SIZE, 0.1), 0.036, 2.5)
    low, high = solve_smoothed_band_limits(observed, model, local, by_hand)
    assert low[200] == pytest.approx(-0.2470802595, abs=1e-10)
    assert high[200] == pytest.approx(1.4952564387, abs=1e-10)
    rotation = Rotation.of(d1.cases.counts(0))
    middle = np.full(2, rotation.h_max / 2)
    clipped = rotation.clip(middle, np.array([low[200], high[200]]))
    assert clipped[1] == pytest.approx(1.3307509285, abs=1e-10)
    fpr, tpr = rotation.back(middle, clipped)
    np.testing.assert_allclose(fpr, [0.5517404362, 0.0527864045], atol=1e-10)
    np.testing.assert_allclose(tpr, [0.4421524337, 1.0], atol=1e-10)


@pytest.mark.parametrize(
    ("drawn", "ratio"), [(0.5, 0.1211384073), (1.0, 1.3767246158), (0.0, 1.4102843676)]
)
def test_scaled_distance_of_one_draw_at_the_middle_of_d1(d1, drawn, ratio):
    _, _, _, model, local = parts(d1)
    draw = model.copy()
    draw[200] = drawn
    found = scaled_distances(draw[np.newaxis], model, local, np.full(GRID_SIZE, 0.1), 0.036)
    assert found[0] == pytest.approx(ratio, abs=1e-10)


def limits_of(y, score, n_resamples=300, key=3, **roles):
    cases = rs.Study(y, score, **roles).cases
    return smoothed_score_limits(cases, 0, 0.95, ResamplePlan(n_resamples, key))


def test_random_part_of_d1(d1):
    h, low, high = limits_of(examples.Y, examples.D1, 20_000, 11)
    rotation = Rotation.of(d1.cases.counts(0))
    low, high = tpr_limits_of_rotated_band(rotation, h, low, high, np.arange(1, 100) / 100)
    assert np.mean(high - low) == pytest.approx(0.551, abs=0.004)
    named = [9, 29, 49, 69]  # rates .1, .3, .5 and .7
    np.testing.assert_allclose(low[named], [0, 0.273, 0.471, 0.7355], atol=0.006)
    np.testing.assert_array_equal(high[named], 1)


def brute_force_curve(rng, bins, m, n, grid):
    """Step 4 of the recipe word for word: positions, sorted, equal ones a sloped piece."""
    places = []
    for weight, size in ((bins.smoothed_pos, m), (bins.smoothed_neg, n)):
        drawn = rng.choice(len(weight), size=size, p=weight / weight.sum())
        inside = np.where(bins.tied[drawn], 0.5, rng.random(size))
        places.append(drawn + inside)
    at = np.unique(np.concatenate(places))
    tpr, fpr = (np.concatenate([[0], (p[:, np.newaxis] <= at).mean(axis=0)]) for p in places)
    h = fpr * np.sqrt(n) + tpr * np.sqrt(m)
    return np.interp(grid, h, (tpr * np.sqrt(m) - fpr * np.sqrt(n)) / 2)


@pytest.mark.slow
def test_curves_have_the_law_of_the_recipe(d1, rng):
    grid, bins, _, _, _ = parts(d1)
    grid = grid[50:400:50]
    size = 6000
    engine = stratified_rotated_curves(
        bins.smoothed_pos, bins.smoothed_neg, bins.tied, grid, ResamplePlan(size, 5)
    )
    plain = np.array([brute_force_curve(rng, bins, 8, 10, grid) for _ in range(size)])
    error = plain.std(axis=0) * np.sqrt(2 / size)
    assert np.all(np.abs(engine.mean(axis=0) - plain.mean(axis=0)) < 4 * error)
    np.testing.assert_allclose(engine.std(axis=0), plain.std(axis=0), rtol=4 / np.sqrt(size))
    np.testing.assert_allclose(np.corrcoef(engine.T), np.corrcoef(plain.T), atol=4 / np.sqrt(size))


@pytest.mark.slow
def test_clusters_of_one_give_the_law_of_cases_drawn_together(d1):
    """Class sizes vary then: the spread grows by no more than that, and the mean stays."""
    study = rs.Study(examples.Y, examples.D1, cluster=np.arange(18))
    grid, bins, _, _, _ = parts(d1)
    codes = bins.of_score.take(study.cases.codes(0))
    drawn = clustered_rotated_curves(
        study.cases, codes, bins.pseudo, bins.tied, 2.0, grid[100:400:100], ResamplePlan(4000, 5)
    )
    apart = stratified_rotated_curves(
        bins.smoothed_pos, bins.smoothed_neg, bins.tied, grid[100:400:100], ResamplePlan(4000, 6)
    )
    error = apart.std(axis=0) / np.sqrt(2000)
    assert np.all(np.abs(drawn.mean(axis=0) - apart.mean(axis=0)) < 5 * error)
    assert np.all(drawn.std(axis=0) > 0.9 * apart.std(axis=0))
    assert np.all(drawn.std(axis=0) < 1.4 * apart.std(axis=0))


def test_band_does_not_depend_on_the_scale_of_the_scores(rng):
    y, score = np.repeat([1, 0], [20, 30]), rng.normal(size=50).round(1)
    np.testing.assert_array_equal(limits_of(y, score), limits_of(y, np.exp(score)))


def test_frequencies_are_replicated_rows():
    y, score, times = [1, 1, 0, 0, 0, 1], [3.0, 1, 2, 1, 0, 5], [2, 3, 1, 2, 3, 1]
    rows = limits_of(np.repeat(y, times), np.repeat(score, times))
    np.testing.assert_array_equal(limits_of(y, score, frequency=times), rows)


def test_one_distinct_score_has_no_band():
    assert limits_of([1, 1, 0, 0, 0], [1.0] * 5) is None


def test_first_bin_holds_both_classes_and_short_ends_are_merged():
    # 6 positives on top: the first bin goes on to the first negative; the end has no positive
    study = rs.Study([1] * 6 + [0] * 6, np.arange(12.0)[::-1])
    bins = score_bins(study.cases.counts(0), Rotation.of(study.cases.counts(0)))
    assert len(bins.n_pos) == 1
    assert bins.n_pos[0] == bins.n_neg[0] == 6


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
