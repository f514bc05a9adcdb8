"""Areas of several classes: scikit-learn, jackknifes, derivatives and binary studies."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocstats as rs
from rocstats.estimate.resample import plan_resamples
from rocstats.estimate.resample_areas import draw_class_areas
from tests.oracles import definitions as oracles
from tests.quick import each
from tests.strategies import multiclass_samples

METHODS = ("ovo-macro", "ovr-weighted")

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]

CLOSED = ("logit", "wald", "probit", "logit-t")


def share_of_pairs(above, below, w_above, w_below):
    """P(above > below) + P(equal)/2 over all pairs of weighted cases."""
    above, below, weight = above[:, None], below[None, :], np.outer(w_above, w_below)
    return np.sum(weight * ((above > below) + 0.5 * (above == below))) / weight.sum()


def area(y, w, score, i, j):
    pos, neg = y == i, y != i if j is None else y == j
    return share_of_pairs(score[pos], score[neg], w[pos], w[neg])


def hand_till(y, scores, w):
    pairs = [
        (area(y, w, scores[i], i, j) + area(y, w, scores[j], j, i)) / 2
        for i, j in combinations(scores, 2)
    ]
    return np.array([*pairs, np.mean(pairs)])


def class_reference(y, scores, w):
    each = [area(y, w, scores[c], c, None) for c in scores]
    share = [w[y == c].sum() / w.sum() for c in scores]
    return np.array([*each, np.dot(share, each)])


def jackknife_variance(y, scores):
    """Delete one case at a time, class by class: sum (n - 1)/n (deviations from the whole)^2."""
    w, total = np.ones(len(y)), 0.0
    whole = hand_till(y, scores, w)
    for u in range(len(y)):
        n = (y == y[u]).sum()
        left = np.delete(np.arange(len(y)), u)
        less = hand_till(y[left], {c: s[left] for c, s in scores.items()}, w[left])
        total += (n - 1) / n * (less - whole) ** 2
    return total


def derivative_variance(y, scores):
    """Squares of the derivatives in the weight of each case, with the factor of its side."""
    step, rows = 1e-5, len(scores) + 1
    total = np.zeros(rows)
    for u in range(len(y)):
        up, down = np.ones(len(y)), np.ones(len(y))
        up[u], down[u] = 1 + step, 1 - step
        slope = class_reference(y, scores, up) - class_reference(y, scores, down)
        slope /= 2 * step
        n_own, n = (y == y[u]).sum(), len(y)
        # against the rest the other side is the whole rest; in the mean each class is a side
        sides = [n_own if c == y[u] else n - (y == c).sum() for c in scores] + [n_own]
        total += slope**2 * np.array(sides) / (np.array(sides) - 1)
    return total


@st.composite
def pairs_of_cases(draw, classes=None):
    """Samples with two cases of each class at least."""
    y, scores = draw(multiclass_samples(classes=classes, most=4))
    more = {name: np.concatenate([s, s[::-1]]) for name, s in scores.items()}
    return np.concatenate([y, y]), more


@given(pairs_of_cases())
def test_hand_till_variance_is_the_jackknife(data):
    y, scores = data
    found = rs.MulticlassStudy(y, scores).auc()["se"] ** 2
    np.testing.assert_allclose(found, jackknife_variance(y, scores), atol=1e-13)


@given(pairs_of_cases(classes=3))
def test_class_reference_variance_is_that_of_the_derivatives(data):
    y, scores = data
    found = rs.MulticlassStudy(y, scores).auc(method="ovr-weighted")["se"] ** 2
    np.testing.assert_allclose(found, derivative_variance(y, scores), atol=1e-8)


def with_roles(rng, n):
    fold = np.tile([1, 2], n // 2)
    return {
        "plain": {},
        "frequency": {"frequency": rng.integers(1, 4, n)},
        "cluster": {"cluster": rng.integers(0, n // 3, n)},
        "fold": {"fold": fold},
        "fold and cluster": {"fold": fold, "cluster": rng.integers(0, n // 3, n)},
        "fold and frequency": {"fold": fold, "frequency": rng.integers(1, 4, n)},
        "group": {"group": np.repeat(["u", "v"], n // 2)},
    }


ROLES = ("plain", "frequency", "cluster", "fold", "fold and cluster", "fold and frequency", "group")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("interval", CLOSED)
@pytest.mark.parametrize("method", METHODS)
def test_two_classes_are_the_binary_answer(rng, role, interval, method):
    y = rng.permutation(np.repeat(["no", "yes"], [36, 24]))
    score = rng.integers(0, 8, 60) + 2.0 * (y == "yes")
    roles = with_roles(rng, 60)[role]
    asked = {"interval": interval, "null_value": 0.6, "alternative": "greater"}
    binary = rs.Study(y, score, pos_label="yes", **roles).auc(**asked)
    two = rs.MulticlassStudy(y, {"yes": score, "no": -score}, **roles)
    frame = two.auc(method=method, **asked)
    for row in (0, -1):
        found = frame.groupby("group").nth(row) if role == "group" else frame.iloc[[row]]
        np.testing.assert_allclose(found[NUMBERS], binary[NUMBERS], rtol=1e-9)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("interval", CLOSED)
def test_a_class_against_the_rest_is_a_binary_study(rng, role, interval):
    y = rng.permutation(np.repeat(["a", "b", "c"], [20, 22, 18]))
    scores = {c: rng.integers(0, 8, 60) + 2.0 * (y == c) for c in "abc"}
    roles = with_roles(rng, 60)[role]
    study = rs.MulticlassStudy(y, scores, **roles)
    frame = study.auc(method="ovr-weighted", interval=interval, null_value=0.7)
    for c in "abc":
        binary = rs.Study(y == c, scores[c], **roles).auc(interval=interval, null_value=0.7)
        found = frame[frame["class"] == c]
        np.testing.assert_allclose(found[NUMBERS], binary[NUMBERS], rtol=1e-9)
        assert found["note"].tolist() == binary["note"].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_clusters_of_one_case_are_no_clusters(rng, method):
    y = np.tile(["a", "b", "c"], 15)
    scores = {c: rng.normal(size=45) + (y == c) for c in "abc"}
    plain = rs.MulticlassStudy(y, scores).auc(method=method)
    alone = rs.MulticlassStudy(y, scores, cluster=np.arange(45)).auc(method=method)
    np.testing.assert_allclose(alone["se"], plain["se"], rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_clusters_of_copies_have_the_error_of_the_originals(rng, method):
    y = np.tile(["a", "b", "c"], 40)
    scores = {c: rng.normal(size=120) + (y == c) for c in "abc"}
    thrice = {c: np.tile(s, 3) for c, s in scores.items()}
    once = rs.MulticlassStudy(y, scores).auc(method=method)
    study = rs.MulticlassStudy(np.tile(y, 3), thrice, cluster=np.tile(np.arange(120), 3))
    np.testing.assert_allclose(study.auc(method=method)["se"], once["se"], rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_resamples_vary_as_the_influence_values_say(rng, method):
    y = rng.permutation(np.repeat(["a", "b", "c"], [120, 80, 60]))
    scores = {c: rng.normal(size=260) + 1.2 * (y == c) for c in "abc"}
    study = rs.MulticlassStudy(y, scores)
    asked = {"method": method, "interval": "percentile", "rng": 3}
    closed, drawn = study.auc(method=method), study.auc(**asked)
    width = drawn["ci_high"] - drawn["ci_low"]
    np.testing.assert_allclose(width / (closed["ci_high"] - closed["ci_low"]), 1, atol=0.08)
    assert set(drawn["n_resamples"]) == {2000}
    assert set(drawn["method"]) == {f"{method}/percentile"}
    assert drawn.attrs["rocstats"]["seed"] == 3
    # the standard error of weighted studies is that of the draws: unit weights change little
    weighted = rs.MulticlassStudy(y, scores, sample_weight=np.ones(260)).auc(**asked)
    np.testing.assert_allclose(weighted["se"] / closed["se"], 1, atol=0.08)


@pytest.mark.parametrize("method", METHODS)
def test_the_standard_error_of_weights_is_that_of_the_draws(rng, method):
    y = np.tile(["a", "b", "c"], 20)
    scores = {c: rng.normal(size=60) + (y == c) for c in "abc"}
    study = rs.MulticlassStudy(y, scores, sample_weight=rng.uniform(0.2, 2, 60))
    asked = {"n_resamples": 100, "stratified": True, "rng": 3}
    found = study.auc(method=method, interval="percentile", **asked)
    draws = draw_class_areas(
        study.cases, method, plan_resamples(study.cases, progress=False, **asked).at(0)
    )
    np.testing.assert_allclose(found["se"], draws.values[:, 0].std(axis=1, ddof=1), rtol=1e-12)


def test_stratified_resamples_keep_the_mix(rng):
    y = rng.permutation(np.repeat(["a", "b", "c"], [150, 30, 30]))
    # a is told from b always and from c hardly, so that its area hangs on the mix of the rest
    scores = {"a": rng.normal(size=210) - 4 * (y == "b")}
    scores |= {c: rng.normal(size=210) for c in "bc"}
    study = rs.MulticlassStudy(y, scores)
    asked = {"method": "ovr-weighted", "interval": "percentile", "rng": 3}
    width = {
        stratified: (lambda f: f["ci_high"] - f["ci_low"])(
            study.auc(stratified=stratified, **asked)
        )
        for stratified in (True, False)
    }
    assert width[True][0] < 0.85 * width[False][0]
    assert study.auc(**asked).equals(study.auc(stratified=False, **asked))


@pytest.mark.parametrize("method", METHODS)
def test_resampling_of_clusters_and_weights(rng, method):
    y = np.tile(["a", "b", "c"], 60)
    scores = {c: rng.normal(size=180) + (y == c) for c in "abc"}
    cluster = rng.integers(0, 60, 180)
    asked = {"method": method, "interval": "percentile", "rng": 1}
    study = rs.MulticlassStudy(y, scores, cluster=cluster)
    closed, drawn = study.auc(method=method), study.auc(**asked)
    ratio = (drawn["ci_high"] - drawn["ci_low"]) / (closed["ci_high"] - closed["ci_low"])
    np.testing.assert_allclose(ratio, 1, atol=0.12)
    weighted = rs.MulticlassStudy(y, scores, sample_weight=rng.uniform(0.2, 2, 180))
    plain = weighted.auc(method=method)
    assert set(plain["note"]) == {"weights-need-bootstrap"}
    assert plain[["se", "ci_low", "ci_high"]].isna().all().all()
    resampled = weighted.auc(**asked)
    assert resampled["estimate"].equals(plain["estimate"])
    assert (resampled["ci_low"] < resampled["estimate"]).all()
    assert (resampled["ci_high"] > resampled["estimate"]).all()


@given(multiclass_samples())
def test_no_interval_lacks_width_or_leaves_the_unit_range(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    for method in METHODS:
        for interval in CLOSED:
            frame = study.auc(method=method, interval=interval)
            low, estimate, high = (frame[c].to_numpy() for c in ("ci_low", "estimate", "ci_high"))
            assert ((low >= 0) & (low < high) & (high <= 1)).all()
            assert ((low <= estimate) & (estimate <= high)).all()


@pytest.mark.parametrize("method", METHODS)
def test_perfect_separation_is_not_certainty(method):
    y = np.repeat(["a", "b", "c"], [10, 8, 12])
    scores = {c: (y == c) + 0.0 for c in "abc"}
    for interval in (*CLOSED, "percentile"):
        frame = rs.MulticlassStudy(y, scores).auc(method=method, interval=interval, rng=1)
        assert frame["estimate"].eq(1).all()
        assert frame["ci_high"].eq(1).all()
        assert frame["note"].str.startswith("auc-at-boundary").all()
        assert set(frame["method"]) == {f"{method}/newcombe"}
        # Newcombe's lower limit for 8 and 10 cases (docs/methods/area-intervals.md, "Lower limits
        # at an area of 1"), and of 8 against 22
        smallest = 0.7776378 if method == "ovo-macro" else frame["ci_low"][1]
        assert frame["ci_low"].iloc[-1] == pytest.approx(smallest, abs=5e-8)
        assert frame["ci_low"].iloc[-1] == frame["ci_low"].min()


def test_a_class_with_one_case_has_no_standard_error():
    y = np.array(["a"] * 5 + ["b"] * 6 + ["c"])
    scores = {c: (np.arange(12.0) * 5 % 7) + (y == c) for c in "abc"}
    frame = rs.MulticlassStudy(y, scores).auc().set_index(["class", "versus"])
    assert frame["se"].isna().tolist() == [False, True, True, True]
    assert frame["note"].str.contains("single-case").tolist() == [False, True, True, True]
    assert (frame["ci_high"] > frame["ci_low"]).all()


def test_scores_that_all_tie_have_an_interval():
    y = np.repeat(["a", "b", "c"], 6)
    for method in METHODS:
        frame = rs.MulticlassStudy(y, {c: np.ones(18) for c in "abc"}).auc(method=method)
        assert frame["estimate"].eq(0.5).all()
        assert frame["note"].str.startswith("zero-variance").all()
        assert (frame["ci_low"] < 0.5).all()
        assert (frame["ci_high"] > 0.5).all()


def test_levels_and_sides(rng):
    y = np.tile(["a", "b", "c"], 20)
    study = rs.MulticlassStudy(y, {c: rng.normal(size=60) + (y == c) for c in "abc"})
    wide, narrow = study.auc(confidence_level=0.99), study.auc(confidence_level=0.9)
    assert (wide["ci_low"] < narrow["ci_low"]).all()
    assert (wide["ci_high"] > narrow["ci_high"]).all()
    above = study.auc(alternative="greater", null_value=0.5)
    np.testing.assert_allclose(above["ci_low"], narrow["ci_low"])
    assert above["ci_high"].eq(1).all()
    two_sided = study.auc(null_value=0.5)
    np.testing.assert_allclose(two_sided["p_value"], 2 * above["p_value"])
    assert study.auc(null_value=0.5)["null_value"].eq(0.5).all()


def test_a_classifier_is_answered_alike_alone_and_among_others(rng):
    y = np.tile(["a", "b", "c"], 20)
    one, two = ({c: rng.normal(size=60) + (y == c) for c in "abc"} for _ in range(2))
    both = rs.MulticlassStudy(y, {"one": one, "two": two})
    for asked in ({}, {"interval": "percentile", "rng": 5, "n_resamples": 200}):
        frame = both.auc(**asked)
        for name, scores in (("one", one), ("two", two)):
            alone = rs.MulticlassStudy(y, {name: scores}).auc(**asked)
            found = frame[frame["predictor"] == name].reset_index(drop=True)
            pd.testing.assert_frame_equal(found, alone.copy())
    curves = both.roc_curve()
    assert list(dict.fromkeys(curves["predictor"])) == ["one", "two"]


MESSAGES = [
    ({"confidence_level": 95}, "`confidence_level` must be a number strictly between 0 and 1"),
    ({"null_value": 1}, "`null_value` must be a number strictly between 0 and 1"),
    ({"interval": "percentile", "n_resamples": 10}, "`n_resamples` must be a whole number >= 100"),
    ({"interval": "percentile", "stratified": True}, "`stratified` must not be True when the"),
]


@each(("asked", "message"), MESSAGES)
def test_message(asked, message):
    study = rs.MulticlassStudy(
        ["a", "b", "c"] * 2, {c: np.arange(6.0) for c in "abc"}, cluster=[1, 1, 2, 2, 3, 3]
    )
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.auc(**asked)


def test_resamples_that_never_hold_every_class_are_given_up():
    # 14 of 14 clusters would have to be drawn: 14!/14^14, eight in a million
    study = rs.MulticlassStudy(np.arange(14), np.eye(14), cluster=np.arange(14))
    with pytest.raises(rs.InputError, match="must hold every class in every fold; got almost none"):
        study.auc(interval="percentile", rng=1, n_resamples=100)


@given(multiclass_samples())
def test_the_area_of_a_class_is_that_under_its_curve(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    areas = study.auc(method="ovr-weighted").set_index("class")["estimate"]
    for name, curve in study.roc_curve().groupby("class"):
        area = oracles.trapezoid(curve["fpr"].tolist(), curve["tpr"].tolist())
        assert areas[name] == pytest.approx(area, abs=1e-14)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_same_numbers_as_scikit_learn(rng, n_classes):
    y = rng.integers(0, n_classes, 200)
    # whole tenths of tenths: ties within columns, and rows that sum to 1
    shares = rng.multinomial(10, np.full(n_classes, 1 / n_classes), 200) + 2 * np.eye(n_classes)[y]
    proba = shares / shares.sum(axis=1, keepdims=True)
    study = rs.MulticlassStudy(y, proba)
    found = study.auc()["estimate"].iloc[-1]
    expected = roc_auc_score(y, proba, multi_class="ovo", average="macro")
    assert found == pytest.approx(expected, abs=1e-13)
    found = study.auc(method="ovr-weighted")["estimate"].to_numpy()
    expected = roc_auc_score(y, proba, multi_class="ovr", average="weighted")
    assert found[-1] == pytest.approx(expected, abs=1e-13)
    assert found[:-1] == pytest.approx(
        roc_auc_score(y, proba, multi_class="ovr", average=None), abs=1e-13
    )


def test_weights_as_in_scikit_learn(rng):
    y, weight = rng.integers(0, 3, 90), rng.uniform(0.1, 3, 90)
    proba = rng.dirichlet(np.ones(3), 90)
    study = rs.MulticlassStudy(y, proba, sample_weight=weight)
    found = study.auc(method="ovr-weighted")["estimate"].iloc[-1]
    expected = roc_auc_score(y, proba, multi_class="ovr", average="weighted", sample_weight=weight)
    assert found == pytest.approx(expected, abs=1e-13)


@given(multiclass_samples(), st.data())
def test_renaming_and_reordering_classes_permutes_rows(data, draw):
    y, scores = data
    order = draw.draw(st.permutations(list(scores)))
    new = {old: f"new {old}" for old in scores}
    renamed = np.array([new[label] for label in y])
    study = rs.MulticlassStudy(y, scores)
    again = rs.MulticlassStudy(renamed, {new[name]: scores[name] for name in order})
    for method in ("ovo-macro", "ovr-weighted"):
        before, after = study.auc(method=method), again.auc(method=method)
        areas = {
            frozenset((new.get(row["class"], "all"), new.get(row["versus"], row["versus"]))): row[
                "estimate"
            ]
            for _, row in before.iterrows()
        }
        for _, row in after.iterrows():
            pair = frozenset((row["class"], row["versus"]))
            assert row["estimate"] == pytest.approx(areas[pair], abs=1e-14)


@given(multiclass_samples())
def test_increasing_transforms_of_each_column_change_nothing(data):
    y, scores = data
    changed = {name: np.exp(score / (k + 1)) - 3 for k, (name, score) in enumerate(scores.items())}
    for method in ("ovo-macro", "ovr-weighted"):
        before = rs.MulticlassStudy(y, scores).auc(method=method)
        assert rs.MulticlassStudy(y, changed).auc(method=method).equals(before)


@given(multiclass_samples())
def test_hand_till_does_not_depend_on_the_class_distribution(data):
    y, scores = data
    more = np.where(y == "a", 7, 1)
    before = rs.MulticlassStudy(y, scores).auc()
    after = rs.MulticlassStudy(y, scores, frequency=more).auc()
    np.testing.assert_allclose(after["estimate"], before["estimate"], atol=1e-14)


def test_class_reference_depends_on_the_class_distribution():
    # a is told from b always, from c never: against the rest 1/2, with nine times as many b 0.9
    y = np.array(["a", "b", "c"])
    scores = {"a": [2.0, 1, 3], "b": [0.0, 1, 0], "c": [0.0, 0, 1]}
    before = rs.MulticlassStudy(y, scores).auc(method="ovr-weighted")
    after = rs.MulticlassStudy(y, scores, frequency=[1, 9, 1]).auc(method="ovr-weighted")
    assert before["estimate"][0] == 0.5
    assert after["estimate"][0] == pytest.approx(0.9)


@given(multiclass_samples(classes=2))
def test_two_classes_give_the_mean_of_the_two_columns(data):
    y, scores = data
    areas = [rs.Study(y == name, score).auc()["estimate"][0] for name, score in scores.items()]
    frame = rs.MulticlassStudy(y, scores).auc()
    assert frame["estimate"].tolist() == pytest.approx([np.mean(areas)] * 2, abs=1e-14)
    reference = rs.MulticlassStudy(y, scores).auc(method="ovr-weighted")
    assert reference["estimate"].tolist()[:2] == pytest.approx(areas, abs=1e-14)


@given(multiclass_samples())
def test_two_complementary_columns_give_the_binary_area(data):
    y, scores = data
    score = scores["a"]
    binary = rs.Study(y == "a", score).auc()["estimate"][0]
    two = np.where(y == "a", "yes", "no")
    frame = rs.MulticlassStudy(two, {"yes": score, "no": 1 - score}).auc()
    assert frame["estimate"].tolist() == pytest.approx([binary, binary], abs=1e-14)


@pytest.fixture
def roles(rng):
    y = np.tile(["a", "b", "c"], 16)
    scores = {name: rng.integers(0, 9, 48) + 3.0 * (y == name) for name in "abc"}
    return pd.DataFrame(
        {"y": y, **scores, "site": ["u"] * 24 + ["v"] * 24, "part": [1, 2, 2, 1] * 12}
        | {"case": np.arange(48) // 2}
    )


@pytest.mark.parametrize("method", ["ovo-macro", "ovr-weighted"])
def test_folds_are_averaged(roles, method):
    names = ["a", "b", "c"]
    frame = rs.MulticlassStudy("y", names, data=roles, fold="part").auc(method=method)
    parts = [
        rs.MulticlassStudy("y", names, data=roles[roles["part"] == part]).auc(method=method)
        for part in (1, 2)
    ]
    mean = np.mean([part["estimate"].to_numpy()[:3] for part in parts], axis=0)
    np.testing.assert_allclose(frame["estimate"][:3], mean, rtol=1e-14)
    # all classes are equally frequent, so both summaries are plain means
    assert frame["estimate"].iloc[-1] == pytest.approx(mean.mean(), abs=1e-14)
    assert frame["n_pos"][0] == 16


def test_clusters_change_no_estimate(roles):
    names = ["a", "b", "c"]
    plain = rs.MulticlassStudy("y", names, data=roles).auc()
    clustered = rs.MulticlassStudy("y", names, data=roles, cluster="case").auc()
    assert clustered["estimate"].equals(plain["estimate"])
    assert not clustered["se"].equals(plain["se"])


def test_a_group_without_a_class_has_rows_of_nan():
    y = ["a", "b", "c", "a", "b", "a", "b", "a", "b"]
    scores = {"a": range(9), "b": [3, 1, 2] * 3, "c": [1, 2, 3] * 3}
    group = ["u"] * 5 + ["v"] * 4
    fold = [0, 0, 0, 0, 0, 1, 1, 2, 2]
    study, again = (rs.MulticlassStudy(y, scores, group=group, fold=fold) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        pairs = study.auc()
    lone = pairs[pairs["group"] == "v"].set_index(["class", "versus"])
    assert lone["estimate"].notna().tolist() == [True, False, False, False]
    assert lone["note"].tolist() == ["single-case; few-cases", *["one-class"] * 3]
    assert lone.loc[("a", "c"), ["n_pos", "n_neg"]].tolist() == [2, 0]
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        rest = again.auc(method="ovr-weighted")
    lone = rest[rest["group"] == "v"].set_index("class")
    assert lone["estimate"].notna().tolist() == [True, True, False, False]
    assert rest[rest["group"] == "u"]["estimate"].notna().all()


def test_a_group_of_a_single_class_has_nothing_to_tell_apart():
    study = rs.MulticlassStudy(
        ["a", "b", "a", "a"], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}, group=["u", "u", "v", "v"]
    )
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.auc(method="ovr-weighted")
    assert frame[frame["group"] == "v"]["estimate"].isna().all()


@given(multiclass_samples())
def test_hand_till_is_the_mean_over_pairs(data):
    y, scores = data
    frame = rs.MulticlassStudy(y, scores).auc()
    pairs = list(combinations(scores, 2))
    assert list(zip(frame["class"], frame["versus"], strict=True)) == [*pairs, ("all", "")]
    expected = hand_till(y, scores, np.ones(len(y)))
    assert frame["estimate"].tolist() == pytest.approx(expected, abs=1e-14)
    sizes = [[(y == i).sum(), (y == j).sum()] for i, j in pairs]
    assert frame[["n_pos", "n_neg"]].to_numpy()[:-1].tolist() == sizes


@given(multiclass_samples())
def test_class_reference_is_each_class_against_the_rest(data):
    y, scores = data
    frame = rs.MulticlassStudy(y, scores).auc(method="ovr-weighted")
    assert frame["class"].tolist() == [*scores, "all"]
    assert frame["versus"].tolist() == ["rest"] * len(scores) + [""]
    expected = class_reference(y, scores, np.ones(len(y)))
    assert frame["estimate"].tolist() == pytest.approx(expected, abs=1e-14)
    assert frame["n_pos"].tolist()[:-1] == [(y == name).sum() for name in scores]
    assert frame["n_neg"].tolist()[:-1] == [(y != name).sum() for name in scores]
