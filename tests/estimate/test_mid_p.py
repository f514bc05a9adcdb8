"""Mid-p limits of a proportion: their definition, printed figures, effective sizes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from rocstats.estimate.proportions import binomial_limits_of_rates, mid_p_limits


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 13, 400])
def test_half_of_what_was_seen_is_in_each_tail(n, level):
    x = np.arange(n + 1)
    low, high = mid_p_limits(x.astype(float), np.full(n + 1, float(n)), (1 - level) / 2)
    tail = (1 - level) / 2
    below = binom.sf(x, n, low) + binom.pmf(x, n, low) / 2
    above = binom.cdf(x - 1, n, high) + binom.pmf(x, n, high) / 2
    assert below[1:] == pytest.approx(tail, rel=1e-8)
    assert above[:-1] == pytest.approx(tail, rel=1e-8)
    assert (low[0], high[-1]) == (0, 1)


@pytest.mark.parametrize(
    ("x", "n", "limits"),
    [
        # printed in the manual of the R package stests, ci_p_mid_p
        (5, 20, (0.09786008, 0.47022380)),
        (10, 30, (0.1833232, 0.5141852)),
        (15, 40, (0.2361295, 0.5313959)),
    ],
)
def test_printed_limits(x, n, limits):
    found = np.ravel(mid_p_limits(np.array([float(x)]), np.array([float(n)]), 0.025))
    assert found == pytest.approx(limits, abs=5e-8)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_limits_of_effective_sizes_hold_the_rate_inside_the_exact_ones(level, rng):
    rate, size = rng.random(200), rng.uniform(0.3, 300, 200)
    low, high = binomial_limits_of_rates(rate, size, "mid-p", level)
    exact = binomial_limits_of_rates(rate, size, "clopper-pearson", level)
    assert ((exact[0] <= low + 1e-12) & (low < rate)).all()
    assert ((rate < high) & (high <= exact[1] + 1e-12)).all()
