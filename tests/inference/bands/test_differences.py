"""The band of the difference of two curves: by hand, in law, by role, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.roc import tpr_at
from rocstats.estimate.bands import resolved_fpr
from rocstats.estimate.difference_bands import difference_band_limits, discordance_floor
from tests import examples
from tests.oracles import definitions as oracles

AT = np.array([0.1, 0.3, 0.6])


def ask(study, **kwargs):
    return study.roc_difference_band(**{"at": AT, "n_resamples": 300, "rng": 1, **kwargs})


def curve_at(y, score, fpr):
    points = oracles.algorithm_1(y, score)
    return tpr_at(points[:, 1] / points[-1, 1], points[:, 2] / points[-1, 2], fpr)


def test_estimate_is_the_difference_of_the_curves(pair):
    band = ask(pair)
    expected = curve_at(examples.Y, examples.D1, AT) - curve_at(examples.Y, examples.D2, AT)
    np.testing.assert_allclose(band["estimate"], expected, atol=1e-12)
    assert set(band["scope"]) == {"simultaneous"}
    assert (band["ci_low"] < band["estimate"]).all()
    assert (band["estimate"] < band["ci_high"]).all()


def test_limits_by_hand():
    # sd of the draws: .1 at the first rate, 0 at the second, where the floor .2 stands in
    draws = np.array([[0.1, 0.5], [0.3, 0.5], [0.1, 0.5], [0.3, 0.5]])
    inside = np.array([True, True, False])
    low, high = difference_band_limits(
        np.array([0.2, 0.5, 0.9]),
        np.column_stack([draws, np.zeros(4)]),
        np.array([0.05, 0.2, 0.1]),
        inside,
        0.5,
    )
    # all distances are .1/.1 = 1, more than the normal quantile .674: q = 1
    np.testing.assert_allclose(low, [0.1, 0.3, -1])
    np.testing.assert_allclose(high, [0.3, 0.7, 1])


def test_draws_that_do_not_vary_take_the_normal_quantile():
    low, high = difference_band_limits(
        np.zeros(1), np.zeros((9, 1)), np.array([0.1]), np.array([True]), 0.95
    )
    np.testing.assert_allclose([low[0], high[0]], [-0.1959964, 0.1959964], atol=1e-7)


def test_floor_is_that_of_paired_proportions(pair):
    """Positives called by one predictor alone at the thresholds of an FPR, counted plainly."""
    for g, t in enumerate(AT):
        called = []
        for score in (examples.D1, examples.D2):
            neg = score[examples.Y == 0]
            least = min(c for c in np.unique(score) if np.mean(neg >= c) <= t + 1e-12)
            called.append(score[examples.Y == 1] >= least)
        b, c = np.sum(called[0] & ~called[1]), np.sum(called[1] & ~called[0])
        p1, p2 = (b + 1) / 10, (c + 1) / 10
        expected = np.sqrt((p1 + p2 - (p1 - p2) ** 2) / 10)
        floor = discordance_floor(pair.cases, (0, 1), AT)
        assert floor[g] == pytest.approx(expected, abs=1e-12)


def test_ends_say_nothing():
    np.testing.assert_array_equal(
        resolved_fpr(np.array([0, 0.05, 0.1, 0.9, 0.95, 1]), 10), [0, 0, 1, 1, 0, 0]
    )


def test_swapping_the_predictors_mirrors_the_band(pair):
    turned = rs.Study(examples.Y, {"d2": examples.D2, "d1": examples.D1})
    one, other = ask(pair), ask(turned)
    np.testing.assert_allclose(one["ci_low"], -other["ci_high"], atol=1e-12)
    np.testing.assert_allclose(one["ci_high"], -other["ci_low"], atol=1e-12)


def test_bands_depend_on_ranks_only(pair):
    moved = rs.Study(examples.Y, {"d1": np.exp(examples.D1), "d2": examples.D2**3})
    assert ask(pair).equals(ask(moved))


def test_alike_predictors_have_no_limits():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": 2 * examples.D1})
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        band = ask(study)
    assert (band["estimate"] == 0).all()
    assert band[["ci_low", "ci_high"]].isna().all(axis=None)


def test_perfect_predictors_have_a_band_with_a_width():
    y = np.repeat([1, 0], 10)
    study = rs.Study(
        y, {"a": np.arange(20)[::-1], "b": np.append(np.arange(20, 30), np.arange(10))}
    )
    band = ask(study)
    assert (band["ci_high"] - band["ci_low"] > 0.1).all()
    assert (band["note"] == "few-cases-for-band").all()


def test_region_that_excludes_zero(rng):
    y = np.repeat([1, 0], 150)
    study = rs.Study(y, {"good": 2 * y + rng.normal(size=300), "poor": rng.normal(size=300)})
    band = study.roc_difference_band(rng=1, n_resamples=500)
    differs = (band["ci_low"] > 0) | (band["ci_high"] < 0)
    assert differs.any()
    assert not differs.all()
    assert (band["note"] == np.where(differs, "excludes-zero", "")).all()


def test_clusters_widen_the_band_of_alike_members(rng):
    truth = np.repeat([1, 0], 25)
    scores = {name: truth + rng.normal(size=50) for name in "ab"}
    y, cluster = np.repeat(truth, 5), np.repeat(np.arange(50), 5)
    fives = {name: np.repeat(score, 5) for name, score in scores.items()}
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        wide = ask(rs.Study(y, fives, cluster=cluster))
    narrow = ask(rs.Study(y, fives))
    assert (wide.eval("ci_high - ci_low") > 1.4 * narrow.eval("ci_high - ci_low")).all()


def test_groups_and_folds(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    assert ask(study)["group"].tolist() == ["x"] * 3 + ["y"] * 3
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        ask(study)


@pytest.mark.parametrize(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must not be given"),
        ({}, {"reference": "d9"}, "`reference` must be one of 'd1', 'd2'"),
        ({}, {"at": [0.5, 0.2]}, r"`at` must be increasing false positive rates in \[0, 1\]"),
        ({}, {"n_resamples": 3}, "`n_resamples` must be a whole number"),
        ({}, {"confidence_level": 1}, "`confidence_level` must be a number strictly"),
    ],
)
def test_messages(roles, arguments, message):
    study = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2}, **roles)
    with pytest.raises(rs.InputError, match=message):
        ask(study, **arguments)


def test_one_predictor_is_refused():
    with pytest.raises(rs.InputError, match="`y_score` must have two predictors or more"):
        ask(rs.Study(examples.Y, examples.D1))


def test_a_class_under_20_is_noted(rng):
    for n, few in ((19, True), (20, False)):
        y = np.repeat([1, 0], [n, 30])
        scores = {name: rng.normal(size=n + 30) + y for name in "ab"}
        notes = rs.Study(y, scores).roc_difference_band(n_resamples=100, rng=1)["note"]
        assert (notes.str.contains("few-cases-for-band") == few).all()
