"""Other methods of compare_auc: permutation, bootstrap, Hanley-McNeil, ranges, available cases."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from sklearn.metrics import roc_auc_score

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.covariance import available_influence, partial_area_variance_df
from rocstats.estimate.influence import area_covariance, contrast_df, satterthwaite
from rocstats.estimate.resample import ResamplePlan, draw_weights
from rocstats.estimate.resample_areas import draw_areas_of_units, draw_stratified_areas
from rocstats.study.sample import own_sample
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples

EVERY_METHOD: tuple[dict[str, Any], ...] = (
    {},
    {"method": "permutation", "rng": 1},
    {"method": "permutation-asymptotic"},
    {"method": "bootstrap"},
    {"method": "bootstrap", "interval": "percentile", "n_resamples": 200, "rng": 1},
    *(
        {"method": "hanley-mcneil", "correlation": word}
        for word in ("pearson", "kendall", "pearson-by-class", "kendall-by-class")
    ),
    {"fpr_range": (0, 0.3)},
    {"tpr_range": (0.6, 1)},
    {
        "method": "bootstrap",
        "interval": "percentile",
        "tpr_range": (0.5, 1),
        "n_resamples": 200,
        "rng": 1,
    },
)


# docs/methods/comparison.md, "Worked exchanges"
def test_printed_permutation_tests(pair):
    exact = pair.compare_auc(method="permutation", rng=1).iloc[0]
    assert exact["estimate"] == pytest.approx(0.0375, abs=1e-15)
    assert exact["statistic"] == pytest.approx(0.4595037486, abs=5e-11)
    assert exact["p_value"] == pytest.approx(0.6904296875, abs=1e-12)
    assert (exact["method"], exact["n_resamples"]) == ("delong/wald-t/permutation-exact", 0)
    assert np.isnan(exact["df"])
    normal = pair.compare_auc(method="permutation-asymptotic").iloc[0]
    assert normal["p_value"] == pytest.approx(0.6458724607, abs=5e-11)
    assert normal["statistic"] == exact["statistic"]
    assert np.isinf(normal["df"])


def test_a_permutation_test_stands_beside_the_interval_of_delong(pair):
    delong, permuted = pair.compare_auc(), pair.compare_auc(method="permutation-asymptotic")
    same = ["estimate", "se", "ci_low", "ci_high"]
    assert delong[same].equals(permuted[same])


def swapped_differences(y, a, b, units):
    """The difference of areas after every exchange of whole units."""
    names = list(dict.fromkeys(units))
    found = []
    for signs in product((False, True), repeat=len(names)):
        swap = np.array([signs[names.index(unit)] for unit in units])
        first, second = np.where(swap, b, a), np.where(swap, a, b)
        found.append(oracles.auc(y, first) - oracles.auc(y, second))
    return np.array(found)


@given(samples(predictors=2, most=5), st.sampled_from(["two-sided", "greater", "less"]))
def test_exchanged_scores_are_listed(data, alternative):
    y, (a, b) = data
    every = swapped_differences(y, a, b, range(len(y)))
    d = oracles.auc(y, a) - oracles.auc(y, b)
    extreme = {
        "two-sided": np.abs(every) >= abs(d) - 1e-12,
        "greater": every >= d - 1e-12,
        "less": every <= d + 1e-12,
    }[alternative]
    row = (
        rs.Study(y, {"a": a, "b": b})
        .compare_auc(method="permutation", same_scale=True, alternative=alternative)
        .iloc[0]
    )
    assert row["p_value"] == pytest.approx(extreme.mean(), abs=1e-12)
    if every.std() > 1e-12:
        assert row["statistic"] == pytest.approx(d / every.std(), abs=1e-9)


def test_clusters_are_exchanged_whole(rng):
    y = np.tile([1, 0, 1, 0], 5)
    a, b = rng.integers(0, 6, (2, 20)).astype(float)
    cluster = np.repeat(np.arange(8), [4, 1, 3, 2, 2, 3, 4, 1])
    study = rs.Study(y, {"a": a, "b": b}, cluster=cluster)
    row = study.compare_auc(method="permutation", same_scale=True).iloc[0]
    every = swapped_differences(y, a, b, cluster.tolist())
    d = oracles.auc(y, a) - oracles.auc(y, b)
    assert row["p_value"] == pytest.approx(np.mean(np.abs(every) >= abs(d) - 1e-12), abs=1e-12)
    assert row["statistic"] == pytest.approx(d / every.std(), rel=1e-9)
    assert row["method"] == "obuchowski/wald-t/permutation-exact"


def test_folds_are_exchanged_within_and_averaged(rng):
    y = np.tile([1, 0], 6)
    a, b = rng.integers(0, 5, (2, 12)).astype(float)
    fold = np.repeat([0, 1], 6)
    row = (
        rs.Study(y, {"a": a, "b": b}, fold=fold)
        .compare_auc(method="permutation", same_scale=True)
        .iloc[0]
    )
    parts = [
        swapped_differences(y[fold == f], a[fold == f], b[fold == f], range(6)) for f in (0, 1)
    ]
    every = np.add.outer(*parts).ravel() / 2
    d = every[0]  # nothing exchanged
    assert row["estimate"] == pytest.approx(d, abs=1e-12)
    assert row["p_value"] == pytest.approx(np.mean(np.abs(every) >= abs(d) - 1e-12), abs=1e-12)


def test_frequencies_are_rows_repeated(rng):
    y = np.tile([1, 0], 4)
    a, b = rng.integers(0, 5, (2, 8)).astype(float)
    times = np.array([1, 2, 1, 3, 2, 1, 2, 1])
    table = rs.Study(y, {"a": a, "b": b}, frequency=times)
    rows = rs.Study(np.repeat(y, times), {"a": np.repeat(a, times), "b": np.repeat(b, times)})
    for asked in EVERY_METHOD:
        if asked.get("interval") == "percentile":
            continue  # another engine, the same law
        first, second = table.compare_auc(**asked), rows.compare_auc(**asked)
        for name in ("estimate", "se", "ci_low", "ci_high", "statistic", "p_value"):
            assert first[name][0] == pytest.approx(second[name][0], abs=1e-12, nan_ok=True), asked


def test_random_exchanges_of_a_table_have_the_law_of_its_rows(rng):
    y = np.tile([1, 0], 6)
    a, b = rng.integers(0, 5, (2, 12)).astype(float)
    table = rs.Study(y, {"a": a, "b": b}, frequency=np.full(12, 5))
    found = table.compare_auc(method="permutation", rng=3, n_resamples=20_000).iloc[0]
    rows = rs.Study(np.repeat(y, 5), {"a": np.repeat(a, 5), "b": np.repeat(b, 5)})
    again = rows.compare_auc(method="permutation", rng=4, n_resamples=20_000).iloc[0]
    p = found["p_value"]
    assert again["p_value"] == pytest.approx(p, abs=4 * np.sqrt(2 * p * (1 - p) / 20_000))
    assert found["method"] == "delong/wald-t/permutation"
    assert found["n_resamples"] == 20_000


def test_ranks_make_a_permutation_test_blind_to_the_scale(pair):
    other = rs.Study(examples.Y, {"d1": np.exp(9 * examples.D1), "d2": examples.D2})
    p = [study.compare_auc(method="permutation")["p_value"][0] for study in (pair, other)]
    assert p[0] == p[1]


def difference_kernel(y, a, b):
    return oracles.kernel(y, a) - oracles.kernel(y, b)


# docs/methods/areas.md, "Worked variances"
def test_printed_bootstrap_variance(pair):
    row = pair.compare_auc(method="bootstrap").iloc[0]
    assert row["se"] ** 2 == pytest.approx(0.007189453125, abs=1e-15)
    assert row["method"] == "bootstrap/wald-t"


@given(samples(predictors=2, most=7))
def test_closed_bootstrap_is_its_definition(data):
    y, (a, b) = data
    row = rs.Study(y, {"a": a, "b": b}).compare_auc(method="bootstrap").iloc[0]
    if not row["method"].startswith("bootstrap"):
        return
    k = difference_kernel(y, a, b)
    m, n = k.shape
    # E over resampled index pairs: both the same, one the same, none
    rows = np.mean(k.mean(axis=1) ** 2)
    columns = np.mean(k.mean(axis=0) ** 2)
    expected = (
        np.mean(k**2) + (n - 1) * rows + (m - 1) * columns - (m + n - 1) * k.mean() ** 2
    ) / (m * n)
    assert row["se"] ** 2 == pytest.approx(expected, abs=1e-12)


def test_resamples_are_shared_and_spread_as_the_closed_form(pair):
    drawn = pair.compare_auc(method="bootstrap", interval="percentile", n_resamples=8000, rng=5)
    assert drawn["se"][0] ** 2 == pytest.approx(0.007189453125, rel=4 * np.sqrt(2 / 8000))
    assert drawn["method"][0] == "resamples/percentile"
    assert drawn["n_resamples"][0] == 8000
    assert drawn.attrs["rocstats"]["seed"] == 5
    again = pair.compare_auc(method="bootstrap", interval="percentile", n_resamples=8000, rng=5)
    assert again.equals(drawn)


# docs/methods/resampling.md, "Order statistics as limits": order statistics ceil((B + 1) p) and B +
# 1 - ceil((B + 1) p)
def test_percentile_limits_are_order_statistics_and_invert_the_test(pair):
    asked = {"method": "bootstrap", "interval": "percentile", "n_resamples": 999, "rng": 2}
    row = pair.compare_auc(**asked).iloc[0]
    areas = draw_areas_of_units(pair.cases, [0, 1], ResamplePlan(999, 2, (0,))).values
    by_counts = draw_stratified_areas(pair.cases, [0, 1], ResamplePlan(999, 2, (0,)))
    assert ks_2samp(areas[0] - areas[1], by_counts[0] - by_counts[1]).pvalue > 0.001
    ordered = np.sort(by_counts[0] - by_counts[1])
    assert (row["ci_low"], row["ci_high"]) == (ordered[24], ordered[974])
    at_limit = pair.compare_auc(**asked, null_value=float(ordered[24])).iloc[0]
    share = (np.sum(ordered < ordered[24] - 1e-9) + np.sum(ordered < ordered[24] + 1e-9)) / 2 / 999
    assert at_limit["p_value"] == pytest.approx(2 * share, abs=1e-9)


def test_percentile_limits_need_no_method(pair):
    asked = {"interval": "percentile", "n_resamples": 199, "rng": 2}
    named = pair.compare_auc(method="bootstrap", **asked)
    pd.testing.assert_frame_equal(pair.compare_auc(**asked).copy(), named.copy())
    with pytest.raises(rs.InputError, match="`interval` must be 't', 'wald' or 'mover' for the me"):
        pair.compare_auc(method="delong", **asked)


def test_weighted_differences_are_percentiles_of_scikit_learns_areas(rng):
    y, weight = np.arange(60) % 5 < 2, rng.uniform(0.2, 3, 60)
    a, b = rng.normal(size=(2, 60)) + y
    study = rs.Study(y, {"a": a, "b": b}, sample_weight=weight)
    row = study.compare_auc(interval="percentile", n_resamples=199, rng=3).iloc[0]
    plan = ResamplePlan(199, 3).at(0)
    drawn = draw_weights(plan.streams(2), study.cases, 199, stratified=True)
    gaps = [
        roc_auc_score(y, a, sample_weight=w) - roc_auc_score(y, b, sample_weight=w) for w in drawn
    ]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(np.sort(gaps)[[4, -5]].tolist())


def test_percentile_carries_weights_and_clusters(rng):
    y = np.tile([1, 0], 20)
    a, b = rng.normal(size=(2, 40)) + y
    asked = {"method": "bootstrap", "interval": "percentile", "rng": 1}
    weighted = rs.Study(y, {"a": a, "b": b}, sample_weight=np.full(40, 3.0)).compare_auc(**asked)
    plain = rs.Study(y, {"a": a, "b": b}).compare_auc(**asked)
    assert weighted["estimate"][0] == pytest.approx(plain["estimate"][0], abs=1e-12)
    assert weighted["se"][0] == pytest.approx(plain["se"][0], rel=4 * np.sqrt(1 / 2000))
    clusters = rs.Study(y, {"a": a, "b": b}, cluster=np.repeat(np.arange(20), 2))
    found = clusters.compare_auc(**asked)
    closed = clusters.compare_auc()
    assert found["se"][0] == pytest.approx(closed["se"][0], rel=0.15)
    assert found["se"][0] != pytest.approx(plain["se"][0], rel=1e-6)


# docs/methods/comparison.md, "Worked correlations"
@pytest.mark.parametrize(
    ("correlation", "printed"),
    [
        ("pearson", 0.5137411),
        ("pearson-by-class", 0.5047179),
        ("kendall", 0.4565971),
        ("kendall-by-class", 0.4530973),
    ],
)
def test_printed_hanley_mcneil_tests(pair, correlation, printed):
    row = pair.compare_auc(method="hanley-mcneil", correlation=correlation).iloc[0]
    assert row["statistic"] == pytest.approx(printed, abs=5e-8)
    assert row["method"] == f"hanley-mcneil-{correlation}/wald"


def test_hanley_mcneil_across_groups_adds_variances():
    y = np.tile(examples.Y, 2)
    study = rs.Study(y, np.concatenate([examples.D1, examples.D2]), group=np.repeat(["x", "y"], 18))
    row = study.compare_auc(across="groups", method="hanley-mcneil").iloc[0]
    assert row["method"] == "hanley-mcneil/wald"
    # docs/methods/comparison.md, "Worked correlations" prints both standard errors
    assert row["se"] == pytest.approx(np.hypot(0.0944203095, 0.1050168032), abs=1e-10)


def test_scores_that_do_not_vary_in_a_class_are_uncorrelated():
    study = rs.Study([1, 1, 1, 0, 0, 0], {"a": [2.0, 2, 2, 1, 2, 3], "b": [4.0, 5, 1, 2, 3, 2]})
    with pytest.warns(rs.StatisticalWarning, match="no-score-correlation"):
        row = study.compare_auc(method="hanley-mcneil").iloc[0]
    assert np.isfinite(row[["se", "ci_low", "ci_high", "p_value"]].astype(float)).all()


def numerical_influence(study_of, m_or_n, rows, h=1e-4):
    """Derivative of an estimate in the weight of each row, times the number of its class."""
    found = []
    for row in rows:
        step = np.zeros(len(examples.Y))
        step[row] = h
        found.append((study_of(1 + step) - study_of(1 - step)) / (2 * h) * m_or_n)
    return np.array(found)


@pytest.mark.parametrize("asked", [{"fpr_range": (0, 0.25)}, {"tpr_range": (0.3, 0.9)}])
def test_partial_areas_covary_as_numerical_derivatives_say(asked):
    # no end of the range stands at a step, where the derivative has two values
    scores = {"d1": examples.D1, "d2": examples.D2}

    def difference(weight):
        own = rs.Study(examples.Y, scores, sample_weight=weight).auc(**asked)
        areas = own.loc[own["quantity"] == "partial_auc", "estimate"].to_numpy()
        return areas[0] - areas[1]

    pos, neg = np.flatnonzero(examples.Y == 1), np.flatnonzero(examples.Y == 0)
    variance = sum(
        numerical_influence(difference, len(rows), rows).var(ddof=1) / len(rows)
        for rows in (pos, neg)
    )
    row = rs.Study(examples.Y, scores).compare_auc(**asked, interval="wald").iloc[0]
    assert row["estimate"] == pytest.approx(difference(np.ones(18)), abs=1e-12)
    assert row["se"] ** 2 == pytest.approx(variance, rel=1e-4)
    assert row["quantity"] == "partial_auc_difference"
    assert (row["ci_high"] - row["ci_low"]) / row["se"] == pytest.approx(2 * 1.959964, rel=1e-5)


def test_the_whole_range_is_the_area(pair):
    whole, plain = pair.compare_auc(fpr_range=(0, 1)), pair.compare_auc()
    for name in ("estimate", "se", "ci_low", "ci_high", "statistic", "p_value"):
        assert whole[name][0] == pytest.approx(plain[name][0], rel=1e-12)


def test_a_partial_margin_is_one_of_partial_areas(pair):
    asked = {"fpr_range": (0, 0.3), "hypothesis": "non-inferiority", "margin": 0.05}
    row = pair.compare_auc(**asked, interval="wald").iloc[0]
    assert row["statistic"] == pytest.approx((row["estimate"] + 0.05) / row["se"], rel=1e-12)
    assert row["null_value"] == -0.05


# every subject in both groups, a row each: what is paired is paired by the cluster
def test_groups_with_the_same_cases_are_paired(pair):
    y, subject = np.tile(examples.Y, 2), np.tile(np.arange(18), 2)
    score = np.concatenate([examples.D1, examples.D2])
    study = rs.Study(y, score, group=np.repeat(["d1", "d2"], 18), cluster=subject)
    row, paired = study.compare_auc(across="groups").iloc[0], pair.compare_auc().iloc[0]
    for name in ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"):
        assert row[name] == pytest.approx(paired[name], rel=1e-12)
    assert "partially-paired" in row["note"]


def test_shared_cases_alone_covary(rng):
    m, shared = 30, 12
    y = np.tile([1, 0], m)
    first, second = rng.normal(size=(2, 2 * m)) + y
    subject = np.arange(2 * m)
    other = np.where(subject < 2 * shared, subject, subject + 2 * m)  # the rest are others
    study = rs.Study(
        np.tile(y, 2),
        np.concatenate([first, second]),
        group=np.repeat(["x", "y"], 2 * m),
        cluster=np.concatenate([subject, other]),
    )
    row = study.compare_auc(across="groups").iloc[0]
    k1, k2 = oracles.kernel(y, first), oracles.kernel(y, second)
    variance = 0.0
    for axis in (1, 0):
        v1, v2 = k1.mean(axis=axis), k2.mean(axis=axis)
        c1, c2 = v1 - v1.mean(), v2 - v2.mean()
        variance += (v1.var(ddof=1) + v2.var(ddof=1)) / m
        variance -= 2 * np.sum(c1[:shared] * c2[:shared]) / (m - 1) / m
    assert row["se"] ** 2 == pytest.approx(variance, rel=1e-12)
    assert row["method"] == "obuchowski/wald-t"


def test_clusters_of_their_own_leave_groups_unpaired():
    y = np.tile(examples.Y, 2)
    score = np.concatenate([examples.D1, examples.D2])
    group = np.repeat(["x", "y"], 18)
    apart = rs.Study(y, score, group=group, cluster=np.arange(36)).compare_auc(across="groups")
    plain = rs.Study(y, score, group=group).compare_auc(across="groups")
    assert apart["se"][0] == pytest.approx(plain["se"][0], rel=1e-12)
    assert "partially-paired" not in apart["note"][0]


def awkward():
    """Predictors that are alike, perfect, or given twice."""
    rise = np.arange(18)[::-1].astype(float)
    return {
        "identical": {"a": examples.D1, "b": examples.D1},
        "monotone": {"a": examples.D1, "b": np.exp(examples.D1)},
        "perfect": {"a": rise, "b": np.concatenate([rise[:8][::-1], rise[8:]])},
        "perfect and not": {"a": rise, "b": examples.D1},
        "one twice": {"a": examples.D1, "b": examples.D2, "c": 3 * examples.D2},
        "opposite": {"a": examples.D1, "b": -examples.D1},
        "constant": {"a": examples.D1, "b": np.zeros(18)},
    }


@pytest.mark.parametrize("name", list(awkward()))
@pytest.mark.parametrize("adjust", ["holm", "single-step"])
def test_awkward_predictors_have_sensible_rows(name, adjust):
    for asked in EVERY_METHOD:
        joint = asked.get("method", "").startswith(("permutation", "hanley"))
        if adjust == "single-step" and joint:
            continue
        frame = rs.Study(examples.Y, awkward()[name]).compare_auc(**asked, adjust=adjust)
        same = frame["note"].str.contains("identical-predictors")
        assert frame.loc[same, ["ci_low", "ci_high"]].isna().all(axis=None)
        assert (frame.loc[same, ["p_value", "p_adjusted"]] == 1).all(axis=None)
        assert (frame.loc[~same, "ci_low"] < frame.loc[~same, "ci_high"]).all(), asked
        assert (frame["p_value"] > 0).all()
        assert (frame["p_adjusted"] >= frame["p_value"]).all()
        alike = {"identical": [True], "monotone": [True], "one twice": [False, False, True]}
        if "fpr_range" not in asked and "tpr_range" not in asked:
            assert same.tolist() == alike.get(name, [False] * len(frame)), asked


def test_high_areas_with_few_cases_point_at_the_permutation_test(rng):
    y = np.repeat([1, 0], 15)
    scores = {name: 2.8 * y + rng.normal(size=30) for name in "ab"}
    study = rs.Study(y, scores)
    assert (study.auc()["estimate"] > 0.9).all()
    with pytest.warns(rs.StatisticalWarning, match="high-areas-few-cases"):
        frame = study.compare_auc()
    assert "high-areas-few-cases" in frame["note"][0]
    assert "high-areas" not in study.compare_auc(method="permutation", rng=1)["note"][0]
    more = rs.Study(np.tile(y, 3), {k: np.tile(v, 3) for k, v in scores.items()})
    assert "high-areas" not in more.compare_auc()["note"][0]


@given(samples(predictors=2, most=6))
def test_swapping_classes_and_directions_changes_no_comparison(data):
    y, (a, b) = data
    study = rs.Study(y, {"a": a, "b": b})
    mirror = rs.Study(1 - y, {"a": a, "b": b}, higher_is_positive=False)
    for asked in ({"method": "permutation"}, {"method": "bootstrap"}, {"method": "hanley-mcneil"}):
        first, second = study.compare_auc(**asked).iloc[0], mirror.compare_auc(**asked).iloc[0]
        assert second["estimate"] == pytest.approx(first["estimate"], abs=1e-12)
        if asked["method"] != "hanley-mcneil":  # exponential standard errors are not symmetric
            assert second["p_value"] == pytest.approx(first["p_value"], abs=1e-9, nan_ok=True)


@given(samples(predictors=2, most=6))
def test_clusters_of_one_are_none(data):
    y, (a, b) = data
    plain = rs.Study(y, {"a": a, "b": b})
    apart = rs.Study(y, {"a": a, "b": b}, cluster=np.arange(len(y)))
    for asked in ({}, {"method": "permutation"}, {"fpr_range": (0, 0.5)}):
        first, second = plain.compare_auc(**asked).iloc[0], apart.compare_auc(**asked).iloc[0]
        for name in ("estimate", "se", "statistic", "p_value"):
            assert second[name] == pytest.approx(first[name], abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ("auc_difference", "fpr", 0.0, 1.0)),
        ({"fpr_range": (0.1, 0.4)}, ("partial_auc_difference", "fpr", 0.1, 0.4)),
        ({"tpr_range": (0.6, 0.9)}, ("partial_auc_difference", "tpr", 0.6, 0.9)),
    ],
    ids=str,
)
def test_a_difference_names_the_range_of_its_areas(asked, expected, pair):
    row = pair.compare_auc(**asked).iloc[0]
    found = tuple(row[["quantity", "range_axis", "range_low", "range_high"]])
    assert found == expected


def test_a_standard_error_of_resamples_records_what_repeats_it():
    # An area of 1 takes MOVER limits, which need no resamples; the standard error is of resamples.
    study = rs.Study([1, 1, 1, 0, 0], {"a": [5, 4, 3, 2, 1], "b": [5, 1, 3, 2, 4]})
    asked = {"method": "bootstrap", "interval": "percentile", "n_resamples": 100}
    frame = study.compare_auc(**asked, rng=np.random.default_rng(3))
    assert frame["method"][0] == "newcombe/mover"
    assert frame["se"][0] > 0
    about = frame.attrs["rocstats"]
    assert (frame["n_resamples"][0], about["n_resamples"]) == (100, 100)
    assert study.compare_auc(**asked, rng=about["seed"]).equals(frame)


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
