from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, rankdata, wilcoxon

from rocstats.inference.learners import (
    corrected_resampled_se,
    friedman_test,
    learner_ranks_by_row,
    signed_rank_p_value,
    walsh_interval,
)

# hundredths, so that ties and zeros are common and sums exact
DIFFERENCES = st.lists(st.integers(-6, 6), min_size=2, max_size=9).map(lambda d: np.array(d) / 64)


def listed_p_value(d, alternative):
    """Every choice of signs, the ranks of what differs kept (zeros ranked, then left out)."""
    ranks = rankdata(np.abs(d))[d != 0]
    sums = np.array(
        [
            sum(r for r, up in zip(ranks, s, strict=True) if up)
            for s in product((0, 1), repeat=len(ranks))
        ]
    )
    observed = rankdata(np.abs(d))[d > 0].sum()
    upper, lower = (sums >= observed).mean(), (sums <= observed).mean()
    return {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}[
        alternative
    ]


@given(DIFFERENCES, st.sampled_from(["two-sided", "greater", "less"]))
def test_signed_rank_lists_every_choice_of_signs(d, alternative):
    assert signed_rank_p_value(d, alternative) == pytest.approx(listed_p_value(d, alternative))


@given(st.integers(0, 2**32), st.integers(2, 40), st.sampled_from(["two-sided", "greater", "less"]))
def test_signed_rank_without_ties_is_that_of_scipy(seed, n, alternative):
    d = np.random.default_rng(seed).normal(0.3, 1, n)
    expected = wilcoxon(d, alternative=alternative, method="exact").pvalue
    assert signed_rank_p_value(d, alternative) == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 2**32), st.integers(2, 25), st.sampled_from([0.5, 0.8, 0.95]))
def test_limits_hold_what_the_test_does_not_reject(seed, n, level):
    d = np.random.default_rng(seed).normal(0.3, 1, n)
    estimate, low, high = walsh_interval(d, level, "two-sided")
    assert low <= estimate <= high
    for limit, inside in ((low, 1), (high, -1)):
        if np.isfinite(limit):
            for step, accepted in ((1e-6, True), (-1e-6, False)):
                p = signed_rank_p_value(d - (limit + inside * step), "two-sided")
                assert (p > 1 - level) == accepted
        else:
            assert 2 * 0.5**n > 1 - level


def test_one_sided_limits_are_at_the_level():
    d = np.array([0.05, 0.03, 0.01, 0.06, 0.04, -0.02])
    _, low, high = walsh_interval(d, 0.95, "two-sided")
    assert walsh_interval(d, 0.975, "greater")[1:] == (low, np.inf)
    assert walsh_interval(d, 0.975, "less")[1:] == (-np.inf, high)


@given(st.integers(0, 2**32), st.integers(3, 12), st.integers(3, 6), st.booleans())
def test_friedman_is_that_of_scipy(seed, n, k, tied):
    areas = np.random.default_rng(seed).random((n, k))
    areas = np.round(areas, 1) if tied else areas
    if any(len(set(row)) == 1 for row in areas.tolist()) or np.ptp(areas) == 0:
        return
    expected = friedmanchisquare(*areas.T)
    statistic, df, p = friedman_test(areas)
    assert (statistic, p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert df == k - 1


def test_learners_that_always_tie_do_not_differ():
    assert friedman_test(np.full((4, 3), 0.7)) == (0.0, 2.0, 1.0)


def test_ranks_count_from_the_best():
    table = learner_ranks_by_row(np.array([[0.9, 0.7, 0.8], [0.5, 0.5, 0.6]]))
    assert table.tolist() == [[1, 3, 2], [2.5, 2.5, 1]]


def test_correction_of_nadeau_and_bengio():
    d = np.array([0.03, 0.01, 0.04, 0.02])
    # s^2 = .0005/3; (1/4 + 1/3) s^2
    assert corrected_resampled_se(d, 3, 1) == pytest.approx(np.sqrt((1 / 4 + 1 / 3) * 0.0005 / 3))
    assert corrected_resampled_se(np.full(5, 0.1 + 0.2), 3, 1) == 0
