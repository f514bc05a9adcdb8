"""Areas against chance, and the smallest area that is significant."""

from __future__ import annotations

import re
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocstats as rs
from rocstats.inference.chance import areas
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal, each
from tests.strategies import samples, whole_numbers

METHODS = ["exact", "mid-p", "asymptotic", "permutation", "brunner-munzel"]


def row_of(study, **arguments):
    return study.versus_random(**arguments).iloc[0]


# docs/methods/chance.md, "Worked rank sum"
def test_printed_exact_p_values(d1):
    row = row_of(d1)
    assert row["p_value"] == pytest.approx(0.0073586544, abs=5e-11)
    assert row["method"] == "mann-whitney/exact"
    assert row["statistic"] == pytest.approx(2.58742054124, abs=5e-12)
    assert np.isnan(row["df"])
    assert row_of(d1, alternative="greater")["p_value"] == pytest.approx(0.0038392980, abs=5e-11)
    mid = row_of(d1, alternative="greater", method="mid-p")
    assert mid["p_value"] == pytest.approx(0.0034850770, abs=5e-11)
    assert mid["method"] == "mann-whitney/mid-p"


def test_printed_asymptotic_p_value(d1):
    row = row_of(d1, method="asymptotic")
    assert row["statistic"] == pytest.approx(2.5428098, abs=5e-8)
    assert row["p_value"] == pytest.approx(0.0109965057, abs=5e-11)
    assert (row["df"], row["method"]) == (np.inf, "mann-whitney/normal-continuity")


def test_printed_brunner_munzel(d1):
    row = row_of(d1, method="brunner-munzel")
    assert row["statistic"] == pytest.approx(4.2531293, abs=5e-8)
    assert row["df"] == pytest.approx(15.8322553, abs=5e-8)
    assert row["p_value"] == pytest.approx(0.0006205579, abs=5e-11)
    assert row["method"] == "brunner-munzel/t"
    assert row["note"] == "few-cases; no-interval"  # eight positives


# docs/methods/chance.md, "Worked best of many"
def test_printed_p_values_of_the_best_of_many(d1):
    for n, expected in {1: 0.0038393, 5: 0.0190497, 20: 0.0740488, 100: 0.3193239}.items():
        row = row_of(d1, alternative="greater", n_candidates=n)
        assert row["p_value"] == pytest.approx(expected, abs=5e-8)
        assert row["n_candidates"] == n


def half_area(y, score):
    """The area over FPR 0 to 1/2 of scores without ties: the upper half of the negatives."""
    upper = np.sort(score[y == 0])[len(score[y == 0]) // 2 :]
    return np.mean(score[y == 1][:, np.newaxis] > upper) / 2


def largest_youden(y, score):
    called = score >= score[:, np.newaxis]
    return np.max(called[:, y == 1].mean(axis=1) - called[:, y == 0].mean(axis=1))


@pytest.mark.parametrize(
    ("arguments", "statistic"),
    [
        ({}, oracles.auc),
        ({"statistic": "youden"}, largest_youden),
        ({"statistic": "average_precision"}, oracles.average_precision),
        # The part of a curve above FPR 0 to 1/2: pairs with the upper half of the negatives.
        ({"fpr_range": (0, 0.5)}, half_area),
    ],
)
def test_best_of_many_is_the_largest_statistic_of_many_random_scorers(rng, arguments, statistic):
    n_candidates, replicates = 4, 3000
    y, score = np.repeat([1, 0], [6, 8]), rng.permutation(14).astype(float)
    score[y == 1] += 3.2
    row = row_of(
        rs.Study(y, score),
        method="permutation",
        alternative="greater",
        n_candidates=n_candidates,
        rng=1,
        **arguments,
    )
    observed = statistic(y, score)
    assert row["estimate"] == pytest.approx(observed, abs=1e-12)
    best = [
        max(statistic(y, rng.permutation(score)) for _ in range(n_candidates))
        for _ in range(replicates)
    ]
    expected = np.mean(np.array(best) >= observed - 1e-9)
    assert 0.02 < expected < 0.9
    # Both are simulated: 3000 largest ones here, 9999 single ones there.
    p = 1 - (1 - row["p_value"]) ** (1 / n_candidates)
    slope = n_candidates * (1 - p) ** (n_candidates - 1)
    noise = expected * (1 - expected) / replicates + slope**2 * p * (1 - p) / 9999
    assert abs(row["p_value"] - expected) < 4 * np.sqrt(noise)


def test_candidates_beyond_the_permutations_are_noted(d1):
    asked = {"method": "permutation", "alternative": "greater", "n_resamples": 99, "rng": 1}
    with pytest.warns(rs.StatisticalWarning, match="few-permutations"):
        row = row_of(d1, n_candidates=6, **asked)
    # 1 - .99^6 = .0585 is the least there is; 1 - .99^5 = .0490
    assert row["p_value"] >= 1 - 0.99**6 > 0.05
    assert "few-permutations" not in row_of(d1, n_candidates=5, **asked)["note"]


def test_the_row_is_that_of_the_area(d1):
    row, area = row_of(d1), d1.auc().iloc[0]
    for name in ("predictor", "quantity", "range_axis", "range_low", "range_high", "estimate"):
        assert row[name] == area[name]
    assert (row["null_value"], row["n_pos"], row["n_neg"]) == (0.5, 8, 10)
    assert row[["se", "ci_low", "ci_high", "confidence_level"]].isna().all()
    assert row["note"] == "no-interval"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_brunner_munzel_is_that_of_scipy(alternative, rng):
    from scipy.stats import brunnermunzel

    pos, neg = rng.integers(1, 9, 12), rng.integers(0, 7, 17)
    study = rs.Study(np.repeat([1, 0], [12, 17]), np.concatenate([pos, neg]))
    row = row_of(study, method="brunner-munzel", alternative=alternative)
    # scipy's first sample is the one that is larger under "less"
    flipped = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    expected = brunnermunzel(neg, pos, alternative=alternative)
    other = brunnermunzel(pos, neg, alternative=flipped)
    assert expected.pvalue == pytest.approx(other.pvalue)
    assert abs(row["statistic"]) == pytest.approx(abs(expected.statistic), rel=1e-10)
    assert row["p_value"] in (
        pytest.approx(expected.pvalue, rel=1e-10),
        pytest.approx(1 - expected.pvalue, rel=1e-10),
    )
    assert (row["p_value"] < 0.5) == (alternative != "less")


def test_the_asymptotic_p_value_is_that_of_scipy(d1):
    from scipy.stats import mannwhitneyu

    for alternative in ("two-sided", "greater", "less"):
        expected = mannwhitneyu(
            examples.D1[:8], examples.D1[8:], alternative=alternative, method="asymptotic"
        )
        row = row_of(d1, method="asymptotic", alternative=alternative)
        assert row["p_value"] == pytest.approx(expected.pvalue, rel=1e-10)


@pytest.mark.parametrize("statistic", ["auc", "youden", "average_precision"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_permutation_p_values_approach_those_of_enumeration(statistic, alternative):
    y, score = np.array([1, 1, 1, 0, 0, 0, 0, 0]), np.array([5.0, 4, 2, 4, 3, 2, 1, 0])
    study = rs.Study(y, score)

    def value(labels):
        points = oracles.algorithm_1(labels, score)[:, 1:]
        return {
            "auc": oracles.auc(labels, score),
            "youden": (points[:, 1] / 3 - points[:, 0] / 5).max(),
            "average_precision": oracles.average_precision(labels, score),
        }[statistic]

    values = np.array(
        [value(np.isin(np.arange(8), chosen).astype(int)) for chosen in combinations(range(8), 3)]
    )
    observed = value(y)
    upper, lower = np.mean(values >= observed - 1e-9), np.mean(values <= observed + 1e-9)
    both = min(1, 2 * min(upper, lower))
    if statistic == "auc":
        both = np.mean(np.abs(values - 0.5) >= abs(observed - 0.5) - 1e-9)
    expected = {"greater": upper, "less": lower, "two-sided": both}[alternative]
    row = row_of(study, method="permutation", statistic=statistic, alternative=alternative, rng=1)
    error = 8 * np.sqrt(expected * (1 - expected) / 9999) + 2e-4
    assert row["p_value"] == pytest.approx(expected, abs=error)
    assert row["estimate"] == pytest.approx(observed)
    assert row["quantity"] == statistic
    assert row["method"] == f"label-permutation/{statistic}"
    assert row["null_value"] == {"auc": 0.5, "youden": 0.0, "average_precision": 3 / 8}[statistic]


@given(samples(least=1, most=8), st.sampled_from(METHODS), st.integers(1, 50))
def test_p_values_are_probabilities(data, method, n_candidates):
    y, (score,) = data
    study = rs.Study(y, score)
    p = {}
    for alternative in ("two-sided", "greater", "less"):
        row = row_of(study, method=method, alternative=alternative, n_resamples=99, rng=1)
        p[alternative] = row["p_value"]
        best = row_of(
            study,
            method=method,
            alternative=alternative,
            n_candidates=n_candidates,
            n_resamples=99,
            rng=1,
        )
        assert best["p_value"] == pytest.approx(1 - (1 - p[alternative]) ** n_candidates, abs=1e-9)
        assert 0 < row["p_value"] <= best["p_value"] <= 1
        if method == "permutation":
            assert row["p_value"] >= 1 / 100
    assert p["greater"] + p["less"] >= 1 - 1e-9


@given(samples(least=1, most=8), st.sampled_from(["exact", "mid-p", "asymptotic", "permutation"]))
def test_monotone_transforms_change_nothing(data, method):
    y, (score,) = data
    first = rs.Study(y, score).versus_random(method=method, n_resamples=99, rng=1)
    other = rs.Study(y, np.exp(score) - 3).versus_random(method=method, n_resamples=99, rng=1)
    assert_frames_equal(first, other)


@given(
    samples(least=2, most=8), st.sampled_from(["exact", "mid-p", "asymptotic", "brunner-munzel"])
)
def test_negated_scores_and_exchanged_classes_mirror_the_test(data, method):
    y, (score,) = data
    row = row_of(rs.Study(y, score), method=method, alternative="greater")
    for study in (rs.Study(y, -score), rs.Study(1 - y, score)):
        other = row_of(study, method=method, alternative="less")
        assert other["estimate"] == pytest.approx(1 - row["estimate"], abs=1e-12)
        assert other["p_value"] == pytest.approx(row["p_value"], rel=1e-9)
        assert other["statistic"] == pytest.approx(-row["statistic"], abs=1e-9)
    turned = row_of(rs.Study(y, -score, higher_is_positive=False), method=method)
    assert turned["p_value"] == pytest.approx(
        row_of(rs.Study(y, score), method=method)["p_value"], rel=1e-9
    )


@given(samples(least=2, most=6), st.sampled_from(METHODS), st.data())
def test_frequencies_are_replicated_rows(data, method, more):
    y, (score,) = data
    times = whole_numbers(more.draw, len(y), 3, least=1)
    counted = rs.Study(y, score, frequency=times).versus_random(
        method=method, n_resamples=99, rng=1
    )
    long = rs.Study(np.repeat(y, times), np.repeat(score, times)).versus_random(
        method=method, n_resamples=99, rng=1
    )
    assert_frames_equal(counted, long)


def test_exact_and_asymptotic_agree_where_both_serve(rng):
    score = rng.normal(size=160)
    score[:60] += 0.3
    study = rs.Study(np.repeat([1, 0], [60, 100]), score)
    exact, normal = row_of(study), row_of(study, method="asymptotic")
    assert exact["method"] == "mann-whitney/exact"
    assert normal["p_value"] == pytest.approx(exact["p_value"], rel=0.03)


def test_the_default_says_what_it_did(rng):
    y, score = np.repeat([1, 0], [100, 101]), rng.normal(size=201)
    assert row_of(rs.Study(y, score))["method"] == "mann-whitney/normal-continuity"
    assert row_of(rs.Study(y[1:], score[1:]))["method"] == "mann-whitney/exact"
    assert row_of(rs.Study(y, score, fold=np.arange(201) % 5))["method"] == (
        "foldwise-mann-whitney/normal-continuity"
    )
    weighted = rs.Study(y, score, sample_weight=score**2)
    assert row_of(weighted, n_resamples=99)["method"] == "label-permutation/auc"
    clustered = rs.Study(y, score, cluster=np.arange(201) // 2)
    assert row_of(clustered, n_resamples=99)["method"] == "cluster-permutation/auc"


def test_folds_have_the_mean_area_and_its_null_variance():
    fold = np.arange(18) % 2
    study = rs.Study(examples.Y, examples.D1, fold=fold)
    row = row_of(study)
    area, variance, step = [], [], []
    for f in (0, 1):
        y, score = examples.Y[fold == f], examples.D1[fold == f]
        m, n = y.sum(), (1 - y).sum()
        values = [
            oracles.auc(np.isin(np.arange(m + n), chosen).astype(int), score)
            for chosen in combinations(range(m + n), int(m))
        ]
        area.append(oracles.auc(y, score))
        variance.append(np.var(values))
        step.append(1 / (2 * m * n))
    z = (np.mean(area) - 0.5 - np.mean(step) / 2) / np.sqrt(np.sum(variance) / 4)
    assert row["estimate"] == pytest.approx(np.mean(area))
    assert row["statistic"] == pytest.approx(z)
    shuffled = row_of(study, method="permutation", rng=1)
    assert shuffled["estimate"] == pytest.approx(np.mean(area))
    assert shuffled["p_value"] == pytest.approx(row["p_value"], abs=0.02)
    t = row_of(study, method="brunner-munzel")
    auc = study.auc(interval="wald", null_value=0.5).iloc[0]
    assert t["statistic"] == pytest.approx(auc["statistic"])
    assert t["method"] == "foldwise-brunner-munzel/t"


def test_clusters_have_obuchowskis_variance():
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    row = row_of(study, method="brunner-munzel")
    # docs/methods/areas.md, "Worked clusters": se .0531360283. The df are of
    # validation/obuchowski/d1_clusters: six unequal clusters with both classes, one with negatives.
    assert row["statistic"] == pytest.approx(0.3625 / 0.0531360283, rel=1e-8)
    assert row["df"] == pytest.approx(4.8820076636, abs=5e-11)
    assert row["method"] == "obuchowski/t"
    assert row["note"] == "few-cases; few-clusters; no-interval"


def test_clusters_of_one_are_none_in_law(d1):
    alone = rs.Study(examples.Y, examples.D1, cluster=np.arange(18))
    row = row_of(alone, rng=1)
    assert row["method"] == "cluster-permutation/auc"
    assert row["p_value"] == pytest.approx(0.0073586544, abs=4 * 0.00086)


@pytest.mark.parametrize("method", METHODS)
def test_equal_scores_are_no_evidence(method):
    row = row_of(rs.Study([1] * 5 + [0] * 6, np.ones(11)), method=method, rng=1)
    assert row["estimate"] == 0.5
    assert row["p_value"] == (1.0 if method != "mid-p" else 0.5)


def test_perfect_separation_is_certain_to_the_number_of_choices():
    study = rs.Study([1] * 5 + [0] * 6, np.arange(11)[::-1])
    assert row_of(study)["p_value"] == pytest.approx(2 / 462)
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = row_of(study, method="brunner-munzel")
    assert row["method"] == "newcombe/normal"
    assert 0 < row["p_value"] < 0.05


def test_permutations_record_what_repeats_them(d1):
    first = d1.versus_random(method="permutation")
    about = first.attrs["rocstats"]
    assert about["n_resamples"] == 9999
    assert first["n_resamples"].tolist() == [9999]
    again = d1.versus_random(method="permutation", rng=about["seed"])
    pd.testing.assert_frame_equal(first, again, check_exact=True)
    assert d1.versus_random().attrs["rocstats"]["seed"] is None
    together = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2})
    both = together.versus_random(method="permutation", rng=about["seed"])
    assert both["p_value"][0] == first["p_value"][0]


@pytest.mark.parametrize("span", [{"fpr_range": (0.1, 0.5)}, {"tpr_range": (0.6, 1)}], ids=str)
def test_a_partial_area_has_the_law_of_all_labellings(span):
    y, score = np.array([1, 1, 1, 0, 0, 0, 0, 0]), np.array([5.0, 4, 2, 4, 3, 2, 1, 0])

    def value(labels):
        return rs.Study(labels, score).auc(**span)["estimate"][0]

    values = np.array(
        [value(np.isin(np.arange(8), chosen).astype(int)) for chosen in combinations(range(8), 3)]
    )
    row = row_of(rs.Study(y, score), alternative="greater", rng=1, **span)
    expected = np.mean(values >= value(y) - 1e-9)
    error = 4 * np.sqrt(expected * (1 - expected) / 9999) + 1e-4
    assert row["p_value"] == pytest.approx(expected, abs=error)
    assert row["estimate"] == pytest.approx(value(y), rel=1e-14)
    ((axis, (low, high)),) = span.items()
    assert (row["quantity"], row["range_axis"]) == ("partial_auc", axis[:3])
    assert (row["range_low"], row["range_high"]) == (low, high)
    # under the diagonal: (.5^2 - .1^2)/2, and beside it ((1 - .6)^2 - 0)/2
    assert row["null_value"] == pytest.approx(0.12 if axis == "fpr_range" else 0.08)
    assert row["method"] == "label-permutation/partial_auc"


MIXED = np.arange(18) // 2 * (np.arange(18) > 5)  # the first six cases, all positive, are one

FOLD = np.arange(18) % 2


def refused(method=None, *, roles=(), **arguments):
    study = rs.Study(examples.Y, examples.D1, **dict(roles))
    study.versus_random(method=method, **arguments)


MESSAGES = [
    (lambda: refused(statistic="gini"), "`statistic` must be one of"),
    (lambda: refused(n_candidates=0), "`n_candidates` must be a whole number >= 1"),
    (lambda: refused("permutation", n_resamples=98), "`n_resamples` must be a whole number >= 99"),
    (lambda: refused("exact", statistic="youden"), "`method` must be 'permutation' for the"),
    (lambda: refused("exact", fpr_range=(0, 0.2)), "`method` must be 'permutation' for a partial"),
    (lambda: refused(statistic="youden", fpr_range=(0, 0.2)), "`statistic` must be 'auc' for a"),
    (lambda: refused(tpr_range=(0.9, 0.8)), "`tpr_range` must be two rates, 0 <= low < high <= 1"),
    (
        lambda: refused("asymptotic", roles={"sample_weight": examples.D1}),
        "`method` must be 'permutation' when the study has weights",
    ),
    (
        lambda: refused("brunner-munzel", roles={"sample_weight": examples.D1}),
        "`method` must be 'permutation' when the study has weights",
    ),
    (
        lambda: refused("exact", roles={"cluster": MIXED}),
        "`method` must be 'permutation' or 'brunner-munzel' when the study has clusters",
    ),
    (
        lambda: refused("brunner-munzel", statistic="youden", roles={"cluster": MIXED}),
        "`method` must be 'permutation' for the statistic 'youden'",
    ),
    (
        lambda: refused(roles={"cluster": np.arange(18) % 9}),
        "`cluster` must lie in one class if labels are permuted by cluster; got cluster '0' in",
    ),
    (
        lambda: refused(roles={"cluster": np.repeat(np.arange(9), 2), "fold": FOLD}),
        "`cluster` must lie in one fold if labels are permuted by cluster; got cluster '0' in",
    ),
    (
        lambda: refused("exact", roles={"fold": FOLD}),
        "`method` must be 'asymptotic' or 'permutation' or 'brunner-munzel' when the study has",
    ),
    (
        lambda: refused("mid-p", roles={"frequency": np.full(18, 20)}),
        "`method` must be 'asymptotic' or 'permutation' or 'brunner-munzel' beyond 10000 pairs",
    ),
    (
        lambda: refused(roles={"fold": (np.arange(18) < 2).astype(int)}),
        "`fold` must have both classes in every fold; got 2 positives and 0 negatives in fold '1'",
    ),
    (lambda: rs.critical_auc(5, 5, n_candidates=1.5), "`n_candidates` must be a whole number >= 1"),
    (lambda: rs.critical_auc(0, 5), "`n_pos` must be a whole number >= 1; got 0"),
    (lambda: rs.critical_auc(5, "5"), "`n_neg` must be a whole number >= 1; got '5'"),
    (lambda: rs.critical_auc(5, 5, alpha=1), "`alpha` must be a number strictly between 0 and 1"),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


# docs/methods/chance.md, "Worked best of many": K = 1, 10, 100, 1000
PRINTED = {
    (10, 10): [0.73, 0.84, 0.92, 0.97],
    (20, 20): [0.655, 0.7375, 0.7975, 0.845],
    (20, 100): [0.6175, 0.681, 0.729, 0.7675],
    (50, 50): [0.596, 0.6484, 0.6888, 0.7216],
}


@pytest.mark.parametrize("sizes", list(PRINTED))
def test_printed_critical_values(sizes):
    frame = rs.critical_auc(*sizes, n_candidates=[1, 10, 100, 1000])
    assert frame["critical_value"].tolist() == pytest.approx(PRINTED[sizes], abs=1e-12)
    assert frame["n_candidates"].tolist() == [1, 10, 100, 1000]
    assert (frame["p_value"] <= 0.05).all()


def test_a_critical_area_is_just_significant():
    frame = rs.critical_auc(6, 9, n_candidates=[1, 7])
    for value, p, n in frame[["critical_value", "p_value", "n_candidates"]].to_numpy():
        for wins, rejected in ((round(value * 54), True), (round(value * 54) - 1, False)):
            study = rs.Study(*untied_sample(6, 9, wins))
            row = study.versus_random(alternative="greater", n_candidates=int(n)).iloc[0]
            assert row["estimate"] == pytest.approx(wins / 54)
            assert (row["p_value"] <= 0.05) == rejected
            if rejected:
                assert row["p_value"] == pytest.approx(p, rel=1e-12)


def untied_sample(m, n, wins):
    """Positives that together outrank ``wins`` negatives, no ties."""
    below = []
    for _ in range(m):
        below.append(min(n, wins))
        wins -= below[-1]
    assert wins == 0
    score = [b + 0.5 + i / 100 for i, b in enumerate(below)]
    return [1] * m + [0] * n, score + list(range(1, n + 1))


def test_levels_that_no_area_reaches():
    with pytest.warns(rs.StatisticalWarning, match="unattainable-level"):
        row = rs.critical_auc(2, 3).iloc[0]
    assert 1 / comb(5, 2) > 0.05
    assert np.isnan(row["critical_value"])
    assert np.isnan(row["p_value"])
    assert row["note"] == "unattainable-level"
    assert rs.critical_auc(2, 3, alpha=0.1)["critical_value"][0] == 1


def test_large_samples_are_normal_and_near_the_exact_value():
    row = rs.critical_auc(200, 300, n_candidates=50).iloc[0]
    assert row["method"] == "mann-whitney/normal-continuity"
    assert row["p_value"] <= 0.05
    assert round(row["critical_value"] * 60000, 6) % 1 == 0
    for sizes in ((60, 80), (100, 100)):
        exact = areas._exact_critical_area(*sizes, 10, 0.05)[0]
        assert areas._normal_critical_area(*sizes, 10, 0.05)[0] == pytest.approx(exact, abs=2e-3)
    with pytest.warns(rs.StatisticalWarning, match="unattainable-level"):
        assert np.isnan(rs.critical_auc(1, 10001, alpha=1e-6)["critical_value"][0])


def test_the_critical_value_of_large_samples_is_the_least_area_at_the_level():
    row = rs.critical_auc(200, 300).iloc[0]
    # Mann and Whitney: Var A = (m + n + 1)/(12 m n); half a step of 1/(m n) for continuity.
    deviates = (np.array([0, -1]) / 60000 + row["critical_value"] - 0.5 - 1 / 120000) / np.sqrt(
        501 / (12 * 60000)
    )
    at, below = norm.sf(deviates)
    assert row["p_value"] == pytest.approx(at, rel=1e-9)
    assert at <= 0.05 < below
