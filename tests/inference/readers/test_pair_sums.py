"""Sums over pairs of reads, and the covariances made of them: loops, definitions, resamples."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rocstats.estimate import pair_sums as pairs
from rocstats.estimate.pair_sums import (
    ideal_bootstrap_reader_covariance,
    unbiased_reader_covariance,
)
from rocstats.study.cases import Reads
from tests.inference.readers.studies import CROSSED, incomplete
from tests.oracles import definitions
from tests.oracles import readers as oracle
from tests.strategies import SEEDS


@st.composite
def curves(draw, most=4):
    """Whole ratings of a few curves, with infinite ones and reads that were not made."""
    k, m, n = (draw(st.integers(1, most)) for _ in range(3))
    rng = np.random.default_rng(draw(SEEDS))
    levels = np.array([-np.inf, 0.0, 1.0, 2.0, np.inf])
    pos, neg = (levels[rng.integers(5, size=(k, size))] for size in (m, n))
    for ratings in (pos, neg):
        ratings[rng.random(ratings.shape) < rng.choice([0, 0.4])] = np.nan
    return pos, neg


@given(curves())
def test_sums_equal_loops_over_pairs(data):
    pos, neg = data
    sums = pairs.pair_sums(pos, neg)
    terms = [oracle.terms_of(pos[[k]], neg[[k]]) for k in range(len(pos))]
    for a, of_a in enumerate(terms):
        for b, of_b in enumerate(terms):
            expected = np.zeros((3, 4))
            for _, d, n, psi in of_a:
                for _, e, o, other in of_b:
                    alike = np.array([d == e and n == o, d == e, n == o, True])
                    expected += np.outer([psi * other, psi, 1.0], alike)
            got = [part[:, a, b] for part in (sums.sums, sums.crossed, sums.counts)]
            np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(sums.total, [sum(t[3] for t in of_k) for of_k in terms])


@given(curves(most=9), st.integers(1, 40), st.integers(1, 9), st.integers(1, 9))
def test_sums_do_not_hang_on_the_blocks(data, values, most, least):
    whole = pairs.pair_sums(*data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "_MOST_IN_PIECE", values)
        patch.setattr(pairs, "_MOST_IN_BLOCK", most)
        patch.setattr(pairs, "_FEWEST_IN_BLOCK", least)
        for a, b in zip(whole, pairs.pair_sums(*data), strict=True):
            np.testing.assert_array_equal(a, b)


def test_memory_is_that_of_blocks():
    """All kernel values of 20 curves of 800 + 800 cases take 51 MB in float32."""
    rng = np.random.default_rng(1)
    pos, neg = rng.normal(size=(2, 20, 800))
    tracemalloc.start()
    try:
        pairs.pair_sums(pos, neg)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # A block: 16 MB of float32 and 4 MB of comparisons.
    assert peak < 30e6


def test_readers_with_cases_of_their_own_are_not_compared(monkeypatch):
    """60 readers read 100 cases each: 60 blocks of one curve, not 60 x 60 of 60 curves."""
    rng = np.random.default_rng(2)
    pos, neg = np.full((2, 60, 60 * 50), np.nan)
    for j in range(60):
        own = slice(50 * j, 50 * j + 50)
        pos[j, own], neg[j, own] = rng.normal(size=(2, 50))
    made, kernel = [], pairs._doubled_kernel

    def counted(x, y):
        made.append(x.size * y.shape[1])
        return kernel(x, y)

    monkeypatch.setattr(pairs, "_doubled_kernel", counted)
    pairs.pair_sums(pos, neg)
    assert sum(made) == 60 * 50 * 50


# docs/methods/readers.md, "U-statistics"
def test_printed_covariances_of_the_worked_study():
    sigma = unbiased_reader_covariance(CROSSED).reshape(2, 4, 2, 4)
    same_reader, same_modality = np.eye(4, dtype=bool), np.eye(2, dtype=bool)
    blocks = sigma.transpose(0, 2, 1, 3)
    means = [
        blocks[modality][:, reader].mean()
        for modality in (same_modality, ~same_modality)
        for reader in (same_reader, ~same_reader)
    ]
    printed = [0.002296477239, 0.001354803555, 0.001287252085, 0.001228162977]
    np.testing.assert_allclose(means, printed, rtol=0, atol=5e-13)


@given(incomplete(most=4))
def test_unbiased_covariance_equals_loops_where_it_exists(reads):
    sigma = unbiased_reader_covariance(reads)
    curves = reads.n_modalities * reads.n_readers
    pos, neg = reads.pos.reshape(curves, -1), reads.neg.reshape(curves, -1)
    exists = ~np.isnan(np.diag(sigma))
    two = (np.count_nonzero(~np.isnan(x), axis=1) > 1 for x in (pos, neg))
    np.testing.assert_array_equal(exists, np.logical_and(*two))
    assume(exists.any())
    expected = oracle.unbiased_covariance(pos[exists], neg[exists])
    np.testing.assert_allclose(sigma[np.ix_(exists, exists)], expected, rtol=0, atol=1e-12)


def test_bootstrap_covariance_of_one_curve_is_that_of_the_definition():
    truth = np.repeat([1, 0], [16, 24])
    expected = [
        definitions.bootstrap_variance(truth, np.append(pos, neg))
        for pos, neg in zip(CROSSED.pos[:, 0], CROSSED.neg[:, 0], strict=True)
    ]
    variances = np.diag(ideal_bootstrap_reader_covariance(CROSSED))[[0, 4]]
    np.testing.assert_allclose(variances, expected, rtol=0, atol=1e-14)


def test_bootstrap_covariance_is_that_of_many_resamples():
    pos, neg = CROSSED.pos.reshape(8, 16), CROSSED.neg.reshape(8, 24)
    psi = (1 + np.sign(pos[:, :, None] - neg[:, None, :])) / 2
    rng, n_resamples = np.random.default_rng(7), 20_000
    w, v = (rng.multinomial(size, np.full(size, 1 / size), n_resamples) for size in (16, 24))
    rows = (w / 16) @ psi.transpose(1, 0, 2).reshape(16, -1)
    areas = np.einsum("bkn,bn->bk", rows.reshape(n_resamples, 8, 24), v / 24)
    sigma = ideal_bootstrap_reader_covariance(CROSSED)
    scale = np.sqrt(np.outer(np.diag(sigma), np.diag(sigma)))
    # The standard error of a variance of B normal values is sqrt(2/B) = .01 of it, of a covariance
    # at most as much: 64 of them stay within four.
    assert np.max(np.abs(np.cov(areas.T) - sigma) / scale) < 4 * np.sqrt(2 / n_resamples)


@given(incomplete())
def test_bootstrap_covariance_is_never_negative(reads):
    sigma = ideal_bootstrap_reader_covariance(reads)
    read = ~np.isnan(np.diag(sigma))
    assert np.linalg.eigvalsh(sigma[np.ix_(read, read)]).min(initial=0.0) > -1e-12


def test_curves_without_common_cases_are_uncorrelated():
    pos, neg = np.full((1, 2, 6), np.nan), np.full((1, 2, 6), np.nan)
    for j in range(2):
        own = slice(3 * j, 3 * j + 3)
        pos[0, j, own], neg[0, j, own] = [3, 1, 2], [0, 2, 1]
    for covariance in (unbiased_reader_covariance, ideal_bootstrap_reader_covariance):
        sigma = covariance(Reads(pos, neg))
        assert sigma[0, 1] == pytest.approx(0, abs=1e-16)
        assert sigma[0, 0] > 0
