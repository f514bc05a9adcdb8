"""The root search: known roots, functions that interpolation alone misses, SciPy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from rocstats.estimate.crossing import crossing


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
    assert crossing(excess, low, high, xtol=1e-13) == pytest.approx(root, abs=1e-12)


@given(st.floats(-5, 5), st.floats(0.1, 20))
def test_roots_are_those_of_scipy(shift, steepness):
    def excess(x):
        return math.tanh(steepness * (x - shift)) + 0.1 * (x - shift) + 0.05

    expected = brentq(excess, -10, 10, xtol=1e-13)
    assert crossing(excess, -10.0, 10.0, xtol=1e-13) == pytest.approx(expected, abs=1e-12)


def test_few_steps():
    asked = []

    def excess(x):
        asked.append(x)
        return math.exp(x) - 3

    crossing(excess, -38.0, 38.0, xtol=1e-13)
    assert len(asked) < 25


def test_no_sign_change_is_refused():
    with pytest.raises(ValueError, match="no sign change"):
        crossing(lambda x: x + 1, 0.0, 1.0, xtol=1e-10)
