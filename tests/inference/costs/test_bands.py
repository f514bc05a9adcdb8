"""The band of the difference of cost curves: by hand, by brute force, by role, and its refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import rocstats as rs
from rocstats.curves.costs import least_costs
from rocstats.estimate.resample import ResamplePlan, Streams, draw_weights
from rocstats.estimate.resample_curves import hull_draws
from rocstats.inference.costs.costs import cost_difference_limits, cost_floor
from tests import examples
from tests.strategies import samples

AT = np.array([0.2, 0.5, 0.9])
PAIR = {"a": examples.D1, "b": examples.D2}


def ask(study, **kwargs):
    return study.cost_difference_band(**{"at": AT, "n_resamples": 300, "rng": 1, **kwargs})


def cost_at(y, score, x, weight=None):
    """Least x (1 - tpr) + (1 - x) fpr over all thresholds, nobody included."""
    w = np.ones(len(y)) if weight is None else weight
    m, n = w[y == 1].sum(), w[y == 0].sum()
    return min(
        x * w[(y == 1) & (score < t)].sum() / m + (1 - x) * w[(y == 0) & (score >= t)].sum() / n
        for t in [*np.unique(score), np.inf]
    )


@given(samples(predictors=2))
@settings(max_examples=40)
def test_estimates_are_differences_of_least_costs(data):
    y, (a, b) = data
    band = rs.Study(y, {"a": a, "b": b}).cost_difference_band(at=AT, n_resamples=100, rng=1)
    expected = [cost_at(y, a, x) - cost_at(y, b, x) for x in AT]
    np.testing.assert_allclose(band["estimate"], expected, atol=1e-12)
    assert set(band["scope"]) == {"simultaneous"}


def test_costs_are_equal_where_superiority_switches(crossing):
    """docs/methods/costs.md, "Worked costs": equal losses at x = 1 - .5384615."""
    at = [0.3, 1 - 0.5384615, 0.6]
    band = crossing.cost_difference_band(at=at, n_resamples=200, rng=1)
    # A: .1 (1 - x) + .4 x, B: .4 (1 - x) + .05 x
    np.testing.assert_allclose(band["estimate"], [0.19 - 0.295, 0, 0.28 - 0.19], atol=1e-7)


def test_draws_against_brute_force(pair):
    """Least costs of the same resamples, over all thresholds of each."""

    def read(hulls):
        return np.array([least_costs(hull, 1 - AT, AT) for hull in hulls])

    drawn = hull_draws(pair.cases, read, ResamplePlan(150, 3, (0,)))
    weights = draw_weights(Streams(3, 0, 2), pair.cases, 150, stratified=True)
    expected = [
        [[cost_at(examples.Y, score, x, w) for x in AT] for score in PAIR.values()] for w in weights
    ]
    np.testing.assert_allclose(drawn.values, expected, atol=1e-12)
    assert drawn.n_redrawn == 0


def test_draws_of_cases_of_any_class_hold_both():
    y = np.array([1, 0, 0, 0])
    study = rs.Study(y, {"a": [4, 3, 2, 1], "b": [1, 2, 3, 4]})

    def read(hulls):
        return np.array([hull.tp[-1] * hull.fp[-1] for hull in hulls])

    drawn = hull_draws(study.cases, read, ResamplePlan(200, 1, stratified=False))
    assert (drawn.values > 0).all()
    # (3/4)^4 of resamples lack the positive, (1/4)^4 the negatives
    assert 0.15 < drawn.n_redrawn / (200 + drawn.n_redrawn) < 0.5


def test_limits_by_hand():
    draws = np.array([[0.1, 0.5], [0.3, 0.5], [0.1, 0.5], [0.3, 0.5]])
    low, high = cost_difference_limits(
        np.array([0.4, 0.5]),
        np.array([0.2, 0.5]),
        draws,
        np.array([0.05, 0.2]),
        0.5,
    )
    # s = .1 and .2; all distances are 1 at the first place; at .5 the triangle cuts .7 off
    np.testing.assert_allclose(low, [0.1, 0.3])
    np.testing.assert_allclose(high, [0.3, 0.5])


def test_floor_is_that_of_paired_proportions(pair):
    """Calls at the best thresholds of each place, counted plainly."""
    y, floor = examples.Y, cost_floor(pair.cases, (0, 1), AT)
    for x, found in zip(AT, floor, strict=True):
        best = pair.optimal_points(slope=(1 - x) / x)["threshold"]
        called = [s >= t for s, t in zip(PAIR.values(), best, strict=True)]
        total = 0.0
        for label, share in ((1, x), (0, 1 - x)):
            inside = y == label
            size = inside.sum() + 2
            p1 = (np.sum(called[0] & ~called[1] & inside) + 1) / size
            p2 = (np.sum(called[1] & ~called[0] & inside) + 1) / size
            total += share**2 * (p1 + p2 - (p1 - p2) ** 2) / size
        assert found == pytest.approx(np.sqrt(total), abs=1e-12)


def test_ends_cost_nothing(pair):
    band = pair.cost_difference_band(n_resamples=100, rng=1)
    x = band["probability_cost"].to_numpy()
    assert (x[0], x[-1], len(x)) == (0, 1, 201)
    triangle = np.minimum(x, 1 - x)
    assert (band["ci_low"] >= -triangle).all()
    assert (band["ci_high"] <= triangle).all()
    assert (band["ci_low"] <= band["estimate"]).all()
    assert (band["estimate"] <= band["ci_high"]).all()
    inside = slice(1, -1)
    assert (band["ci_low"][inside] < band["ci_high"][inside]).all()
    assert (band["note"][[0, 200]] == "few-cases-for-band").all()


def test_swapping_the_predictors_mirrors_the_band(pair):
    one, other = ask(pair), ask(rs.Study(examples.Y, {"b": examples.D2, "a": examples.D1}))
    np.testing.assert_allclose(one["ci_low"], -other["ci_high"], atol=1e-12)
    np.testing.assert_allclose(one["ci_high"], -other["ci_low"], atol=1e-12)


def test_bands_depend_on_ranks_only(pair):
    moved = rs.Study(examples.Y, {"a": np.exp(examples.D1), "b": examples.D2**3})
    assert ask(pair).equals(ask(moved))


def test_swapping_the_classes_turns_the_axis_round(pair):
    other = rs.Study(1 - examples.Y, {"a": -examples.D1, "b": -examples.D2})
    one, turned = ask(pair), ask(other, at=1 - AT[::-1])
    np.testing.assert_allclose(one["estimate"], turned["estimate"][::-1], atol=1e-12)
    np.testing.assert_allclose(
        cost_floor(pair.cases, (0, 1), AT), cost_floor(other.cases, (0, 1), 1 - AT), atol=1e-12
    )


def test_alike_predictors_have_no_limits():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": 2 * examples.D1})
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        band = ask(study)
    assert (band["estimate"] == 0).all()
    assert band[["ci_low", "ci_high"]].isna().all(axis=None)


def test_perfect_predictors_have_a_band_with_a_width(perfect_pair):
    band = ask(perfect_pair)
    assert (band["ci_high"] - band["ci_low"] > 0.1).all()
    assert (band["note"] == "few-cases-for-band").all()


def test_places_that_exclude_zero(rng):
    y = np.repeat([1, 0], 150)
    study = rs.Study(y, {"good": 2 * y + rng.normal(size=300), "poor": rng.normal(size=300)})
    band = study.cost_difference_band(rng=1, n_resamples=500)
    differs = (band["ci_low"] > 0) | (band["ci_high"] < 0)
    assert differs.any()
    assert not differs.all()
    assert (band["estimate"][differs] < 0).all()
    assert (band["note"] == np.where(differs, "excludes-zero", "")).all()


def test_clusters_widen_the_band_of_alike_members(five_copies):
    y, fives, cluster = five_copies
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        wide = ask(rs.Study(y, fives, cluster=cluster), at=[0.5])
    narrow = ask(rs.Study(y, fives), at=[0.5])
    assert (wide.eval("ci_high - ci_low") > 1.4 * narrow.eval("ci_high - ci_low")).all()


def test_groups_and_folds(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    assert ask(study)["group"].tolist() == ["x"] * 3 + ["y"] * 3
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        ask(study)


def test_a_group_without_a_class_has_no_rows():
    y = [*examples.Y, 1, 1]
    scores = {"a": [*examples.D1, 1, 2], "b": [*examples.D2, 2, 1]}
    study = rs.Study(y, scores, group=["u"] * 18 + ["v"] * 2)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        assert set(ask(study)["group"]) == {"u"}


@pytest.mark.parametrize(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must not be in a study"),
        ({}, {"reference": "z"}, "`reference` must be one of 'a', 'b'"),
        ({}, {"at": [0.5, 0.2]}, r"`at` must be increasing probability costs in \[0, 1\]"),
        ({}, {"at": [0.5, 1.2]}, "`at` must be increasing probability costs"),
        ({}, {"n_resamples": 3}, "`n_resamples` must be a whole number"),
        ({}, {"confidence_level": 1}, "`confidence_level` must be a number strictly"),
        ({}, {"rng": -1}, "`rng` must be None"),
    ],
)
def test_messages(roles, arguments, message):
    study = rs.Study(examples.Y, PAIR, **roles)
    with pytest.raises(rs.InputError, match=message):
        ask(study, **arguments)


def test_one_predictor_is_refused():
    with pytest.raises(rs.InputError, match="`y_score` must hold at least two predictors for a"):
        ask(rs.Study(examples.Y, examples.D1))
