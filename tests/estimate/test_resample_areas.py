"""The engines against each other and against the closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import ks_2samp

import rocstats as rs
from rocstats.estimate import resample_areas as table
from rocstats.estimate.area_variances import (
    ideal_bootstrap_area_covariance,
    ideal_bootstrap_area_variance,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import (
    N_BLOCKS,
    blocked_areas,
    blocked_shortfall,
    draw_areas,
    draw_areas_of_units,
    draw_stratified_areas,
    engine_for_bootstrap_areas,
    table_areas,
)
from tests.oracles import definitions as oracles

B = 20_000


def study_of(rng, m, n, digits, **roles):
    y = np.repeat([1, 0], [m, n])
    score = np.round(rng.normal(size=m + n) + y, digits)
    return rs.Study(y, score, **roles)


def agrees(draws, mean, variance):
    """Mean and variance within 4 Monte-Carlo standard errors (and rounding) of the closed form."""
    size, rounding = len(draws), 1e-12
    fourth = np.mean((draws - draws.mean()) ** 4)
    noise = np.sqrt(max(fourth - variance**2, 0) / size)
    return (
        abs(draws.mean() - mean) <= 4 * np.sqrt(variance / size) + rounding
        and abs(draws.var() - variance) <= 4 * noise + rounding
    )


@pytest.mark.parametrize(("m", "n"), [(8, 10), (30, 12), (1, 20), (25, 1), (200, 60)])
@pytest.mark.parametrize("digits", [0, 1, 6])
def test_stratified_engines_have_the_closed_moments(rng, m, n, digits):
    study = study_of(rng, m, n, digits)
    counts = study.cases.counts(0)
    mean, variance = (
        study.auc()["estimate"][0],
        ideal_bootstrap_area_variance(counts),
    )
    for draws in (
        draw_stratified_areas(study.cases, [0], ResamplePlan(B, 1))[0],
        table_areas(counts, ResamplePlan(B, 2)),
        draw_areas_of_units(study.cases, [0], ResamplePlan(B, 3)).values[0],
    ):
        assert agrees(draws, mean, variance)


def test_engines_agree_in_law(rng):
    study = study_of(rng, 40, 25, 1)
    counted = draw_stratified_areas(study.cases, [0], ResamplePlan(B, 1))[0]
    for other in (
        table_areas(study.cases.counts(0), ResamplePlan(B, 2)),
        draw_areas_of_units(study.cases, [0], ResamplePlan(B, 3)).values[0],
    ):
        assert ks_2samp(counted, other).pvalue > 0.001


def test_shared_weights_give_the_closed_covariance(rng):
    y = np.repeat([1, 0], [25, 35])
    scores = np.round(rng.normal(size=(3, 60)) + rng.normal(size=60) + y, 1)
    study = rs.Study(y, scores.T)
    draws = draw_stratified_areas(study.cases, [0, 1, 2], ResamplePlan(B, 5))
    expected = ideal_bootstrap_area_covariance(study.cases, [0, 1, 2])
    spread = np.sqrt(np.outer(np.diag(expected), np.diag(expected)) * 2 / B)
    assert np.all(np.abs(np.cov(draws) - expected) < 4 * spread)


def every_resample(size):
    """How often each of some units stands in a resample: a row for each ordered resample."""
    drawn = np.array(list(product(range(size), repeat=size)))
    return np.array([np.bincount(row, minlength=size) for row in drawn])


def blocked_kernel(y, score, block):
    """The kernel of each pair; inside a block, the mean over the block's own pairs."""
    kernel, block = oracles.kernel(y, score), np.asarray(block)
    same = block[y == 1][:, None] == block[y == 0][None, :]
    owner = np.broadcast_to(block[y == 1][:, None], kernel.shape)
    for b in np.unique(owner[same]):
        inside = same & (owner == b)
        kernel[inside] = kernel[inside].mean()
    return kernel


# Scores from the highest down, in two blocks of about half of the cases; a tie stays whole.
@pytest.mark.parametrize(
    ("y", "score", "block"),
    [
        ([1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1], [0] * 4 + [1] * 4),
        ([0, 1, 1, 0, 0, 1, 0, 1], [8, 7, 6, 5, 4, 3, 2, 1], [0] * 4 + [1] * 4),
        ([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 4, 4, 4, 2, 1], [0] * 3 + [1] * 5),
        ([1, 1, 0, 1, 0, 1, 0, 0], [6, 6, 5, 4, 3, 2, 2, 1], [0] * 4 + [1] * 4),
    ],
)
def test_shortfall_of_blocks_is_that_of_all_resamples(monkeypatch, y, score, block):
    monkeypatch.setattr(table, "N_BLOCKS", 2)
    y = np.array(y)
    resamples = every_resample(4)
    areas, blocked = (
        resamples @ kernel @ resamples.T / 16
        for kernel in (oracles.kernel(y, score), blocked_kernel(y, score, block))
    )
    assert blocked.mean() == pytest.approx(areas.mean(), abs=1e-14)
    assert blocked.var() < areas.var() * 0.999
    counts = rs.Study(y, score).cases.counts(0)
    expected = 1 - np.sqrt(blocked.var() / areas.var())
    assert blocked_shortfall(counts) == pytest.approx(expected, abs=1e-12)
    assert agrees(blocked_areas(counts, ResamplePlan(B, 4)), areas.mean(), blocked.var())


def test_blocks_have_the_exact_mean_and_the_stated_shortfall(rng):
    study = study_of(rng, 3000, 2000, 6)
    counts = study.cases.counts(0)
    variance, short = ideal_bootstrap_area_variance(counts), blocked_shortfall(counts)
    assert 0 < short < 1 / N_BLOCKS**2
    draws, mean = blocked_areas(counts, ResamplePlan(B, 4)), study.auc()["estimate"][0]
    assert agrees(draws, mean, variance * (1 - short) ** 2)


def test_blocks_never_split_a_tie(rng):
    # ten heavy scores: each is a block of its own, and nothing is lost
    y = np.repeat([1, 0], [3000, 2000])
    counts = rs.Study(y, rng.integers(0, 10, 5000)).cases.counts(0)
    assert blocked_shortfall(counts) == pytest.approx(0, abs=1e-12)


def test_frequencies_are_resampled_as_cases(ct):
    counts = ct.cases.counts(0)
    variance, mean = ideal_bootstrap_area_variance(counts), 0.8931710615280596
    assert engine_for_bootstrap_areas(counts, has_frequency=True) == "table"
    assert agrees(draw_areas(ct.cases, 0, ResamplePlan(B, 1)).values, mean, variance)
    assert agrees(draw_areas_of_units(ct.cases, [0], ResamplePlan(B, 2)).values[0], mean, variance)


def brute_cluster_areas(rng, y, score, cluster, size):
    names, areas = np.unique(cluster), []
    while len(areas) < size:
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in rng.choice(names, len(names))])
        if 0 < y[rows].sum() < len(rows):
            areas.append(oracles.auc(y[rows], score[rows]))
    return np.array(areas)


def test_clusters_are_resampled_whole_like_brute_force(rng):
    cluster = np.repeat(np.arange(9), 3)
    y = rng.integers(0, 2, 27)
    score = np.round(rng.normal(size=27) + y + rng.normal(size=9)[cluster], 1)
    study = rs.Study(y, score, cluster=cluster)
    found = draw_areas_of_units(study.cases, [0], ResamplePlan(4000, 1, stratified=False)).values[0]
    assert ks_2samp(found, brute_cluster_areas(rng, y, score, cluster, 4000)).pvalue > 0.001


def test_resamples_without_a_class_are_redrawn_and_counted():
    study = rs.Study([1, 0, 0, 0], [2.5, 1, 2, 3])
    found = draw_areas_of_units(study.cases, [0], ResamplePlan(4000, 1, stratified=False))
    # lacking the positive (.75^4) or all negatives (.25^4)
    share = 0.75**4 + 0.25**4
    expected = 4000 * share / (1 - share)
    assert found.n_redrawn == pytest.approx(expected, abs=4 * np.sqrt(4000 * share) / (1 - share))
    assert np.isfinite(found.values).all()
    draws = draw_areas(study.cases, 0, ResamplePlan(4000, 1, stratified=False))
    assert draws.notes[0].startswith("resamples-redrawn=")


def test_clusters_of_one_are_cases_in_law(rng):
    y, score = np.repeat([1, 0], [15, 20]), np.round(rng.normal(size=35), 1)
    alone, single = (
        draw_areas_of_units(study.cases, [0], ResamplePlan(B, key, stratified=False)).values[0]
        for key, study in ((1, rs.Study(y, score)), (2, rs.Study(y, score, cluster=range(35))))
    )
    assert ks_2samp(alone, single).pvalue > 0.001


def test_folds_are_resampled_within(rng):
    y, fold = np.tile([1, 0], 20), np.repeat([0, 1], 20)
    study = rs.Study(y, np.round(rng.normal(size=40) + y, 1), fold=fold)
    parts = [part.counts(0) for _, part in study.cases.by_fold()]
    variance = sum(map(ideal_bootstrap_area_variance, parts)) / 4
    draws = draw_areas(study.cases, 0, ResamplePlan(B, 1)).values
    assert agrees(draws, study.auc()["estimate"][0], variance)


def test_weights_ride_on_the_resamples(rng):
    y, weight = np.tile([1, 0], 20), rng.uniform(0.5, 2, 40)
    score = rng.normal(size=40) + y
    draws = draw_areas(rs.Study(y, score, sample_weight=weight).cases, 0, ResamplePlan(B, 1)).values
    k, w1, w0 = oracles.kernel(y, score), weight[y == 1], weight[y == 0]
    brute = []
    for _ in range(4000):
        i, j = rng.integers(0, 20, 20), rng.integers(0, 20, 20)
        w = np.outer(w1[i], w0[j])
        brute.append((w * k[np.ix_(i, j)]).sum() / w.sum())
    assert ks_2samp(draws, brute).pvalue > 0.001


@pytest.mark.parametrize("size", [1, 7, 2**16, 2**20])
def test_chunks_and_a_bar_change_no_draw(rng, size, monkeypatch):
    studies = [study_of(rng, 12, 9, 1), study_of(rng, 12, 9, 1, cluster=np.repeat(np.arange(7), 3))]

    def draws(**options):
        plans = [ResamplePlan(300, 1, stratified=s.cluster is None, **options) for s in studies]
        found = [draw_areas(s.cases, 0, p).values for s, p in zip(studies, plans, strict=True)]
        return np.array([*found, table_areas(studies[0].cases.counts(0), plans[0])])

    expected = draws()
    monkeypatch.setattr("rocstats.estimate.resample.DRAWS_PER_CHUNK", size)
    assert np.array_equal(draws(), expected)
    assert np.array_equal(draws(progress=True), expected)


@pytest.mark.parametrize(
    ("n", "digits", "engine"), [(50, 6, "counts"), (500, 0, "table"), (60_000, 9, "blocks")]
)
def test_the_engine_goes_by_the_table(rng, n, digits, engine):
    counts = study_of(rng, n, n, digits).cases.counts(0)
    assert engine_for_bootstrap_areas(counts, has_frequency=False) == engine
