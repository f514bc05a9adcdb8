from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from rocstats.curves.areas import AreaRange
from rocstats.estimate.binormal import bivariate_normal_probability
from rocstats.inference.planning.variances import (
    Binormal,
    CaseVariance,
    binormal_variance,
    hanley_mcneil_variance,
    obuchowski_variance,
)

AREAS = st.floats(0.52, 0.98)

SLOPES = st.floats(0.4, 2.5)

CORRELATIONS = st.floats(-0.9, 0.9)


@pytest.mark.parametrize(
    ("h", "k", "r"),
    [(1.2, 0.3, 0.5), (0, 0.3, 0.5), (0.3, 0, -0.4), (0, -0.5, 0.2), (-0.3, 0.8, 0.6), (0, 0, 0.3)],
)
def test_two_normals_below_limits(h, k, r):
    expected = multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([h, k])
    assert bivariate_normal_probability(h, np.array(k), r) == pytest.approx(expected, abs=1e-12)


# docs/methods/binormal.md, "Worked fit of CT": the ratings of 1982, partial area up to 0.2
def test_printed_partial_area_and_gradient():
    curve = Binormal(1.6567822, 0.7130022, AreaRange("fpr", 0, 0.2))
    assert curve.area() == pytest.approx(0.1471337203, abs=3e-9)  # a and b have seven decimals
    assert curve.gradient() == pytest.approx((0.0616399173, -0.0906407089), abs=3e-9)
    tenth = Binormal(1.6567822, 0.7130022, AreaRange("fpr", 0, 0.1))
    assert tenth.area() == pytest.approx(0.0653197370, abs=3e-9)


@given(st.floats(-1, 3), SLOPES, st.floats(0, 0.6), st.floats(0.05, 0.4))
def test_gradient_is_the_slope_of_the_area(a, b, low, width):
    over, step = AreaRange("fpr", low, low + width), 1e-5

    def area(a, b):
        return Binormal(a, b, over).area()

    numeric = (
        (area(a + step, b) - area(a - step, b)) / (2 * step),
        (area(a, b + step) - area(a, b - step)) / (2 * step),
    )
    assert Binormal(a, b, over).gradient() == pytest.approx(numeric, abs=1e-7)


@given(AREAS, SLOPES)
def test_a_full_range_is_the_limit_of_ranges(auc, b):
    whole, nearly = (
        Binormal.of_area(auc, b, AreaRange("fpr", low, 1 - low)) for low in (0.0, 1e-13)
    )
    assert whole.area() == pytest.approx(auc, rel=1e-12)
    assert nearly.area() == pytest.approx(auc, abs=1e-10)
    assert nearly.gradient() == pytest.approx(whole.gradient(), abs=1e-10)


# the placement of a positive x among N(0, 1) negatives is Phi(x); that of a negative
# among the positives N(a/b, 1/b^2) is 1 - Phi(b y - a)
@given(AREAS, SLOPES)
def test_empirical_variance_is_that_of_the_placements(auc, b):
    curve = Binormal.of_area(auc, b)

    z, step = np.linspace(-12, 12, 20_001, retstep=True)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)

    def spread(placement):
        moments = [(placement(z) ** k * density).sum() * step for k in (1, 2)]
        assert moments[0] == pytest.approx(auc, abs=1e-7)
        return moments[1] - moments[0] ** 2

    found = curve.empirical_variance()
    assert found.pos == pytest.approx(spread(lambda z: ndtr((z + curve.a) / b)), abs=1e-7)
    assert found.neg == pytest.approx(spread(lambda z: ndtr(curve.a - b * z)), abs=1e-7)


# a predictor turned round has the area 1 - auc and the same variance
@pytest.mark.parametrize("distance", [2**-10, 2**-30, 2**-50])
def test_areas_near_0_and_1_have_the_same_variance(distance):
    near_0, near_1 = binormal_variance(distance), binormal_variance(1 - distance)
    assert (near_0.pos, near_0.neg) == pytest.approx((near_1.pos, near_1.neg), rel=1e-9, abs=0)
    assert near_0.pos > distance**2  # Phi_2(q, q; 1/2) is about distance^(4/3)


def test_empirical_covariance_is_that_of_drawn_placements():
    one, two = Binormal.of_area(0.85, 0.8), Binormal.of_area(0.75, 1.3)
    rng = np.random.default_rng(7)
    n = 400_000
    drawn = []
    for correlation in (0.6, 0.3):
        z = rng.standard_normal((2, n))
        z[1] = correlation * z[0] + np.sqrt(1 - correlation**2) * z[1]
        drawn.append(z)
    pos, neg = drawn
    of_pos = [ndtr((z + c.a) / c.b) for z, c in zip(pos, (one, two), strict=True)]
    of_neg = [ndtr(c.a - c.b * z) for z, c in zip(neg, (one, two), strict=True)]
    found = one.empirical_covariance(two, 0.6, 0.3)
    for exact, (x, y) in ((found.pos, of_pos), (found.neg, of_neg)):
        products = (x - x.mean()) * (y - y.mean())
        assert products.mean() == pytest.approx(exact, abs=4 * products.std() / np.sqrt(n))


@given(AREAS, SLOPES, CORRELATIONS, CORRELATIONS)
def test_a_difference_never_has_a_negative_variance(auc, b, of_pos, of_neg):
    one, two = Binormal.of_area(auc, b), Binormal.of_area(0.7, 1.0)
    shared = one.empirical_covariance(two, of_pos, of_neg)
    variance = one.empirical_variance() + two.empirical_variance() - shared - shared
    assert variance.pos > 0
    assert variance.neg > 0


def test_a_predictor_paired_with_itself_leaves_no_variance():
    curve = Binormal.of_area(0.8, 0.7)
    same = curve.empirical_covariance(curve, 1.0, 1.0)
    assert curve.empirical_variance() - same == CaseVariance(0.0, 0.0)
    # that of Obuchowski & McClish does: a and b are uncorrelated in one term, not in the other
    assert (curve.delta_variance() - curve.delta_covariance(curve, 1.0, 1.0)).pos > 0.01


@pytest.mark.parametrize("auc", [0.55, 0.7, 0.85, 0.97])
def test_closed_form_of_obuchowski_and_mcclish(auc):
    square = 2 * ndtri(auc) ** 2
    scale = np.exp(-square / 2) / (32 * np.pi)
    found = obuchowski_variance(auc)
    assert found.pos == pytest.approx(scale * (5 * square + 8), rel=1e-12)
    assert found.neg == pytest.approx(scale * (square + 8), rel=1e-12)
    assert (binormal_variance(auc).pos < found.pos) == (auc >= 0.7)


def test_printed_variances_of_two_curves():
    one, two = Binormal(2.6, 1.0), Binormal(1.9, 1.0)
    assert one.delta_variance().at(1, 1) == pytest.approx(0.0191555, abs=5e-8)
    assert two.delta_variance().at(1, 1) == pytest.approx(0.0616139, abs=5e-8)
    assert one.delta_covariance(two, 0.6, 0.6).at(1, 1) == pytest.approx(0.0097936, abs=5e-8)


def test_chance_has_the_variance_of_the_mann_whitney_statistic():
    for model in (binormal_variance, hanley_mcneil_variance):
        found = model(0.5)
        assert (found.pos, found.neg) == pytest.approx((1 / 12, 1 / 12), rel=1e-12)
