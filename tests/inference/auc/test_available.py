"""Predictors that do not share all cases: docs/methods/comparison.md, "Available cases"."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.covariance import available_influence, partial_area_variance_df
from rocstats.estimate.influence import area_covariance, contrast_df, satterthwaite
from rocstats.study.sample import own_sample
from tests.oracles import definitions as oracles

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]
RNG = np.random.default_rng(5)
N = 72
Y = np.arange(N) % 2
LATENT = RNG.normal(size=N)
FULL = {
    name: np.round(shift * Y + LATENT + RNG.normal(size=N), 1)
    for name, shift in (("a", 1.5), ("b", 0.8), ("c", 0.5))
}
ROLES = {
    "plain": {},
    "frequency": {"frequency": np.arange(N) % 3 + 1},
    "fold": {"fold": np.arange(N) // 24},
    "cluster": {"cluster": np.arange(N) // 3},
    "fold and cluster": {"cluster": np.arange(N) // 3 % 9, "fold": np.arange(N) // 24},
}


def with_holes(share=0.3, seed=1):
    rng = np.random.default_rng(seed)
    return {name: np.where(rng.random(N) < share, np.nan, score) for name, score in FULL.items()}


def available(scores, **arguments):
    return rs.Study(Y, scores, nan_policy="available", **arguments)


@pytest.mark.parametrize("over", [FULL_RANGE, AreaRange("fpr", 0, 0.5), AreaRange("tpr", 0.4, 1)])
@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
def test_complete_data_give_the_covariance_and_df_of_delong(roles, over):
    cases = rs.Study(Y, FULL, **roles).cases
    whole = area_covariance(cases, range(3), over=over)
    found = available_influence(cases, [cases] * 3, over)
    np.testing.assert_allclose(found.area, whole.area, rtol=1e-14)
    np.testing.assert_allclose(found.covariance, whole.covariance, rtol=1e-11, atol=1e-17)
    weights = np.array([1.0, -1.0, 0.0])
    expected = contrast_df(
        [(weights, whole.parts, partial_area_variance_df([cases], whole.part_df, over))]
    )
    assert satterthwaite(*found.components(weights)) == pytest.approx(expected, rel=1e-11)


def test_complete_data_give_the_answer_of_a_complete_study():
    found = available(FULL).compare_auc()
    shared = ["reference_n_pos", "reference_n_neg", "n_pos_shared", "n_neg_shared"]
    assert (found[shared] == N / 2).to_numpy().all()
    expected = rs.Study(Y, FULL).compare_auc()
    pd.testing.assert_frame_equal(found.drop(columns=shared), expected.drop(columns=[]))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"interval": "wald"},
        {"fpr_range": (0, 0.4)},
        {"hypothesis": "non-inferiority", "margin": 0.1},
    ],
)
@pytest.mark.parametrize("name", ["plain", "frequency", "fold"])
def test_without_shared_cases_the_predictors_are_independent_groups(name, options):
    first = np.arange(N) % 5 < 2
    scores = {"a": np.where(first, FULL["a"], np.nan), "b": np.where(first, np.nan, FULL["b"])}
    found = available(scores, **ROLES[name]).compare_auc(**options)
    grouped = rs.Study(
        Y, np.where(first, FULL["a"], FULL["b"]), group=np.where(first, "a", "b"), **ROLES[name]
    )
    expected = grouped.compare_auc(across="groups", **options)
    np.testing.assert_allclose(found[NUMBERS], expected[NUMBERS], rtol=1e-10)
    assert (found["n_pos_shared"][0], found["n_neg_shared"][0]) == (0, 0)
    assert found["n_pos"][0] + found["reference_n_pos"][0] == expected["n_pos"][0]


def by_definition(y, a, b):
    """Return the difference of two areas and its variance, from pairs of cases."""
    variance, areas, placed = 0.0, [], []
    for score in (a, b):
        known = ~np.isnan(score)
        pos, neg = score[(y == 1) & known], score[(y == 0) & known]
        areas.append(oracles.auc(y[known], score[known]))
        of = [
            np.mean((s > neg) + 0.5 * (s == neg))
            if positive
            else np.mean((pos > s) + 0.5 * (pos == s))
            for s, positive in zip(score, y == 1, strict=True)
        ]
        placed.append(np.array(of))
    for label in (0, 1):
        rows = [(y == label) & ~np.isnan(score) for score in (a, b)]
        m = [int(np.count_nonzero(row)) for row in rows]
        deviation = [place - area for place, area in zip(placed, areas, strict=True)]
        for i in range(2):
            variance += np.sum(deviation[i][rows[i]] ** 2) / (m[i] * (m[i] - 1))
        both = rows[0] & rows[1]
        product = np.sum(deviation[0][both] * deviation[1][both]) / (m[0] * m[1])
        variance -= 2 * product * np.sqrt(m[0] * m[1] / ((m[0] - 1) * (m[1] - 1)))
    return areas[0] - areas[1], variance


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.floats(0, 0.6))
def test_the_variance_is_that_of_its_definition(seed, share):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], 9)
    a, b = rng.integers(0, 6, (2, 18)) + y
    a, b = (np.where(rng.random(18) < share, np.nan, score) for score in (a, b))
    for score in (a, b):
        score[[0, 1, 9, 10]] = [3, 1, 2, 0]
    found = rs.Study(y, {"a": a, "b": b}, nan_policy="available").compare_auc()
    estimate, variance = by_definition(y, a, b)
    assert found["estimate"][0] == pytest.approx(estimate, abs=1e-12)
    assert found["se"][0] ** 2 == pytest.approx(variance, abs=1e-12)


def test_no_contrast_has_a_negative_variance():
    # Each predictor has a positive of its own at the mean of the four that both share. The sample
    # covariance of these four, 1/3, as |S|/(m1 m2) of it, would give a variance of -1/150:
    # 2 (1/4)/5 - 2 (4/25)(1/3).
    y = np.repeat([1, 0], [6, 4])
    a = np.array([0, 0, 5, 5, 2.5, np.nan, 1, 2, 3, 4])
    b = np.array([0, 0, 5, 5, np.nan, 2.5, 1, 2, 3, 4])
    study = rs.Study(y, {"a": a, "b": b}, nan_policy="available")
    matrix = available_influence(
        study.all_cases, [own_sample(study, k).cases for k in (0, 1)]
    ).covariance
    assert matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1] == pytest.approx(0, abs=1e-16)
    assert np.linalg.eigvalsh(matrix)[0] >= -1e-16


def test_a_frequency_is_so_many_rows_and_clusters_of_one_are_cases():
    scores = with_holes()
    n = ROLES["frequency"]["frequency"]
    tabled = available(scores, frequency=n).compare_auc()
    repeated = {name: np.repeat(score, n) for name, score in scores.items()}
    rows = rs.Study(np.repeat(Y, n), repeated, nan_policy="available").compare_auc()
    pd.testing.assert_frame_equal(
        tabled.drop(columns="note"), rows.drop(columns="note"), rtol=1e-10
    )
    for ends in (None, (0, 0.5)):
        plain = available(scores).compare_auc(fpr_range=ends)
        clustered = available(scores, cluster=np.arange(N)).compare_auc(fpr_range=ends)
        np.testing.assert_allclose(clustered[NUMBERS], plain[NUMBERS], rtol=1e-10)
        assert set(clustered["method"]) == {"available-obuchowski/wald-t"}


def test_the_row_carries_the_counts_and_the_assumption():
    scores = with_holes()
    known = {name: ~np.isnan(score) for name, score in scores.items()}
    row = available(scores).compare_auc(adjust="none").iloc[0]
    for label, end in ((1, "pos"), (0, "neg")):
        here = label == Y
        assert row[f"n_{end}"] == np.count_nonzero(known["a"] & here)
        assert row[f"reference_n_{end}"] == np.count_nonzero(known["b"] & here)
        assert row[f"n_{end}_shared"] == np.count_nonzero(known["a"] & known["b"] & here)
    gone = np.count_nonzero(~known["a"] & ~known["b"])
    assert row["note"] == f"available-cases; rows-dropped={gone}"
    assert row["method"] == "available-delong/wald-t"


def test_rows_without_outcome_or_role_are_left_out_for_all():
    scores, y = with_holes(), Y.astype(float)
    y[4], cluster = np.nan, np.arange(N).astype(float)
    cluster[7] = np.nan
    found = rs.Study(y, scores, cluster=cluster, nan_policy="available")
    kept = np.delete(np.arange(N), [4, 7])
    direct = rs.Study(
        Y[kept], {k: v[kept] for k, v in scores.items()}, cluster=kept, nan_policy="available"
    )
    numbers = [*NUMBERS, "n_pos", "n_neg_shared"]
    np.testing.assert_allclose(found.compare_auc()[numbers], direct.compare_auc()[numbers])
    more = np.subtract(found.own_dropped, direct.own_dropped)
    assert more.tolist() == [2, 2, 2]


def test_equal_areas_are_tested_with_that_covariance():
    scores = with_holes()
    pair = {name: scores[name] for name in "ab"}
    study = available(pair)
    found, row = study.test_equal_auc(), study.compare_auc(interval="wald")
    assert found["statistic"][0] == pytest.approx(row["statistic"][0] ** 2)
    assert found["p_value"][0] == pytest.approx(row["p_value"][0])
    assert found["method"][0] == "available-delong/chi2"
    assert available(scores).test_equal_auc()["df"][0] == 2


def test_across_groups_each_predictor_has_its_own_cases():
    scores, group = with_holes(), np.where(np.arange(N) < 40, "u", "v")
    found = available(scores, group=group).compare_auc(across="groups", adjust="none")
    for k, (name, score) in enumerate(scores.items()):
        alone = rs.Study(Y, {name: score}, group=group, nan_policy="omit")
        expected = alone.compare_auc(across="groups", adjust="none")
        np.testing.assert_allclose(found[NUMBERS].iloc[[k]], expected[NUMBERS], rtol=1e-10)


def test_a_group_where_a_predictor_lacks_a_class_is_said():
    group = np.where(np.arange(N) < 40, "u", "v")
    scores = dict(FULL, b=np.where((group == "v") & (Y == 1), np.nan, FULL["b"]))
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        found = available(scores, group=group).compare_auc()
    unknown = found["estimate"].isna()
    assert found.loc[unknown, ["predictor", "reference", "group"]].to_numpy().tolist() == [
        ["a", "b", "v"],
        ["b", "c", "v"],
    ]
    assert found.loc[unknown, "note"].str.startswith("one-class").all()


def test_weights_give_estimates_alone():
    study = available(with_holes(), sample_weight=np.arange(N) % 4 + 1.0)
    with pytest.warns(rs.StatisticalWarning, match="weights-need-bootstrap"):
        found, areas = study.compare_auc(), study.auc()
    assert found["estimate"][0] == pytest.approx(areas["estimate"][0] - areas["estimate"][1])
    assert found["se"].isna().all()


@pytest.mark.parametrize("method", ["permutation", "bootstrap", "hanley-mcneil"])
def test_methods_that_need_both_scores_of_a_case_are_refused(method):
    message = (
        "`method` must be 'delong' if predictors have different cases (nan_policy='available');"
        f" got {method!r}. Pass method='delong', or make the study with nan_policy='omit'."
    )
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        available(with_holes()).compare_auc(method=method)


def test_clusters_that_span_groups_are_refused():
    study = available(with_holes(), cluster=np.arange(N) // 4, group=np.arange(N) // 2 % 2)
    with pytest.raises(rs.InputError, match="`cluster` must not span groups"):
        study.compare_auc(across="groups")
