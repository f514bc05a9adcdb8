"""Resamples and delete-one values of a function of cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from rocstats.estimate import influence
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_areas_of_units
from rocstats.estimate.resample_statistics import (
    draw_statistic_values,
    jackknife_acceleration,
    jackknife_values,
    statistic_values_of_cases,
)
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


def area(y_true, y_score):
    """The area by its definition, over all pairs."""
    ahead = y_score[y_true][:, np.newaxis] - y_score[~y_true]
    return np.array([np.mean((ahead > 0) + (ahead == 0) / 2)])


ROLES = {
    "plain": {},
    "frequency": {"frequency": np.arange(18) % 3 + 1},
    "cluster": {"cluster": examples.D1_CLUSTERS},
    "both": {"cluster": examples.D1_CLUSTERS, "frequency": np.arange(18) % 3 + 1},
}


@pytest.mark.parametrize("role", list(ROLES))
def test_draws_are_those_of_the_engine_of_areas(role):
    cases = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, **ROLES[role]).cases
    plan = ResamplePlan(150, 5, stratified=cases.cluster is None)
    found = draw_statistic_values(cases, area, plan)
    expected = draw_areas_of_units(cases, [0, 1], plan)
    assert found.values[:, 0] == pytest.approx(expected.values, abs=1e-12)
    assert found.n_redrawn == expected.n_redrawn


def test_accelerations_of_the_worked_data():
    """docs/methods/resampling.md, "Bias-corrected and accelerated limits"."""
    cases = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2}).cases
    deleted = jackknife_values(cases, area)
    first, second = deleted.values[:, 0]
    assert jackknife_acceleration(first, deleted) == pytest.approx(-0.0345928775, abs=1e-10)
    assert jackknife_acceleration(first - second, deleted) == pytest.approx(0.022812946, abs=1e-9)


@given(samples(least=2, most=9))
def test_the_acceleration_of_an_area_is_that_of_its_placements(data):
    y, (score,) = data
    frequency = np.arange(len(y)) % 3 + 1
    for roles in ({}, {"frequency": frequency}):
        cases = rs.Study(y, score, **roles).cases
        deleted = jackknife_values(cases, area)
        expected = influence.area_acceleration(cases, 0)
        assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(
            expected, abs=1e-9
        )


def test_values_without_a_case_by_brute_force():
    y, score = examples.Y, examples.D1
    deleted = jackknife_values(rs.Study(y, score).cases, area)
    expected = [oracles.auc(np.delete(y, i), np.delete(score, i)) for i in range(len(y))]
    assert deleted.values[0, 0] == pytest.approx(expected)
    assert deleted.strata.tolist() == y.tolist()


def test_values_without_a_cluster_by_brute_force():
    y, score, cluster = examples.Y, examples.D1, examples.D1_CLUSTERS
    deleted = jackknife_values(rs.Study(y, score, cluster=cluster).cases, area)
    expected = [oracles.auc(y[cluster != c], score[cluster != c]) for c in range(1, 8)]
    assert sorted(deleted.values[0, 0]) == pytest.approx(sorted(expected))
    u = np.mean(expected) - np.array(expected)
    by_hand = np.sum(u**3) / (6 * np.sum(u**2) ** 1.5)
    assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(by_hand)


def test_equal_cases_are_left_out_once():
    asked = []

    def counted(y_true, y_score):
        asked.append(len(y_true))
        return area(y_true, y_score)

    table = rs.load_ct_ratings()
    tabled = rs.Study("abnormal", "rating", data=table, frequency="n").cases
    deleted = jackknife_values(tabled, counted)
    assert asked == [108] * 10
    rows = table.loc[table.index.repeat(table["n"])]
    each = jackknife_values(rs.Study("abnormal", "rating", data=rows).cases, counted)
    assert asked == [108] * 20
    assert jackknife_acceleration(deleted.values[0, 0], deleted) == pytest.approx(
        jackknife_acceleration(each.values[0, 0], each), rel=1e-12
    )


def test_what_a_function_does_to_its_arguments_has_no_effect():
    def spoiling(y_true, y_score):
        found = area(y_true, y_score)
        y_true[:], y_score[:] = True, 0.0
        return found

    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    assert (
        statistic_values_of_cases(study.cases, spoiling).tolist()
        == statistic_values_of_cases(study.cases, area).tolist()
    )
    assert statistic_values_of_cases(study.cases, spoiling)[:, 0] == pytest.approx([0.8625, 0.825])


def test_an_undefined_value_has_no_acceleration():
    deleted = jackknife_values(rs.Study(examples.Y, examples.D1).cases, area)
    values = deleted.values[0, 0].copy()
    values[3] = np.nan
    assert np.isnan(jackknife_acceleration(values, deleted))
    assert jackknife_acceleration(np.full(18, 0.3), deleted) == 0
