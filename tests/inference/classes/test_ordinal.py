"""Ordered classes: against loops over pairs and sets of cases, scipy, and the binary study."""

from __future__ import annotations

import math
from itertools import groupby, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import somersd

import rocstats as rs
from rocstats.estimate.ordinal import (
    OrdinalCounts,
    concordance_influence,
    ordinal_counts,
    volume_influence,
)
from tests.quick import each

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
ANSWER = ["estimate", "se", "ci_low", "ci_high", "df", "p_value"]


def draw(rng, n=40, classes=3):
    """Classes, each with two cases or more, and tied scores."""
    y = np.concatenate([np.arange(classes).repeat(2), rng.integers(0, classes, n - 2 * classes)])
    return y, np.round(y + 1.5 * rng.normal(size=n))


def row(frame):
    assert len(frame) == 1
    return frame.iloc[0]


def slow_concordance(y, s):
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] < y[j]]
    return float(np.mean([(s[i] < s[j]) + (s[i] == s[j]) / 2 for i, j in pairs]))


def slow_volume(y, s):
    total = number = 0.0
    for scores in product(*[s[y == k] for k in np.unique(y)]):
        number += 1
        if list(scores) == sorted(scores):
            # Of the orders of t equal scores one is that of the classes.
            total += 1 / math.prod(math.factorial(len(list(run))) for _, run in groupby(scores))
    return total / number


small = st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 3)), min_size=2, max_size=14)


@settings(max_examples=60)
@given(cases=small)
def test_estimates_are_those_of_loops_over_pairs_and_over_sets(cases):
    y, s = np.array(cases).T
    if len(np.unique(y)) < 2:
        return
    study = rs.OrdinalStudy(y, s)
    assert row(study.concordance())["estimate"] == pytest.approx(slow_concordance(y, s), abs=1e-12)
    assert row(study.vus())["estimate"] == pytest.approx(slow_volume(y, s), abs=1e-12)


@each("classes", [2, 3, 5, 9])
def test_somers_d_is_twice_the_concordance_less_one(classes, rng):
    y, s = draw(rng, 60, classes)
    found = row(rs.OrdinalStudy(y, s).concordance())
    assert 2 * found["estimate"] - 1 == pytest.approx(somersd(y, s).statistic, abs=1e-12)


def test_chance_is_one_half_and_one_over_the_number_of_orders():
    y, s = map(np.ravel, np.meshgrid(np.arange(4), np.arange(7)))
    study = rs.OrdinalStudy(y, s)
    assert row(study.concordance())["estimate"] == pytest.approx(1 / 2)
    assert row(study.vus())["estimate"] == pytest.approx(slow_volume(y, s))
    same = rs.OrdinalStudy(y, np.zeros(len(y)))
    assert row(same.vus())["estimate"] == pytest.approx(1 / 24)


# --- Standard errors ------------------------------------------------------------------------------


@each("kernel", [concordance_influence, volume_influence])
@each("classes", [2, 3, 4])
def test_influence_values_are_derivatives_in_the_weights_of_cases(kernel, classes, rng):
    y, s = draw(rng, 24, classes)
    counts = ordinal_counts(rs.OrdinalStudy(y, s), 0)
    _, influence = kernel(counts)
    for i in range(len(y)):
        values = []
        for step in (1e-5, -1e-5):
            table = counts.table.copy()
            table[counts.class_codes[i], counts.codes[i]] += step
            values.append(kernel(OrdinalCounts(table, counts.codes, counts.class_codes))[0])
        assert influence[i] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-7)


@pytest.mark.parametrize("clusters", [False, True])
def test_the_variance_of_a_concordance_is_that_of_a_ratio_of_sums_over_pairs(clusters, rng):
    y, s = draw(rng)
    unit = np.arange(40) // 3 if clusters else np.arange(40)
    found = row(rs.OrdinalStudy(y, s, cluster=unit if clusters else None).concordance())
    apart = y[:, np.newaxis] != y
    sign = np.sign((s[:, np.newaxis] - s) * (y[:, np.newaxis] - y))
    in_order = apart * (1 + sign) / 2
    residual = (in_order - found["estimate"] * apart).sum(axis=1) / (apart.sum() / 2)
    sums, n = np.bincount(unit, residual), len(np.unique(unit))
    assert found["se"] == pytest.approx(np.sqrt(n / (n - 1) * (sums**2).sum()))


def test_two_classes_have_the_area_of_a_binary_study(rng):
    y, s = draw(rng, 40, 2)
    area = row(rs.Study(y, s).auc(null_value=0.5))
    study = rs.OrdinalStudy(y, s)
    c, v = row(study.concordance(null_value=0.5)), row(study.vus(null_value=0.5))
    assert c["estimate"] == area["estimate"]
    assert c["df"] == pytest.approx(area["df"], rel=0.05)
    assert v[["estimate", "se"]].tolist() == pytest.approx(area[["estimate", "se"]].tolist())
    # The variances differ by the factors of small samples: n/(n - 1), and m/(m - 1) of each class.
    parts = []
    for k in (0, 1):
        other = s[y != k]
        placed = np.array([np.mean((other < x) + (other == x) / 2) for x in s[y == k]])
        parts.append((placed.var(), (y == k).sum()))
    assert c["se"] == pytest.approx(np.sqrt(40 / 39 * sum(var / m for var, m in parts)))
    assert area["se"] == pytest.approx(np.sqrt(sum(var / (m - 1) for var, m in parts)))


# --- Properties -----------------------------------------------------------------------------------


@each("question", ["concordance", "vus"])
def test_only_the_order_of_scores_and_of_classes_counts(question, rng):
    y, s = draw(rng)
    plain = row(getattr(rs.OrdinalStudy(y, s), question)())
    for study in (
        rs.OrdinalStudy(y, np.exp(s)),
        rs.OrdinalStudy(10.0**y, s),
        rs.OrdinalStudy(-y, -s),
        rs.OrdinalStudy(y, -s, higher_is_positive=False),
        rs.OrdinalStudy(y, s, cluster=np.arange(40)),
        rs.OrdinalStudy(np.array(["mild", "none", "bad"])[y], s, order=["mild", "none", "bad"]),
    ):
        found = row(getattr(study, question)())
        assert found[ANSWER].tolist() == pytest.approx(plain[ANSWER].tolist(), nan_ok=True)


@each("question", ["concordance", "vus"])
def test_a_frequency_is_as_many_rows(question, rng):
    y, s = draw(rng)
    times = rng.integers(1, 4, 40)
    counted = row(getattr(rs.OrdinalStudy(y, s, frequency=times), question)())
    rows = row(getattr(rs.OrdinalStudy(y.repeat(times), s.repeat(times)), question)())
    assert counted[ANSWER].tolist() == pytest.approx(rows[ANSWER].tolist(), nan_ok=True)
    assert counted["n_cases"] == times.sum()


def test_clusters_of_copies_have_the_standard_error_of_the_single_cases(rng):
    y, s = draw(rng)
    single = row(rs.OrdinalStudy(y, s).vus())
    copies = rs.OrdinalStudy(y.repeat(3), s.repeat(3), cluster=np.arange(40).repeat(3))
    for question in ("concordance", "vus"):
        single = row(getattr(rs.OrdinalStudy(y, s), question)())
        found = row(getattr(copies, question)())
        for name in ("estimate", "se"):
            assert found[name] == pytest.approx(single[name])
        assert found["method"].startswith("cluster-influence/")


# --- Limits, comparisons, groups ------------------------------------------------------------------


@each("question", ["concordance", "vus"])
def test_perfect_and_reversed_orders_have_limits(question):
    y = np.arange(3).repeat([10, 8, 12])
    for s, estimate in ((y, 1), (-y, 0)):
        found = row(getattr(rs.OrdinalStudy(y, s), question)())
        assert (found["estimate"], found["se"]) == (estimate, 0)
        assert "auc-at-boundary" in found["note"]
        assert found["ci_high"] - found["ci_low"] > 0.05


def test_limits_of_a_perfect_order_are_those_of_an_area():
    y = np.arange(3).repeat([10, 8, 12])
    # The cut below the highest class divides 30 cases into 18 and 12, the other into 10 and 20.
    cut = row(rs.Study(y == 2, y).auc())
    assert row(rs.OrdinalStudy(y, y).concordance())["ci_low"] == pytest.approx(cut["ci_low"])
    fewest = row(rs.Study([1] * 10 + [0] * 8, [1] * 10 + [0] * 8).auc())
    assert row(rs.OrdinalStudy(y, y).vus())["ci_low"] == pytest.approx(fewest["ci_low"])


def test_differences_are_those_of_influence_values(rng):
    y, s = draw(rng)
    scores = {"a": s, "b": np.round(y + 2 * rng.normal(size=40))}
    study = rs.OrdinalStudy(y, scores)
    found = row(study.compare_concordance())
    a, b = study.concordance()["estimate"]
    assert found["quantity"] == "concordance_difference"
    assert found["estimate"] == pytest.approx(a - b)
    influence = [concordance_influence(ordinal_counts(study, k))[1] for k in (0, 1)]
    u = influence[0] - influence[1]
    assert found["se"] == pytest.approx(np.sqrt(40 / 39 * (u**2).sum()))
    assert found["statistic"] == pytest.approx(found["estimate"] / found["se"])
    alike = row(rs.OrdinalStudy(y, {"a": s, "b": s}).compare_concordance())
    assert (alike["p_value"], alike["note"]) == (1, "no-discordance; few-cases")


def test_groups_are_studies_of_their_own_and_may_lack_a_class(rng):
    y, s = draw(rng)
    group = np.where(y == 2, "x", np.array(["x", "y"])[np.arange(40) % 2])
    study = rs.OrdinalStudy(y, s, group=group)
    for k, name in enumerate(("x", "y")):
        own = rs.OrdinalStudy(y[group == name], s[group == name]).concordance()
        assert study.concordance().loc[k, "estimate"] == row(own)["estimate"]
    without = study.vus().iloc[1]
    assert math.isnan(without["estimate"])
    assert "one-class" in without["note"]
    alone = rs.OrdinalStudy(y, s, group=y).concordance()
    assert alone["estimate"].isna().all()


def test_a_single_case_of_a_class_gives_no_standard_error():
    y, s = [0, 0, 0, 1, 1, 1, 2], [1, 2, 3, 2, 3, 4, 4]
    found = row(rs.OrdinalStudy(y, s).vus())
    assert math.isnan(found["se"])
    assert "single-case" in found["note"]
    assert row(rs.OrdinalStudy(y, s).concordance())["se"] > 0
    assert math.isnan(row(rs.OrdinalStudy(y[2:4], s[2:4]).concordance())["se"])


def test_scores_against_the_order_are_noted():
    y = np.arange(3).repeat(20)
    found = row(rs.OrdinalStudy(y, np.tile([1, 2], 30) - 2 * y).concordance())
    assert "below-chance" in found["note"]


# --- The study ------------------------------------------------------------------------------------


def test_classes_have_their_order():
    s = [1, 2, 3, 4]
    assert rs.OrdinalStudy([10, 9, 2, 2], s).classes == ("2", "9", "10")
    assert rs.OrdinalStudy([True, False, True, False], s).classes == ("False", "True")
    stage = pd.Categorical(["II", "I", "III", "I"], ["I", "II", "III", "IV"], ordered=True)
    assert rs.OrdinalStudy(stage, s).classes == ("I", "II", "III")
    given_order = rs.OrdinalStudy([3, 1, 2, 1], s, order=[3, 2, 1, 0])
    assert given_order.classes == ("3", "2", "1")
    assert given_order.n_of.tolist() == [1, 1, 2]
    omitted = rs.OrdinalStudy([0, 1, None, 2], [1, 2, 3, np.nan], nan_policy="omit")
    assert omitted.classes == ("0", "1")
    assert "rows-dropped=2" in row(omitted.concordance())["note"]


@each(
    ("arguments", "message"),
    [
        ({"y_true": ["a", "b", "c"]}, "`order` must be given for labels that are not numbers"),
        ({"y_true": ["1", "2", "10"]}, "`order` must be given for labels that are not numbers"),
        ({"y_true": ["a", "b", "c"], "order": ["a", "b"]}, "`order` must name every label"),
        (
            {"y_true": ["a", "b", "a"], "order": ["a", "b", "a"]},
            "`order` must name each label once",
        ),
        ({"y_true": [1, 1, 1]}, "`y_true` must have 2 to 100 classes; got 1"),
        ({"y_true": [1, 2, np.inf]}, "`y_true` must be finite numbers"),
        ({"y_true": [1, 2, np.nan]}, "`y_true` must have no missing values"),
        ({"y_true": [1, 2, 3], "higher_is_positive": "yes"}, "`higher_is_positive` must be"),
    ],
)
def test_wrong_studies_are_refused(arguments, message):
    with pytest.raises(rs.InputError, match=message):
        rs.OrdinalStudy(**{"y_score": [1, 2, 3], **arguments})


def test_weights_and_folds_are_no_arguments():
    for role in ("sample_weight", "fold"):
        with pytest.raises(TypeError, match=role):
            rs.OrdinalStudy([0, 1, 2], [1, 2, 3], **{role: [1, 1, 2]})


def test_more_than_five_classes_have_no_volume(rng):
    y, s = draw(rng, 40, 6)
    with pytest.raises(rs.InputError, match="`y_true` must have at most 5 classes"):
        rs.OrdinalStudy(y, s).vus()


def test_tables_say_what_is_compared(rng):
    y, s = draw(rng)
    study = rs.OrdinalStudy(y, {"a": s, "b": -s})
    assert "Concordance (95% CI)" in rs.format_table(study.concordance()).columns
    assert "Volume under the ROC surface (95% CI)" in rs.format_table(study.vus()).columns
    table = rs.format_table(study.compare_concordance())
    assert "Difference in concordance (95% CI)" in table.columns
