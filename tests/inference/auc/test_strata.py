"""Areas over pairs inside groups, their differences, and the equality of groups."""

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
from tests.quick import assert_frames_equal, each
from tests.strategies import samples


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
def grouped(draw, predictors=1):
    """Two or three groups, each with two cases of both classes or more."""
    parts = [draw(samples(predictors, most=6)) for _ in range(draw(st.integers(2, 3)))]
    y = np.concatenate([labels for labels, _ in parts])
    scores = np.concatenate([scores for _, scores in parts], axis=1)
    return y, scores, np.repeat(np.arange(len(parts)), [len(labels) for labels, _ in parts])


# Stratified areas


@given(grouped())
def test_estimate_and_variance_equal_their_definitions(data):
    y, (score,), group = data
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
    y, (score,), group = data
    plain = stratified(rs.Study(y, score, group=group))
    single = stratified(rs.Study(y, score, group=group, cluster=np.arange(len(y))))
    assert single["se"] == pytest.approx(plain["se"], abs=1e-12)
    assert single["method"].startswith("stratified-obuchowski/")


def test_clusters_that_span_groups_are_added_up_in_areas(rng):
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

PAIR, HALF = np.column_stack([examples.D1, examples.D2]), np.arange(18) % 2


def differences(scores=PAIR, group=HALF, **arguments):
    return rs.Study(Y, scores, group=group).compare_stratified_auc(**arguments)


MESSAGES = [
    (lambda: rs.Study(Y, A).test_equal_groups(), "`group` must name two groups or more; got 0"),
    (
        lambda: rs.Study(Y, A, group=np.zeros(18)).test_equal_groups(),
        "`group` must name two groups or more; got 1",
    ),
    (
        lambda: rs.Study(Y, A, group=np.arange(18) < 2).test_equal_groups(),
        "`group` must have both classes in each compared group; got 2 positives and 0",
    ),
    (
        lambda: rs.Study(Y, A, group=HALF, cluster=Y).test_equal_groups(),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'",
    ),
    (
        lambda: rs.Study(Y, A, group=HALF, fold=np.arange(18) < 2).stratified_auc(),
        "`fold` must have both classes in every fold; got 1 positives and 0 negatives in fold",
    ),
    (
        lambda: rs.Study(Y, A, group=HALF).stratified_auc(interval="newcombe"),
        "`interval` must be one of",
    ),
    (
        lambda: rs.Study(Y, A, group=HALF).stratified_auc(null_value=1.0),
        "`null_value` must be a number strictly between 0 and 1",
    ),
    (lambda: rs.Study(Y, A).stratified_auc(), "`group` must name the strata of the cases; got 0"),
    (lambda: rs.Study(Y, A, group=Y).stratified_auc(), "`group` must have both classes in"),
    (lambda: differences(group=None), "`group` must name the strata of the cases; got 0"),
    (lambda: differences(group=Y), "`group` must have both classes in at least one group"),
    (lambda: differences(A), "`y_score` must hold at least two predictors for a comparison; got 1"),
    (lambda: differences(adjust="sidak"), "`adjust` must be one of"),
    (lambda: differences(null_value=1.0), "`null_value` must be a number strictly between -1 and"),
    (lambda: differences(confidence_level=95), "`confidence_level` must be a number strictly"),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]


def by_loops(y, scores, group):
    """Areas over pairs inside groups, and their covariance, group by group."""
    labels = np.unique(group)
    pairs = np.array([np.prod(np.bincount(y[group == g], minlength=2)) for g in labels])
    areas, matrix = 0.0, 0.0
    for share, g in zip(pairs / pairs.sum(), labels, strict=True):
        inside = group == g
        areas += share * np.array([oracles.auc(y[inside], s[inside]) for s in scores])
        matrix += share**2 * oracles.delong_covariance(y[inside], scores[:, inside])
    return areas, matrix


@given(grouped(predictors=3))
def test_differences_and_their_variances_equal_their_definitions(data):
    y, scores, group = data
    areas, matrix = by_loops(y, scores, group)
    frame = rs.Study(y, scores.T, group=group).compare_stratified_auc(adjust="none")
    for (i, j), row in zip([(0, 1), (0, 2), (1, 2)], frame.itertuples(), strict=True):
        assert row.estimate == pytest.approx(areas[i] - areas[j], abs=1e-12)
        variance = matrix[i, i] + matrix[j, j] - 2 * matrix[i, j]
        assert row.se**2 == pytest.approx(variance, abs=1e-13)
        assert -1 <= row.ci_low <= row.ci_high <= 1 or row.note.startswith("identical-predictors")


@given(samples(predictors=2))
def test_one_group_is_the_plain_comparison(data):
    y, scores = data
    plain = rs.Study(y, scores.T).compare_auc(null_value=0.1).iloc[0]
    row = rs.Study(y, scores.T, group=["g"] * len(y)).compare_stratified_auc(null_value=0.1).iloc[0]
    assert row[NUMBERS].to_numpy(float) == pytest.approx(
        plain[NUMBERS].to_numpy(float), abs=1e-8, nan_ok=True
    )
    # this note points at a method that compare_auc alone has
    assert row["note"] == plain["note"].replace("high-areas-few-cases; ", "")
    assert (row["group"], row["quantity"]) == ("all", "stratified_auc_difference")


def test_clusters_of_one_are_none_and_exchanged_predictors_change_the_sign(rng):
    y, group = np.tile([1, 0, 0], 20), np.repeat(["u", "v"], 30)
    scores = {"a": rng.normal(size=60) + y, "b": rng.normal(size=60)}
    plain = rs.Study(y, scores, group=group).compare_stratified_auc().iloc[0]
    single = rs.Study(y, scores, group=group, cluster=np.arange(60)).compare_stratified_auc()
    assert single["se"][0] == pytest.approx(plain["se"], rel=1e-12)
    assert single["method"][0] == "stratified-obuchowski/wald-t"
    other = rs.Study(y, dict(reversed(scores.items())), group=group).compare_stratified_auc()
    assert other["estimate"][0] == pytest.approx(-plain["estimate"], abs=1e-14)
    assert other["ci_high"][0] == pytest.approx(-plain["ci_low"], abs=1e-14)


def test_clusters_that_span_groups_are_added_up(rng):
    # Clusters of one case in each group, copied: as one group of doubled clusters.
    y, score = np.tile([1, 0, 0], 12), rng.normal(size=(36, 2))
    score[:, 0] += y
    cluster = np.arange(36) // 2
    once = rs.Study(y, score, group=["g"] * 36, cluster=cluster).compare_stratified_auc()
    twice = rs.Study(
        np.tile(y, 2),
        np.tile(score, (2, 1)),
        group=np.repeat(["u", "v"], 36),
        cluster=np.tile(cluster, 2),
    ).compare_stratified_auc()
    assert twice[["estimate", "se"]].to_numpy() == pytest.approx(
        once[["estimate", "se"]].to_numpy(), rel=1e-12
    )


def test_folds_stay_apart_inside_groups(rng):
    y, group, fold = np.tile([1, 1, 0, 0, 0], 16), np.repeat([0, 1], [30, 50]), np.arange(80) // 5
    scores = rng.normal(size=(2, 80)) + y
    frame = rs.Study(y, scores.T, group=group, fold=fold % 2).compare_stratified_auc()
    areas, matrix, shares = np.zeros(2), np.zeros((2, 2)), []
    for g in (0, 1):
        shares.append(np.prod(np.bincount(y[group == g])))
    for g, share in enumerate(np.array(shares) / sum(shares)):
        for v in (0, 1):
            cell = (group == g) & (fold % 2 == v)
            areas += share / 2 * np.array([oracles.auc(y[cell], s[cell]) for s in scores])
            matrix += (share / 2) ** 2 * oracles.delong_covariance(y[cell], scores[:, cell])
    assert frame["estimate"][0] == pytest.approx(areas[0] - areas[1], abs=1e-13)
    assert frame["se"][0] ** 2 == pytest.approx([1, -1] @ matrix @ [1, -1], rel=1e-10)
    assert frame["method"][0] == "stratified-foldwise-delong/wald-t"


def test_p_values_are_adjusted_by_holm_and_reference_names_the_pairs(rng):
    y, group = np.tile([1, 0], 40), np.repeat(["u", "v"], 40)
    scores = {name: rng.normal(size=80) + y * i for i, name in enumerate("abc")}
    study = rs.Study(y, scores, group=group)
    frame = study.compare_stratified_auc()
    ordered = frame.sort_values("p_value")
    expected = np.minimum(np.maximum.accumulate(ordered["p_value"] * [3, 2, 1]), 1)
    assert ordered["p_adjusted"].tolist() == pytest.approx(expected.tolist())
    assert frame["note"].str.endswith("adjusted=holm").all()
    fixed = study.compare_stratified_auc(reference="b", adjust="none")
    assert fixed[["predictor", "reference"]].to_numpy().tolist() == [["a", "b"], ["c", "b"]]
    assert fixed["p_adjusted"].equals(fixed["p_value"].rename("p_adjusted"))


def test_one_sided_margins_invert_the_two_sided_limits(rng):
    y, group = np.tile([1, 0], 40), np.repeat(["u", "v"], 40)
    study = rs.Study(y, rng.normal(size=(80, 2)) + y[:, None], group=group)
    low = study.compare_stratified_auc()["ci_low"][0]
    row = study.compare_stratified_auc(null_value=low, alternative="greater").iloc[0]
    assert row["p_value"] == pytest.approx(0.025, abs=1e-12)
    assert row["ci_high"] == 1
    assert row["hypothesis"] == "greater"


def test_predictors_that_rank_inside_groups_alike_have_no_interval(rng):
    y, group = np.tile([1, 0], 30), np.repeat([0, 1], 30)
    score = rng.normal(size=60) + y
    study = rs.Study(y, {"a": score, "b": np.exp(score) + 9 * group}, group=group)
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        row = study.compare_stratified_auc().iloc[0]
    assert (row["estimate"], row["se"], row["p_value"]) == (0, 0, 1)
    assert np.isnan(row["ci_low"])
    assert row["method"] == "none/none"


def test_a_perfect_predictor_has_stratified_newcombe_limits():
    y = np.tile(np.repeat([1, 0], [8, 10]), 2)
    scores = {"perfect": y * 1.0, "d1": np.tile(examples.D1, 2)}
    study = rs.Study(y, scores, group=np.repeat([0, 1], 18))
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = study.compare_stratified_auc().iloc[0]
    assert row["estimate"] == pytest.approx(1 - 0.8625)
    assert row["method"] == "newcombe/mover"
    # MOVER: both from their own limits, where (A - t)^2 = z^2 sum w^2 v(t; 8, 10)
    own = {}
    for name, area, side in (("perfect", 1.0, -1), ("d1", 0.8625, 1)):
        own[name] = area - newcombe_root(area, side)
    assert row["ci_low"] == pytest.approx(row["estimate"] - np.hypot(*own.values()), abs=1e-8)
    assert 0 <= row["ci_high"] <= 1


def newcombe_root(area, side):
    """Bisect (area - t)^2 = z^2 v(t)/2, two groups of 8/10 with equal shares."""
    inner, outer = area, 0.5 * (1 + side)
    for _ in range(200):
        t = (inner + outer) / 2
        v = t * (1 - t) / 80 * (1 + 8 * ((1 - t) / (2 - t) + t / (1 + t)))
        inside = (area - t) ** 2 < 1.959963984540054**2 * v / 2
        inner, outer = (t, outer) if inside else (inner, t)
    return inner


def test_size_and_coverage_where_centres_shift_the_scores():
    # Two centres of 30/40 and 40/30, both predictors with AUC .8 inside them, correlated .5; the
    # levels of one differ between centres: 5% of 600 within 4 Monte-Carlo standard errors.
    rng, rejected, n = np.random.default_rng(11), 0, 600
    y = np.concatenate([np.repeat([1, 0], [30, 40]), np.repeat([1, 0], [40, 30])])
    group = np.repeat([0, 1], 70)
    for _ in range(n):
        shared = rng.normal(size=(140, 1))
        scores = np.sqrt(0.5) * (shared + rng.normal(size=(140, 2)))
        scores += 1.1902 * y[:, None] + np.outer(3 * group, [1, 0])
        frame = rs.Study(y, scores, group=group).compare_stratified_auc()
        p, low, high = (frame[name][0] for name in ("p_value", "ci_low", "ci_high"))
        rejected += p < 0.05
        assert (p < 0.05) == (not low <= 0 <= high)
    assert rejected / n == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / n))


# Both questions


def both(study):
    return study.stratified_auc(), study.compare_stratified_auc()


@given(grouped(predictors=2), st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_a_shift_of_a_group_changes_nothing(data, shifts):
    y, scores, group = data
    moved = scores.copy()
    moved[0] += np.array(shifts)[group]
    found = (both(rs.Study(y, s.T, group=group)) for s in (scores, moved))
    for first, second in zip(*found, strict=True):
        assert_frames_equal(first, second)


def test_a_group_that_lacks_a_class_counts_for_nothing():
    y = np.append(examples.Y, [1, 1])
    scores = np.column_stack([np.append(examples.D1, [0.2, 0.9]), np.append(examples.D2, [0, 1])])
    area, difference = (
        frame.iloc[0] for frame in both(rs.Study(y, scores, group=["a"] * 18 + ["b", "b"]))
    )
    alone = rs.Study(examples.Y, examples.D1).auc().iloc[0]
    assert (area["estimate"], area["se"]) == pytest.approx((alone["estimate"], alone["se"]))
    # docs/methods/comparison.md, "Worked comparisons"
    assert difference["statistic"] == pytest.approx(0.4429376611, abs=5e-11)
    for row in (area, difference):
        assert row["note"] == "few-cases; strata-without-pairs=1"
        assert (row["n_pos"], row["n_neg"]) == (8, 10)


@pytest.mark.parametrize("roles", [{}, {"cluster": np.arange(40) // 3}])
def test_weights_give_the_estimate_over_weighted_pairs(rng, roles):
    y, group, weight = np.tile([1, 0], 20), np.repeat([0, 1], 20), rng.integers(1, 4, 40)
    scores = rng.normal(size=(40, 2))
    above, pairs = np.zeros(2), 0
    for g in (0, 1):
        a, b = ((group == g) & (y == label) for label in (1, 0))
        weights = np.outer(weight[a], weight[b])
        pairs += weights.sum()
        above += [np.sum(weights * (s[a][:, None] > s[b])) for s in scores.T]
    areas, difference = both(rs.Study(y, scores, group=group, sample_weight=weight, **roles))
    assert areas["estimate"].tolist() == pytest.approx(above / pairs)
    assert difference["estimate"][0] == pytest.approx(-np.diff(above)[0] / pairs, abs=1e-12)
    for frame in (areas, difference):
        assert frame["se"].isna().all()
        assert set(frame["note"]) == {"weights-need-bootstrap"}
