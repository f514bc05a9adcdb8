"""Scores of fitted and of cross-validated classifiers, of two samples, and of leaves of trees."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import rocstats as rs
from tests.quick import each


@pytest.fixture
def data(rng) -> tuple[pd.DataFrame, np.ndarray]:
    y = np.tile([1, 0, 0], 30)
    return pd.DataFrame(rng.normal(size=(90, 2)) + 0.8 * y[:, np.newaxis], columns=["a", "b"]), y


def cross_validated(X, y, cv) -> dict[str, dict]:
    models = {"logistic": LogisticRegression(), "lda": LinearDiscriminantAnalysis()}
    kept = {"return_estimator": True, "return_indices": True, "scoring": "roc_auc"}
    return {name: cross_validate(model, X, y, cv=cv, **kept) for name, model in models.items()}


@pytest.mark.parametrize("labels", [[0, 1], ["well", "ill"], ["a", "z"]])
def test_scores_are_those_of_the_positive_class(data, labels):
    X, y = data
    named = np.array(labels)[y]
    models = {"p": LogisticRegression().fit(X, named), "f": RidgeClassifier().fit(X, named)}
    study = rs.Study.from_estimator(models, X, named, pos_label=labels[1])
    assert study.predictors == ("p", "f")
    found = study.auc()["estimate"]
    last = labels[1] == max(labels)  # of classes_, which are sorted
    chance = models["p"].predict_proba(X)[:, int(last)]
    distance = models["f"].decision_function(X) * (1 if last else -1)
    expected = [roc_auc_score(y, chance), roc_auc_score(y, distance)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_one_classifier_has_the_name_of_its_class_and_roles_are_those_of_the_study(data):
    X, y = data
    cluster = np.arange(90) // 2
    study = rs.Study.from_estimator(LogisticRegression().fit(X, y), X, y, cluster=cluster)
    assert study.predictors == ("LogisticRegression",)
    assert study.cluster is not None


def test_classifiers_without_names_have_those_of_their_classes_or_the_ones_asked_for(data):
    X, y = data
    models = [
        make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y),
        LinearDiscriminantAnalysis().fit(X, y),
    ]
    found = rs.Study.from_estimator(models, X, y)
    assert found.predictors == ("LogisticRegression", "LinearDiscriminantAnalysis")
    assert rs.Study.from_estimator(models, X, y, predictor=["a", "b"]).predictors == ("a", "b")
    assert rs.Study.from_estimator(models[0], X, y, predictor="line").predictors == ("line",)
    results = cross_validated(X, y, StratifiedKFold(3))
    found = rs.Study.from_cv_results([*results.values()], X, y)
    assert found.predictors == ("LogisticRegression", "LinearDiscriminantAnalysis")
    found = rs.Study.from_cv_results(results["lda"], X, y, predictor="lda")
    assert found.predictors == ("lda",)


SPLITTERS = {
    "number": 5,
    "shuffled": StratifiedKFold(4, shuffle=True, random_state=3),
    "pairs": [(np.arange(45, 90), np.arange(45)), (np.arange(45), np.arange(45, 90))],
    "groups": GroupKFold(3),
}


@pytest.mark.parametrize("cv", SPLITTERS.values(), ids=SPLITTERS)
@pytest.mark.parametrize("labels", [[0, 1], ["well", "ill"]])
def test_predictions_of_cross_validation_have_the_folds_of_its_splitter(data, cv, labels):
    X, y = data[0], np.array(labels)[data[1]]
    patient = np.arange(90) // 5
    asked = {"cv": cv, "groups": patient} if isinstance(cv, GroupKFold) else {"cv": cv}
    scoring = {"scoring": lambda model, X, y: roc_auc_score(y, model.decision_function(X))}
    expected = cross_val_score(LogisticRegression(), X, y, **scoring, **asked)
    proba = cross_val_predict(LogisticRegression(), X, y, method="predict_proba", **asked)
    column = list(np.unique(y)).index(labels[1])
    for score in (proba, proba[:, column]):
        study = rs.Study.from_cross_val_predict(
            y, score, cv=cv, pos_label=labels[1], cluster=patient
        )
        assert study.auc()["estimate"][0] == pytest.approx(expected.mean(), abs=1e-12)
        assert study.n_pos == 30
        assert len(study.cluster.labels) == 18
    named = rs.Study.from_cross_val_predict(
        y, {"a": proba, "b": -proba[:, column]}, cv=cv, pos_label=labels[1], cluster=patient
    )
    areas = named.auc()["estimate"]
    assert named.predictors == ("a", "b")
    assert areas.sum() == pytest.approx(1)


@pytest.mark.parametrize("form", [lambda X: X, lambda X: X.to_numpy()])
def test_areas_of_folds_are_those_that_were_cross_validated(data, form):
    X, y = form(data[0]), data[1]
    results = cross_validated(X, y, StratifiedKFold(5))
    study = rs.Study.from_cv_results(results, X, y)
    assert study.predictors == ("logistic", "lda")
    assert (study.fold is not None, study.cluster) == (True, None)
    found = study.auc()["estimate"]
    expected = [result["test_score"].mean() for result in results.values()]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
    assert study.n_pos == y.sum()
    assert study.compare_auc()["p_value"].between(0, 1).all()


def test_a_case_that_is_tested_again_is_a_cluster(data):
    X, y = data
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    study = rs.Study.from_cv_results(cross_validated(X, y, folds)["lda"], X, y)
    assert study.predictors == ("LinearDiscriminantAnalysis",)
    assert len(study.fold.labels) == 6
    assert len(study.cluster.labels) == 90
    assert len(study.is_positive) == 180


def test_roles_go_with_their_cases(data):
    X, y = data
    site = np.array(["u", "v", "w"])[np.arange(90) // 3 % 3]
    patient = np.arange(90) // 3
    results = cross_validated(X, y, StratifiedKFold(3))
    study = rs.Study.from_cv_results(results, X, y, group=site, cluster=patient)
    rows = np.concatenate([np.arange(90)[i] for i in results["lda"]["indices"]["test"]])
    assert np.array(study.group.labels)[study.group.codes].tolist() == site[rows].tolist()
    assert len(study.cluster.labels) == 30


def test_two_samples_are_a_study():
    positives = {"x": [3.0, 2, 5], "z": [1, 2, 4]}
    negatives = pd.DataFrame({"x": [1.0, 2], "z": [3.0, 0]})
    study = rs.Study.from_samples(positives=positives, negatives=negatives)
    plain = rs.Study([1, 1, 1, 0, 0], {"x": [3, 2, 5, 1, 2], "z": [1, 2, 4, 3, 0]})
    pd.testing.assert_frame_equal(study.auc().copy(), plain.auc().copy())
    sides = {"positives": np.array([3, 4]), "negatives": [1, 9]}
    one = rs.Study.from_samples(**sides, higher_is_positive=False)
    assert one.roc_curve()["direction"].unique().tolist() == ["<="]
    with pytest.raises(TypeError, match="positional"):
        rs.Study.from_samples([3, 4], [1, 9])


# --- Leaves and trees -----------------------------------------------------------------------------

LEAVES = {"class": ["p", "n", "p"], "matched": [10, 12, 8], "errors": [1, 2, 3]}


def algorithm_7(leaves, pos_class):
    """Fawcett's algorithm 7 as printed: each leaf a point, counts of majority members only."""
    points = {True: [], False: []}
    count = {True: 0, False: 0}
    for concluded, matched, errors in zip(*leaves.values(), strict=True):
        right = matched - errors
        positive = concluded == pos_class
        count[positive] += right
        points[positive].append((errors, right) if positive else (right, errors))
    found = [(x / count[False], y / count[True]) for x, y in points[True]]
    found += [
        ((count[False] - x) / count[False], (count[True] - y) / count[True])
        for x, y in points[False]
    ]
    return sorted([*found, (0.0, 0.0), (1.0, 1.0)])


def test_the_corrected_curve_rises_where_the_printed_one_falls():
    # leaves have 9 + 2 + 5 = 16 positives and 1 + 10 + 3 = 14 negatives; purities 9/10, 5/8, 2/12
    curve = rs.Study.from_leaves(LEAVES, pos_label="p").roc_curve()
    assert curve["fp"].tolist() == [0, 1, 4, 14]
    assert curve["tp"].tolist() == [0, 9, 14, 16]
    assert curve["threshold"].tolist() == [np.inf, 9 / 10, 5 / 8, 2 / 12]
    # in print the divisors are 14 and 10, and the leaves stand side by side
    printed = algorithm_7(LEAVES, "p")
    assert printed == [(0, 0), (0, 12 / 14), (0.1, 9 / 14), (0.3, 5 / 14), (1, 1)]
    assert np.diff([tpr for _, tpr in printed]).min() < 0


@st.composite
def leaf_tables(draw):
    counts = st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda leaf: sum(leaf) > 0)
    pairs = draw(st.lists(counts, min_size=1, max_size=6))
    pos, neg = np.array([*pairs, (1, 1)]).T
    concludes = draw(st.lists(st.booleans(), min_size=len(pos), max_size=len(pos)))
    return pos, neg, np.array(concludes)


def from_counts(pos, neg, concludes, **arguments):
    table = pd.DataFrame(
        {
            "class": np.where(concludes, "p", "n"),
            "matched": pos + neg,
            "errors": np.where(concludes, neg, pos),
        }
    )
    return rs.Study.from_leaves(table, pos_label="p", **arguments)


@given(leaf_tables())
def test_leaves_are_grouped_instances(leaves):
    pos, neg, concludes = leaves
    study = from_counts(pos, neg, concludes)
    score = np.repeat(pos / (pos + neg), pos + neg)
    label = np.concatenate([np.repeat([1, 0], pair) for pair in zip(pos, neg, strict=True)])
    single = rs.Study(label, score)
    assert study.roc_curve().equals(single.roc_curve())
    numbers = ["estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg"]
    np.testing.assert_allclose(study.auc()[numbers], single.auc()[numbers], rtol=1e-12)


@given(leaf_tables())
def test_the_curve_is_the_hull_of_all_labellings_of_the_leaves(leaves):
    pos, neg, concludes = leaves
    curve = from_counts(pos, neg, concludes).roc_curve()
    labellings = [np.array(labels, bool) for labels in product([0, 1], repeat=len(pos))]
    reached = {(int(neg[chosen].sum()), int(pos[chosen].sum())) for chosen in labellings}
    assert set(zip(curve["fp"], curve["tp"], strict=True)) <= reached
    for fp, tp in reached:
        # a vertical first step has two heights at fp = 0: the curve's is the higher
        at_fp = curve.loc[curve["fp"] == fp, "tp"].max()
        height = np.interp(fp, curve["fp"], curve["tp"]) if np.isnan(at_fp) else at_fp
        assert tp <= height + 1e-9


@given(leaf_tables())
def test_what_a_leaf_concludes_does_not_matter_only_its_counts(leaves):
    pos, neg, concludes = leaves
    curve = from_counts(pos, neg, concludes).roc_curve()
    assert from_counts(pos, neg, ~concludes).roc_curve().equals(curve)


def test_leaves_of_equal_purity_tie():
    leaves = {"class": ["p", "p", "n"], "matched": [3, 6, 5], "errors": [1, 2, 0]}
    curve = rs.Study.from_leaves(leaves, pos_label="p").roc_curve()
    assert curve["threshold"].tolist() == [np.inf, 2 / 3, 0]
    assert curve[["fp", "tp"]].to_numpy().tolist() == [[0, 0], [3, 6], [8, 6]]


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_tables_of_every_kind(kind):
    study = rs.Study.from_leaves(kind(LEAVES), pos_label="p", predictor="c4.5")
    assert study.predictors == ("c4.5",)
    assert (study.n_pos, study.n_neg, study.pos_label) == (16, 14, "p")
    assert "16 (label 'p')" in repr(study)


def test_a_leaf_that_matches_nothing_is_no_leaf():
    more = {name: [*values, {"class": "n"}.get(name, 0)] for name, values in LEAVES.items()}
    expected = rs.Study.from_leaves(LEAVES, pos_label="p").roc_curve()
    assert rs.Study.from_leaves(more, pos_label="p").roc_curve().equals(expected)


def some_data(rng, labels=(0, 1)):
    X = rng.normal(size=(300, 3))
    y = np.array(labels)[(X[:, 0] + rng.normal(size=300) > 0).astype(int)]
    return X, y


def test_a_fitted_tree_scores_held_out_cases_by_its_leaves(rng):
    X, y = some_data(rng, ("sick", "well"))
    tree = DecisionTreeClassifier(max_leaf_nodes=7, random_state=0).fit(X[:150], y[:150])
    study = rs.Study.from_tree(tree, X[150:], y[150:], pos_label="sick", predictor="tree")
    # the share of training cases at the leaf, from the leaf statistics: no probabilities asked
    leaf = tree.apply(X[:150])
    share = {k: np.mean(y[:150][leaf == k] == "sick") for k in np.unique(leaf)}
    expected = np.array([share[k] for k in tree.apply(X[150:])])
    np.testing.assert_allclose(study.scores[0], expected, rtol=1e-12)
    area = roc_auc_score(y[150:] == "sick", expected)
    assert study.auc()["estimate"][0] == pytest.approx(area, abs=1e-14)


def test_training_leaves_are_from_leaves_and_flatter_the_tree(rng):
    X, y = some_data(rng)
    tree = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(X[:150], y[:150])
    on_training = rs.Study.from_tree(tree, X[:150], y[:150])
    leaf = tree.apply(X[:150])
    rows = [(np.sum(y[:150][leaf == k] == 1), np.sum(leaf == k)) for k in np.unique(leaf)]
    pos, matched = np.array(rows).T
    table = {"class": np.where(2 * pos > matched, 1, 0), "matched": matched}
    table["errors"] = np.where(table["class"] == 1, matched - pos, pos)
    leaves = rs.Study.from_leaves(table, pos_label=1)
    numbers = ["fpr", "tpr", "fp", "tp"]
    assert leaves.roc_curve()[numbers].equals(on_training.roc_curve()[numbers])
    held_out = rs.Study.from_tree(tree, X[150:], y[150:])
    assert held_out.auc()["estimate"][0] < leaves.auc()["estimate"][0]


def test_roles_and_missing_labels_of_held_out_cases(rng):
    X, y = some_data(rng)
    forest = RandomForestClassifier(10, random_state=0).fit(X[:150], y[:150])
    truth = y[150:].astype(float)
    truth[3] = np.nan
    site = np.arange(150) % 2
    study = rs.Study.from_tree(forest, X[150:], truth, group=site, nan_policy="omit")
    assert study.n_dropped == 1
    direct = rs.Study(
        truth, forest.predict_proba(X[150:])[:, 1], group=site, nan_policy="omit"
    ).auc()
    assert study.auc().equals(direct)


class Fitted:
    """What from_tree asks of a tree."""

    def __init__(self, classes, shares):
        self.classes_ = np.array(list(classes))
        self.shares = np.array(shares)

    def predict_proba(self, X):
        return self.shares[: len(X)]


HALVES = np.full((4, 2), 0.5)
FITTED = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 1])
FOLDS = {"estimator": [FITTED], "indices": {"test": [[0, 1, 2]]}}
ROWS = [[0.0], [1.0], [2.0]]


# --- What is refused ------------------------------------------------------------------------------


def of_leaves(pos_label="p", **columns):
    return rs.Study.from_leaves({**LEAVES, **columns}, pos_label=pos_label)


def of_tree(classes, shares, labels, **more):
    return rs.Study.from_tree(Fitted(classes, shares), range(4), list(labels), **more)


LINE = LogisticRegression().fit(ROWS, [0, 1, 1])


def predicted(y_score=None, cv=2, **more):
    """A study of 40 cases, from scores that cross_val_predict might have made."""
    score = np.arange(40) if y_score is None else y_score
    return rs.Study.from_cross_val_predict(np.arange(40) % 2, score, cv=cv, **more)


NOT_FITTED = "must be a fitted classifier with classes_ and predict_proba or decision_function; got"
CASES = [
    (
        lambda: rs.Study.from_estimator({"m": LogisticRegression()}, [[0]], [1]),
        f"`estimators` {NOT_FITTED} LogisticRegression without them.",
    ),
    (
        lambda: rs.Study.from_estimator(FITTED, ROWS[:2], [0, 1, 1]),
        "`X` must have as many rows as `y_true`; got 2 and 3.",
    ),
    (
        lambda: rs.Study.from_cv_results({"m": {"test_score": [0.5]}}, [[0.0]], [0]),
        "`results` must hold the classifiers and the rows of each fold; got none for 'm'.",
    ),
    (
        lambda: rs.Study.from_cv_results(
            {
                "m": {"estimator": [FITTED], "indices": {"test": [[0, 1]]}},
                "n": {"estimator": [FITTED], "indices": {"test": [[1, 2]]}},
            },
            ROWS,
            [0, 1, 1],
        ),
        "`results` must have the same folds",
    ),
    (
        lambda: rs.Study.from_cv_results({}, [[0.0]], [0]),
        "`results` must hold the classifiers and the rows of each fold; got none for 'score'.",
    ),
    (
        lambda: predicted(cv=StratifiedKFold(2, shuffle=True)),
        "`cv` must split the rows in the same way each time; got a splitter that shuffles",
    ),
    (
        lambda: predicted(cv=RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=1)),
        "`cv` must have every row in one test fold, as cross_val_predict does; got 80 test rows,",
    ),
    (
        lambda: predicted(cv=[([0], range(1, 40))]),
        "`cv` must have every row in one test fold, as cross_val_predict does; got 39 test rows,",
    ),
    (
        lambda: predicted(cv=[([0], [*range(39), -1])]),
        "`cv` must have every row in one test fold, as cross_val_predict does; got 40 test rows,",
    ),
    (lambda: predicted(cv=True), "`cv` must be a number of folds, a splitter with split(), or"),
    (lambda: predicted(cv="five"), "`cv` must be a number of folds, a splitter with split(), or"),
    (lambda: predicted(cv=GroupKFold(2)), "`cv` must split the rows of `y_true`; got ValueError:"),
    (lambda: predicted(cv=41), "`cv` must split the rows of `y_true`; got ValueError:"),
    (
        lambda: predicted(np.ones((40, 2))),
        "`y_score` must have one score for each row, or the probabilities of both classes; got",
    ),
    (
        lambda: predicted(np.full((40, 3), 1 / 3)),
        "`y_score` must have one score for each row, or the probabilities of both classes; got",
    ),
    (lambda: predicted({"a": np.arange(40)}, predictor="b"), "`predictor` must stay None for"),
    (lambda: predicted(predictor=1), "`predictor` must be a text; got 1."),
    (
        lambda: rs.Study.from_estimator([LINE, LINE], ROWS, [0, 1, 1]),
        "`estimators` must have different names; got ['LogisticRegression', 'LogisticRegression'].",
    ),
    (
        lambda: rs.Study.from_estimator([LINE], ROWS, [0, 1, 1], predictor=["a", "b"]),
        "`predictor` must have a name for each of 1 classifiers; got ['a', 'b'].",
    ),
    (
        lambda: rs.Study.from_estimator({"a": LINE}, ROWS, [0, 1, 1], predictor="b"),
        "`predictor` must stay None for `estimators` by name; got 'b'.",
    ),
    (lambda: rs.Study.from_estimator([], ROWS, [0, 1, 1]), "`predictor` must have a name for each"),
    (
        lambda: rs.Study.from_cv_results([FOLDS, FOLDS], ROWS, [0, 1, 1]),
        "`results` must have different names; got",
    ),
    (
        lambda: rs.Study.from_cv_results(FOLDS, ROWS[:2], [0, 1, 1]),
        "`X` must have the rows that were given to cross_validate; got 2 of 3 or more.",
    ),
    (
        lambda: rs.Study.from_cv_results(FOLDS, ROWS, [0, 1, 1], group=["u"]),
        "`group` must have as many rows as `y_true`; got 1 and 3.",
    ),
    (
        lambda: rs.Study.from_cv_results(FOLDS, ROWS, [0, 1, 1], cluster="no"),
        "`cluster` must be one-dimensional; got shape ().",
    ),
    (
        lambda: rs.Study.from_samples(positives={"x": [1]}, negatives={"y": [1]}),
        "`negatives` must have the predictors of `positives`; got ['y'] and ['x'].",
    ),
    (
        lambda: rs.Study.from_leaves({"class": ["p"], "matched": [3]}, pos_label="p"),
        "`leaves` must have one column for each of ['class', 'matched', 'errors']",
    ),
    (
        lambda: rs.Study.from_leaves([1, 2], pos_label="p"),
        "`leaves` must be a dataframe or a dict of columns; got list.",
    ),
    (
        lambda: of_leaves(**{key: [] for key in LEAVES}),
        "`leaves['class']` must have at least one row",
    ),
    (
        lambda: of_leaves(errors=[1, 2]),
        "`leaves['errors']` must have as many rows as `leaves['class']`; got shapes (2,) and (3,).",
    ),
    (
        lambda: of_leaves(**{"class": ["p", None, "n"]}),
        "`leaves['class']` must have no missing values; got 1 (row 1).",
    ),
    (
        lambda: of_leaves(**{"class": ["p", "n", "q"]}),
        "`leaves['class']` must hold two classes; got 3 labels: 'p', 'n', 'q'.",
    ),
    (
        lambda: of_leaves("P"),
        "`pos_label` must be one of the labels of `leaves['class']`: 'p', 'n'",
    ),
    (
        lambda: of_leaves(None),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'p',",
    ),
    (
        lambda: of_leaves(matched=[10, -12, 8]),
        "`leaves['matched']` must be whole numbers >= 0; got -12 in row 1 (wrong values: 1).",
    ),
    (
        lambda: of_leaves(errors=[-1, -2, 3]),
        "`leaves['errors']` must be whole numbers >= 0; got -1 in row 0 (wrong values: 2).",
    ),
    (
        lambda: of_leaves(errors=["a", "b", "c"]),
        "`leaves['errors']` must be numbers; got 3 cells of text in column 'errors': 'a' (row 0),",
    ),
    (
        lambda: of_leaves(errors=[1, 13, 9]),
        "`leaves` must not have more errors than instances matched; got 13 errors of 12 in rows"
        " 1, 2.",
    ),
    (
        lambda: rs.Study.from_leaves({"class": ["n"], "matched": [9], "errors": [0]}, pos_label=1),
        "`leaves` must hold instances of both classes; got 0 positives (label 1) and 9 negatives.",
    ),
    (
        lambda: rs.Study.from_tree(DecisionTreeClassifier(), [[0]], [1]),
        f"`tree` {NOT_FITTED} DecisionTreeClassifier without them.",
    ),
    (
        lambda: rs.Study.from_tree(DecisionTreeRegressor().fit([[0]], [1]), [[0]], [1]),
        f"`tree` {NOT_FITTED} DecisionTreeRegressor without them.",
    ),
    (
        lambda: of_tree("abc", np.ones((4, 3)), "abca"),
        "`tree.classes_` must hold two classes; got 3 labels: 'a', 'b', 'c'.",
    ),
    (lambda: of_tree([1], np.ones((4, 1)), [0, 1, 1, 0]), "`tree` must have two classes"),
    (
        lambda: of_tree("ab", HALVES, "abca", pos_label="c"),
        "`pos_label` must be one of the labels of `tree.classes_`: 'a', 'b'",
    ),
    (
        lambda: of_tree("ab", HALVES, "abba"),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'a',",
    ),
    (
        lambda: of_tree([0, 1], [HALVES], [0, 1, 1, 0]),
        "`tree` must give one probability for each class and row; got an array of shape (1, 4, 2)",
    ),
    (
        lambda: rs.Study.from_tree(Fitted([0, 1], HALVES), range(3), [0, 1, 1, 0]),
        "`X` must have as many rows as `y_true`; got 3 and 4.",
    ),
]


@each(("call", "message"), CASES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
