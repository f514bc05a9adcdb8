from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f as f_law

import rocstats as rs
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal
from tests.strategies import samples, whole_numbers


def stratified(study, **arguments):
    return study.stratified_auc(**arguments).iloc[0]


def pairs_inside(y, score, group):
    """All pairs of a positive and a negative of the same group, by loops."""
    values = [
        (1 + np.sign(score[i] - score[j])) / 2
        for i in range(len(y))
        for j in range(len(y))
        if y[i] == 1 and y[j] == 0 and group[i] == group[j]
    ]
    return np.mean(values) if values else np.nan


def clustered_by_loops(y, score, group, cluster):
    """Obuchowski's sums in each stratum, weighted, added up by cluster."""
    names = sorted(set(cluster))
    sums = {part: dict.fromkeys(names, 0.0) for part in ("a", "b", "a_cross", "b_cross")}
    total = sum(np.sum(y[group == g] == 1) * np.sum(y[group == g] == 0) for g in set(group))
    for g in set(group):
        inside = group == g
        k = oracles.kernel(y[inside], score[inside])
        m, n = k.shape
        share = m * n / total
        of_pos, of_neg = cluster[inside & (y == 1)], cluster[inside & (y == 0)]
        i10, i01, i = len(set(of_pos)), len(set(of_neg)), len(set(cluster[inside]))
        for c in names:
            a = share * np.sum((k.mean(axis=1) - k.mean())[of_pos == c]) / m
            b = share * np.sum((k.mean(axis=0) - k.mean())[of_neg == c]) / n
            sums["a"][c] += a * np.sqrt(i10 / (i10 - 1))
            sums["b"][c] += b * np.sqrt(i01 / (i01 - 1))
            sums["a_cross"][c] += a * np.sqrt(i / (i - 1))
            sums["b_cross"][c] += b * np.sqrt(i / (i - 1))
    return sum(
        sums["a"][c] ** 2 + sums["b"][c] ** 2 + 2 * sums["a_cross"][c] * sums["b_cross"][c]
        for c in names
    )


@st.composite
def grouped(draw, least=2):
    """Two or three groups, each with ``least`` cases of both classes; no cluster spans groups."""
    parts = [draw(samples(least=least, most=6)) for _ in range(draw(st.integers(2, 3)))]
    y = np.concatenate([labels for labels, _ in parts])
    score = np.concatenate([scores[0] for _, scores in parts])
    group = np.repeat(np.arange(len(parts)), [len(labels) for labels, _ in parts])
    return y, score, group


# Stratified areas


@given(grouped())
def test_estimate_and_variance_equal_their_definitions(data):
    y, score, group = data
    row = stratified(rs.Study(y, score, group=group))
    assert row["estimate"] == pytest.approx(pairs_inside(y, score, group), abs=1e-12)
    pairs = np.array([np.prod(np.bincount(y[group == g])) for g in np.unique(group)])
    variances = [
        oracles.delong_covariance(y[group == g], [score[group == g]])[0, 0]
        for g in np.unique(group)
    ]
    expected = np.dot((pairs / pairs.sum()) ** 2, variances)
    assert row["se"] ** 2 == pytest.approx(expected, abs=1e-13)


@given(samples(), st.sampled_from(["logit", "wald", "probit", "logit-t"]))
def test_one_group_is_no_stratification(data, interval):
    y, (score,) = data
    alone = rs.Study(y, score).auc(interval=interval, null_value=0.6).iloc[0]
    row = stratified(rs.Study(y, score, group=["g"] * len(y)), interval=interval, null_value=0.6)
    names = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]
    assert row[names].to_numpy(float) == pytest.approx(
        alone[names].to_numpy(float), abs=1e-9, nan_ok=True
    )
    assert row["note"] == alone["note"]


@given(grouped())
def test_clusters_of_one_are_no_clusters(data):
    y, score, group = data
    plain = stratified(rs.Study(y, score, group=group))
    single = stratified(rs.Study(y, score, group=group, cluster=np.arange(len(y))))
    assert single["se"] == pytest.approx(plain["se"], abs=1e-12)
    assert single["method"].startswith("stratified-obuchowski/")


@given(grouped(), st.data())
def test_a_frequency_is_so_many_rows(data, more):
    y, score, group = data
    n = whole_numbers(more.draw, len(y), 3, least=1)
    rows = np.repeat(np.arange(len(y)), n)
    tabled = stratified(rs.Study(y, score, group=group, frequency=n))
    replicated = stratified(rs.Study(y[rows], score[rows], group=group[rows]))
    for name in ("estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg"):
        assert tabled[name] == pytest.approx(replicated[name], abs=1e-9)


@given(grouped(), st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_a_shift_of_a_group_changes_nothing(data, shifts):
    y, score, group = data
    moved = score + np.array(shifts)[group]
    first, second = (rs.Study(y, s, group=group).stratified_auc() for s in (score, moved))
    assert_frames_equal(first, second)


def test_clusters_that_span_groups_are_added_up(rng):
    # Both sides of a patient, the side being the stratum.
    n = 24
    y = np.tile([1, 0, 0], 16)
    group, cluster = np.repeat(["left", "right"], n), np.tile(np.arange(n) // 2, 2)
    score = rng.normal(size=2 * n) + y + rng.normal(size=12)[cluster]
    row = stratified(rs.Study(y, score, group=group, cluster=cluster))
    assert row["se"] ** 2 == pytest.approx(clustered_by_loops(y, score, group, cluster), rel=1e-12)
    assert row["note"] == "few-cases; few-clusters"


def test_folds_are_averaged_inside_groups(rng):
    y, group = np.tile([1, 1, 0, 0, 0], 16), np.repeat([0, 1], [30, 50])
    score, fold = rng.normal(size=80) + y, np.arange(80) // 5 % 2
    row = stratified(rs.Study(y, score, group=group, fold=fold))
    values, variances, pairs = [], [], []
    for g in (0, 1):
        cells = [(y[c], score[c]) for c in ((group == g) & (fold == v) for v in (0, 1))]
        values.append(np.mean([oracles.auc(*cell) for cell in cells]))
        variances.append(sum(oracles.delong_covariance(a, [b])[0, 0] for a, b in cells) / 4)
        pairs.append(np.prod(np.bincount(y[group == g])))
    share = np.array(pairs) / sum(pairs)
    assert row["estimate"] == pytest.approx(share @ values, abs=1e-12)
    assert row["se"] ** 2 == pytest.approx(share**2 @ variances, rel=1e-10)
    assert row["method"] == "stratified-foldwise-delong/logit-t"


def test_a_group_that_lacks_a_class_counts_for_nothing():
    y, score = np.append(examples.Y, [1, 1]), np.append(examples.D1, [0.2, 0.9])
    group = ["a"] * 18 + ["b", "b"]
    row = stratified(rs.Study(y, score, group=group))
    alone = rs.Study(examples.Y, examples.D1).auc().iloc[0]
    assert (row["estimate"], row["se"]) == pytest.approx((alone["estimate"], alone["se"]))
    assert (row["n_pos"], row["n_neg"]) == (8, 10)
    assert row["note"] == "few-cases; strata-without-pairs=1"


def test_perfect_groups_have_newcombes_limits_stratum_by_stratum():
    y, score = [1] * 5 + [0] * 5, np.arange(10)[::-1]
    row = stratified(rs.Study(np.tile(y, 2), np.tile(score, 2), group=np.repeat([0, 1], 10)))
    assert (row["estimate"], row["ci_high"]) == (1.0, 1.0)
    assert row["method"] == "stratified-delong/newcombe"
    # Two groups of 5/5 with equal shares: (1 - t)^2 = z^2 v(t; 5, 5) / 2.
    t = row["ci_low"]
    v = t * (1 - t) / 25 * (1 + 4 * ((1 - t) / (2 - t) + t / (1 + t)))
    assert (1 - t) ** 2 == pytest.approx(1.959963984540054**2 * v / 2, rel=1e-9)
    # Between 5/5 and 10/10 (docs/methods/area-intervals.md, "Lower limits at an area of 1").
    assert 0.6427028 < t < 0.8002136


def test_a_group_with_a_single_case_leaves_no_standard_error():
    y, score = np.append(examples.Y, [1, 0]), np.append(examples.D1, [0.9, 0.2])
    with pytest.warns(rs.StatisticalWarning, match="single-case"):
        row = stratified(rs.Study(y, score, group=["a"] * 18 + ["b", "b"]))
    assert np.isnan(row["se"])
    assert 0 < row["ci_low"] < row["estimate"] < row["ci_high"] < 1


def test_weights_give_the_estimate_over_weighted_pairs(rng):
    y, group = np.tile([1, 0], 8), np.repeat([0, 1], 8)
    score, weight = rng.normal(size=16), rng.uniform(0.5, 2, 16)
    row = stratified(rs.Study(y, score, group=group, sample_weight=weight))
    above = total = 0.0
    for i in np.flatnonzero(y):
        for j in np.flatnonzero((y == 0) & (group == group[i])):
            above += weight[i] * weight[j] * (score[i] > score[j])
            total += weight[i] * weight[j]
    assert row["estimate"] == pytest.approx(above / total)
    assert np.isnan(row["se"])
    assert row["note"] == "weights-need-bootstrap"


def test_one_sided_limits(rng):
    y, group = np.tile([1, 0], 40), np.repeat([0, 1], 40)
    study = rs.Study(y, rng.normal(size=80) + y, group=group)
    row = stratified(study, alternative="greater", null_value=0.6)
    two = stratified(study, confidence_level=0.90)
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(two["ci_low"]), 1.0)
    goal = stratified(study, alternative="greater", null_value=row["ci_low"])
    assert goal["p_value"] == pytest.approx(0.05)


@pytest.mark.parametrize("interval", ["logit", "logit-t"])
def test_stratified_limits_cover(interval):
    # Five centres of 8 + 12 cases that differ in level and spread, AUC .85 in each: pairs of
    # different centres would be ranked worse. 600 studies, bound: .93 less 4 standard errors.
    rng, n = np.random.default_rng(12), 600
    y, group = np.tile(np.repeat([1, 0], [8, 12]), 5), np.repeat(np.arange(5), 20)
    shift = np.sqrt(2) * 1.0364333894937898
    scores = (rng.normal(size=(n, 100)) + shift * y) * (1 + group) + 3 * group
    frame = rs.Study(y, scores.T, group=group).stratified_auc(interval=interval)
    covered = ((frame["ci_low"] <= 0.85) & (frame["ci_high"] >= 0.85)).mean()
    assert len(frame) == n
    assert covered >= 0.93 - 4 * np.sqrt(0.93 * 0.07 / n)
    assert covered <= 0.999


# Equality of groups


def q_by_loops(areas, variances):
    logits = [np.log(a / (1 - a)) for a in areas]
    weights = [(a * (1 - a)) ** 2 / v for a, v in zip(areas, variances, strict=True)]
    mean = sum(w * x for w, x in zip(weights, logits, strict=True)) / sum(weights)
    return sum(w * (x - mean) ** 2 for w, x in zip(weights, logits, strict=True))


def welch_by_loops(areas, variances, df):
    """Return Welch's F (1951, page 334) of logits, and its denominator degrees of freedom."""
    k, q = len(areas), q_by_loops(areas, variances)
    weights = [(a * (1 - a)) ** 2 / v for a, v in zip(areas, variances, strict=True)]
    total = sum((1 - w / sum(weights)) ** 2 / f for w, f in zip(weights, df, strict=True))
    return q / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * total), (k**2 - 1) / 3 / total


def df_by_loops(y, score):
    """Return the df of DeLong's variance from the fourth powers of the placements."""
    wins = oracles.kernel(y, score)
    parts, df = [], []
    for placed in (wins.mean(axis=1), wins.mean(axis=0)):
        n, u = len(placed), placed - placed.mean()
        parts.append((u**2).sum() / (n * (n - 1)))
        df.append(min(2 / ((u**4).sum() / (u**2).sum() ** 2 - 1 / n), n - 1))
    return sum(parts) ** 2 / sum(v**2 / f for v, f in zip(parts, df, strict=True))


def test_statistic_equals_its_definition(rng):
    y, group = np.tile([1, 0], 60), np.repeat([0, 1, 2], [30, 40, 50])
    score = rng.normal(size=120) + y * (1 + group / 2)
    row = rs.Study(y, score, group=group).test_equal_groups().iloc[0]
    parts = [(y[group == g], score[group == g]) for g in range(3)]
    f, below = welch_by_loops(
        [oracles.auc(*part) for part in parts],
        [oracles.delong_covariance(a, [b])[0, 0] for a, b in parts],
        [df_by_loops(*part) for part in parts],
    )
    assert row["statistic"] == pytest.approx(f, rel=1e-12)
    assert row["df_numerator"] == 2
    assert row["df"] == pytest.approx(below, rel=1e-10)
    assert row["p_value"] == pytest.approx(f_law.sf(f, 2, below), rel=1e-10)
    assert row["method"] == "delong/welch"
    assert (row["predictor"], row["group"]) == ("score", "all")
    assert np.isnan(row["estimate"])


def test_two_groups_are_the_squared_z_of_their_logits(rng):
    y, group = np.tile([1, 0], 50), np.repeat(["a", "b"], 50)
    study = rs.Study(y, rng.normal(size=100) + y, group=group)
    frame = study.auc()
    a, b = frame["estimate"]
    errors = frame["se"] / (frame["estimate"] * (1 - frame["estimate"]))
    z = (np.log(a / (1 - a)) - np.log(b / (1 - b))) / np.hypot(*errors)
    row = study.test_equal_groups().iloc[0]
    assert row["statistic"] == pytest.approx(z**2, rel=1e-12)


def test_equal_groups_have_p_one():
    study = rs.Study(
        np.tile(examples.Y, 3), np.tile(examples.D1, 3), group=np.repeat([0, 1, 2], 18)
    )
    row = study.test_equal_groups().iloc[0]
    assert row["statistic"] == pytest.approx(0, abs=1e-20)
    assert row["p_value"] == pytest.approx(1)


def test_clusters_and_folds_are_honoured(rng):
    y, group = np.tile([1, 1, 0, 0, 0], 24), np.repeat(["a", "b"], 60)
    score, cluster = rng.normal(size=120) + y, np.arange(120) // 3
    study = rs.Study(y, score, group=group, cluster=cluster)
    parts = [(y[group == g], score[group == g], cluster[group == g]) for g in ("a", "b")]
    q = q_by_loops(
        [oracles.auc(a, b) for a, b, _ in parts],
        [oracles.obuchowski_variance(*part) for part in parts],
    )
    row = study.test_equal_groups().iloc[0]
    assert row["statistic"] == pytest.approx(q, rel=1e-10)
    assert row["method"] == "obuchowski/welch"
    folded = rs.Study(y, score, group=group, fold=np.arange(120) // 5 % 2).test_equal_groups()
    assert folded["method"][0] == "foldwise-delong/welch"


def test_a_perfect_group_has_no_test():
    y = np.concatenate([examples.Y, [1, 1, 0, 0]])
    score = np.concatenate([examples.D1, [4, 3, 2, 1]])
    study = rs.Study(y, score, group=["a"] * 18 + ["b"] * 4)
    with pytest.warns(rs.StatisticalWarning, match="group-at-boundary"):
        row = study.test_equal_groups().iloc[0]
    assert np.isnan(row["statistic"])
    assert np.isnan(row["p_value"])
    assert (row["df_numerator"], row["method"]) == (1, "none/none")


def test_size_under_equal_areas_that_the_groups_reach_differently():
    # Groups of 40/60 and 60/40, AUC .8 in both, positives twice as spread in one: 5% of 2000
    # within 4 Monte-Carlo standard errors.
    rng, n = np.random.default_rng(5), 2000
    y = np.concatenate([np.repeat([1, 0], [40, 60]), np.repeat([1, 0], [60, 40])])
    group = np.repeat([0, 1], 100)
    sd = np.where(y == 1, np.where(group == 0, 1.0, 2.0), 1.0)
    shift = np.where(y == 1, np.sqrt(1 + sd**2) * 0.8416212335729143, 0.0)
    scores = rng.normal(size=(n, 200)) * sd + shift
    p_values = rs.Study(y, scores.T, group=group).test_equal_groups()["p_value"]
    assert len(p_values) == n
    assert (p_values < 0.05).mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / n))


Y, A = examples.Y, examples.D1
HALF = np.arange(18) % 2
MESSAGES = {
    "no groups to test": (
        lambda: rs.Study(Y, A).test_equal_groups(),
        "`group` must name two groups or more; got 0. Pass group= to the study, with two labels or"
        " more.",
    ),
    "one group": (
        lambda: rs.Study(Y, A, group=np.zeros(18)).test_equal_groups(),
        "`group` must name two groups or more; got 1. Pass group= to the study, with two labels or"
        " more.",
    ),
    "no strata": (
        lambda: rs.Study(Y, A).stratified_auc(),
        "`group` must name the strata of the cases; got 0. Pass group= to the study, with at least"
        " one label.",
    ),
    "no pairs": (
        lambda: rs.Study(Y, A, group=Y).stratified_auc(),
        "`group` must have both classes in at least one group; got none. Merge groups.",
    ),
    "a group of one class": (
        lambda: rs.Study(Y, A, group=np.arange(18) < 2).test_equal_groups(),
        "`group` must leave both classes in groups that are compared; got 2 positives and 0"
        " negatives in 'True'. Merge it with another, or leave it out.",
    ),
    "clusters that span groups": (
        lambda: rs.Study(Y, A, group=HALF, cluster=Y).test_equal_groups(),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'. Compare"
        " predictors instead, or split such clusters.",
    ),
    "a fold of one class": (
        lambda: rs.Study(Y, A, group=HALF, fold=np.arange(18) < 2).stratified_auc(),
        "`fold` must leave both classes in every fold; got 1 positives and 0 negatives in fold"
        " 'True'. Stratify the folds, or merge them.",
    ),
    "an interval without a variance": (
        lambda: rs.Study(Y, A, group=HALF).stratified_auc(interval="newcombe"),
        "`interval` must be one of 'logit', 'wald', 'probit', 'logit-t'; got 'newcombe'. Pass one"
        " of these.",
    ),
    "a goal": (
        lambda: rs.Study(Y, A, group=HALF).stratified_auc(null_value=1.0),
        "`null_value` must be a number strictly between 0 and 1; got 1.0. Pass a value inside"
        " (0, 1).",
    ),
}


@pytest.mark.parametrize("name", list(MESSAGES))
def test_message(name):
    call, message = MESSAGES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()
