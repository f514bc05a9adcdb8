"""U-statistics of readers, as published and less the average areas ("Centred moments")."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import rocstats as rs
from rocstats.estimate.pair_sums import (
    centred_covariance_from_pair_sums,
    pair_sums_of_reads,
    unbiased_reader_covariance,
)
from rocstats.inference.readers.engines import beside_machine
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads
from tests.inference.readers.studies import CROSSED, SMALL, incomplete, with_holes
from tests.inference.readers.worked import random_study
from tests.oracles import readers as oracle


def modality(reads, i):
    return reads.pos[i], reads.neg[i]


def printed(estimate, value, variance, df):
    assert estimate.value == pytest.approx(value, abs=1e-9)
    assert estimate.variance == pytest.approx(variance, abs=1e-12)
    assert estimate.df == pytest.approx(df, rel=1e-9)
    assert estimate.codes == ()


# docs/methods/readers.md, "U-statistics"
def test_printed_numbers_of_the_worked_study():
    study = UStatistics(CROSSED)
    np.testing.assert_allclose(study.mean_areas, [0.879557292, 0.906250000], atol=5e-10)
    printed(study.average(0), 0.8795572916667, 0.00179918200114, 21.2355001387)
    printed(study.average(1), 0.90625, 0.00179020732689, 14.4629056380)
    printed(study.difference(0, 1), -0.0266927083333, 0.00138398568219, 4.30859472699)


# docs/methods/readers.md, "U-statistics"
def test_printed_bootstrap_variances_of_the_worked_study():
    study = UStatistics(CROSSED)
    contrasts = study.contrast(0), study.contrast(1), study.contrast(0, 1)
    variances = [contrast.random_variances[1] for contrast in contrasts]
    expected = [0.00220749803163, 0.00194997754362, 0.00189172752477]
    np.testing.assert_allclose(variances, expected, rtol=0, atol=1e-13)


@pytest.fixture(scope="module")
def viper():
    return rs.ReaderStudy("truth", "rating", data=rs.load_viper(), **VIPER)


VIPER = {"reader": "reader", "case": "case", "modality": "modality"}


def test_printed_numbers_of_viper(viper):
    """VIPER: an independent implementation of the published formulas with loops over readers."""
    assert viper.modalities == ("FFDM", "SFM")
    difference = UStatistics(viper.reads).difference(0, 1)
    printed(difference, -0.0250637213254, 0.00060525485593, 47.5315729164)


def test_printed_numbers_of_a_machine_against_viper(viper):
    """The machine's score is the FFDM rating of the first reader in the file who read the case."""
    data = rs.load_viper()
    ffdm = data[data["modality"] == "FFDM"].drop_duplicates("case")
    scores = viper.machine_scores(ffdm.set_index("case")["rating"])
    estimate = UStatistics(beside_machine(viper.reads, 1, *scores)).minus_machine()
    assert estimate.value == pytest.approx(-0.0121000866, abs=5e-11)
    assert estimate.variance == pytest.approx(0.000878175470, abs=5e-13)
    assert estimate.df == pytest.approx(132.188, abs=5e-4)


def test_modalities_of_other_cases_equal_loops(viper):
    """FFDM on odd cases, SFM on even ones: no moment of shared cases is defined."""
    # Three readers of each of the first two groups, with 16 cases of a class in all.
    reads = viper.reads
    groups = [block.readers[:3] for block in viper.design.blocks[:2]]
    pos, neg = (
        np.concatenate([x[:, list(g)] for g in groups], axis=1) for x in (reads.pos, reads.neg)
    )
    parts = []
    for ratings in (pos, neg):
        chosen = np.concatenate([np.flatnonzero(~np.isnan(ratings[0, j]))[:8] for j in (0, 3)])
        part = ratings[:, :, chosen].copy()
        part[0, :, ::2] = part[1, :, 1::2] = np.nan
        parts.append(part)
    check_difference(Reads(*parts))


def check_difference(reads):
    """Variance and degrees of freedom of a difference equal loops, where they are defined."""
    estimate = UStatistics(reads).difference(0, 1)
    a, b = modality(reads, 0), modality(reads, 1)
    expected = oracle.difference_variance(a, b)
    assert estimate.value == pytest.approx(oracle.average(*a) - oracle.average(*b), abs=1e-12)
    if estimate.codes == ("negative-variance",):
        assert expected < 1e-12
        return
    assert estimate.variance == pytest.approx(expected, abs=1e-12)
    if estimate.variance > 0 and np.isfinite(estimate.df):
        df = oracle.difference_df(a, b, estimate.variance)
        assert estimate.df == pytest.approx(df, rel=1e-6)


@given(incomplete())
def test_missing_reads_equal_loops(reads):
    estimate = UStatistics(reads).difference(0, 1)
    if np.isfinite(estimate.variance):
        check_difference(reads)
    else:
        assert estimate.codes in {("single-reader",), ("single-case",), ("no-estimate",)}


@given(incomplete())
def test_an_average_with_missing_reads_equals_loops(reads):
    estimate = UStatistics(reads).average(1)
    if np.isfinite(estimate.variance) and not estimate.codes:
        expected = oracle.covariance(*[modality(reads, 1)] * 2)
        assert estimate.variance == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("share", [0, 0.15], ids=["crossed", "missing"])
def test_a_machine_equals_loops_with_readers_that_are_not_its_own(share):
    reads = with_holes(SMALL, share)
    machine = SMALL.pos[0, 2], SMALL.neg[0, 2]
    estimate = UStatistics(beside_machine(reads, 1, *machine)).minus_machine()
    a, b = modality(reads, 1), tuple(scores[None] for scores in machine)
    expected = oracle.difference_variance(a, b, machine=True)
    assert estimate.variance == pytest.approx(expected, abs=1e-12)
    total = 0.0
    for index in range(3):
        part = oracle.component(a, a, index)
        if index > 0:
            part += oracle.component(b, b, index) - 2 * oracle.component(a, b, index, False)
        f = [oracle.number(x, index) for x in (a, b)][: 1 + (index > 0)]
        total += part**2 / min(f) ** 3
    assert estimate.df == pytest.approx(estimate.variance**2 / total, rel=1e-9)


def test_two_readers_who_are_the_machine_have_its_variance():
    """The recipe in use enters it twice as a reader: the same variance, one degree of freedom."""
    machine = CROSSED.pos[0, 2], CROSSED.neg[0, 2]
    pos, neg = (np.full((2, 6, size), np.nan) for size in (16, 24))
    pos[0, :4], neg[0, :4] = modality(CROSSED, 1)
    pos[1, 4:], neg[1, 4:] = machine
    twice = UStatistics(Reads(pos, neg)).difference(0, 1)
    estimate = UStatistics(beside_machine(CROSSED, 1, *machine)).minus_machine()
    assert estimate.variance == pytest.approx(twice.variance, abs=1e-15)
    assert estimate.value == pytest.approx(twice.value, abs=1e-15)


def test_crossed_variance_is_that_of_obuchowski_and_rockette_without_truncation():
    study, sigma = UStatistics(CROSSED), unbiased_reader_covariance(CROSSED).reshape(2, 4, 2, 4)
    others, r = ~np.eye(4, dtype=bool), 4
    cov2 = [sigma[i, :, i, :][others].mean() for i in range(2)]
    cov3 = sigma[0, :, 1, :][others].mean()
    for i in range(2):
        single = (np.var(study.areas[i], ddof=1) + r * cov2[i]) / r
        assert study.average(i).variance == pytest.approx(single, abs=1e-15)
    # With two modalities MS(TR) is half the variance of the readers' differences.
    interaction = np.var(study.areas[0] - study.areas[1], ddof=1) / 2
    variance = 2 / r * (interaction + r * (np.mean(cov2) - cov3))
    assert study.difference(0, 1).variance == pytest.approx(variance, abs=1e-15)


def test_readers_of_one_modality_each_have_their_own_degrees_of_freedom():
    pos, neg = (np.full((2, 8, size), np.nan) for size in (6, 7))
    for i, readers in enumerate((slice(0, 3), slice(3, 8))):
        source = [SMALL.pos[i], SMALL.neg[i]]
        chosen = [0, 1, 2] if i == 0 else [0, 1, 2, 3, 0]
        pos[i, readers], neg[i, readers] = (x[chosen] for x in source)
    reads = Reads(pos, neg)
    estimate = UStatistics(reads).difference(0, 1)
    a, b = modality(reads, 0), modality(reads, 1)
    assert estimate.variance == pytest.approx(oracle.difference_variance(a, b), abs=1e-12)
    total = sum(oracle.component(x, x, 0) ** 2 / oracle.number(x, 0) ** 3 for x in (a, b))
    for index, f in ((1, 5), (2, 6)):
        part = oracle.component(a, a, index) + oracle.component(b, b, index)
        total += (part - 2 * oracle.component(a, b, index)) ** 2 / f**3
    assert [oracle.number(x, 0) for x in (a, b)] == [2, 4]
    assert estimate.df == pytest.approx(max(estimate.variance**2 / total, 2), rel=1e-9)


@pytest.mark.parametrize("share", [0, 0.2], ids=["crossed", "missing"])
def test_fixed_readers_are_a_contrast_of_their_curves(share):
    reads = with_holes(CROSSED, share)
    pairs = [np.count_nonzero(~np.isnan(x), axis=2) for x in (reads.pos, reads.neg)]
    pairs = pairs[0] * pairs[1]
    w = (pairs / pairs.sum(axis=1, keepdims=True) * [[1], [-1]]).ravel()
    estimate = UStatistics(reads).difference(0, 1, "fixed")
    assert estimate.variance == pytest.approx(w @ unbiased_reader_covariance(reads) @ w, abs=1e-15)
    assert estimate.df == np.inf
    one = UStatistics(reads).reader_difference(0, 1, 2)
    w = np.zeros(8)
    w[[2, 6]] = 1, -1
    assert one.variance == pytest.approx(w @ unbiased_reader_covariance(reads) @ w, abs=1e-15)


def test_a_reader_against_a_machine_is_two_curves():
    machine = CROSSED.pos[0, 2], CROSSED.neg[0, 2]
    one = UStatistics(beside_machine(CROSSED, 1, *machine)).reader_minus_machine(3)
    sigma = unbiased_reader_covariance(CROSSED)[np.ix_([7, 2], [7, 2])]
    assert one.variance == pytest.approx(sigma[0, 0] + sigma[1, 1] - 2 * sigma[0, 1], abs=1e-15)
    areas = UStatistics(CROSSED).areas
    assert one.value == pytest.approx(areas[1, 3] - areas[0, 2], abs=1e-15)


@pytest.mark.parametrize("share", [0, 0.2], ids=["crossed", "missing"])
def test_bootstrap_variance_is_that_of_many_resamples(share):
    """Of readers, positives and negatives; with missing reads of the linearised difference."""
    reads = with_holes(CROSSED, share)
    kernel = oracle.linear_kernel(*modality(reads, 0)) - oracle.linear_kernel(*modality(reads, 1))
    rng, n_resamples = np.random.default_rng(11), 20_000
    w = [rng.multinomial(size, np.full(size, 1 / size), n_resamples) for size in (4, 16, 24)]
    by_negative = (w[2] @ kernel.reshape(64, 24).T).reshape(n_resamples, 4, 16)
    values = np.einsum("bjd,bj,bd->b", by_negative, w[0], w[1])
    variance = UStatistics(reads).contrast(0, 1).random_variances[1]
    # The standard error of a variance of B normal values is sqrt(2/B) of it.
    assert np.var(values) == pytest.approx(variance, rel=4 * np.sqrt(2 / n_resamples))


@given(incomplete())
def test_bootstrap_variance_is_never_negative(reads):
    study = UStatistics(reads)
    for contrast in (study.contrast(0), study.contrast(0, 1)):
        for variances in (contrast.random_variances, contrast.fixed_variances):
            assert not variances[1] < -1e-14


OF_NEGATIVE_VARIANCE = Reads(
    np.array([[[2.0, 2, 3], [3, 1, 1]], [[3, 3, 1], [1, 3, 2]]]),
    np.array([[[0.0, 2, 0], [1, 1, 1]], [[0, 0, 2], [2, 2, 1]]]),
)


def test_a_variance_that_is_not_positive_is_that_of_the_bootstrap():
    reads = OF_NEGATIVE_VARIANCE
    assert oracle.difference_variance(modality(reads, 0), modality(reads, 1)) < -1e-6
    estimate = UStatistics(reads).difference(0, 1)
    assert estimate.codes == ("negative-variance",)
    assert estimate.variance == UStatistics(reads).contrast(0, 1).random_variances[1] > 0


def test_identical_modalities_and_perfect_readers_have_no_variance():
    perfect = Reads(np.full((2, 3, 5), 2.0), np.full((2, 3, 4), 1.0))
    twice = Reads(*(x[[0, 0]] for x in (CROSSED.pos, CROSSED.neg)))
    for estimate in (
        UStatistics(perfect).average(0),
        UStatistics(perfect).difference(0, 1),
        UStatistics(twice).difference(0, 1),
        UStatistics(twice).difference(0, 1, "fixed"),
    ):
        assert estimate.variance == 0
        assert estimate.df == np.inf
        assert estimate.codes == ()


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("share", [0, 0.2], ids=["crossed", "missing"])
def test_rates_of_one_class_do_not_depend_on_the_cases_made_up_for_the_other(share, centre):
    """Calls of the positives against negatives that all readers rate 1: sensitivity."""
    pos = with_holes(CROSSED, share).pos
    calls = np.where(np.isnan(pos), np.nan, np.where(pos >= 4, 2.0, 0.0))
    few, many = (UStatistics(Reads(calls, np.ones((2, 4, size))), centre) for size in (2, 9))
    np.testing.assert_allclose(few.mean_areas, np.nanmean(calls / 2, axis=(1, 2)), atol=1e-15)
    for a, b in (
        (few.average(0), many.average(0)),
        (few.difference(0, 1), many.difference(0, 1)),
        (few.difference(0, 1, "fixed"), many.difference(0, 1, "fixed")),
    ):
        assert a[:3] == pytest.approx(b[:3], rel=1e-9)
    if share == 0:
        # Each reader's sensitivity has variance and covariances of proportions, divisor m - 1.
        sigma = np.cov(calls.reshape(8, 16) / 2) / 16
        w = np.repeat([0.25, -0.25], 4)
        assert few.difference(0, 1, "fixed").variance == pytest.approx(w @ sigma @ w, abs=1e-15)


def test_one_reader_or_one_case_has_no_variance():
    one = UStatistics(Reads(CROSSED.pos[:, :1], CROSSED.neg[:, :1]))
    assert one.difference(0, 1).codes == ("single-reader",)
    assert one.difference(0, 1, "fixed").codes == ()
    case = UStatistics(Reads(CROSSED.pos[:, :, :1], CROSSED.neg))
    assert case.difference(0, 1).codes == ("single-case",)
    assert case.difference(0, 1, "fixed").codes == ("single-case",)
    assert np.isnan(case.average(0).variance)
    nothing = UStatistics(Reads(np.full((1, 3, 4), np.nan), np.ones((1, 3, 4))))
    assert nothing.average(0).codes == ("no-estimate",)


def test_order_of_readers_and_monotone_ratings_change_nothing():
    holes = with_holes(CROSSED, 0.2)
    expected = UStatistics(holes).difference(0, 1)
    order = [2, 0, 3, 1]
    cases = np.random.default_rng(1).permutation(16)
    moved = Reads(np.exp(holes.pos[:, order][:, :, cases]), np.exp(holes.neg[:, order]))
    estimate = UStatistics(moved).difference(0, 1)
    assert estimate[:3] == pytest.approx(expected[:3], rel=1e-10)
    back = UStatistics(holes).difference(1, 0)
    assert [back.value, back.variance, back.df] == pytest.approx(
        [-expected.value, expected.variance, expected.df], rel=1e-10
    )


MACHINE = CROSSED.pos[0, 2], CROSSED.neg[0, 2]


def answers(reads, centre):
    """Averages, differences and comparisons with a machine, of random and of fixed readers."""
    study = UStatistics(reads, centre)
    with_machine = UStatistics(beside_machine(reads, 1, *MACHINE), centre)
    found = [
        ask(readers)
        for readers in ("random", "fixed")
        for ask in (
            lambda readers: study.average(0, readers),
            lambda readers: study.difference(0, 1, readers),
            with_machine.minus_machine,
        )
    ]
    singles = study.reader_difference(0, 1, 2), with_machine.reader_minus_machine(3)
    return [*found, *singles]


def variances(study):
    return [
        variance
        for contrast in (study.contrast(0), study.contrast(0, 1))
        for variance in (contrast.random_variances[0], contrast.fixed_variances[0])
    ]


def test_fully_crossed_studies_have_the_published_numbers():
    for found, published in zip(answers(CROSSED, True), answers(CROSSED, False), strict=True):
        assert found.value == published.value
        assert found.variance == pytest.approx(published.variance, rel=1e-12, abs=1e-15)
        assert found.df == pytest.approx(published.df, rel=1e-9)


@pytest.mark.parametrize("t", [1, 2])
def test_groups_of_equal_size_with_cases_of_their_own_have_the_published_numbers(rng, t):
    """Split plot: every pair of cases has equally many others of each kind."""
    reads = random_study(rng, t=t, r=4, m=12, n=10)
    for side, half in ((reads.pos, 6), (reads.neg, 5)):
        side[:, :2, :half] = side[:, 2:, half:] = np.nan
    pairs = [UStatistics(reads, centre) for centre in (True, False)]
    found, published = (study.difference(0, 1) if t == 2 else study.average(0) for study in pairs)
    assert found.variance == pytest.approx(published.variance, rel=1e-12)
    assert found.df == pytest.approx(published.df, rel=1e-9)


@settings(max_examples=30)
@given(incomplete(most=4))
def test_centred_moments_of_missing_reads_equal_loops(reads):
    a, b = ((reads.pos[i], reads.neg[i]) for i in range(2))
    random = UStatistics(reads, centre=True).contrast(0, 1).random_variances[0]
    if np.isfinite(random):
        expected = sum(oracle.centred_covariance(x, x) for x in (a, b))
        expected -= 2 * oracle.centred_covariance(a, b)
        assert random == pytest.approx(expected, abs=1e-12)


def test_curves_with_missing_reads_equal_loops():
    reads = with_holes(Reads(SMALL.pos[:, :2], SMALL.neg[:, :2]), 0.15)
    sigma = centred_covariance_from_pair_sums(pair_sums_of_reads(reads))
    curves = [(reads.pos[i, [j]], reads.neg[i, [j]]) for i in range(2) for j in range(2)]
    expected = [[oracle.centred_covariance(a, b, False) for b in curves] for a in curves]
    np.testing.assert_allclose(sigma, expected, rtol=0, atol=1e-14)


def test_a_machine_beside_readers_with_missing_reads_equals_loops():
    reads = with_holes(SMALL, 0.15)
    machine = SMALL.pos[0, 2], SMALL.neg[0, 2]
    estimate = UStatistics(beside_machine(reads, 1, *machine), centre=True).minus_machine()
    a, b = (reads.pos[1], reads.neg[1]), tuple(scores[None] for scores in machine)
    expected = oracle.centred_covariance(a, a) + oracle.centred_covariance(b, b, False)
    expected -= 2 * oracle.centred_covariance(a, b, False)
    assert estimate.codes == ()
    assert estimate.variance == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(incomplete())
def test_areas_counted_from_1_downwards_have_the_same_variance(reads):
    """1 - A varies as A does. The published variance differs where reads are missing."""
    turned = Reads(-reads.pos, -reads.neg)
    found, again = (variances(UStatistics(x, centre=True)) for x in (reads, turned))
    np.testing.assert_allclose(again, found, rtol=0, atol=1e-12)


def test_the_published_variance_hangs_on_the_level_where_reads_are_missing():
    reads = with_holes(CROSSED, 0.2)
    turned = Reads(-reads.pos, -reads.neg)
    found, again = (UStatistics(x).contrast(0, 1).random_variances[0] for x in (reads, turned))
    assert abs(found - again) > 0.1 * abs(found)


# docs/methods/readers.md, "Centred moments", by hand
@pytest.mark.parametrize(("sign", "published"), [(1, 0.125), (-1, 0.0625)])
def test_two_readers_of_whom_one_left_out_a_negative(sign, published):
    pos = sign * np.array([[[4.0, 2.0], [4.0, 2.0]]])
    neg = sign * np.array([[[1.0, 3.0, np.nan], [1.0, 2.0, 3.0]]])
    plain, centred = (UStatistics(Reads(pos, neg), x).average(0).variance for x in (False, True))
    assert plain == pytest.approx(published, abs=1e-15)
    assert centred == pytest.approx(0.078125, abs=1e-15)


def test_a_negative_variance_is_replaced_as_the_published_one_is():
    """Centring does not make an unbiased variance positive: here all readers read all cases."""
    reads = OF_NEGATIVE_VARIANCE
    found, published = (UStatistics(reads, x).difference(0, 1) for x in (True, False))
    assert found.codes == published.codes == ("negative-variance",)
    assert found.variance == published.variance


def test_perfect_readers_have_no_variance():
    perfect = with_holes(Reads(np.full((2, 3, 5), 2.0), np.full((2, 3, 4), 1.0)), 0.2)
    for estimate in (
        UStatistics(perfect, True).average(0),
        UStatistics(perfect, True).difference(0, 1),
        UStatistics(perfect, True).difference(0, 1, "fixed"),
    ):
        assert (estimate.variance, estimate.df, estimate.codes) == (0, np.inf, ())
