from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from rocstats.estimate.proportions import (
    effective_wilson_limit,
    mover_limit,
    wilson_limit_of_proportion,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import limits_at_both_quantiles

Z = 1.959963984540054


# docs/methods/averages.md, "Worked bars", the example of n_eff
def test_printed_effective_size():
    slope, t, m, n = 0.6, 0.2, 50, 40
    adjusted = (m * 0.8 + Z**2 / 2) / (m + Z**2)
    assert adjusted == pytest.approx(0.7785957203, abs=5e-11)
    variance = adjusted * (1 - adjusted) / m + slope**2 * t * (1 - t) / n
    assert variance == pytest.approx(0.0048876885, abs=5e-11)
    found = [effective_wilson_limit(0.8, m, variance, q) for q in (-Z, Z)]
    # The upper limit is 0.89931091260 in 40 digits, first printed as 0.8993110.
    assert found == pytest.approx([0.6417568, 0.8993109], abs=5e-8)


def test_the_variance_is_at_least_binomial():
    found = effective_wilson_limit(1.0, 20, 0.0, -Z)
    assert found == pytest.approx(wilson_limit_of_proportion(20, 20, -Z), rel=1e-12)
    assert effective_wilson_limit(0.3, 20, 0.01, 0.0) == 0.3


def test_independent_terms_add_in_squares():
    assert mover_limit(0.2, -0.3, 0.4, 0.0, -Z) == pytest.approx(-0.3)
    assert mover_limit(0.2, -0.3, 0.4, 1.0, -Z) == pytest.approx(0.1)
    assert mover_limit(0.9, 0.3, -0.4, 0.0, Z) == 1.0


@given(st.floats(-0.5, 0.5), st.floats(-0.9, 0.9), st.floats(0.01, 0.3))
def test_the_statistic_is_where_the_limit_meets_the_null_value(estimate, null, se):
    z = z_where_limit_reaches_null(lambda q: estimate + q * se, estimate, null)
    expected = np.clip((estimate - null) / se, -38, 38)
    assert z == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(st.sampled_from([0.8, 0.95]))
def test_one_sided_limits_are_at_the_full_level(level):
    def limit(q):
        return q / 10

    z = float(norm.ppf(level))
    assert limits_at_both_quantiles(limit, level, "greater") == pytest.approx((-z / 10, 1.0))
    assert limits_at_both_quantiles(limit, level, "less") == pytest.approx((-1.0, z / 10))
    z = float(norm.ppf((1 + level) / 2))
    assert limits_at_both_quantiles(limit, level, "two-sided") == pytest.approx((-z / 10, z / 10))


@pytest.mark.parametrize(("share", "variance"), [(1.0, 0.0), (1.0, 1e-3), (0.0, 0.0)])
def test_a_share_at_an_end_and_a_quantile_next_to_zero(share, variance):
    """Where root search comes near 0: the adjusted share rounds to 1, without a spread."""
    assert effective_wilson_limit(share, 50, variance, 1e-9) == pytest.approx(share, abs=1e-12)
    assert effective_wilson_limit(share, 50, variance, 0.0) == share
