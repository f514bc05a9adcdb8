"""Relative rates, differences of measures of both classes, and specificities at a sensitivity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import rocstats as rs
from rocstats.estimate.paired_tables import PairedTable, tang_limit, tango_limit
from rocstats.facts.measures import Cells, base_of, measure
from tests.strategies import samples

Z = 1.959963984540054

RATIOS = ["tpr_ratio", "fpr_ratio"]

DIFFERENCES = ["accuracy", "f1", "mcc", "balanced_accuracy", "youden"]

WANTED = [*RATIOS, *DIFFERENCES]

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "p_value"]

# docs/methods/paired-tables.md, "Worked example B"
COHORT = np.array([319.0, 78, 22, 32, 31, 53, 22, 155])

Y = np.repeat([1, 0], 4)

CALLS = {"t1": np.tile([1, 1, 0, 0], 2), "t2": np.tile([1, 0, 1, 0], 2)}


def cohort(counts=COHORT):
    return rs.Study(Y, CALLS, frequency=counts.astype(int))


def ask(study, threshold=1, quantities=WANTED, **arguments):
    """Return the rows by what they compare: a row "tpr" is that of "tpr_difference"."""
    frame = study.compare_operating_points(threshold=threshold, quantities=quantities, **arguments)
    frame = frame.set_index(frame["quantity"].map(base_of))
    assert list(frame.index[: len(quantities)]) == list(quantities)
    return frame


def between(row):
    return row["ci_low"], row["ci_high"]


def values(counts, calls=CALLS, y=Y):
    """Every measure of both tests, by counting; ``counts`` may have more columns."""
    found = []
    for call in calls.values():
        kinds = [(y == 1) & (call == 1), (y == 1) & (call == 0)]
        kinds += [(y == 0) & (call == 1), (y == 0) & (call == 0)]
        cells = Cells(*(np.atleast_1d(counts[kind].sum(axis=0)) for kind in kinds))
        found.append({name: measure(name, cells) for name in ("tpr", "fpr", *DIFFERENCES)})
    return found


def compared(name, counts, **arguments):
    """The comparison of both tests: a difference, or the logarithm of a ratio."""
    one, other = values(counts, **arguments)
    if name in RATIOS:
        return np.log(one[name[:3]] / other[name[:3]])
    return one[name] - other[name]


def scale(name, row):
    """The standard error on the scale of ``compared``."""
    return row["se"] / row["estimate"] if name in RATIOS else row["se"]


@pytest.mark.parametrize("name", WANTED)
def test_standard_errors_are_those_of_the_jackknife_and_the_bootstrap(name, rng):
    row = ask(cohort(), quantities=[name]).loc[name]
    found = row["estimate"] if name in DIFFERENCES else np.log(row["estimate"])
    assert found == pytest.approx(compared(name, COHORT)[0], rel=1e-12)
    # Delete one case of each kind; a kind of k cases has k equal replicates.
    left = compared(name, COHORT[:, None] - np.eye(8))
    n = COHORT.sum()
    variance = (n - 1) / n * COHORT @ (left - COHORT @ left / n) ** 2
    assert scale(name, row) == pytest.approx(np.sqrt(variance), rel=0.01)
    drawn = compared(name, rng.multinomial(712, COHORT / n, size=20_000).T.astype(float))
    assert scale(name, row) == pytest.approx(np.std(drawn), rel=0.04)
    # in a large sample limits are Wald's, on the log scale of a ratio
    wald = compared(name, COHORT)[0] + np.array([-Z, Z]) * scale(name, row)
    wald = np.exp(wald) if name in RATIOS else wald
    assert between(row) == pytest.approx(tuple(wald), abs=0.012 * (np.ptp(wald) + 1))


def test_standard_errors_of_clusters_are_those_of_the_jackknife(rng):
    cluster = np.repeat(np.arange(60), 4)
    y = np.where(rng.random(240) < 0.4, 1, 0)
    shared = rng.normal(size=60)[cluster]
    calls = {name: (shared + rng.normal(size=240) + 1.5 * y > 0.7) * 1 for name in ("t1", "t2")}
    frame = ask(rs.Study(y, calls, cluster=cluster))
    left = np.stack([cluster != c for c in range(60)], axis=1).astype(float)
    for name in WANTED:
        row = frame.loc[name]
        replicates = compared(name, left, calls=calls, y=y)
        variance = 59 / 60 * np.sum((replicates - replicates.mean()) ** 2)
        assert scale(name, row) == pytest.approx(np.sqrt(variance), rel=0.05)
        assert row["ci_low"] < row["estimate"] < row["ci_high"]
        assert row["method"].startswith("cluster-influence/")
    # shares of clusters have no tables of pairs
    assert frame.loc["youden", "method"] == "cluster-influence/wilson-mover"


def test_limits_of_a_sum_allow_for_the_correlation_of_both_rates_in_clusters(rng):
    """Zou & Donner (2008): in some clusters the first test calls more of both classes."""
    cluster, y = np.repeat(np.arange(60), 4), np.tile([0, 1], 120)
    more, noise = rng.normal(size=60)[cluster], rng.normal(size=(2, 240))
    calls = {"t1": (2 * more + noise[0] + y > 0.5) * 1, "t2": (noise[1] + y > 0.5) * 1}
    rows = ask(rs.Study(y, calls, cluster=cluster), quantities=["tpr", "tnr", "youden"])
    tpr, tnr, youden = (rows.loc[name] for name in ("tpr", "tnr", "youden"))
    shared = (youden["se"] ** 2 - tpr["se"] ** 2 - tnr["se"] ** 2) / 2
    correlation = shared / (tpr["se"] * tnr["se"])
    assert correlation < -0.3
    for end in ("ci_low", "ci_high"):
        one, other = (row[end] - row["estimate"] for row in (tpr, tnr))
        reach = np.sqrt(one**2 + other**2 + 2 * correlation * one * other)
        assert abs(youden[end] - youden["estimate"]) == pytest.approx(reach, rel=1e-9)


def test_printed_tables_give_the_rows_their_limits():
    frame = ask(cohort())
    diseased, healthy = PairedTable(319, 78, 22, 32), PairedTable(31, 53, 22, 155)
    for name, table in (("tpr_ratio", diseased), ("fpr_ratio", healthy)):
        row = frame.loc[name]
        assert between(row) == pytest.approx((tang_limit(table, -Z), tang_limit(table, Z)))
        assert (row["null_value"], row["method"]) == (1, "tang-score/tang")
    # the test of a ratio of 1 is McNemar's asymptotic one
    plain = cohort().compare_operating_points(threshold=1, test="asymptotic")
    assert frame.loc["tpr_ratio", "p_value"] == plain["p_value"][0]
    # accuracy: right calls in all cases
    row, right = frame.loc["accuracy"], PairedTable(319 + 155, 78 + 22, 22 + 53, 32 + 31)
    assert between(row) == pytest.approx((tango_limit(right, -Z), tango_limit(right, Z)))
    assert (row["method"], row["note"]) == ("mcnemar-mid-p/tango", "study-prevalence")
    # Youden's index: distances to Tango's limits add in squares
    specificity = PairedTable(155, 22, 53, 31)
    parts = [tango_limit(table, -Z) - table.difference for table in (diseased, specificity)]
    row, half = frame.loc["youden"], frame.loc["balanced_accuracy"]
    low = diseased.difference + specificity.difference - np.hypot(*parts)
    assert row["ci_low"] == pytest.approx(low)
    assert 2 * half["ci_low"] == pytest.approx(low)
    assert row["method"] == half["method"] == "influence/tango-mover"
    assert half["p_value"] == pytest.approx(row["p_value"])
    assert (row["note"], frame.loc["mcc", "note"]) == ("", "study-prevalence")


@pytest.mark.parametrize("name", ["f1", "mcc", "youden"])
def test_the_tests_invert_the_limits(name):
    study = cohort(np.array([40, 12, 5, 6, 8, 9, 6, 30]))
    p = ask(study, quantities=[name]).loc[name, "p_value"]
    row = ask(study, quantities=[name], confidence_level=1 - p).loc[name]
    assert min(abs(row["ci_low"]), abs(row["ci_high"])) == pytest.approx(0, abs=1e-8)


def test_a_margin_of_a_sum_of_rates():
    asked = {"hypothesis": "non-inferiority", "margin": 0.1}
    row = ask(cohort(), quantities=["youden"], **asked).loc["youden"]
    assert (row["p_value"] < 0.025) == (row["ci_low"] > -0.1)
    at = ask(cohort(), quantities=["youden"], **asked | {"margin": -row["ci_low"]}).loc["youden"]
    assert at["p_value"] == pytest.approx(0.025, abs=1e-6)


@settings(max_examples=10)
@given(samples(predictors=2), st.integers(1, 11), st.integers(1, 11))
def test_limits_have_width_and_swapping_mirrors_them(data, first, second):
    y, (a, b) = data
    forward = ask(rs.Study(y, {"a": a, "b": b}), {"a": first, "b": second})
    back = ask(rs.Study(y, {"b": b, "a": a}), {"a": first, "b": second})
    for name in WANTED:
        one, other = forward.loc[name], back.loc[name]
        if one["method"] == "none/none":
            assert "no-" in one["note"] or "zero-cell" in one["note"]
            continue
        assert one["ci_low"] <= one["estimate"] <= one["ci_high"]
        assert one["ci_low"] < one["ci_high"]
        with np.errstate(divide="ignore"):
            turned = [1 / other[end] if name in RATIOS else -other[end] for end in NUMBERS[3:1:-1]]
        assert between(one) == pytest.approx(tuple(turned), rel=1e-8, abs=1e-8)
        assert one["p_value"] == pytest.approx(other["p_value"], abs=1e-9)
        assert one["statistic"] == pytest.approx(-other["statistic"], abs=1e-8)


def test_clusters_of_one_differ_from_none_by_the_small_sample_factor(rng):
    y = np.repeat([1, 0], 60)
    scores = {name: rng.normal(size=120) + y for name in "ab"}
    plain, single = (ask(rs.Study(y, scores, cluster=c), 0.5) for c in (None, np.arange(120)))
    assert single["estimate"].to_numpy() == pytest.approx(plain["estimate"].to_numpy())
    # n/(n - 1) with 60 cases of a class, 120 of both, or those that F1 is about
    assert single["se"].to_numpy() == pytest.approx(plain["se"].to_numpy(), rel=0.01)
    assert (single["se"] > plain["se"]).all()


def test_identical_and_perfect_classifiers():
    same = rs.Study([1, 0] * 2, {"a": [1, 0, 0, 1], "b": [1, 0, 0, 1]}, frequency=[8, 9, 2, 1])
    frame = ask(same)
    rows = frame.drop(["f1", "mcc"])
    assert (rows["ci_low"] < rows["ci_high"]).all()
    assert (frame["p_value"] == 1).all()
    assert (frame.loc[["f1", "mcc"], "note"] == "no-discordance; study-prevalence").all()
    perfect = rs.Study([1, 0], {"a": [1, 0], "b": [1, 0]}, frequency=[10, 12])
    frame = ask(perfect).drop("fpr_ratio")
    assert (frame["ci_low"] < frame["ci_high"]).all()
    assert (frame["p_value"] == 1).all()
    half = norm.ppf(0.975) ** 2 / 10
    assert between(frame.loc["tpr_ratio"]) == pytest.approx((1 / (1 + half), 1 + half))
    better = rs.Study([1, 0, 1], {"a": [1, 0, 1], "b": [1, 0, 0]}, frequency=[10, 12, 6])
    frame = ask(better).drop("fpr_ratio")
    assert ((frame["ci_low"] < frame["estimate"]) & (frame["estimate"] < frame["ci_high"])).all()
    assert ((frame["p_value"] > 0) & (frame["p_value"] < 0.1)).all()


def test_empty_cells_of_ratios_and_undefined_measures():
    study = rs.Study([1, 1, 0, 0], {"a": [1, 0, 0, 0], "b": [1, 1, 1, 0], "c": [0, 0, 0, 0]})
    with pytest.warns(rs.StatisticalWarning, match="no-calls"):
        frame = study.compare_operating_points(threshold=1, quantities=[*WANTED])
    pairs = frame.set_index(["predictor", "reference", "quantity"])
    a_b = pairs.loc[("a", "b", "fpr_ratio")]
    assert (a_b["estimate"], a_b["ci_low"], a_b["note"]) == (0, 0, "empty-cell; adjusted=holm")
    assert 0 < a_b["ci_high"] < np.inf
    b_c = pairs.loc[("b", "c", "tpr_ratio")]
    assert (b_c["estimate"], b_c["ci_high"]) == (np.inf, np.inf)
    assert 0 < b_c["ci_low"] < np.inf
    assert np.isnan(pairs.loc[("a", "c", "fpr_ratio"), "estimate"])
    assert np.isnan(
        pairs.loc[("a", "c", "mcc_difference"), ["estimate", "ci_low", "p_value"]].astype(float)
    ).all()
    assert pairs.loc[("a", "c", "f1_difference"), "estimate"] == pytest.approx(2 / 3)


def test_ratios_across_groups_are_koopmans():
    y, call = [1, 1, 0, 0] * 2, [1, 0, 1, 0] * 2
    study = rs.Study(y, call, frequency=[14, 6, 8, 22, 9, 11, 12, 28], group=["x"] * 4 + ["y"] * 4)
    frame = ask(study, across="groups")
    row = frame.loc["tpr_ratio"]
    # the positive likelihood ratio of 14 of 20 and 9 of 20
    table = rs.Study.from_confusion(tp=14, fn=6, fp=9, tn=11)
    known = table.operating_points(threshold=1, quantities=["lr_positive"]).iloc[0]
    for column in ("estimate", "ci_low", "ci_high", "se"):
        assert row[column] == pytest.approx(known[column], rel=1e-9)
    asymptotic = study.compare_operating_points(threshold=1, across="groups", test="asymptotic")
    assert row["p_value"] == pytest.approx(asymptotic["p_value"][0])
    # independent groups: variances add
    parts = [
        rs.Study.from_confusion(tp=tp, fn=fn, fp=fp, tn=tn).operating_points(threshold=1)
        for tp, fn, fp, tn in ((14, 6, 8, 22), (9, 11, 12, 28))
    ]
    squares = sum(part.set_index("quantity")["se"] ** 2 for part in parts)
    for name in DIFFERENCES:
        assert frame.loc[name, "se"] == pytest.approx(np.sqrt(squares[name]), rel=1e-9)
        assert frame.loc[name, "ci_low"] < frame.loc[name, "ci_high"]
    one_sided = ask(study, across="groups", alternative="greater").loc["tpr_ratio"]
    assert one_sided["ci_high"] == np.inf
    assert one_sided["p_value"] == pytest.approx(row["p_value"] / 2)


# At a sensitivity
@pytest.mark.parametrize("roles", [(), ("group",), ("cluster",)])
def test_specificities_at_a_sensitivity_are_sensitivities_of_the_swapped_labels(roles, rng):
    y = np.tile([1, 0, 0], 40)
    scores = {name: np.round(rng.normal(size=120) + y, 1) for name in "ab"}
    given = {"group": np.repeat(["x", "y"], 60), "cluster": np.arange(120) // 3}
    given = {name: given[name] for name in roles}
    across = "groups" if roles == ("group",) else "predictors"
    asked = {"n_resamples": 200, "rng": 5, "across": across}
    rate = [0.75, 0.5, 1]
    mine = rs.Study(y, scores, **given).compare_operating_points(tpr=rate, **asked)
    other = rs.Study(1 - y, scores, higher_is_positive=False, **given)
    theirs = other.compare_operating_points(fpr=[0.25, 0.5, 0], **asked)
    assert set(mine["quantity"]) == {"tnr_difference"}
    assert mine["tpr"].tolist() == rate * (len(mine) // 3)
    columns = [*NUMBERS, "p_adjusted", "n_resamples", "note"]
    assert mine[columns].equals(theirs[columns])
    assert (mine["n_pos"] == theirs["n_neg"]).all()


def test_a_specificity_at_a_sensitivity_is_a_count(rng):
    y = np.repeat([1, 0], [20, 30])
    scores = {name: rng.normal(size=50) + y for name in "ab"}
    frame = rs.Study(y, scores).compare_operating_points(tpr=[0.8, 0.9], n_resamples=100, rng=1)
    for rate, found in zip((0.8, 0.9), frame["estimate"], strict=True):
        # without ties the threshold is the score of the 16th, or the 18th, highest positive
        cuts = [np.sort(s[:20])[::-1][round(20 * rate) - 1] for s in scores.values()]
        first, second = (np.mean(s[20:] < c) for s, c in zip(scores.values(), cuts, strict=True))
        assert found == pytest.approx(first - second)
    assert (frame["ci_low"] < frame["ci_high"]).all()


def test_clusters_that_do_not_vary_and_a_single_cluster():
    y = np.tile([1, 1, 1, 0, 0, 0], 7)
    # 2 of 3 positives and 1 of 3 negatives in each cluster: sums of influence are rounding errors
    calls = {"a": np.tile([1, 1, 0, 1, 0, 0], 7), "b": np.tile([1, 0, 0, 1, 0, 0], 7)}
    for cluster in (np.repeat(np.arange(7), 6), np.zeros(42)):
        frame = ask(rs.Study(y, calls, cluster=cluster))
        rows = frame.loc[DIFFERENCES]
        assert ((rows["ci_low"] < rows["estimate"]) & (rows["estimate"] < rows["ci_high"])).all()
        assert rows["p_value"].between(0.05, 1, inclusive="neither").all()
        assert (rows["se"].isna() if cluster[-1] == 0 else rows["se"] == 0).all()
        assert frame.loc[RATIOS, ["ci_low", "ci_high"]].isna().all(axis=None)
