from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal
from tests.strategies import multiclass_samples, whole_numbers


def share_of_pairs(above, below):
    """P(above > below) + P(equal)/2 over all pairs."""
    above, below = above[:, None], below[None, :]
    return np.mean((above > below) + 0.5 * (above == below))


def hand_till(y, scores):
    """A(i, j) for each pair of classes, and their mean M."""
    pairs = {}
    for i, j in combinations(scores, 2):
        a = share_of_pairs(scores[i][y == i], scores[i][y == j])
        b = share_of_pairs(scores[j][y == j], scores[j][y == i])
        pairs[i, j] = (a + b) / 2
    return pairs, sum(pairs.values()) / len(pairs)


def class_reference(y, scores):
    """AUC of each class against the rest, and their mean weighted by prevalence."""
    areas = {c: share_of_pairs(scores[c][y == c], scores[c][y != c]) for c in scores}
    return areas, sum(areas[c] * np.mean(y == c) for c in scores)


@given(multiclass_samples())
def test_hand_till_is_the_mean_over_pairs(data):
    y, scores = data
    frame = rs.MulticlassStudy(y, scores).auc()
    pairs, m = hand_till(y, scores)
    assert list(zip(frame["class"], frame["versus"], strict=True)) == [*pairs, ("all", "")]
    assert frame["estimate"].tolist() == pytest.approx([*pairs.values(), m], abs=1e-14)
    sizes = [((y == i).sum(), (y == j).sum()) for i, j in pairs]
    assert frame[["n_pos", "n_neg"]].to_numpy()[:-1].tolist() == [list(size) for size in sizes]


@given(multiclass_samples())
def test_class_reference_is_each_class_against_the_rest(data):
    y, scores = data
    frame = rs.MulticlassStudy(y, scores).auc(method="class-reference")
    areas, total = class_reference(y, scores)
    assert frame["class"].tolist() == [*areas, "all"]
    assert frame["versus"].tolist() == ["rest"] * len(areas) + [""]
    assert frame["estimate"].tolist() == pytest.approx([*areas.values(), total], abs=1e-14)
    assert frame["n_pos"].tolist()[:-1] == [(y == name).sum() for name in areas]
    assert frame["n_neg"].tolist()[:-1] == [(y != name).sum() for name in areas]


@given(multiclass_samples())
def test_the_area_of_a_class_is_that_under_its_curve(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    areas = study.auc(method="class-reference").set_index("class")["estimate"]
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
    found = study.auc(method="class-reference")["estimate"].to_numpy()
    expected = roc_auc_score(y, proba, multi_class="ovr", average="weighted")
    assert found[-1] == pytest.approx(expected, abs=1e-13)
    assert found[:-1] == pytest.approx(
        roc_auc_score(y, proba, multi_class="ovr", average=None), abs=1e-13
    )


def test_weights_as_in_scikit_learn(rng):
    y, weight = rng.integers(0, 3, 90), rng.uniform(0.1, 3, 90)
    proba = rng.dirichlet(np.ones(3), 90)
    study = rs.MulticlassStudy(y, proba, sample_weight=weight)
    found = study.auc(method="class-reference")["estimate"].iloc[-1]
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
    for method in ("hand-till", "class-reference"):
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
    for method in ("hand-till", "class-reference"):
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
    before = rs.MulticlassStudy(y, scores).auc(method="class-reference")
    after = rs.MulticlassStudy(y, scores, frequency=[1, 9, 1]).auc(method="class-reference")
    assert before["estimate"][0] == 0.5
    assert after["estimate"][0] == pytest.approx(0.9)


@given(multiclass_samples(classes=2))
def test_two_classes_give_the_mean_of_the_two_columns(data):
    y, scores = data
    areas = [rs.Study(y == name, score).auc()["estimate"][0] for name, score in scores.items()]
    frame = rs.MulticlassStudy(y, scores).auc()
    assert frame["estimate"].tolist() == pytest.approx([np.mean(areas)] * 2, abs=1e-14)
    reference = rs.MulticlassStudy(y, scores).auc(method="class-reference")
    assert reference["estimate"].tolist()[:2] == pytest.approx(areas, abs=1e-14)


@given(multiclass_samples())
def test_two_complementary_columns_give_the_binary_area(data):
    y, scores = data
    score = scores["a"]
    binary = rs.Study(y == "a", score).auc()["estimate"][0]
    two = np.where(y == "a", "yes", "no")
    frame = rs.MulticlassStudy(two, {"yes": score, "no": 1 - score}).auc()
    assert frame["estimate"].tolist() == pytest.approx([binary, binary], abs=1e-14)


@given(multiclass_samples(), st.data())
def test_frequency_is_the_row_repeated(data, draw):
    y, scores = data
    times = whole_numbers(draw.draw, len(y), 3, least=1)
    long = {name: np.repeat(score, times) for name, score in scores.items()}
    for method in ("hand-till", "class-reference"):
        short = rs.MulticlassStudy(y, scores, frequency=times).auc(method=method)
        again = rs.MulticlassStudy(np.repeat(y, times), long).auc(method=method)
        assert_frames_equal(short, again, rtol=1e-13)


@pytest.fixture
def roles(rng):
    y = np.tile(["a", "b", "c"], 16)
    scores = {name: rng.integers(0, 9, 48) + 3.0 * (y == name) for name in "abc"}
    return pd.DataFrame(
        {"y": y, **scores, "site": ["u"] * 24 + ["v"] * 24, "part": [1, 2, 2, 1] * 12}
        | {"case": np.arange(48) // 2}
    )


@pytest.mark.parametrize("method", ["hand-till", "class-reference"])
def test_groups_are_studies_of_their_own(roles, method):
    names = ["a", "b", "c"]
    frame = rs.MulticlassStudy("y", names, data=roles, group="site").auc(method=method)
    for site in ("u", "v"):
        alone = rs.MulticlassStudy("y", names, data=roles[roles["site"] == site])
        found = frame[frame["group"] == site].drop(columns="group").reset_index(drop=True)
        assert found.equals(alone.auc(method=method))


@pytest.mark.parametrize("method", ["hand-till", "class-reference"])
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
        rest = again.auc(method="class-reference")
    lone = rest[rest["group"] == "v"].set_index("class")
    assert lone["estimate"].notna().tolist() == [True, True, False, False]
    assert rest[rest["group"] == "u"]["estimate"].notna().all()


def test_a_group_of_a_single_class_has_nothing_to_tell_apart():
    study = rs.MulticlassStudy(
        ["a", "b", "a", "a"], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}, group=["u", "u", "v", "v"]
    )
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.auc(method="class-reference")
    assert frame[frame["group"] == "v"]["estimate"].isna().all()
