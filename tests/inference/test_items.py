"""Accuracies of systems on the same items, and their differences, by slow loops and statsmodels."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from tests.quick import each

counts = st.integers(0, 40)


def study_of(both: int, first: int, second: int, neither: int) -> rs.ItemStudy:
    """Two systems with so many items right by both, by one alone, by neither."""
    score = {"a": [1, 1, 0, 0], "b": [1, 0, 1, 0]}
    return rs.ItemStudy(score, frequency=[both, first, second, neither])


def answer(study: rs.ItemStudy, **options: Any) -> Any:
    """The row of the only pair."""
    return study.compare_accuracy(**options).iloc[0]


# --- Right or wrong, independent items ------------------------------------------------------------


def mid_p(b: int, c: int) -> float:
    """McNemar's mid-p value as a sum of fractions."""
    n = b + c
    chance = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    tail = sum(chance[: min(b, c) + 1]) - chance[min(b, c)] / 2
    return float(min(Fraction(1), 2 * tail))


def tango_z(b: int, c: int, n: int, t: float) -> float:
    """Tango's z, the share of the second alone found by trying the likelihood on a fine grid."""
    # l = b log(q + t) + c log q + (n - b - c) log(1 - 2q - t), q the share of the second alone.
    low, high = max(0.0, -t), (1 - t) / 2
    for _ in range(12):
        grid = np.linspace(low, high, 101)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = [(b, grid + t), (c, grid), (n - b - c, 1 - 2 * grid - t)]
            like = sum(k * np.log(p) for k, p in parts if k)
        best = int(np.nanargmax(like)) if np.ndim(like) else 0
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 100)]
    q = (low + high) / 2
    return float((b - c - n * t) / np.sqrt(n * (2 * q + t - t**2)))


@settings(max_examples=25)
@given(both=counts, first=counts, second=counts, neither=counts)
def test_the_p_value_is_mcnemars(both, first, second, neither):
    if both + first + second + neither == 0:
        return
    study = study_of(both, first, second, neither)
    exact = mcnemar([[both, first], [second, neither]], exact=True).pvalue
    assert answer(study, test="exact")["p_value"] == pytest.approx(exact, rel=1e-9)
    assert answer(study)["p_value"] == pytest.approx(mid_p(first, second), rel=1e-9)
    if first + second:
        chi = mcnemar([[both, first], [second, neither]], exact=False, correction=False).pvalue
        assert answer(study, test="asymptotic")["p_value"] == pytest.approx(chi, rel=1e-9)
        one = stats.binomtest(first, first + second, 0.5, alternative="greater").pvalue
        greater = answer(study, test="exact", alternative="greater")["p_value"]
        assert greater == pytest.approx(one, rel=1e-9)


@each("table", [(108, 32, 14, 66), (5, 3, 0, 2), (20, 1, 9, 0), (90, 5, 5, 0), (1, 1, 1, 30)])
def test_the_limits_are_tangos(table):
    n, (_, b, c, _) = sum(table), table
    row = answer(study_of(*table))
    for limit, z in (("ci_low", stats.norm.ppf(0.975)), ("ci_high", -stats.norm.ppf(0.975))):
        end = row["estimate"], (-1 if limit == "ci_low" else 1) * (1 - 1e-9)
        slow = brentq(lambda t, z=z: tango_z(b, c, n, t) - z, *end)
        assert row[limit] == pytest.approx(slow, abs=1e-6)


@settings(max_examples=25)
@given(both=counts, first=counts, second=counts, neither=counts)
def test_the_accuracy_is_a_share_with_wilsons_limits(both, first, second, neither):
    n = both + first + second + neither
    if n == 0:
        return
    found = study_of(both, first, second, neither).accuracy()
    for k, right in enumerate((both + first, both + second)):
        limits = proportion_confint(right, n, method="wilson")
        assert found.loc[k, "estimate"] == pytest.approx(right / n)
        assert found.loc[k, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits, abs=1e-12)
        assert found.loc[k, "n_effective"] == n
        assert found.loc[k, "ci_low"] < found.loc[k, "ci_high"]


def test_counts_of_items_are_those_on_which_systems_differ():
    row = answer(study_of(108, 32, 14, 66))
    assert (row["n_better"], row["n_worse"], row["n_items"]) == (32, 14, 220)
    assert math.isnan(row["n_clusters"])
    assert row["quantity"] == "accuracy_difference"


def test_two_systems_that_never_differ_have_limits():
    row = answer(study_of(15, 0, 0, 5))
    assert (row["estimate"], row["p_value"]) == (0, 1)
    # Tango's limits without discordant items: z^2 / (n + z^2).
    z2 = stats.norm.ppf(0.975) ** 2
    assert row["ci_high"] == pytest.approx(z2 / (20 + z2))
    assert row["ci_low"] == -row["ci_high"]


@settings(max_examples=25)
@given(both=counts, first=counts, second=counts, neither=counts, margin=st.floats(0.01, 0.5))
def test_a_claim_holds_where_the_limit_is_beyond_the_margin(both, first, second, neither, margin):
    if both + first + second + neither == 0:
        return
    study = study_of(both, first, second, neither)
    no_worse = answer(study, hypothesis="non-inferiority", margin=margin)
    assert no_worse["null_value"] == -margin
    if abs(no_worse["ci_low"] + margin) > 1e-9:
        assert (no_worse["p_value"] < 0.025) == (no_worse["ci_low"] > -margin)
    alike = answer(study, hypothesis="equivalence", margin=margin)
    assert alike["confidence_level"] == pytest.approx(0.9)
    inside = alike["ci_low"] > -margin and alike["ci_high"] < margin
    if min(abs(alike["ci_low"] + margin), abs(alike["ci_high"] - margin)) > 1e-9:
        assert (alike["p_value"] < 0.05) == inside


@settings(max_examples=25)
@given(both=counts, first=counts, second=counts, neither=counts)
def test_exchanged_systems_have_the_opposite_difference(both, first, second, neither):
    if both + first + second + neither == 0:
        return
    one = answer(study_of(both, first, second, neither))
    other = answer(study_of(both, second, first, neither))
    assert one["estimate"] == -other["estimate"]
    assert one["p_value"] == pytest.approx(other["p_value"])
    assert [one["ci_low"], one["ci_high"]] == pytest.approx([-other["ci_high"], -other["ci_low"]])


def test_the_numbers_are_those_of_a_study_of_positives_and_negatives(rng):
    truth, a, b = (rng.random((3, 60)) < [[0.4], [0.5], [0.6]]).astype(int)
    ours = answer(rs.ItemStudy({"a": truth == a, "b": truth == b}))
    theirs = rs.Study(truth, {"a": a, "b": b}).compare_operating_points(
        threshold=1, quantities=["accuracy"]
    )
    shared = ["estimate", "ci_low", "ci_high", "p_value", "se", "statistic", "method"]
    assert ours[shared].tolist() == theirs.loc[0, shared].tolist()


# --- Grades, and clusters -------------------------------------------------------------------------


def draw_grades(rng: np.random.Generator, n: int = 40) -> dict[str, np.ndarray]:
    """Grades of two systems, some of them equal."""
    skill = rng.random(n)
    return {name: np.round(np.minimum(skill + rng.random(n) / 2, 1), 1) for name in "ab"}


def assert_tails_beyond_t_limits(row: pd.Series, *, estimate: float) -> None:
    """Assert .025 beyond each limit, by SciPy's tail: its t quantile had 8 digits until 1.12."""
    for reach in (row["ci_high"] - estimate, estimate - row["ci_low"]):
        assert stats.t.sf(reach / row["se"], row["df"]) == pytest.approx(0.025, rel=1e-9)


def test_grades_are_compared_by_the_paired_t_test(rng):
    score = draw_grades(rng)
    row = answer(rs.ItemStudy(score))
    theirs = stats.ttest_rel(score["a"], score["b"])
    assert row["quantity"] == "mean_score_difference"
    assert row["method"] == "influence/wald-t"
    expected = [theirs.statistic, theirs.df, theirs.pvalue]
    assert row[["statistic", "df", "p_value"]].tolist() == pytest.approx(expected, rel=1e-9)
    assert_tails_beyond_t_limits(row, estimate=(score["a"] - score["b"]).mean())
    greater = answer(rs.ItemStudy(score), alternative="greater")
    one = stats.ttest_rel(score["a"], score["b"], alternative="greater").pvalue
    assert greater["p_value"] == pytest.approx(one, rel=1e-9)


@each("kind", ["right", "graded"])
@pytest.mark.parametrize("size", [1, 4])
def test_standard_errors_of_clusters_are_those_of_statsmodels(kind, size, rng):
    score = draw_grades(rng)
    if kind == "right":
        score = {name: (one > 0.5).astype(int) for name, one in score.items()}
    cluster = np.arange(40) // size
    study = rs.ItemStudy(score, cluster=cluster)
    ones = np.ones(40)
    for k, one in enumerate(score.values()):
        fit = OLS(one, ones).fit(cov_type="cluster", cov_kwds={"groups": cluster})
        assert study.accuracy().loc[k, "se"] == pytest.approx(fit.bse[0], rel=1e-9)
    fit = OLS(score["a"] - score["b"], ones).fit(
        cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True
    )
    row = answer(study)
    expected = [fit.params[0], fit.bse[0], fit.tvalues[0], fit.pvalues[0]]
    found = row[["estimate", "se", "statistic", "p_value"]].tolist()
    assert found == pytest.approx(expected, rel=1e-9)
    assert_tails_beyond_t_limits(row, estimate=fit.params[0])
    assert row["df"] == 40 / size - 1


def test_unequal_clusters_have_fewer_degrees_of_freedom(rng):
    score, cluster = draw_grades(rng), np.repeat(np.arange(8), [19, 9, 4, 3, 2, 1, 1, 1])
    row = answer(rs.ItemStudy(score, cluster=cluster))
    sizes = np.bincount(cluster)
    # Carter, Schnepel & Steigerwald 2017: shares of the variance go with squared sizes.
    equal = (sizes**2).sum() ** 2 / (sizes**4).sum()
    assert row["df"] == pytest.approx(max(equal - 1, 1))
    assert row["note"] == "few-item-clusters"


def test_limits_of_a_mean_are_wilsons_of_an_effective_number(rng):
    score, cluster = draw_grades(rng), np.arange(40) // 5
    found = rs.ItemStudy(score, cluster=cluster).accuracy()
    for k, one in enumerate(score.values()):
        sums = np.bincount(cluster, one - one.mean()) / 40
        size = one.mean() * (1 - one.mean()) / (8 / 7 * (sums**2).sum())
        limits = proportion_confint(one.mean() * size, size, method="wilson")
        assert found.loc[k, "n_effective"] == pytest.approx(size)
        assert found.loc[k, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits)
    alone = rs.ItemStudy(score).accuracy()
    for k, one in enumerate(score.values()):
        mean, variance = one.mean(), one.var(ddof=1) / 40
        size, t = mean * (1 - mean) / variance, stats.t.ppf(0.975, 39)
        alpha = 2 * stats.norm.sf(t)  # statsmodels takes the level of a normal quantile
        limits = proportion_confint(mean * size, size, alpha, method="wilson")
        assert alone.loc[k, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits)


def test_accuracies_of_clusters_are_those_of_a_study_of_positives_and_negatives(rng):
    truth, a, b = (rng.random((3, 60)) < [[0.4], [0.5], [0.6]]).astype(int)
    cluster = np.sqrt(np.arange(60) * 5).astype(int)
    score = {"a": truth == a, "b": truth == b}
    ours = rs.ItemStudy(score, cluster=cluster).accuracy()
    theirs = rs.Study(truth, {"a": a, "b": b}, cluster=cluster).operating_points(
        threshold=1, quantities=["accuracy"]
    )
    for name in ("estimate", "se", "ci_low", "ci_high", "n_effective", "method"):
        assert ours[name].tolist() == pytest.approx(theirs[name].tolist()), name


def test_samples_as_clusters_have_the_mean_of_averaged_samples(rng):
    right = (rng.random((30, 4)) < rng.random((30, 1))).astype(int)
    rows = pd.DataFrame({"right": right.ravel(), "item": np.repeat(np.arange(30), 4)})
    averaged = rs.ItemStudy({"a": right.mean(axis=1)}).accuracy().iloc[0]
    clustered = rs.ItemStudy("right", data=rows, cluster="item").accuracy().iloc[0]
    assert clustered["estimate"] == pytest.approx(averaged["estimate"])
    # Items of as many samples each: the same standard error, from items either way.
    assert clustered["se"] == pytest.approx(averaged["se"])


# --- Several systems, groups, notes ---------------------------------------------------------------


def test_pairs_and_their_adjustment(rng):
    score = {name: rng.random(80) < p for name, p in zip("abc", (0.9, 0.7, 0.6), strict=True)}
    study = rs.ItemStudy(score)
    every = study.compare_accuracy()
    assert list(zip(every["predictor"], every["reference"], strict=True)) == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
    order = every["p_value"].rank().astype(int)
    steps = (every["p_value"] * (4 - order)).sort_values().cummax().clip(upper=1)
    assert every.loc[steps.index, "p_adjusted"].tolist() == pytest.approx(steps.tolist())
    to_b = study.compare_accuracy(reference="b", adjust="none")
    assert to_b["predictor"].tolist() == ["a", "c"]
    assert (to_b["p_value"] == to_b["p_adjusted"]).all()


def test_groups_are_studies_of_their_own(rng):
    score = {name: rng.random(60) < p for name, p in (("a", 0.8), ("b", 0.6))}
    topic = np.array(["law", "code", "law"])[np.arange(60) % 3]
    found = rs.ItemStudy(score, group=topic).compare_accuracy(adjust="none")
    assert found["group"].tolist() == ["law", "code"]
    for row, name in zip(found.itertuples(), ("law", "code"), strict=True):
        part = {key: one[topic == name] for key, one in score.items()}
        own = rs.ItemStudy(part).compare_accuracy(adjust="none").loc[0]
        assert (row.estimate, row.p_value, row.ci_low) == (
            own["estimate"], own["p_value"], own["ci_low"],
        )  # fmt: skip


@each(
    ("study", "code"),
    [
        ({"score": {"a": [0.5], "b": [0.7]}}, "one-item"),
        ({"score": {"a": [1, 0], "b": [0, 0]}, "cluster": [7, 7]}, "one-item"),
        ({"score": {"a": [0.5, 0.7] * 9, "b": [0.7, 0.1] * 9}}, "few-items"),
        ({"score": {"a": [0.5, 0.7] * 20, "b": [0.5, 0.7] * 20}}, "no-discordance"),
        ({"score": {"a": [0.5, 0.7] * 20, "b": [0.6, 0.8] * 20}}, "no-variance"),
        ({"score": {"a": [1, 0], "b": [0, 0]}, "cluster": [1, 2]}, "few-item-clusters"),
    ],
)
def test_what_is_doubtful_or_undefined_is_noted(study, code):
    with pytest.warns(rs.StatisticalWarning, match=code):
        row = answer(rs.ItemStudy(**study))
    assert code in row["note"]
    if code not in ("few-items", "few-item-clusters"):
        assert math.isnan(row["ci_low"])
    assert row["ci_low"] != row["ci_high"]


@each(
    ("options", "message"),
    [
        ({"test": "exact"}, "`test` must stay None for grades"),
        ({"interval": "tango"}, "`interval` must stay None for grades"),
        ({"reference": "c"}, "`reference` must be"),
        ({"hypothesis": "equivalence"}, "`margin` must be given"),
        ({"adjust": "sidak"}, "`adjust` must be"),
        ({"confidence_level": 95}, "`confidence_level` must be"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, message):
    with pytest.raises(rs.InputError, match=message):
        rs.ItemStudy({"a": [0.5, 1], "b": [1, 0]}).compare_accuracy(**options)


def test_clusters_and_margins_have_one_test_and_one_system_has_no_comparison():
    study = rs.ItemStudy({"a": [0, 1], "b": [1, 0]}, cluster=[1, 2])
    with pytest.raises(rs.InputError, match="`test` must stay None when the study has clusters"):
        study.compare_accuracy(test="mid-p")
    with pytest.raises(rs.InputError, match="`test` must stay None for the hypothesis"):
        rs.ItemStudy({"a": [0, 1], "b": [1, 0]}).compare_accuracy(
            test="mid-p", hypothesis="superiority"
        )
    with pytest.raises(rs.InputError, match="`score` must hold two"):
        rs.ItemStudy([0, 1]).compare_accuracy()


def test_tables_and_figures_say_what_was_compared():
    study = study_of(108, 32, 14, 66)
    table = rs.format_table(study.compare_accuracy())
    assert table.columns.tolist() == [
        "System", "Reference", "Difference in accuracy (95% CI)", "P value", "Better", "Worse",
        "Items",
    ]  # fmt: skip
    assert "mid-P McNemar" in " ".join(table.attrs["rocstats"]["footnotes"])
    assert rs.format_table(study.accuracy()).columns.tolist() == [
        "System", "Accuracy (95% CI)", "Items",
    ]  # fmt: skip
    assert rs.plot_forest(study.compare_accuracy()).get_xlabel() == "Difference in accuracy"
    assert rs.brief(study.compare_accuracy())["quantity"].tolist() == ["Difference in accuracy"]


def test_equal_grades_have_their_value_whatever_the_numbers_of_items(rng):
    """The sum of 110 097 times 1 - 2^-53 is rounded, their mean is not."""
    near = 1 - 2.0**-53
    times = rng.choice([1, 2, 5, 10_000], 60)
    study = rs.ItemStudy({"a": [near] * 60, "b": [0.3] * 60}, frequency=times)
    frame = study.accuracy()
    assert frame["estimate"].tolist() == [near, 0.3]
    assert frame["n_effective"].tolist() == [times.sum()] * 2
