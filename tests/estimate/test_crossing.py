"""The root search: known roots, functions that interpolation alone misses, SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

import rocstats as rs
from rocstats.estimate.crossing import find_root
from rocstats.estimate.exact_bands import local_level_of_beta_limits
from rocstats.estimate.intervals import NEWCOMBE_LIMITS, Area
from rocstats.estimate.paired_tables import PairedTable, tang_limit, tango_limit
from rocstats.estimate.simultaneous import largest_normal


@pytest.mark.parametrize(
    ("excess", "low", "high", "root"),
    [
        (lambda x: x * x - 2, 0.0, 2.0, math.sqrt(2)),
        (lambda x: 2 - x * x, 0.0, 2.0, math.sqrt(2)),
        (lambda x: math.copysign(1.0, x - 0.3), 0.0, 1.0, 0.3),
        (lambda x: (x - 0.7) ** 9, 0.0, 1.0, 0.7),
        (lambda x: math.inf if x > 0.4 else x - 0.4 - 1e-9, 0.0, 1.0, 0.4),
        (lambda x: x, 0.0, 1.0, 0.0),
        (lambda x: x - 1, 0.0, 1.0, 1.0),
    ],
)
def test_roots(excess, low, high, root):
    # The ninth power is 0 in floating point within 1e-36 of its root, and beyond by rounding.
    assert find_root(excess, low, high, xtol=1e-13) == pytest.approx(root, abs=1e-12)


@given(st.floats(-5, 5), st.floats(0.1, 20))
def test_roots_are_those_of_scipy(shift, steepness):
    def excess(x):
        return math.tanh(steepness * (x - shift)) + 0.1 * (x - shift) + 0.05

    expected = brentq(excess, -10, 10, xtol=1e-13)
    assert find_root(excess, -10.0, 10.0, xtol=1e-13) == pytest.approx(expected, abs=1e-12)


def test_few_steps():
    asked = []

    def excess(x):
        asked.append(x)
        return math.exp(x) - 3

    find_root(excess, -38.0, 38.0, xtol=1e-13)
    assert len(asked) < 25


def test_no_sign_change_is_refused():
    with pytest.raises(ValueError, match="no sign change"):
        find_root(lambda x: x + 1, 0.0, 1.0, xtol=1e-10)


# Roots that rounding hides: where the ends of the search have one sign, the root is at an end.


@pytest.mark.parametrize(
    ("table", "quantile"),
    [
        (PairedTable(1.0, 50.0, 1.0, 1e6), -1e-17),
        (PairedTable(1e6, 0.0, 50.0, 1e6), -1e-17),
        (PairedTable(1e6, 1e6, 50.0, 0.0), -1e-13),
        (PairedTable(5.0, 1.0, 1e6, 1e6), 1e-17),
    ],
)
def test_the_limit_of_a_ratio_at_a_quantile_of_rounding_is_the_ratio(table, quantile):
    assert tang_limit(table, quantile) == pytest.approx(table.ratio, rel=1e-12)


@pytest.mark.parametrize("quantile", [1.96, 38.0])
def test_the_limit_of_a_difference_next_to_minus_one_is_minus_one(quantile):
    table = PairedTable(5e-8, 5e-9, 1e-3, 1e-9)
    assert -1 < table.difference < -0.9999
    assert tango_limit(table, -quantile) == -1
    assert tango_limit(table.swapped(), quantile) == 1


@pytest.mark.parametrize("n", [1, 2, 20, 300, 5000])
@pytest.mark.parametrize("level", [1e-300, 1e-17, 1 - 1e-15, 1 - 2**-53])
def test_limits_of_all_order_statistics_at_levels_of_rounding(n, level):
    # Between Bonferroni's inequality and full dependence, .1 of the logarithm aside.
    assert (1 - level) / n / 1.2 < local_level_of_beta_limits(n, level) < (1 - level) * 1.2


def test_the_largest_absolute_value_is_not_below_zero():
    law = largest_normal(np.eye(3), two_sided=True)
    assert law.quantile(0.0) == law.quantile(1e-17) == 0
    # (2 Phi(c) - 1)^3 = 1e-3
    assert law.quantile(1e-3) == pytest.approx(norm.ppf(0.55), rel=1e-4)


def test_newcombe_limits_at_an_infinite_quantile_are_the_ends():
    area = Area(0.8, 0.01, math.inf, 5.0, 6.0, 5.0)
    assert NEWCOMBE_LIMITS.limit(area, -math.inf) == 0
    assert NEWCOMBE_LIMITS.limit(area, math.inf) == 1


def test_a_power_of_one_but_for_rounding_has_a_size():
    # Both margins at 1e-9: z of 1 - 5e-13 and of 1 - 1e-12 standard deviations of the difference.
    design = rs.TwoAUCs(0.75, 0.75, hypothesis="equivalence", margin=0.05)
    sizes = [
        rs.sample_size(design, power=power, alpha=1e-12)["n_pos"][0]
        for power in (0.8, 1 - 1e-6, 1 - 1e-12)
    ]
    z = norm.isf([0.1, 5e-7, 5e-13]) + norm.isf(1e-12)
    assert np.array(sizes) / sizes[0] == pytest.approx(z**2 / z[0] ** 2, rel=2e-3)
