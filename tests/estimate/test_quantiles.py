"""Quantiles of t and normal distributions, one-sided levels, ranks of order statistics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit
from scipy.stats import norm

from rocstats.estimate.quantiles import (
    limits_at_both_quantiles,
    order_rank,
    t_quantile,
    t_quantiles,
)
from tests.quick import each


@each("df", [1.0, 2.5, 6.0, 15.8, 400.0, 1e6])
@each("p", [0.6, 0.95, 0.975, 0.9995])
def test_quantiles_of_t_invert_its_distribution_to_the_last_digits(df, p):
    assert stdtr(df, t_quantile(p, df)) == pytest.approx(p, abs=1e-14)
    assert t_quantile(1 - p, df) == pytest.approx(-t_quantile(p, df), rel=1e-11)


def test_one_step_corrects_quantiles_that_miss_as_those_of_older_scipy_do(monkeypatch):
    """Shaw (2006): quantiles of t with 1, 2 and 4 degrees of freedom have closed forms."""
    missed = "rocstats.estimate.quantiles.sp.stdtrit"
    monkeypatch.setattr(missed, lambda df, p: stdtrit(df, p) * (1 + 1e-7))
    df = np.array([1.0, 2.0, 4.0])
    for p in (0.6, 0.975):
        four = 4 * p * (1 - p)
        of_four = 2 * np.sqrt(np.cos(np.arccos(np.sqrt(four)) / 3) / np.sqrt(four) - 1)
        expected = [np.tan(np.pi * (p - 0.5)), (2 * p - 1) / np.sqrt(2 * p * (1 - p)), of_four]
        # Newton's step squares an error; a wrong slope would leave a share of it.
        for copies in (1, 2):  # few one by one, more as an array
            found = t_quantiles(p, np.tile(df, copies))
            assert found == pytest.approx(np.tile(expected, copies), rel=1e-12)
        assert [t_quantile(p, one) for one in df] == pytest.approx(expected, rel=1e-12)


def test_quantiles_of_t_far_out_are_finite():
    # With one degree of freedom (Cauchy) the quantile of a tiny p is -1/(pi p).
    assert t_quantile(1e-200, 1.0) == pytest.approx(-1e200 / np.pi)


def test_a_quantile_beyond_every_number_is_infinite():
    """P(T > t) of 1e-4 degrees of freedom: t^-df is 1/40 at 40^10000."""
    with np.errstate(all="raise"):
        assert t_quantile(0.975, 1e-4) == np.inf


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_one_sided_limits_are_at_the_full_level(level):
    def limit(q):
        return q / 10

    z = float(norm.ppf(level))
    assert limits_at_both_quantiles(limit, level, "greater") == pytest.approx((-z / 10, 1.0))
    assert limits_at_both_quantiles(limit, level, "less") == pytest.approx((-1.0, z / 10))
    z = float(norm.ppf((1 + level) / 2))
    assert limits_at_both_quantiles(limit, level, "two-sided") == pytest.approx((-z / 10, z / 10))


# docs/methods/resampling.md, "Order statistics as limits": the order statistics ceil((B + 1) p)
@pytest.mark.parametrize(
    ("p", "total", "rank"),
    [(0.95, 2000, 1901), (0.95, 999, 950), (0.025, 999, 25), (0.001, 99, 1), (0.999, 99, 99)],
)
def test_rank_of_an_order_statistic(p, total, rank):
    assert order_rank(p, total) == rank
