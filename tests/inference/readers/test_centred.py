"""U-statistics of kernels less the average areas: docs/methods/readers.md, "Centred moments"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from rocstats.estimate.pair_sums import centred_covariance_from_pair_sums, pair_sums_of_reads
from rocstats.inference.readers.engines import beside_machine
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads
from tests.inference.readers.designs import CROSSED, SMALL, incomplete, with_holes
from tests.inference.readers.worked import random_study
from tests.oracles import readers as oracle

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
def test_missing_reads_equal_loops(reads):
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


@pytest.mark.parametrize("share", [0, 0.2], ids=["crossed", "missing"])
def test_rates_of_one_class_do_not_depend_on_the_cases_made_up_for_the_other(share):
    pos = with_holes(CROSSED, share).pos
    calls = np.where(np.isnan(pos), np.nan, np.where(pos >= 4, 2.0, 0.0))
    few, many = (UStatistics(Reads(calls, np.ones((2, 4, size))), True) for size in (2, 9))
    for readers in ("random", "fixed"):
        a, b = few.difference(0, 1, readers), many.difference(0, 1, readers)
        assert a[:3] == pytest.approx(b[:3], rel=1e-9)


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
    pos = np.array([[[2.0, 2, 3], [3, 1, 1]], [[3, 3, 1], [1, 3, 2]]])
    neg = np.array([[[0.0, 2, 0], [1, 1, 1]], [[0, 0, 2], [2, 2, 1]]])
    found, published = (UStatistics(Reads(pos, neg), x).difference(0, 1) for x in (True, False))
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
