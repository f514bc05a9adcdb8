"""Resampled curves: each engine by brute force, averages over folds, rates, the limit process."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, ks_2samp

import rocstats as rs
from rocstats.estimate.resample import (
    ResamplePlan,
    Streams,
    TooFewValidResamplesError,
    draw_weights,
)
from rocstats.estimate.resample_curves import (
    averaged_curve_covariance,
    averaged_curve_variance,
    curve_draws,
    draw_averaged_curves,
    draw_tpr_by_order_statistics,
    exact_tpr_variance,
    fixed_fpr_draws,
    has_ties_between_classes,
    limit_process_sd,
    limit_process_sups,
    order_statistic_distribution,
    table_curves,
    tpr_at_fpr,
    tpr_of_tables,
)
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples
from validation.engines.quantiles import exact_point_quantiles, exact_tpr_quantiles, step_tpr

GRID = np.array([0.0, 0.1, 0.23, 0.25, 0.3, 1 / 3, 0.5, 0.8, 0.95, 1.0])
ENGINES = {
    "table": lambda study, size: table_curves(study.cases.counts(0), GRID, ResamplePlan(size, 1)),
    "cases": lambda study, size: draw_averaged_curves(
        study.cases, [0], GRID, ResamplePlan(size, 1)
    ).values[:, 0],
    "steps": lambda study, size: draw_tpr_by_order_statistics(
        study.cases.counts(0), GRID, ResamplePlan(size, 1)
    ),
}


def brute_draws(rng, y, score, size, read=oracles.tpr_at):
    """Curves of resamples within the classes, drawn and read one by one."""
    pos, neg = score[y == 1], score[y == 0]
    labels = np.repeat([1, 0], [len(pos), len(neg)])
    drawn = (np.append(rng.choice(pos, len(pos)), rng.choice(neg, len(neg))) for _ in range(size))
    return np.array([read(labels, resample, GRID) for resample in drawn])


def drawn(n_resamples, y, score, **roles):
    plan = ResamplePlan(n_resamples, 1)
    return curve_draws(rs.Study(y, score, **roles).cases, 0, GRID, plan)


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


@pytest.mark.parametrize("engine", ["table", "cases"])
def test_curves_follow_brute_force(engine, drawn_by_hand):
    study, brute = drawn_by_hand
    assert_same_law(ENGINES[engine](study, 3000), brute)


def test_a_frequency_is_so_many_rows_of_a_curve(rng):
    y, score = np.array([1, 1, 1, 0, 0, 0]), np.array([3.0, 2, 1, 2, 1, 0])
    n = np.array([4, 3, 1, 2, 3, 5])
    brute = brute_draws(rng, np.repeat(y, n), np.repeat(score, n), 2000)
    assert_same_law(drawn(3000, y, score, frequency=n).values, brute)


def test_a_weight_is_what_a_drawn_case_counts(rng):
    y, score = np.array([1, 1, 1, 1, 0, 0, 0, 0]), np.array([3.0, 2, 1, 2, 2, 1, 0, 1])
    weight = np.array([1, 3, 2, 1, 2, 1, 1, 4])
    brute = []
    for _ in range(2000):
        rows = np.append(rng.integers(0, 4, 4), rng.integers(4, 8, 4))
        labels, values = (np.repeat(v[rows], weight[rows]) for v in (y, score))
        brute.append(oracles.tpr_at(labels, values, GRID))
    assert_same_law(drawn(3000, y, score, sample_weight=weight).values, np.array(brute))


def test_clusters_are_drawn_whole(rng):
    y = rng.permutation(np.repeat([1, 0], [8, 12]))
    score = np.round(rng.normal(size=20) + y, 0)
    cluster = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    brute, n_redrawn = [], 0
    while len(brute) < 2000:
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in rng.integers(0, 8, 8)])
        if 0 < y[rows].sum() < len(rows):
            brute.append(oracles.tpr_at(y[rows], score[rows], GRID))
        else:
            n_redrawn += 1
    found = drawn(3000, y, score, cluster=cluster)
    assert_same_law(found.values, np.array(brute))
    assert found.n_redrawn / 3000 == pytest.approx(n_redrawn / 2000, abs=0.01)


def test_resamples_of_clusters_without_a_class_are_drawn_again():
    # Two clusters of one class each: half of the resamples hold one class only.
    y, score = [1, 1, 0, 0], [4.0, 2, 3, 1]
    found = drawn(4000, y, score, cluster=[1, 1, 2, 2])
    assert found.values.shape == (4000, len(GRID))
    assert found.n_redrawn / 4000 == pytest.approx(1, abs=0.1)
    assert (found.values == oracles.tpr_at(y, score, GRID)).all()


def test_the_engine_goes_by_the_ties(rng):
    y = np.repeat([1, 0], [30, 40])
    smooth = rng.normal(size=70) + y
    one_tie = smooth.copy()
    one_tie[-1] = one_tie[0]
    for engine, score in {"steps": smooth, "table": np.round(smooth), "cases": one_tie}.items():
        expected = ENGINES[engine](rs.Study(y, score), 50)
        np.testing.assert_array_equal(drawn(50, y, score).values, expected)


def test_steps_and_cases_have_one_law_without_ties(rng):
    y = np.repeat([1, 0], [30, 40])
    study = rs.Study(y, rng.normal(size=70) + y)
    assert_same_law(
        curve_draws(study.cases, 0, GRID, ResamplePlan(4000, 1)).values,
        draw_averaged_curves(study.cases, [0], GRID, ResamplePlan(3000, 2)).values[:, 0],
    )


@given(data=samples())
def test_draws_belong_to_the_seed_and_the_ranks(data):
    y, (score,) = data
    found = drawn(20, y, score).values
    np.testing.assert_array_equal(found, drawn(20, y, np.exp(score)).values)
    assert (found[:, -1] == 1).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_one_score_is_the_diagonal():
    found = drawn(10, [1, 1, 0], [2.0, 2, 2]).values
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
    assert found[0] == pytest.approx(oracles.tpr_at(y, scores[0], GRID), abs=1e-12)


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


@pytest.mark.parametrize("tied", [True, False])
def test_variance_of_an_average_is_that_of_brute_force(rng, folds, tied):
    y, scores, fold = folds
    score = scores["a"] if tied else scores["a"] + np.linspace(0, 0.01, len(y))
    study = rs.Study(y, score, fold=fold)
    assert has_ties_between_classes(study.cases.by_fold()[0][1].counts(0)) is tied
    found = averaged_curve_variance(study.cases, 0, GRID, ResamplePlan(4000, 1))
    assert found.n_resamples == (4000 if tied else 0)
    of_folds = [brute_draws(rng, y[fold == v], score[fold == v], 1500) for v in range(3)]
    brute = np.mean(of_folds, axis=0).var(axis=0, ddof=1)
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
    times, plan = np.arange(len(y)) % 3 + 1, ResamplePlan(4000, 1)
    grouped = rs.Study(y, scores, fold=fold, frequency=times)
    rows = np.repeat(np.arange(len(y)), times)
    repeated = {name: score[rows] for name, score in scores.items()}
    each = rs.Study(y[rows], repeated, fold=fold[rows])
    one, two = (
        averaged_curve_covariance(s.cases, [0, 1], GRID, plan).covariance for s in (grouped, each)
    )
    assert one[:, 0, 1] == pytest.approx(two[:, 0, 1], abs=4e-4)
    assert one[:, 0, 0] == pytest.approx(two[:, 0, 0], rel=0.2, abs=1e-4)
    one, two = (averaged_curve_variance(s.cases, 0, GRID, plan).covariance for s in (grouped, each))
    assert one.tolist() == two.tolist()  # the same count tables


def test_clusters_of_averages_are_drawn_whole(folds):
    y, scores, _ = folds
    # every case three times, once a fold: the average varies as one curve of the cases does
    case, fold = np.tile(range(27), 3), np.repeat([0, 1, 2], 27)
    three = rs.Study(y[case], scores["a"][case], fold=fold, cluster=case)
    alone = rs.Study(y[:27], scores["a"][:27], cluster=range(27))
    one, two = (
        averaged_curve_variance(s.cases, 0, GRID, ResamplePlan(3000, 1)).covariance
        for s in (three, alone)
    )
    assert one == pytest.approx(two, rel=1e-9)


def test_resamples_of_averages_without_a_class_are_redrawn():
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


@given(samples(predictors=2))
def test_rates_are_read_off_the_points(data):
    y, scores = data
    found = tpr_at_fpr(rs.Study(y, scores.T).cases, [0, 1], GRID)
    for row, score in zip(found, scores, strict=True):
        assert row == pytest.approx(oracles.tpr_at(y, score, GRID), abs=1e-12)


@given(samples(predictors=2), st.booleans())
def test_draws_are_the_curves_of_resampled_cases(data, higher):
    y, scores = data
    study = rs.Study(y, scores.T, higher_is_positive=higher)
    found = fixed_fpr_draws(study.cases, [0, 1], GRID, ResamplePlan(6, 4))
    weights = draw_weights(Streams(4, 8), study.cases, 6, stratified=True).astype(int)
    for draw, weight in enumerate(weights):
        for k, score in enumerate(scores):
            rows = np.repeat(np.arange(len(y)), weight)
            signed = score[rows] if higher else -score[rows]
            expected = oracles.tpr_at(y[rows], signed, GRID)
            assert found.values[k, :, draw] == pytest.approx(expected, abs=1e-12)
    assert found.n_redrawn == 0


def test_a_frequency_is_so_many_cases_at_fixed_rates_in_law():
    y, score = np.array([1, 1, 1, 0, 0, 0]), np.array([3.0, 2, 1, 3, 2, 1])
    times = np.array([8, 5, 3, 2, 6, 9])
    tabled = rs.Study(y, score, frequency=times)
    many = rs.Study(np.repeat(y, times), np.repeat(score, times))
    draws = [
        fixed_fpr_draws(s.cases, [0], GRID, ResamplePlan(4000, 1)).values[0] for s in (tabled, many)
    ]
    spread = [d.std(axis=1) for d in draws]
    assert draws[0].mean(axis=1) == pytest.approx(draws[1].mean(axis=1), abs=0.02)
    assert spread[0] == pytest.approx(spread[1], rel=0.1)


def test_clusters_at_fixed_rates_are_drawn_whole_and_lacking_resamples_again():
    cluster = np.repeat(np.arange(6), 3)
    study = rs.Study(examples.Y, examples.D1, cluster=cluster)
    found = fixed_fpr_draws(study.cases, [0], GRID, ResamplePlan(300, 1))
    assert found.values.shape == (1, len(GRID), 300)
    assert np.isfinite(found.values).all()
    assert found.n_redrawn > 0
    weights = draw_weights(Streams(1, 8), study.cases, 300, stratified=False)
    assert all(np.ptp(w.reshape(6, 3), axis=1).max() == 0 for w in weights)


def test_clusters_that_split_the_classes_too_rarely_are_refused(monkeypatch):
    monkeypatch.setattr("rocstats.estimate.resample._MOST_REDRAWN", 0)
    study = rs.Study(examples.Y, examples.D1, cluster=np.repeat([0, 1], [8, 10]))
    with pytest.raises(TooFewValidResamplesError) as failure:
        fixed_fpr_draws(study.cases, [0], GRID, ResamplePlan(300, 1))
    assert failure.value.resampled == "rates"


def step_read(y, score, rates):
    """The TPR of the lowest threshold with at most floor(f n) false positives, by definition."""
    y = np.asarray(y, bool)
    called = score >= np.array([np.inf, *score])[:, np.newaxis]
    false, tpr = called[:, ~y].sum(axis=1), called[:, y].mean(axis=1)
    found = []
    for fpr in rates:
        allowed = np.floor(fpr * (~y).sum() + 1e-9)
        if allowed >= (~y).sum():
            found.append(1.0)
            continue
        # between observed scores thresholds just above the next negative are allowed too
        worst = np.sort(score[~y])[::-1][int(allowed)]
        found.append(max(0.0, tpr[false <= allowed].max(), np.mean(score[y] > worst)))
    return found


@pytest.mark.parametrize("digits", [0, 1, 8])
def test_step_reading_is_its_definition(rng, digits):
    y = np.repeat([1, 0], [9, 12])
    score = np.round(rng.normal(size=21) + y, digits)
    counts = rs.Study(y, score).cases.counts(0)
    assert step_tpr(counts, GRID) == pytest.approx(step_read(y, score, GRID))


@pytest.mark.parametrize("digits", [0, 8])
def test_order_statistics_follow_brute_force(rng, digits):
    y = np.repeat([1, 0], [14, 20])
    score = np.round(rng.normal(size=34) + y, digits)
    found = draw_tpr_by_order_statistics(
        rs.Study(y, score).cases.counts(0), GRID, ResamplePlan(4000, 1)
    )
    brute = brute_draws(rng, y, score, 3000, step_read)
    for g in range(len(GRID)):
        assert ks_2samp(found[:, g], brute[:, g]).pvalue > 0.001
    # the joint law: increments between grid points
    for g in range(1, len(GRID)):
        assert ks_2samp(found[:, g] - found[:, g - 1], brute[:, g] - brute[:, g - 1]).pvalue > 0.001
    assert (np.diff(found, axis=1) >= 0).all()


def test_exact_quantiles_are_those_of_many_draws():
    counts = rs.Study(examples.Y, examples.D2).cases.counts(0)
    p = np.array([0.05, 0.5, 0.9])
    for fpr in (0.0, 0.2, 0.55):
        draws = draw_tpr_by_order_statistics(counts, np.array([fpr]), ResamplePlan(200_000, 1))[
            :, 0
        ]
        for level, value in zip(p, exact_tpr_quantiles(counts, fpr, p), strict=True):
            reached = np.mean(draws <= value + 1e-9)
            before = np.mean(draws <= value - 1e-9)
            noise = 4 * np.sqrt(level * (1 - level) / 200_000)
            assert before - noise < level < reached + noise
    assert exact_tpr_quantiles(counts, 1.0, p).tolist() == [1, 1, 1]


def test_point_quantiles_are_binomial():
    p = np.array([0.025, 0.5, 0.975])
    assert exact_point_quantiles(0.3, 40, p) == pytest.approx(binom(40, 0.3).ppf(p) / 40)


def test_only_the_end_of_the_curve(three):
    plan = ResamplePlan(100, 1)
    draws = draw_tpr_by_order_statistics(three.cases.counts(0), np.array([1.0]), plan)
    assert draws.tolist() == [[1.0]] * 100


@pytest.mark.parametrize("n", [1, 2, 30, 5000])
def test_threshold_weights_are_the_law_of_an_order_statistic(n):
    for rank in {0, n // 50, n // 2, n - 1}:
        # P(at least rank + 1 of n indices are <= j)
        reached = binom(n, np.arange(1, n + 1) / n).sf(rank)
        expected = np.diff(reached, prepend=0.0)
        np.testing.assert_allclose(order_statistic_distribution(rank, n), expected, atol=1e-13)
