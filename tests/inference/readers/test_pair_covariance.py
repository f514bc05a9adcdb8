from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from rocstats.estimate.pair_sums import (
    ideal_bootstrap_reader_covariance,
    unbiased_reader_covariance,
)
from rocstats.study.cases import Reads
from tests.inference.readers.designs import CROSSED, incomplete
from tests.oracles import definitions
from tests.oracles import readers as oracle


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
