"""Operating points: counts by hand, intervals of the medical text, clusters, edges."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.bars import cluster_units
from rocstats.estimate.rates import StudyPrevalence
from rocstats.inference.points.options import POINT_INTERVALS
from tests import examples
from tests.quick import each
from tests.strategies import samples

HALF = 5e-11
AXES = ["tpr", "fpr", "tnr"]


@pytest.fixture
def worked():
    return rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)


# docs/methods/points.md, "Worked table", checked against epiR
@pytest.mark.parametrize(
    ("quantity", "interval", "estimate", "low", "high"),
    [
        ("tpr", "clopper-pearson", 0.9005376344, 0.8767461768, 0.9210922996),
        ("tpr", "wilson", 0.9005376344, 0.8769319125, 0.9200284498),
        ("tpr", "agresti-coull", 0.9005376344, 0.8768344136, 0.9201259487),
        ("tpr", "jeffreys", 0.9005376344, 0.8774797786, 0.9204873175),
        ("tpr", "wald", 0.9005376344, 0.8790325105, 0.9220427583),
        ("tnr", "clopper-pearson", 0.7600950119, 0.7297764632, 0.7885803246),
        ("tnr", "wilson", 0.7600950119, 0.7301117625, 0.7877157753),
    ],
)
def test_worked_intervals(worked, quantity, interval, estimate, low, high):
    frame = worked.operating_points(threshold=1, interval=interval)
    row = frame[frame["quantity"] == quantity].iloc[0]
    found = row[["estimate", "ci_low", "ci_high"]].tolist()
    assert found == pytest.approx([estimate, low, high], abs=HALF)
    assert row["method"] == f"binomial/{interval}"


# docs/methods/chance.md, "Worked point": TP = 14, FN = 6, FP = 8, TN = 22
def test_worked_wilson_on_both_axes():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    frame = study.operating_points(threshold=1).set_index("quantity")
    limits = frame[["ci_low", "ci_high"]]
    assert limits.loc["tpr"].tolist() == pytest.approx([0.4810272, 0.8545228], abs=5e-8)
    assert limits.loc["fpr"].tolist() == pytest.approx([0.1418266, 0.4444796], abs=5e-8)
    exact = study.operating_points(threshold=1, interval="clopper-pearson")
    assert exact.loc[0, ["ci_low", "ci_high"]].tolist() == pytest.approx(
        [0.4572108, 0.8810684], abs=5e-8
    )


@given(samples(least=1), st.lists(st.sampled_from([-1, 0, 2.5, 5, 20, np.inf]), min_size=1))
def test_counts_are_by_hand(data, thresholds):
    y, (score,) = data
    frame = rs.Study(y, score).operating_points(threshold=thresholds, quantities=AXES)
    assert frame["quantity"].tolist() == ["tpr", "fpr", "tnr"] * len(thresholds)
    for i, cut in enumerate(thresholds):
        rows = frame.iloc[3 * i : 3 * i + 3]
        tp, fp = ((score >= cut) & (y == 1)).sum(), ((score >= cut) & (y == 0)).sum()
        m, n = y.sum(), (y == 0).sum()
        assert rows["estimate"].tolist() == pytest.approx([tp / m, fp / n, (n - fp) / n])
        for name, value in (("tp", tp), ("fp", fp), ("tpr", tp / m), ("fpr", fp / n)):
            assert rows[name].tolist() == pytest.approx([value] * 3)
        assert rows["n_effective"].tolist() == [m, n, n]
    assert (frame["ci_low"] < frame["ci_high"]).all()
    assert frame[["ci_low", "ci_high"]].stack().between(0, 1).all()


def test_the_columns_say_where_the_point_is(three):
    frame = three.operating_points(threshold={"d1": [0.6, 0.4], "d3": 0.5}, quantities=AXES)
    assert frame["predictor"].tolist() == ["d1"] * 6 + ["d3"] * 3
    assert frame["threshold"].tolist() == [0.6] * 3 + [0.4] * 3 + [0.5] * 3
    assert set(frame["reading"]) == {"threshold"}
    assert set(frame["direction"]) == {">="}
    assert frame["prevalence"].isna().all()
    assert set(frame["n_resamples"]) == {0}


@pytest.mark.parametrize("interval", POINT_INTERVALS)
def test_ends_of_the_curve_are_honest(three, interval):
    asked = {"interval": interval, "quantities": AXES}
    frame = three.operating_points(threshold={"d1": [np.inf, -1]}, **asked)
    estimates = frame["estimate"].tolist()
    assert estimates == [0, 0, 1, 1, 1, 0]
    width = frame["ci_high"] - frame["ci_low"]
    assert (width > 0.1).all()
    zero = frame["estimate"] == 0
    assert set(frame.loc[zero, "ci_low"]) == {0}
    assert set(frame.loc[~zero, "ci_high"]) == {1}
    if interval == "wald":
        assert set(frame["method"]) == {"binomial/wilson"}
        assert frame["note"].str.startswith("no-width").all()
    elif interval == "percentile":
        assert set(frame["method"]) == {"effective/wilson"}
        assert frame["note"].str.startswith("rate-at-boundary").all()
    else:
        assert set(frame["method"]) == {f"binomial/{interval}"}


def test_joint_rectangles_are_at_sidaks_level(worked):
    joint = worked.operating_points(threshold=1, joint=True, confidence_level=0.9)
    asked = {"quantities": ["tpr", "tnr", "fpr", "fnr"], "confidence_level": np.sqrt(0.9)}
    single = worked.operating_points(threshold=1, **asked)
    assert joint[["ci_low", "ci_high"]].equals(single[["ci_low", "ci_high"]])
    assert joint["confidence_level"].to_numpy() == pytest.approx(np.sqrt(0.9))
    assert set(joint["note"]) == {"joint-level=0.9"}


@given(st.integers(1, 30), st.integers(0, 29), st.sampled_from(POINT_INTERVALS))
def test_specificity_mirrors_the_false_positive_rate(tn, fp, interval):
    study = rs.Study.from_confusion(tp=3, fn=2, fp=fp, tn=tn)
    frame = study.operating_points(threshold=1, interval=interval).set_index("quantity")
    fpr, tnr = frame.loc["fpr"], frame.loc["tnr"]
    assert tnr["estimate"] == pytest.approx(1 - fpr["estimate"], abs=1e-15)
    assert tnr["ci_low"] == pytest.approx(1 - fpr["ci_high"], abs=1e-9)
    assert tnr["ci_high"] == pytest.approx(1 - fpr["ci_low"], abs=1e-9)


def test_frequencies_are_repeated_rows_with_clusters_or_without():
    times = np.arange(18) % 3 + 1
    asked = {"threshold": [0.3, 0.6]}
    for cluster in (None, examples.D1_CLUSTERS):
        role = {} if cluster is None else {"cluster": cluster}
        again = {} if cluster is None else {"cluster": np.repeat(cluster, times)}
        grouped = rs.Study(examples.Y, examples.D1, frequency=times, **role)
        each = rs.Study(np.repeat(examples.Y, times), np.repeat(examples.D1, times), **again)
        one, two = grouped.operating_points(**asked), each.operating_points(**asked)
        numbers = one.select_dtypes("number").columns
        np.testing.assert_allclose(one[numbers], two[numbers], rtol=1e-12)


def ratio(called, cluster):
    """docs/methods/points.md, "Clustered rates": p, its variance, the number of clusters."""
    labels = np.unique(cluster)
    x = np.array([called[cluster == label].sum() for label in labels])
    n = np.array([(cluster == label).sum() for label in labels])
    p, size = x.sum() / n.sum(), len(labels)
    return p, size / (size - 1) * np.sum((x - p * n) ** 2) / n.sum() ** 2, size


def test_clustered_rates_have_the_ratio_estimator():
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    frame = study.operating_points(threshold=0.6).set_index("quantity")
    positive = examples.Y == 1
    for quantity, own in (("tpr", positive), ("fpr", ~positive)):
        p, variance, _ = ratio(examples.D1[own] >= 0.6, examples.D1_CLUSTERS[own])
        row = frame.loc[quantity]
        assert row["estimate"] == pytest.approx(p)
        assert row["se"] == pytest.approx(np.sqrt(variance))
        sizes = np.unique(examples.D1_CLUSTERS[own], return_counts=True)[1]
        expected = p * (1 - p) / variance * korn_graubard(sizes)
        assert row["n_effective"] == pytest.approx(expected)
        assert row["method"] == "clusters/wilson"
        assert row["note"] == "few-clusters"


def korn_graubard(sizes):
    """The share of an effective sample size by the degrees of freedom of unequal clusters."""
    equal = (sizes**2).sum() ** 2 / (sizes**4).sum()
    few, many = examples.t_quantile(0.975, np.array([max(equal - 1, 1), len(sizes) - 1]))
    return (many / few) ** 2


def rated_patients():
    """40 patients of 3 lesions; how readily a patient's lesions are called varies, so r > 0."""
    draw = np.random.default_rng(5)
    patient = np.repeat(np.arange(40), 3)
    y = np.tile([1, 0, 0, 1, 1, 0], 20)
    return y, draw.normal(size=120) + y + 1.5 * draw.normal(size=40)[patient], patient


def clustered_wilson(p, n_eff, z=1.959963984540054):
    centre, root = p + z**2 / (2 * n_eff), np.sqrt(p * (1 - p) / n_eff + z**2 / (4 * n_eff**2))
    return [(centre + sign * z * root) / (1 + z**2 / n_eff) for sign in (-1, 1)]


@pytest.mark.parametrize(
    ("quantity", "rates", "scale"),
    [
        ("lr_positive", ("tpr", "fpr"), np.log),
        ("lr_negative", ("fnr", "tnr"), np.log),
        ("odds_ratio", ("tpr", "fpr"), lambda p: np.log(p / (1 - p))),
    ],
)
def test_clustered_ratios_are_brute_force_mover_with_the_correlation_of_the_rates(
    quantity, rates, scale
):
    y, score, patient = rated_patients()
    called = {"tpr": score >= 1, "fpr": score >= 1, "fnr": score < 1, "tnr": score < 1}
    sums, logs = [], []
    for name, own in zip(rates, (y == 1, y == 0), strict=True):
        p, variance, _ = ratio(called[name][own], patient[own])
        residual = np.where(own, called[name] - p, 0.0) / own.sum()
        sums.append(np.bincount(patient, residual))
        sizes = np.unique(patient[own], return_counts=True)[1]
        n_eff = p * (1 - p) / variance * korn_graubard(sizes)
        logs.append((variance, *scale(np.array([p, *clustered_wilson(p, n_eff)]))))
    (v1, p1, l1, u1), (v2, p2, l2, u2) = logs
    r = 40 / 39 * (sums[0] @ sums[1]) / np.sqrt(v1 * v2)
    assert r > 0.2  # so that its sign decides
    below = np.sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2 - 2 * r * (p1 - l1) * (u2 - p2))
    above = np.sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2 - 2 * r * (u1 - p1) * (p2 - l2))
    row = rs.Study(y, score, cluster=patient).operating_points(threshold=1, quantities=quantity)
    row = row.iloc[0]
    assert row["estimate"] == pytest.approx(np.exp(p1 - p2))
    expected = np.exp([p1 - p2 - below, p1 - p2 + above])
    assert [row["ci_low"], row["ci_high"]] == pytest.approx(expected, rel=1e-9)


def test_clusters_of_copies_are_one_case_each():
    copies = rs.Study(
        np.repeat(examples.Y, 3), np.repeat(examples.D1, 3), cluster=np.repeat(np.arange(18), 3)
    )
    frame = copies.operating_points(threshold=0.6, quantities=AXES)
    # m/(m - 1) times p(1 - p)/m: one case less than there are
    assert frame["n_effective"].tolist() == pytest.approx([7, 9, 9])
    perfect = copies.operating_points(threshold=-1, quantities=AXES)
    assert perfect["n_effective"].tolist() == [8, 10, 10]
    assert (perfect["ci_high"] > perfect["ci_low"]).all()
    assert perfect["note"].str.startswith("no-width").all()


@pytest.mark.parametrize("n_clusters", [3, 8])
def test_clusters_of_one_prevalence_count_once_each_in_its_limits(n_clusters):
    # Each patient has a positive and a negative: the share does not vary between them.
    study = rs.Study(
        np.tile([1, 0], n_clusters),
        np.tile([2.0, 1, 3, 1, 2, 2], n_clusters)[: 2 * n_clusters],
        cluster=np.repeat(np.arange(n_clusters), 2),
    )
    frame = study.operating_points(fpr=0.5, quantities=["ppv", "npv"], n_resamples=100, rng=1)
    assert frame[["ci_low", "ci_high"]].notna().all(axis=None)
    units = cluster_units(np.full((1, n_clusters), 2.0))
    share = StudyPrevalence(0.5, 0.0, units).term(0.95)
    limits = float(share.low[0]), float(share.high[0])
    assert limits == pytest.approx(clustered_wilson(0.5, n_clusters))


def test_a_group_without_weight_has_no_prevalence():
    study = rs.Study(
        [1, 0, 1, 0], [2, 1, 2, 1], group=["x", "x", "y", "y"], sample_weight=[1, 1, 0, 0]
    )
    frame = study.operating_points(fpr=0.5, quantities="ppv")
    assert np.isnan(frame["estimate"][1])


def test_one_cluster_has_a_wide_interval_and_no_standard_error():
    study = rs.Study([1, 1, 0, 0, 0], [3, 1, 2, 0, 1], cluster=["p", "p", "q", "r", "r"])
    row = study.operating_points(threshold=2).iloc[0]
    assert np.isnan(row["se"])
    assert row["n_effective"] == 1
    assert row["ci_high"] - row["ci_low"] > 0.7


def test_weights_leave_the_estimate():
    study = rs.Study(examples.Y, examples.D1, sample_weight=np.linspace(1, 2, 18))
    frame = study.operating_points(threshold=0.6)
    positive = examples.Y == 1
    weight = np.linspace(1, 2, 18)
    expected = weight[positive & (examples.D1 >= 0.6)].sum() / weight[positive].sum()
    assert frame["estimate"][0] == pytest.approx(expected)
    assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
    assert set(frame["note"]) == {"weights-need-bootstrap"}


def test_folds_are_pooled_and_groups_apart():
    fold = np.arange(18) % 2
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = rs.Study(examples.Y, examples.D1, fold=fold).operating_points(threshold=0.6)
    plain = rs.Study(examples.Y, examples.D1).operating_points(threshold=0.6)
    assert frame.drop(columns="note").equals(plain.drop(columns="note"))
    grouped = rs.Study([1, 0, 1], [3, 1, 2], group=["x", "x", "y"])
    grouped = grouped.operating_points(threshold=2, quantities=AXES)
    lacking = grouped[grouped["group"] == "y"].set_index("quantity")
    assert lacking.loc["tpr", "estimate"] == 1
    assert lacking.loc[["fpr", "tnr"], ["estimate", "ci_low", "ci_high"]].isna().all(axis=None)
    assert set(lacking["note"]) == {"one-class"}
    assert lacking.loc["fpr", "method"] == "none/none"


@pytest.mark.parametrize("roles", [{}, {"sample_weight": [1, 1, 1, 2]}])
def test_without_negatives_predictive_values_say_nothing_of_a_test_but_in_a_cohort(roles):
    """Any test has a positive predictive value of 1 there; a cohort has observed it."""
    study = rs.Study([1, 0, 1, 1], [3, 1, 2, 0], group=["x", "x", "y", "y"], **roles)

    def lacking(**options):
        asked = {"threshold": 1, "quantities": ["tpr", "ppv", "npv", "accuracy", "f1", "mcc"]}
        frame = study.operating_points(**asked, **options)
        return frame[frame["group"] == "y"].set_index("quantity")

    plain = lacking()
    assert plain["estimate"].isna().tolist() == [False, *[True] * 5]
    assert plain["note"].str.endswith("one-class").all()
    assert lacking(sampling="cohort")["estimate"].isna().tolist() == [*[False] * 5, True]
    chosen = lacking(sampling="case-control").drop(index="tpr")
    assert chosen["estimate"].isna().all()
    assert chosen["note"].str.contains("prevalence-needed").all()


# docs/methods/points.md, "Worked table" and "Worked predictive values at a prevalence"
@pytest.mark.parametrize(
    ("quantity", "arguments", "expected"),
    [
        ("ppv", {"interval": "clopper-pearson"}, (0.7683486239, 0.7388926274, 0.7959784292)),
        ("ppv", {}, (0.7683486239, 0.7392065056, 0.7951367768)),
        ("npv", {"interval": "clopper-pearson"}, (0.8963585434, 0.8716392863, 0.9177401747)),
        ("npv", {}, (0.8963585434, 0.8718400637, 0.9166348746)),
        ("accuracy", {"interval": "clopper-pearson"}, (0.8259773014, 0.8064048880, 0.8443346424)),
        ("accuracy", {}, (0.8259773014, 0.8065367853, 0.8438425303)),
        ("youden", {"interval": "wald"}, (0.6606326463, 0.6246547516, 0.6966105410)),
        ("youden", {}, (0.6606326463, 0.6224721255, 0.6944379485)),
        ("balanced_accuracy", {"interval": "wald"}, (0.8303163231, 0.8123273758, 0.8483052705)),
        ("lr_positive", {"ratio_interval": "log"}, (3.7537261791, 3.3206884355, 4.2432346488)),
        ("lr_negative", {"ratio_interval": "log"}, (0.1308551747, 0.1050643235, 0.1629770809)),
        ("odds_ratio", {"ratio_interval": "log"}, (28.6861118544, 21.5181916566, 38.2417364087)),
        ("ppv", {"prevalence": 0.05}, (0.1649719325, 0.1487717749, 0.1825578373)),
        ("npv", {"prevalence": 0.05}, (0.9931599934, 0.9914952108, 0.9945007082)),
        ("ppv", {"prevalence": 0.2}, (0.4841190019, 0.4536033004, 0.5147535924)),
        ("npv", {"prevalence": 0.2}, (0.9683224976, 0.9608508340, 0.9744061688)),
    ],
)
def test_worked_measures(worked, quantity, arguments, expected):
    row = worked.operating_points(threshold=1, quantities=[quantity], **arguments).iloc[0]
    assert row[["estimate", "ci_low", "ci_high"]].tolist() == pytest.approx(expected, abs=HALF)


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        ("lr_positive", (3.7537261791, 3.328172079, 4.251414458)),
        ("lr_negative", (0.1308551747, 0.104879794, 0.162473831)),
        ("odds_ratio", (28.6861118544, 21.527651974, 38.223120162)),
    ],
)
def test_worked_scores(worked, quantity, expected):
    row = worked.operating_points(threshold=1, quantities=[quantity]).iloc[0]
    assert row[["estimate", "ci_low", "ci_high"]].tolist() == pytest.approx(expected, abs=5e-10)


# docs/methods/chance.md, "Worked point"
def test_worked_youden():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    row = study.operating_points(threshold=1, quantities="youden").iloc[0]
    found = row[["estimate", "ci_low", "ci_high"]].tolist()
    assert found == pytest.approx([0.4333333, 0.1512579, 0.6319846], abs=5e-8)


def test_all_thresholds_are_the_vertices_of_the_curve(three):
    frame = three.operating_points(threshold="all", quantities=["tpr", "youden"])
    curve = three.roc_curve()
    assert len(frame) == 2 * len(curve)
    for name in ("predictor", "direction"):
        assert frame[name].tolist() == curve[name].repeat(2).tolist()
    for name in ("threshold", "next_score", "fpr", "tpr", "fp", "tp"):
        np.testing.assert_array_equal(frame[name], curve[name].repeat(2))
    one = three.operating_points(threshold={"d2": [0.49]}, sampling="cohort")
    every = three.operating_points(threshold="all", sampling="cohort")
    same = every[(every["predictor"] == "d2") & (every["threshold"] == 0.49)]
    assert one["next_score"].isna().all()  # a threshold that was given is printed as it is
    numbers = one.select_dtypes("number").columns.drop("next_score")
    np.testing.assert_allclose(same[numbers], one[numbers], rtol=1e-12)
    assert same["note"].tolist() == one["note"].tolist()


def test_prevalence_of_the_study_is_noted_unless_it_is_a_cohort(worked):
    with warnings.catch_warnings():  # a remark, not a doubt
        warnings.simplefilter("error")
        unsaid = worked.operating_points(threshold=1).set_index("quantity")
    cohort = worked.operating_points(threshold=1, sampling="cohort").set_index("quantity")
    of_prevalence = ["ppv", "npv", "accuracy", "f1", "mcc"]
    assert (unsaid.loc[of_prevalence, "note"] == "study-prevalence").all()
    assert (unsaid["note"] == "study-prevalence").sum() == 5
    assert (cohort["note"] == "").all()
    numbers = cohort.select_dtypes("number").columns
    assert unsaid[numbers].equals(cohort[numbers])
    assert cohort.loc[of_prevalence, "prevalence"].tolist() == [744 / 1586] * 5
    assert cohort.drop(index=of_prevalence)["prevalence"].isna().all()
    chosen = worked.operating_points(threshold=1, sampling="case-control").set_index("quantity")
    lost = chosen.loc[of_prevalence]
    assert lost[["prevalence", "estimate", "se", "ci_low", "ci_high"]].isna().all(axis=None)
    assert (lost["note"] == "prevalence-needed").all()
    assert (lost["method"] == "none/none").all()
    given = worked.operating_points(threshold=1, sampling="case-control", prevalence=0.1)
    assert given["estimate"].notna().all()
    assert (given["note"] == "").all()


def test_each_prevalence_has_a_row(worked):
    asked = {"quantities": ["tpr", "ppv", "mcc"], "prevalence": [0.05, 0.2]}
    frame = worked.operating_points(threshold=[1, 0], **asked)
    assert frame["quantity"].tolist() == ["tpr", "ppv", "ppv", "mcc", "mcc"] * 2
    shares = [np.nan, 0.05, 0.2, 0.05, 0.2] * 2
    np.testing.assert_array_equal(frame["prevalence"], shares)


def test_agreement_with_an_imperfect_standard_has_the_same_numbers(worked):
    asked = {"threshold": 1, "sampling": "cohort"}
    agreement = worked.operating_points(reference_standard="imperfect", **asked)
    assert agreement["quantity"].tolist() == ["ppa", "npa", "overall_agreement"]
    rates = worked.operating_points(quantities=["tpr", "tnr", "accuracy"], **asked)
    assert agreement.drop(columns="quantity").equals(rates.drop(columns="quantity"))


def test_points_at_a_false_positive_rate_are_those_of_one_average():
    study = rs.Study(examples.Y, examples.D3)  # tied across classes: resampled
    points = study.operating_points(fpr=[0.1, 0.25, 0.5], quantities="tpr", rng=3)
    one_fold = rs.Study(examples.Y, examples.D3, fold=np.ones(18))
    average = one_fold.roc_average(at=[0.1, 0.25, 0.5], bars="effective", rng=3)
    same = ["estimate", "se", "ci_low", "ci_high", "n_effective"]
    np.testing.assert_allclose(points[same], average[same], rtol=1e-12)
    assert points.attrs["rocstats"]["seed"] == 3
    assert set(points["n_resamples"]) == {2000}
    assert points["fpr"].tolist() == [0.1, 0.25, 0.5]


def untied(rng, m=40, n=60):
    y = np.repeat([1, 0], [m, n])
    return y, rng.permutation(m + n) + 25.0 * y + np.linspace(0, 0.5, m + n)


def test_a_true_positive_rate_is_a_false_one_of_the_mirror(rng):
    y, score = untied(rng)
    asked = {"quantities": ["tpr", "tnr", "fpr", "fnr", "youden", "odds_ratio"]}
    given = rs.Study(y, score).operating_points(tpr=[0.6, 0.83], **asked)
    mirror = rs.Study(1 - y, score, higher_is_positive=False)
    other = mirror.operating_points(fpr=[1 - 0.6, 1 - 0.83], **asked)
    swapped = {"tpr": "tnr", "tnr": "tpr", "fpr": "fnr", "fnr": "fpr"}
    names = [swapped.get(name, name) for name in given["quantity"]]
    for i, name in enumerate(names):
        row = other.iloc[6 * (i // 6) : 6 * (i // 6) + 6].set_index("quantity").loc[name]
        for column in ("estimate", "se", "ci_low", "ci_high", "n_effective"):
            assert given.loc[i, column] == pytest.approx(row[column], nan_ok=True), (name, column)
    assert set(given["n_resamples"]) == {0}


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_limits_at_a_rate_are_the_extremes_of_the_measure(rng, axis):
    from rocstats.facts.measures import cells_at, measure

    y, score = untied(rng)
    frame = rs.Study(y, score).operating_points(**{axis: 0.3}, prevalence=0.15)
    read = "tpr" if axis == "fpr" else "fpr"
    rate = frame.set_index("quantity").loc[read]
    grid = np.linspace(rate["ci_low"], rate["ci_high"], 2001)
    for _, row in frame.iterrows():
        points = {axis: np.full(2001, 0.3), read: grid}
        values = measure(row["quantity"], cells_at(points["tpr"], points["fpr"], 0.15))
        if np.ptp(values) < 1e-12:
            assert row["note"].startswith("given-rate")
            assert np.isnan([row["se"], row["ci_low"], row["ci_high"]]).all()
            assert row["method"] == "given/none"
        else:
            limits = [values.min(), values.max()]
            assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits)


def test_interpolated_and_attained_readings():
    study = rs.Study([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 3, 1])
    # vertices (0, 0) (0, 1/3) (0, 2/3) (1/3, 2/3) (2/3, 1) (1, 1)
    asked = {"quantities": "tpr", "rng": 1}
    between = study.operating_points(fpr=[0, 0.2, 0.5], **asked)
    assert between["tpr"].tolist() == pytest.approx([2 / 3, 2 / 3, 5 / 6])
    assert between["threshold"].isna().tolist() == [False, True, True]
    assert between["tp"].tolist() == pytest.approx([2, 2, 2.5])
    attained = study.operating_points(fpr=[0, 0.2, 0.5], reading="attained", **asked)
    assert attained["fpr"].tolist() == pytest.approx([0, 0, 1 / 3])
    assert attained["threshold"].tolist() == [5, 5, 4]
    assert set(attained["reading"]) == {"attained"}
    asked["quantities"] = "fpr"
    between = study.operating_points(tpr=[1 / 3, 0.5, 0.9], **asked)
    assert between["fpr"].tolist() == pytest.approx([0, 0, 1 / 3 + 0.7 / 3])
    attained = study.operating_points(tpr=[1 / 3, 0.5, 0.9], reading="attained", **asked)
    assert attained["tpr"].tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert attained["threshold"].tolist() == [6, 5, 3]


def test_wilson_conditional_is_wilson_with_a_note(rng):
    y, score = untied(rng)
    study = rs.Study(y, score)
    asked = {"fpr": 0.2, "quantities": "tpr"}
    naive = study.operating_points(interval="wilson-conditional", **asked).iloc[0]
    at_cut = study.operating_points(
        threshold=study.operating_points(fpr=0.2, reading="attained")["threshold"][0],
        quantities="tpr",
    ).iloc[0]
    assert naive["ci_low"] == pytest.approx(at_cut["ci_low"])
    assert naive["note"] == "conditional-on-threshold"
    assert naive["method"] == "binomial/wilson-conditional"
    honest = study.operating_points(**asked).iloc[0]
    assert honest["ci_high"] - honest["ci_low"] > naive["ci_high"] - naive["ci_low"]
    assert honest["n_effective"] < naive["n_effective"] == 40


def test_rates_of_clusters_groups_weights_and_a_lacking_class(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    asked = {"fpr": [0.2, 0.6], "rng": 2, "n_resamples": 200}
    clustered = rs.Study("outcome", "a", cluster="patient", **arguments)
    frame = clustered.operating_points(**asked)
    assert frame["note"].str.contains("few-clusters").all()
    assert set(frame.loc[frame["quantity"] == "tpr", "method"]) == {"resamples/wilson-effective-n"}
    weighted = rs.Study("outcome", "a", sample_weight="n", **arguments).operating_points(**asked)
    assert weighted["estimate"].notna().all()
    assert weighted[["se", "ci_low", "ci_high"]].isna().all(axis=None)
    assert weighted["note"].str.startswith("weights-need-bootstrap").all()
    folded = rs.Study("outcome", "a", fold="part", **arguments).operating_points(**asked)
    plain = rs.Study("outcome", "a", **arguments).operating_points(**asked)
    assert folded.drop(columns="note").equals(plain.drop(columns="note"))
    assert folded["note"].str.contains("pooled-folds").all()
    lacking = rs.Study([1, 0, 1], [3, 1, 2], group=["x", "x", "y"]).operating_points(**asked)
    lacking = lacking[lacking["group"] == "y"]
    assert lacking[["estimate", "ci_low", "ci_high"]].isna().all(axis=None)
    assert set(lacking["note"]) == {"one-class"}
    assert lacking["fpr"].tolist() == [0.2] * 14 + [0.6] * 14


def test_frequencies_are_repeated_rows_at_rates():
    times = np.arange(18) % 3 + 1
    grouped = rs.Study(examples.Y, examples.D1, frequency=times)
    each = rs.Study(np.repeat(examples.Y, times), np.repeat(examples.D1, times))
    for asked in ({"fpr": 0.3}, {"tpr": 0.7}):
        one, two = (study.operating_points(rng=1, **asked) for study in (grouped, each))
        numbers = one.select_dtypes("number").columns
        np.testing.assert_allclose(one[numbers], two[numbers], rtol=1e-12)


def test_monotone_scores_have_the_same_rows_at_rates(rng):
    y, score = untied(rng)
    one = rs.Study(y, score).operating_points(fpr=[0.1, 0.4])
    two = rs.Study(y, np.exp(score / 20)).operating_points(fpr=[0.1, 0.4])
    scores = ["threshold", "next_score"]
    assert one.drop(columns=scores).equals(two.drop(columns=scores))


def test_a_rate_of_nought_leaves_ratios_without_limits(rng):
    y, score = untied(rng)
    frame = rs.Study(y, score).operating_points(fpr=0).set_index("quantity")
    assert frame.loc["lr_positive", "estimate"] == np.inf
    assert frame.loc["ppv", "estimate"] == 1
    for quantity in ("lr_positive", "odds_ratio", "ppv", "fpr"):
        assert frame.loc[quantity, "method"] == "given/none"
        assert frame.loc[quantity, ["ci_low", "ci_high"]].isna().all()
    assert frame.loc["tpr", "ci_low"] < frame.loc["tpr", "estimate"] < frame.loc["tpr", "ci_high"]


@each(
    ("arguments", "message"),
    [
        (
            {},
            "`threshold` must be given, or `fpr` or `tpr` instead, but only one of them; got none",
        ),
        ({"threshold": 1, "fpr": 0.1}, "only one of them; got threshold, fpr"),
        ({"threshold": {"d9": 1}}, r"`threshold` must name predictors; got \['d9'\]"),
        ({"threshold": {}}, "`threshold` must name predictors"),
        ({"threshold": "every"}, "`threshold` must be a number, or a sequence of numbers"),
        ({"fpr": 1.2}, r"`fpr` must be false positive rates in \[0, 1\]"),
        ({"tpr": [-0.1]}, r"`tpr` must be true positive rates in \[0, 1\]"),
        ({"fpr": {"d9": 0.1}}, "`fpr` must name predictors"),
        ({"threshold": 1, "quantities": ["auc"]}, "`quantities` must be some of tpr, tnr, fpr"),
        ({"threshold": 1, "quantities": []}, "`quantities` must be some of tpr"),
        ({"threshold": 1, "quantities": np.inf}, "`quantities` must be some of tpr"),
        ({"threshold": 1, "quantities": [["tpr"]]}, "`quantities` must be some of tpr"),
        ({"threshold": 1, "quantities": ["tpr", "tpr"]}, "`quantities` must be .* each once; got"),
        (
            {"threshold": 1, "quantities": ["youden"], "joint": True},
            "Simultaneous limits are offered for rates only",
        ),
        (
            {"threshold": 1, "quantities": ["tpr"], "reference_standard": "imperfect"},
            "some of ppa, npa, overall_agreement, each once; got .'tpr'.. Others have no meaning",
        ),
        ({"threshold": 1, "reference_standard": "none"}, "`reference_standard` must be one of"),
        ({"threshold": 1, "sampling": "random"}, "`sampling` must be one of"),
        ({"threshold": 1, "prevalence": 6}, "`prevalence` must be a number strictly between 0 and"),
        ({"threshold": 1, "prevalence": []}, "`prevalence` must be a number strictly"),
        ({"threshold": 1, "prevalence_cases": 20}, "`prevalence_cases` must stay None without"),
        *(
            ({"threshold": 1, "prevalence": 0.1, "prevalence_cases": n}, "number of cases >= 1")
            for n in (0, True)
        ),
        ({"threshold": 1, "ratio_interval": "wald"}, "`ratio_interval` must be one of 'score'"),
        ({"fpr": 0.1, "ratio_interval": "log"}, "`ratio_interval` must be left out at rates"),
        ({"threshold": 1, "interval": "exact"}, "`interval` must be one of None, 'wilson'"),
        ({"fpr": 0.1, "interval": "wilson"}, "`interval` must be one of None, 'wilson-effective"),
        ({"fpr": 0.1, "interval": "dkw"}, "`interval` must be one of None, 'wilson-effective"),
        ({"threshold": 1, "interval": "dkw", "joint": True}, "`joint` must stay False with"),
        (
            {"threshold": 1, "interval": "dkw", "ratio_interval": "log"},
            "`ratio_interval` must be left out with interval='dkw'",
        ),
        (
            {"threshold": 1, "interval": "dkw", "prevalence": 0.1, "prevalence_cases": 400},
            "`prevalence_cases` must be left out with interval='dkw'",
        ),
        ({"threshold": 1, "reading": "attained"}, "`reading` must be left out for thresholds"),
        ({"fpr": 0.1, "reading": "nearest"}, "`reading` must be one of"),
        ({"fpr": 0.1, "joint": True}, "`joint` must stay False with `fpr` or `tpr`"),
        ({"fpr": 0.1, "n_resamples": 5}, "`n_resamples` must be a whole number >= 100"),
        ({"threshold": 1, "confidence_level": 2}, "`confidence_level` must be a number strictly"),
    ],
)
def test_message(three, arguments, message):
    with pytest.raises(rs.InputError, match=message):
        three.operating_points(**arguments)


def test_clusters_refuse_what_ignores_them():
    study = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.raises(rs.InputError, match="`interval` must not be 'wilson-conditional' for a st"):
        study.operating_points(fpr=0.2, interval="wilson-conditional")
    with pytest.raises(rs.InputError, match="`ratio_interval` must be left out at rates"):
        study.operating_points(threshold=0.5, ratio_interval="log")


@pytest.mark.parametrize("unit", [2.0**-160, 2.0**160])
def test_measures_do_not_depend_on_the_unit_of_the_weights(unit):
    # Matthews' correlation is over the product of four margins, the largest number of all.
    score, weight = examples.D1, 1.0 + np.arange(18) % 3
    asked = {"threshold": [0.5, 0.7]}
    expected = rs.Study(examples.Y, score, sample_weight=weight).operating_points(**asked)
    found = rs.Study(examples.Y, score, sample_weight=weight * unit).operating_points(**asked)
    assert found["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy())


def test_a_predictor_without_cases_in_a_group_of_clusters_has_no_rates():
    y, score = np.tile([1, 0], 4), np.arange(8.0)
    study = rs.Study(
        y,
        {"a": score, "b": np.where(score < 4, score, np.nan)},
        cluster=np.arange(8) // 2,
        group=np.repeat(["g", "h"], 4),
        nan_policy="available",
    )
    found = study.operating_points(threshold=2.0)
    missing = found.query("predictor == 'b' and group == 'h'")
    assert missing["estimate"].isna().all()
    assert missing["note"].str.contains("one-class").all()
    assert found.query("predictor == 'a'")["estimate"].notna().any()


# --- Thresholds in a Series -----------------------------------------------------------------------


def test_a_series_with_names_is_a_mapping(three):
    """It was read as a list of thresholds of all predictors, its names ignored."""
    named = {"d3": 0.5, "d1": 0.6}
    series = pd.Series(named)
    pd.testing.assert_frame_equal(
        three.operating_points(threshold=series), three.operating_points(threshold=named)
    )
    several = pd.Series([0.6, 0.5, 0.4], index=["d1", "d3", "d1"])
    pd.testing.assert_frame_equal(
        three.operating_points(threshold=several),
        three.operating_points(threshold={"d1": [0.6, 0.4], "d3": 0.5}),
    )
    whole = {"d1": 0.6, "d2": 0.4, "d3": 0.5}
    for ask in (
        lambda at: three.compare_operating_points(threshold=at),
        lambda at: three.test_performance_goals(threshold=at, tpr=0.5, tnr=0.5),
        lambda at: three.operating_points_versus_random(threshold=at),
    ):
        pd.testing.assert_frame_equal(ask(pd.Series(whole)), ask(whole))


def test_a_series_with_other_names_is_refused(three):
    with pytest.raises(
        rs.InputError, match=r"`threshold` must name predictors; got \['estimate'\]"
    ):
        three.operating_points(threshold=pd.Series({"estimate": 0.5}))


def test_a_series_with_numbers_as_labels_is_a_sequence(three):
    for index in (None, [3, 1], [0.5, 0.7]):
        pd.testing.assert_frame_equal(
            three.operating_points(threshold=pd.Series([0.6, 0.4], index=index)),
            three.operating_points(threshold=[0.6, 0.4]),
        )
