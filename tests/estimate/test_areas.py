from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from rocstats.estimate import binormal as areas
from rocstats.estimate.binormal import (
    BinormalFit,
    binormal_fit_classes_exchanged,
    fit_binormal_to_counts,
    fit_binormal_to_normal_scores,
    fit_binormal_to_ratings,
)
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples

INDICES = {
    "area": areas.fitted_binormal_area,
    "area_deviate": areas.fitted_binormal_area_deviate,
    "d_a": areas.d_a,
    "delta_m": areas.delta_m,
    "d_e": areas.d_e,
    "partial": lambda fit: areas.fitted_binormal_partial_area(fit, 0.1, 0.4),
    "from_zero": lambda fit: areas.fitted_binormal_partial_area(fit, 0.0, 0.2),
    "to_one": lambda fit: areas.fitted_binormal_partial_area(fit, 0.3, 1.0),
}
shapes = st.tuples(st.floats(-3, 4), st.floats(0.05, 8))


def of(a, b):
    return BinormalFit(a, b, 50, 50, np.eye(2) / 50, converged=True)


@pytest.fixture
def ct():
    return fit_binormal_to_ratings(np.array([3.0, 2, 2, 11, 33]), np.array([33.0, 6, 6, 11, 2]))


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_areas_of_the_ct_ratings(ct):
    area, deviate = areas.fitted_binormal_area(ct), areas.fitted_binormal_area_deviate(ct)
    assert area.value == pytest.approx(0.9113311, abs=5e-8)
    assert area.se(ct) == pytest.approx(0.0295058, abs=5e-8)
    limits = norm.cdf(deviate.value + norm.ppf([0.025, 0.975]) * deviate.se(ct))
    assert limits == pytest.approx([0.8386464, 0.9562824], abs=5e-8)
    found = [index(ct).value for index in (areas.d_a, areas.delta_m, areas.d_e)]
    assert found == pytest.approx([1.9077707, 2.3236706, 1.9343609], abs=5e-8)
    expected = fit_binormal_to_ratings(
        np.array([3.0, 2, 2, 11, 33]), np.array([33.0, 6, 6, 11, 2]), information="expected"
    )
    assert areas.fitted_binormal_area(expected).se(expected) == pytest.approx(0.0296001, abs=5e-8)


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_partial_areas_of_the_ct_ratings(ct):
    assert areas.fitted_binormal_partial_area(ct, 0, 0.1).value == pytest.approx(
        0.0653197370, abs=5e-11
    )
    part = areas.fitted_binormal_partial_area(ct, 0, 0.2)
    assert part.value == pytest.approx(0.1471337203, abs=5e-11)
    # First printed as .0148590568; the printed gradient and covariance give .01485905583, as in
    # validation/binormal/ct_1982, whose script integrates and has its own maximum.
    assert part.se(ct) == pytest.approx(0.0148590558, abs=5e-11)
    assert part.gradient == pytest.approx([0.0616399173, -0.0906407089], abs=5e-10)


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_areas_of_d1():
    counts = count_scores_of(LabelledScores(examples.D1, examples.Y == 1, None, True))
    for fit, value, se in (
        (fit_binormal_to_counts(counts, information="expected"), 0.8744472, 0.0826440),
        (
            fit_binormal_to_normal_scores(counts.score, counts.n_pos, counts.n_neg),
            0.8701371,
            0.0806545,
        ),
    ):
        assert areas.fitted_binormal_area(fit).value == pytest.approx(value, abs=5e-8)
        assert areas.fitted_binormal_area(fit).se(fit) == pytest.approx(se, abs=5e-8)


@pytest.mark.parametrize("name", INDICES)
@given(shape=shapes)
def test_gradients_are_derivatives(name, shape):
    index, (a, b), h = INDICES[name], shape, 1e-5
    by_a = (index(of(a + h, b)).value - index(of(a - h, b)).value) / (2 * h)
    by_b = (index(of(a, b + h)).value - index(of(a, b - h)).value) / (2 * h)
    assert index(of(a, b)).gradient == pytest.approx([by_a, by_b], rel=1e-5, abs=1e-8)


@given(shapes, st.tuples(st.floats(0, 0.9), st.floats(0.01, 1)))
def test_partial_areas_are_integrals(shape, ends):
    fit = of(*shape)
    low, high = ends[0], min(ends[0] + ends[1], 1.0)
    # over probits, where the integrand is smooth
    z = np.clip(norm.ppf([low, high]), -38, 38)
    whole, _ = quad(
        lambda x: norm.cdf(fit.a + fit.b * x) * norm.pdf(x),
        *z,
        epsabs=1e-11,
        limit=400,
        points=np.clip([-fit.a / fit.b, 0], *z),
    )
    assert areas.fitted_binormal_partial_area(fit, low, high).value == pytest.approx(
        whole, abs=1e-9
    )


@pytest.mark.parametrize("shape", [(0.0, 1.0), (0.0, 0.5), (1.3, 2.0)])
def test_the_whole_range_is_the_area_and_halves_add_up(shape):
    fit = of(*shape)
    parts = [
        areas.fitted_binormal_partial_area(fit, *ends).value
        for ends in ((0, 0.5), (0.5, 1), (0, 1))
    ]
    assert parts[0] + parts[1] == pytest.approx(parts[2], abs=1e-15)
    assert parts[2] == pytest.approx(areas.fitted_binormal_area(fit).value, abs=1e-15)
    whole = areas.fitted_binormal_partial_area(fit, 0, 1)
    assert whole.gradient == pytest.approx(areas.fitted_binormal_area(fit).gradient, abs=1e-15)


# Phi2(0, 0; r) = 1/4 + arcsin(r)/(2 pi)
@pytest.mark.parametrize("r", [-0.9, -0.2, 0.0, 0.6])
def test_bivariate_normal_at_the_origin(r):
    found = areas.bivariate_normal_probability(0.0, np.array([0.0, np.inf, -np.inf]), r)
    assert found == pytest.approx([0.25 + np.arcsin(r) / (2 * np.pi), 0.5, 0.0], abs=1e-15)


@given(shapes)
def test_exchanged_classes_mirror_curve_and_area(shape):
    fit = of(*shape)
    mirror = binormal_fit_classes_exchanged(fit)
    assert areas.fitted_binormal_area(mirror).value == pytest.approx(
        areas.fitted_binormal_area(fit).value, abs=1e-12
    )
    assert areas.fitted_binormal_area(mirror).se(mirror) == pytest.approx(
        areas.fitted_binormal_area(fit).se(fit), rel=1e-9
    )
    x = np.array([0.05, 0.3, 0.7])
    y = areas.fitted_binormal_curve(fit, x)
    inside = (y > 1e-9) & (y < 1 - 1e-9)
    assert areas.fitted_binormal_curve(mirror, 1 - y)[inside] == pytest.approx(
        1 - x[inside], abs=1e-6
    )


def test_the_curve_runs_from_corner_to_corner(ct):
    tpr = areas.fitted_binormal_curve(ct, np.linspace(0, 1, 101))
    assert (tpr[0], tpr[-1]) == (0, 1)
    assert (np.diff(tpr) > 0).all()


def test_a_fit_that_failed_has_undefined_areas(ct):
    failed = replace(ct, a=np.nan, b=np.nan, covariance=np.full((2, 2), np.nan), converged=False)
    for index in INDICES.values():
        assert np.isnan([index(failed).value, index(failed).se(failed)]).all()
