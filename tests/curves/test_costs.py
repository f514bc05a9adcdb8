"""Cost curves, and risks moved to another prevalence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from scipy.special import expit, logit

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.quick import each
from tests.strategies import samples

GRID = np.linspace(0, 1, 401)


def lines_of(y, score):
    """The two ends of the line of every threshold: heights fpr at x = 0 and 1 - tpr at x = 1."""
    points = oracles.algorithm_1(y, score)
    return [(fp / points[-1, 1], 1 - tp / points[-1, 2]) for _, fp, tp in points]


def heights(lines, x):
    return np.array([(1 - x) * left + x * right for left, right in lines])


@given(samples(least=1))
def test_the_envelope_is_the_lowest_line_everywhere(data):
    y, (score,) = data
    cost = rs.Study(y, score).cost_curve()
    lowest = heights(lines_of(y, score), GRID).min(axis=0)
    drawn = np.interp(GRID, cost["probability_cost"], cost["normalized_cost"])
    assert drawn == pytest.approx(lowest, abs=1e-12)
    assert (lowest <= np.minimum(GRID, 1 - GRID) + 1e-12).all()


@given(samples(least=1))
def test_each_row_has_the_point_that_is_optimal_to_its_right(data):
    y, (score,) = data
    cost = rs.Study(y, score).cost_curve()
    x = cost["probability_cost"].to_numpy()
    assert (x[0], x[-1]) == (0, 1)
    assert (np.diff(x) > 0).all()
    middle = (x[1:] + x[:-1]) / 2
    own = np.diag(heights(zip(cost["fpr"], 1 - cost["tpr"], strict=True), np.append(middle, 1.0)))
    assert own[:-1] == pytest.approx(heights(lines_of(y, score), middle).min(axis=0), abs=1e-12)
    last = cost[["threshold", "fpr", "tpr"]].to_numpy()[-2:]
    assert last[0].tolist() == last[1].tolist()
    called = np.array(
        [[(score[y == label] >= t).mean() for label in (0, 1)] for t in cost.threshold]
    )
    assert cost[["fpr", "tpr"]].to_numpy() == pytest.approx(called)


@given(samples(least=1))
def test_inner_vertices_are_the_sloped_edges_of_the_hull(data):
    y, (score,) = data
    study = rs.Study(y, score)
    slopes = study.roc_hull()["slope_low"].to_numpy()
    sloped = slopes[(slopes > 0) & np.isfinite(slopes)]
    assert study.cost_curve()["probability_cost"][1:-1].tolist() == pytest.approx(1 / (1 + sloped))


@given(samples(least=1))
def test_swapping_labels_and_direction_reflects_the_envelope(data):
    y, (score,) = data
    cost = rs.Study(y, score).cost_curve()
    other = rs.Study(1 - y, score, higher_is_positive=False).cost_curve().iloc[::-1]
    assert other["probability_cost"].to_numpy() == pytest.approx(1 - cost["probability_cost"])
    assert other["normalized_cost"].to_numpy() == pytest.approx(
        cost["normalized_cost"].to_numpy(), abs=1e-12
    )


@given(samples(least=1))
def test_with_equal_costs_it_is_the_error_rate_at_a_prevalence(data):
    y, (score,) = data
    study = rs.Study(y, score)
    cost = study.cost_curve()
    errors = min(np.mean((score >= t) != (y == 1)) for t in (np.inf, *score))
    at = np.interp(y.mean(), cost["probability_cost"], cost["normalized_cost"])
    assert at == pytest.approx(errors, abs=1e-12)


# the paper prints a line from (0, 0) to (0, 1)
def test_a_perfect_classifier_is_the_line_from_0_0_to_1_0():
    cost = rs.Study([1, 1, 0, 0], [4, 3, 2, 1]).cost_curve()
    assert cost[["probability_cost", "normalized_cost"]].to_numpy().tolist() == [[0, 0], [1, 0]]
    assert cost["threshold"].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("y", "score"),
    [([0, 0, 1, 1], [4, 3, 2, 1]), ([0, 1, 1, 0], [5, 5, 5, 5]), ([1, 0], [1, 2])],
    ids=["auc 0", "constant", "one case a class"],
)
def test_what_is_no_better_than_nothing_is_the_triangle(y, score):
    cost = rs.Study(y, score).cost_curve()
    corners = cost[["probability_cost", "normalized_cost", "fpr", "tpr"]].to_numpy().tolist()
    assert corners == [[0, 0, 0, 0], [0.5, 0.5, 1, 1], [1, 0, 1, 1]]
    assert cost["threshold"].tolist() == [np.inf, min(score), min(score)]


def test_a_discrete_classifier_by_hand():
    # (f, t) = (1/4, 3/4): y = x crosses its line 1/4 at x = 1/4, y = 1 - x at x = 3/4
    cost = rs.Study.from_confusion(tp=3, fn=1, fp=2, tn=6).cost_curve()
    expected = [[0, 0], [0.25, 0.25], [0.75, 0.25], [1, 0]]
    assert cost[["probability_cost", "normalized_cost"]].to_numpy().tolist() == expected
    assert cost["threshold"].tolist() == [np.inf, 1, 0, 0]


def test_exact_where_lines_cross():
    # edges of slopes 3, 2/3 and 1/3 over P = 3 and N = 2 have exact crossings 1/(1 + m)
    cost = rs.Study([1, 0, 1, 0, 1], [5, 5, 4, 4, 4]).cost_curve()
    slope = Fraction(1, 3) / Fraction(1, 2)
    assert cost["probability_cost"].tolist() == [0, 0.5, 1]
    assert slope < 1  # the tie (1/2, 1/3) is below the diagonal: only the trivial lines count


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
