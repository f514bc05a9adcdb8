from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.influence import area_acceleration, area_covariance
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


@given(samples(predictors=3))
def test_delong_covariance_equals_its_definition(data):
    y, scores = data
    found = area_covariance(rs.Study(y, scores.T).cases, [0, 1, 2])
    assert found.area == pytest.approx([oracles.auc(y, s) for s in scores], abs=1e-14)
    assert found.covariance == pytest.approx(oracles.delong_covariance(y, scores), abs=1e-14)


@given(samples())
def test_one_predictor_by_table_equals_many_by_case_and_the_jackknife(data):
    y, (score,) = data
    study = rs.Study(y, np.column_stack([score, score]))
    alone = area_covariance(study.cases, [0]).covariance[0, 0]
    assert area_covariance(study.cases, [0, 1]).covariance == pytest.approx(alone, abs=1e-14)
    assert alone == pytest.approx(oracles.jackknife_variance(y, score), abs=1e-13)


@given(samples(least=3), st.data())
def test_clusters_equal_obuchowski_by_loops(data, more):
    y, (score,) = data
    cluster = np.array(more.draw(st.lists(st.integers(0, 5), min_size=len(y), max_size=len(y))))
    if min(len(set(cluster[y == 1])), len(set(cluster[y == 0]))) < 2:
        cluster[np.flatnonzero(y == 1)[:2]] = [10, 11]
        cluster[np.flatnonzero(y == 0)[:2]] = [10, 12]
    found = area_covariance(rs.Study(y, score, cluster=cluster).cases, [0]).covariance[0, 0]
    assert found == pytest.approx(oracles.obuchowski_variance(y, score, cluster), abs=1e-13)
    assert found >= -1e-15


@given(samples(predictors=2, least=3), st.data())
def test_variance_without_clusters_is_kept_beside_the_clustered_one(data, more):
    y, scores = data
    cluster = more.draw(st.lists(st.integers(0, 5), min_size=len(y), max_size=len(y)))
    frequency = more.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    roles = {"cluster": cluster, "frequency": frequency}
    for over in (FULL_RANGE, AreaRange("fpr", 0.1, 0.7), AreaRange("tpr", 0.3, 1.0)):
        found = area_covariance(rs.Study(y, scores.T, **roles).cases, [0, 1], over=over)
        plain = area_covariance(rs.Study(y, scores.T, frequency=frequency).cases, [0, 1], over=over)
        assert found.area == pytest.approx(plain.area, abs=1e-14)
        assert found.unclustered == pytest.approx(plain.components, abs=1e-14)


def test_clusters_take_frequencies_as_replicated_rows_over_folds_and_both_directions(rng):
    y = np.tile([1, 0, 1, 0], 15)
    scores = np.round(rng.normal(size=(60, 2)) * 2) + y[:, None]
    frequency = rng.integers(1, 4, 60)
    roles = {"cluster": rng.integers(0, 15, 60), "fold": np.arange(60) // 20}
    higher = {"score_1": True, "score_2": False}
    rows = np.repeat(np.arange(60), frequency)
    repeated = {role: values[rows] for role, values in roles.items()}
    short = rs.Study(y, scores, frequency=frequency, higher_is_positive=higher, **roles)
    long = rs.Study(y[rows], scores[rows], higher_is_positive=higher, **repeated)
    found, replicated = (area_covariance(study.cases, [0, 1]) for study in (short, long))
    assert found.covariance == pytest.approx(replicated.covariance, rel=1e-12)
    alone = area_covariance(short.cases, [1]).covariance[0, 0]
    assert found.covariance[1, 1] == pytest.approx(alone, rel=1e-12)


# docs/methods/areas.md, "Worked clusters"; whole clusters twice leave the variance alone
@pytest.mark.parametrize("times", [1, 2])
def test_printed_clustered_variance_of_d1(times):
    y, score, cluster = (np.tile(v, times) for v in (examples.Y, examples.D1, examples.D1_CLUSTERS))
    found = area_covariance(rs.Study(y, score, cluster=cluster).cases, [0])
    assert found.covariance[0, 0] == pytest.approx(0.0028234375, abs=1e-14)


# docs/methods/areas.md, "Worked clusters": 20 clusters, two predictors
def test_printed_clustered_covariance_of_two_predictors():
    i, j = np.array([(i, j) for i in range(1, 21) for j in range(1, 2 + i % 3)]).T
    y = (7 * i + 3 * j) % 5 < 2
    a = np.round(((37 * i + 17 * j) % 29) / 10 + 0.9 * y, 6)
    b = np.round(((23 * i + 11 * j) % 31) / 10 + 0.5 * y, 6)
    study = rs.Study(y, {"a": a, "b": b}, cluster=i)
    assert (study.n_pos, study.n_neg) == (16, 25)
    found = area_covariance(study.cases, [0, 1])
    assert found.area == pytest.approx([0.8625, 0.47375], abs=1e-14)
    expected = [[0.00462571120226, -0.00166158549129], [-0.00166158549129, 0.01112863610742]]
    assert found.covariance == pytest.approx(np.array(expected), abs=5e-15)
    row = study.compare_auc(interval="wald").iloc[0]
    assert row["statistic"] == pytest.approx(2.8145532046, abs=5e-11)
    assert row["p_value"] == pytest.approx(0.00488450914597, abs=5e-14)


@given(samples(predictors=2, least=2), st.booleans())
def test_clusters_of_one_are_no_clusters(data, folds):
    (y, scores), roles = data, {}
    if folds:
        y, scores, roles = np.tile(y, 2), np.tile(scores, 2), {"fold": np.repeat([0, 1], len(y))}
    plain, single = (
        area_covariance(rs.Study(y, scores.T, **roles, **more).cases, [0, 1]).covariance
        for more in ({}, {"cluster": np.arange(len(y))})
    )
    assert single == pytest.approx(plain, abs=1e-14)


# docs/methods/areas.md, "Worked folds", examples 1 and 2: means over folds and the foldwise DeLong
# standard error
def test_printed_cross_validated_area():
    y, fold = np.repeat([1, 0, 1, 0], [3, 4, 3, 3]), np.repeat([1, 2], [7, 6])
    score = np.array([0.9, 0.8, 0.35, 0.6, 0.3, 0.2, 0.55, 0.7, 0.4, 0.65, 0.5, 0.1, 0.45])
    row = rs.Study(y, score, fold=fold).auc(interval="logit").iloc[0]
    assert row["estimate"] == pytest.approx(0.8055555556, abs=5e-11)
    assert row["se"] == pytest.approx(0.1571348403, abs=5e-11)
    assert row["method"] == "foldwise-delong/logit"
    score[[4, 10]] = 0.35, 0.65
    tied = rs.Study(y, score, fold=fold)
    assert tied.auc()["estimate"][0] == pytest.approx(0.7569444444, abs=5e-11)


def test_repeated_cross_validation_sums_influence_by_case(rng):
    # Two repeats that are copies of each other carry the information of one.
    y, case, fold = np.tile([1, 0], 15), np.tile(np.arange(30), 2), np.repeat([0, 1], 30)
    score = rng.normal(size=30) + y
    once = area_covariance(rs.Study(y, score, cluster=np.arange(30)).cases, [0])
    twice = rs.Study(y[case], score[case], fold=fold, cluster=case)
    found = area_covariance(twice.cases, [0])
    assert found.area == pytest.approx(once.area)
    assert found.covariance == pytest.approx(once.covariance, rel=1e-12)


# docs/methods/resampling.md, "Bias-corrected and accelerated limits"
@pytest.mark.parametrize("cluster", [None, np.arange(18)])
def test_printed_acceleration(cluster):
    cases = rs.Study(examples.Y, examples.D1, cluster=cluster).cases
    assert area_acceleration(cases, 0) == pytest.approx(-0.0345928775, abs=5e-11)
