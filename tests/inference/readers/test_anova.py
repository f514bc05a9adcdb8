from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.estimate import readers as anova
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import (
    ReaderTable,
    dbm_components,
    mean_of_readers,
    modality_difference,
    modality_test,
    or_components,
    reader_average,
)
from rocstats.study.cases import Reads
from tests.inference.readers.worked import PRINTED, areas, areas_without, random_study, worked

RANDOM = ("random", "random")
FIXED_READERS = ("fixed", "random")
FIXED_CASES = ("random", "fixed")


def limits(estimate):
    reach = stats.t.ppf(0.975, estimate.df) * np.sqrt(estimate.variance)
    return estimate.value - reach, estimate.value + reach


def without_codes(estimate):
    return estimate[:3]


@pytest.mark.parametrize("covariance", PRINTED)
def test_the_worked_study(covariance):
    table, known = reader_table(worked(), covariance), PRINTED[covariance]
    assert table.theta == pytest.approx(
        np.array(
            [
                [0.878906250, 0.843750000, 0.890625000, 0.904947917],
                [0.973958333, 0.902343750, 0.904947917, 0.843750000],
            ]
        ),
        abs=5e-10,
    )
    squares = anova.mean_squares(table)
    assert squares[:3] == pytest.approx((0.001425001356, 0.001257719817, 0.002261409053), abs=1e-10)
    assert anova.mean_covariances(table) == pytest.approx(known["means"], abs=1e-10)
    components = or_components(table)
    assert components["reader"] == pytest.approx(known["readers"][0], abs=1e-10)
    assert components["modality-x-reader"] == pytest.approx(known["readers"][1], abs=1e-10)

    test = modality_test(table, *RANDOM)
    assert (test.statistic, test.df_denominator, test.p_value) == pytest.approx(
        known["f"], abs=1e-10
    )
    found = modality_difference(table, 0, 1, *RANDOM)
    assert found.value == pytest.approx(-0.026692708333, abs=1e-10)
    assert np.sqrt(found.variance) == pytest.approx(known["se"], abs=1e-10)
    assert limits(found) == pytest.approx(known["limits"], abs=1e-10)
    for i in (0, 1):
        found = reader_average(table, i, *RANDOM)
        assert np.sqrt(found.variance) == pytest.approx(known["averages"][i][0], abs=1e-10)
        assert found.df == pytest.approx(known["averages"][i][1], abs=1e-8)
        assert limits(found) == pytest.approx(known["average limits"][i], abs=1e-10)


@pytest.mark.parametrize("covariance", PRINTED)
def test_the_worked_study_with_fixed_factors(covariance):
    table = reader_table(worked(), covariance)
    chi_square, p, se = PRINTED[covariance]["fixed"]
    test = modality_test(table, *FIXED_READERS)
    assert test.df * test.statistic == pytest.approx(chi_square, abs=1e-10)
    assert test.df_denominator == np.inf
    assert test.p_value == pytest.approx(p, abs=5e-10)
    found = modality_difference(table, 0, 1, *FIXED_READERS)
    assert np.sqrt(found.variance) == pytest.approx(se, abs=1e-10)
    assert found.df == np.inf
    test = modality_test(table, *FIXED_CASES)
    assert test == pytest.approx((0.630138697988, 1, 3, 0.485296841), abs=5e-10)


def two_way(values):
    """Return mean squares (t, r, c and interactions) of a table without replication, by effects."""
    effects, sizes = {}, values.shape
    for k in range(1, 4):
        for axes in itertools.combinations(range(3), k):
            rest = tuple(set(range(3)) - set(axes))
            effect = values.mean(axis=rest, keepdims=True)
            for fewer in range(k):
                for inner in itertools.combinations(axes, fewer):
                    effect = effect - effects[inner][0] if inner else effect - values.mean()
            times = np.prod([sizes[axis] for axis in rest])
            df = np.prod([sizes[axis] - 1 for axis in axes])
            effects[axes] = effect, times * np.sum(effect**2) / df
    return {axes: square for axes, (_, square) in effects.items()}


def test_the_jackknife_is_the_analysis_of_variance_of_pseudo_values(rng):
    # Dorfman, Berbaum & Metz 1992, with the denominator and df of Hillis 2007.
    reads = random_study(rng, t=3, r=4, m=14, n=15)
    c = 29
    pseudo = c * areas(reads)[..., None] - (c - 1) * np.moveaxis(areas_without(reads), 0, 2)
    ms = two_way(pseudo)
    t, r, tr, tc, rc, trc = (ms[axes] for axes in [(0,), (1,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
    den = tr + max(tc - trc, 0)
    table = reader_table(reads, "jackknife")
    test = modality_test(table, *RANDOM)
    assert test.statistic == pytest.approx(t / den, rel=1e-11)
    assert test.df_denominator == pytest.approx(den**2 / (tr**2 / 6), rel=1e-11)
    expected = {
        "reader": (r - tr - rc + trc) / (3 * c),
        "case": (ms[(2,)] - tc - rc + trc) / 12,
        "modality-x-reader": (tr - trc) / c,
        "modality-x-case": (tc - trc) / 4,
        "reader-x-case": (rc - trc) / 3,
        "error": trc,
    }
    assert dbm_components(table, c) == pytest.approx(expected, abs=1e-13)


def test_fixed_cases_give_the_paired_t_test_and_that_of_one_sample(rng):
    theta = rng.random((2, 6))
    table = ReaderTable(theta, np.zeros((12, 12)))
    expected = stats.ttest_rel(*theta)
    found = modality_difference(table, 0, 1, *FIXED_CASES)
    assert found.value / np.sqrt(found.variance) == pytest.approx(expected.statistic, rel=1e-12)
    assert found.df == 5
    test = modality_test(table, *FIXED_CASES)
    assert test.p_value == pytest.approx(expected.pvalue, rel=1e-11)
    alone = reader_average(table, 0, *FIXED_CASES)
    assert alone.value / np.sqrt(alone.variance) == pytest.approx(
        stats.ttest_1samp(theta[0], 0).statistic, rel=1e-12
    )
    assert alone.df == 5


def test_cases_without_covariance_between_readers_give_the_test_of_fixed_cases(rng):
    # With cov2 <= cov3 the test is that of an analysis of variance of areas.
    table = ReaderTable(rng.random((3, 4)), np.eye(12))
    assert modality_test(table, *RANDOM) == pytest.approx(
        modality_test(table, *FIXED_CASES), rel=1e-12
    )


def test_one_reader_is_a_paired_comparison_of_delong(rng):
    reads = random_study(rng, r=1, m=20, n=25)
    scores = np.concatenate([reads.pos, reads.neg], axis=2)[:, 0]
    study = rs.Study(np.arange(45) < 20, scores.T)
    row = study.compare_auc(method="delong", interval="wald").iloc[0]
    table = reader_table(reads, "delong")
    found = modality_difference(table, 0, 1, *FIXED_READERS)
    assert found.value == pytest.approx(row["estimate"], abs=1e-15)
    assert np.sqrt(found.variance) == pytest.approx(row["se"], rel=1e-12)
    assert modality_test(table, *FIXED_READERS).p_value == pytest.approx(row["p_value"], rel=1e-10)
    assert without_codes(anova.reader_difference(table, 0, 1, 0)) == without_codes(found)


def test_fixed_readers_of_two_modalities_are_a_contrast_of_all_curves(rng):
    reads = random_study(rng, r=4, m=20, n=20)
    table = reader_table(reads, "delong")
    weights = np.repeat([0.25, -0.25], 4)
    found = modality_difference(table, 0, 1, *FIXED_READERS, truncate=False)
    assert found.variance == pytest.approx(weights @ table.sigma @ weights, rel=1e-12)
    one = anova.reader_difference(table, 0, 1, 2)
    weights = np.eye(8)[2] - np.eye(8)[6]
    assert one.variance == pytest.approx(weights @ table.sigma @ weights, rel=1e-12)


def test_all_modalities_are_pooled(rng):
    table = reader_table(random_study(rng, t=3, r=4, m=20, n=20), "jackknife")
    pairs = [modality_difference(table, i, k, *RANDOM) for i, k in ((0, 1), (0, 2), (1, 2))]
    assert len({(pair.variance, pair.df) for pair in pairs}) == 1
    # F is the mean of the squared statistics of all pairs.
    squared = [pair.value**2 / pair.variance for pair in pairs]
    assert modality_test(table, *RANDOM).statistic == pytest.approx(np.mean(squared), rel=1e-12)


@pytest.mark.parametrize("factors", [RANDOM, FIXED_READERS, FIXED_CASES])
def test_nothing_hangs_on_the_order_of_readers_and_modalities(rng, factors):
    table = reader_table(random_study(rng, t=3, r=4, m=15, n=15), "delong")
    places = np.arange(12).reshape(3, 4)[[2, 0, 1]][:, [3, 1, 0, 2]].ravel()
    other = ReaderTable(
        table.theta.ravel()[places].reshape(3, 4), table.sigma[np.ix_(places, places)]
    )
    assert modality_test(other, *factors) == pytest.approx(
        modality_test(table, *factors), rel=1e-10
    )
    first, second = (
        modality_difference(table, 2, 0, *factors),
        modality_difference(other, 0, 1, *factors),
    )
    assert without_codes(second) == pytest.approx(without_codes(first), rel=1e-10)
    first, second = reader_average(table, 2, *factors), reader_average(other, 0, *factors)
    assert without_codes(second) == pytest.approx(without_codes(first), rel=1e-10)


def test_readers_against_a_machine_are_an_average_of_differences(rng):
    # A machine whose area is known has no covariance: the readers' average minus a constant.
    table = reader_table(random_study(rng, t=1, r=5, m=20, n=20), "delong")
    found = mean_of_readers(table.theta[0] - 0.75, table.sigma, *RANDOM)
    alone = reader_average(table, 0, *RANDOM)
    assert found.value == pytest.approx(alone.value - 0.75, abs=1e-15)
    assert found[1:3] == pytest.approx(alone[1:3], rel=1e-12)


# Readers nested in modalities.
THETA = np.array([[0.80, 0.84, 0.91, np.nan, np.nan], [np.nan, np.nan, np.nan, 0.78, 0.82]])


def nested_table(variance=0.004, cov2=0.002, cov3=0.001):
    known = ~np.isnan(THETA).ravel()
    modality = np.repeat([0, 1], 5)
    sigma = np.where(modality[:, None] == modality, cov2, cov3) + (variance - cov2) * np.eye(10)
    sigma[~known] = sigma[:, ~known] = np.nan
    return ReaderTable(THETA, sigma)


def test_readers_nested_in_modalities_by_hand():
    table = nested_table()
    assert anova.is_served_reader_study(table.has_area)
    squares = anova.mean_squares(table)
    # Three readers (mean .85) and two (mean .80): N = 5, mean .83, n0 = (25 - 13) / 5 = 2.4.
    assert squares.multiplier == pytest.approx(2.4, rel=1e-15)
    assert squares.error == pytest.approx((0.05**2 + 0.01**2 + 0.06**2 + 2 * 0.02**2) / 3)
    assert squares.modalities == pytest.approx(3 * 0.02**2 + 2 * 0.03**2)
    assert squares.df_error == 3
    den = 0.007 / 3 + 2.4 * 0.001
    test = modality_test(table, *RANDOM)
    assert test.statistic == pytest.approx(0.003 / den)
    assert test.df_denominator == pytest.approx(den**2 / ((0.007 / 3) ** 2 / 3))
    found = modality_difference(table, 0, 1, *RANDOM)
    assert found.value == pytest.approx(0.05)
    assert found.variance == pytest.approx(den * (1 / 3 + 1 / 2))
    assert found.df == test.df_denominator
    assert modality_test(table, *FIXED_CASES).statistic == pytest.approx(0.003 / (0.007 / 3))
    components = or_components(table)
    assert components["reader"] == pytest.approx(0.007 / 3 - 0.002)
    assert "cov-1" not in components
    assert anova.reader_difference(table, 0, 1, 0).codes == ("reader-one-class",)


def test_fixed_readers_nested_in_modalities_are_a_contrast_of_all_curves():
    table = nested_table()
    known = ~np.isnan(THETA).ravel()
    weights = np.array([1, 1, 1, 0, 0]) / 3, np.array([0, 0, 0, 1, 1]) / 2
    weights = np.concatenate([weights[0], -weights[1]])[known]
    sigma = table.sigma[np.ix_(known, known)]
    found = modality_difference(table, 0, 1, *FIXED_READERS)
    assert found.variance == pytest.approx(weights @ sigma @ weights, rel=1e-12)


def test_the_nested_mean_square_has_the_expectation_of_its_denominator():
    # E MS = tr(Q cov(theta)) for MS = theta' Q theta, without differences between modalities.
    sizes = np.array([3, 2, 4])
    of = np.repeat([0, 1, 2], sizes)
    reader, variance, cov2, cov3 = 0.003, 0.004, 0.002, 0.0005
    cov = np.where(of[:, None] == of, cov2, cov3) + (variance - cov2 + reader) * np.eye(9)
    means = (of[:, None] == of) / sizes[of]
    q_between = (means - 1 / 9) / 2
    theta = np.full((3, 9), np.nan)
    theta[of, np.arange(9)] = np.linspace(0.7, 0.9, 9)
    squares = anova.mean_squares(ReaderTable(theta, np.zeros((27, 27))))
    observed = theta[of, np.arange(9)]
    assert squares.modalities == pytest.approx(observed @ q_between @ observed, rel=1e-12)
    expected_error = np.trace((np.eye(9) - means) @ cov) / 6
    assert np.trace(q_between @ cov) == pytest.approx(
        expected_error + squares.multiplier * (cov2 - cov3), rel=1e-12
    )


def test_designs_that_are_neither_crossed_nor_nested_are_not_served(rng):
    table = reader_table(random_study(rng), "delong")
    table.theta[0, 0] = np.nan
    assert not anova.is_served_reader_study(table.has_area)
    for ask in (modality_test, lambda *a: modality_difference(a[0], 0, 1, *a[1:])):
        with pytest.raises(ValueError, match="readers and modalities must be crossed"):
            ask(table, *RANDOM)
    # Averages are over the readers who read the modality.
    assert reader_average(table, 0, *RANDOM).value == pytest.approx(table.theta[0, 1:].mean())


# Edges.
def test_readers_who_agree_in_all_leave_the_sampling_of_cases_and_normal_limits():
    sigma = 0.001 * np.kron(np.eye(2), np.ones((3, 3))) + 0.001 * np.eye(6)
    found = modality_difference(ReaderTable(np.tile([[0.9], [0.8]], 3), sigma), 0, 1, *RANDOM)
    assert found == (pytest.approx(0.1), pytest.approx(0.002), np.inf, ())


def test_perfect_readers_have_no_variance_and_no_test():
    reads = Reads(np.ones((2, 3, 8)), np.zeros((2, 3, 8)))
    for covariance in ("jackknife", "delong", "unbiased", "bootstrap"):
        table = reader_table(reads, covariance)
        for factors in (RANDOM, FIXED_READERS, FIXED_CASES):
            assert modality_difference(table, 0, 1, *factors)[:2] == (0, 0)
            assert reader_average(table, 0, *factors).codes == ("zero-variance",)
            assert np.isnan(modality_test(table, *factors).p_value)


def test_identical_modalities_have_no_variance_though_readers_differ(rng):
    reads = random_study(rng, t=1, r=4, m=20, n=20)
    twice = Reads(np.repeat(reads.pos, 2, axis=0), np.repeat(reads.neg, 2, axis=0))
    for covariance in ("jackknife", "delong", "unbiased", "bootstrap"):
        table = reader_table(twice, covariance)
        for factors in (RANDOM, FIXED_READERS, FIXED_CASES):
            assert modality_difference(table, 0, 1, *factors)[:2] == (0, 0)
            assert np.isnan(modality_test(table, *factors).statistic)
        assert reader_average(table, 0, *RANDOM).variance > 0


def test_a_negative_difference_of_covariances_is_taken_as_0_with_a_note(rng):
    theta = rng.random((2, 3))
    sigma = (
        np.full((6, 6), 0.001) + 0.003 * np.eye(6) - 0.0005 * np.kron(np.eye(2), np.ones((3, 3)))
    )
    table = ReaderTable(theta, sigma)
    found = modality_difference(table, 0, 1, *RANDOM)
    assert found.codes == ("reader-variance-truncated",)
    error = anova.mean_squares(table).error
    assert found.variance == pytest.approx(2 * error / 3)
    plain = modality_difference(table, 0, 1, *RANDOM, truncate=False)
    assert plain.variance == pytest.approx(2 * (error - 3 * 0.0005) / 3)
    assert plain.codes == ()


def test_a_negative_variance_is_none():
    # Without the truncation a difference of covariances may outweigh the readers.
    sigma = 0.001 * (np.ones((6, 6)) - np.kron(np.eye(2), np.ones((3, 3)))) + 0.01 * np.eye(6)
    found = modality_difference(
        ReaderTable(np.full((2, 3), 0.8), sigma), 0, 1, *RANDOM, truncate=False
    )
    assert np.isnan(found.variance)
    assert found.codes == ("negative-variance",)


def test_one_random_reader_has_no_variance(rng):
    table = reader_table(random_study(rng, r=1), "delong")
    for factors in (RANDOM, FIXED_CASES):
        for found in (
            modality_difference(table, 0, 1, *factors),
            reader_average(table, 0, *factors),
        ):
            assert np.isnan(found.variance)
            assert found.codes == ("single-reader",)
        assert np.isnan(modality_test(table, *factors).p_value)
    assert reader_average(table, 0, *FIXED_READERS).variance == table.sigma[0, 0]


def test_one_positive_leaves_the_difference_without_variance(rng):
    table = reader_table(random_study(rng, m=1), "jackknife")
    found = modality_difference(table, 0, 1, *RANDOM)
    assert found.value == table.theta[0].mean() - table.theta[1].mean()
    assert np.isnan(found.variance)
    assert found.codes == ("single-case",)
    assert modality_difference(table, 0, 1, *FIXED_CASES).variance > 0


def test_one_modality_has_components_but_no_global_test(rng):
    table = reader_table(random_study(rng, t=1), "delong")
    assert np.isnan(modality_test(table, *RANDOM).p_value)
    names = list(or_components(table))
    assert names == ["reader", "error", "cov-2", "correlation-2"]
