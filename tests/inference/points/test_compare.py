from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, fisher_exact, norm

import rocstats as rs
from rocstats.estimate.paired_tables import (
    PairedTable,
    mcnemar_p_value,
    tango_limit,
    tango_statistic,
)
from rocstats.estimate.two_by_two import (
    TwoByTwoTable,
    newcombe_rate_difference_limits,
    pooled_z,
    two_by_two_p_value,
)
from rocstats.facts.measures import base_of, difference_of
from tests import examples
from tests.quick import each
from tests.strategies import samples

Z = 1.959963984540054
ALL = [
    "tpr",
    "tnr",
    "both_rates",
    "ppv",
    "npv",
    "ppv_ratio",
    "npv_ratio",
    "lr_positive_ratio",
    "lr_negative_ratio",
]


def example(*counts, names=("t1", "t2"), **roles):
    """Two tests from counts T1+T2+, T1+T2-, T1-T2+, T1-T2- of the diseased, then of the others."""
    calls = {names[0]: [1, 1, 0, 0] * 2, names[1]: [1, 0, 1, 0] * 2}
    return rs.Study([1] * 4 + [0] * 4, calls, frequency=list(counts), **roles)


@pytest.fixture
def example_b():
    return example(319, 78, 22, 32, 31, 53, 22, 155)


def ask(study, threshold=1, **arguments):
    """Return the rows by what they compare: a row "tpr" is that of "tpr_difference"."""
    found = study.compare_operating_points(threshold=threshold, **arguments)
    return found.set_index(found["quantity"].map(base_of))


def between(row):
    return row["ci_low"], row["ci_high"]


# docs/methods/paired-tables.md, "Worked example B" and "Worked predictive values", T1 over (or
# minus) T2
def test_printed_example_b(example_b):
    frame = ask(example_b)
    assert list(frame.index) == ALL
    assert frame.loc["tpr", "estimate"] == pytest.approx(0.1241685144, abs=5e-11)
    assert between(frame.loc["tpr"]) == pytest.approx((0.0827495694, 0.1673204489), abs=5e-11)
    assert frame.loc["tpr", "statistic"] ** 2 == pytest.approx(31.36, abs=1e-9)
    assert frame.loc["tpr", "p_value"] == pytest.approx(1.012135e-08, abs=5e-15)
    assert frame.loc["tnr", "estimate"] == pytest.approx(-0.1187739464, abs=5e-11)
    assert frame.loc["tnr", "statistic"] ** 2 == pytest.approx(12.8133333, abs=5e-8)
    both = frame.loc["both_rates"]
    assert both["statistic"] == pytest.approx(31.36 + 12.8133333, abs=5e-8)
    assert (both["df"], both["p_value"]) == (2, pytest.approx(chi2.sf(44.1733333333, 2)))
    assert frame.loc["ppv", "statistic"] ** 2 == pytest.approx(5.4658874464, abs=5e-11)
    assert frame.loc["ppv", "p_value"] == pytest.approx(0.0193912041, abs=6e-11)
    assert frame.loc["npv", "statistic"] ** 2 == pytest.approx(16.5354041432, abs=5e-11)
    assert frame.loc["npv", "p_value"] == pytest.approx(4.775012e-05, abs=5e-12)
    positive = frame.loc["lr_positive_ratio"]
    assert positive["estimate"] == pytest.approx(0.7345691942, abs=5e-11)
    assert between(positive) == pytest.approx((0.5664428142, 0.9525973101), abs=5e-11)
    assert positive["p_value"] == pytest.approx(0.0200091015, abs=5e-11)
    negative = frame.loc["lr_negative_ratio"]
    assert negative["estimate"] == pytest.approx(0.5768875193, abs=5e-11)
    assert between(negative) == pytest.approx((0.4407135989, 0.7551371474), abs=5e-11)
    assert negative["p_value"] == pytest.approx(6.2176e-05, abs=5e-10)
    assert (negative["null_value"], frame.loc["ppv", "null_value"]) == (1, 0)
    assert negative["se"] / negative["estimate"] == pytest.approx(0.1373760335, abs=5e-11)
    assert set(frame["note"]) == {""}


# docs/methods/paired-tables.md, "Worked predictive values" prints the ratios of predictive values
# as T2/T1
def test_printed_ratios_of_predictive_values(example_b):
    frame = ask(example_b, reference="t1")
    assert set(frame["predictor"]) == {"t2"}
    ppv, npv = frame.loc["ppv_ratio"], frame.loc["npv_ratio"]
    assert ppv["estimate"] == pytest.approx(1.0486069378, abs=5e-11)
    assert between(ppv) == pytest.approx((1.0084705030, 1.0903407752), abs=5e-11)
    assert npv["estimate"] == pytest.approx(0.8536403369, abs=5e-11)
    assert between(npv) == pytest.approx((0.7926257887, 0.9193516475), abs=5e-11)


# docs/methods/paired-tables.md, "Worked example A"
@pytest.mark.parametrize(
    ("test", "p"), [("mid-p", 0.0390625), ("exact", 0.0703125), ("asymptotic", 0.0338948535)]
)
def test_printed_example_a(test, p):
    study = example(1, 1, 7, 12, 3, 3, 3, 3)
    row = ask(study, test=test).loc["tpr"]
    assert row["p_value"] == pytest.approx(p, abs=5e-11)
    assert between(row) == pytest.approx((-0.517232276, -0.026003032), abs=5e-10)
    assert row["method"] == f"mcnemar-{test}/tango"
    assert np.isinf(row["df"]) if test == "asymptotic" else np.isnan(row["df"])
    newcombe = ask(study, test=test, interval="newcombe").loc["tpr"]
    assert between(newcombe) == pytest.approx((-0.506920227, -0.025559124), abs=5e-10)
    assert newcombe["method"] == f"mcnemar-{test}/newcombe-paired"


# docs/methods/paired-tables.md, "Worked rates of 60 cases"
def test_printed_discrete_classifiers():
    row = ask(example(30, 12, 4, 14, 5, 5, 5, 5), interval="newcombe").loc["tpr"]
    assert row["p_value"] == pytest.approx(0.0490417, abs=5e-8)
    assert row["estimate"] == pytest.approx(0.1333333, abs=5e-8)
    assert between(row) == pytest.approx((0.0023000, 0.2573071), abs=6e-8)


def test_rows_of_calls_that_agree():
    with pytest.warns(rs.StatisticalWarning, match="no-discordance"):
        frame = ask(example(8, 0, 0, 3, 2, 0, 0, 9))
    rates = frame.loc[["tpr", "tnr"]]
    assert (rates["estimate"] == 0).all()
    assert (rates["p_value"] == 1).all()
    assert (rates["ci_low"] < 0).all()
    assert (rates["ci_high"] > 0).all()
    assert (frame.loc["both_rates", "statistic"], frame.loc["both_rates", "p_value"]) == (0, 1)
    others = frame.loc[ALL[3:]]
    assert (others["p_value"] == 1).all()
    assert others[["ci_low", "ci_high", "statistic"]].isna().all(axis=None)
    assert (others["note"] == "no-discordance").all()
    assert frame.loc["ppv_ratio", "estimate"] == 1


def test_zero_cells_leave_ratios_without_interval():
    with pytest.warns(rs.StatisticalWarning, match="zero-cell"):
        frame = ask(example(6, 3, 2, 4, 0, 0, 3, 9))
    positive = frame.loc["lr_positive_ratio"]  # the first calls no negative positive
    assert np.isnan(positive["estimate"])
    assert positive["note"] == "zero-cell"
    assert np.isfinite(frame.loc[["tpr", "tnr", "ppv", "npv"], "ci_low"]).all()
    assert frame.loc["ppv", "ci_high"] <= 1
    # as reference its predictive value is 1, and the ratio is finite
    assert frame.loc["ppv_ratio", "estimate"] == pytest.approx(1 / (8 / 11))


def test_a_classifier_that_calls_nobody_has_no_predictive_value():
    with pytest.warns(rs.StatisticalWarning, match="no-calls"):
        frame = ask(example(0, 0, 6, 4, 0, 0, 2, 8))
    assert frame.loc["ppv", "note"] == "no-calls"
    assert frame.loc["ppv", ["estimate", "p_value", "ci_low"]].isna().all()
    assert frame.loc["tpr", "estimate"] == -0.6
    assert np.isfinite(frame.loc["npv", "p_value"])


def test_margins_are_tested_by_the_score(example_b):
    tables = PairedTable(319, 78, 22, 32), PairedTable(155, 22, 53, 31)
    frame = ask(example_b, hypothesis="non-inferiority", margin=0.1)
    assert list(frame.index) == ["tpr", "tnr"]
    for (_, row), table in zip(frame.iterrows(), tables, strict=True):
        z = tango_statistic(table, -0.1)
        assert (row["null_value"], row["statistic"]) == (-0.1, pytest.approx(z))
        assert row["p_value"] == pytest.approx(norm.sf(z))
        # the one-sided test at .025 agrees with the two-sided interval
        assert (row["p_value"] < 0.025) == (row["ci_low"] > -0.1)
        assert (row["method"], row["hypothesis"]) == ("tango-score/tango", "non-inferiority")
    superior = ask(example_b, hypothesis="superiority")
    assert superior.loc["tpr", "p_value"] == pytest.approx(norm.sf(5.6))
    assert superior.loc["tpr", "null_value"] == 0


def test_equivalence_takes_the_larger_p_value(example_b):
    row = ask(example_b, hypothesis="equivalence", margin=0.15).loc["tnr"]
    table = PairedTable(155, 22, 53, 31)
    below, above = (tango_statistic(table, null) for null in (-0.15, 0.15))
    assert row["p_value"] == pytest.approx(max(norm.sf(below), norm.cdf(above)))
    assert row["confidence_level"] == pytest.approx(0.9)
    z = norm.ppf(0.95)
    expected = tango_limit(table, -z), tango_limit(table, z)
    assert between(row) == pytest.approx(expected, rel=1e-9)
    assert (row["p_value"] < 0.05) == (row["ci_low"] > -0.15 and row["ci_high"] < 0.15)


def test_one_sided_questions(example_b):
    frame = ask(example_b, alternative="greater")
    assert "both_rates" not in frame.index
    table = PairedTable(319, 78, 22, 32)
    row = frame.loc["tpr"]
    assert row["ci_low"] == pytest.approx(tango_limit(table, -norm.ppf(0.95)))
    assert row["ci_high"] == 1
    assert row["p_value"] == mcnemar_p_value(table, "mid-p", "greater")
    ratio = frame.loc["lr_positive_ratio"]
    assert (ratio["ci_high"], ratio["p_value"]) == (np.inf, pytest.approx(1 - 0.0200091015 / 2))
    less = ask(example_b, alternative="less").loc["lr_positive_ratio"]
    assert (less["ci_low"], less["p_value"]) == (0, pytest.approx(0.0200091015 / 2, abs=1e-10))


@given(samples(predictors=2), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_calls_are_counted_at_the_thresholds(data, first, second, higher):
    y, (a, b) = data
    study = rs.Study(y, {"a": a, "b": b}, higher_is_positive=higher)
    frame = ask(study, {"a": first, "b": second})
    calls = [s >= t if higher else s <= t for s, t in ((a, first), (b, second))]
    assert frame["threshold"].unique().tolist() == [first]
    assert frame["reference_threshold"].unique().tolist() == [second]
    gaps = calls[0].astype(float) - calls[1]
    assert frame.loc["tpr", "estimate"] == pytest.approx(gaps[y == 1].mean())
    assert frame.loc["tnr", "estimate"] == pytest.approx(-gaps[y == 0].mean())
    for quantity in ("tpr", "tnr", "ppv", "npv"):
        row = frame.loc[quantity]
        if row["method"] != "none/none":
            assert -1 <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= 1
            assert row["ci_low"] < row["ci_high"]
    if calls[0].any() and calls[1].any():
        values = [y[call].mean() for call in calls]
        assert frame.loc["ppv", "estimate"] == pytest.approx(values[0] - values[1])


@settings(max_examples=30)
@given(samples(predictors=2), st.integers(1, 11), st.integers(1, 11))
def test_swapping_the_predictors_mirrors_every_row(data, first, second):
    y, (a, b) = data
    forward = ask(rs.Study(y, {"a": a, "b": b}), {"a": first, "b": second})
    back = ask(rs.Study(y, {"b": b, "a": a}), {"a": first, "b": second})
    for quantity in ("tpr", "tnr", "ppv", "npv"):
        one, other = forward.loc[quantity], back.loc[quantity]
        mirrored = -other["ci_high"], -other["ci_low"]
        assert between(one) == pytest.approx(mirrored, abs=1e-9, nan_ok=True)
        assert one["p_value"] == pytest.approx(other["p_value"], nan_ok=True)
        assert one["statistic"] == pytest.approx(-other["statistic"], nan_ok=True)
    for quantity in ALL[5:]:
        one, other = forward.loc[quantity], back.loc[quantity]
        if np.isfinite(one["se"]) and one["se"] > 0:
            mirrored = 1 / other["ci_high"], 1 / other["ci_low"]
            assert between(one) == pytest.approx(mirrored, rel=1e-9)


@settings(max_examples=30)
@given(samples(predictors=2))
def test_exchanging_classes_and_directions_exchanges_the_quantities(data):
    y, scores = data
    threshold = 3.5  # between scores, so that both directions call disjoint cases
    one = ask(rs.Study(y, scores.T), threshold)
    other = ask(rs.Study(1 - y, scores.T, higher_is_positive=False), threshold)
    for mine, theirs in (("tpr", "tnr"), ("ppv", "npv"), ("ppv_ratio", "npv_ratio")):
        for column in ("estimate", "ci_low", "ci_high", "p_value"):
            found = other.loc[theirs, column]
            assert one.loc[mine, column] == pytest.approx(found, abs=1e-9, nan_ok=True)


def test_holm_counts_the_pairs_of_one_quantity(three):
    frame = three.compare_operating_points(threshold={"d1": 0.5, "d2": 0.5, "d3": 0.5})
    rates = frame[frame["quantity"] == "tpr_difference"]
    p = np.sort(rates["p_value"])
    expected = np.minimum(np.maximum.accumulate(p * [3, 2, 1]), 1)
    assert np.sort(rates["p_adjusted"]) == pytest.approx(expected)
    assert rates["note"].str.contains("adjusted=holm").all()
    plain = three.compare_operating_points(threshold=0.5, adjust="none")
    assert plain["p_adjusted"].equals(plain["p_value"])


def test_a_mapping_leaves_out_predictors(three):
    frame = three.compare_operating_points(threshold={"d1": 0.5, "d3": 0.4})
    assert set(frame["predictor"]) == {"d1"}
    assert set(frame["reference"]) == {"d3"}
    assert set(frame["threshold"]) == {0.5}
    assert set(frame["reference_threshold"]) == {0.4}


def test_a_threshold_beyond_every_score_calls_nobody():
    study = rs.Study([1, 1, 0, 0], {"a": [np.inf, 1, 2, 0], "b": [3, 1, 2, 0]})
    frame = ask(study, {"a": np.inf, "b": 2})
    assert frame.loc["tpr", "estimate"] == -0.5


# across groups
def test_groups_are_compared_by_newcombe_and_fisher():
    y, call = [1, 1, 0, 0] * 2, [1, 0, 1, 0] * 2
    study = rs.Study(y, call, frequency=[14, 6, 8, 22, 9, 11, 12, 28], group=["x"] * 4 + ["y"] * 4)
    frame = ask(study, across="groups")
    table = TwoByTwoTable(tp=14, fp=9, n_pos=20, n_neg=20)
    row = frame.loc["tpr"]
    assert row["estimate"] == pytest.approx(0.25)
    assert between(row) == pytest.approx(
        newcombe_rate_difference_limits(table, 0.95, "two-sided"), rel=1e-9
    )
    assert row["p_value"] == pytest.approx(two_by_two_p_value(table, "mid-p", "two-sided"))
    assert row["method"] == "mid-p/newcombe-hybrid"
    exact = ask(study, across="groups", test="exact")
    assert exact.loc["tpr", "p_value"] == pytest.approx(fisher_exact([[14, 6], [9, 11]]).pvalue)
    ppv = fisher_exact([[14, 8], [9, 12]]).pvalue
    assert exact.loc["ppv", "p_value"] == pytest.approx(ppv)
    asymptotic = ask(study, across="groups", test="asymptotic")
    z = pooled_z(table)
    assert asymptotic.loc["tpr", "p_value"] == pytest.approx(2 * norm.sf(z))
    healthy = pooled_z(TwoByTwoTable(tp=22, fp=28, n_pos=30, n_neg=40))
    both = asymptotic.loc["both_rates"]
    assert both["statistic"] == pytest.approx(z**2 + healthy**2)
    ratio = frame.loc["lr_positive_ratio"]
    logs = [1 / 14 - 1 / 20 + 1 / 8 - 1 / 30, 1 / 9 - 1 / 20 + 1 / 12 - 1 / 40]
    assert ratio["estimate"] == pytest.approx((14 / 20 / (8 / 30)) / (9 / 20 / (12 / 40)))
    assert ratio["se"] / ratio["estimate"] == pytest.approx(np.sqrt(sum(logs)))
    assert (ratio["n_pos"], ratio["n_neg"]) == (40, 70)


def test_a_margin_across_groups_inverts_the_limits():
    y, call = [1, 1, 0, 0] * 2, [1, 0, 1, 0] * 2
    study = rs.Study(y, call, frequency=[34, 6, 8, 22, 37, 3, 12, 28], group=["x"] * 4 + ["y"] * 4)
    row = ask(study, across="groups", hypothesis="non-inferiority", margin=0.2).loc["tpr"]
    assert (row["p_value"] < 0.025) == (row["ci_low"] > -0.2)
    at = ask(study, across="groups", hypothesis="non-inferiority", margin=-row["ci_low"]).loc["tpr"]
    assert at["p_value"] == pytest.approx(0.025, abs=1e-6)


# clusters
def test_clusters_use_their_sums(rng):
    cluster = np.repeat(np.arange(30), 4)
    y = np.tile([1, 1, 0, 0], 30)
    shared = rng.normal(size=30)[cluster]
    scores = {name: shared + rng.normal(size=120) + y for name in "ab"}
    frame = ask(rs.Study(y, scores, cluster=cluster), 0.5)
    calls = [(score >= 0.5).astype(float) for score in scores.values()]
    x = np.bincount(cluster, (calls[0] - calls[1]) * y)
    d = x.sum() / 60
    variance = 30 / 29 * np.sum((x - 2 * d) ** 2) / 60**2
    row = frame.loc["tpr"]
    assert row["estimate"] == pytest.approx(d)
    assert row["se"] == pytest.approx(np.sqrt(variance))
    assert row["method"] == "cluster-influence/wilson-mover"
    wald = d - Z * row["se"], d + Z * row["se"]
    assert between(row) == pytest.approx(wald, abs=0.02)
    assert frame.loc["lr_positive_ratio", "method"] == "cluster-influence/log"
    assert frame.loc["both_rates", "df"] == 2


def test_the_test_of_clusters_inverts_the_limits(rng):
    cluster, y = np.repeat(np.arange(40), 3), np.tile([1, 1, 0], 40)
    scores = {"a": rng.normal(size=120) + y, "b": rng.normal(size=120) + 0.2 * y}
    study = rs.Study(y, scores, cluster=cluster)
    p = ask(study, 0.5).loc["tpr", "p_value"]
    row = ask(study, 0.5, confidence_level=1 - p).loc["tpr"]
    assert min(abs(row["ci_low"]), abs(row["ci_high"])) == pytest.approx(0, abs=1e-8)


def test_clusters_of_one_differ_from_none_by_the_small_sample_factor(rng):
    y = np.repeat([1, 0], 60)
    scores = {name: rng.normal(size=120) + y for name in "ab"}
    plain = ask(rs.Study(y, scores), 0.5)
    single = ask(rs.Study(y, scores, cluster=np.arange(120)), 0.5)
    for quantity in ("tpr", "tnr"):
        factor = np.sqrt(60 / 59)
        expected = plain.loc[quantity, "se"] * factor
        assert single.loc[quantity, "se"] == pytest.approx(expected, rel=1e-9)
    ratios = [frame.loc[ALL[5:], "se"].to_numpy() for frame in (plain, single)]
    assert ratios[1] == pytest.approx(ratios[0], rel=0.02)
    assert plain["estimate"].to_numpy() == pytest.approx(single["estimate"].to_numpy(), nan_ok=True)


def test_a_difference_that_is_the_same_in_every_cluster_has_no_test():
    y = np.tile([1, 1, 0, 0], 6)
    study = rs.Study(
        y,
        {"a": np.tile([1, 1, 0, 0], 6), "b": np.tile([1, 0, 1, 0], 6)},
        cluster=np.repeat(np.arange(6), 4),
    )
    mixed = rs.Study(
        y,
        {
            "a": np.tile([1, 1, 0, 0, 1, 0, 1, 0], 3),
            "b": np.tile([1, 0, 0, 0, 0, 0, 1, 0], 3),
        },
        cluster=np.repeat(np.arange(6), 4),
    )
    # each share alone is constant: MOVER takes a cluster for a case
    row = ask(study).loc["tpr"]
    assert (row["estimate"], row["se"]) == (0.5, 0)
    assert row["ci_low"] < 0.5 < row["ci_high"]
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        frame = ask(mixed)
    row = frame.loc["tpr"]
    assert (row["estimate"], row["note"].split("; ")[0]) == (0.5, "no-variance")
    assert np.isnan([row["p_value"], row["ci_low"], row["statistic"]]).all()


def test_repeated_cases_in_a_cluster_add_nothing(rng):
    y = np.repeat([1, 0], 40)
    scores = {name: rng.normal(size=80) + y for name in "ab"}
    case = np.arange(80)
    once = ask(rs.Study(y, scores, cluster=case), 0.5)
    twice = ask(
        rs.Study(
            np.tile(y, 2),
            {name: np.tile(score, 2) for name, score in scores.items()},
            cluster=np.tile(case, 2),
        ),
        0.5,
    )
    numbers = ["estimate", "se", "ci_low", "ci_high", "statistic", "p_value"]
    assert twice[numbers].to_numpy() == pytest.approx(once[numbers].to_numpy(), nan_ok=True)


def test_clusters_of_groups_and_a_single_cluster(rng):
    y = np.tile([1, 0], 40)
    study = rs.Study(
        y,
        rng.normal(size=80) + y,
        cluster=np.arange(80) // 4,
        group=np.repeat(["x", "y"], 40),
    )
    frame = ask(study, 0.5, across="groups")
    assert np.isfinite(frame.loc["tpr", "p_value"])
    assert "few-clusters" in frame.loc["tpr", "note"]
    alone = rs.Study([1, 1, 0, 0], {"a": [4, 1, 2, 0], "b": [3, 4, 1, 2]}, cluster=[1, 1, 2, 2])
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        row = ask(alone, 2).loc["tpr"]
    assert np.isnan(row["se"])
    assert -1 <= row["ci_low"] < row["ci_high"] <= 1


def test_groups_are_split_first_and_folds_pooled(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    study = rs.Study("outcome", ["a", "b"], group="site", fold="part", **arguments)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = study.compare_operating_points(threshold=3)
    assert frame["group"].tolist() == ["x"] * 9 + ["y"] * 9
    part = patients[patients["site"] == "y"]
    poor = part["outcome"] == "Poor"
    expected = (part["a"][poor] >= 3).mean() - (part["b"][poor] >= 3).mean()
    assert frame["estimate"][9] == pytest.approx(expected)


def test_a_group_that_lacks_a_class_has_nan_rows():
    group = np.where(np.arange(18) < 4, "x", "y")
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, group=group)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.compare_operating_points(threshold=0.5)
    assert frame["estimate"][:9].isna().all()
    assert frame["note"][0] == "one-class"
    assert frame["quantity"].tolist() == [difference_of(word) for word in ALL] * 2
    at_rate = study.compare_operating_points(fpr=0.2, n_resamples=100, rng=1)
    assert at_rate["note"][0] == "one-class"
    assert at_rate["n_resamples"].tolist() == [0, 100]


# at a false positive rate
def test_rates_are_compared_at_an_fpr(three):
    frame = three.compare_operating_points(fpr=[0.1, 0.3], n_resamples=400, rng=1)
    assert frame["fpr"].tolist() == [0.1, 0.3] * 3
    assert set(frame["quantity"]) == {"tpr_difference"}
    assert frame[["threshold", "reference_threshold"]].isna().all(axis=None)
    # D1 at FPR .1: 3 of 8 above the second negative (.72 excluded), D2: .62 beaten by .60 only
    first = frame.iloc[0]
    d1 = np.mean(examples.D1[:8] > 0.64)
    d2 = np.mean(examples.D2[:8] > 0.58)
    assert first["estimate"] == pytest.approx(d1 - d2)
    assert set(frame["method"]) == {"resamples/wilson-mover"}
    assert frame.attrs["rocstats"]["n_resamples"] == 400
    assert (frame["ci_low"] < frame["estimate"]).all()
    assert (frame["estimate"] < frame["ci_high"]).all()


@pytest.mark.parametrize("frequency", [None, np.where(np.arange(18) < 4, 0, 1)])
def test_a_fold_without_a_class_adds_its_cases_at_an_fpr(frequency):
    # Folds are pooled: nothing is drawn from a class that a fold lacks, or that counts 0 there.
    scores = {"a": examples.D1, "b": examples.D2}
    fold = np.arange(18) < (4 if frequency is None else 12)
    study = rs.Study(examples.Y, scores, fold=fold, frequency=frequency)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = study.compare_operating_points(fpr=0.3, n_resamples=100, rng=1)
    whole = rs.Study(examples.Y, scores, frequency=frequency)
    expected = whole.compare_operating_points(fpr=0.3, n_resamples=100, rng=1)
    assert frame["estimate"].tolist() == expected["estimate"].tolist()
    assert np.isfinite(frame[["se", "ci_low", "ci_high"]].to_numpy()).all()


def test_the_test_at_an_fpr_inverts_its_limits(three):
    arguments = {"fpr": 0.3, "reference": "d3", "n_resamples": 400, "rng": 1}
    p = three.compare_operating_points(**arguments)["p_value"][0]
    row = three.compare_operating_points(**arguments, confidence_level=1 - p).iloc[0]
    assert min(abs(row["ci_low"]), abs(row["ci_high"])) == pytest.approx(0, abs=1e-8)
    margin = three.compare_operating_points(
        **arguments, hypothesis="non-inferiority", margin=0.2
    ).iloc[0]
    assert (margin["p_value"] < 0.025) == (margin["ci_low"] > -0.2)
    assert margin["null_value"] == -0.2


def test_swapping_at_an_fpr_mirrors_the_rows():
    scores = {"a": examples.D1, "b": examples.D2}
    forward, back = (
        rs.Study(examples.Y, {name: scores[name] for name in names})
        .compare_operating_points(fpr=0.3, n_resamples=200, rng=4)
        .iloc[0]
        for names in ("ab", "ba")
    )
    assert forward["estimate"] == -back["estimate"]
    assert between(forward) == pytest.approx((-back["ci_high"], -back["ci_low"]), abs=1e-12)
    assert forward["p_value"] == pytest.approx(back["p_value"])


def test_identical_and_perfect_predictors_at_an_fpr():
    y = np.repeat([1, 0], 12)
    perfect = np.arange(24.0)[::-1]
    study = rs.Study(y, {"a": perfect, "b": perfect**3, "c": np.tile([1.0, 2, 3], 8)})
    frame = study.compare_operating_points(fpr=0.2, n_resamples=200, rng=1)
    both = frame.iloc[0]  # perfect against perfect: finite
    assert (both["estimate"], both["p_value"]) == (0, 1)
    assert -1 < both["ci_low"] < 0 < both["ci_high"] < 1
    alike = rs.Study(y, {"c": np.tile([1.0, 2, 3], 8), "d": np.tile([2.0, 4, 6], 8)})
    with pytest.warns(rs.StatisticalWarning, match="no-discordance"):
        row = alike.compare_operating_points(fpr=0.2, n_resamples=200, rng=1).iloc[0]
    assert (row["estimate"], row["p_value"]) == (0, 1)
    assert np.isnan([row["ci_low"], row["ci_high"]]).all()


def test_groups_and_clusters_at_an_fpr(rng):
    y = np.tile([1, 0], 60)
    study = rs.Study(
        y,
        {"a": rng.normal(size=120) + y, "b": rng.normal(size=120) + y},
        group=np.repeat(["x", "y"], 60),
        cluster=np.arange(120) // 3,
    )
    frame = study.compare_operating_points(fpr=0.2, across="groups", n_resamples=300, rng=1)
    within = study.compare_operating_points(fpr=0.2, n_resamples=300, rng=1)
    assert frame[["predictor", "group", "reference"]].to_numpy().tolist() == [
        ["a", "x", "y"],
        ["b", "x", "y"],
    ]
    assert frame["n_pos"].tolist() == [60, 60]
    assert within["n_pos"].tolist() == [30, 30]
    assert np.isfinite(frame[["se", "ci_low", "ci_high", "p_value"]]).all(axis=None)


def test_the_bootstrap_spread_is_that_of_linnet(rng):
    """Effective bars: R(1 - R)/m + r^2 t(1 - t)/n for one curve; independent markers add."""
    n, t, shift = 1000, 0.2, 1.2
    y = np.repeat([1, 0], n)
    found = []
    for _ in range(8):
        study = rs.Study(y, {name: rng.normal(size=2 * n) + shift * y for name in "ab"})
        row = study.compare_operating_points(fpr=t, n_resamples=200, rng=1).iloc[0]
        found.append(row["se"] ** 2)
    cut = norm.isf(t)
    rate, slope = norm.sf(cut - shift), norm.pdf(cut - shift) / norm.pdf(cut)
    variance = 2 * (rate * (1 - rate) + slope**2 * t * (1 - t)) / n
    assert np.sqrt(np.mean(found)) == pytest.approx(np.sqrt(variance), rel=0.12)


def test_limits_at_levels_near_0_have_a_width():
    y, score = np.repeat([1, 0], [1, 12]), np.arange(13.0)
    study = rs.Study(y, {"a": score, "b": score.copy()})
    frame = study.compare_operating_points(
        threshold=2, interval="newcombe", confidence_level=1e-320
    )
    known = frame[frame["ci_low"].notna()]
    assert len(known) >= 2
    assert (known["ci_low"] < known["ci_high"]).all()
    assert (known["ci_high"] - known["ci_low"]).max() < 1e-15


def refused(threshold=0.5, *, roles=(), **arguments):
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, **dict(roles))
    study.compare_operating_points(threshold=threshold, **arguments)


CLUSTER, GROUP = {"cluster": np.arange(18) // 2}, {"group": np.tile(["x", "y"], 9)}
WEIGHTS = {"sample_weight": np.ones(18)}
ONE_OF_THEM = "`threshold` must be given, or `fpr` or `tpr` instead; got"
SOME_OF = (
    "`quantities` must be some of tpr, tnr, ppv, npv, accuracy, f1, mcc, kappa, balanced_accuracy"
)
MESSAGES = [
    (lambda: refused({"a": 0.5}), "`y_score` must hold two or more predictors to be compared; got"),
    (lambda: refused(None), f"{ONE_OF_THEM} none of them"),
    (lambda: refused(fpr=0.1), f"{ONE_OF_THEM} threshold and fpr"),
    (lambda: refused(None, fpr=0.1, tpr=0.9), f"{ONE_OF_THEM} fpr and tpr"),
    (lambda: refused(None, tpr=[0.9, 0]), "`tpr` must be a number in (0, 1], or a sequence of"),
    (lambda: refused(None, tpr=0.9, test="exact"), "`test` must stay None at a true positive rate"),
    (lambda: refused(None, tpr=0.9, quantities=["tnr"]), "`quantities` must stay None with `fpr`"),
    (lambda: refused(quantities=["tpr_ratio"], hypothesis="superiority"), SOME_OF),
    (lambda: refused(quantities=["youden", "youden"], hypothesis="superiority"), SOME_OF),
    (lambda: refused(quantities="f2", alternative="less"), "`quantities` must be some of tpr, tnr"),
    (lambda: refused([0.4, 0.5]), "`threshold` must be one number, or one for each predictor"),
    (lambda: refused({"a": 0.5, "c": 1}), "`threshold` must name predictors; got ['c']"),
    (lambda: refused(None, fpr=[0.1, 1.0]), "`fpr` must be a number in [0, 1), or a sequence of"),
    (lambda: refused(None, fpr=[]), "`fpr` must be a number in [0, 1), or a sequence of them"),
    (lambda: refused(roles=WEIGHTS, interval="tango"), "`interval` must be 'percentile' when the"),
    (lambda: refused(roles=WEIGHTS, test="exact"), "`test` must stay None when the study has we"),
    (
        lambda: refused(test="exact", interval="percentile"),
        "`test` must stay None with interval='percentile', where the test inverts the limits",
    ),
    (
        lambda: refused(None, fpr=0.1, interval="percentile"),
        "`interval` must stay None at a false positive rate",
    ),
    (
        lambda: refused(quantities="both_rates", interval="percentile"),
        "`quantities` must be some of tpr, tnr, ppv,",
    ),
    (lambda: refused(test="mcnemar"), "`test` must be one of"),
    (lambda: refused(interval="wald"), "`interval` must be one of"),
    (lambda: refused(roles=CLUSTER, test="exact"), "`test` must stay None when the study has"),
    (lambda: refused(roles=CLUSTER, interval="tango"), "`interval` must stay None when the study"),
    (
        lambda: refused(test="exact", hypothesis="non-inferiority", margin=0.1),
        "`test` must stay None for the hypothesis 'non-inferiority'",
    ),
    (lambda: refused(None, fpr=0.1, test="mid-p"), "`test` must stay None at a false positive"),
    (
        lambda: refused(roles=GROUP, across="groups", interval="tango"),
        "`interval` must be 'newcombe' when groups are compared",
    ),
    (lambda: refused(margin=0.1), "`margin` must stay None for the hypothesis 'difference'"),
    (lambda: refused(hypothesis="non-inferiority"), "`margin` must be given for the hypothesis"),
    (lambda: refused(hypothesis="equivalence", margin=0), "`margin` must be a number strictly"),
    (lambda: refused(confidence_level=1), "`confidence_level` must be a number strictly between"),
    (lambda: refused(None, fpr=0.1, n_resamples=50), "`n_resamples` must be a whole number >= 100"),
    (
        lambda: refused(roles={**CLUSTER, **GROUP}, across="groups"),
        "`cluster` must not span groups that are compared; got cluster '0' in 'x' and 'y'",
    ),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
