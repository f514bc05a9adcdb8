"""Risks moved to another prevalence."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

import rocstats as rs
from tests.quick import each


def test_it_adds_on_the_logit_scale_and_back():
    p = np.array([[0.0, 0.1], [0.5, 1.0]])
    moved = rs.shift_prevalence(p, source=0.4, target=0.05)
    assert moved == pytest.approx(expit(logit(p) + logit(0.05) - logit(0.4)), abs=1e-15)
    assert moved.shape == (2, 2)
    assert rs.shift_prevalence(moved, source=0.05, target=0.4) == pytest.approx(p, abs=1e-15)
    assert rs.shift_prevalence(0.4, source=0.4, target=0.05) == pytest.approx(0.05)
    assert rs.shift_prevalence(p, source=0.3, target=0.3) == pytest.approx(p, abs=1e-15)


@pytest.mark.parametrize("p", ["0.5", None, [0.5, np.nan], -0.1, 1.1, [], [[0.1], [0.2, 0.3]]])
def test_no_risk_is_refused(p):
    with pytest.raises(rs.InputError, match=r"`p` must be numbers in \[0, 1\]; got .* Pass"):
        rs.shift_prevalence(p, source=0.5, target=0.1)


@each("name", ["source", "target"])
@each("share", [0, 1, "0.1", None, np.nan])
def test_no_prevalence_is_refused(name, share):
    with pytest.raises(rs.InputError, match=f"`{name}` must be a number strictly between 0 and 1"):
        rs.shift_prevalence(0.5, **{"source": 0.5, "target": 0.1, name: share})
