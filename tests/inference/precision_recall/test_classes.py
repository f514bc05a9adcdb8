"""Average precision of several classes: binary studies, loops, derivatives in weights, roles."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import rocstats as rs
from rocstats.inference.precision_recall.classes import MEAN_PRECISIONS, class_precisions
from tests.quick import each
from tests.strategies import multiclass_samples

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
NUMBERS = ["estimate", "se", "ci_low", "ci_high"]


def draw(rng, n=36, gain=1.0, digits=0):
    """Return labels of three unequal classes, and tied scores for each."""
    y = rng.permutation(np.repeat([0, 1, 2], [n // 2, n // 3, n - n // 2 - n // 3]))
    return y, np.round(rng.normal(size=(n, 3)) + gain * np.eye(3)[y], digits)


def means_of(study):
    """The rows of all classes by quantity."""
    found = study.average_precision()
    return found[found["class"] == "all"].set_index("quantity")


def average_precision(positive, score, w):
    """Average precision of weighted decisions, by a loop over distinct scores."""
    total, value = np.sum(w[positive]), 0.0
    for cut in np.unique(score):
        called = score >= cut
        at = (score == cut) & positive
        value += np.sum(w[at]) / total * np.sum(w[called & positive]) / np.sum(w[called])
    return value


def weighted_means(y, scores, w):
    """The three means of weighted cases, by loops."""
    classes = range(scores.shape[1])
    each_class = [average_precision(y == k, scores[:, k], w) for k in classes]
    size = [np.sum(w[y == k]) for k in classes]
    own = y[:, np.newaxis] == np.array(classes)
    decisions = np.repeat(w[:, np.newaxis], len(classes), axis=1)
    micro = average_precision(own.ravel(), scores.ravel(), decisions.ravel())
    return np.array([np.mean(each_class), np.average(each_class, weights=size), micro])


@settings(max_examples=15)
@given(multiclass_samples())
def test_influence_is_the_derivative_in_the_weights(sample):
    labels, columns = sample
    y = np.unique(labels, return_inverse=True)[1]
    scores = np.asarray(list(columns.values()) if isinstance(columns, dict) else columns).T
    cases = rs.MulticlassStudy(y, scores).cases
    found, h, ones = class_precisions(cases, 0), 1e-5, np.ones(len(y))
    np.testing.assert_allclose(found.means, weighted_means(y, scores, ones), atol=1e-12)
    for i, row in enumerate(np.eye(len(y))):
        ends = [weighted_means(y, scores, ones + sign * h * row) for sign in (1, -1)]
        np.testing.assert_allclose(found.influence[:, i], (ends[0] - ends[1]) / (2 * h), atol=1e-7)


ROLES = {
    "plain": lambda rng, n: {},
    "frequency": lambda rng, n: {"frequency": rng.integers(1, 4, n)},
    "cluster": lambda rng, n: {"cluster": rng.integers(0, n // 3, n)},
    "fold": lambda rng, n: {"fold": np.arange(n) % 2},
    "fold and cluster": lambda rng, n: {"fold": np.arange(n) % 2, "cluster": np.arange(n) // 3},
    "group": lambda rng, n: {"group": np.arange(n) % 2},
}


@pytest.mark.parametrize("role", ROLES)
def test_a_class_is_the_binary_study_of_it_against_the_rest(role, rng):
    y, scores = draw(rng, 90, digits=1)
    roles = ROLES[role](rng, len(y))
    found = rs.MulticlassStudy(y, scores, **roles).average_precision()
    shared = [*NUMBERS, "prevalence", "n_pos", "n_neg"]
    for k in range(3):
        binary = rs.Study(y == k, scores[:, k], **roles).average_precision()
        expected = binary[binary["quantity"] == "average_precision"].reset_index(drop=True)
        ours = found[found["class"] == str(k)].reset_index(drop=True)
        np.testing.assert_array_equal(ours[shared], expected[shared])
        assert ours[["method", "note"]].equals(expected[["method", "note"]])


def test_limits_of_a_mean_are_t_limits_on_the_logit_scale(rng):
    y, scores = draw(rng)
    row = means_of(rs.MulticlassStudy(y, scores)).loc["macro_average_precision"]
    u = np.empty(len(y))  # derivatives of the loop
    for i, one in enumerate(np.eye(len(y))):
        ends = [weighted_means(y, scores, 1 + sign * 1e-5 * one)[0] for sign in (1, -1)]
        u[i] = (ends[0] - ends[1]) / 2e-5
    n, parts, dfs = len(y), [], []
    for k in range(3):
        own = u[y == k]
        parts.append(np.sum(own**2) * n / (n - 1))
        df = 2 / (np.sum(own**4) / np.sum(own**2) ** 2 - 1 / len(own))
        dfs.append(min(df, len(own) - 1))
    se, a = np.sqrt(np.sum(parts)), row["estimate"]
    df = np.sum(parts) ** 2 / np.sum(np.array(parts) ** 2 / dfs)
    assert row["se"] == pytest.approx(se, rel=1e-6)
    reach = stats.t.ppf(0.975, df) * se / (a * (1 - a))
    expected = [1 / (1 + np.exp(-(np.log(a / (1 - a)) + sign * reach))) for sign in (-1, 1)]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(expected, rel=1e-5)
    assert row["method"] == "cohort-influence/logit-t"


def test_frequencies_clusters_and_folds_of_means(rng):
    y, scores = draw(rng, 90, digits=1)
    n, plain = len(y), means_of(rs.MulticlassStudy(y, scores))[NUMBERS]
    times = rng.integers(1, 4, n)
    rows = np.repeat(np.arange(n), times)
    counted = means_of(rs.MulticlassStudy(y, scores, frequency=times))[NUMBERS]
    listed = means_of(rs.MulticlassStudy(y[rows], scores[rows]))[NUMBERS]
    np.testing.assert_allclose(counted, listed, rtol=1e-9)
    alone = means_of(rs.MulticlassStudy(y, scores, cluster=np.arange(n)))[NUMBERS]
    np.testing.assert_allclose(alone, plain, rtol=1e-9)
    # Each case written twice: the same estimates and clusters.
    twice = rs.MulticlassStudy(
        np.tile(y, 2), np.tile(scores, (2, 1)), cluster=np.tile(np.arange(n), 2)
    )
    np.testing.assert_allclose(means_of(twice)[NUMBERS], plain, rtol=1e-9)
    fold = np.arange(n) % 2
    halves = [means_of(rs.MulticlassStudy(y[fold == v], scores[fold == v])) for v in (0, 1)]
    folded = means_of(rs.MulticlassStudy(y, scores, fold=fold))
    for name in ("macro_average_precision", "micro_average_precision"):
        rows_of = [half.loc[name] for half in halves]
        mean = np.mean([row["estimate"] for row in rows_of])
        se = np.sqrt(sum(row["se"] ** 2 for row in rows_of)) / 2
        assert folded.loc[name, ["estimate", "se"]].tolist() == pytest.approx([mean, se])


def test_weights_have_estimates_alone(rng):
    y, scores = draw(rng)
    w = rng.uniform(0.5, 2, len(y))
    found = rs.MulticlassStudy(y, scores, sample_weight=w).average_precision()
    assert found["ci_low"].isna().all()
    assert found["note"].str.startswith("weights-need-bootstrap").all()
    np.testing.assert_allclose(found["estimate"][3:], weighted_means(y, scores, w), rtol=1e-12)
    with pytest.raises(rs.InputError, match="`sample_weight` must stay None"):
        rs.MulticlassStudy(
            y, {"a": scores, "b": scores}, sample_weight=w
        ).compare_average_precision()


def test_edges_have_limits_with_a_width_or_none():
    y = np.repeat([0, 1, 2], [4, 9, 30])
    perfect = rs.MulticlassStudy(y, np.eye(3)[y]).average_precision()
    assert (perfect["estimate"] == 1).all()
    assert perfect["ci_high"].tolist() == pytest.approx([1] * 6, abs=1e-12)
    assert (perfect["ci_low"] < 1).all()
    means = perfect.set_index("quantity")
    # All cases stand behind the pooled decisions, the smallest class behind a mean.
    low = means["ci_low"]
    assert low["micro_average_precision"] > low["macro_average_precision"]
    single = rs.MulticlassStudy([0, 0, 1, 1, 2], np.eye(3)[[0, 1, 1, 1, 2]]).average_precision()
    all_classes = single[single["class"] == "all"]
    assert all_classes["note"].str.startswith("single-unit").all()
    assert all_classes["ci_low"].isna().all()
    group = np.where((y == 2) | (np.arange(43) % 2 == 0), "u", "v")
    lacking = rs.MulticlassStudy(y, np.eye(3)[y], group=group).average_precision()
    rows = lacking[(lacking["group"] == "v") & lacking["class"].isin(["2", "all"])]
    assert rows["estimate"].isna().all()
    assert rows["note"].str.startswith("one-class").all()


# --- Differences ----------------------------------------------------------------------------------


@pytest.mark.parametrize("quantity", MEAN_PRECISIONS)
def test_a_difference_has_the_variance_of_paired_influences(quantity, rng):
    y, one = draw(rng)
    two = np.round(one + rng.normal(0, 0.7, one.shape))
    study = rs.MulticlassStudy(y, {"one": one, "two": two})
    found = study.compare_average_precision(quantity=quantity).iloc[0]
    q = MEAN_PRECISIONS.index(quantity)
    gap, u, ones = 0.0, np.empty(len(y)), np.ones(len(y))
    for sign, scores in ((1, one), (-1, two)):
        gap += sign * weighted_means(y, scores, ones)[q]
    for i, row in enumerate(np.eye(len(y))):
        ends = [
            weighted_means(y, one, 1 + h * row)[q] - weighted_means(y, two, 1 + h * row)[q]
            for h in (1e-5, -1e-5)
        ]
        u[i] = (ends[0] - ends[1]) / 2e-5
    assert found["estimate"] == pytest.approx(gap, abs=1e-12)
    assert found["se"] == pytest.approx(np.sqrt(np.sum(u**2) * 36 / 35), rel=1e-5)
    assert found["statistic"] == pytest.approx(gap / found["se"])
    assert found["p_value"] == pytest.approx(2 * stats.t.sf(abs(found["statistic"]), found["df"]))
    back = study.compare_average_precision(quantity=quantity, reference="one").iloc[0]
    assert back["estimate"] == -found["estimate"]
    assert back["ci_low"] == pytest.approx(-found["ci_high"])


def test_two_classes_are_the_binary_comparison(rng):
    y = rng.permutation(np.repeat([0, 1], [36, 24]))
    scores = {name: rng.integers(0, 8, 60) + gain * y for name, gain in (("a", 3.0), ("b", 1.0))}
    binary = rs.Study(y, scores).compare_average_precision().iloc[0]
    # Both classes have the same area only by accident: the mean is of the two binary studies.
    other = rs.Study(1 - y, {name: -s for name, s in scores.items()})
    mirrored = other.compare_average_precision().iloc[0]
    tables = {name: np.column_stack([-s, s]) for name, s in scores.items()}
    found = rs.MulticlassStudy(y, tables).compare_average_precision().iloc[0]
    mean = (binary["estimate"] + mirrored["estimate"]) / 2
    assert found["estimate"] == pytest.approx(mean, abs=1e-12)
    assert found["se"] <= (binary["se"] + mirrored["se"]) / 2 + 1e-12


def test_hypotheses_and_adjustment(rng):
    y, scores = draw(rng, gain=1.5)
    tables = {
        name: scores + rng.normal(0, sd, scores.shape)
        for name, sd in zip("abc", (0, 1, 1.2), strict=True)
    }
    study = rs.MulticlassStudy(y, tables)
    found = study.compare_average_precision()
    assert found[["predictor", "reference"]].to_numpy().tolist() == [
        list("ab"),
        list("ac"),
        list("bc"),
    ]
    assert (found["p_adjusted"] >= found["p_value"]).all()
    margin = study.compare_average_precision(
        reference="b", hypothesis="non-inferiority", margin=0.1
    )
    t = (margin["estimate"] + 0.1) / margin["se"]
    np.testing.assert_allclose(margin["p_value"], stats.t.sf(t, margin["df"]), rtol=1e-9)


def test_identical_and_perfect_classifiers(rng):
    y, scores = draw(rng)
    same = rs.MulticlassStudy(y, {"a": scores, "b": 2 * scores + 1}).compare_average_precision()
    assert same["p_value"][0] == 1
    assert np.isnan(same["ci_low"][0])
    assert same["note"][0].startswith("identical-predictors")
    perfect = {"a": np.eye(3)[y], "b": 2 * np.eye(3)[y] + np.linspace(0, 1, 36)[:, np.newaxis]}
    found = rs.MulticlassStudy(y, perfect).compare_average_precision().iloc[0]
    assert found["estimate"] == 0
    assert -0.3 < found["ci_low"] < 0 < found["ci_high"] < 0.3
    assert "precision-at-boundary" in found["note"]


MESSAGES = [
    ({"quantity": "average_precision"}, "`quantity` must be one of"),
    ({"hypothesis": "equivalence"}, "`margin` must be given"),
    ({"reference": "c"}, "`reference` must be"),
    ({}, "`fold` must have every class in every fold"),
]


@each(("asked", "message"), MESSAGES)
def test_message(asked, message, rng):
    y, scores = draw(rng)
    study = rs.MulticlassStudy(y, {"a": scores, "b": scores}, fold=(y == 1).astype(int))
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.compare_average_precision(**asked)
    with pytest.raises(rs.InputError, match="two or more predictors"):
        rs.MulticlassStudy(y, scores).compare_average_precision()
