"""Probabilities of several classes: binary studies, loops, derivatives in the weights, roles."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs
from rocstats.estimate.class_units import class_units
from rocstats.inference.calibration.classes import CLASS_SCORES, class_score_influence
from tests.quick import each

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
NUMBERS = ["estimate", "se", "ci_low", "ci_high"]
BINARY = {"multiclass_brier_score": "brier_score"}


def draw(rng, n=60, gain=1.0, n_classes=3):
    """Return labels of unequal classes and probabilities for each."""
    share = np.arange(1, n_classes + 1) / np.arange(1, n_classes + 1).sum()
    y = np.append(
        np.repeat(np.arange(n_classes), 3), rng.choice(n_classes, n - 3 * n_classes, p=share)
    )
    odds = np.exp(rng.normal(size=(n, n_classes)) + gain * np.eye(n_classes)[y])
    return y, odds / odds.sum(axis=1, keepdims=True)


def scores_of(study):
    return study.probability_scores().set_index("quantity")


def weighted_scores(y, p, w):
    """The scores of weighted cases, by loops."""
    classes = range(p.shape[1])
    brier = log = 0.0
    for label, row, weight in zip(y, p, w, strict=True):
        brier += weight * sum((row[k] - (label == k)) ** 2 for k in classes)
        log -= weight * np.log(row[label])
    brier, log = brier / w.sum(), log / w.sum()
    spread = 1 - sum((w[y == k].sum() / w.sum()) ** 2 for k in classes)
    return np.array([brier, 1 - brier / spread, log])


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_influence_is_the_derivative_in_the_weights(seed, n_classes):
    y, p = draw(np.random.default_rng(seed), 20, n_classes=n_classes)
    cases, ones, h = rs.MulticlassStudy(y, p).cases, np.ones(20), 1e-5
    found = [class_score_influence(cases, 0, name) for name in CLASS_SCORES]
    np.testing.assert_allclose([value for value, _ in found], weighted_scores(y, p, ones))
    for i, row in enumerate(np.eye(20)):
        up, down = (weighted_scores(y, p, ones + sign * h * row) for sign in (1, -1))
        ours = [influence[i] for _, influence in found]
        np.testing.assert_allclose(ours, (up - down) / (2 * h), atol=1e-8)


def roles_of(rng, role, n):
    return {
        "plain": {},
        "frequency": {"frequency": rng.integers(1, 4, n)},
        "sample_weight": {"sample_weight": rng.uniform(0.5, 2, n)},
        "cluster": {"cluster": rng.integers(0, n // 3, n)},
        "fold": {"fold": np.arange(n) % 2},
        "group": {"group": np.arange(n) % 2},
    }[role]


@pytest.mark.parametrize(
    "role", ["plain", "frequency", "sample_weight", "cluster", "fold", "group"]
)
def test_two_classes_are_the_binary_study(role, rng):
    y, p = draw(rng, n_classes=2)
    q = 0.5 * p + 0.25
    roles = roles_of(rng, role, len(y))
    found = rs.MulticlassStudy(y, {"p": p, "q": q}, **roles).probability_scores()
    binary = rs.Study(y, {"p": p[:, 1], "q": q[:, 1]}, **roles).probability_scores()
    for name in CLASS_SCORES:
        ours = found[found["quantity"] == name]
        theirs = binary[binary["quantity"] == BINARY.get(name, name)]
        scale = 2 if name in BINARY else 1  # Brier's sum has both classes
        np.testing.assert_allclose(ours[NUMBERS], scale * theirs[NUMBERS], rtol=1e-9)
        assert ours["method"].tolist() == theirs["method"].tolist()
    if role == "sample_weight":
        return
    for name in CLASS_SCORES:
        scale = 2 if name in BINARY else 1
        asked = {"hypothesis": "non-inferiority", "margin": 0.1}
        ours = rs.MulticlassStudy(y, {"p": p, "q": q}, **roles).compare_probability_scores(
            quantity=name, hypothesis="non-inferiority", margin=0.1 * scale
        )
        theirs = rs.Study(y, {"p": p[:, 1], "q": q[:, 1]}, **roles).compare_probability_scores(
            quantity=BINARY.get(name, name), **asked
        )
        np.testing.assert_allclose(ours[NUMBERS], scale * theirs[NUMBERS], rtol=1e-9)
        same = ["statistic", "df", "p_value", "p_adjusted"]
        np.testing.assert_allclose(ours[same], theirs[same], rtol=1e-9)


def test_limits_are_t_limits_with_the_df_of_the_classes(rng):
    y, p = draw(rng)
    row = scores_of(rs.MulticlassStudy(y, p)).loc["log_score"]
    loss = -np.log(p[np.arange(60), y])
    squares = (loss - loss.mean()) ** 2
    se = np.sqrt(squares.sum() / (60 * 59))
    parts = np.array([squares[y == k].sum() for k in range(3)])
    df = parts.sum() ** 2 / np.sum(parts**2 / (np.bincount(y) - 1))
    assert row["se"] == pytest.approx(se)
    assert row["ci_high"] - row["estimate"] == pytest.approx(stats.t.ppf(0.975, df) * se)


def test_frequencies_and_clusters(rng):
    y, p = draw(rng)
    times, everyone = rng.integers(1, 4, 60), np.arange(60)
    rows = np.repeat(everyone, times)
    counted = scores_of(rs.MulticlassStudy(y, p, frequency=times))[NUMBERS]
    np.testing.assert_allclose(counted, scores_of(rs.MulticlassStudy(y[rows], p[rows]))[NUMBERS])
    plain = scores_of(rs.MulticlassStudy(y, p))[NUMBERS]
    alone = scores_of(rs.MulticlassStudy(y, p, cluster=everyone))[NUMBERS]
    np.testing.assert_allclose(alone, plain)
    twice = rs.MulticlassStudy(np.tile(y, 2), np.tile(p, (2, 1)), cluster=np.tile(everyone, 2))
    np.testing.assert_allclose(scores_of(twice)[NUMBERS], plain)


def test_units_of_clusters_are_sums_with_their_factor(rng):
    y, p = draw(rng)
    cluster, times = rng.integers(0, 15, 60), rng.integers(1, 3, 60)
    cases = rs.MulticlassStudy(y, p, cluster=cluster, frequency=times).cases
    values = rng.normal(size=(2, 60))
    sums = np.zeros((2, 15))
    for i in range(60):
        sums[:, cluster[i]] += times[i] * values[:, i]
    sums = sums[:, np.bincount(cluster, minlength=15) > 0]
    k = sums.shape[1]
    found = class_units(cases, values)
    np.testing.assert_allclose(found.covariance(), sums @ sums.T * k / (k - 1))
    # Clusters with the same classes are of one kind.
    sets = [frozenset(y[cluster == c]) for c in dict.fromkeys(cluster.tolist())]
    for i in range(k):
        for j in range(k):
            codes = found.kind[[i, j]]
            assert (codes[0] == codes[1]) == (sets[i] == sets[j])


def test_a_probability_of_0_of_the_class_of_a_case():
    y = np.tile([0, 1, 2], 10)
    p = np.tile([[0.5, 0.3, 0.2], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]], (10, 1))
    fine = rs.MulticlassStudy(y, p).probability_scores()
    assert np.isfinite(fine["estimate"]).all()  # a 0 for another class is no matter
    wrong = p.copy()
    wrong[2] = [1.0, 0.0, 0.0]
    study = rs.MulticlassStudy(y, {"p": p, "wrong": wrong, "again": wrong})
    rows = study.probability_scores().set_index(["predictor", "quantity"])
    log = rows.loc[("wrong", "log_score")]
    assert log["estimate"] == np.inf
    assert np.isnan(log["ci_low"])
    assert log["note"].startswith("infinite-score")
    assert np.isfinite(rows.loc[("wrong", "multiclass_brier_score"), "ci_low"])
    found = study.compare_probability_scores(quantity="log_score")
    assert found["estimate"].tolist() == pytest.approx([-np.inf, -np.inf, np.nan], nan_ok=True)
    assert found["note"].str.startswith("infinite-score").all()


def test_alike_classifiers_and_groups_without_a_class():
    y = np.tile([0, 1, 2], 12)
    p = np.full((36, 3), 1 / 3)
    same = rs.MulticlassStudy(y, {"p": p, "q": p})
    found = same.probability_scores()
    assert found["ci_low"].isna().any()  # equal losses have no spread
    assert found[found["quantity"] == "log_score"]["note"].str.startswith("no-variance").all()
    assert same.compare_probability_scores()["ci_low"].isna().all()
    group = np.where((y == 2) | (np.arange(36) % 2 == 0), "u", "v")
    grouped = rs.MulticlassStudy(y, p, group=group).probability_scores()
    lacking = grouped[grouped["group"] == "v"]
    assert lacking["estimate"].isna().all()
    assert lacking["note"].str.startswith("one-class").all()


MESSAGES = [
    (lambda p: 2 * p, "`y_score` must be probabilities in [0, 1]; got scores of 'score' from"),
    (lambda p: p - 0.5, "`y_score` must be probabilities in [0, 1]; got"),
    (lambda p: 0.9 * p, "`y_score` must have probabilities of sum 1 in each row; got a sum of 0.9"),
]


@each(("change", "message"), MESSAGES)
def test_scores_are_probabilities(change, message, rng):
    y, p = draw(rng)
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.MulticlassStudy(y, change(p)).probability_scores()


def test_probabilities_of_few_digits_are_taken(rng):
    y, p = draw(rng)
    exact, rough = (scores_of(rs.MulticlassStudy(y, q)) for q in (p, p.round(4)))
    np.testing.assert_allclose(rough["estimate"], exact["estimate"], atol=1e-3)


# --- Calibration ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["plain", "frequency", "cluster", "fold", "group"])
def test_calibration_of_a_class_is_that_of_the_binary_study(role, rng):
    y, p = draw(rng, 90)
    roles = roles_of(rng, role, 90)
    found = rs.MulticlassStudy(y, {"p": p, "q": 0.8 * p + 0.2 / 3}, **roles).calibration()
    kept = [name for name in found if name not in ("predictor", "class", "group")]
    for k in range(3):
        scores = {"p": p[:, k], "q": 0.8 * p[:, k] + 0.2 / 3}
        binary = rs.Study(y == k, scores, **roles).calibration()
        ours = found[found["class"] == str(k)]
        order = ["group"] if role == "group" else []
        ours = ours.sort_values([*order, "predictor"], kind="stable")[kept]
        theirs = binary.sort_values([*order, "predictor"], kind="stable")[kept]
        assert ours.reset_index(drop=True).equals(theirs.reset_index(drop=True))


def test_redrawn_measures_have_streams_of_their_own_and_repeat(rng):
    y, p = draw(rng, 90)
    asked = {"quantities": ["miscalibration", "spiegelhalter_z"], "n_resamples": 100, "rng": 3}
    found = rs.MulticlassStudy(y, {"p": p, "q": p}).calibration(**asked)
    again = rs.MulticlassStudy(y, {"p": p, "q": p}).calibration(**asked)
    assert found.equals(again)
    z = found[found["quantity"] == "spiegelhalter_z"]
    binary = rs.Study(y == 1, p[:, 1]).calibration(quantities="spiegelhalter_z")
    assert z.loc[z["class"] == "1", "estimate"].tolist() == pytest.approx(
        [binary["estimate"][0]] * 2
    )
    assert found["p_value"].between(0, 1).all()


CALIBRATION_MESSAGES = [
    ({}, {"clip": 0.7}, "`clip` must be a number strictly"),
    ({}, {"quantities": "ece"}, "`quantities` must be one of"),
    ({"cluster": np.arange(60) // 2}, {"quantities": "ici"}, "`cluster` must stay None for"),
]


@each(("roles", "asked", "message"), CALIBRATION_MESSAGES)
def test_message_of_calibration(roles, asked, message, rng):
    y, p = draw(rng)
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.MulticlassStudy(y, p, **roles).calibration(**asked)


def test_probabilities_of_0_and_1_need_clip_for_logits(rng):
    y, p = draw(rng)
    sure = np.eye(3)[p.argmax(axis=1)]
    study = rs.MulticlassStudy(y, sure)
    with pytest.warns(rs.StatisticalWarning, match="certain-risks"):
        slopes = study.calibration(quantities="calibration_slope")
    assert slopes["estimate"].isna().all()
    assert slopes["note"].str.contains("certain-risks").all()
    assert study.calibration(quantities="observed_expected_ratio")["estimate"].notna().all()
    assert study.calibration(quantities="calibration_slope", clip=1e-3)["estimate"].notna().all()
