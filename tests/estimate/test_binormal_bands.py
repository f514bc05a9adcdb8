from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rocstats.estimate.binormal import (
    BinormalFit,
    binormal_fit_classes_exchanged,
    confidence_ellipse_radius,
    ellipse_limits,
    fit_binormal_to_ratings,
    fitted_binormal_curve,
    working_hotelling_limits,
)
from tests.oracles import binormal as oracles_binormal

GRID = np.linspace(0, 1, 101)


@pytest.fixture
def ct():
    return fit_binormal_to_ratings(np.array([3.0, 2, 2, 11, 33]), np.array([33.0, 6, 6, 11, 2]))


def limits_of(fit, kind, level=0.95):
    if kind == "ellipse":
        return ellipse_limits(fit, GRID, level)
    return working_hotelling_limits(fit, GRID, level, kind)


# docs/methods/bands.md, "Worked Working-Hotelling band"
def test_printed_limits_of_the_ct_ratings(ct):
    fpr = np.array([0.1, 0.3])
    assert fitted_binormal_curve(ct, fpr) == pytest.approx([0.7712692, 0.9002336], abs=5e-8)
    z = np.array([-1.2815515655, -0.5244005127])
    v = ct.covariance
    se = np.sqrt(v[0, 0] + 2 * v[0, 1] * z + v[1, 1] * z**2)
    assert se == pytest.approx([0.2274728, 0.2441565], abs=5e-8)
    low, high = working_hotelling_limits(ct, fpr, 0.95, "pointwise")
    assert low == pytest.approx([0.6168411, 0.7894013], abs=5e-8)
    assert high == pytest.approx([0.8827549, 0.9609165], abs=5e-8)
    low, high = working_hotelling_limits(ct, fpr, 0.95, "simultaneous")
    assert low == pytest.approx([0.5738707, 0.7534069], abs=5e-8)
    assert high == pytest.approx([0.9031702, 0.9699812], abs=5e-8)


# docs/methods/bands.md, "Worked Working-Hotelling band"
def test_printed_radius():
    assert confidence_ellipse_radius(0.95) == pytest.approx(2.447747, abs=5e-7)


def test_the_band_is_the_envelope_of_the_curves_in_the_ellipse(ct):
    low, high = working_hotelling_limits(ct, GRID, 0.9, "simultaneous")
    angle = np.linspace(0, 2 * np.pi, 4001)
    edge = np.linalg.cholesky(ct.covariance) @ np.stack([np.cos(angle), np.sin(angle)])
    a, b = np.array([[ct.a], [ct.b]]) + np.sqrt(-2 * np.log(0.1)) * edge
    curves = fitted_binormal_curve(replace(ct, a=a[:, None], b=b[:, None]), GRID)
    assert curves.min(axis=0)[1:-1] == pytest.approx(low[1:-1], abs=1e-6)
    assert curves.max(axis=0)[1:-1] == pytest.approx(high[1:-1], abs=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "n_pos", "n_neg", "level"),
    [
        (1.66, 0.71, 51, 58, 0.95),
        (0.2, 2.5, 9, 30, 0.9),
        (3.0, 1.0, 200, 5, 0.5),
        (-1, 0.4, 6, 9, 0.8),
    ],
)
def test_ellipses_against_a_grid_of_thresholds(a, b, n_pos, n_neg, level):
    fit = BinormalFit(a, b, n_pos, n_neg, converged=True)
    low, high = ellipse_limits(fit, GRID, level)
    for i in range(5, 100, 10):
        expected = oracles_binormal.ellipse_limits(a, b, n_pos, n_neg, GRID[i], level)
        assert (low[i], high[i]) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_bands_hold_the_curve_and_grow_with_the_level(ct, kind):
    narrow, wide = (limits_of(ct, kind, level) for level in (0.8, 0.99))
    assert (wide[0] <= narrow[0]).all()
    assert (narrow[0] <= fitted_binormal_curve(ct, GRID)).all()
    assert (fitted_binormal_curve(ct, GRID) <= narrow[1]).all()
    assert (narrow[1] <= wide[1]).all()
    assert min(wide[0].min(), narrow[0].min()) >= 0
    assert max(wide[1].max(), narrow[1].max()) <= 1


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_many_cases_leave_a_narrow_band_that_ends_in_the_corners(ct, kind):
    many = replace(ct, covariance=ct.covariance / 1e6, n_pos=51e6, n_neg=58e6)
    low, high = limits_of(many, kind)
    assert (high - low).max() < 2e-3
    assert (low[0], high[0], low[-1], high[-1]) == (0, 0, 1, 1)


@pytest.mark.parametrize("kind", ["simultaneous", "ellipse"])
def test_ends_are_the_limits_of_what_is_near(kind):
    # wide: every slope is possible, and the band opens at the ends
    fit = BinormalFit(1.0, 0.5, 2, 4, np.array([[1.0, 0.1], [0.1, 0.8]]), converged=True)
    low, high = limits_of(fit, kind)
    assert (low[0], high[0], low[-1], high[-1]) == (0, 1, 0, 1)
    near = np.array([1e-300, 1 - 1e-16])
    if kind == "ellipse":
        low, high = ellipse_limits(fit, near, 0.95)
    else:
        low, high = working_hotelling_limits(fit, near, 0.95, kind)
    assert high[0] > 0.9
    assert low[1] < 0.1


def test_so_few_negatives_that_every_threshold_reaches_everywhere():
    low, high = ellipse_limits(BinormalFit(1.0, 1.0, 50, 2, converged=True), GRID, 0.95)
    assert (low == 0).all()
    assert (high == 1).all()


@pytest.mark.parametrize("kind", ["simultaneous", "ellipse"])
def test_a_band_of_exchanged_classes_holds_the_mirrored_curve(ct, kind):
    mirror = binormal_fit_classes_exchanged(ct)
    low, high = limits_of(mirror, kind)
    assert (low <= fitted_binormal_curve(mirror, GRID)).all()
    assert (fitted_binormal_curve(mirror, GRID) <= high).all()


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_a_fit_that_failed_has_undefined_limits(kind):
    low, high = limits_of(fit_binormal_to_ratings(np.array([0, 5]), np.array([5, 0])), kind)
    assert np.isnan([low, high]).all()
