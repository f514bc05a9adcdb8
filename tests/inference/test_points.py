"""Operating points: counts by hand, intervals of the medical text, clusters, edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.inference.points import POINT_INTERVALS
from tests import examples
from tests.strategies import samples

HALF = 5e-11
AXES = ["tpr", "fpr", "tnr"]

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


@pytest.fixture
def worked():
    return rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)


# medical.md 2.3, checked there against epiR
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


# methods.md F2: TP = 14, FN = 6, FP = 8, TN = 22
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


def test_lower_is_positive_turns_the_threshold():
    one = rs.Study(examples.Y, examples.D1).operating_points(threshold=0.58)
    two = rs.Study(examples.Y, -examples.D1, higher_is_positive=False).operating_points(
        threshold=-0.58
    )
    assert set(two["direction"]) == {"<="}
    same = ["tpr", "fpr", "tp", "fp", "estimate", "ci_low", "ci_high"]
    assert one[same].equals(two[same])


def ratio(called, cluster):
    """Clustered proportion of medical.md 2.2: p, its variance, the number of clusters."""
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
        assert row["n_effective"] == pytest.approx(p * (1 - p) / variance)
        assert row["method"] == "clusters/wilson"
        assert row["note"] == "few-clusters"


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"threshold": "high"},
            "`threshold` must be a number, or a sequence of numbers; got 'high'",
        ),
        ({"threshold": [0.5, np.nan]}, "`threshold` must be a number, or a sequence of numbers"),
        ({"threshold": {"d9": 1}}, r"`threshold` must name predictors; got \['d9'\]"),
        (
            {"threshold": 1, "interval": "exact"},
            "`interval` must be one of None, 'wilson', 'clopper",
        ),
        ({"threshold": 1, "confidence_level": 2}, "`confidence_level` must be a number strictly"),
    ],
)
def test_messages(three, arguments, message):
    with pytest.raises(rs.InputError, match=message):
        three.operating_points(**arguments)
