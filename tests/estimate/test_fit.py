from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocstats.curves.roc import run_numbers
from rocstats.estimate import binormal
from rocstats.estimate.binormal import (
    _halved_step,
    binormal_point_at,
    fit_binormal_to_counts,
    fit_binormal_to_normal_scores,
    fit_binormal_to_ratings,
)
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples
from tests.oracles import binormal as oracles_binormal

CT = np.array([3.0, 2, 2, 11, 33]), np.array([33.0, 6, 6, 11, 2])
RUNS = np.array([0.0, 1, 0, 2, 1, 0, 4]), np.array([5.0, 1, 1, 1, 1, 1, 0])


def d1():
    return count_scores_of(LabelledScores(examples.D1, examples.Y == 1, None, True))


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


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_fit_of_the_ct_ratings():
    fit = fit_binormal_to_ratings(*CT)
    assert fit.converged
    assert (fit.n_categories, fit.n_pos, fit.n_neg) == (5, 51, 58)
    assert (fit.a, fit.b) == pytest.approx((1.6567822, 0.7130022), abs=5e-8)
    assert fit.cuts == pytest.approx([0.1697683, 0.4632153, 0.7668602, 1.7979379], abs=5e-8)
    assert fit.log_likelihood == pytest.approx(-123.6485532, abs=5e-8)
    assert se(fit) == pytest.approx([0.3104559, 0.2158819], abs=5e-8)
    assert fit.covariance[0, 1] == pytest.approx(0.0472794, abs=5e-8)


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_expected_information_of_the_ct_ratings():
    fit = fit_binormal_to_ratings(*CT, information="expected")
    assert se(fit) == pytest.approx([0.3121214, 0.2162128], abs=5e-8)
    assert fit.covariance[0, 1] == pytest.approx(0.0477893, abs=5e-8)


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_runs_of_d1():
    counts = d1()
    pos, neg = binormal.binormal_category_counts(
        counts, binormal.binormal_category_of_each_score(counts)
    )
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
    shape, top, covariance = oracles_binormal.maximise(n_pos, n_neg)
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


@given(tables())
def test_it_converges_unless_degenerate(table):
    fit = fit_binormal_to_ratings(*table)
    assert fit.converged is not binormal.binormal_likelihood_lacks_maximum(*table)
    if fit.converged:
        assert fit.b > 0
        assert (np.diff(fit.cuts) > 0).all()
        assert np.linalg.eigvalsh(fit.covariance).min() > 0
    else:
        assert np.isnan([fit.a, fit.b, *fit.covariance.flat]).all()


def saturated(n_pos, n_neg):
    """The largest log-likelihood that any model has."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sum(np.nansum(n * np.log(n / n.sum())) for n in (n_pos, n_neg))


@given(tables(most=5))
def test_degenerate_tables_are_those_a_line_along_an_edge_fits(table):
    # Towards b = 0 (or its mirror image) the likelihood comes as close to that of the saturated
    # model as one likes; no other table has such a line.
    n_pos, n_neg = runs(*table)
    rates = [np.cumsum(n)[:-1] / n.sum() for n in (n_pos, n_neg)]
    lines = [set(y[(x > 0) & (x < 1)]) for x, y in (rates, rates[::-1])]
    on_a_line = min(len(heights) for heights in lines) <= 1
    assert binormal.binormal_likelihood_lacks_maximum(n_pos, n_neg) is on_a_line
    fit = fit_binormal_to_ratings(n_pos, n_neg)
    if fit.converged:
        assert fit.log_likelihood <= saturated(n_pos, n_neg) + 1e-9


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
    fit = fit_binormal_to_counts(count_scores_of(LabelledScores(score, y, None, True)))
    same(
        fit_binormal_to_counts(count_scores_of(LabelledScores(np.exp(score), y, None, True))),
        fit,
        rel=0,
    )
    same(
        fit_binormal_to_counts(count_scores_of(LabelledScores(-score, y, None, False))), fit, rel=0
    )
    frequency = rng.integers(0, 4, 100).astype(float)
    repeated = np.repeat(np.arange(100), frequency.astype(int))
    rows = count_scores_of(LabelledScores(score[repeated], y[repeated], None, True))
    same(
        fit_binormal_to_counts(count_scores_of(LabelledScores(score, y, frequency, True))),
        fit_binormal_to_counts(rows),
        rel=1e-12,
    )
    table = count_scores_of(LabelledScores(score, y, frequency, True))
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
    counts = count_scores_of(
        LabelledScores(rng.normal(size=40_000) * np.where(y, 1.25, 1) + 1.5 * y, y, None, True)
    )
    fits = [fit_binormal_to_counts(counts), fit_binormal_to_counts(counts, n_bins=20)]
    assert fits[0].n_categories > 10_000
    assert fits[1].n_categories == 20
    for fit in fits:  # a = 1.5/1.25, b = 1/1.25
        assert abs(fit.a - 1.2) < 4 * se(fit)[0]
        assert abs(fit.b - 0.8) < 4 * se(fit)[1]


def test_standard_errors_are_the_spread_of_estimates(rng):
    y = np.repeat([True, False], [60, 80])
    fits = [
        fit_binormal_to_counts(
            count_scores_of(LabelledScores(rng.normal(size=140) + 1.2 * y, y, None, True))
        )
        for _ in range(400)
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
