from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocstats as rs
from rocstats.errors import InputError
from rocstats.estimate.areas import AREA_VARIANCES
from rocstats.estimate.intervals import AREA_INTERVALS, NEWCOMBE_LIMITS, Area
from rocstats.estimate.resample import ResamplePlan, draw_weights
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import each
from tests.strategies import samples

INTERVALS = [
    record.word for record in AREA_INTERVALS if not record.resampled and not record.needs_spread
]

VARIANCES = [record.word for record in AREA_VARIANCES if not record.needs_folds]


def row_of(study, **arguments):
    return study.auc(**arguments).iloc[0]


# docs/methods/areas.md, "Worked variances": the CT ratings and D1
def test_printed_numbers_with_delongs_variance(ct, three):
    row = row_of(ct, interval="wald")
    assert row["estimate"] == pytest.approx(0.8931710615, abs=5e-11)
    assert row["se"] == pytest.approx(0.0307244084, abs=5e-11)
    assert row["ci_low"] == pytest.approx(0.8329523277, abs=5e-11)
    assert row["ci_high"] == pytest.approx(0.9533897954, abs=5e-11)
    row = row_of(three)
    assert row["estimate"] == pytest.approx(0.8625, abs=1e-15)
    assert row["se"] ** 2 == pytest.approx(0.0072643849206, abs=5e-14)


# docs/methods/areas.md, "Worked variances"
@pytest.mark.parametrize(
    ("variance", "se"),
    [
        ("hanley-mcneil", 0.0324865796),
        ("hanley-mcneil-data", 0.0319904082),
        ("unbiased", 0.0306113293),
        ("bootstrap", 0.0305437858),
    ],
)
def test_printed_standard_errors_of_the_ct_ratings(ct, variance, se):
    row = row_of(ct, variance=variance)
    assert row["se"] == pytest.approx(se, abs=5e-11)
    assert row["method"] == f"{variance}/logit"


# docs/methods/area-intervals.md, "Worked limits"
@pytest.mark.parametrize(
    ("variance", "interval", "of_ct", "of_d1"),
    [
        ("delong", "logit", (0.8164435, 0.9401762), (0.6053046, 0.9624860)),
        ("delong", "probit", (0.8202993, 0.9418661), (0.6299886, 0.9679453)),
        ("hanley-mcneil", "logit", (0.8109566, 0.9421799), (0.5685051, 0.9676002)),
        ("delong", "newcombe", (0.8116884, 0.9400062), (0.5923846, 0.9602984)),
        ("delong", "hanley-mcneil-score", (0.8101765, 0.9408335), (0.5904201, 0.9621115)),
        ("delong", "wald", (0.8329523, 0.9533898), (0.6954496, 1.0)),
        ("delong", "exact", (0.8164435, 0.9401762), (0.6053046, 0.9624860)),
    ],
)
def test_printed_intervals(ct, three, variance, interval, of_ct, of_d1):
    for study, printed in ((ct, of_ct), (three, of_d1)):
        row = row_of(study, variance=variance, interval=interval)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(printed, abs=6e-8)


def test_the_default_is_logit_t_and_logit_where_the_variance_has_no_parts(ct):
    assert row_of(ct)["method"] == "delong/logit-t"
    pd.testing.assert_frame_equal(ct.auc(), ct.auc(interval="logit-t"))
    for variance in VARIANCES[1:]:
        assert row_of(ct, variance=variance)["method"] == f"{variance}/logit"
    folded = rs.Study([1, 0] * 10, np.arange(20) % 7, fold=np.arange(20) // 2 % 2)
    assert row_of(folded)["method"] == "foldwise-delong/logit-t"
    assert row_of(folded, variance="ledell")["method"] == "ledell/logit"


# docs/methods/chance.md, "Worked rank sum" prints the Satterthwaite degrees of freedom and t of D1
# against 1/2 (Wald scale)
def test_degrees_of_freedom_of_the_t_interval(three):
    row = row_of(three, interval="logit-t", null_value=0.5)
    assert row["df"] == pytest.approx(15.8322553, abs=5e-8)
    logit = np.log(0.8625 / 0.1375)
    assert row["statistic"] == pytest.approx(logit / (row["se"] / (0.8625 * 0.1375)))


@each("interval", INTERVALS)
@each("variance", VARIANCES)
def test_a_perfect_area_never_gets_a_perfect_interval(interval, variance):
    if interval == "logit-t" and variance != "delong":
        return
    study = rs.Study([1] * 10 + [0] * 10, np.arange(20)[::-1])
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = row_of(study, interval=interval, variance=variance)
    lower = {"hanley-mcneil-score": None, "exact": 0.6915029}.get(interval, 0.8002136)
    assert (row["estimate"], row["ci_high"]) == (1.0, 1.0)
    if lower is not None:
        assert row["ci_low"] == pytest.approx(lower, abs=5e-8)
    assert 0.6 < row["ci_low"] < 0.9
    kept = interval in ("newcombe", "hanley-mcneil-score", "exact")
    assert row["method"] == f"{variance}/{interval if kept else 'newcombe'}"
    mirrored = row_of(rs.Study([0] * 10 + [1] * 10, np.arange(20)[::-1]), interval=interval)
    assert mirrored["ci_low"] == 0.0
    assert mirrored["ci_high"] == pytest.approx(1 - row["ci_low"], abs=1e-9)


def test_all_scores_tied_give_one_half_and_a_finite_interval():
    with pytest.warns(rs.StatisticalWarning, match="zero-variance"):
        row = row_of(rs.Study([1, 1, 1, 0, 0], np.ones(5)), interval="wald")
    assert row["estimate"] == 0.5
    assert 0 < row["ci_low"] < 0.5 < row["ci_high"] < 1
    assert row["method"] == "delong/newcombe"


def test_placements_that_are_equal_but_for_rounding_have_no_variance():
    # every positive beats the same third of the negatives
    row = row_of(rs.Study([1] * 7 + [0] * 3, [1.0] * 7 + [0, 2, 2]))
    assert row["estimate"] == pytest.approx(1 / 3)
    assert row["se"] > 0
    three_of_seven = rs.Study([1] * 3 + [0] * 7, [2.0, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    assert "zero-variance" in row_of(three_of_seven)["note"]


@pytest.mark.parametrize("interval", ["logit", "wald", "logit-t", "newcombe"])
def test_a_single_case_has_no_standard_error(interval):
    with pytest.warns(rs.StatisticalWarning, match="single-case"):
        row = row_of(rs.Study([1, 0, 0, 0], [2.5, 1, 2, 3]), interval=interval)
    assert row["estimate"] == pytest.approx(2 / 3)
    assert np.isnan(row["se"])
    assert 0 < row["ci_low"] < 2 / 3 < row["ci_high"] < 1
    assert row["method"] == "delong/newcombe"


def test_one_sided_intervals_use_the_whole_level(ct):
    two_sided = row_of(ct, confidence_level=0.90)
    greater = row_of(ct, confidence_level=0.95, alternative="greater")
    less = row_of(ct, confidence_level=0.95, alternative="less")
    assert greater["ci_low"] == pytest.approx(two_sided["ci_low"], abs=1e-12)
    assert less["ci_high"] == pytest.approx(two_sided["ci_high"], abs=1e-12)
    assert (greater["ci_high"], less["ci_low"]) == (1.0, 0.0)
    assert greater["hypothesis"] == "greater"


def test_performance_goal_agrees_with_the_interval(ct):
    logit = {"interval": "logit"}
    low = row_of(ct, alternative="greater", **logit)["ci_low"]
    found = row_of(ct, alternative="greater", null_value=low, **logit)
    assert found["p_value"] == pytest.approx(0.05)
    row = row_of(ct, null_value=0.8, **logit)
    z = (np.log(0.8931710615 / 0.1068289385) - np.log(4)) / (
        0.0307244084 / (0.8931710615 * 0.1068289385)
    )
    assert row["statistic"] == pytest.approx(z, rel=1e-8)
    assert row["df"] == np.inf
    assert np.isnan(row_of(ct)["p_value"])


def test_weights_give_the_estimate_alone():
    y, score, weight = [1, 1, 0, 0], [3.0, 1, 2, 0], np.array([0.5, 1.5, 2.0, 1.0])
    with pytest.warns(rs.StatisticalWarning, match="weights-need-bootstrap"):
        row = row_of(rs.Study(y, score, sample_weight=weight), null_value=0.5)
    k = oracles.kernel(y, score)
    expected = (weight[:2, None] * weight[None, 2:] * k).sum() / (2.0 * 3.0)
    assert row["estimate"] == pytest.approx(expected)
    assert row[["se", "ci_low", "ci_high", "statistic", "p_value"]].isna().all()
    assert row["method"] == "none/none"


def test_clusters_name_obuchowski_and_count_themselves():
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        row = row_of(study, interval="logit")
    assert row["method"] == "obuchowski/logit"
    assert row["se"] == pytest.approx(0.0531360283, abs=5e-11)


def test_kinds_of_clusters_have_their_own_degrees_of_freedom():
    y, cluster = np.array(examples.Y), np.array(examples.D1_CLUSTERS)
    kernel = oracles.kernel(y, examples.D1)
    a = kernel.mean()
    pos = [kernel[cluster[y == 1] == c].mean(axis=1).sum() for c in range(1, 8)]
    neg = [kernel[:, cluster[y == 0] == c].mean(axis=0).sum() for c in range(1, 8)]
    m_of, n_of = (np.array([(cluster[y == k] == c).sum() for c in range(1, 8)]) for k in (1, 0))
    u, v = (np.array(pos) - a * m_of) / (y == 1).sum(), (np.array(neg) - a * n_of) / (y == 0).sum()
    # clusters 1 to 6 hold both classes, cluster 7 negatives alone: J - 1 and 1 degree of freedom, J
    # equal clusters for six unequal ones; positives are in six clusters, negatives in seven
    share = (m_of / (y == 1).sum() + n_of / (y == 0).sum())[:6]
    equal = (share**2).sum() ** 2 / (share**4).sum()
    assert 5 < equal < 6
    both = 6 / 5 * (u[:6] @ u[:6]) + 7 / 6 * (v[:6] @ v[:6]) + 7 / 6 * 2 * (u[:6] @ v[:6])
    alone = 7 / 6 * v[6] ** 2
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        row = row_of(study, interval="logit-t", null_value=0.5)
    assert row["se"] ** 2 == pytest.approx(both + alone)
    assert row["df"] == pytest.approx((both + alone) ** 2 / (both**2 / (equal - 1) + alone**2))


def test_clusters_of_one_case_have_the_interval_of_no_clusters():
    columns = ["se", "ci_low", "ci_high", "df"]
    apart = rs.Study(examples.Y, examples.D1, cluster=np.arange(18))
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        one = row_of(apart, null_value=0.5)[columns]
    two = row_of(rs.Study(examples.Y, examples.D1), null_value=0.5)[columns]
    assert one.tolist() == pytest.approx(two.tolist())


@pytest.mark.parametrize(
    ("m", "n", "few"),
    [
        (19, 19, True),
        (20, 20, False),
        (20, 81, True),
        (20, 80, False),
        (99, 400, True),
        (400, 99, True),
        (100, 500, False),
    ],
)
def test_few_cases_are_under_20_or_under_100_of_very_unequal_classes(m, n, few, rng):
    study = rs.Study([1] * m + [0] * n, rng.normal(size=m + n))
    assert ("few-cases" in study.auc()["note"][0].split("; ")) == few


def test_a_perfect_clustered_area_counts_clusters():
    y = [1, 1, 1, 1, 0, 0, 0, 0]
    cluster = ["p", "p", "q", "r", "s", "t", "t", "p"]
    study = rs.Study(y, [8, 7, 6, 5, 4, 3, 2, 1], cluster=cluster)
    # positives in p, q, r; negatives in s, t, p
    plain = rs.Study([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    assert row_of(study)["ci_low"] == pytest.approx(row_of(plain)["ci_low"], abs=1e-12)
    # five clusters hold two pairs that share none: P(both right) <= theta^2
    assert row_of(study, interval="exact")["ci_low"] == pytest.approx(0.025 ** (1 / 2))


def test_a_single_cluster_bounds_nothing():
    row = row_of(rs.Study([1, 1, 0, 0], [4, 3, 2, 1], cluster=[1, 1, 1, 1]), interval="exact")
    assert row["method"] == "obuchowski/newcombe"
    assert "single-case" in row["note"]
    assert 0 <= row["ci_low"] < row["ci_high"] == 1


def test_folds_that_are_all_perfect_pool_their_cases():
    y, score = [1, 0, 1, 0, 1, 0, 1, 0], [9, 1, 8, 2, 7, 3, 6, 4]
    row = row_of(rs.Study(y, score, fold=[0, 0, 0, 0, 1, 1, 1, 1]))
    assert row["estimate"] == 1.0
    assert row["ci_low"] == pytest.approx(row_of(rs.Study(y, score))["ci_low"], abs=1e-12)
    assert row["method"] == "foldwise-delong/newcombe"


def test_variances_are_averaged_over_folds():
    fold = np.arange(18) % 2
    study = rs.Study(examples.Y, examples.D1, fold=fold)
    parts = [rs.Study(examples.Y[fold == f], examples.D1[fold == f]) for f in (0, 1)]
    for variance in ("delong", "unbiased", "bootstrap", "hanley-mcneil"):
        alone = [row_of(part, variance=variance)["se"] for part in parts]
        found = row_of(study, variance=variance)["se"]
        assert found == pytest.approx(np.hypot(*alone) / 2, rel=1e-12)


def test_few_cases_is_said_below_twenty(three, ct):
    assert "few-cases" in row_of(three)["note"]
    assert row_of(ct)["note"] == ""


@given(samples(least=1), st.sampled_from(INTERVALS), st.sampled_from([0.8, 0.95]))
def test_every_interval_is_inside_the_range_and_holds_the_estimate(data, interval, level):
    y, (score,) = data
    row = row_of(rs.Study(y, score), interval=interval, confidence_level=level)
    assert 0 <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= 1
    assert row["ci_low"] < row["ci_high"]


@given(samples(), st.sampled_from(INTERVALS))
def test_exchanged_classes_and_negated_scores_mirror_the_interval(data, interval):
    y, (score,) = data
    row = row_of(rs.Study(y, score), interval=interval)
    mirrored = [rs.Study(1 - y, score)]
    # The exponential model of this interval is not symmetric in the direction of the scores.
    if interval != "hanley-mcneil-score":
        mirrored.append(rs.Study(y, -score))
    for study in mirrored:
        other = row_of(study, interval=interval)
        assert other["estimate"] == pytest.approx(1 - row["estimate"], abs=1e-12)
        assert other["ci_low"] == pytest.approx(1 - row["ci_high"], abs=1e-9)
        assert other["ci_high"] == pytest.approx(1 - row["ci_low"], abs=1e-9)
        assert other["se"] == pytest.approx(row["se"], abs=1e-12, nan_ok=True)


def test_draws_do_not_depend_on_who_else_is_asked(three):
    alone = rs.Study(examples.Y, {"d1": examples.D1}).auc(interval="percentile", rng=5)
    together = three.auc(interval="percentile", rng=5)
    assert together["ci_low"][0] == alone["ci_low"][0]
    assert row_of(three)["n_resamples"] == 0


def test_percentile_limits_are_those_of_the_draws(three):
    row = three.auc(interval="percentile", n_resamples=1999, rng=3).iloc[1]
    draws = three.auc_draws(n_resamples=1999, rng=3)
    of_d2 = np.sort(draws.loc[draws["predictor"] == "d2", "estimate"])
    assert len(of_d2) == 1999
    assert (row["ci_low"], row["ci_high"]) == (of_d2[49], of_d2[1949])
    assert row["se"] == pytest.approx(np.sqrt(0.01041418650794), abs=1e-12)


def test_draws_of_groups_and_of_clusters(patients):
    study = rs.Study(
        "outcome", ["a", "b"], data=patients, pos_label="Poor", group="site", cluster="patient"
    )
    draws = study.auc_draws(n_resamples=150, rng=1)
    assert draws.groupby(["group", "predictor"]).size().tolist() == [150] * 4
    assert draws["estimate"].between(0, 1).all()
    row = study.auc(interval="percentile", n_resamples=150, rng=1).iloc[3]
    assert row["ci_low"] in draws["estimate"].tolist()
    assert row["method"] == "obuchowski/percentile"


def test_a_group_without_a_class_has_no_draws():
    study = rs.Study([1, 1, 0, 0, 1], [3, 2, 1, 2, 0], group=["u", "u", "u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        draws = study.auc_draws(n_resamples=100, rng=1)
    assert set(draws["group"]) == {"u"}


def test_weights_have_a_percentile_interval():
    weight = np.linspace(0.5, 2, 18)
    study = rs.Study(examples.Y, examples.D1, sample_weight=weight)
    row = row_of(study, interval="percentile", rng=1, null_value=0.5)
    draws = study.auc_draws(rng=1)["estimate"]
    assert row["estimate"] == study.auc()["estimate"][0]
    assert row["se"] == pytest.approx(draws.std())
    assert 0.5 < row["ci_low"] < row["estimate"] < row["ci_high"] <= 1
    assert row["p_value"] < 0.05
    assert row["method"] == "resamples/percentile"


@pytest.mark.parametrize(
    "roles", [{}, {"cluster": np.arange(60) // 3}, {"fold": np.arange(60) % 2}]
)
def test_weighted_limits_are_percentiles_of_scikit_learns_areas_of_the_cases_drawn(rng, roles):
    y, weight = np.arange(60) % 5 < 2, rng.uniform(0.2, 3, 60)
    score = np.round(rng.normal(size=60) + y, 1)
    study = rs.Study(y, score, sample_weight=weight, **roles)
    row = row_of(study, interval="percentile", n_resamples=199, rng=3)
    cases, plan = study.cases, ResamplePlan(199, 3).at(0).at(0)
    drawn = draw_weights(plan.streams(2), cases, 199, stratified="cluster" not in roles)
    rows = [np.flatnonzero(roles["fold"] == v) for v in (0, 1)] if "fold" in roles else [slice(60)]
    areas = [
        np.mean([roc_auc_score(y[one], score[one], sample_weight=w[one]) for one in rows])
        for w in drawn
    ]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(np.sort(areas)[[4, -5]].tolist())
    assert row["se"] == pytest.approx(np.std(areas, ddof=1))


def test_a_single_weighted_case_of_a_class_has_no_resampled_variance():
    y, score = [1] + [0] * 9, [5.5, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    plain = row_of(rs.Study(y, score), interval="percentile", rng=1)
    weighted = rs.Study(y, score, sample_weight=np.full(10, 2.0))
    row = row_of(weighted, interval="percentile", rng=1)
    assert (row["method"], row["n_resamples"]) == ("resamples/newcombe", 0)
    assert "single-case" in row["note"]
    assert row["ci_low"] == pytest.approx(plain["ci_low"])
    # A second positive of weight 0 is no second case.
    weight = [2.0] * 10 + [0.0]
    more = rs.Study([*y, 1], [*score, 2.5], sample_weight=weight)
    assert row_of(more, interval="percentile", rng=1)["ci_high"] == pytest.approx(plain["ci_high"])


def test_weights_near_an_area_of_one_keep_a_wide_interval():
    # Of weights 1 and 9 there are (5 + 45)^2/(5 + 405) = 6.1 effective cases of a class of ten.
    y, weight = np.repeat([1, 0], 10), np.tile([1.0, 9.0], 10)
    row = row_of(
        rs.Study(y, np.arange(20)[::-1], sample_weight=weight), interval="percentile", rng=1
    )
    m = 2500 / 410
    limits = NEWCOMBE_LIMITS.limit(Area(1.0, 0.0, np.inf, m, m, m), -1.959963984540054)
    assert row["ci_low"] == pytest.approx(float(limits))
    assert row["ci_high"] == 1
    assert "auc-at-boundary" in row["note"]


def test_the_note_on_weights_says_what_gives_limits():
    study = rs.Study(examples.Y, examples.D1, sample_weight=np.ones(18))
    with pytest.warns(
        rs.StatisticalWarning, match=r"auc\(interval='percentile', rng=1\) resamples"
    ):
        study.auc()


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_resampling_does_not_rescue_a_perfect_area(interval):
    y, score = [1] * 10 + [0] * 10, np.arange(20)[::-1]
    row = row_of(rs.Study(y, score), interval=interval, rng=1)
    assert row["ci_low"] == pytest.approx(0.8002136, abs=5e-8)
    assert row["method"] == "delong/newcombe"
    weighted = rs.Study(y, score, sample_weight=np.full(20, 3.0))
    assert row_of(weighted, interval="percentile", rng=1)["ci_low"] == pytest.approx(row["ci_low"])


def test_unstratified_resamples_are_wider_or_equal_in_law(three):
    study = rs.Study([1, 0, 0, 0, 0, 1], [2.5, 1, 2, 3, 0, 4])
    with pytest.warns(rs.StatisticalWarning):
        row = row_of(study, interval="percentile", stratified=False, rng=1)
    assert row["note"].split("; ")[0].startswith("resamples-redrawn=")


def test_clusters_are_not_stratified():
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.raises(rs.InputError, match="`stratified` must not be True when the study has"):
        study.auc(interval="percentile", stratified=True)
    with pytest.raises(rs.InputError, match="`stratified` must not be True when the study has"):
        study.auc_draws(stratified=True)


def test_bca_needs_unweighted_cases():
    study = rs.Study(examples.Y, examples.D1, sample_weight=np.ones(18))
    with pytest.raises(rs.InputError, match="`interval` must be 'percentile' when the study has w"):
        study.auc(interval="bca")


def test_bca_covers_at_least_as_the_method_text_says():
    # docs/methods/area-intervals.md, "Coverage of one area": BCa at 20/20, AUC .9 covers .963 and
    # percentile .923 (1500 replicates)
    rng, hits = np.random.default_rng(11), np.zeros(2)
    y, shift = np.repeat([1, 0], 20), np.sqrt(2) * 1.2815515655446004
    for _ in range(200):
        study = rs.Study(y, rng.normal(size=40) + shift * y)
        for i, interval in enumerate(("bca", "percentile")):
            row = row_of(study, interval=interval, n_resamples=500, rng=int(rng.integers(2**40)))
            hits[i] += row["ci_low"] <= 0.9 <= row["ci_high"]
    assert hits[0] / 200 == pytest.approx(0.963, abs=4 * np.sqrt(0.963 * 0.037 / 200))
    assert hits[1] / 200 == pytest.approx(0.923, abs=4 * np.sqrt(0.923 * 0.077 / 200))


RNG = np.random.default_rng(20)

N = 40

Y = np.arange(N) % 2

SCORES = {
    "continuous": RNG.standard_normal(N) + 0.7 * Y,
    "tied": RNG.integers(0, 4, N) + Y,
    "one score": np.ones(N),
    "area 1": Y + RNG.uniform(0, 0.5, N),
    "area 0": RNG.uniform(0, 0.5, N) - Y,
    "far below": RNG.standard_normal(N) - 1.5 * Y,
    "signed zeros": np.where(RNG.uniform(size=N) < 0.5, -0.0, 0.0) + (RNG.uniform(size=N) < 0.2),
    "infinite": np.where(RNG.uniform(size=N) < 0.3, np.inf * (Y - 0.5), RNG.standard_normal(N)),
    "wide": np.repeat([5e-324, 1e-308, 3.0, 1e308], N // 4) * RNG.permutation(np.tile([1, -1], 20)),
    "around": np.where(Y == 1, 0.0, np.tile([-1.0, -1.0, 1.0, 1.0], N // 4)),
    "least": RNG.integers(-2, 3, N) * 5e-324,
}


def one_by_one(y, scores, roles, options):
    def own(name):
        mine = dict(roles)
        if isinstance(mine.get("higher_is_positive"), dict):
            mine["higher_is_positive"] = mine["higher_is_positive"].get(name, True)
        return rs.Study(y, {name: scores[name]}, **mine).auc(**options)

    return [own(name) for name in scores]


def agree(y, scores, roles=(), **options):
    """Assert that a study of all predictors says what studies of each say, in any container."""
    roles = dict(roles)
    with warnings.catch_warnings(record=True) as alone:
        warnings.simplefilter("always")
        frames = one_by_one(y, scores, roles, options)
    expected = pd.concat(frames, ignore_index=True)
    if "group" in expected:
        order = expected["group"].map(frames[0]["group"].tolist().index)
        expected = expected.loc[order.argsort(kind="stable")].reset_index(drop=True)
    frame = pd.DataFrame(scores)
    named = {**roles, "predictor": list(scores)}
    for given_as, more in ((scores, roles), (frame, roles), (frame.to_numpy(), named)):
        with warnings.catch_warnings(record=True) as together:
            warnings.simplefilter("always")
            found = rs.Study(y, given_as, **more).auc(**options)
        plain = pd.DataFrame(found), pd.DataFrame(expected)
        pd.testing.assert_frame_equal(*plain, rtol=1e-12, atol=1e-14)
        assert {str(w.message) for w in together} == {str(w.message) for w in alone}
        assert len(together) == len({str(w.message) for w in together})
        mine, theirs = (dict(f.attrs["rocstats"]) for f in (found, frames[0]))
        assert mine.pop("predictors") == list(scores)
        theirs.pop("predictors")
        assert mine == theirs


ROLES = {
    "none": {},
    "folds": {"fold": np.repeat([1, 2], N // 2)},
    "groups": {"group": np.repeat(["b", "a"], N // 2)},
    "groups and folds": {
        "group": np.repeat(["b", "a"], N // 2),
        "fold": np.tile(np.repeat([1, 2], 5), 4),
    },
    "a group of one class": {"group": np.where(Y == 1, np.repeat(["b", "a"], N // 2), "b")},
    "clusters": {"cluster": np.arange(N) // 3},
    "frequencies": {"frequency": RNG.integers(1, 4, N)},
    "weights": {"sample_weight": RNG.uniform(1, 2, N)},
    "lower": {"higher_is_positive": False},
    "mixed directions": {"higher_is_positive": {"tied": False, "area 0": False}},
}


@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
def test_every_role(roles):
    interval = {"interval": "percentile", "rng": 1} if "sample_weight" in roles else {}
    several = {name: SCORES[name] for name in list(SCORES)[:4]} if interval else SCORES
    if interval:  # draws are keyed by the place of a predictor: estimates alone agree
        several_study = rs.Study(Y, several, **roles)
        alone = one_by_one(Y, several, roles, interval)
        found = several_study.auc(**interval, n_resamples=100)
        assert found["estimate"].tolist() == [frame["estimate"][0] for frame in alone]
        return
    agree(Y, several, roles)


OPTIONS = [
    {"interval": interval, "alternative": alternative, "null_value": 0.6, "confidence_level": 0.9}
    for interval, alternative in (
        ("logit-t", "two-sided"),
        ("logit-t", "greater"),
        ("logit", "less"),
        ("wald", "two-sided"),
        ("probit", "greater"),
        ("newcombe", "two-sided"),
        ("effective-wilson", "less"),
        ("exact", "two-sided"),
    )
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o['interval']}-{o['alternative']}")
def test_every_interval(options):
    agree(Y, SCORES, **options)


@pytest.mark.parametrize("level", [1e-6, 1 - 1e-15])
def test_extreme_levels(level):
    agree(Y, SCORES, confidence_level=level)


@pytest.mark.parametrize("variance", ["hanley-mcneil", "unbiased"])
def test_other_variances(variance):
    agree(Y, SCORES, variance=variance)


def test_partial_areas():
    agree(Y, {name: SCORES[name] for name in list(SCORES)[:5]}, fpr_range=(0, 0.3))


@pytest.mark.parametrize("n_pos", [1, 2])
def test_a_class_of_one_or_two(n_pos):
    agree((np.arange(N) < n_pos).astype(int), SCORES)


def test_missing_scores():
    holed = {name: np.array(score, dtype=float) for name, score in SCORES.items()}
    holed["tied"][3], holed["wide"][7] = np.nan, np.nan
    with pytest.raises(InputError, match=r"got 1 of 'tied' \(row 3\)"):
        rs.Study(Y, holed)
    kept = np.delete(np.arange(N), [3, 7])
    whole = {name: score[kept] for name, score in holed.items()}
    found = rs.Study(Y, holed, nan_policy="omit").auc()
    expected = pd.concat(one_by_one(Y[kept], whole, {}, {}), ignore_index=True)
    assert found["note"].str.contains("rows-dropped=2").all()
    numbers = [name for name in expected if name != "note"]
    pd.testing.assert_frame_equal(
        pd.DataFrame(found)[numbers], expected[numbers], rtol=1e-12, atol=1e-14
    )
    agree(Y, holed, {"nan_policy": "available"})


values = st.one_of(
    st.integers(-2, 2).map(float),
    st.floats(allow_nan=False),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.5e308, np.inf, -np.inf]),
)


@given(st.data())
def test_any_scores(data):
    n = data.draw(st.integers(2, 9))
    y = [0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    rows = data.draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=4, max_size=5))
    scores = {f"s{k}": np.array(r) for k, r in enumerate(rows)}
    found = rs.Study(y, scores).auc()
    for k, score in enumerate(scores.values()):
        # All pairs, ties half: the definition.
        pos, neg = (score[np.array(y) == label] for label in (1, 0))
        above = pos[:, np.newaxis] > neg
        placed = above + (pos[:, np.newaxis] == neg) / 2
        assert found["estimate"][k] == pytest.approx(placed.mean(), abs=1e-14)
        m, n_neg = placed.shape
        if min(m, n_neg) > 1:
            variance = placed.mean(1).var(ddof=1) / m + placed.mean(0).var(ddof=1) / n_neg
            assert found["se"][k] ** 2 == pytest.approx(variance, rel=1e-12, abs=1e-15)
        else:
            assert np.isnan(found["se"][k])
