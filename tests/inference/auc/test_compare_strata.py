"""Differences of areas over pairs inside groups."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal
from tests.strategies import samples, whole_numbers

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]


@st.composite
def grouped(draw, least=2):
    """Two or three groups of a few cases, three predictors."""
    parts = [
        draw(samples(least=least, most=6, predictors=3)) for _ in range(draw(st.integers(2, 3)))
    ]
    y = np.concatenate([labels for labels, _ in parts])
    scores = np.concatenate([scores for _, scores in parts], axis=1)
    group = np.repeat(np.arange(len(parts)), [len(labels) for labels, _ in parts])
    return y, scores, group


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


@given(grouped())
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
    assert (row["group"], row["quantity"]) == ("all", "stratified_auc")


@given(grouped(), st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_shifts_of_groups_change_nothing(data, shifts):
    y, scores, group = data
    moved = scores.copy()
    moved[0] += np.array(shifts)[group]
    first, second = (
        rs.Study(y, s.T, group=group).compare_stratified_auc() for s in (scores, moved)
    )
    assert_frames_equal(first, second)


@given(grouped(), st.data())
def test_a_frequency_is_so_many_rows(data, more):
    y, scores, group = data
    n = whole_numbers(more.draw, len(y), 3, least=1)
    rows = np.repeat(np.arange(len(y)), n)
    tabled = rs.Study(y, scores.T, group=group, frequency=n).compare_stratified_auc()
    long = rs.Study(y[rows], scores[:, rows].T, group=group[rows]).compare_stratified_auc()
    np.testing.assert_allclose(
        tabled[[*NUMBERS[:4], "p_value", "n_pos", "n_neg"]],
        long[[*NUMBERS[:4], "p_value", "n_pos", "n_neg"]],
        atol=1e-8,
    )


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


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("roles", [{}, {"cluster": np.arange(40) // 3}])
def test_weights_give_the_estimate_only(rng, roles):
    y, group, weight = np.tile([1, 0], 20), np.repeat([0, 1], 20), rng.integers(1, 4, 40)
    scores = rng.normal(size=(40, 2))
    study = rs.Study(y, scores, group=group, sample_weight=weight, **roles)
    row = study.compare_stratified_auc().iloc[0]
    expected, pairs = np.zeros(2), 0
    for g in (0, 1):
        a, b = ((group == g) & (y == label) for label in (1, 0))
        both = np.outer(weight[a], weight[b])
        pairs += both.sum()
        expected += [np.sum(both * (s[a][:, None] > s[b])) for s in scores.T]
    assert row["estimate"] == pytest.approx(-np.diff(expected)[0] / pairs, abs=1e-12)
    assert study.stratified_auc()["estimate"].tolist() == pytest.approx(expected / pairs)
    assert np.isnan(row["se"])
    assert row["note"] == "weights-need-bootstrap"


def test_a_group_without_pairs_is_noted():
    y = np.append(examples.Y, [1, 1])
    scores = np.column_stack([np.append(examples.D1, [0.2, 0.9]), np.append(examples.D2, [0, 1])])
    row = rs.Study(y, scores, group=["a"] * 18 + ["b", "b"]).compare_stratified_auc().iloc[0]
    # docs/methods/comparison.md, "Worked comparisons"
    assert row["statistic"] == pytest.approx(0.4429376611, abs=5e-11)
    assert row["note"] == "few-cases; strata-without-pairs=1"
    assert (row["n_pos"], row["n_neg"]) == (8, 10)


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


Y, TWO = examples.Y, np.column_stack([examples.D1, examples.D2])
HALF = np.arange(18) % 2
MESSAGES = {
    "one predictor": (
        lambda: rs.Study(Y, examples.D1, group=HALF).compare_stratified_auc(),
        "`y_score` must hold at least two predictors for a comparison; got 1. Pass the scores of"
        " the others too.",
    ),
    "no strata": (
        lambda: rs.Study(Y, TWO).compare_stratified_auc(),
        "`group` must name the strata of the cases; got 0. Pass group= to the study, with at least"
        " one label.",
    ),
    "no pairs": (
        lambda: rs.Study(Y, TWO, group=Y).compare_stratified_auc(),
        "`group` must have both classes in at least one group; got none. Merge groups.",
    ),
    "an unknown reference": (
        lambda: rs.Study(Y, TWO, group=HALF).compare_stratified_auc(reference="d9"),
        "`reference` must be one of 'score_1', 'score_2'; got 'd9'. Pass one of these.",
    ),
    "an unknown adjustment": (
        lambda: rs.Study(Y, TWO, group=HALF).compare_stratified_auc(adjust="sidak"),
        "`adjust` must be one of 'holm', 'bonferroni', 'none'; got 'sidak'. Pass one of these.",
    ),
    "an unknown alternative": (
        lambda: rs.Study(Y, TWO, group=HALF).compare_stratified_auc(alternative="larger"),
        "`alternative` must be one of 'two-sided', 'greater', 'less'; got 'larger'. Pass one of"
        " these.",
    ),
    "a difference that cannot be": (
        lambda: rs.Study(Y, TWO, group=HALF).compare_stratified_auc(null_value=1.0),
        "`null_value` must be a number strictly between -1 and 1; got 1.0. Pass a value inside"
        " (-1, 1).",
    ),
    "a percentage": (
        lambda: rs.Study(Y, TWO, group=HALF).compare_stratified_auc(confidence_level=95),
        "`confidence_level` must be a number strictly between 0 and 1; got 95. Pass a value inside"
        " (0, 1).",
    ),
}


@pytest.mark.parametrize("name", list(MESSAGES))
def test_message(name):
    call, message = MESSAGES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()
