"""The binormal model: fits, areas, bands and influence values."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

import rocstats as rs
from rocstats.curves.roc import run_numbers
from rocstats.estimate import binormal
from rocstats.estimate.binormal import (
    BinormalFit,
    _halved_step,
    binormal_fit_classes_exchanged,
    binormal_influence_of_categories,
    binormal_influence_of_normal_scores,
    binormal_point_at,
    confidence_ellipse_radius,
    ellipse_limits,
    fit_binormal_to_counts,
    fit_binormal_to_normal_scores,
    fit_binormal_to_ratings,
    fitted_binormal_curve,
    working_hotelling_limits,
)
from rocstats.inference.binormal import BinormalFitPlan, fit_sample
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples
from tests.oracles import binormal as oracle

CT = np.array([3.0, 2, 2, 11, 33]), np.array([33.0, 6, 6, 11, 2])
RUNS = np.array([0.0, 1, 0, 2, 1, 0, 4]), np.array([5.0, 1, 1, 1, 1, 1, 0])


def counts_of(score, y, frequency=None, *, higher=True):
    return count_scores_of(LabelledScores(score, y, frequency, higher))


def d1():
    return counts_of(examples.D1, examples.Y == 1)


def se(fit):
    return np.sqrt(np.diag(fit.covariance))


def same(first, second, rel=1e-8):
    assert first.converged == second.converged
    assert (first.a, first.b) == pytest.approx((second.a, second.b), rel=rel, nan_ok=True)
    np.testing.assert_allclose(first.covariance, second.covariance, rtol=100 * rel)


def runs(n_pos, n_neg):
    """Neighbours that hold one and the same class alone, merged one after the other."""
    merged = []
    for cell in zip(n_pos, n_neg, strict=True):
        pure = merged and 0 in cell and 0 in merged[-1] and (cell[0] == 0) == (merged[-1][0] == 0)
        if sum(cell) == 0:
            continue
        if pure:
            merged[-1] = [merged[-1][0] + cell[0], merged[-1][1] + cell[1]]
        else:
            merged.append(list(cell))
    return tuple(np.array(column) for column in zip(*merged, strict=True))


@st.composite
def tables(draw, least=2, most=7):
    """Positives and negatives in a few categories, some empty, both classes present."""
    k = draw(st.integers(least, most))
    rows = [draw(st.lists(st.integers(0, 12), min_size=k, max_size=k)) for _ in range(2)]
    for row in rows:
        row[draw(st.integers(0, k - 1))] += 1
    return tuple(np.array(row, dtype=float) for row in rows)


# docs/methods/binormal.md, "Worked fit of CT": with the observed and the expected information
def test_printed_fit_of_the_ct_ratings():
    fit, expected = (
        fit_binormal_to_ratings(*CT, information=kind) for kind in ("observed", "expected")
    )
    assert fit.converged
    assert (fit.n_categories, fit.n_pos, fit.n_neg) == (5, 51, 58)
    assert (fit.a, fit.b) == pytest.approx((1.6567822, 0.7130022), abs=5e-8)
    assert fit.cuts == pytest.approx([0.1697683, 0.4632153, 0.7668602, 1.7979379], abs=5e-8)
    assert fit.log_likelihood == pytest.approx(-123.6485532, abs=5e-8)
    assert se(fit) == pytest.approx([0.3104559, 0.2158819], abs=5e-8)
    assert fit.covariance[0, 1] == pytest.approx(0.0472794, abs=5e-8)
    assert se(expected) == pytest.approx([0.3121214, 0.2162128], abs=5e-8)
    assert expected.covariance[0, 1] == pytest.approx(0.0477893, abs=5e-8)


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_runs_of_d1():
    category = binormal.binormal_category_of_each_score(d1())
    pos, neg = binormal.binormal_category_counts(d1(), category)
    assert (pos.tolist(), neg.tolist()) == (RUNS[0].tolist(), RUNS[1].tolist())


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_fit_of_d1():
    fit = fit_binormal_to_counts(d1(), information="expected")
    assert (fit.a, fit.b) == pytest.approx((1.6827837, 1.0723472), abs=5e-8)
    assert fit.log_likelihood == pytest.approx(-27.9726238, abs=5e-8)
    assert se(fit) == pytest.approx([0.795682, 0.640966], abs=5e-7)
    assert fit.covariance[0, 1] == pytest.approx(0.344407, abs=5e-7)


# docs/methods/binormal.md, "Worked fit of D1"; variances by hand: 1/m + b^2/n + a^2/(2m) and so on
def test_printed_normal_fit_of_d1():
    counts = d1()
    fit = fit_binormal_to_normal_scores(counts.score, counts.n_pos, counts.n_neg)
    assert fit.converged
    assert (fit.a, fit.b) == pytest.approx((1.7805035, 1.2230237), abs=5e-8)
    a, b = 1.7805035, 1.2230237
    expected = [1 / 8 + b**2 / 10 + a**2 / 16, b**2 * (1 / 16 + 1 / 20), a * b / 16]
    found = [fit.covariance[0, 0], fit.covariance[1, 1], fit.covariance[0, 1]]
    assert found == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize(
    ("n_pos", "n_neg"),
    [CT, RUNS, ([1, 4, 2, 9], [12, 3, 1, 2]), ([9, 1, 1, 3], [0, 4, 2, 8])],
    ids=["ct", "d1", "four", "below-chance"],
)
def test_it_is_the_maximum_a_general_optimiser_finds(n_pos, n_neg):
    fit = fit_binormal_to_ratings(np.array(n_pos), np.array(n_neg))
    shape, top, covariance = oracle.maximise(n_pos, n_neg)
    assert fit.log_likelihood >= top - 1e-9
    assert fit.log_likelihood == pytest.approx(top, abs=1e-6)
    assert (fit.a, fit.b) == pytest.approx(shape, abs=1e-3)
    np.testing.assert_allclose(fit.covariance, covariance, rtol=0.02)


def test_a_step_that_triples_b_is_taken_whole_and_one_past_0_is_not():
    fit = fit_binormal_to_ratings(*CT)
    counts, still = np.stack(CT[::-1]), np.zeros(len(fit.cuts))
    for start, whole, taken in [(fit.b / 3, 2 / 3, 2 / 3), (2 * fit.b, -2.5, -1.25)]:
        point = binormal_point_at(counts, fit.a, start, fit.cuts)
        found = _halved_step(counts, point, np.r_[0.0, whole * fit.b, still])
        assert found.b == pytest.approx(start + taken * fit.b, rel=1e-12)


def saturated(n_pos, n_neg):
    """The largest log-likelihood that any model has."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sum(np.nansum(n * np.log(n / n.sum())) for n in (n_pos, n_neg))


@given(tables())
def test_it_converges_unless_a_line_along_an_edge_fits(table):
    # Towards b = 0 (or its mirror image) the likelihood comes as close to that of the saturated
    # model as one likes; no other table has such a line.
    n_pos, n_neg = runs(*table)
    rates = [np.cumsum(n)[:-1] / n.sum() for n in (n_pos, n_neg)]
    lines = [set(y[(x > 0) & (x < 1)]) for x, y in (rates, rates[::-1])]
    on_a_line = min(len(heights) for heights in lines) <= 1
    assert binormal.binormal_likelihood_lacks_maximum(n_pos, n_neg) is on_a_line
    fit = fit_binormal_to_ratings(*table)
    assert fit.converged is not on_a_line
    if fit.converged:
        assert fit.b > 0
        assert (np.diff(fit.cuts) > 0).all()
        assert np.linalg.eigvalsh(fit.covariance).min() > 0
        merged = fit_binormal_to_ratings(n_pos, n_neg)
        assert merged.log_likelihood <= saturated(n_pos, n_neg) + 1e-9
    else:
        assert np.isnan([fit.a, fit.b, *fit.covariance.flat]).all()


@pytest.mark.parametrize(
    ("n_pos", "n_neg"),
    [
        ([0, 5], [5, 0]),  # perfect separation
        ([3, 4], [5, 2]),  # one point: many lines
        ([0, 3, 7], [4, 6, 0]),  # the inner points lie on the left and the upper edge
        ([2, 0, 7], [4, 6, 3]),  # one horizontal line through both points
        ([2, 3, 1], [4, 0, 3]),  # one vertical line
        ([0, 1, 0], [4, 0, 3]),  # a single positive
        ([7], [5]),  # one score
    ],
)
def test_degenerate(n_pos, n_neg):
    fit = fit_binormal_to_ratings(np.array(n_pos), np.array(n_neg))
    assert not fit.converged
    assert np.isnan([fit.a, fit.b, fit.log_likelihood]).all()
    assert (fit.n_pos, fit.n_neg) == (sum(n_pos), sum(n_neg))


@given(tables())
def test_merging_into_runs_loses_nothing(table):
    kept = [n[table[0] + table[1] > 0] for n in table]
    same(fit_binormal_to_ratings(*kept), fit_binormal_to_ratings(*runs(*table)), rel=1e-6)


@given(tables())
def test_exchanged_classes_mirror_the_curve(table):
    n_pos, n_neg = table
    fit, mirrored = (
        fit_binormal_to_ratings(n_pos, n_neg),
        fit_binormal_to_ratings(n_neg[::-1], n_pos[::-1]),
    )
    assert mirrored.log_likelihood == pytest.approx(fit.log_likelihood, rel=1e-10, nan_ok=True)
    assert mirrored.a == pytest.approx(fit.a / fit.b, rel=1e-7, abs=1e-7, nan_ok=True)
    assert mirrored.b == pytest.approx(1 / fit.b, rel=1e-7, nan_ok=True)
    if fit.converged:
        same(binormal.binormal_fit_classes_exchanged(mirrored), fit, rel=1e-6)
        assert binormal.binormal_fit_classes_exchanged(mirrored).cuts == pytest.approx(
            fit.cuts, abs=1e-6
        )


def test_scores_enter_by_rank_and_frequencies_are_rows(rng):
    y, score = np.repeat([True, False], [40, 60]), rng.integers(-20, 20, 100) / 8
    score[:40] += 1
    fit = fit_binormal_to_counts(counts_of(score, y))
    same(fit_binormal_to_counts(counts_of(np.exp(score), y)), fit, rel=0)
    same(fit_binormal_to_counts(counts_of(-score, y, higher=False)), fit, rel=0)
    frequency = rng.integers(0, 4, 100).astype(float)
    repeated = np.repeat(np.arange(100), frequency.astype(int))
    table, rows = counts_of(score, y, frequency), counts_of(score[repeated], y[repeated])
    same(fit_binormal_to_counts(table), fit_binormal_to_counts(rows), rel=1e-12)
    normal = fit_binormal_to_normal_scores(table.score, table.n_pos, table.n_neg)
    same(normal, fit_binormal_to_normal_scores(rows.score, rows.n_pos, rows.n_neg), rel=1e-12)


def test_hundredfold_frequencies_divide_the_covariance():
    once, many = fit_binormal_to_ratings(*CT), fit_binormal_to_ratings(100 * CT[0], 100 * CT[1])
    assert (many.a, many.b) == pytest.approx((once.a, once.b), rel=1e-9)
    np.testing.assert_allclose(many.covariance, once.covariance / 100, rtol=1e-8)


@given(tables(most=9))
def test_runs_are_those_merged_one_by_one(table):
    number = run_numbers(*table)
    for n, expected in zip(table, runs(*table), strict=True):
        assert np.bincount(number, n).tolist() == expected.tolist()


def test_bins_do_not_look_at_the_classes():
    # ten cases in four bins of 2.5: middles .05, .15, ... of the pooled cases
    assert np.bincount(binormal.binormal_bin_of_each_score(np.ones(10), 4)).tolist() == [2, 3, 2, 3]
    # a tie of eight of twelve cases has its middle at one half
    assert binormal.binormal_bin_of_each_score(np.array([2.0, 8, 2]), 3).tolist() == [0, 1, 2]


def test_binned_and_unbinned_fits_agree_for_many_cases(rng):
    y = np.repeat([True, False], 20_000)
    counts = counts_of(rng.normal(size=40_000) * np.where(y, 1.25, 1) + 1.5 * y, y)
    fits = [fit_binormal_to_counts(counts), fit_binormal_to_counts(counts, n_bins=20)]
    assert fits[0].n_categories > 10_000
    assert fits[1].n_categories == 20
    for fit in fits:  # a = 1.5/1.25, b = 1/1.25
        assert abs(fit.a - 1.2) < 4 * se(fit)[0]
        assert abs(fit.b - 0.8) < 4 * se(fit)[1]


def test_standard_errors_are_the_spread_of_estimates(rng):
    y = np.repeat([True, False], [60, 80])
    fits = [
        fit_binormal_to_counts(counts_of(rng.normal(size=140) + 1.2 * y, y)) for _ in range(400)
    ]
    spread = np.std([[fit.a, fit.b] for fit in fits], axis=0)
    assert np.mean([se(fit) for fit in fits], axis=0) == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize(
    ("score", "n_pos", "n_neg"),
    [
        ([1.0, 2, 3], [0, 1, 0], [1, 0, 1]),  # a single positive
        ([0.1, 2, 3], [3, 0, 0], [0, 1, 1]),  # no spread
    ],
)
def test_degenerate_normal_fits(score, n_pos, n_neg):
    fit = fit_binormal_to_normal_scores(
        np.array(score), np.array(n_pos, float), np.array(n_neg, float)
    )
    assert not fit.converged
    assert np.isnan([fit.a, fit.b]).all()


INDICES = {
    "area": binormal.fitted_binormal_area,
    "area_deviate": binormal.fitted_binormal_area_deviate,
    "d_a": binormal.d_a,
    "delta_m": binormal.delta_m,
    "d_e": binormal.d_e,
    "partial": lambda fit: binormal.fitted_binormal_partial_area(fit, 0.1, 0.4),
    "from_zero": lambda fit: binormal.fitted_binormal_partial_area(fit, 0.0, 0.2),
    "to_one": lambda fit: binormal.fitted_binormal_partial_area(fit, 0.3, 1.0),
}
shapes = st.tuples(st.floats(-3, 4), st.floats(0.05, 8))


def fit_of(a, b):
    return BinormalFit(a, b, 50, 50, np.eye(2) / 50, converged=True)


@pytest.fixture
def ct():
    return fit_binormal_to_ratings(*CT)


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_areas_of_the_ct_ratings(ct):
    area, deviate = binormal.fitted_binormal_area(ct), binormal.fitted_binormal_area_deviate(ct)
    assert area.value == pytest.approx(0.9113311, abs=5e-8)
    assert area.se(ct) == pytest.approx(0.0295058, abs=5e-8)
    limits = norm.cdf(deviate.value + norm.ppf([0.025, 0.975]) * deviate.se(ct))
    assert limits == pytest.approx([0.8386464, 0.9562824], abs=5e-8)
    found = [index(ct).value for index in (binormal.d_a, binormal.delta_m, binormal.d_e)]
    assert found == pytest.approx([1.9077707, 2.3236706, 1.9343609], abs=5e-8)
    expected = fit_binormal_to_ratings(*CT, information="expected")
    assert binormal.fitted_binormal_area(expected).se(expected) == pytest.approx(
        0.0296001, abs=5e-8
    )


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_partial_areas_of_the_ct_ratings(ct):
    assert binormal.fitted_binormal_partial_area(ct, 0, 0.1).value == pytest.approx(
        0.0653197370, abs=5e-11
    )
    part = binormal.fitted_binormal_partial_area(ct, 0, 0.2)
    assert part.value == pytest.approx(0.1471337203, abs=5e-11)
    # First printed as .0148590568; the printed gradient and covariance give .01485905583, as in
    # validation/binormal/ct_1982, whose script integrates and has its own maximum.
    assert part.se(ct) == pytest.approx(0.0148590558, abs=5e-11)
    assert part.gradient == pytest.approx([0.0616399173, -0.0906407089], abs=5e-10)


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_areas_of_d1():
    counts = d1()
    likely = fit_binormal_to_counts(counts, information="expected")
    normal = fit_binormal_to_normal_scores(counts.score, counts.n_pos, counts.n_neg)
    for fit, value, error in ((likely, 0.8744472, 0.0826440), (normal, 0.8701371, 0.0806545)):
        area = binormal.fitted_binormal_area(fit)
        assert (area.value, area.se(fit)) == pytest.approx((value, error), abs=5e-8)


@pytest.mark.parametrize("name", INDICES)
@given(shape=shapes)
def test_gradients_are_derivatives(name, shape):
    index, (a, b), h = INDICES[name], shape, 1e-5
    by_a = (index(fit_of(a + h, b)).value - index(fit_of(a - h, b)).value) / (2 * h)
    by_b = (index(fit_of(a, b + h)).value - index(fit_of(a, b - h)).value) / (2 * h)
    assert index(fit_of(a, b)).gradient == pytest.approx([by_a, by_b], rel=1e-5, abs=1e-8)


@given(shapes, st.tuples(st.floats(0, 0.9), st.floats(0.01, 1)))
def test_partial_areas_are_integrals(shape, ends):
    fit = fit_of(*shape)
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
    assert binormal.fitted_binormal_partial_area(fit, low, high).value == pytest.approx(
        whole, abs=1e-9
    )


@pytest.mark.parametrize("shape", [(0.0, 1.0), (0.0, 0.5), (1.3, 2.0)])
def test_the_whole_range_is_the_area_and_halves_add_up(shape):
    fit = fit_of(*shape)
    left, right, whole = (
        binormal.fitted_binormal_partial_area(fit, *ends) for ends in ((0, 0.5), (0.5, 1), (0, 1))
    )
    area = binormal.fitted_binormal_area(fit)
    assert left.value + right.value == pytest.approx(whole.value, abs=1e-15)
    assert whole.value == pytest.approx(area.value, abs=1e-15)
    assert whole.gradient == pytest.approx(area.gradient, abs=1e-15)


# Phi2(0, 0; r) = 1/4 + arcsin(r)/(2 pi)
@pytest.mark.parametrize("r", [-0.9, -0.2, 0.0, 0.6])
def test_bivariate_normal_at_the_origin(r):
    found = binormal.bivariate_normal_probability(0.0, np.array([0.0, np.inf, -np.inf]), r)
    assert found == pytest.approx([0.25 + np.arcsin(r) / (2 * np.pi), 0.5, 0.0], abs=1e-15)


@given(shapes)
def test_exchanged_classes_mirror_curve_and_area(shape):
    fit = fit_of(*shape)
    mirror = binormal.binormal_fit_classes_exchanged(fit)
    one, other = binormal.fitted_binormal_area(fit), binormal.fitted_binormal_area(mirror)
    assert other.value == pytest.approx(one.value, abs=1e-12)
    assert other.se(mirror) == pytest.approx(one.se(fit), rel=1e-9)
    x = np.array([0.05, 0.3, 0.7])
    y = binormal.fitted_binormal_curve(fit, x)
    inside = (y > 1e-9) & (y < 1 - 1e-9)
    mirrored = binormal.fitted_binormal_curve(mirror, 1 - y)
    assert mirrored[inside] == pytest.approx(1 - x[inside], abs=1e-6)


def test_the_curve_runs_from_corner_to_corner(ct):
    tpr = binormal.fitted_binormal_curve(ct, np.linspace(0, 1, 101))
    assert (tpr[0], tpr[-1]) == (0, 1)
    assert (np.diff(tpr) > 0).all()


def test_a_fit_that_failed_has_undefined_areas(ct):
    failed = replace(ct, a=np.nan, b=np.nan, covariance=np.full((2, 2), np.nan), converged=False)
    for index in INDICES.values():
        assert np.isnan([index(failed).value, index(failed).se(failed)]).all()


GRID = np.linspace(0, 1, 101)


def band_of(fit, kind, level=0.95):
    if kind == "ellipse":
        return ellipse_limits(fit, GRID, level)
    return working_hotelling_limits(fit, GRID, level, kind)


# docs/methods/bands.md, "Worked Working-Hotelling band"
def test_printed_limits_of_the_ct_ratings(ct):
    assert confidence_ellipse_radius(0.95) == pytest.approx(2.447747, abs=5e-7)
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
        expected = oracle.ellipse_limits(a, b, n_pos, n_neg, GRID[i], level)
        assert (low[i], high[i]) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_bands_hold_the_curve_and_grow_with_the_level(ct, kind, exchanged):
    fit = binormal_fit_classes_exchanged(ct) if exchanged else ct
    narrow, wide = (band_of(fit, kind, level) for level in (0.8, 0.99))
    curve = fitted_binormal_curve(fit, GRID)
    for below, above in pairwise((0.0, wide[0], narrow[0], curve, narrow[1], wide[1], 1.0)):
        assert np.all(below <= above)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_many_cases_leave_a_narrow_band_that_ends_in_the_corners(ct, kind):
    many = replace(ct, covariance=ct.covariance / 1e6, n_pos=51e6, n_neg=58e6)
    low, high = band_of(many, kind)
    assert (high - low).max() < 2e-3
    assert (low[0], high[0], low[-1], high[-1]) == (0, 0, 1, 1)


@pytest.mark.parametrize("kind", ["simultaneous", "ellipse"])
def test_ends_of_a_band_are_the_limits_of_what_is_near(kind):
    # wide: every slope is possible, and the band opens at the ends
    fit = BinormalFit(1.0, 0.5, 2, 4, np.array([[1.0, 0.1], [0.1, 0.8]]), converged=True)
    low, high = band_of(fit, kind)
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


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "ellipse"])
def test_a_fit_that_failed_has_an_undefined_band(kind):
    low, high = band_of(fit_binormal_to_ratings(np.array([0, 5]), np.array([5, 0])), kind)
    assert np.isnan([low, high]).all()


TABLE = np.array([3.0, 2, 4, 11, 33]), np.array([33.0, 6, 6, 11, 2])
PLANS = {name: BinormalFitPlan(name) for name in ("maximum-likelihood", "normal-theory")}


def test_influence_is_the_derivative_in_the_number_of_cases():
    fit = fit_binormal_to_ratings(*TABLE)
    influence = binormal_influence_of_categories(*TABLE, fit)
    h = 1e-4
    for row, place in ((0, 1), (1, 0)):  # negatives stand second in the table
        for j in range(5):
            shifted = []
            for sign in (1, -1):
                table = [n.copy() for n in TABLE]
                table[place][j] += sign * h
                shifted.append(fit_binormal_to_ratings(*table))
            derivative = [(shifted[0].a - shifted[1].a), (shifted[0].b - shifted[1].b)]
            assert influence[row, j] == pytest.approx(np.array(derivative) / (2 * h), abs=1e-6)


def moments_shape(score, n_pos, n_neg):
    """(a, b) of raw scores by means and variances with ddof 0."""
    means = [n @ score / n.sum() for n in (n_pos, n_neg)]
    sds = [
        np.sqrt(n @ (score - mean) ** 2 / n.sum())
        for n, mean in zip((n_pos, n_neg), means, strict=True)
    ]
    return np.array([(means[0] - means[1]) / sds[0], sds[1] / sds[0]])


def test_influence_of_raw_scores_is_the_derivative():
    counts = rs.Study(examples.Y, examples.D1).cases.counts(0)
    a, b = moments_shape(counts.score, counts.n_pos, counts.n_neg)
    influence = binormal_influence_of_normal_scores(counts.score, counts, BinormalFit(a, b, 8, 10))
    for j in range(len(counts.score)):
        step = 1e-6 * (np.arange(len(counts.score)) == j)
        for row, (pos, neg) in enumerate(((0, step), (step, 0))):
            up = moments_shape(counts.score, counts.n_pos + pos, counts.n_neg + neg)
            down = moments_shape(counts.score, counts.n_pos - pos, counts.n_neg - neg)
            assert influence[row, j] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("name", PLANS)
def test_clusters_of_one_change_nothing(name, rng):
    y = np.repeat([1, 0], [30, 40])
    score = rng.normal(size=70).round(1) + y
    plain = fit_sample(rs.Study(y, score), 0, PLANS[name])
    alone = fit_sample(rs.Study(y, score, cluster=np.arange(70)), 0, PLANS[name])
    np.testing.assert_allclose(alone.covariance, plain.covariance, rtol=1e-12)


def test_clusters_add_the_products_of_their_pairs(rng):
    y = np.repeat([1, 0], [30, 40])
    score, cluster = rng.integers(0, 6, 70) + y, rng.integers(0, 25, 70)
    study = rs.Study(y, score, cluster=cluster)
    found = fit_sample(study, 0, PLANS["maximum-likelihood"])
    n_pos, n_neg = (np.bincount(score[y == k], minlength=7).astype(float) for k in (1, 0))
    plain = fit_binormal_to_ratings(n_pos, n_neg)
    influence = binormal_influence_of_categories(n_pos, n_neg, plain)
    expected = plain.covariance.copy()
    for i, j in combinations(range(70), 2):
        if cluster[i] == cluster[j]:
            product = np.outer(influence[y[i], score[i]], influence[y[j], score[j]])
            expected += product + product.T
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-9)


@pytest.mark.parametrize("name", PLANS)
def test_frequencies_in_clusters_are_rows(name, rng):
    y = np.repeat([1, 0], [30, 40])
    score, cluster = rng.normal(size=70).round(1) + y, np.arange(70) // 3
    frequency = rng.integers(0, 4, 70)
    rows = np.repeat(np.arange(70), frequency)
    tabled = rs.Study(y, score, cluster=cluster, frequency=frequency)
    repeated = rs.Study(y[rows], score[rows], cluster=cluster[rows])
    first, second = (fit_sample(study, 0, PLANS[name]) for study in (tabled, repeated))
    np.testing.assert_allclose(first.covariance, second.covariance, rtol=1e-9)


def test_standard_errors_of_clustered_cases_are_the_spread_of_estimates(rng):
    y = np.tile([1, 0], 80)
    cluster = 2 * (np.arange(160) // 8) + y  # 20 clusters of 4 positives, 20 of 4 negatives
    estimates, errors, ignored = [], [], []
    for _ in range(150):
        shared = rng.normal(size=40)[cluster]
        score = 0.8 * shared + 0.6 * rng.normal(size=160) + 1.2 * y
        fit = fit_sample(rs.Study(y, score, cluster=cluster), 0, PLANS["maximum-likelihood"])
        estimates.append(fit.a)
        errors.append(fit.covariance[0, 0])
        plain = fit_sample(rs.Study(y, score), 0, PLANS["maximum-likelihood"])
        ignored.append(plain.covariance[0, 0])
    spread = np.std(estimates)
    assert np.sqrt(np.nanmean(errors)) == pytest.approx(spread, rel=0.25)
    assert np.sqrt(np.mean(ignored)) < 0.7 * spread
