from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocstats.estimate import pair_sums as pairs
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
